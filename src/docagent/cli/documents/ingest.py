"""Uploads what is in a folder, each file once, and continues with new files."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from docagent.cli.documents.files import files_in
from docagent.cli.documents.placing import UNREADABLE, digest, place, tag_named, until_read
from docagent.cli.on_server import on_server
from docagent.cli.options import AsJson, AutoCreate, Tags
from docagent.cli.output import ExitCode, complain, note, print_json, print_json_line, print_table
from docagent.client import AsyncClient, BadRequest

LOOK_SECONDS = 2.0
AT_ONCE = 8


@on_server
async def ingest(
    client: AsyncClient,
    folder: Annotated[Path, typer.Argument(help="The folder.", exists=True, file_okay=False)],
    watch: Annotated[
        bool, typer.Option("--watch", help="Continue with files that come or change, until Ctrl-C.")
    ] = False,
    tag: Tags = None,
    auto_create: AutoCreate = None,
    as_json: AsJson = False,
) -> ExitCode:
    """Upload what is in a folder, each file once. Files are known by their content, whatever their names are.

    \b
      docagent ingest inbox/ --watch --tag invoices
    """
    ingestion = _Ingestion(client, folder, [await tag_named(client, name) for name in tag or ()], auto_create)
    return await ingestion.go(watch=watch, as_json=as_json)


class _Ingestion:
    def __init__(
        self, client: AsyncClient, folder: Path, tag_ids: Sequence[str], auto_create: bool | None
    ) -> None:
        self._client = client
        self._folder = folder
        self._tag_ids = tag_ids
        self._auto_create = auto_create
        self._places = asyncio.Semaphore(AT_ONCE)
        self._done: set[tuple[Path, int, int]] = set()
        self._seen: set[tuple[Path, int, int]] = set()

    async def go(self, *, watch: bool, as_json: bool) -> ExitCode:
        told = await self._all(self._marks())
        if as_json and not watch:
            print_json(told)
        else:
            _print(told, as_json=as_json)
        if watch:
            note(f"Watching {self._folder}. Ctrl-C ends it.")
        while watch:
            await asyncio.sleep(LOOK_SECONDS)
            _print(await self._all(self._settled()), as_json=as_json)
        return ExitCode.FAILED if any(one["error"] for one in told) else ExitCode.DONE

    def _marks(self) -> set[tuple[Path, int, int]]:
        """Every file with its time and size, which change when it is written to."""
        marks = set()
        for file in files_in(self._folder):
            try:
                facts = file.stat()
            except FileNotFoundError:
                continue
            marks.add((file, facts.st_mtime_ns, facts.st_size))
        return marks

    def _settled(self) -> set[tuple[Path, int, int]]:
        """Files that nobody has written to since the last look, and that were not uploaded as they are."""
        marks = self._marks()
        settled = (marks & self._seen) - self._done
        self._seen = marks
        return settled

    async def _all(self, marks: set[tuple[Path, int, int]]) -> list[dict[str, Any]]:
        told = await asyncio.gather(*(self._one(file) for file in sorted(mark[0] for mark in marks)))
        self._done |= marks
        return list(told)

    async def _one(self, file: Path) -> dict[str, Any]:
        told: dict[str, Any] = {"file": file, "document_id": None, "new": False, "state": None, "error": None}
        async with self._places:
            try:
                document_id, is_new = await place(
                    self._client,
                    file,
                    await digest(file),
                    tag_ids=self._tag_ids,
                    auto_create=self._auto_create,
                )
                document = await until_read(self._client, document_id)
            except OSError as error:
                return told | {"error": f"It cannot be opened: {error.strerror}."}
            except BadRequest as error:
                return told | {"error": error.detail}
        unreadable = document.state_reason if document.state == UNREADABLE else None
        return told | {
            "document_id": document_id,
            "new": is_new,
            "state": document.state,
            "error": unreadable,
        }


def _print(told: list[dict[str, Any]], *, as_json: bool) -> None:
    for one in told:
        if as_json:
            print_json_line(one)
        elif one["error"]:
            complain(f"{one['file']}: {one['error']}")
        else:
            print_table(
                (), [(one["file"], one["document_id"], "new" if one["new"] else "known", one["state"])]
            )
