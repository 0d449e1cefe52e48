"""What a new living document is called: the four steps, on messages as people write them."""

from __future__ import annotations

from hypothesis import given as generated
from hypothesis import strategies as st

from docagent.domain.projects.naming import document_name
from docagent.domain.projects.projects import checked_name
from tests.support.tables import table


@table(
    ("given", "name"),
    [
        ("Recipes", "Recipes"),
        ("  Training\n Plan ", "Training Plan"),
        ("'Recipes'", "Recipes"),
        ("New Document", "Document 4"),
        (" new  document ", "Document 4"),
    ],
)
def test_a_given_name_is_taken_but_for_the_one_that_says_nothing(given: str, name: str) -> None:
    assert document_name(given, "I'll create a document called 'Other'", "create a plan", 3) == name


@table(
    ("intent", "name"),
    [
        ("I'll create a new document called 'Recipes' in this project", "Recipes"),
        ("I'll create a new document called 'Recipes'", "Recipes"),
        ("I'll create a document called Training Plan", "Training Plan"),
        ("I'll create a document called Training Plan in this project.", "Training Plan"),
        ("I'll make a page named Bob's Recipes, with three sections", "Bob's Recipes"),
        ("I'll create a document titled “Data in Iceland”.", "Data in Iceland"),
        ("Create a Data Analysis page", "Data Analysis"),
        ("I'll create a document for hiking in Iceland", "hiking in Iceland"),
        ("I'll create a document for hiking in Iceland in this project.", "hiking in Iceland"),
        ("I'll create a travel guide for you", "Travel Guide"),
        ("I'll start a document 'Inventory' with the parts.", "Inventory"),
    ],
)
def test_else_the_intent_says_it(intent: str, name: str) -> None:
    assert document_name(None, intent, "do it", 3) == name


@table(
    ("message", "name"),
    [
        ("Add my favorite recipes", "Favorite Recipes"),
        ("create a travel guide", "Travel Guide"),
        ("Create a document called Training Plan", "Training Plan"),
        ("make a new document about Python", "Python"),
        ("please create a document about hiking in Iceland", "Hiking in Iceland"),
        ("Add a packing list to the project", "Packing List"),
        ("new page: API Guidelines", "Document 4"),
        ("create a new document", "Document 4"),
        ("create it", "Document 4"),
        ("???!!", "Document 4"),
        ("", "Document 4"),
        ("Make a training plan with twelve weeks", "Training Plan"),
        ("create an in-house brand analysis and a report", "In-house Brand Analysis"),
    ],
)
def test_else_the_message_or_a_number(message: str, name: str) -> None:
    assert document_name("", None, message, 3) == name


def test_an_intent_that_names_nothing_leaves_it_to_the_message() -> None:
    assert document_name(None, "I'll create a new document.", "create a travel guide", 0) == "Travel Guide"


@generated(st.text(max_size=60) | st.none(), st.text(max_size=400) | st.none(), st.text(max_size=400))
def test_whatever_is_written_the_name_can_be_stored(
    given: str | None, intent: str | None, message: str
) -> None:
    name = document_name(given, intent, f"create {message}", 0)
    assert checked_name(name) == name
