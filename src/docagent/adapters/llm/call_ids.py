"""Writes the ids and names of calls so that a provider accepts them.

A conversation may hold calls made by several models. Some of their ids have forms that the next provider
refuses, and some servers count from zero in every reply, so ids repeat. An id that fits stays as it is. Any
other id is replaced, both in the call and in its result. The same conversation always gets the same ids, so a
provider's cache still works.
"""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict, deque
from collections.abc import Iterable

_NAME = re.compile(r"[a-zA-Z_][a-zA-Z0-9_-]{0,63}")
_NOT_IN_NAMES = re.compile(r"[^a-zA-Z0-9_-]")
_LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_LENGTH = 9
"""Nine letters and digits: the one form of id that every provider takes."""

ANY_ID = re.compile(r"[\x21-\x7e]{1,64}")


class CallIds:
    """Gives out ids while a request is written: ask for each call's id first, then for its result's, in order."""

    def __init__(self, accepted: re.Pattern[str], used: Iterable[str] = ()) -> None:
        self.accepted = accepted
        self.used = set(used)
        self._attempts: defaultdict[str, int] = defaultdict(int)
        self._open: defaultdict[str, deque[str]] = defaultdict(deque)

    def of_call(self, call_id: str) -> str:
        written = self.of_answered_call(call_id)
        self._open[call_id].append(written)
        return written

    def of_answered_call(self, call_id: str) -> str:
        """Return the id for a call whose result is written elsewhere."""
        written = call_id
        while written in self.used or not self.accepted.fullmatch(written):
            written = _derived(f"{self._attempts[call_id]} {call_id}")
            self._attempts[call_id] += 1
        self.used.add(written)
        return written

    def of_result(self, call_id: str) -> str:
        """Return the id for a result. If several calls share an id, it belongs to the oldest one without a result."""
        waiting = self._open.get(call_id)
        return waiting.popleft() if waiting else call_id


def call_name(name: str) -> str:
    """Return a function's name in a form that every provider accepts, even if the model invented the name.

    `server/tool`, as people and rules name the tools of MCP servers, becomes `server__tool`.
    """
    if _NAME.fullmatch(name):
        return name
    server, slash, tool = name.partition("/")
    if slash and _NAME.fullmatch(written := f"{server}__{tool}"):
        return written
    return f"_{_NOT_IN_NAMES.sub('_', name)}"[:64] if name else "unnamed"


def _derived(text: str) -> str:
    number = int.from_bytes(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:8])
    letters = []
    for _ in range(_LENGTH):
        number, index = divmod(number, len(_LETTERS))
        letters.append(_LETTERS[index])
    return "".join(letters)
