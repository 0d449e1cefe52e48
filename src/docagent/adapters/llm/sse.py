"""Reads an event stream as it arrives: takes bytes in any portions, gives the data of complete events."""

from __future__ import annotations

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
MAX_EVENT_BYTES = 32 * 1024 * 1024


class EventTooLarge(Exception):
    """A single event is larger than any provider sends."""


class EventStream:
    """Lines may end in CR, LF or CRLF and be cut anywhere. Event names, ids and comments are ignored."""

    def __init__(self) -> None:
        self._line: list[bytes] = []
        self._data: list[bytes] = []
        self._held = 0
        self._after_cr = False
        self._at_start = True

    def feed(self, block: bytes) -> list[bytes]:
        """Return the data of every event that the block completes."""
        if self._after_cr:
            if block == b"\n":
                self._after_cr = False
                return []
            if block.startswith(b"\n"):
                block = block[1:]
        if b"\r" in block:
            self._after_cr = block.endswith(b"\r")
            block = block.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        elif block:
            self._after_cr = False
        if b"\n" not in block:
            self._line.append(block)
            self._hold(self._held + len(block))
            return []
        lines = block.split(b"\n")
        if self._line:
            self._line.append(lines[0])
            lines[0] = b"".join(self._line)
        self._line = [lines.pop()]
        if self._at_start:
            self._at_start = False
            lines[0] = lines[0].removeprefix(BYTE_ORDER_MARK)
        return self._take(lines)

    def finish(self) -> list[bytes]:
        """At the end of the stream, return the last event if its final line ends are missing."""
        return self.feed(b"\n\n") if self._line or self._data else []

    def _take(self, lines: list[bytes]) -> list[bytes]:
        events: list[bytes] = []
        data = self._data
        for line in lines:
            if line.startswith(b"data:"):
                data.append(line[6:] if line.startswith(b"data: ") else line[5:])
            elif not line and data:
                events.append(data[0] if len(data) == 1 else b"\n".join(data))
                data.clear()
        self._hold(len(self._line[0]) + (sum(map(len, data)) if data else 0))
        return events

    def _hold(self, size: int) -> None:
        self._held = size
        if size > MAX_EVENT_BYTES:
            raise EventTooLarge
