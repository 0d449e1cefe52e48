"""Uploads files to a server, and tells what becomes of them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aiohttp
import orjson
import typer

from docagent.domain.errors import InvalidInput, Unavailable

POLL_SECONDS = 0.5
UNDER_WAY = ("queued", "running")


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
    async with aiohttp.ClientSession(headers={"Authorization": f"Bearer {token}"}) as session:
        door = _Door(session, server.rstrip("/"))
        organization = organization_id or await door.organization(token)
        base = f"/v0/orgs/{organization}"
        tag_ids = [await door.tag(base, name) for name in wanted.tags]
        uploaded: list[tuple[Path, str]] = []
        complete = True
        for file in wanted.files:
            try:
                document_id = await door.upload(base, file, tag_ids, wanted.auto_create)
            except InvalidInput as error:
                typer.echo(f"{file}: {error.detail}", err=True)
                complete = False
                continue
            typer.echo(f"{file}: uploaded as {document_id}")
            uploaded.append((file, document_id))
        if wanted.wait:
            for file, document_id in uploaded:
                typer.echo(f"{file}: {await door.outcome(base, document_id)}")
    if not complete:
        raise typer.Exit(1)


class _Door:
    """The server's API, as far as uploading needs it."""

    def __init__(self, session: aiohttp.ClientSession, server: str) -> None:
        self._session = session
        self._server = server

    async def organization(self, token: str) -> str:
        found = await self._call("GET", "/v0/account/token/organization", params={"token": token})
        organization: str | None = found["organization_id"]
        if organization is None:
            raise InvalidInput(
                "This token is not of one organisation. Name one with --org, or use a token that the "
                "organisation's settings page makes."
            )
        return organization

    async def tag(self, base: str, name: str) -> str:
        found = await self._call("GET", f"{base}/tags", params={"name_search": name, "limit": "100"})
        for tag in found["tags"]:
            if tag["name"].casefold() == name.casefold():
                tag_id: str = tag["id"]
                return tag_id
        raise InvalidInput(f"There is no tag named {name}. Make it first, or leave --tag out.")

    async def upload(self, base: str, file: Path, tag_ids: Sequence[str], auto_create: bool | None) -> str:
        form = aiohttp.FormData({"tag_ids": orjson.dumps(list(tag_ids)).decode()})
        if auto_create is not None:
            form.add_field("auto_create", str(auto_create).lower())
        try:
            content = file.open("rb")
        except OSError as error:
            raise InvalidInput(f"It cannot be opened: {error.strerror}.") from error
        with content:
            form.add_field("file", content, filename=file.name)
            answer = await self._call("POST", f"{base}/documents/multipart", data=form)
        document_id: str = answer["document"]["document_id"]
        return document_id

    async def outcome(self, base: str, document_id: str) -> str:
        """What became of the document, once nothing is done with it any more."""
        while True:
            jobs = (await self._call("GET", f"{base}/jobs", params={"document_id": document_id}))["jobs"]
            path = f"{base}/documents/{document_id}"
            document = await self._call("GET", path, params={"include_content": "false"})
            busy = (
                any(job["state"] in UNDER_WAY for job in jobs) or document["auto_create_status"] == "running"
            )
            if not busy:
                return await self._told(path, document)
            await asyncio.sleep(POLL_SECONDS)

    async def _told(self, path: str, document: dict[str, Any]) -> str:
        if document["auto_create_status"] is None:
            reason = document["state_reason"]
            return f"{document['state']}. {reason}" if reason else str(document["state"])
        if document["auto_create_error"] is not None:
            return f"no proposal. {document['auto_create_error']}"
        proposal = await self._call("GET", f"{path}/auto_create")
        summary = proposal["summary"]
        return (
            f"{proposal['status']}. Schema {proposal['schema']['name']} with {summary['fields']} fields, "
            f"{summary['values']} values, {summary['proven']} proven"
        )

    async def _call(self, method: str, path: str, **options: Any) -> Any:
        try:
            async with self._session.request(method, f"{self._server}{path}", **options) as response:
                body = await response.read()
        except aiohttp.ClientError as error:
            raise Unavailable(f"{self._server} cannot be reached: {error}. Is the server running?") from error
        try:
            answer = orjson.loads(body)
        except orjson.JSONDecodeError as error:
            raise Unavailable(f"{self._server} does not answer as docagent does.") from error
        if response.status >= 400:
            raise InvalidInput(str(answer.get("detail", answer)))
        return answer
