"""Talks with the agent about a document or a project."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer

from docagent.cli.documents.placing import UNREADABLE, digest, place, until_read
from docagent.cli.launching import run
from docagent.cli.options import AsJson, Data, Organization, Token, Url
from docagent.cli.output import ExitCode, is_watched, note, show_rows
from docagent.cli.reaching import Where, reached
from docagent.cli.turns.chat_screen import JsonScreen, Screen, TextScreen
from docagent.cli.turns.chatting import Conversation, Subject, Terms
from docagent.cli.turns.keyboard import Interrupted, Keyboard
from docagent.client import AsyncClient, AsyncTurn, BadRequest, NotFound
from docagent.domain import errors

UNFINISHED = ("running", "awaiting_approval", "awaiting_input")


def chat(
    about: Annotated[
        str, typer.Argument(help="A file, or the id of a document, or the id or name of a project.")
    ],
    message: Annotated[
        str | None,
        typer.Argument(help="One message; without it a conversation begins, or - reads it from the input."),
    ] = None,
    thread: Annotated[str | None, typer.Option(help="Continue this conversation.")] = None,
    threads: Annotated[bool, typer.Option("--threads", help="List the conversations about it.")] = False,
    model: Annotated[str | None, typer.Option(help="The model; else the organisation's default.")] = None,
    strategy: Annotated[
        str | None, typer.Option(help="How the loop runs; else as the settings have it.")
    ] = None,
    allow: Annotated[
        list[str] | None, typer.Option(help="A tool that runs without asking; may be repeated.")
    ] = None,
    url: Url = None,
    token: Token = None,
    org: Organization = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Talk with the agent about a file, a document or a project.

    What the agent wants to change is shown as a diff and waits for a key. Ctrl-C stops the agent, a second Ctrl-C
    leaves; Ctrl-D ends the conversation. A turn that runs or waits is taken up again. With --json every event is a
    line. Without a terminal nothing is asked: a turn that needs a person is left waiting, and the exit code is 3.

    \b
      docagent chat contract.pdf
      docagent chat contract.pdf "When does it end?"
      docagent chat Handbook "Add what the contract says about notice" --allow edit_document
    """
    terms = Terms(model, strategy, allow or ())
    where = Where(url, token, org, data)
    if threads:
        run(_list_threads(where, about, as_json=as_json))
        return
    if message == "-" or (message is None and not sys.stdin.isatty()):
        message = sys.stdin.read()
    run(_chat(where, about, message, thread, terms, as_json=as_json))


async def _list_threads(where: Where, about: str, *, as_json: bool) -> None:
    async with reached(where) as client:
        subject = await _subject(client, about)
        found = await client.agent.threads(**subject.named)
    rows = ((one.id, f"{one.updated_at:%Y-%m-%d %H:%M}", one.title) for one in found)
    show_rows(found, ("thread", "last used", "title"), rows, as_json=as_json)


async def _chat(
    where: Where, about: str, message: str | None, thread: str | None, terms: Terms, *, as_json: bool
) -> ExitCode:
    interactive = sys.stdin.isatty() and not as_json
    async with reached(where) as client:
        subject = await _subject(client, about)
        thread_id, unfinished = await _thread(client, subject, thread)
        with Keyboard() if interactive else nullcontext() as keyboard:
            screen = _screen(as_json=as_json, repeats_message=unfinished is not None)
            conversation = Conversation(client, subject, thread_id, terms, screen, keyboard)
            with conversation.heeding_interrupts():
                code = await conversation.follow(unfinished) if unfinished is not None else ExitCode.DONE
                if message is not None and code is not ExitCode.DOUBTFUL:
                    return await conversation.ask(message)
                if keyboard is not None:
                    note(f"About {subject.name}. Ctrl-D ends the conversation.")
                    return await _converse(conversation, keyboard)
            return code


async def _converse(conversation: Conversation, keyboard: Keyboard) -> ExitCode:
    while True:
        try:
            said = await keyboard.line("\n> ")
        except Interrupted:
            return ExitCode.INTERRUPTED
        if said is None:
            return ExitCode.DONE
        if said.strip():
            await conversation.ask(said)


def _screen(*, as_json: bool, repeats_message: bool) -> Screen:
    if as_json:
        return JsonScreen()
    return TextScreen(streams=sys.stdout.isatty(), watched=is_watched(), repeats_message=repeats_message)


async def _thread(client: AsyncClient, subject: Subject, wanted: str | None) -> tuple[str, AsyncTurn | None]:
    """The conversation, and its turn that runs or waits: of the one that is wanted, else of the one last used, else a
    new one."""
    known = await client.agent.threads(**subject.named, limit=1) if wanted is None else []
    thread_id = wanted or (known[0].id if known else None)
    if thread_id is not None:
        loaded = await client.agent.thread(thread_id, **subject.named)
        turn = loaded.turns[-1] if loaded.turns else None
        if turn is not None and turn.state in UNFINISHED:
            return thread_id, await client.agent.turn(turn.id)
        if wanted is not None:
            return thread_id, None
    return await client.agent.new_thread(**subject.named), None


async def _subject(client: AsyncClient, about: str) -> Subject:
    file = _file(about)
    if file is not None:
        document_id, is_new = await place(client, file, await digest(file))
        if is_new:
            note(f"Reading {file}")
        document = await until_read(client, document_id)
        if document.state == UNREADABLE:
            raise errors.InvalidInput(document.state_reason or f"{file} cannot be read.")
        return Subject("document", document_id, document.document_name)
    try:
        return Subject("document", about, (await client.documents.get(about)).document_name)
    except (NotFound, BadRequest):
        for project in (await client.projects.list(search=about)).projects:
            if about.casefold() == project.name.casefold():
                return Subject("project", project.id, project.name)
    try:
        return Subject("project", about, (await client.projects.get(about)).name)
    except (NotFound, BadRequest):
        raise errors.NotFound(f"There is no file, document or project {about}.") from None


def _file(about: str) -> Path | None:
    return Path(about) if Path(about).is_file() else None
