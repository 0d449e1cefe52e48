"""The agent's page in a browser: a provider that says what a test tells it, and steps that the tests share."""

from __future__ import annotations

import asyncio
import json
import re
import secrets
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, overload

from playwright.sync_api import Browser, Locator, Page, expect

from docagent.adapters.llm.scripted import make_reply
from docagent.domain.models.llm import ModelReply
from tests.support.browser.chrome import browser_page
from tests.support.browser.web import add_sample, open_session, sign_in
from tests.support.models.provider import Raw, ScriptedProvider, Then, running_provider
from tests.support.models.wire_streams import chat_stream
from tests.support.polling import SECONDS
from tests.support.services.server import RunningServer, running_server

MODEL = "scripted/model"
SAMPLE = "Invoice"
"""How the name of the sample begins that `set_stage` adds."""
LOOKS_AGAIN_SECONDS = 0.02


@contextmanager
def provider_beside() -> Iterator[ScriptedProvider]:
    """Run the scripted provider in a thread of its own, because the browser is driven without an event loop."""
    ready: threading.Event = threading.Event()
    found: list[ScriptedProvider] = []
    loop = asyncio.new_event_loop()
    done = asyncio.Event()

    async def serve() -> None:
        async with running_provider() as provider:
            found.append(provider)
            ready.set()
            await done.wait()

    thread = threading.Thread(target=lambda: loop.run_until_complete(serve()), daemon=True)
    thread.start()
    assert ready.wait(20)
    try:
        yield found[0]
    finally:
        loop.call_soon_threadsafe(done.set)
        thread.join(20)
        loop.close()


def slowly(text: str, *, seconds: float, then: Then = Then.END) -> Raw:
    """Make a reply whose words arrive over so many seconds."""
    pieces = chat_stream(make_reply(text))
    pause = seconds / len(pieces)
    blocks: list[bytes | float] = []
    for piece in pieces if then is Then.END else pieces[: len(pieces) // 2]:
        blocks += [piece, pause]
    return Raw(blocks, then)


class Held(Sequence[bytes | float]):
    """The blocks of a reply that stops in the middle until a test lets it go on."""

    def __init__(self, pieces: Sequence[bytes]) -> None:
        self._pieces = pieces
        self._goes_on = threading.Event()

    def go_on(self) -> None:
        self._goes_on.set()

    def __iter__(self) -> Iterator[bytes | float]:
        middle = len(self._pieces) // 2
        yield from self._pieces[:middle]
        while not self._goes_on.is_set():
            yield LOOKS_AGAIN_SECONDS
        yield from self._pieces[middle:]

    def __len__(self) -> int:
        return len(self._pieces)

    @overload
    def __getitem__(self, place: int) -> bytes | float: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[bytes | float]: ...
    def __getitem__(self, place: int | slice) -> bytes | float | Sequence[bytes | float]:
        return self._pieces[place]


def held(reply: str | ModelReply) -> Held:
    """Make a reply to give to the provider as `Raw(held)`."""
    return Held(chat_stream(make_reply(reply) if isinstance(reply, str) else reply))


_SESSIONS: dict[RunningServer, str] = {}
"""To check a password takes long, on purpose."""


class Caller:
    """The API as whoever signs in calls it, beside the browser."""

    def __init__(self, server: RunningServer, token: str = "") -> None:
        """With the token of a session, or one of its own."""
        self._url = server.url
        self._email = server.email
        self._token = token
        if not token:
            self._token = _SESSIONS.get(server) or self._signed_in(server)
            _SESSIONS[server] = self._token

    def _signed_in(self, server: RunningServer) -> str:
        login = {"email": server.email, "password": server.password}
        return str(self.call("POST", "/v0/account/auth/login", login)["token"])

    def organization(self) -> str:
        """The id of the caller's only organisation."""
        path = f"/v0/account/organizations?member_search={self._email}"
        (organization,) = self.call("GET", path)["organizations"]
        return str(organization["id"])

    def call(self, method: str, path: str, body: Any = None) -> Any:
        request = urllib.request.Request(
            f"{self._url}{path}",
            data=None if body is None else json.dumps(body).encode(),
            method=method,
            headers={"Content-Type": "application/json", "Authorization": f"Bearer {self._token}"},
        )
        with urllib.request.urlopen(request, timeout=30) as answer:
            text = answer.read()
        return json.loads(text) if text else None

    def wait_for(self, condition: Callable[[], bool]) -> None:
        deadline = time.monotonic() + SECONDS
        while not condition():
            assert time.monotonic() < deadline
            time.sleep(0.1)


def as_newcomer(server: RunningServer) -> RunningServer:
    """The same server for somebody new, who has an organisation of their own with nothing in it."""
    email, password = f"{secrets.token_hex(6)}@example.com", "the password of a newcomer"
    account = {"email": email, "name": "Ada", "password": password}
    Caller(server).call("POST", "/v0/account/users", account)
    return replace(server, email=email, password=password)


def connect(server: RunningServer, provider: ScriptedProvider) -> None:
    """Let every organisation of the server choose the scripted provider's model."""
    added = {"name": "scripted", "base_url": provider.base_url, "models": ["model"], "token": "sk-test"}
    Caller(server).call("POST", "/v0/account/llm/providers", added)


def set_stage(server: RunningServer) -> None:
    """The organisation of whoever signs in has the sample, read by the built-in model, and then the scripted one."""
    caller = Caller(server)
    address = f"/v0/orgs/{caller.organization()}"
    caller.call("POST", f"{address}/samples/invoice")
    caller.wait_for(
        lambda: caller.call("GET", f"{address}/documents")["documents"][0]["state"] == "llm_completed"
    )
    caller.call("PUT", f"{address}/llm/default_model", {"model": MODEL})


def open_sample(page: Page, server: RunningServer, sample: str = "An invoice") -> None:
    """Sign in, add a sample document and open its page."""
    sign_in(page, server)
    name = {"An invoice": "Invoice 2041.pdf", "A contract": "Service agreement.pdf"}[sample]
    row, offer = page.get_by_role("row", name=name), page.get_by_role("button", name=sample)
    expect(row.or_(offer)).to_be_visible()
    if offer.count():
        add_sample(page, sample)
    done = re.compile("Summarised|Extracted|Needs review")
    expect(row.get_by_text(done).locator("visible=true")).to_be_visible()
    row.get_by_role("link", name=name).click()
    expect(page.get_by_role("tab", name="Agent")).to_be_visible()


def open_agent(page: Page) -> None:
    page.get_by_role("tab", name="Agent").click()
    expect(message_field(page)).to_be_visible()


def message_field(page: Page) -> Locator:
    return page.get_by_role("textbox", name="Message to the agent")


def say(page: Page, text: str) -> None:
    message_field(page).fill(text)
    page.keyboard.press("Enter")


def cards(page: Page) -> Locator:
    return page.get_by_role("group", name="Needs your approval")


def document_of(page: Page) -> str:
    return page.url.split("/documents/")[1].split("?")[0]


def log(page: Page) -> Locator:
    return page.get_by_role("log", name="Conversation")


@dataclass(frozen=True)
class Stage:
    """A server with a model that says what a test tells it."""

    server: RunningServer
    provider: ScriptedProvider


@contextmanager
def running_stage() -> Iterator[Stage]:
    with running_server() as server, provider_beside() as provider:
        connect(server, provider)
        yield Stage(server, provider)


@contextmanager
def new_conversation(browser: Browser, stage: Stage) -> Iterator[tuple[Page, list[str]]]:
    """The agent's tab of the sample in a page of its own, with nothing said yet and nothing left to be said."""
    with browser_page(browser) as (page, problems):
        caller = Caller(stage.server, open_session(page, stage.server))
        organization = caller.organization()
        (sample,) = caller.call("GET", f"/v0/orgs/{organization}/documents?name_search={SAMPLE}")["documents"]
        page.goto(f"{stage.server.url}/orgs/{organization}/documents/{sample['id']}?tab=agent&thread=new")
        stage.provider.forget()
        expect(page.get_by_role("list", name="Things to try")).to_be_visible()
        yield page, problems
