"""Sessions at a terminal: the agent's cards, questions and replies, stopping and coming back, and the review queue."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from typer.testing import CliRunner

from docagent.adapters.llm.scripted import make_reply
from docagent.cli.main import app
from docagent.client import Client
from docagent.domain.ids import new_id
from docagent.domain.models.llm import ToolCall
from tests.clients.test_scripted_provider import choose_provider
from tests.clients.workspace import Workspace, new_workspace
from tests.support.browser.terminal import END_OF_INPUT, INTERRUPT, terminal
from tests.support.made.documents import pdf
from tests.support.models.provider import Raw, Then, running_provider
from tests.support.services.server import RunningServer

LINES = ["ACME Ltd", "Invoice", "Invoice number: 4711", "Invoice date: 2024-05-17", "Total: 99.50 EUR"]
KEYS = "[O] everywhere: "
FIELDS = {
    "type": "object",
    "properties": {"invoice_number": {"type": "string"}, "total": {"type": "number"}},
    "required": ["invoice_number", "total"],
    "additionalProperties": False,
}


@pytest.fixture
def workspace(server: RunningServer) -> Workspace:
    return new_workspace(server.url)


@pytest.fixture
def invoice(tmp_path: Path) -> Path:
    file = tmp_path / "invoice.pdf"
    file.write_bytes(pdf(LINES))
    return file


def environment(workspace: Workspace, **more: str) -> dict[str, str]:
    return {"DOCAGENT_URL": workspace.base_url, "DOCAGENT_TOKEN": workspace.org_token, **more}


def schema_names(workspace: Workspace) -> dict[str, list[str]]:
    """The fields of every schema, by its name."""
    with Client(workspace.base_url, workspace.org_token) as client:
        return {
            schema.name: list(schema.response_format["json_schema"]["schema"]["properties"])
            for schema in client.schemas.list(limit=100).schemas
        }


def test_a_file_is_talked_about_and_cards_are_approved_edited_and_rejected(
    workspace: Workspace, invoice: Path, tmp_path: Path
) -> None:
    editor = tmp_path / "editor.sh"
    editor.write_text('#!/bin/sh\nsed -i s/payee/creditor/g "$1"\n')
    editor.chmod(0o700)
    with terminal("chat", invoice, environment=environment(workspace, EDITOR=str(editor))) as screen:
        screen.until("\n> ")
        screen.type("create a schema called Bill with the fields number and total\n")
        card = screen.until(KEYS)
        assert "Create schema “Bill” with 2 fields" in card
        assert "+ number: " in card
        screen.type("a\n")
        assert "Created the schema “Bill”" in screen.until("\n> ")

        screen.type("create a schema called Payment with the fields payee and total\n")
        screen.until(KEYS)
        screen.type("e\n")
        screen.until("\n> ")

        screen.type("create a schema called Unwanted with the fields number and total\n")
        screen.until(KEYS)
        screen.type("r\n")
        screen.until("agent will see it): ")
        screen.type("Not now\n")
        screen.until("\n> ")
        screen.type(END_OF_INPUT)
        assert screen.exit_code() == 0
    assert schema_names(workspace) == {"Bill": ["number", "total"], "Payment": ["creditor", "total"]}


def test_a_turn_that_waits_is_taken_up_again(workspace: Workspace, invoice: Path) -> None:
    asked = ["chat", str(invoice), "create a schema called Later with the fields number and total"]
    piped = CliRunner().invoke(app, asked, env=environment(workspace))
    assert piped.exit_code == 3, piped.output
    assert "Create schema “Later” with 2 fields" in piped.stderr
    assert "The turn waits for you." in piped.stderr
    listed = CliRunner().invoke(app, ["chat", str(invoice), "--threads"], env=environment(workspace))
    (thread_id,) = (line.split("\t")[0] for line in listed.stdout.splitlines())
    assert f"--thread {thread_id}" in piped.stderr

    with terminal("chat", invoice, environment=environment(workspace)) as screen:
        told = screen.until(KEYS)
        assert "> create a schema called Later" in told
        screen.type("A\n")
        screen.until("Created the schema “Later”")
        screen.until("\n> ")
        screen.type("create a schema called Allowed with the fields number and total\n")
        screen.until("Created the schema “Allowed”")
        screen.until("\n> ")
        screen.type(END_OF_INPUT)
        assert screen.exit_code() == 0
    assert set(schema_names(workspace)) == {"Later", "Allowed"}


async def test_questions_are_answered_and_ctrl_c_stops_the_turn_first(
    workspace: Workspace, invoice: Path
) -> None:
    with Client(workspace.base_url, workspace.org_token) as client:
        uploaded = client.documents.upload(invoice, auto_create=False)
        client.documents.wait(uploaded.document_id)
    async with running_provider() as provider:
        await asyncio.to_thread(choose_provider, workspace, f"made-{new_id()}", provider.base_url)
        question = ToolCall(
            "1", "request_input", '{"question": "Which currency?", "choices": ["EUR", "USD"]}'
        )
        hangs = Raw([b'data: {"choices":[{"index":0,"delta":{"content":"Let me"}}]}\n\n'], Then.HANG)
        provider.add(make_reply(tool_calls=[question]), "In dollars, then.", hangs, hangs)

        def session() -> None:
            with terminal("chat", uploaded.document_id, environment=environment(workspace)) as screen:
                screen.until("\n> ")
                screen.type("What is the total?\n")
                screen.until("2. USD")
                screen.until("> ")
                screen.type("2\n")
                screen.until("In dollars, then.")
                screen.until("\n> ")
                screen.type("And the tax?\n")
                screen.until("Let me")
                screen.type(INTERRUPT)
                screen.until("Stopped.")
                screen.until("\n> ")
                screen.type(INTERRUPT)
                assert screen.exit_code() == 130

        await asyncio.to_thread(session)
        assert "USD" in str(provider.requests[1].body)

        def left_alone() -> str:
            asked = ("chat", uploaded.document_id, "Once more?")
            with terminal(*asked, environment=environment(workspace)) as screen:
                screen.until("Let me")
            with Client(workspace.base_url, workspace.org_token) as client:
                thread = client.agent.threads(document_id=uploaded.document_id)[0]
                return client.agent.thread(thread.id, document_id=uploaded.document_id).turns[-1].id

        turn_id = await asyncio.to_thread(left_alone)

        def comes_back() -> None:
            with terminal("chat", uploaded.document_id, environment=environment(workspace)) as screen:
                screen.until("Let me")
                screen.type(INTERRUPT)
                screen.until("Stopped.")
                screen.until("\n> ")
                screen.type(END_OF_INPUT)
                assert screen.exit_code() == 0
            with Client(workspace.base_url, workspace.org_token) as client:
                assert client.agent.turn(turn_id).state().state == "stopped"

        await asyncio.to_thread(comes_back)
        assert len(provider.requests) == 4


def test_the_answer_alone_goes_through_a_pipe(workspace: Workspace, invoice: Path) -> None:
    done = CliRunner().invoke(
        app, ["chat", str(invoice), "-"], input="What is the total?", env=environment(workspace)
    )
    assert done.exit_code == 0, done.output
    assert "99.50" in done.stdout
    assert done.stderr == ""
    nothing = CliRunner().invoke(app, ["chat", "no such thing", "Hello"], env=environment(workspace))
    assert nothing.stderr == "There is no file, document or project no such thing.\n"
    assert nothing.exit_code == 1


def test_results_are_reviewed(workspace: Workspace, tmp_path: Path) -> None:
    with Client(workspace.base_url, workspace.org_token) as client:
        prompt = client.prompts.create("Bills", "Read it.", schema=client.schemas.create("Bill", FIELDS))
        for number in (1, 2, 3):
            uploaded = client.documents.upload(pdf([*LINES, str(number)]), name=f"{number}.pdf")
            client.documents.wait(uploaded.document_id)
            client.results.run(uploaded.document_id, prompt.prompt_revid)
        client.review.set_policy(prompt.prompt_id, "everything")
    listed = CliRunner().invoke(app, ["review"], env=environment(workspace))
    assert listed.exit_code == 3
    assert "3\t0\teverything\tBills" in listed.stdout.splitlines()

    with terminal("review", "bills", environment=environment(workspace)) as screen:
        assert "invoice_number = 4711" in screen.until("path = value: ")
        screen.type("total = 77.5\n")
        assert "total = 77.5" in screen.until("path = value: ")
        screen.type("= 1\n")
        assert "The path is empty" in screen.until("path = value: ")
        screen.type("u\n")
        assert "total = 99.5" in screen.until("path = value: ")
        screen.type("a\n")
        assert "(2 waiting)" in screen.until("path = value: ")
        screen.type("r\n")
        assert "(1 waiting)" in screen.until("path = value: ")
        screen.type("s\n")
        screen.until("The rest was skipped.")
        assert screen.exit_code() == 0
    with Client(workspace.base_url, workspace.org_token) as client:
        (queue,) = (queue for queue in client.review.queues() if queue.name == "Bills")
        assert (queue.waiting, queue.taken) == (1, 0)
    refused = CliRunner().invoke(app, ["review", "bills"], env=environment(workspace))
    assert refused.exit_code == 2
    assert "needs a terminal" in refused.stderr
