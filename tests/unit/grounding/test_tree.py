from __future__ import annotations

from typing import Any

from docagent.domain.documents.text import Page
from docagent.domain.field_path import FieldPath
from docagent.evidence.grounding.index import DocumentIndex
from docagent.evidence.grounding.model import Grounding, MatchKind, Reason
from docagent.evidence.grounding.tree import ground_tree
from tests.support.tables import table
from tests.unit.grounding.made_documents import text_of, written
from tests.unit.layout.made_pages import PageMaker

PITCH = 15.0


def _tree(page: Page, data: Any, schema: dict[str, Any] | None = None) -> Any:
    return ground_tree(DocumentIndex.of([page]), data, schema)


def _line(grounding: Grounding) -> int:
    """Which line of a made page the value stands on."""
    return round((grounding.boxes[0].top * 792 - 100) / PITCH)


def _left(grounding: Grounding) -> int:
    return round(grounding.boxes[0].left * 612)


def _table(*rows: tuple[str, ...], above: str = "Statement of account") -> Page:
    maker = PageMaker().write(72, 60, above)
    for number, row in enumerate(rows):
        maker.row(100 + PITCH * number, {72.0 + 120 * place: text for place, text in enumerate(row) if text})
    return maker.page()


ITEMS = _table(
    ("Item", "Quantity", "Price", "Amount"),
    ("Pipe", "2", "5.00", "10.00"),
    ("Elbow", "2", "5.00", "10.00"),
    ("Pipe", "1", "5.00", "5.00"),
    ("Labour", "5", "2.00", "10.00"),
    ("Total", "", "", "35.00"),
)


def test_the_tree_mirrors_the_data() -> None:
    tree = _tree(
        written("Yale University paid 17.00"),
        {
            "name": "Yale University",
            "sum": 17,
            "missing": None,
            "blank": " ",
            "notes": [],
            "more": {"list": ["paid", None]},
        },
    )

    assert list(tree) == ["name", "sum", "missing", "blank", "notes", "more"]
    assert tree["name"].match is MatchKind.EXACT
    assert (tree["missing"], tree["blank"], tree["notes"]) == (None, None, [])
    assert [each and text_of(each) for each in tree["more"]["list"]] == ["paid", None]


def test_a_bare_value_is_a_tree_too() -> None:
    page = written("Yale University")

    assert text_of(_tree(page, "Yale University")) == "Yale University"
    assert _tree(page, None) is None


def test_equal_items_stand_on_their_own_rows_in_order() -> None:
    data = {
        "items": [
            {"item": "Pipe", "quantity": 2, "price": 5, "amount": 10},
            {"item": "Elbow", "quantity": 2, "price": 5, "amount": 10},
            {"item": "Pipe", "quantity": 1, "price": 5, "amount": 5},
            {"item": "Labour", "quantity": 5, "price": 2, "amount": 10},
        ]
    }
    tree = _tree(ITEMS, data)

    for number, item in enumerate(tree["items"], start=1):
        assert {name: (_line(value), _left(value)) for name, value in item.items()} == {
            "item": (number, 72),
            "quantity": (number, 192),
            "price": (number, 312),
            "amount": (number, 432),
        }


def test_rows_of_cells_without_names_are_read_from_left_to_right() -> None:
    tree = _tree(
        _table(("a", "0", "0", "1"), ("b", "0", "1", "0")), [["a", "0", "0", "1"], ["b", "0", "1", "0"]]
    )

    for number, row in enumerate(tree):
        assert [(_line(cell), _left(cell)) for cell in row] == [
            (number, 72 + 120 * place) for place in range(4)
        ]


def test_an_item_that_is_not_printed_takes_no_row() -> None:
    tree = _tree(ITEMS, [{"item": "Crane", "price": 999}, {"item": "Labour", "price": 2}, {}])

    assert tree[0]["item"].match is MatchKind.UNPROVEN
    assert _line(tree[1]["price"]) == 4
    assert tree[2] == {}


def test_items_that_are_given_out_of_order_are_still_found() -> None:
    tree = _tree(ITEMS, [{"item": "Labour", "amount": "10.00"}, {"item": "Elbow", "amount": "10.00"}])

    assert [_line(item["amount"]) for item in tree] == [4, 2]


def test_objects_inside_an_item_stand_on_its_row() -> None:
    tree = _tree(ITEMS, [{"item": "Elbow", "cost": {"price": "5.00", "tags": ["10.00"]}}])

    assert _line(tree[0]["cost"]["price"]) == 2
    assert _line(tree[0]["cost"]["tags"][0]) == 2


def test_no_word_serves_two_entries_of_a_list() -> None:
    tree = _tree(written("red 7", "blue 7", "green 7"), ["7", "7", "7"])

    assert len({value.boxes for value in tree}) == 3
    assert [round(value.boxes[0].top * 792) for value in tree] == [72, 87, 102]


def test_a_list_goes_on_over_the_page() -> None:
    first, second = written("red 7"), Page(2, 612, 792, written("blue 7").lines)
    tree = ground_tree(DocumentIndex.of([first, second]), ["7", "7"])

    assert isinstance(tree, list)
    assert [value.page for value in tree if isinstance(value, Grounding)] == [1, 2]


def test_a_word_inside_a_longer_value_is_not_a_value_by_itself() -> None:
    page = written("Address: New Haven, CT 06511", "and other text", "Region CT")
    tree = _tree(page, {"code": "CT", "address": "New Haven, CT 06511"})

    assert round(tree["code"].boxes[0].top * 792) == 102


def test_values_of_one_object_stand_near_each_other() -> None:
    page = written(
        *["Seller Acme Industries", "Berlin"], *["filler text"] * 20, *["Buyer Zenith Holdings", "Berlin"]
    )
    tree = _tree(page, {"buyer": {"name": "Zenith Holdings", "city": "Berlin"}})

    assert round(tree["buyer"]["city"].boxes[0].top * 792) == 72 + 15 * 23


def test_title_and_description_of_the_schema_are_labels() -> None:
    schema = {
        "properties": {
            "a": {"title": "Net weight"},
            "b": {"description": "The gross weight of the load"},
            "items": {"items": {"type": "string"}},
        }
    }
    page = written("Net weight 50.00", "Gross weight 50.00")
    tree = _tree(page, {"a": "50.00", "b": "50.00"}, schema)

    assert [round(tree[name].boxes[0].top * 792) for name in ("a", "b")] == [72, 87]


FORM = PageMaker()
FORM.box(100, 72, checked=True, label="Limited liability company")
FORM.box(120, 72, checked=False, label="Partnership")
FORM.box(140, 72, checked=False, label="Trust or estate")
FORM.write(72, 180, "Approved: yes")
FORM.write(72, 195, "Urgent: no")


@table(
    ("name", "value", "words"),
    [
        ("classLLC", True, "[x]"),
        ("class_partnership", False, "[ ]"),
        ("class_trust", "unselected", "[ ]"),
        ("approved", True, "yes"),
        ("urgent", False, "no"),
    ],
)
def test_a_yes_or_no_is_proven_by_its_mark(name: str, value: bool | str, words: str) -> None:
    grounding = _tree(FORM.page(), {name: value, "class_other": None})[name]

    assert grounding.match is MatchKind.NORMALISED
    assert text_of(grounding) == words


@table(
    ("name", "value", "reason"),
    [
        ("partnership", True, Reason.CONTRADICTED),
        ("approved", False, Reason.CONTRADICTED),
        ("smoker", True, Reason.NO_LABEL),
    ],
)
def test_a_yes_or_no_without_its_mark_is_unproven(name: str, value: bool, reason: Reason) -> None:
    grounding = _tree(FORM.page(), {name: value})[name]

    assert (grounding.match, grounding.signals.reason) == (MatchKind.UNPROVEN, reason)


def test_the_label_of_a_mark_is_on_the_side_where_it_is_nearer() -> None:
    page = (
        PageMaker()
        .row(
            100, {72: "Live delivery: \u2610", 200: "Online delivery: \u2612", 340: "Video delivery: \u2610"}
        )
        .row(140, {72: "\u2612 Paper", 200: "\u2610 Online", 340: "\u2612 Video"})
        .page()
    )
    tree = _tree(page, {"online_delivery": True, "video_delivery": False, "paper": True})

    places = [
        (_left(tree[name]), _line(tree[name])) for name in ("online_delivery", "video_delivery", "paper")
    ]
    assert [line for _, line in places] == [0, 0, 3]
    assert [left for left, _ in places] == [280, 415, 72]


def test_a_text_may_be_a_yes_or_no_by_its_schema() -> None:
    schema = {"properties": {"partnership": {"type": "boolean"}}}

    assert text_of(_tree(FORM.page(), {"partnership": "no"}, schema)["partnership"]) == "[ ]"


def test_two_marks_with_one_label_are_several_candidates() -> None:
    page = PageMaker()
    page.box(100, 72, checked=True, label="Gift")
    page.box(400, 72, checked=False, label="Gift")

    grounding = _tree(page.page(), {"gift": True})["gift"]

    assert grounding.match is MatchKind.SEVERAL
    assert grounding.candidates == 2


def test_words_that_a_person_pointed_at_prove_the_value_they_say() -> None:
    page = ITEMS
    where = [(1, word.box) for line in page.lines for word in line.words if word.text == "10.00"]
    data = {"amount": 10, "other": 5, "yes": True}
    pointed = {
        FieldPath((name,)): words
        for name, words in {"amount": where[-1:], "other": where[-1:], "yes": where[:1]}.items()
    }

    tree: Any = ground_tree(DocumentIndex.of([page]), data, None, pointed)

    assert (tree["amount"].match, _line(tree["amount"])) == (MatchKind.NORMALISED, 4)
    assert tree["amount"].signals.pointed
    assert tree["amount"].candidates == 1
    assert not tree["other"].signals.pointed, "these words do not say 5"
    assert tree["yes"].words[0].text == "10.00"
