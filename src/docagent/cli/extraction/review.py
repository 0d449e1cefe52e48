"""Goes through the results that a person should look at."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import orjson
import typer

from docagent.cli.extraction.asked_prompt import prompt_named
from docagent.cli.on_server import on_server
from docagent.cli.options import AsJson
from docagent.cli.output import ExitCode, complain, show_rows
from docagent.cli.turns.keyboard import Interrupted, Keyboard
from docagent.client import AsyncClient, BadRequest, Conflict
from docagent.client.models import Assignment, Doubt
from docagent.domain.errors import CannotStart
from docagent.domain.field_path import leaves
from docagent.domain.shown import visible

KEYS = "[a]ccept  [r]eject  [s]kip  [u]ndo  [q]uit  or path = value: "


@on_server
async def review(
    client: AsyncClient,
    prompt: Annotated[
        str | None, typer.Argument(help="Name or id of the prompt; without it the queues are listed.")
    ] = None,
    as_json: AsJson = False,
) -> ExitCode:
    """Go through the results that a person should look at, or list how many wait.

    Each document is shown with its doubtful values. `total = 99.50` changes one. The exit code of the list is 3 if
    something waits.
    """
    if prompt is None or as_json:
        return await _list(client, prompt, as_json=as_json)
    if not sys.stdin.isatty():
        raise CannotStart(
            "Reviewing needs a terminal. Run it in one, or review in the web client; "
            "`docagent review --json` lists what waits for programs."
        )
    prompt_id = (await prompt_named(client, prompt)).prompt_id
    with Keyboard() as keyboard:
        return await _go_through(client, prompt_id, keyboard)


async def _list(client: AsyncClient, wanted: str | None, *, as_json: bool) -> ExitCode:
    queues = await client.review.queues()
    if wanted is not None:
        prompt_id = (await prompt_named(client, wanted)).prompt_id
        queues = [queue for queue in queues if queue.prompt_id == prompt_id]
    rows = ((queue.waiting, queue.taken, queue.mode, queue.name) for queue in queues)
    show_rows(list(queues), ("waiting", "taken", "people look at", "prompt"), rows, as_json=as_json)
    return ExitCode.DOUBTFUL if any(queue.waiting for queue in queues) else ExitCode.DONE


async def _go_through(client: AsyncClient, prompt_id: str, keyboard: Keyboard) -> ExitCode:
    skipped: set[str] = set()
    while True:
        assignment = await client.review.next(prompt_id)
        if assignment is None or assignment.document_id in skipped:
            typer.echo("Nothing waits that is free." if assignment is None else "The rest was skipped.")
            return ExitCode.DONE
        try:
            verdict = await _one(client, prompt_id, assignment, keyboard)
        except Interrupted:
            verdict = "q"
        if verdict in "qs":
            await client.review.release(prompt_id, assignment.document_id)
            skipped.add(assignment.document_id)
        if verdict == "q":
            return ExitCode.DONE


async def _one(client: AsyncClient, prompt_id: str, assignment: Assignment, keyboard: Keyboard) -> str:
    """Show a document and do what is typed about it, until it is decided or left."""
    while True:
        _show(assignment)
        said = await keyboard.fresh_line(KEYS)
        typed = "q" if said is None else said.strip()
        try:
            if typed in ("q", "s"):
                return typed
            if typed == "a":
                await client.review.accept(prompt_id, assignment.result)
                return typed
            if typed == "r":
                await client.review.reject(prompt_id, assignment.result)
                return typed
            if typed == "u":
                assignment = await client.review.undo(prompt_id, assignment.result)
            elif "=" in typed:
                path, _, value = (part.strip() for part in typed.partition("="))
                result = assignment.result
                await client.results.edit(result.document_id, result.prompt_revid, path, _value(value))
                assignment = await client.review.keep(prompt_id, assignment.document_id)
        except (BadRequest, Conflict) as error:
            complain(error.detail)
            assignment = await client.review.keep(prompt_id, assignment.document_id)


def _value(typed: str) -> Any:
    """JSON where it is JSON, else text."""
    try:
        return orjson.loads(typed)
    except orjson.JSONDecodeError:
        return typed


def _show(assignment: Assignment) -> None:
    typer.secho(f"\n{visible(assignment.document_name)} ({assignment.waiting} waiting)", bold=True)
    doubts = {doubt.path: doubt for doubt in assignment.doubts}
    for path, value in leaves(assignment.result.updated_llm_result):
        if value is None or isinstance(value, dict | list):
            continue
        doubt = doubts.pop(str(path), None)
        line = visible(f"  {path} = {value}{_why(doubt)}")
        typer.secho(line, fg="yellow" if doubt is not None else None)
    for place, doubt in doubts.items():
        typer.secho(visible(f"  {place or 'the whole'}{_why(doubt)}"), fg="yellow")


def _why(doubt: Doubt | None) -> str:
    if doubt is None:
        return ""
    reasons = [
        f"{doubt.confidence:.0%} sure",
        doubt.match if doubt.match == "unproven" else "",
        doubt.problem,
    ]
    return f"   ({', '.join(reason for reason in reasons if reason)})"
