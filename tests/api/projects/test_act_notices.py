"""What others hear of an `act`: one notice on the bus for each, and spans under the contract's names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import pytest

from docagent.domain.deliveries.notices import AgentActionCompleted, Notice
from docagent.domain.telemetry import AttributeValue, Span
from docagent.services.telemetry import TelemetryService
from tests.support.act import ActDesk, chat_of, decided
from tests.support.agent import Desk, Json
from tests.support.models.provider import Refusal
from tests.support.polling import true_soon

BUDGET = "# Budget\n\n## Rent\n\nOne thousand, every month.\n\n## Food\n\nThree hundred, every month.\n"
WITHOUT_FOOD = "# Budget\n\n## Rent\n\nOne thousand, every month.\n"


@dataclass
class Ear:
    """Hears the notices of the bus, and takes the spans that are made of them."""

    notices: list[AgentActionCompleted] = field(default_factory=list)
    traces: list[Span] = field(default_factory=list)

    async def hear(self, notice: Notice) -> None:
        if isinstance(notice, AgentActionCompleted):
            self.notices.append(notice)

    def trace(self, span: Span) -> None:
        self.traces.append(span)

    def count(self, name: str, amount: int, attributes: Mapping[str, AttributeValue]) -> None:
        del name, amount, attributes

    async def close(self) -> None: ...


@pytest.fixture
async def act(scripted_desk: Desk) -> ActDesk:
    return await ActDesk.at(scripted_desk)


@pytest.fixture
async def ear(act: ActDesk) -> Ear:
    ear = Ear()
    bus = act.project.services.bus
    bus.subscribe(ear.hear)
    TelemetryService(act.project.services.db, ear, content=False).listen(bus)
    return ear


async def heard(ear: Ear, act: ActDesk, count: int) -> list[AgentActionCompleted]:
    def mine() -> list[AgentActionCompleted]:
        return [one for one in ear.notices if one.project_id == act.project_id]

    await true_soon(lambda: len(mine()) >= count)
    return mine()


async def test_every_act_is_told_once_with_what_it_did(act: ActDesk, ear: Ear) -> None:
    document = await act.project.add("Budget", BUDGET)
    told = 0

    async def one(acted: Json, **expected: Any) -> None:
        nonlocal told
        told += 1
        notice = (await heard(ear, act, told))[-1]
        assert notice.chat_id == chat_of(acted)
        assert notice.user_id == act.project.tenant.user_id
        assert notice.action_type == "agent_action"
        assert notice.success is True
        expected_flags = {name: name in expected["flags"] for name in notice.metadata}
        assert notice.metadata == expected_flags
        assert notice.document_id == expected["document_id"]

    answered = await act.act("hi", decided(conversational_response="Hello!"))
    await one(answered, flags=(), document_id=None)
    created = await act.act("New", decided(should_create=True, document_name="New"))
    await one(created, flags=("should_create", "document_created"), document_id=created["document"]["id"])
    edit = decided(should_edit=True, document_id=document["id"])
    edited = await act.act("Add", edit, BUDGET + "\nMore\n")
    await one(edited, flags=("should_edit", "document_updated"), document_id=document["id"])
    waiting = await act.act("Remove food", edit, WITHOUT_FOOD)
    await one(waiting, flags=("should_edit", "pending_confirmation"), document_id=document["id"])
    done = await act.act("yes", chat_id=chat_of(waiting))
    await one(done, flags=("should_edit", "document_updated"), document_id=document["id"])
    asked = await act.act("Add", decided(should_edit=True, document_name="Nothing"))
    await one(asked, flags=("needs_clarification",), document_id=None)
    assert len(await heard(ear, act, told)) == told
    assert "One thousand" not in str([asdict(notice) for notice in ear.notices])


async def test_an_act_that_failed_is_told_as_one(act: ActDesk, ear: Ear) -> None:
    failed = await act.send("hi", Refusal(401, {"error": {"message": "bad key"}}))
    assert failed.status_code == 502
    (notice,) = await heard(ear, act, 1)
    assert (notice.success, notice.outcome) == (False, "failed")


async def test_the_spans_have_the_names_of_the_contract(act: ActDesk, ear: Ear) -> None:
    document = await act.project.add("Budget", BUDGET)
    edit = decided(should_edit=True, document_id=document["id"])
    first = await act.act("Add", edit, BUDGET + "\nMore\n")
    await act.act("hi", decided(reasoning="A question."), "Hello!", chat_id=chat_of(first))
    await act.act("New", decided(should_create=True, document_name="New"), chat_id=chat_of(first))
    await true_soon(
        lambda: len([one for one in ear.traces if one.attributes.get("project.id") == act.project_id]) == 3
    )
    mine = [one for one in ear.traces if one.attributes.get("project.id") == act.project_id]
    assert [names(span) for span in mine] == [
        chat_spans(
            "agent.create_chat",
            "agent.get_project_documents",
            "agent.get_document",
            REWRITE,
            "agent.update_document",
        ),
        chat_spans("agent.get_chat", ("llm.generate_conversational_response", ["llm.api_call"])),
        chat_spans("agent.get_chat", "agent.get_project_documents", "agent.create_document"),
    ]
    assert mine[0].attributes["chat.id"] == chat_of(first)
    assert mine[0].attributes["user.id"] == act.project.tenant.user_id
    assert mine[0].attributes["message.length"] == len("Add")
    assert mine[0].children[2].attributes["decision.document_updated"] is True
    assert mine[1].children[2].attributes["decision.should_edit"] is False


REWRITE = ("llm.rewrite_document_content", ["llm.api_call"])


def chat_spans(chat: str, *inside: Any) -> Any:
    decision = ("llm.get_agent_decision", ["llm.api_call"])
    return (
        "agent.process_agent_action_with_chat",
        [
            chat,
            "agent.store_user_message",
            ("agent.process_agent_action", ["agent.get_project", decision, *inside]),
            "agent.store_agent_message",
        ],
    )


def names(span: Span) -> Any:
    return (span.name, [names(child) for child in span.children]) if span.children else span.name
