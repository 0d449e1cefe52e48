from __future__ import annotations

from docagent.builtin_model.agent.project_known import near_names
from docagent.builtin_model.agent.slips import is_slip, mended
from tests.support.tables import table


@table(
    ("word", "meant"),
    [
        ("delte", "delete"),
        ("creat", "create"),
        ("remvoe", "remove"),
        ("ad", "add"),
        ("renmae", "rename"),
        ("deleye", "delete"),
    ],
)
def test_one_slip_is_seen(word: str, meant: str) -> None:
    assert is_slip(word, meant)


@table(
    ("word", "meant"),
    [
        *(("deleted", "delete"), ("deletes", "delete"), ("moved", "move"), ("made", "make"), ("and", "add")),
        *(("dad", "add"), ("more", "move"), ("creation", "create"), ("delete", "delete"), ("", "add")),
    ],
)
def test_other_words_and_other_forms_are_no_slips(word: str, meant: str) -> None:
    assert not is_slip(word, meant)


def test_a_verb_is_mended_only_at_the_beginning() -> None:
    assert mended("delte the sectoin Delte", ("delete",), ("section",)) == "delete the section Delte"
    assert mended("he will delte it", ("delete",), ()) == "he will delte it"


def test_near_names_are_found() -> None:
    names = ["acorn", "Travel Guide", "Budget", "Recipes"]
    assert near_names("acron", names) == ["acorn"]
    assert near_names("the Trvel Gide document", names) == ["Travel Guide"]
    assert near_names("Budgte", names) == ["Budget"]
    assert near_names("shopping list", names) == []
