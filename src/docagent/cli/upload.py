"""Uploads files to a server, and tells what becomes of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import typer

from docagent.client import AsyncClient, BadRequest, ClientError
from docagent.client.models import DocumentContent
from docagent.domain.errors import InvalidInput, Unavailable


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is uploaded, and what is to happen with it."""

    files: Sequence[Path]
    tags: Sequence[str] = ()
    auto_create: bool | None = None
    """None leaves it to the organisation's default."""
    wait: bool = False


async def upload(server: str, token: str, organization_id: str | None, wanted: Wanted) -> None:
    """Upload the files, one line for each. The command fails if one of them could not be uploaded."""
    async with AsyncClient(server, token, organization_id) as client:
        try:
            complete = await _upload(client, wanted)
        except ClientError as error:
            raise Unavailable(error.detail) from error
    if not complete:
        raise typer.Exit(1)


async def _upload(client: AsyncClient, wanted: Wanted) -> bool:
    tag_ids = [await _tag(client, name) for name in wanted.tags]
    uploaded: list[tuple[Path, str]] = []
    for file in wanted.files:
        try:
            document = await client.documents.upload(file, tag_ids=tag_ids, auto_create=wanted.auto_create)
        except OSError as error:
            typer.echo(f"{file}: It cannot be opened: {error.strerror}.", err=True)
        except BadRequest as error:
            typer.echo(f"{file}: {error.detail}", err=True)
        else:
            typer.echo(f"{file}: uploaded as {document.document_id}")
            uploaded.append((file, document.document_id))
    if wanted.wait:
        for file, document_id in uploaded:
            typer.echo(f"{file}: {await _outcome(client, await client.documents.wait(document_id))}")
    return len(uploaded) == len(wanted.files)


async def _tag(client: AsyncClient, name: str) -> str:
    tag = await client.tags.named(name)
    if tag is None:
        raise InvalidInput(f"There is no tag named {name}. Make it first, or leave --tag out.")
    return tag.id


async def _outcome(client: AsyncClient, document: DocumentContent) -> str:
    if document.auto_create_status is None:
        return f"{document.state}. {document.state_reason}" if document.state_reason else document.state
    if document.auto_create_error is not None:
        return f"no proposal. {document.auto_create_error}"
    proposal = await client.documents.proposal(document.id)
    named = proposal.schema_.name if proposal.schema_ else "without a name"
    return (
        f"{proposal.status}. Schema {named} with {proposal.summary.fields} fields, "
        f"{proposal.summary.values} values, {proposal.summary.proven} proven"
    )
