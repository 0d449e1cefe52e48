"""Messages become requests only if every word of them was used; names that exist fill their slots."""

from __future__ import annotations

from evals.talk.expected import DOCUMENTS

from docagent.builtin_model.agent.examples import languages
from docagent.builtin_model.agent.known import Known
from docagent.builtin_model.agent.said import readings
from docagent.builtin_model.agent.understanding import READS, Understood, understand
from docagent.domain.models.llm import ProjectDocument
from tests.support.tables import table

KNOWN = Known(tuple(ProjectDocument(name, name, 1, text) for name, text in DOCUMENTS.items()))


def in_project(text: str) -> Understood:
    return understand(text, "project", KNOWN)


@table(
    ("text", "intent", "slots"),
    [
        ("add “- tea” to Recipes", "append", {"text": "- tea", "document": "Recipes"}),
        ("füge „- Tee“ zu Recipes hinzu", "append", {"text": "- Tee", "document": "Recipes"}),
        ("ajoute « - thé » à Recipes", "append", {"text": "- thé", "document": "Recipes"}),
        ("añade \"- té\" a Recipes", "append", {"text": "- té", "document": "Recipes"}),
        ("delete the meeting notes", "delete", {"document": "Meeting Notes"}),
        ("Lösche bitte das Dokument Budget", "delete", {"document": "Budget"}),
        ("renomme Budget en Finances", "rename", {"document": "Budget", "name": "Finances"}),
        ("rename meeting notes → Minutes", "rename", {"document": "Meeting Notes", "name": "Minutes"}),
        ("renombra Budget a Finanzas", "rename", {"document": "Budget", "name": "Finanzas"}),
        ("remove Dinner section from recipes", "remove_section", {"section": "Dinner", "document": "Recipes"}),
        ("rename the section Dinner of Recipes to Supper", "rename_section",
         {"section": "Dinner", "document": "Recipes", "name": "Supper"}),
        ("replace every “a” with “b” in Budget", "replace_every", {"value": "b", "document": "Budget", "text": "a"}),
        ("Please could you delete Budget for me, please?", "delete", {"document": "Budget"}),
        ("undo", "undo", {}),
        ("mach das rückgängig", "undo", {}),
        ("annule ça", "undo", {}),
        ("creat a documnet called Todo", "create", {"name": "Todo"}),
    ],
)  # fmt: skip
def test_a_request_is_recognised_and_its_slots_are_filled(
    text: str, intent: str, slots: dict[str, str]
) -> None:
    (wish,) = in_project(text).wishes
    assert (wish.intent, dict(wish.slots)) == (intent, slots)


@table(
    ("text", "unused"),
    [
        ("maybe delete Budget", ("maybe",)),
        ("delete Budget completely tomorrow", ("completely", "tomorrow")),
        ("don't delete the budget", ("don't",)),
        ("lösche vielleicht Budget", ("vielleicht",)),
    ],
)
def test_what_was_not_used_is_named_and_nothing_is_asked_for(text: str, unused: tuple[str, ...]) -> None:
    understood = in_project(text)
    assert understood.wishes == ()
    assert understood.guess is not None
    assert understood.guess.intent == "delete"
    assert understood.unused == unused


@table(
    ("text", "place", "intent", "slots"),
    [
        ("mach Dokument mit Name Turnier", "project", "create", {"name": "Turnier"}),
        ("hacer documento con nombre Horario", "project", "create", {"name": "Horario"}),
        ("faire un document qui s'appelle Voiture", "project", "create", {"name": "Voiture"}),
        ("Bitte füge noch ein Feld für die Fälligkeit hinzu.", "document", "add_fields", {"fields": "Fälligkeit"}),
        ("¿Puedes agregar un campo para la matrícula?", "document", "add_fields", {"fields": "matrícula"}),
        ("versieh das mit dem Schlagwort Steuer", "document", "tag", {"tag": "Steuer"}),
    ],
)  # fmt: skip
def test_a_new_name_is_not_the_rest_of_a_sentence(
    text: str, place: str, intent: str, slots: dict[str, str]
) -> None:
    (wish,) = understand(text, place, KNOWN if place == "project" else None).wishes
    assert (wish.intent, dict(wish.slots)) == (intent, slots)


@table(
    "text",
    [
        "make a document fresh with the title Budget2 named Plan",
        "crear documento vacío de nombre Ventas 2026",
    ],
)
def test_words_that_announce_a_name_are_no_part_of_it(text: str) -> None:
    """A document called “fresh with the title …” would be a change that nobody asked for."""
    assert all(
        "title" not in wish["name"] and "nombre" not in wish["name"] for wish in in_project(text).wishes
    )


@table(
    ("text", "intent"),
    [
        ("delete Budget because nobody reads it", "delete"),
        ("Rename Recipes to Food so that the kids understand it.", "rename"),
        ("benenne Recipes in Essen um, damit die Kinder es verstehen", "rename"),
        ("renomme Recipes en Cuisine pour que les enfants comprennent", "rename"),
        ("renombra Recipes a Cocina para que los niños lo entiendan", "rename"),
    ],
)
def test_why_something_is_wanted_is_no_part_of_it(text: str, intent: str) -> None:
    assert [wish.intent for wish in in_project(text).wishes] == [intent]


@table(
    "text",
    [
        "delete Budget because Recipes is better",
        "add milk because we have none to Recipes",
        "delete Budget so that you can rename it",
    ],
)
def test_a_reason_that_names_or_asks_for_something_is_not_passed_over(text: str) -> None:
    assert [wish.intent for wish in in_project(text).wishes if wish.intent != "append"] == []
    assert all(wish["document"] == "Recipes" for wish in in_project(text).wishes)


def test_the_words_of_another_language_end_a_name_too() -> None:
    first, second = understand("tag this as invoices and rename it to March.pdf", "document").wishes
    assert (first["tag"], second["name"]) == ("invoices", "March.pdf")


@table(
    "text",
    ["rename Budget to Cash", "Budget rename to Cash", "Budget in Cash umbenennen", "umbenennen Budget in Cash"],
)  # fmt: skip
def test_the_parts_of_a_request_may_come_in_any_order(text: str) -> None:
    (wish,) = in_project(text).wishes
    assert (wish.intent, wish["document"], wish["name"]) == ("rename", "Budget", "Cash")


def test_a_field_that_exists_may_begin_a_request() -> None:
    known = Known(fields=frozenset({"datum"}))
    (wish,) = understand("datum raus", "document", known).wishes
    assert (wish.intent, wish["fields"]) == ("remove_fields", "datum")
    assert understand("umsatz raus", "document", known).wishes == ()


def test_a_name_that_does_not_exist_is_no_text() -> None:
    """A text without quotes that names a document, or a section, is more likely a place."""
    assert in_project("add a section Insurance to Budget and to Travel Guide").wishes == ()
    assert in_project("place the Breakfast section after Dinner in Recipes").wishes == ()


def test_a_section_to_be_placed_is_no_text_to_add() -> None:
    assert not in_project("put Norway before Iceland in the travel guide").wishes


def test_requests_are_joined_and_a_verb_counts_for_what_follows() -> None:
    understood = in_project("rename Budget to Money and Recipes to Food, then delete Travel Guide")
    assert [wish.intent for wish in understood.wishes] == ["rename", "rename", "delete"]
    assert [wish["document"] for wish in understood.wishes] == ["Budget", "Recipes", "Travel Guide"]


@table("text", ["no thanks", "nein danke", "non merci", "no, gracias", "Nein, danke!"])
def test_a_polite_no_is_a_no(text: str) -> None:
    for place in ("document", "project"):
        assert [wish.intent for wish in understand(text, place).wishes] == ["no"]


def test_text_after_a_colon_and_in_quotes_is_kept_as_it_is() -> None:
    (wish,) = in_project("create a document called Log with:\n# Day one\n\n- delete Budget").wishes
    assert wish["text"] == "# Day one\n\n- delete Budget"
    (wish,) = in_project("add “don't delete Budget: never” to Recipes").wishes
    assert wish["text"] == "don't delete Budget: never"


def test_a_long_message_is_no_request() -> None:
    assert in_project("delete Budget " + "please " * 200).wishes == ()


def test_private_characters_are_ordinary_text() -> None:
    (wish,) = in_project("create a document called '\ue0000\ue001'").wishes
    assert wish["name"] == "\ue0000\ue001"


def test_the_tokens_of_a_message_stand_where_they_were_written() -> None:
    text = "Add « a “b” » to l'offre: done -> now"
    (said, plain) = readings(text)
    assert said.tokens[-1].text == "done -> now"
    assert all(text[one.start : one.end].strip() for one in plain.tokens)


def test_every_language_has_every_request() -> None:
    first, *others = languages()
    for place in ("document", "project"):
        intents = {one.intent for one in first.examples[place]} - {
            "set_up_as",
            "show_named_schema",
        }
        intents -= {"tag_alike", "remove_fields_from", "undo_document"}
        for language in others:
            assert intents <= {one.intent for one in language.examples[place]}


def test_every_example_is_understood_as_what_it_is_an_example_of() -> None:
    """Of those without slots: an example that leads elsewhere is a mistake in the data."""
    for language in languages():
        for place, examples in language.examples.items():
            for one in examples:
                if any(part.slot for part in one.elements) or one.intent == "do_for_others":
                    continue
                text = " ".join(sorted(part.words)[0] for part in one.elements if not part.optional)
                found = [wish.intent for wish in understand(text, place).wishes]
                assert found == [one.intent] or one.intent in READS, (place, text, found)
