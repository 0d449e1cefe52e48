"""From files to objects of the caller's own class, in one call."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar, Unpack, overload

from docagent.client import models
from docagent.client.asynchronous.connection import AsyncConnection
from docagent.client.errors import ClientError, NotFound
from docagent.client.extraction import (
    Asked,
    Extraction,
    Options,
    Outcome,
    Shape,
    Source,
    digest_of,
    document_id_of,
    name_of,
    opened,
)
from docagent.client.parallel import AsyncFew

T = TypeVar("T")
WAIT_SECONDS = 30
"""How long one request waits for the server. What takes longer is asked for again."""


class AsyncExtracting:
    """What a client has for extraction in one call."""

    _connection: AsyncConnection

    @overload
    async def extract(
        self, file: Source, schema: type[T], *, name: str | None = None, **options: Unpack[Options]
    ) -> Extraction[T]: ...
    @overload
    async def extract(
        self, file: Source, schema: Asked, *, name: str | None = None, **options: Unpack[Options]
    ) -> Extraction[dict[str, Any]]: ...
    async def extract(
        self, file: Source, schema: type[T] | Asked, *, name: str | None = None, **options: Unpack[Options]
    ) -> Extraction[Any]:
        """Extract an object of a class from a file: a path, bytes, an open file, or the id of a document.

        The class is a pydantic model, a dataclass or a `TypedDict`; a JSON Schema or a prompt gives plain data. Bytes
        need a `name`, whose ending says the kind of file. The same file and class give the result that is there, unless
        it is to run `again`. Raises DoesNotValidate, with the raw data, if the values do not fit the class.
        """
        shape: Shape[Any] = Shape(schema)
        return shape.of(await self._extracted({**shape.asked, **options}, file, name))

    @overload
    async def extract_many(
        self,
        files: Sequence[Source],
        schema: type[T],
        *,
        at_once: int = 4,
        progress: Callable[[int, int, Outcome[T]], None] | None = None,
        resume: bool = True,
        **options: Unpack[Options],
    ) -> list[Outcome[T]]: ...
    @overload
    async def extract_many(
        self,
        files: Sequence[Source],
        schema: Asked,
        *,
        at_once: int = 4,
        progress: Callable[[int, int, Outcome[dict[str, Any]]], None] | None = None,
        resume: bool = True,
        **options: Unpack[Options],
    ) -> list[Outcome[dict[str, Any]]]: ...
    async def extract_many(
        self,
        files: Sequence[Source],
        schema: type[T] | Asked,
        *,
        at_once: int = 4,
        progress: Callable[[int, int, Outcome[Any]], None] | None = None,
        resume: bool = True,
        **options: Unpack[Options],
    ) -> list[Outcome[Any]]:
        """Extract from many files, so many at once. A file that fails has its error in its outcome.

        `progress` is called after each with how many are done, of how many, and the outcome. With `resume`, a call that
        is repeated uploads and runs only what the server does not have yet; without it everything runs again.
        """
        shape: Shape[Any] = Shape(schema)
        fields = {**shape.asked, "again": not resume, **options}

        async def one(file: Source) -> Outcome[Any]:
            try:
                return Outcome(file, shape.of(await self._known_or_sent(fields, file)))
            except ClientError as error:
                return Outcome(file, error=error)
            except OSError as error:
                return Outcome(file, error=ClientError(f"It cannot be opened: {error.strerror}."))

        outcomes: dict[int, Outcome[Any]] = {}
        async for at, outcome in AsyncFew(at_once).each(one, files):
            outcomes[at] = outcome
            if progress is not None:
                progress(len(outcomes), len(files), outcome)
        return [outcomes[at] for at in range(len(files))]

    async def _known_or_sent(self, fields: Mapping[str, Any], file: Source) -> models.Extracted:
        """Send a file only if the server does not know its bytes."""
        if document_id_of(file) is None:
            try:
                return await self._settled({**fields, "sha256": digest_of(file)})
            except NotFound:
                pass
        return await self._extracted(fields, file, None)

    async def _extracted(self, fields: Mapping[str, Any], file: Source, name: str | None) -> models.Extracted:
        document_id = document_id_of(file)
        if document_id is not None:
            return await self._settled({**fields, "document_id": document_id})
        with opened(file) as content:
            return await self._settled(fields, (name or name_of(content), content))

    async def _settled(self, fields: Mapping[str, Any], file: Any = None) -> models.Extracted:
        """Ask for an extraction, and again until it has ended."""
        given = {key: value for key, value in fields.items() if value is not None} | {"wait": WAIT_SECONDS}
        options: dict[str, Any] = {"body": given}
        if file is not None:
            form = {key: one if isinstance(one, str) else json.dumps(one) for key, one in given.items()}
            options = {"form": form, "file": file}
        method, path = "POST", ["extract"]
        while True:
            found = await self._connection.ask(
                models.Extracted, method, *path, seconds=WAIT_SECONDS * 2, **options
            )
            if found.status != "running":
                return found
            method, path, options = "GET", ["extract", str(found.job_id)], {"params": {"wait": WAIT_SECONDS}}
