"""Takes the contents out of the JSON of an upload while it arrives, so that what must be parsed whole stays small.

`{"documents": [{"name": "a.pdf", "content": "<base64>"}]}`: a long content is decoded into a spool, and a stand-in
takes its place in the JSON. Nothing else is looked into: whether the rest is JSON, and of the right shape, is judged
as for any other request. Incremental JSON parsers do not serve here: they hand out a string when they have all of it.
"""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Callable

from docagent.services.documents.contents import Base64Decoder, Spool, SpooledContent

CONTENT = "content"
CONTENT_DEPTH = 3
"""A content is a member of an object, in a list, in an object."""
SHORT = 2048
"""A content of so many characters stays in the JSON."""
STAND_IN_LENGTH = 1000
"""So long that an answer which leaves out long values leaves out the stand-in as it would the content."""
NUMBERED_ESCAPE = 6
BLANKS = " \t\r\n"
BLANK = r"[\ \t\r\n]*+"
STRING = re.compile(r'"(?:[^"\\]++|\\.)*+"', re.DOTALL)
ORDINARY_STRINGS = re.compile(
    rf"""(?: [^"]*+ "
             (?! content" {BLANK} (?: \Z | : {BLANK} (?: \Z | " (?! [^"\\]{{0,{SHORT}}} " ))))
             (?: [^"\\]++ | \\. )*+ "
         )*+""",
    re.DOTALL | re.VERBOSE,
)
"""Strings, each with what stands before it, up to a key `content` whose value is not seen to be short."""
HALF_A_PAIR = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}")
SURROGATE = re.compile("[\ud800-\udfff]")


class UploadScanner:
    """Reads JSON text in pieces of any size, and returns it without its long contents."""

    def __init__(self, spool: Spool) -> None:
        self.contents: dict[str, SpooledContent] = {}
        """The contents by their stand-ins."""
        self._spool = spool
        self._mark = secrets.token_hex(16)
        self._read_on: Callable[[str, int], int] = self._outside
        self._kept: list[str] = []
        self._kept_length = 0
        self._shifts: list[tuple[int, int]] = []
        self._depth = 0
        self._between = ""
        self._string = ""
        self._backslashes = 0
        self._content: _Content | None = None

    def feed(self, text: str) -> str:
        """The next piece of what is left."""
        at = 0
        while at < len(text):
            at = self._read_on(text, at)
        return self._left()

    def end(self) -> str:
        """What is left of a content that did not end."""
        if self._content is not None:
            self._replace(self._content, self._content.raw)
        return self._left()

    def place_in_whole(self, position: int) -> int:
        """Where in the whole text the character stood that has this position in what is left."""
        return position + sum(removed for after, removed in self._shifts if position >= after)

    # --- between strings, in a string, in a content: each reads from a place on and returns where it ended -------

    def _outside(self, text: str, at: int) -> int:
        ordinary = None if self._string == CONTENT else ORDINARY_STRINGS.match(text, at)
        if ordinary is not None and ordinary.end() > at:
            self._keep(ordinary[0])
            self._count_depth(STRING.sub("", ordinary[0]))
            self._between = self._string = ""
            return ordinary.end()
        quote = text.find('"', at)
        between = text[at : quote if quote >= 0 else len(text)]
        self._keep(between)
        self._count_depth(between)
        self._between = (self._between + between.strip(BLANKS))[:2]
        if quote < 0:
            return len(text)
        self._keep('"')
        is_content = (self._string, self._between, self._depth) == (CONTENT, ":", CONTENT_DEPTH)
        self._content = _Content() if is_content else None
        self._read_on = self._in_content if is_content else self._in_string
        self._between = self._string = ""
        return quote + 1

    def _in_string(self, text: str, at: int) -> int:
        quote = self._closing_quote(text, at)
        end = quote if quote >= 0 else len(text)
        self._keep(text[at : end + 1])
        if len(self._string) <= len(CONTENT):
            self._string += text[at : min(end, at + len(CONTENT) + 1)]
        if quote >= 0:
            self._read_on = self._outside
        return end + 1

    def _in_content(self, text: str, at: int) -> int:
        assert self._content is not None
        quote = self._closing_quote(text, at)
        end = quote if quote >= 0 else len(text)
        try:
            self._spool.add(self._content.feed(text[at:end], ended=quote >= 0))
        except NotAString as error:
            self._replace(self._content, error.rest)
            self._content, self._read_on = None, self._after_an_error
        else:
            if quote >= 0:
                self._replace(self._content, "")
                self._keep('"')
                self._content, self._read_on = None, self._outside
        return end + 1

    def _after_an_error(self, text: str, at: int) -> int:
        """The JSON is wrong where the error stands. What follows cannot change that."""
        return len(text)

    def _closing_quote(self, text: str, at: int) -> int:
        """Where the quote stands that ends the string; -1 if it is not there yet."""
        start, quote = at, text.find('"', at)
        while quote >= 0 and self._backslashes_before(text, start, quote) % 2:
            quote = text.find('"', quote + 1)
        self._backslashes = 0 if quote >= 0 else self._backslashes_before(text, start, len(text))
        return quote

    def _backslashes_before(self, text: str, start: int, end: int) -> int:
        """How many backslashes stand before the end, those of the piece before included if they continue there."""
        at = end
        while at > start and text[at - 1] == "\\":
            at -= 1
        return end - at + (self._backslashes if at == start else 0)

    # --- what is left -------------------------------------------------------------------------------------------

    def _count_depth(self, text: str) -> None:
        self._depth += text.count("{") + text.count("[") - text.count("}") - text.count("]")

    def _replace(self, content: _Content, rest: str) -> None:
        """Keep a stand-in for a long content, and the rest that is not part of it."""
        if content.is_short:
            self._keep(content.raw)
            return
        stand_in = f"{len(self.contents)}-{self._mark}-".rjust(STAND_IN_LENGTH, "-")
        size = content.decoded_size
        self.contents[stand_in] = SpooledContent(self._spool, self._spool.size - size, size, content.problem)
        if content.has_half_a_pair:
            stand_in = "\\ud800" + stand_in
        self._keep(stand_in)
        self._shifts.append((self._kept_length, content.raw_length - len(rest) - len(stand_in)))
        self._keep(rest)

    def _keep(self, text: str) -> None:
        self._kept.append(text)
        self._kept_length += len(text)

    def _left(self) -> str:
        left = "".join(self._kept)
        self._kept = []
        return left


class NotAString(Exception):
    """A JSON string holds what it must not, somewhere in `rest`."""

    def __init__(self, rest: str) -> None:
        super().__init__()
        self.rest = rest


class _Content:
    """One content: its characters as they stand in the JSON, and what they decode to."""

    def __init__(self) -> None:
        self.raw = ""
        """The characters that are not decoded yet."""
        self.raw_length = 0
        self.decoded_size = 0
        self.has_half_a_pair = False
        self._decoder = Base64Decoder()

    @property
    def is_short(self) -> bool:
        return self.raw_length <= SHORT

    @property
    def problem(self) -> str | None:
        return self._decoder.problem

    def feed(self, raw: str, *, ended: bool) -> bytes:
        """The bytes that can be decoded now. Raises NotAString."""
        self.raw += raw
        self.raw_length += len(raw)
        if self.is_short:
            return b""
        whole = len(self.raw) if ended else _end_of_whole_characters(self.raw)
        raw, self.raw = self.raw[:whole], self.raw[whole:]
        try:
            text: str = json.loads(f'"{raw}"')
        except json.JSONDecodeError as error:
            raise NotAString(raw + self.raw) from error
        if not text.isascii() and SURROGATE.search(text):
            self.has_half_a_pair = True
        decoded = self._decoder.feed(text)
        if ended:
            decoded += self._decoder.end()
        self.decoded_size += len(decoded)
        return decoded


def _end_of_whole_characters(raw: str) -> int:
    """Where the text of a JSON string can be cut without parting an escape or a pair of surrogates.

    An escape with a number waits for what follows it: at the very end of a text it counts as unfinished.
    """
    last = raw.rfind("\\", max(0, len(raw) - NUMBERED_ESCAPE - 1))
    if last < 0 or not _begins_escape(raw, last):
        return len(raw)
    is_whole = len(raw) - last > NUMBERED_ESCAPE or (len(raw) - last > 1 and raw[last + 1] != "u")
    if is_whole:
        return len(raw)
    before = last - NUMBERED_ESCAPE
    if before >= 0 and HALF_A_PAIR.fullmatch(raw, before, last) and _begins_escape(raw, before):
        return before
    return last


def _begins_escape(raw: str, at: int) -> bool:
    """Whether the backslash there is not itself escaped."""
    return (at - len(raw[:at].rstrip("\\"))) % 2 == 0
