"""Uploads files to a server, and tells what becomes of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from docagent.cli.documents.placing import tag_named
from docagent.cli.on_server import on_server
from docagent.cli.options import AsJson, AutoCreate, Tags
from docagent.cli.output import ExitCode, complain, print_json, say
from docagent.client import AsyncClient, BadRequest
from docagent.client.models import DocumentContent


@on_server
async def upload(
    client: AsyncClient,
    files: Annotated[list[Path], typer.Argument(help="The files.", exists=True, dir_okay=False)],
    tag: Tags = None,
    auto_create: AutoCreate = None,
    wait: Annotated[bool, typer.Option("--wait", help="Wait, and tell what became of each file.")] = False,
    as_json: AsJson = False,
) -> ExitCode:
    """Upload files to a server. One line tells what became of each; `extract` gets data out of them."""
    told: list[dict[str, Any]] = []
    tag_ids = [await tag_named(client, name) for name in tag or ()]
    for file in files:
        told.append({"file": file} | await _one(client, file, tag_ids, auto_create))
        if not as_json and "document_id" in told[-1]:
            say(f"{file}: uploaded as {told[-1]['document_id']}")
    for one in told if wait else ():
        if "document_id" in one:
            one["outcome"] = await _outcome(client, await client.documents.wait(one["document_id"]))
            if not as_json:
                say(f"{one['file']}: {one['outcome']}")
    if as_json:
        print_json(told)
    return ExitCode.DONE if all("document_id" in one for one in told) else ExitCode.FAILED


async def _one(
    client: AsyncClient, file: Path, tag_ids: Sequence[str], auto_create: bool | None
) -> dict[str, Any]:
    try:
        document = await client.documents.upload(file, tag_ids=tag_ids, auto_create=auto_create)
    except OSError as error:
        problem = f"It cannot be opened: {error.strerror}."
    except BadRequest as error:
        problem = error.detail
    else:
        return {"document_id": document.document_id}
    complain(f"{file}: {problem}")
    return {"error": problem}


async def _outcome(client: AsyncClient, document: DocumentContent) -> str:
    if document.auto_create_status is None:
        return f"{document.state}. {document.state_reason}" if document.state_reason else document.state
    if document.auto_create_error is not None:
        return f"no proposal. {document.auto_create_error}"
    proposal = await client.documents.proposal(document.id)
    named = proposal.schema_.name if proposal.schema_ else "without a name"
    return (
        f"{proposal.status}. Schema {named} with {proposal.summary.fields} fields, "
        f"{proposal.summary.values} values, {proposal.summary.to_check} to check"
    )
