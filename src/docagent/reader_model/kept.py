"""Keeps what the network said of the last documents: prompts that ask the same of the same words get it again."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Sequence
from threading import Lock
from typing import Generic, TypeVar

from docagent.reader_model.questions import Question
from docagent.reader_model.seen import SeenDocument

T = TypeVar("T")
_MOST = 256


class Kept(Generic[T]):
    """Answers by the words and the questions, the last used ones. Questions change each other's answers, so a group
    of them is one key.
    """

    def __init__(self, most: int = _MOST) -> None:
        self._most = most
        self._kept: OrderedDict[bytes, T] = OrderedDict()
        self._lock = Lock()

    def of(self, document: SeenDocument, questions: Sequence[Question], make: Callable[[], T]) -> T:
        """Return the answer, made now or for an earlier prompt. Whoever gets it must not change it."""
        asked = "\0".join(question.text for question in questions)
        key = hashlib.blake2b(asked.encode(errors="replace"), key=document.digest, digest_size=32).digest()
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        made = make()
        with self._lock:
            self._kept[key] = made
            if len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return made
