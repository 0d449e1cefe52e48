"""The agent over real HTTP: a product that listens on loopback, and providers that say what a test tells them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import httpx2
import sqlalchemy as sa
import uvicorn

from docagent.adapters.llm.builtin import BuiltinModel
from docagent.adapters.llm.factory import ProviderKind, make_model
from docagent.adapters.llm.scripted import make_reply
from docagent.adapters.llm.transport import ModelTransport
from docagent.api.app import create_app
from docagent.bootstrap import Services
from docagent.cli.server.serving import listen
from docagent.domain.accounts.accounts import Membership, Role
from docagent.domain.clock import now
from docagent.domain.ids import new_id
from docagent.domain.jobs import JobState
from docagent.domain.models.llm import Model, ModelEvent, ModelReply, ModelRequest, TextDelta, ToolCall
from docagent.domain.models.providers import Connection, WireKind
from docagent.domain.turns.events import Event
from docagent.domain.turns.turns import Subject, Turn, TurnState
from docagent.settings import Settings
from docagent.store.tables import jobs, turns
from tests.conftest import running_product
from tests.support.accounts import new_person
from tests.support.made.documents import base64_of, pdf
from tests.support.models.provider import Answer, ScriptedProvider, running_provider
from tests.support.org_api import OrgApi
from tests.support.polling import SECONDS, true_soon, until
from tests.support.product import Product, Tenant

OPENAI = "gpt-4o-mini"
ANTHROPIC = "claude-sonnet-4-6"
KEYS = {"OPENAI_API_KEY": "sk-test", "ANTHROPIC_API_KEY": "sk-ant-test"}
LINES = ["Invoice 4711", "Vendor: Acme Ltd", "Total: 99.50 EUR"]

Json = dict[str, Any]


def say(text: str, *calls: ToolCall, thinking: str = "", signature: str | None = None) -> ModelReply:
    """Make a reply with words, and calls after them."""
    return make_reply(text, tool_calls=calls, thinking=thinking, signature=signature)


def calls(*calls: ToolCall) -> ModelReply:
    return make_reply(tool_calls=calls)


def call(id: str, name: str, /, **arguments: Any) -> ToolCall:
    return ToolCall(id, name, json.dumps(arguments))


def yes(call_id: str, **more: Any) -> Json:
    return {"call_id": call_id, "approved": True, **more}


def no(call_id: str, reason: str | None = None) -> Json:
    return {"call_id": call_id, "approved": False} | ({"reason": reason} if reason else {})


@dataclass
class Gate:
    """Holds a streamed reply after its first words, or the first pieces of its calls, until the gate is opened."""

    after: int
    of: type[ModelEvent] = TextDelta
    opened: asyncio.Event = field(default_factory=asyncio.Event)
    reached: asyncio.Event = field(default_factory=asyncio.Event)
    loses_a_cancellation: bool = False
    """Who is cancelled while they wait here goes on, as with a library that loses a cancellation."""


class GatedModel:
    """A model behind the studio's gate, if there is one."""

    def __init__(self, model: Model, studio: Studio) -> None:
        self._model = model
        self._studio = studio

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelEvent]:
        gate, words = self._studio.gate, 0
        async for event in self._model.stream(request):
            yield event
            words += gate is not None and isinstance(event, gate.of)
            if gate is not None and words == gate.after:
                gate.reached.set()
                try:
                    await gate.opened.wait()
                except asyncio.CancelledError:
                    if not gate.loses_a_cancellation:
                        raise


@dataclass
class Studio:
    """A running product, and the provider that serves all its models."""

    provider: ScriptedProvider
    product: Product = field(init=False)
    gate: Gate | None = None

    def reset(self) -> None:
        """Forget what was asked and what was still to be said."""
        self.provider.requests.clear()
        self.provider.forget()
        self.provider.left_early.clear()
        self.provider.hold = self.gate = None

    async def at_rest(self) -> None:
        """Wait for what a test left running, which would take the answers of the next, and forget the test."""
        if self.gate is not None:
            self.gate.opened.set()
        if self.provider.hold is not None:
            self.provider.hold.set()
        services = self.product.services

        async def nothing_runs() -> bool:
            async with services.db.write() as tx:
                await tx.across(sa.delete(jobs).where(jobs.c.state == JobState.QUEUED, jobs.c.run_at > now()))
                left = await tx.across(
                    sa.select(jobs.c.id).where(jobs.c.state.in_([JobState.QUEUED, JobState.RUNNING])).limit(1)
                )
                if left.first() is not None or services.turn_runner.running:
                    return False
                gone = (
                    turns.c.state == TurnState.RUNNING
                )  # their process is: somebody would continue them later
                await tx.across(sa.update(turns).where(gone).values(state=TurnState.FAILED))
                return True

        await until(nothing_runs)
        self.reset()

    def hold_reply(self, after: int = 1, of: type[ModelEvent] = TextDelta) -> Gate:
        """Stop the next reply after this many pieces of text, or of another kind."""
        self.gate = Gate(after, of)
        return self.gate

    async def new_desk(self) -> Desk:
        """Make an organisation with a document, without waiting for the document to be read."""
        tenant = await self.product.new_tenant()
        api = OrgApi(self.product.client, tenant.organization_id, tenant.headers)
        document = {"name": "invoice 4711.pdf", "content": base64_of(pdf(LINES)), "metadata": {"case": "A-1"}}
        uploaded = await api.post("/documents", {"documents": [document]})
        return Desk(self, tenant, api, uploaded["documents"][0]["document_id"])


@dataclass(frozen=True)
class Desk:
    """A person, a document, and the chat about it."""

    studio: Studio
    tenant: Tenant
    api: OrgApi
    document_id: str

    @property
    def path(self) -> str:
        return f"/documents/{self.document_id}/chat"

    @property
    def provider(self) -> ScriptedProvider:
        return self.studio.provider

    @property
    def services(self) -> Services:
        return self.studio.product.services

    def script(self, *answers: Answer) -> None:
        self.provider.add(*answers)

    def as_member(self, headers: dict[str, str]) -> Desk:
        """Return the same desk as another member sees it."""
        return replace(self, api=replace(self.api, headers=headers))

    # --- talking ----------------------------------------------------------------------------------------------

    async def chat(self, text: str, *answers: Answer, **options: Any) -> Json:
        """Say something, let the provider answer as given, and return the body. The status must be 200."""
        self.script(*answers)
        return await self.posted(self.path, message(text, **options))

    async def approve(
        self, turn: Json, *verdicts: Json, answers: Sequence[Answer] = (), **options: Any
    ) -> Json:
        self.script(*answers)
        return await self.posted(f"{self.path}/approve", decision(turn, *verdicts, **options))

    async def posted(self, path: str, body: Json) -> Json:
        found: Json = await self.api.post(path, body)
        return found

    async def stream(self, text: str, *answers: Answer, **options: Any) -> list[Json]:
        """Say something and read the answer as a stream, to its end."""
        self.script(*answers)
        return await self.streamed(self.path, message(text, stream=True, **options))

    async def streamed(self, path: str, body: Json) -> list[Json]:
        response = await self.api.call("POST", path, json=body)
        assert response.status_code == 200, response.text
        return data_of(response.text)

    async def begin(self, text: str, *answers: Answer, **options: Any) -> str:
        """Start a turn in the background and return its id."""
        self.script(*answers)
        response = await self.api.call("POST", self.path, json=message(text, background=True, **options))
        assert response.status_code == 202, response.text
        turn_id: str = response.json()["turn"]
        return turn_id

    # --- looking ----------------------------------------------------------------------------------------------

    async def events(self, turn_id: str, after: int = 0) -> list[Json]:
        found: list[Json] = (await self.api.get(f"/turns/{turn_id}/events", after=after))["events"]
        return found

    async def kinds(self, turn_id: str) -> list[str]:
        return [event["type"] for event in await self.events(turn_id)]

    async def until(self, turn_id: str, *states: str) -> Json:
        """Wait until the turn is in one of these states."""
        async with asyncio.timeout(SECONDS):
            while True:
                turn: Json = await self.api.get(f"/turns/{turn_id}")
                if turn["state"] in states:
                    return turn
                await asyncio.sleep(0.01)

    async def until_event(self, turn_id: str, kind: str) -> Json:
        async with asyncio.timeout(SECONDS):
            while True:
                for event in await self.events(turn_id):
                    if event["type"] == kind:
                        return event
                await asyncio.sleep(0.01)

    @asynccontextmanager
    async def watching(
        self,
        turn_id: str,
        headers: Mapping[str, str] | None = None,
        client: httpx2.AsyncClient | None = None,
        *,
        with_calls: bool = False,
    ) -> AsyncIterator[AsyncIterator[Json]]:
        """Yield the live events of a turn. Durable events have their number under `id`."""
        url = f"/v0/orgs/{self.tenant.organization_id}/turns/{turn_id}/events"
        given = {**self.api.headers, "Accept": "text/event-stream", **(headers or {})}
        async with (client or self.api.client).stream(
            "GET", url, headers=given, params={"calls": with_calls}
        ) as response:
            assert response.status_code == 200, await response.aread()
            yield blocks(response)

    async def tags(self) -> list[str]:
        return sorted(tag["name"] for tag in (await self.api.get("/tags", limit=100))["tags"])

    def asked(self, number: int = -1) -> Json:
        """Return a request that the provider was sent."""
        body: Json = self.provider.requests[number].body
        return body

    def told(self, number: int = -1) -> list[Json]:
        """Return the results that the provider was sent in OpenAI's form, each as `{call_id, ...content}`."""
        return [
            {"call_id": item["tool_call_id"], **json.loads(item["content"])}
            for item in self.asked(number)["messages"]
            if item["role"] == "tool"
        ]

    def system(self, number: int = -1) -> str:
        first = self.asked(number)["messages"][0]
        assert first["role"] == "system"
        text: str = first["content"]
        return text


@dataclass(frozen=True)
class ProjectDesk(Desk):
    """A person, a project, and the chat about it."""

    project_id: str = ""

    @property
    def path(self) -> str:
        return f"/projects/{self.project_id}/chat"

    @classmethod
    async def at(cls, desk: Desk, **project: Any) -> ProjectDesk:
        """Make a new project in the desk's organisation."""
        made = await desk.api.post("/projects", {"name": f"Project {new_id()}", **project})
        return cls(desk.studio, desk.tenant, desk.api, desk.document_id, made["id"])

    async def add(self, name: str, content: str = "", **more: Any) -> Json:
        found: Json = await self.api.post(
            f"/projects/{self.project_id}/documents", {"name": name, "content": content, **more}
        )
        return found

    async def read(self, document: Json) -> Json:
        found: Json = await self.api.get(f"/projects/{self.project_id}/documents/{document['id']}")
        return found

    async def documents(self) -> list[Json]:
        found: list[Json] = (await self.api.get(f"/projects/{self.project_id}/documents"))["documents"]
        return found


def message(text: str, **options: Any) -> Json:
    return {"messages": [{"role": "user", "content": text}], "model": OPENAI, **options}


def decision(turn: Json, *verdicts: Json, **options: Any) -> Json:
    return {"turn_id": turn["turn_id"], "approvals": list(verdicts), **options}


def data_of(text: str) -> list[Json]:
    """Return the events of a whole stream, which may hold only data lines, blank lines and comments."""
    lines = text.split("\n")
    assert all(line == "" or line.startswith(("data: ", ": ")) for line in lines), text
    assert text.endswith("\n\n")
    return [json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: ")]


async def blocks(response: httpx2.Response) -> AsyncIterator[Json]:
    """Yield events one by one as they come. A comment is `{"type": ":"}`."""
    number: int | None = None
    async for line in response.aiter_lines():
        if line.startswith(": "):
            yield {"type": ":"}
        elif line.startswith("id: "):
            number = int(line.removeprefix("id: "))
        elif line.startswith("data: "):
            yield {"id": number, **json.loads(line.removeprefix("data: "))}
            number = None
        else:
            assert line == "", line


def kinds_of(events: Sequence[Json]) -> list[str]:
    return [event["type"] for event in events]


def text_of(events: Sequence[Json], kind: str = "assistant_text_chunk") -> str:
    return "".join(event["chunk"] for event in events if event["type"] == kind)


@asynccontextmanager
async def running_studio(settings: Settings) -> AsyncIterator[Studio]:
    """Run a product in which one scripted provider serves all of OpenAI's and Anthropic's models."""
    built_in = BuiltinModel()
    async with running_provider() as provider, ModelTransport() as transport:
        studio = Studio(provider)

        def open_model(connection: Connection) -> Model:
            if connection.kind is WireKind.BUILT_IN:
                return built_in
            kind = ProviderKind(connection.kind.value)
            model = make_model(kind, transport, base_url=provider.base_url, api_key="sk-test")
            return GatedModel(model, studio)

        async with (
            running_product(settings, KEYS, open_model) as product,
            served(product, product.services) as client,
        ):
            studio.product = replace(product, client=client)
            yield studio


@asynccontextmanager
async def served(product: Product, services: Services) -> AsyncIterator[httpx2.AsyncClient]:
    """Serve the application on a real socket, and yield a client for it."""
    config = uvicorn.Config(
        create_app(product.settings, services),
        lifespan="off",
        http="httptools",
        log_config=None,
        access_log=False,
        timeout_graceful_shutdown=1,
        ws_ping_timeout=SECONDS,
    )
    server = uvicorn.Server(config)
    with listen("127.0.0.1", 0) as listener:
        serving = asyncio.create_task(server.serve(sockets=[listener]))
        try:
            await true_soon(lambda: server.started)
            address = f"http://127.0.0.1:{listener.getsockname()[1]}"
            async with httpx2.AsyncClient(base_url=address, timeout=SECONDS) as client:
                yield client
        finally:
            server.should_exit = True
            await serving


async def add_member(desk: Desk, role: Role = Role.USER) -> Desk:
    """Return the same desk as a colleague sees it."""
    product = desk.studio.product
    person = await new_person(product)
    organization = desk.tenant.organization_id
    members = [Membership(desk.tenant.user_id, Role.ADMIN), Membership(person.id, role)]
    await product.services.organizations.update(
        product.admin, organization, name=None, type=None, members=members, flags={}, ocr_config=None
    )
    return desk.as_member(person.headers)


def running_turn(tenant: Tenant, document_id: str, events: Sequence[Event], user_id: str = "") -> Turn:
    """A turn about a document in the middle of its run, with so many events in its log."""
    moment = now()
    return Turn(
        id=new_id(),
        organization_id=tenant.organization_id,
        user_id=user_id or tenant.user_id,
        subject=Subject.document(document_id),
        thread_id=None,
        position=1,
        state=TurnState.RUNNING,
        model=OPENAI,
        strategy="tools",
        last_seq=len(events),
        created_at=moment,
        updated_at=moment,
    )
