"""The table of messages: no question changes anything, whatever words it is asked in."""

from __future__ import annotations

import re

import pytest
from evals.suites.projects_talk import Came, Document, fault, figures
from evals.talk import aside, messages
from evals.talk.desk import Desk
from evals.talk.expected import DOCUMENTS, Create, Delete, Edit, Rename, Said, answer, change

from docagent.builtin_model.agent.known import Known
from docagent.builtin_model.agent.understanding import READS, understand
from docagent.domain.models.llm import ProjectDocument
from tests.support.tables import table

ALL = (*messages.MESSAGES, *aside.MESSAGES)
ORDERS = [
    re.sub(r"^(?:hey|please|pls|kindly)[, ]+", "", said.text, flags=re.I) for said in ALL if said.changes
]
_VERB = re.compile(r"(?:add|put|change|rename|delete|move|create|remove)\b[^:.]*", re.I)
PLAIN = [text.rstrip(".?!") for text in ORDERS if _VERB.fullmatch(text)]
"""Orders of one sentence, without text after a colon, which is kept as it is, question marks too."""
QUESTIONS = (
    *("how do I {0}?", "how can one {0}", "why did you {0}?", "What happens if I {0}", "did you {0}?"),
    *("should I {0}", "is it possible to {0}", "is there a way to {0}", "can I {0}?", "could we {0}"),
    *("do you think I should {0}", "would it help to {0}", "where do I {0}", "when did you {0}", "{0}?"),
    *(
        "who may {0}",
        "whats the best way to {0}",
        "any idea how to {0}",
        "maybe {0}",
        "don't {0}",
        "never {0}",
    ),
    *("I wonder whether to {0}", "what if you {0}", "tell me how to {0}", "have you ever tried to {0}"),
    *("I'm not sure if you should {0}", "perhaps {0}", "how about we {0}", "if I {0}, what is lost?"),
    *("how would you open Recipes and {0}", "what is in Budget, and how do I {0}"),
)
KNOWN = Known(tuple(ProjectDocument(name, name, 1, text) for name, text in DOCUMENTS.items()))


def is_harmless(text: str) -> bool:
    found = understand(text, "project", KNOWN).wishes
    return all(wish.intent in READS for wish in found)


def test_the_table_is_large_and_its_messages_differ() -> None:
    assert len(ALL) >= 80
    assert len({said.text.lower() for said in ALL}) == len(ALL)
    assert min(len(messages.MESSAGES), len(aside.MESSAGES)) >= 40


@table("said", [said for said in ALL if not said.changes and not said.asks_back])
def test_no_question_or_remark_of_the_table_is_taken_for_a_change(said: Said) -> None:
    assert is_harmless(said.text)


@pytest.mark.parametrize("step", [4, pytest.param(1, marks=pytest.mark.release)])
@table("number, question", enumerate(QUESTIONS))
def test_no_change_that_is_only_asked_about_is_made(step: int, number: int, question: str) -> None:
    """Every plain change of the table put as questions: in a quarter of the ways, and in all before a release."""
    for order in PLAIN[number % step :: step]:
        assert is_harmless(question.format(order)), question.format(order)


def test_there_are_orders_to_ask_about() -> None:
    assert len(PLAIN) > 40
    assert not any(
        is_harmless(order) for order in ("delete Recipes", "add 'x' to Recipes", "remove the Notes section")
    )


@table(
    "text",
    [
        *("add to to to " * 40, "move a before b in " * 25, "in Budget, " * 30 + "add x", "Budget: " * 50),
        *(
            "replace a with b in Budget " * 20,
            "add " + "x of y in Budget " * 25,
            "delete " + "Recipes and " * 40,
        ),
        *("change " + "from a to b " * 40, "create documents " + "a, " * 150, "rename " + "Budget to " * 50),
    ],
)
def test_strange_messages_come_to_an_end(text: str) -> None:
    assert understand(text, "project", KNOWN) is not None


def test_what_came_of_a_message_is_compared_with_what_it_asked_for() -> None:
    names = {name: name for name in DOCUMENTS}
    now = {name: Document(name, text, "") for name, text in DOCUMENTS.items()}
    assert fault(names, now, ()) == ""
    assert "was not deleted" in fault(names, now, (Delete("Budget"),))
    assert "was not created" in fault(names, now, (Create("New"),))
    assert "was not changed" in fault(names, now, (Edit("Budget", ("x",)),))
    renamed = {**now, "Budget": Document("Cash", DOCUMENTS["Budget"], "")}
    assert fault(names, renamed, (Rename("Budget", "Cash"),)) == ""
    assert "Cash" in fault(names, renamed, ())
    made = {**now, "new": Document("New", "text", "")}
    assert fault(names, made, (Create("new", "text"),)) == ""
    assert fault(names, made, ()) == "New was created"


def test_a_question_for_which_only_a_card_waits_counts_as_a_change() -> None:
    right = Came(change("x", Delete("Budget")), ["Delete"], batches=1)
    twice = Came(change("x", Delete("Budget")), ["Delete"], batches=2)
    wrong = Came(answer("x"), ["Delete"], batches=1)
    shares = figures([right, twice, wrong])
    assert (shares["changes_right"], shares["questions_that_changed"]) == (0.5, 1.0)


@table(
    ("text", "now"),
    [
        ("change norway to sweden in travel guide", "## Sweden"),
        ("change “Norway” to “sweden” in travel guide", "## sweden"),
    ],
)
def test_a_word_typed_without_capitals_is_written_as_the_document_writes_it(text: str, now: str) -> None:
    desk = Desk("project", "home")
    desk.say(text)
    assert now in desk.documents["Travel Guide"]
