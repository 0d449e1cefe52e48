"""The bytes of an upload: decoded from base64 as they arrive, and kept in a file, never whole in memory."""

from __future__ import annotations

import asyncio
import base64
import binascii
import re
import tempfile
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import IO

from docagent.domain.errors import InvalidInput

MEGABYTE = 1024 * 1024
DATA_URL = "data:"
NOT_ASCII = "string argument should contain only ASCII characters"
_A_QUAD = "AAAA"
_MOST_TOLD = 8
_PADDING = re.compile(r"([^=]*)(=*)(.*)", re.DOTALL)
_COUNTED = re.compile(r"\(\d+\)")


class Base64Decoder:
    """Decodes base64, plain or as a data URL, piece by piece.

    It accepts and refuses what `base64.b64decode(text, validate=True)` does after all blanks were taken out, and
    in the same words.
    """

    def __init__(self) -> None:
        self.problem: str | None = None
        self._start: str | None = ""
        self._in_data_url = False
        self._pending = ""
        self._is_padded = False
        self._characters = 0

    def feed(self, text: str) -> bytes:
        if self._start is not None:
            self._start += text
            if len(self._start) < len(DATA_URL):
                return b""
            text, self._start = self._start, None
            self._in_data_url = text.startswith(DATA_URL)
        if self._in_data_url:
            _, comma, text = text.partition(",")
            self._in_data_url = not comma
        return self._decode("".join(text.split()))

    def end(self) -> bytes:
        """The last bytes. Afterwards `problem` says what is wrong with the whole, if anything is."""
        decoded = b""
        if self._start is not None:
            text, self._start = self._start, None
            decoded = self._decode("".join(text.split()))
        if self.problem is None:
            # The decoder behaves as if it had seen all of it, because a quad stands for what came before.
            before = _A_QUAD if self._characters else ""
            try:
                decoded += binascii.a2b_base64(before + self._pending, strict_mode=True)[3 if before else 0 :]
            except binascii.Error as error:
                self.problem = _COUNTED.sub(f"({self._characters + 1})", str(error))
        return decoded

    def _decode(self, text: str) -> bytes:
        if not text.isascii():
            self.problem = NOT_ASCII
        if self.problem is not None:
            return b""
        if self._is_padded:
            self._pending = _told_briefly(self._pending + text)
            return b""
        data, padding, rest = text.partition("=")
        waiting = self._pending + data
        whole = len(waiting) // 4 * 4
        try:
            decoded = binascii.a2b_base64(waiting[:whole], strict_mode=True)
        except binascii.Error as error:
            self.problem = str(error)
            return b""
        self._characters += whole
        self._pending = waiting[whole:]
        if padding:
            self._is_padded = True
            self._pending = _told_briefly(self._pending + padding + rest)
        return decoded


def _told_briefly(text: str) -> str:
    """The end of base64 from its padding on, without what cannot change whether it is right."""
    parts = _PADDING.match(text)
    assert parts is not None
    return parts[1] + parts[2][:_MOST_TOLD] + parts[3][:_MOST_TOLD]


def decoded(content: str | SpooledContent) -> bytes | SpooledContent:
    """The bytes of base64 text. Raises InvalidInput; of spooled content what was found while it arrived."""
    if isinstance(content, SpooledContent):
        if content.problem is not None:
            raise InvalidInput(f"Invalid base64 content: {content.problem}")
        return content
    if content.startswith(DATA_URL):
        content = content.partition(",")[2]
    try:
        return base64.b64decode("".join(content.split()), validate=True)
    except (binascii.Error, ValueError) as error:
        raise InvalidInput(f"Invalid base64 content: {error}") from error


async def chunks(content: bytes | SpooledContent) -> AsyncIterator[bytes]:
    if isinstance(content, SpooledContent):
        async for chunk in content.chunks():
            yield chunk
        return
    for start in range(0, len(content), MEGABYTE):
        yield content[start : start + MEGABYTE]


class Spool:
    """Where the decoded contents of one request wait: in memory while they are few, else in a file without a name."""

    def __init__(self) -> None:
        self.size = 0
        self._unwritten = bytearray()
        self._file: IO[bytes] | None = None

    def add(self, data: bytes) -> None:
        self._unwritten += data
        self.size += len(data)

    async def settle(self, *, at_end: bool = False) -> None:
        """Write to the file what memory should not hold any longer."""
        if len(self._unwritten) > MEGABYTE or (at_end and self._file is not None):
            data, self._unwritten = self._unwritten, bytearray()
            await asyncio.to_thread(self._write, data)

    async def read(self, start: int, size: int) -> bytes:
        if self._file is None:
            return bytes(self._unwritten[start : start + size])
        return await asyncio.to_thread(self._read, self._file, start, size)

    def close(self) -> None:
        if self._file is not None:
            self._file.close()

    def _write(self, data: bytearray) -> None:
        if self._file is None:
            self._file = tempfile.TemporaryFile(prefix="docagent-")  # noqa: SIM115  closed with the spool
        self._file.write(data)

    @staticmethod
    def _read(file: IO[bytes], start: int, size: int) -> bytes:
        file.seek(start)
        return file.read(size)


@dataclass(frozen=True, slots=True)
class SpooledContent:
    """The bytes of one document in a spool, or what is wrong with its base64."""

    spool: Spool
    start: int
    size: int
    problem: str | None

    async def chunks(self) -> AsyncIterator[bytes]:
        for at in range(self.start, self.start + self.size, MEGABYTE):
            yield await self.spool.read(at, min(MEGABYTE, self.start + self.size - at))
