"""The judge on a made invoice: what counts as right, and that extractors that do not read lose clearly."""

from __future__ import annotations

import random
from typing import Any

from evals.judging import Kind, Labels, Printed, Tally, compare, same

from tests.support.tables import table
from tests.unit.evals.papers import INVOICE, SCHEMA, VALUES

PRINTED = Printed.on([INVOICE])
LABELS = Labels(VALUES)
NUMBERS = [2, 1, 4, 12.0, 24.0, 99.0, 20.0, 80.0, 203.0, 38.57, 241.57]


def tally(reply: Any, labels: Labels = LABELS) -> Tally:
    counts = Tally()
    counts.add_document(compare(SCHEMA, labels, reply, PRINTED))
    return counts


def test_the_labels_themselves_are_all_right() -> None:
    counts = tally(VALUES)

    assert (counts.right, counts.given, counts.wanted, counts.f1) == (14, 14, 14, 1.0)
    assert (counts.wrong, counts.invented, counts.absent, counts.absent_filled) == (0, 0, 1, 0)


def test_wrong_invented_missed_and_filled_are_counted_apart() -> None:
    labels = Labels({name: VALUES[name] for name in ("number", "seller", "total", "iban")})
    counts = tally({"number": "Berlin", "seller": "Fabrikam", "total": None, "iban": "A-17"}, labels)

    assert (counts.right, counts.given, counts.wanted) == (0, 3, 3)
    assert counts.wrong == 2, "Berlin and A-17 are printed"
    assert counts.invented == 1
    assert (counts.absent, counts.absent_filled) == (1, 1)


def test_a_piece_of_a_word_is_not_printed() -> None:
    labels = Labels({"seller": "Northwind Traders"})

    assert tally({"seller": "wind"}, labels).invented == 1
    assert tally({"seller": "Traders Northwind"}, labels).invented == 1
    assert tally({"seller": "Harbour Street"}, labels).wrong == 1


def test_a_duration_is_printed_in_words_or_digits_and_a_date_in_its_place_is_wrong_not_invented() -> None:
    printed = Printed("It lasts twelve (12) months from 3 April 2024, and then year by year.")

    assert printed.has("1 year", Kind.DURATION)
    assert printed.has("2024-04-03", Kind.DURATION)
    assert not printed.has("2 years", Kind.DURATION)
    assert not printed.has("soon", Kind.DURATION)


def test_what_nothing_is_known_of_is_not_judged_unless_the_labels_are_complete() -> None:
    some = {"number": "A-17"}

    assert tally({"number": "A-17", "total": 5}, Labels(some)).given == 1
    assert tally({"number": "A-17", "total": 5}, Labels(some, complete=True)).absent_filled == 1
    assert tally({"number": "A-17", "total": 5}, Labels(some, absent=frozenset({"total"}))).absent_filled == 1


def test_labels_that_are_not_printed_are_left_out_where_they_came_from_elsewhere() -> None:
    labels = Labels({"seller": "Elsewhere Inc", "places": ["Berlin", "Potsdam"]}, only_printed=True)
    counts = tally({"seller": "Northwind Traders", "places": ["Potsdam", "Berlin"]}, labels)

    assert (counts.right, counts.given, counts.wanted) == (1, 1, 1)
    scattered = Labels({"seller": "Traders of Berlin"}, only_printed=True)
    assert tally({"seller": None}, scattered).wanted == 1, "its words are there: it may have been read badly"


def test_several_values_of_one_field_count_once_each_in_any_order() -> None:
    labels = Labels({"places": ["Berlin", "Harbour Street"]})

    assert tally({"places": ["Harbour Street", "Berlin"]}, labels).f1 == 1.0
    copies = tally({"places": ["Berlin", "Berlin", "Berlin"]}, labels)
    assert (copies.right, copies.given, copies.wanted) == (1, 3, 2)


def test_a_missed_row_does_not_make_the_others_wrong() -> None:
    counts = tally({"lines": VALUES["lines"][1:]}, Labels({"lines": VALUES["lines"]}))

    assert (counts.right, counts.given, counts.wanted) == (6, 6, 9)


def test_of_a_row_only_the_labelled_cells_are_judged_and_an_extra_row_in_all() -> None:
    labels = Labels({"lines": [{"name": "Chair", "pieces": None}]})
    chair = {"name": "Chair", "pieces": 4, "amount": 80.0}
    counts = tally({"lines": [chair, chair]}, labels)

    assert (counts.right, counts.given, counts.wrong) == (1, 5, 4)


def test_rows_of_a_list_that_the_document_does_not_have_are_filled_absences() -> None:
    rows = {"lines": [{"name": "Chair"}]}

    assert tally(rows, Labels({"lines": []})).absent_filled == 1
    assert tally({"lines": []}, Labels({"lines": None})).absent_filled == 0
    assert tally({"lines": []}, Labels({"lines": None})).absent == 3


def test_a_reply_must_have_the_schemas_shape() -> None:
    labels = Labels({"number": "A-17"})

    assert tally({"invoice": {"number": "A-17"}}, labels).right == 0
    assert tally({"number": {"text": "A-17"}}, labels).right == 0


def test_a_choice_from_a_list_is_never_invented() -> None:
    schema = {"type": "object", "properties": {"kind": {"type": "string", "enum": ["bill", "order"]}}}
    (compared,) = compare(schema, Labels({"kind": "bill"}), {"kind": "order"}, PRINTED)

    assert compared.wrong
    assert not compared.invented


def test_labels_may_be_nested_a_little_differently_than_their_schema() -> None:
    schema = {
        "type": "object",
        "properties": {
            "person": {"type": "object", "properties": {"contact": {"$ref": "#/$defs/contact"}}},
            "lines": SCHEMA["properties"]["lines"],
        },
        "$defs": {"contact": {"type": "object", "properties": {"city": {"anyOf": [{"type": "string"}]}}}},
    }
    gold = {"person": {"city": "Berlin"}, "invoices": [{"lines": [{"name": "Chair"}]}]}
    reply = {"person": {"contact": {"city": "Berlin"}}, "lines": [{"name": "Chair"}]}
    compared = compare(schema, Labels(gold), reply, PRINTED)

    assert [(one.field, one.right) for one in compared] == [
        ("person.contact.city", True),
        ("lines.name", True),
    ]


@table(
    ("kind", "wanted", "given"),
    [
        (Kind.AMOUNT, "$1,250.50", 1250.5),
        (Kind.DATE, "3 April 2024", "2024-04-03"),
        (Kind.DURATION, "1 year", "twelve (12) months"),
        (Kind.DURATION, "3 years", "a period of three years"),
        (Kind.CODE, "DE 12-34", "de1234"),
        (Kind.NAME, "NORTHWIND TRADERS", "Northwind Trader"),
        (Kind.NAME, "RESTORAN SIN DU", "RESTORAN S1N DU"),
        (Kind.NAME, "Cardinal Health Inc.", "Cardinal Health"),
        (Kind.NAME, "Cardinal Health", "Cardinal Health Ltd"),
        (Kind.NAME, "12 Harbour Street, 81200 Johor", "12, Harbour Stroet 81200 JOHOR"),
        (Kind.DATE, "2024-04-03", "Wednesday, 3 April 2024, 10:15"),
        (Kind.DATE, "2024-04-03", "2024-04-03T00:00:00Z"),
        (Kind.AMOUNT, "241.57", "241,57 US dollars"),
    ],
)
def test_values_are_compared_by_their_kind(kind: Kind, wanted: Any, given: Any) -> None:
    assert same(wanted, given, kind)


@table(
    ("kind", "wanted", "given"),
    [
        (Kind.DATE, "soon", "later"),
        (Kind.DATE, "soon", "soon"),
        (Kind.DURATION, "soon", "soon"),
        (Kind.DURATION, "3 years", "2003-03-03"),
        (Kind.DURATION, "3 years", "2 years"),
        (Kind.AMOUNT, "x", "x"),
        (Kind.CODE, "A-17", "A-18"),
        (Kind.NAME, "Palm Inc.", "Palmsource Inc."),
        (Kind.NAME, "North Dakota", "South Dakota"),
        (Kind.NAME, "Northwind Traders and Shipping Ltd", "Northwind Traders and Shipping Ltd Invoice"),
        (Kind.NAME, "Northwind Traders and Shipping Ltd", "Tel Northwind Traders and Shipping Ltd"),
        (Kind.NAME, "Meadow & Sons Hardware Store", "Meadow & Sons Hardware Bills"),
        (Kind.NAME, "12 Harbour Street, 81200 Johor", "13 Harbour Street, 81200 Johor"),
        (Kind.NAME, "12 Harbour Street, 81200 Johor", "12 Harbour Street, 8120 Johor"),
        (Kind.NAME, "12 Harbour Street, 81200 Johor", "112 Harbour Street, 81200 Johor"),
        (Kind.DATE, "2024-04-03", INVOICE.text),
        (Kind.DATE, "2024-04-03", "3 April 2024 to 9 April 2024"),
        (Kind.DATE, "2024-04-03", "This agreement is made and entered into on 3 April 2024"),
        (Kind.AMOUNT, "241.57", "the sum that is left to be paid by the customer is 241.57"),
        (Kind.DURATION, "3 years", "The receiving party shall keep all of it for 3 years after that"),
        (Kind.NAME, None, None),
        (Kind.AMOUNT, 1, True),
    ],
)
def test_what_is_not_the_same_is_not(kind: Kind, wanted: Any, given: Any) -> None:
    assert not same(wanted, given, kind)


def everything_absent() -> Any:
    return {"number": None, "total": None, "lines": []}


def all_candidates() -> Any:
    """Give every word wherever several values may stand, and every row that could be one."""
    words = [word.text for word in INVOICE.words]
    rows = [{"name": name, "pieces": number, "amount": number} for name in words for number in NUMBERS]
    return {"places": words, "seller": INVOICE.text, "number": INVOICE.text, "lines": rows}


def random_printed(seed: int) -> Any:
    dice = random.Random(seed)
    text = [word.text for word in INVOICE.words]
    return {
        "number": dice.choice(text),
        "date": dice.choice(text),
        "seller": dice.choice(text),
        "buyer": dice.choice(text),
        "total": dice.choice(NUMBERS),
        "iban": dice.choice(text),
        "lines": [
            {"name": dice.choice(text), "pieces": dice.choice(NUMBERS), "amount": dice.choice(NUMBERS)}
            for _ in range(3)
        ],
    }


def copies_of_one_row() -> Any:
    return {"lines": [VALUES["lines"][0]] * 3}


def test_giving_nothing_scores_nothing() -> None:
    assert tally(everything_absent()).f1 == 0


def test_giving_all_candidates_loses_by_precision() -> None:
    labels = Labels({**VALUES, "places": ["Berlin", "Harbour"]})
    counts = tally(all_candidates(), labels)

    assert counts.precision < 0.05
    assert counts.f1 < 0.1


def test_printed_values_by_chance_lose_and_are_wrong_not_invented() -> None:
    counts = Tally()
    for seed in range(20):
        counts.add_document(compare(SCHEMA, LABELS, random_printed(seed), PRINTED))

    assert counts.f1 < 0.2
    assert counts.wrong > 0.7 * counts.given
    assert counts.absent_filled == 20


def test_copies_of_one_row_count_once() -> None:
    counts = tally(copies_of_one_row(), Labels({"lines": VALUES["lines"]}))

    assert (counts.right, counts.given, counts.wanted) == (3, 9, 9)
