"""Captions and their values are found by their places, whatever their words."""

from __future__ import annotations

from docagent.builtin_model import fill
from docagent.builtin_model.page.pairs import find_headed, find_pairs
from docagent.builtin_model.page.sheet import sheet_of
from tests.unit.layout.made_pages import PageMaker


def pairs(page: PageMaker) -> dict[str, str]:
    return {one.caption: one.value for one in find_pairs(sheet_of([page.page()]))}


def test_captions_and_values_take_turns_in_a_row() -> None:
    page = PageMaker()
    page.row(60, {60: "Zorn", 160: "R7FB58", 300: "Vlep", 400: "12:47"})
    page.row(74, {60: "Quim", 160: "Sjoerd Hoogen", 300: "Aank", 400: "16:11"})
    assert pairs(page) == {"Zorn": "R7FB58", "Vlep": "12:47", "Quim": "Sjoerd Hoogen", "Aank": "16:11"}


def test_words_beside_words_are_a_pair_only_in_line_with_others() -> None:
    page = PageMaker().row(60, {60: "Quim", 160: "Sjoerd Hoogen"})
    assert pairs(page) == {}


def test_captions_stand_above_their_values_in_numbered_boxes() -> None:
    page = PageMaker()
    page.row(60, {60: "1 Zorn", 300: "2 Vlep"})
    page.row(72, {60: "527225 90966", 300: "Beatrix Oduya"})
    page.row(90, {60: "3 Quim"})
    page.row(102, {60: "4 October 2024"})
    assert pairs(page) == {"Zorn": "527225 90966", "Vlep": "Beatrix Oduya", "Quim": "4 October 2024"}


def test_rows_of_a_table_are_no_pairs_and_its_sum_is_one() -> None:
    page = PageMaker()
    page.row(60, {60: "Zorn", 300: "Vlep"})
    page.row(74, {60: "Salario", 300: "2.262,31"})
    page.row(88, {60: "Horas", 300: "306,85"})
    page.row(102, {60: "Devengado", 300: "2.569,16"})
    assert pairs(page) == {"Devengado": "2.569,16"}
    (table,) = find_headed(sheet_of([page.page()]))
    assert [head.text for head in table.heads] == ["Zorn", "Vlep"]
    assert [[cell.text for cell in row] for row in table.body] == [
        ["Salario", "2.262,31"],
        ["Horas", "306,85"],
    ]


def test_letterheads_and_sentences_are_no_pairs() -> None:
    page = PageMaker()
    page.row(40, {60: "Fermin Castell", 300: "Camino Viejo 120"})
    page.row(60, {60: "Please pay within 14 days of the date of this letter, or write to us at PO Box 12"})
    assert pairs(page) == {}


def test_a_field_is_filled_from_the_caption_that_says_its_name() -> None:
    page = PageMaker()
    page.row(60, {60: "Zorn", 160: "DY 1520 928 67", 300: "Vlep", 400: "12:47"})
    page.row(74, {60: "Cost Centre", 160: "165-47", 300: "Quim", 400: "05"})
    text = {"type": "string"}
    asked = {"zorn": text, "vlep": text, "costCentre": text, "quim": text}
    assert fill([page.page()], {"type": "object", "properties": asked}) == {
        "zorn": "DY 1520 928 67",
        "vlep": "12:47",
        "costCentre": "165-47",
        "quim": "05",
    }


def test_a_firm_is_what_its_name_says() -> None:
    page = PageMaker().row(40, {60: "Montelume Hotel LLP"}).row(60, {60: "Room", 300: "545"})
    asked = {"hotel": {"type": "string"}}
    assert fill([page.page()], {"type": "object", "properties": asked}) == {"hotel": "Montelume Hotel LLP"}


def test_a_firm_is_not_called_by_a_word_that_any_field_has() -> None:
    page = PageMaker().row(60, {60: "Name The Tessaro Group, LLC", 300: "Address Frome BA11 5HH"})
    asked = {"registrant_name": {"type": "string"}}
    assert fill([page.page()], {"type": "object", "properties": asked}) == {"registrant_name": None}


def test_who_orders_sends_the_order() -> None:
    page = PageMaker()
    page.row(40, {60: "Novaretti GmbH"}).row(54, {60: "Hauptstr. 1"}).row(68, {60: "12345 Berlin"})
    page.row(110, {60: "Halcyra Ltd"}).row(124, {60: "5 Mill Lane"}).row(138, {60: "Frome BA11 5HH"})
    page.write(60, 180, "Purchase order", size=16).row(220, {60: "Order no: 4711", 300: "Date: 05.03.2024"})
    asked = {"buyer": {"type": "string"}, "supplier": {"type": "string"}}
    assert fill([page.page()], {"type": "object", "properties": asked}) == {
        "buyer": "Novaretti GmbH",
        "supplier": "Halcyra Ltd",
    }


def asked_for(*names: str, **described: str) -> dict[str, object]:
    told = {name: {"type": ["string", "null"]} for name in names}
    said = {name: {"type": ["string", "null"], "description": text} for name, text in described.items()}
    return {"type": "object", "properties": {**told, **said}}


def test_a_caption_in_another_language_is_found_by_what_it_means() -> None:
    page = PageMaker()
    page.row(60, {60: "Mediador", 160: "Íñigo Castellví", 300: "N.º de póliza", 400: "DY 1520 928 67"})
    page.row(74, {60: "Franquicia", 160: "250,00 EUR", 300: "Siniestro", 400: "12-4471"})
    filled = fill([page.page()], asked_for("broker", "policy_number", "claim", "laboratory"))
    assert filled == {
        "broker": "Íñigo Castellví",
        "policy_number": "DY 1520 928 67",
        "claim": "12-4471",
        "laboratory": None,
    }


def test_one_caption_names_the_field_that_it_means_most() -> None:
    page = PageMaker()
    page.row(60, {60: "Klasse:", 160: "5c", 300: "Schuljahr:", 400: "2024/25"})
    page.row(74, {60: "Klassenlehrer:", 160: "Falk Harmsdorf", 300: "Schulleitung:", 400: "Eberhard Dressen"})
    filled = fill([page.page()], asked_for("class", "class_teacher", "head_teacher", "school_nurse"))
    assert filled == {
        "class": "5c",
        "class_teacher": "Falk Harmsdorf",
        "head_teacher": "Eberhard Dressen",
        "school_nurse": None,
    }


def letter() -> PageMaker:
    page = PageMaker()
    page.row(40, {60: "Laboratory report"}, size=16)
    page.row(62, {60: "Orbitec Biology plc", 300: "Thea Moss"})
    page.row(76, {60: "104 Larkfield Road", 300: "10 Quarry Hill"})
    page.row(90, {60: "Stroud GL5 3AR", 300: "Frome BA11 5HH"})
    return page.row(104, {60: "Tel. 01632 433701"})


def test_sender_and_recipient_are_known_by_their_places() -> None:
    page = letter().row(140, {60: "Sample no.", 160: "76/JW/0503", 300: "Result", 400: "163"})
    filled = fill([page.page()], asked_for("laboratory", "patient", "sample_number"))
    assert filled == {
        "laboratory": "Orbitec Biology plc",
        "patient": "Thea Moss",
        "sample_number": "76/JW/0503",
    }


def test_a_paper_that_does_not_speak_of_patients_has_none() -> None:
    page = letter().row(140, {60: "Delivery no.", 160: "76/JW/0503"})
    assert fill([page.page()], asked_for("patient", "remark"))["patient"] is None
