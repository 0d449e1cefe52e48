"""Uploads in JSON are read in bounded memory: the contents go to a spool, the rest is parsed as usual."""

from __future__ import annotations

import codecs
import hashlib
import json
from collections.abc import AsyncIterator, Callable, Coroutine
from http import HTTPStatus
from typing import Any

from fastapi import Request, Response
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException

from docagent.api.server.bodies import is_json
from docagent.api.server.upload_scanner import UploadScanner
from docagent.services.documents.contents import Spool, SpooledContent
from docagent.settings import MEBIBYTE

BYTES_THAT_TELL_THE_ENCODING = 4


class UploadRoute(APIRoute):
    """A route whose body is an upload in JSON. Its function may ask for an `UploadRequest`."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def spooling(request: Request) -> Response:
            spool = Spool()
            try:
                return await handle(UploadRequest(request, spool))
            finally:
                spool.close()

        return spooling


class UploadRequest(Request):
    """A request whose JSON, as its readers see it, has stand-ins for long contents."""

    def __init__(self, request: Request, spool: Spool) -> None:
        super().__init__(request.scope, request.receive)
        self._spool = spool
        self._scanner = UploadScanner(spool)
        self._beside_contents: str | None = None
        self._digest = hashlib.sha256()
        self._megabytes: int = request.app.state.services.settings.server.request_limit_mb

    def content_of(self, text: str) -> str | SpooledContent:
        """The content for which the text stands; else the text, which is a short content itself."""
        return self._scanner.contents.get(text, text)

    async def digest(self) -> bytes:
        """A hash of the body as it was sent, with the contents."""
        body = await self.body()
        return self._digest.digest() if is_json(self.headers) else hashlib.sha256(body).digest()

    async def body(self) -> bytes:
        if not is_json(self.headers):
            return await super().body()
        if self._beside_contents is None:
            self._beside_contents = await self._read()
        return self._beside_contents.encode(errors="surrogatepass")

    async def json(self) -> Any:
        if self._beside_contents is None:
            self._beside_contents = await self._read()
        try:
            return json.loads(self._beside_contents)
        except json.JSONDecodeError as error:
            raise json.JSONDecodeError(
                error.msg, error.doc, self._scanner.place_in_whole(error.pos)
            ) from error

    async def _hashed(self) -> AsyncIterator[bytes]:
        async for chunk in self.stream():
            self._digest.update(chunk)
            yield chunk

    async def _read(self) -> str:
        parts: list[str] = []
        length = 0
        async for text in _decoded(self._hashed()):
            parts.append(self._scanner.feed(text))
            length += len(parts[-1])
            if length > self._megabytes * MEBIBYTE:
                raise HTTPException(
                    HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
                    f"What the request holds beside the contents of documents is larger than the {self._megabytes} MB "
                    "that this server accepts here.",
                )
            await self._spool.settle()
        parts.append(self._scanner.end())
        await self._spool.settle(at_end=True)
        return "".join(parts)


async def _decoded(chunks: AsyncIterator[bytes]) -> AsyncIterator[str]:
    """JSON in any encoding that JSON may have, as `json.loads` finds it out."""
    first = b""
    decoder: codecs.IncrementalDecoder | None = None
    async for chunk in chunks:
        if decoder is None:
            first += chunk
            if len(first) < BYTES_THAT_TELL_THE_ENCODING:
                continue
            decoder, chunk = _decoder(first), first
        yield decoder.decode(chunk)
    if decoder is None:
        yield _decoder(first).decode(first, final=True)
    else:
        yield decoder.decode(b"", final=True)


def _decoder(first: bytes) -> codecs.IncrementalDecoder:
    return codecs.getincrementaldecoder(json.detect_encoding(first))("surrogatepass")
