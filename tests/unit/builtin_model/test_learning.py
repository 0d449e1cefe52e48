"""Learning from verified documents: how a value was found is how the next one of the layout is found."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from docagent import builtin_model
from docagent.builtin_model import Memory, Placed
from docagent.builtin_model.learning.memory import Direction, shape_of
from docagent.domain.documents.text import Box, Line, Page, Word
from docagent.services.extraction.checking import grounding_of
from tests.support.made.pages import page_of
from tests.support.tables import table

SCHEMA = {
    "type": "object",
    "properties": {
        "berth": {"type": ["string", "null"]},
        "draught": {"type": ["number", "null"]},
        "arrival": {"type": ["string", "null"], "format": "date"},
        "stamp": {"type": ["string", "null"]},
    },
}
Values = dict[str, Any]
EMPTY: Values = {"berth": None, "draught": None, "arrival": None, "stamp": None}


def paper(berth: str, draught: str, arrival: str, stamp: str = "", shift: float = 0.0) -> list[Page]:
    """A harbour's paper whose labels nobody knows, with a value that has none at the top right."""
    rows = [
        [(0.7, stamp)],
        [(0.1, "Harbour of Skagen")],
        [(0.1, "Skibets liggeplads"), (0.5, berth)],
        [(0.1, f"Dybgang {draught} metres of water")],
        [(0.1, "Anløbsdag i havnen")],
        [(0.1, arrival)],
        [(0.1, "All ships keep to the orders of the pilot and of the harbour office")],
    ]
    blank: list[list[tuple[float, str]]] = [[] for _ in range(round(shift / 0.05))]
    return [page_of([*blank, *rows])]


def lesson(pages: list[Page], truth: Values, given: Values = EMPTY) -> dict[str, Memory]:
    return taught(pages, SCHEMA, truth, given)


FIRST = {"berth": "K-17", "draught": 5.5, "arrival": "2026-03-14", "stamp": "ZX 99"}


def first_lesson() -> dict[str, Memory]:
    return lesson(paper("K-17", "5.5", "14 March 2026", "ZX 99"), FIRST)


def test_one_verified_document_teaches_the_next_by_labels_beside_inside_above_and_by_place() -> None:
    memories = first_lesson()
    assert [memories[path].traces[0].direction for path in SCHEMA["properties"]] == [
        Direction.LEFT,
        Direction.INLINE,
        Direction.ABOVE,
        Direction.PLACE,
    ]
    recalled = builtin_model.recall(paper("B-4", "3.25", "2 May 2026", "QQ 07"), SCHEMA, [memories])
    assert {path: one.value for path, one in recalled.items()} == {
        "berth": "B-4",
        "draught": 3.25,
        "arrival": "2026-05-02",
        "stamp": "QQ 07",
    }
    filled = builtin_model.fill_from_memory(EMPTY, recalled)
    assert filled == {"berth": "B-4", "draught": 3.25, "arrival": "2026-05-02", "stamp": "QQ 07"}
    assert EMPTY["berth"] is None, "what was given stays as it is"


def test_labels_lead_to_values_that_moved_and_a_place_does_not() -> None:
    recalled = builtin_model.recall(
        paper("B-4", "3.25", "2 May 2026", "QQ 07", shift=0.2), SCHEMA, [first_lesson()]
    )
    assert recalled.keys() == {"berth", "draught", "arrival"}


def test_a_memory_survives_being_stored() -> None:
    memories = first_lesson()
    assert {path: Memory.from_json(one.as_json()) for path, one in memories.items()} == memories


def test_a_memory_of_an_older_version_is_read() -> None:
    stored = first_lesson()["berth"].as_json()
    del stored["mistake"]
    stored["traces"] = [
        {name: value for name, value in trace.items() if name != "negated"} for trace in stored["traces"]
    ]
    older = {"berth": Memory.from_json(stored)}
    recalled = builtin_model.recall(paper("B-4", "3.25", "2 May 2026"), SCHEMA, [older])
    given = {**EMPTY, "berth": "PIER 9"}
    assert builtin_model.fill_from_memory(given, recalled)["berth"] == "B-4", (
        "it does not say how the model erred"
    )


def test_without_support_a_value_stays_empty() -> None:
    other = [Page(1, 595, 842, (Line((Word("Nothing", Box(0.1, 0.5, 0.2, 0.52)),)),))]
    assert builtin_model.recall(other, SCHEMA, [first_lesson()]) == {}
    assert builtin_model.recall(paper("B-4", "3.25", "2 May 2026"), SCHEMA, []) == {}


def test_documents_vote_and_one_that_is_wrong_is_outvoted() -> None:
    poisoned = lesson(paper("K-17", "5.5", "14 March 2026", "ZX 99"), {**FIRST, "berth": "ZX 99"})
    good = [first_lesson(), first_lesson()]
    pages = paper("B-4", "3.25", "2 May 2026", "QQ 07")
    recalled = builtin_model.recall(pages, SCHEMA, [poisoned, *good])
    assert (recalled["berth"].value, recalled["berth"].support) == ("B-4", 2)
    tied = builtin_model.recall(pages, SCHEMA, [poisoned, good[0]])
    assert "berth" not in tied, "one against one says nothing"


def test_one_wrong_lesson_among_several_neither_fills_nor_changes_anything() -> None:
    poisoned = lesson(paper("K-17", "5.5", "14 March 2026", "ZX 99"), {**FIRST, "berth": "ZX 99"})
    given = {**EMPTY, "berth": "B-4"}
    were_right = [lesson(paper("K-17", "5.5", "14 March 2026", "ZX 99"), FIRST, FIRST) for _ in range(2)]
    pages = paper("B-4", "3.25", "2 May 2026", "QQ 07")
    for others in ([first_lesson(), first_lesson()], were_right, were_right[:1]):
        for lessons in ([poisoned, *others], [*others, poisoned]):
            recalled = builtin_model.recall(pages, SCHEMA, lessons)
            assert builtin_model.fill_from_memory(given, recalled)["berth"] == "B-4"
            assert builtin_model.fill_from_memory(EMPTY, recalled)["berth"] != "QQ 07"


def test_a_single_lesson_of_two_does_not_outweigh_the_model() -> None:
    silent = lesson(paper("K-17", "5.5", "14 March 2026"), {**FIRST, "stamp": None})
    silent = {"berth": replace(silent["berth"], traces=(replace(silent["berth"].traces[0], label="gone"),))}
    pages = paper("B-4", "3.25", "2 May 2026", "QQ 07")
    recalled = builtin_model.recall(pages, SCHEMA, [first_lesson(), silent])
    assert (recalled["berth"].support, recalled["berth"].documents) == (1, 2)
    given = {**EMPTY, "berth": "PIER 9"}
    assert builtin_model.fill_from_memory(given, recalled)["berth"] == "PIER 9"
    assert builtin_model.fill_from_memory(EMPTY, recalled)["berth"] == "B-4"


def test_where_the_model_was_right_by_itself_its_value_stays() -> None:
    pages = paper("B-4", "3.25", "2 May 2026", "QQ 07")
    given = {**EMPTY, "berth": "PIER 9"}
    was_right = lesson(paper("K-17", "5.5", "14 March 2026"), {**FIRST, "stamp": None}, FIRST)
    kept = builtin_model.fill_from_memory(given, builtin_model.recall(pages, SCHEMA, [was_right]))
    assert kept["berth"] == "PIER 9"
    silent = builtin_model.fill_from_memory(given, builtin_model.recall(pages, SCHEMA, [first_lesson()]))
    assert silent["berth"] == "PIER 9", "a model that missed one value is not wrong about another"


def test_one_correction_changes_the_same_mistake_and_no_other_value() -> None:
    """The model took the stamp for the berth once. It is corrected where it does so again, and only there."""
    memories = lesson(paper("K-17", "5.5", "14 March 2026", "ZX 99"), FIRST, {**FIRST, "berth": "ZX 99"})
    stored = {path: Memory.from_json(one.as_json()) for path, one in memories.items()}
    recalled = builtin_model.recall(paper("B-4", "3.25", "2 May 2026", "QQ 07"), SCHEMA, [stored])
    again = builtin_model.fill_from_memory({**EMPTY, "berth": "QQ 07"}, recalled)
    assert again["berth"] == "B-4"
    other = builtin_model.fill_from_memory({**EMPTY, "berth": "3.25"}, recalled)
    assert other["berth"] == "3.25"


def test_a_model_that_was_never_wrong_is_believed_however_often_lessons_were_right() -> None:
    were_right = [lesson(paper("K-17", "5.5", "14 March 2026", "ZX 99"), FIRST, FIRST) for _ in range(2)]
    records = [{"berth": {str(judge): True for judge in range(9)}}] * 2
    recalled = builtin_model.recall(paper("B-4", "3.25", "2 May 2026", "QQ 07"), SCHEMA, were_right, records)
    given = {**EMPTY, "berth": "QQ 07"}
    assert builtin_model.fill_from_memory(given, recalled)["berth"] == "QQ 07"


def test_lessons_that_were_right_elsewhere_outweigh_a_model_that_was_wrong_in_between() -> None:
    """Lessons of older versions count the model as right where it had been corrected by memory."""
    alone = lesson(paper("K-17", "5.5", "14 March 2026", "ZX 99"), FIRST, {**FIRST, "berth": "ZX 99"})
    praised = lesson(paper("C-9", "4.5", "1 May 2026", "AB 12"), {**FIRST, "berth": "C-9"}, {"berth": "C-9"})
    older = [{path: replace(one, mistake=None) for path, one in each.items()} for each in (alone, praised)]
    pages = paper("B-4", "3.25", "2 May 2026", "QQ 07")
    given = {**EMPTY, "berth": "QQ 07"}
    untried = builtin_model.recall(pages, SCHEMA, older)
    assert builtin_model.fill_from_memory(given, untried)["berth"] == "QQ 07"
    records = [{"berth": {"praised": True}}, {"berth": {"alone": True}}]
    tried = builtin_model.recall(pages, SCHEMA, older, records)
    assert (tried["berth"].tried, tried["berth"].worked) == (2, 2)
    assert builtin_model.fill_from_memory(given, tried)["berth"] == "B-4"


def test_a_value_that_such_documents_do_not_have_is_left_out() -> None:
    truth = {**FIRST, "stamp": None}
    absent = lesson(paper("K-17", "5.5", "14 March 2026"), truth, {**EMPTY, "stamp": "Skagen"})
    pages = paper("B-4", "3.25", "2 May 2026")
    recalled = builtin_model.recall(pages, SCHEMA, [absent])
    assert recalled["stamp"].value is None
    assert builtin_model.fill_from_memory({**EMPTY, "stamp": "Skagen"}, recalled)["stamp"] is None
    assert builtin_model.fill_from_memory({**EMPTY, "stamp": "B-4"}, recalled)["stamp"] == "B-4"


ISSUED = {"type": "object", "properties": {"rederi": {"type": ["string", "null"]}}}


def test_the_issuer_of_a_layout_is_learnt_wherever_it_is_printed_and_from_two_where_it_is_not() -> None:
    def bill(number: int, footer: str) -> list[Page]:
        rows: list[list[tuple[float, str]]] = [
            [(0.1, "Every master pays at the office of the quay")],
            *[[(0.1 + 0.07 * number, f"Bilag {number}{number}")]] * number,
            [(0.3, footer)],
        ]
        return [page_of(rows)]

    truth, given = {"rederi": "Larsen og Søn"}, {"rederi": "Every master"}
    printed = taught(bill(1, "Bank: Larsen og Søn, Skagen"), ISSUED, truth, given)
    recalled = builtin_model.recall(bill(3, "Larsen og Søn takker"), ISSUED, [printed])
    assert recalled["rederi"].value == "Larsen og Søn"
    assert builtin_model.fill_from_memory(given, recalled) == truth
    drawn = [taught(bill(number, "Tak"), ISSUED, truth, given) for number in (1, 2)]
    assert builtin_model.recall(bill(3, "Tak"), ISSUED, drawn[:1]) == {}, "one might be a coincidence"
    assert builtin_model.recall(bill(3, "Tak"), ISSUED, drawn)["rederi"].value == "Larsen og Søn"


REFUND = {"type": "object", "properties": {"refund": {"type": ["number", "null"]}}}


def test_a_sign_is_learnt() -> None:
    def note(amount: str) -> list[Page]:
        return [page_of([[(0.1, "Harbour of Skagen")], [(0.1, "Refund"), (0.5, amount)]])]

    memories = taught(note("120.50"), REFUND, {"refund": -120.5}, {"refund": 120.5})
    assert not memories["refund"].was_right, "a sign makes another number"
    recalled = builtin_model.recall(note("75.25"), REFUND, [memories])
    assert builtin_model.fill_from_memory({"refund": 75.25}, recalled) == {"refund": -75.25}


def test_only_what_is_verified_is_remembered() -> None:
    pages = paper("K-17", "5.5", "14 March 2026", "ZX 99")
    truth = placed(pages, SCHEMA, FIRST)
    found = builtin_model.remember(
        pages, SCHEMA, truth, placed(pages, SCHEMA, EMPTY), lambda path: path == "berth"
    )
    assert found.keys() == {"berth"}
    invented = {**FIRST, "berth": "NOWHERE-1"}
    found = lesson(pages, invented)
    assert [trace.direction for trace in found["berth"].traces] == [Direction.CONSTANT]
    assert not found["berth"].is_absent
    assert "berth" not in builtin_model.recall(pages, SCHEMA, [found])


def test_layouts_are_told_by_their_words() -> None:
    one = builtin_model.signature_of(paper("K-17", "5.5", "14 March 2026"))
    same = builtin_model.signature_of(paper("B-4", "3.25", "2 May 2026", shift=0.1))
    words = "Invoice number date total amount due please pay within thirty days to our account thank you"
    line = Line(
        tuple(Word(word, Box(0.05 * n, 0.1, 0.05 * n + 0.04, 0.12)) for n, word in enumerate(words.split()))
    )
    other = builtin_model.signature_of([Page(1, 595, 842, (line,))])
    assert builtin_model.likeness(one, same) > 0.6
    assert builtin_model.likeness(one, other) < 0.2
    assert set(builtin_model.bands_of(one)) & set(builtin_model.bands_of(same))
    assert builtin_model.signature_of([]) == []
    assert builtin_model.bands_of([]) == []
    assert builtin_model.likeness([], one) == 0


@table(("text", "shape"), [("INV-2041", "A-9"), ("1 617,30", "9,9"), ("", ""), ("Ole", "A")])
def test_shapes(text: str, shape: str) -> None:
    assert shape_of(text) == shape


def taught(pages: list[Page], schema: Values, truth: Values, given: Values) -> dict[str, Memory]:
    return builtin_model.remember(
        pages, schema, placed(pages, schema, truth), placed(pages, schema, given), lambda path: True
    )


def placed(pages: list[Page], schema: Values, data: Values) -> Placed:
    return Placed(data, grounding_of(pages, data, schema))


ADDRESS = {"type": "object", "properties": {"reder": {"type": ["string", "null"]}}}


def letterhead(*lines: str) -> list[Page]:
    below: list[list[tuple[float, str]]] = [[(0.12 + 0.01 * place, text)] for place, text in enumerate(lines)]
    return [page_of([[(0.1, "Skibets rederi")], *below, [(0.1, "Tlf 12 34 56")]])]


def test_a_value_over_several_lines_is_learnt() -> None:
    first = {"reder": "Larsen og Søn Havnegade 12 9990 Skagen"}
    memories = taught(
        letterhead("Larsen og Søn", "Havnegade 12", "9990 Skagen"), ADDRESS, first, {"reder": None}
    )
    recalled = builtin_model.recall(
        letterhead("Holm og Datter Aps", "Strandvej 4", "9900 Frederikshavn"), ADDRESS, [memories]
    )
    assert recalled["reder"].value == "Holm og Datter Aps Strandvej 4 9900 Frederikshavn"


CHOICES = {
    "type": "object",
    "properties": {"art": {"type": ["string", "null"], "enum": ["crew", "cargo", None]}},
}


def test_a_choice_that_no_page_prints_is_that_of_the_layout() -> None:
    pages = paper("K-17", "5.5", "14 March 2026")
    memories = taught(pages, CHOICES, {"art": "cargo"}, {"art": None})
    recalled = builtin_model.recall(paper("B-4", "3.25", "2 May 2026"), CHOICES, [memories])
    assert recalled["art"].value == "cargo"
    other = {"type": "object", "properties": {"art": {"type": ["string", "null"], "enum": ["mail", None]}}}
    assert builtin_model.recall(pages, other, [memories]) == {}, "the choice is no longer one"


def test_words_that_lead_to_several_values_lead_to_none_unless_one_is_in_its_place() -> None:
    schema = {"type": "object", "properties": {"berth": {"type": ["string", "null"]}}}

    def listed(*berths: str, above: int = 0) -> list[Page]:
        rows: list[list[tuple[float, str]]] = [[(0.1, f"Liggeplads {berth}")] for berth in berths]
        return [page_of([*([[]] * above), *rows])]

    memories = taught(listed("K-17"), schema, {"berth": "K-17"}, {"berth": None})
    in_place = builtin_model.recall(listed("B-4", "C-9"), schema, [memories])
    assert in_place["berth"].value == "B-4"
    assert builtin_model.recall(listed("B-4", "C-9", above=3), schema, [memories]) == {}
    moved = builtin_model.recall(listed("B-4", above=3), schema, [memories])
    assert moved["berth"].value == "B-4"


SHIP = {"type": "object", "properties": {"skude": {"type": ["string", "null"]}}}


def boxes(*pieces: str, across: float, label: str = "1. Skibets navn", above: int = 0) -> list[Page]:
    """A form whose label stands at the corner of its box, and the value anywhere in it."""
    ship = [(across + 0.12 * place, piece) for place, piece in enumerate(pieces)]
    rows: list[list[tuple[float, str]]] = [
        [(0.1, "Every master fills this in before the ship is moored at the quay")],
        [(0.1, label), (0.7, "2. Nummer")],
        [*ship, (0.72, "4711")],
        [(0.1, "3. Ladning")],
    ]
    return [page_of([*([[]] * above), *rows])]


def test_a_label_at_the_corner_of_a_box_leads_to_what_stands_anywhere_in_it() -> None:
    memories = taught(boxes("Ingeborg", across=0.4), SHIP, {"skude": "Ingeborg"}, {"skude": None})
    moved = builtin_model.recall(boxes("Havfruen", across=0.12, above=4), SHIP, [memories])
    assert moved["skude"].value == "Havfruen"
    assert builtin_model.recall(boxes(across=0.1, above=4), SHIP, [memories]) == {}, "the next box is another"


def test_a_label_is_known_where_a_scan_lost_its_gaps() -> None:
    memories = taught(boxes("Ingeborg", across=0.1), SHIP, {"skude": "Ingeborg"}, {"skude": None})
    scanned = boxes("Havfruen", across=0.1, label="1. Skibetsnavn", above=4)
    assert builtin_model.recall(scanned, SHIP, [memories])["skude"].value == "Havfruen"


def test_who_read_the_beginning_of_a_value_help_to_fill_a_gap_and_not_to_change_a_value() -> None:
    in_two, in_one = boxes("Ingeborg", "Marie", across=0.3), boxes("Ingeborg", across=0.3)
    lessons = [
        taught(in_two, SHIP, {"skude": "Ingeborg Marie"}, {"skude": None}),
        taught(in_one, SHIP, {"skude": "Ingeborg"}, {"skude": None}),
    ]
    recalled = builtin_model.recall(boxes("Havfruen", "Anna", across=0.3), SHIP, lessons)
    assert builtin_model.fill_from_memory({"skude": None}, recalled) == {"skude": "Havfruen Anna"}
    assert builtin_model.fill_from_memory({"skude": "Havfruen"}, recalled) == {"skude": "Havfruen"}


def test_a_value_that_only_begins_with_the_same_letters_is_another() -> None:
    def listed(first: str, second: str) -> list[Page]:
        return [page_of([[(0.1, "Liggeplads"), (0.5, first)], [(0.1, "Havnens plads"), (0.5, second)]])]

    lessons = [
        taught(listed("K-17", "K-1"), SHIP, {"skude": "K-17"}, {"skude": None}),
        taught(listed("B-4", "C-9"), SHIP, {"skude": "C-9"}, {"skude": None}),
    ]
    assert builtin_model.recall(listed("D-22", "D-2"), SHIP, lessons) == {}, "one against one says nothing"


def test_a_choice_is_read_in_what_its_label_leads_to_even_where_that_reads_like_a_label() -> None:
    choices: Values = {
        "type": "object",
        "properties": {"art": {"type": ["string", "null"], "enum": ["Amendment", "Short form", None]}},
    }

    def named(art: str) -> list[Page]:
        return [page_of([[(0.1, "Havnekontoret i Skagen"), (0.5, art)], [(0.1, "Skibets ladning")]])]

    memories = taught(named("Short form"), choices, {"art": "Short form"}, {"art": None})
    recalled = builtin_model.recall(named("Amendment to Registration Statement"), choices, [memories])
    assert recalled["art"].value == "Amendment"
