"""Turns inside this process: a model that stops where a test wants it to, and processes that come and go."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx2

from docagent.adapters.llm.builtin import BuiltinModel
from docagent.adapters.llm.scripted import Answer, ScriptedModel, make_reply
from docagent.bootstrap import Services, running_services
from docagent.domain.accounts.accounts import Member
from docagent.domain.models.llm import Model, ModelEvent, ModelRequest
from docagent.domain.models.providers import Connection, WireKind
from docagent.domain.turns.events import Event, TurnTerms
from docagent.domain.turns.turns import Subject, Turn, TurnRequest, TurnState
from docagent.services.documents.documents import NewDocument
from docagent.services.turns.deciding import Decision
from docagent.settings import Settings
from tests.support.made.documents import base64_of, pdf
from tests.support.polling import SECONDS
from tests.support.product import Product

KEYS = {"OPENAI_API_KEY": "sk-test"}
MODEL = "gpt-4o-mini"


class HeldModel:
    """Answers from a list. A call that is held reports that and waits until it is released or cancelled."""

    def __init__(self, answers: Iterable[Answer] = ()) -> None:
        self._model = ScriptedModel(list(answers))
        self.hold_from: int | None = None
        """The first call that is held, counted from 1."""
        self.reached = asyncio.Event()
        self.go_on = asyncio.Event()
        self.given_up = 0

    def reset(self) -> None:
        self._model = ScriptedModel([])
        self.hold_from = None
        self.reached.clear()
        self.go_on.clear()

    @property
    def requests(self) -> list[ModelRequest]:
        return self._model.requests

    def add(self, *answers: Answer) -> None:
        self._model.add(*answers)

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelEvent]:
        if self.hold_from is not None and len(self.requests) + 1 >= self.hold_from:
            self.reached.set()
            try:
                await self.go_on.wait()
            except asyncio.CancelledError:
                self.given_up += 1
                raise
        async for event in self._model.stream(request):
            yield event


@dataclass
class Bench:
    """One process: services over a database that outlives it, without HTTP or a worker."""

    services: Services
    member: Member
    document_id: str
    model: HeldModel

    async def start(
        self, strategy: str, text: str = "Go", *, auto_approve: bool = False, max_steps: int | None = None
    ) -> Turn:
        messages = [{"role": "user", "content": text}]
        terms = TurnTerms(auto_approve=auto_approve)
        new = TurnRequest(messages, terms, MODEL, strategy, max_steps)
        return await self.services.turns.starting.start(self.member, Subject.document(self.document_id), new)

    async def log(self, turn: Turn) -> list[Event]:
        return [
            recorded.event for recorded in await self.services.turns.watching.events(self.member, turn.id)
        ]

    async def kinds(self, turn: Turn) -> str:
        kinds = [event.type.value for event in await self.log(turn)]
        return " ".join(kind for kind in kinds if kind != "usage")

    async def state(self, turn: Turn) -> TurnState:
        return (await self.services.turns.watching.get(self.member, turn.id)).state

    async def settle(self, turn: Turn) -> TurnState:
        """Wait until the turn pauses or ends."""
        async with asyncio.timeout(SECONDS):
            settled, _ = await self.services.turns.watching.settled(self.member, turn)
        return settled.state

    async def held(self) -> None:
        async with asyncio.timeout(SECONDS):
            await self.model.reached.wait()

    async def do(self, turn: Turn, act: Mapping[str, Any]) -> None:
        deciding = self.services.turns.deciding
        if "answer" in act:
            await deciding.answer(self.member, turn.id, act["answer"])
        elif "plan" in act:
            await deciding.decide_plan(self.member, turn.id, approved=act["plan"], steps=act.get("steps"))
        else:
            call_id = act.get("approve") or act["reject"]
            await deciding.decide(self.member, turn.id, [Decision(call_id, "approve" in act)])


@dataclass
class House:
    """A database that is used by one process after another."""

    settings: Settings
    member: Member | None = None
    document_id: str = ""
    benches: list[Bench] = field(default_factory=list)

    @asynccontextmanager
    async def process(self, answers: Iterable[Answer] = ()) -> AsyncIterator[Bench]:
        model, built_in = HeldModel(answers), BuiltinModel()

        def open_model(connection: Connection) -> Model:
            return built_in if connection.kind is WireKind.BUILT_IN else model

        async with running_services(self.settings, KEYS, open_model) as services:
            if self.member is None:
                await self._move_in(services)
            assert self.member is not None
            yield Bench(services, self.member, self.document_id, model)

    async def _move_in(self, services: Services) -> None:
        async with httpx2.AsyncClient() as client:
            tenant = await Product(self.settings, services, client, "").new_tenant()
        self.member = tenant.member
        uploaded = await services.documents.upload(
            self.member, [NewDocument("invoice.pdf", base64_of(pdf(["Invoice 4711"])))]
        )
        self.document_id = uploaded[0].document.id


def said(text: str) -> Answer:
    return make_reply(text)
