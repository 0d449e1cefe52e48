"""`docagent.client` against a real server: the whole way from a file to checked data, and the agent on the way."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import httpx2
import pytest

from docagent.adapters.llm.scripted import make_reply
from docagent.client import AsyncClient, BadRequest, Client, Conflict, NotFound, SignInNeeded
from docagent.client.events import (
    ApprovalRequested,
    AssistantMessage,
    Completed,
    Delta,
    InputRequested,
    Item,
    Stopped,
    ToolFinished,
)
from docagent.domain.ids import new_id
from docagent.domain.models.llm import ToolCall
from tests.clients.test_scripted_provider import choose_provider
from tests.clients.workspace import Workspace, new_workspace
from tests.support.made.documents import pdf
from tests.support.models.provider import Raw, Then, running_provider
from tests.support.services.server import RunningServer

PAGE = Path(__file__).parents[2] / "docs" / "clients.md"
LINES = ["ACME Ltd", "Invoice", "Invoice number: 4711", "Invoice date: 2024-05-17", "Total: 99.50 EUR"]
FIELDS = {
    "type": "object",
    "properties": {"invoice_number": {"type": "string"}, "total_amount": {"type": "number"}},
    "required": ["invoice_number", "total_amount"],
    "additionalProperties": False,
}


@pytest.fixture(scope="module")
def workspace(server: RunningServer) -> Workspace:
    return new_workspace(server.url)


@pytest.fixture
def client(workspace: Workspace) -> Iterator[Client]:
    with Client(workspace.base_url, workspace.org_token) as opened:
        yield opened


@pytest.fixture(scope="module")
def document_id(workspace: Workspace) -> str:
    with Client(workspace.base_url, workspace.org_token) as client:
        uploaded = client.documents.upload(pdf(LINES), name="invoice.pdf", auto_create=False)
        client.documents.wait(uploaded.document_id)
        return uploaded.document_id


def test_from_a_file_to_checked_data(client: Client) -> None:
    tag = client.tags.create("Bills", color="#224466")
    uploaded = client.documents.upload(
        pdf(LINES), name="bill.pdf", tag_ids=[tag.id], metadata={"from": "mail"}
    )
    document = client.documents.wait(uploaded.document_id)
    assert (document.document_name, document.tag_ids, document.metadata) == (
        "bill.pdf",
        [tag.id],
        {"from": "mail"},
    )
    assert "Invoice number: 4711" in client.documents.text(document.id, page=1)
    assert "4711" in [word[0] for line in client.documents.words(document.id).pages[0].lines for word in line]
    assert client.documents.download(document.id).startswith(b"%PDF")

    schema = client.schemas.create("Bill", FIELDS)
    assert client.schemas.validate(schema.schema_revid, {"invoice_number": 5}).valid is False
    prompt = client.prompts.create("Bills", "Read the bill.", schema=schema, tag_ids=[tag.id])
    assert [found.name for found in client.prompts.list(document_id=document.id).prompts] == ["Bills"]

    result = client.results.run(document.id, prompt.prompt_revid)
    assert result.llm_result == {"invoice_number": "4711", "total_amount": 99.5}
    edited = client.results.edit(document.id, prompt.prompt_revid, "total_amount", 99.6)
    assert edited.updated_llm_result["total_amount"] == 99.6
    checked = client.results.verify(document.id, prompt.prompt_revid, "total_amount")
    assert checked.verified_paths == ["total_amount"]
    assert [found.prompt_id for found in client.results.list(document.id)].count(prompt.prompt_id) == 1

    sheet = client.sheets.get(prompt.prompt_id)
    assert [cell.value for row in sheet.rows for cell in row.cells] == ["4711", 99.6]
    assert b"4711" in client.sheets.export(prompt.prompt_id, format="jsonl")
    assert client.search("4711")[0].name

    client.documents.update(document.id, name="bill of May.pdf")
    assert [found.document_name for found in client.documents.all(tag_ids=[tag.id])] == ["bill of May.pdf"]
    client.documents.delete(document.id)
    with pytest.raises(NotFound):
        client.documents.get(document.id)


def test_a_pile_is_run_and_reviewed(client: Client) -> None:
    tag = client.tags.create("Pile")
    names = ["one.pdf", "two.pdf"]
    pile = [client.documents.upload(pdf([*LINES, name]), name=name, tag_ids=[tag.id]) for name in names]
    for document in pile:
        client.documents.wait(document.document_id)
    prompt = client.prompts.create("Pile", "Read the bill.", schema=client.schemas.create("Pile", FIELDS))
    assert client.runs.estimate(prompt.prompt_id, tag_id=tag.id).documents == 2
    begun = client.runs.start(prompt.prompt_id, tag_id=tag.id)
    ended = client.runs.wait(prompt.prompt_id, begun.id)
    assert (ended.state, ended.done, ended.failed) == ("done", 2, 0)

    assert client.review.set_policy(prompt.prompt_id, "everything").waiting == 2
    first = client.review.next(prompt.prompt_id)
    assert first is not None
    accepted = client.review.accept(prompt.prompt_id, first.result)
    assert accepted.is_verified
    second = client.review.next(prompt.prompt_id)
    assert second is not None
    assert second.document_id != first.document_id
    client.review.reject(prompt.prompt_id, second.result)
    assert client.review.next(prompt.prompt_id) is None
    assert client.accuracy.estimate(prompt.prompt_id).documents == 1
    measured = client.accuracy.wait(client.accuracy.start(prompt.prompt_id).id).run
    assert (measured.state, measured.score.f1) == ("done", 1.0)
    draft = client.accuracy.wait(client.accuracy.start(prompt.prompt_id, content="Read all of it.").id).run
    assert client.accuracy.compare(measured.id, draft.id).values_total == 0
    assert client.accuracy.errors(draft.id).errors == []
    assert [run.id for run in client.accuracy.list(prompt.prompt_id).runs] == [draft.id, measured.id]
    assert client.accuracy.stop(draft.id).state == "done"
    assert client.review.straight_through(prompt.prompt_id).values is None
    assert client.review.decide_straight_through(prompt.prompt_id, precision=0.95).precision == 0.95
    again = client.review.undo(prompt.prompt_id, accepted)
    assert (again.document_id, again.result.is_verified) == (first.document_id, False)
    with pytest.raises(Conflict):
        client.review.accept(prompt.prompt_id, accepted)


def test_a_living_document_is_changed_from_what_was_seen(client: Client) -> None:
    project = client.projects.create("Audit", standing_instruction="Be brief.")
    first = client.projects.documents.create(project.id, "Findings", "# Findings\n\nNone.\n")
    change = client.projects.documents.update(
        project.id, first.id, content="# Findings\n\nOne.\n", base_version=first.version
    )
    assert change.version == first.version + 1
    with pytest.raises(Conflict) as refused:
        client.projects.documents.update(
            project.id, first.id, content="# Findings\n\nTwo.\n", base_version=first.version
        )
    assert refused.value.body["merge"]
    assert client.projects.documents.get(project.id, first.id, version=1).content.endswith("None.\n")


def test_a_change_is_approved_while_the_events_are_read(client: Client, document_id: str) -> None:
    turn = client.agent.ask("Create a schema for this invoice", document_id=document_id)
    items: list[Item] = []
    for item in turn:
        items.append(item)
        if isinstance(item, ApprovalRequested):
            for call in item.calls:
                turn.approve(call, arguments={**json.loads(call.arguments), "name": "Renamed"})
    assert isinstance(items[-1], Completed)
    finished = [item for item in items if isinstance(item, ToolFinished) and item.name == "create_schema"]
    assert json.loads(finished[0].content)["name"] == "Renamed"
    assert any(isinstance(item, Delta) for item in items)
    assert turn.undo(finished[0].call_id)
    assert client.schemas.list(name="Renamed").total_count == 0


async def test_what_waits_can_be_taken_up_elsewhere(workspace: Workspace, document_id: str) -> None:
    async with AsyncClient(workspace.base_url, workspace.org_token) as client:
        thread_id = await client.agent.new_thread(document_id=document_id)
        begun = await client.agent.ask(
            "Create a schema for this invoice", document_id=document_id, thread_id=thread_id
        )
        waits = await begun.settle()
        assert isinstance(waits, ApprovalRequested)
        assert begun.id in [item.turn_id for item in (await client.agent.waiting()).approvals]

        elsewhere = await client.agent.turn(begun.id)
        asked = await elsewhere.settle()
        assert isinstance(asked, ApprovalRequested)
        await elsewhere.reject(asked.calls[-1], "Not now")
        assert isinstance(await elsewhere.settle(), Completed)
        again = await client.agent.turn(begun.id)
        assert isinstance(await again.settle(), Completed), "an old request does not wait any more"
        thread = await client.agent.thread(thread_id, document_id=document_id)
        assert [turn.state for turn in thread.turns] == ["completed"]


async def test_questions_are_answered_and_a_turn_is_steered_and_stopped(server: RunningServer) -> None:
    workspace = await asyncio.to_thread(new_workspace, server.url)
    async with (
        running_provider() as provider,
        AsyncClient(workspace.base_url, workspace.org_token) as client,
    ):
        uploaded = await client.documents.upload(pdf(LINES), name="invoice.pdf", auto_create=False)
        await client.documents.wait(uploaded.document_id)
        await asyncio.to_thread(choose_provider, workspace, f"made-{new_id()}", provider.base_url)
        question = ToolCall("1", "request_input", '{"question": "Which currency?"}')
        provider.add(make_reply(tool_calls=[question]), "In euros, then.")
        turn = await client.agent.ask("What is the total?", document_id=uploaded.document_id)
        asked = await turn.settle()
        assert isinstance(asked, InputRequested)
        assert asked.question == "Which currency?"
        await turn.answer("Euros")
        assert await turn.settle() == Completed("In euros, then.", 2)

        provider.add(Raw([b'data: {"choices":[{"index":0,"delta":{"content":"Let me"}}]}\n\n'], Then.HANG))
        turn = await client.agent.ask("And the tax?", document_id=uploaded.document_id)
        async for item in turn:
            if isinstance(item, Delta):
                await turn.steer("Hurry.")
                await turn.stop()
        assert isinstance(item, Stopped)
        assert item.text == "Let me"
        with pytest.raises(Conflict):
            await turn.answer("Nothing was asked.")


class Breaking(httpx2.AsyncHTTPTransport):
    """Breaks every stream of events after a few lines, until it has broken some."""

    def __init__(self, times: int) -> None:
        super().__init__()
        self.broken = 0
        self._times = times

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        response = await super().handle_async_request(request)
        if request.url.path.endswith("/events") and self.broken < self._times:
            self.broken += 1
            return httpx2.Response(response.status_code, headers=response.headers, stream=_Cut(response))
        return response


class _Cut(httpx2.AsyncByteStream):
    def __init__(self, response: httpx2.Response) -> None:
        self._response = response

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for piece in self._response.stream:  # type: ignore[union-attr]  # it was asked for asynchronously
            first, end, _ = piece.partition(b"\n\n")
            yield first + end
            raise httpx2.ReadError("cut by the test")

    async def aclose(self) -> None:
        await self._response.aclose()


async def test_a_broken_stream_goes_on_where_it_broke_off(workspace: Workspace, document_id: str) -> None:
    breaking = Breaking(2)
    async with AsyncClient(workspace.base_url, workspace.org_token, transport=breaking) as client:
        turn = await client.agent.ask("What is the invoice number?", document_id=document_id)
        seen = [item async for item in turn if not isinstance(item, Delta)]
        assert breaking.broken == 2
        whole = [item async for item in await client.agent.turn(turn.id)]
        assert seen == whole
        assert len([item for item in whole if isinstance(item, AssistantMessage)]) >= 1


def test_the_example_of_the_page_runs(
    workspace: Workspace, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    examples = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    example = next(one for one in examples if "client.agent.ask" in one)
    (tmp_path / "invoice.pdf").write_bytes(pdf(LINES))
    monkeypatch.chdir(tmp_path)
    for shown, real in (("http://127.0.0.1:8000", workspace.base_url), ("org_...", workspace.org_token)):
        assert shown in example
        example = example.replace(shown, real)
    exec(compile(example, str(PAGE), "exec"), {})
    assert "Created the schema" in capsys.readouterr().out


def test_a_refusal_says_what_is_wrong(workspace: Workspace, client: Client, document_id: str) -> None:
    with (
        Client(workspace.base_url, "org_unknown") as stranger,
        pytest.raises(SignInNeeded, match="Invalid token"),
    ):
        stranger.documents.list()
    with pytest.raises(BadRequest, match=r"query\.limit") as refused:
        client.documents.list(limit=-1)
    assert (refused.value.status, bool(refused.value.request_id)) == (422, True)
    turn = client.agent.ask("What is the invoice number?", document_id=document_id)
    assert isinstance(turn.settle(), Completed)
    with pytest.raises(BadRequest, match="Turn expired or not found"):
        turn.approve("call_9")
    with pytest.raises(ValueError, match="document_id or a project_id"):
        client.agent.ask("Hello")


def test_a_tool_of_another_server_is_offered_and_switched_off(client: Client) -> None:
    assert client.mcp_servers.list().commands == ["side"]
    made = client.mcp_servers.create("weather", command="side")
    assert client.mcp_servers.get(made.id) == made
    assert client.mcp_servers.tools(made.id).tools == []
    tool = client.mcp_servers.tools(made.id, refresh=True).tools[0]
    assert (tool.state, tool.name.partition("/")[0]) == ("off", "weather")
    with pytest.raises(Conflict):
        client.mcp_servers.confirm(made.id, tool.id, "0" * 64)
    offered = client.mcp_servers.confirm(made.id, tool.id, tool.digest, read_only=True)
    assert (offered.state, offered.read_only) == ("offered", True)
    assert client.mcp_servers.tools(made.id).tools[0] == offered
    assert client.mcp_servers.switch_off(made.id, tool.id).state == "off"
    assert not client.mcp_servers.update(made.id, enabled=False).enabled
    client.mcp_servers.delete(made.id)
    assert client.mcp_servers.list().servers == []
