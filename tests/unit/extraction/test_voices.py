"""Which voice found a value, as it is stored with the value's proof."""

from __future__ import annotations

from typing import Any

from docagent.domain.extraction.voices import Heard, Voice, Voices, heard_before, with_voices
from docagent.domain.field_path import FieldPath

BOTH = Heard(Voice.BOTH, Voices.AGREE)
DOUBTED = Heard(Voice.RULES, Voices.DIFFER, ("B-2",))
PRICE = FieldPath(("lines", 0, "price"))
HEARD = {FieldPath(("number",)): DOUBTED, PRICE: BOTH}


def place() -> dict[str, Any]:
    return {"match": "exact", "page": 1, "words": [], "candidates": 1, "signals": {"form": "exact"}}


def test_every_value_says_who_found_it() -> None:
    proof = {"number": place(), "lines": [{"price": place(), "note": None}], "other": place()}
    told = with_voices(proof, HEARD)
    assert told["number"]["voice"] == "rules"
    assert told["number"]["rivals"] == ["B-2"]
    assert told["number"]["signals"] == {"form": "exact", "voices": "differ"}
    assert told["lines"][0]["price"]["voice"] == "both"
    assert told["lines"][0]["note"] is None
    assert told["other"] == place()


def test_an_edit_keeps_the_voices_of_the_values_that_it_leaves() -> None:
    before = {"number": "A-1", "lines": [{"price": 3}], "old": "x"}
    proof = with_voices(
        {"number": place(), "lines": [{"price": place()}], "old": place()},
        HEARD,
    )
    after = {"number": "B-2", "lines": [{"price": 3}], "old": "x"}
    assert heard_before(proof, before, after) == {PRICE: BOTH}
    assert heard_before(proof, before, before) == HEARD


def test_results_of_older_versions_have_no_voices() -> None:
    assert heard_before({"number": place()}, {"number": "A-1"}, {"number": "A-1"}) == {}
    assert heard_before(None, {}, {}) == {}
    assert with_voices(None, {}) is None
