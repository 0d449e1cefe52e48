"""What speaks for a value of a field and against it, and what a fitted score makes of it."""

from __future__ import annotations

from typing import Any

from docagent.builtin_model import evidence_of
from docagent.builtin_model.page.sheet import sheet_of
from docagent.builtin_model.values.evidence import Evidence, Features, Proposals
from docagent.builtin_model.values.mentions import Mentions
from docagent.builtin_model.values.network import Said, single_fields
from docagent.builtin_model.voices import Joined, choose_by_evidence
from docagent.domain.documents.text import Page
from tests.support.tables import table
from tests.unit.builtin_model.documents import invoice
from tests.unit.layout.made_pages import PageMaker

TEXT: dict[str, Any] = {"type": ["string", "null"]}
DATE: dict[str, Any] = {"type": ["string", "null"], "format": "date"}
NUMBER: dict[str, Any] = {"type": ["number", "null"]}
ASKED = {
    "invoice_number": TEXT,
    "order_number": TEXT,
    "due_date": DATE,
    "net_total": NUMBER,
    "total": NUMBER,
    "iban": TEXT,
}


def asking(**properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


def evidence_on(pages: list[Page], proposals: Proposals | None = None, **asked: Any) -> Evidence:
    return Evidence(Mentions(sheet_of(pages)), single_fields(asking(**asked)), proposals or Proposals())


def features(name: str, value: Any, proposals: Proposals | None = None) -> Features:
    return evidence_on(invoice(), proposals, **ASKED).of((name,), value, {})


def test_a_caption_speaks_for_its_value_and_against_the_rivals() -> None:
    due, issued = features("due_date", "2024-04-04"), features("due_date", "2024-03-05")
    assert due["label"] > issued["label"]
    assert due["rivals margin"] > 0 > issued["rivals margin"]
    assert issued["rivals better"] == 1


def test_what_another_field_wants_more_is_told() -> None:
    assert features("invoice_number", "PO-7788")["rivals want it"] > 0.3
    assert features("order_number", "PO-7788")["rivals want it"] < 0.1


def test_figures_tell_their_rank_and_the_sums_that_they_are_part_of() -> None:
    total, net = features("total", 129.6), features("total", 108.0)
    assert (total["sums largest"], total["sums is sum"]) == (1, 1)
    assert (net["sums largest"], net["sums is part"]) == (0, 1)


@table(("digits", "speaks"), [("GB82 WEST 1234 5698 7654 32", 1), ("GB83 WEST 1234 5698 7654 32", -1)])
def test_check_digits_speak(digits: str, speaks: int) -> None:
    assert features("iban", digits)["type check digits"] == speaks


def test_what_nobody_asked_says_nothing_and_voices_are_told_apart() -> None:
    assert not [name for name in features("total", 129.6) if name.startswith(("rules", "network"))]
    said = Proposals({}, {("total",): 108.0}, {("total",): [Said(129.6, 0.97), Said(108.0, 0.02)]})
    told = features("total", 129.6, said)
    assert (told["rules differ"], told["network first"], told["network sure"]) == (1, 1, 1)
    silent = features("total", 129.6, Proposals({}, {("total",): None}, {}))
    assert silent["rules silent"] == 1
    assert "silent label" in silent


def test_an_identifier_in_groups_is_one_value() -> None:
    page = PageMaker()
    page.row(60, {60: "Supply point", 300: "8501 4427 903"})
    page.row(80, {60: "Meter", 300: "77120"})
    evidence = evidence_on(
        [page.page()], supply_point_number={**TEXT, "description": "Number of the supply point"}
    )
    assert "8501 4427 903" in evidence.candidates(("supply_point_number",))


def test_any_models_values_are_weighed() -> None:
    right = {"invoice_number": "NW-2024-0042", "due_date": "2024-04-04", "total": 129.6}
    wrong = {"invoice_number": "PO-7788", "due_date": "2024-03-05", "total": 25.0}
    good = evidence_of(invoice(), asking(**ASKED), right, is_own=False)
    bad = evidence_of(invoice(), asking(**ASKED), wrong, is_own=False)
    assert good.keys() == bad.keys() == {(name,) for name in right}
    for path in good:
        assert good[path] > 0 > bad[path], path
    assert evidence_of(invoice(), asking(**ASKED), {"total": None}, is_own=False) == {}


def test_a_value_that_is_not_printed_has_nothing_to_speak_for_it() -> None:
    made_up = evidence_of(invoice(), asking(**ASKED), {"invoice_number": "ZX-99"}, is_own=False)
    assert all(worth < 0 for worth in made_up.values())
    assert made_up


def test_its_own_answers_are_weighed_with_what_its_voices_said() -> None:
    (told,) = evidence_of(invoice(), asking(**ASKED), {"total": 129.6}, is_own=True).values()
    (page,) = evidence_of(invoice(), asking(**ASKED), {"total": 129.6}, is_own=False).values()
    assert told > 2
    assert told != page


def test_very_long_documents_are_left_alone() -> None:
    many = []
    for number in range(60):
        page = PageMaker(number + 1)
        for line in range(72):
            page.write(60, 20 + 11 * line, f"Entry {line}")
        many.append(page.page())
    assert evidence_of(many, asking(**ASKED), {"total": 5.0}, is_own=False) == {}


NETWORK_IS_LIKELY: dict[tuple[str, ...], list[Said]] = {
    ("due_date",): [Said("2024-04-04", 0.97)],
    ("order_number",): [Said("PO-7788", 0.97)],
    ("expiry_date",): [],
}


def chosen_on_invoice(data: dict[str, Any], **asked: Any) -> dict[str, Any]:
    """Choose where the network is likely right but not sure enough to speak alone; `data` is what was found."""
    proposals = Proposals({}, {(name,): data.get(name) for name in asked}, NETWORK_IS_LIKELY)
    found = Joined(dict(data))
    choose_by_evidence(found, evidence_on(invoice(), proposals, **asked))
    return found.data


def test_what_the_page_speaks_for_fills_what_is_empty() -> None:
    asked = {"due_date": DATE, "order_number": TEXT, "expiry_date": DATE}
    filled = chosen_on_invoice(dict.fromkeys(asked), **asked)
    assert filled == {"due_date": "2024-04-04", "order_number": "PO-7788", "expiry_date": None}


def test_one_value_answers_one_field() -> None:
    given = {"valid_until": "2024-04-04", "due_date": None}
    assert chosen_on_invoice(given, valid_until=DATE, due_date=DATE) == given


def test_what_was_found_gives_way_to_a_value_for_which_clearly_more_speaks() -> None:
    wrong = {"due_date": "2024-03-05", "order_number": "PO-7788"}
    chosen = chosen_on_invoice(wrong, due_date=DATE, order_number=TEXT)
    assert chosen == {"due_date": "2024-04-04", "order_number": "PO-7788"}
