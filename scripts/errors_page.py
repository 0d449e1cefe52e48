"""Writes the page of errors from the code: `make docs`. A code without a meaning here is an error that names it."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any

from docagent.api.errors import MODEL_STATUS, STATUS, TURN_STATUS
from docagent.client import errors as client_errors
from docagent.domain.errors import DocAgentError, ReadFailure
from docagent.domain.failure_codes import failure_code
from docagent.domain.models.llm import ModelFailure
from docagent.domain.turns.events import Shortfall

PAGE = Path(__file__).parents[1] / "docs" / "errors.md"
HEADING = """# Errors

Every error says in a sentence what happened and what to do. A refusal of the API is JSON:

```json
{"detail": "Document not found", "request_id": "8c1f..."}
```

`detail` is for people; for programs there is the status and, where one is named below, a code. `request_id` stands in
the server's log beside everything that the request did, and in the header `X-Request-Id`. With status 422 `detail` is a
list with the place (`loc`) and the reason (`msg`) of each field that is wrong. With 429 and 503 `Retry-After` says when
to try again. This page is made from the code by `make docs`.
"""
READING = {
    ReadFailure.EMPTY: "the file has no content",
    ReadFailure.ENCRYPTED: "the file wants a password: give it with the document",
    ReadFailure.WRONG_PASSWORD: "the password does not open the file",
    ReadFailure.DAMAGED: "the file cannot be opened: save or scan it again",
    ReadFailure.UNSUPPORTED: "no reader knows this format",
    ReadFailure.TOO_MANY_PAGES: "more pages than the settings allow",
    ReadFailure.TOO_LARGE: "larger, packed or unpacked, than the settings allow",
    ReadFailure.TIMED_OUT: "reading took longer than the settings allow",
    ReadFailure.OUT_OF_MEMORY: "reading wanted more memory than the settings allow",
    ReadFailure.CRASHED: "the reader failed on it; reading again may help",
    ReadFailure.NO_TEXT: "the pages have no text that can be recognised",
    ReadFailure.CONVERTER_MISSING: "the format needs a converter that is not installed",
}
MODEL = {
    ModelFailure.AUTHENTICATION: "the provider refuses the key: check it under Settings",
    ModelFailure.RATE_LIMITED: "too many calls for the provider: wait, or use another model",
    ModelFailure.CONTEXT_TOO_LONG: "the conversation or document is too long for the model",
    ModelFailure.REFUSED: "the provider will not answer this under its rules",
    ModelFailure.UNAVAILABLE: "the provider does not answer",
    ModelFailure.BAD_REQUEST: "the provider cannot use what was sent",
    ModelFailure.ENDED_EARLY: "the reply broke off",
    ModelFailure.TIMED_OUT: "the reply took too long",
}
SHORTFALLS = {
    Shortfall.EMPTY: "the model said nothing",
    Shortfall.CUT_OFF: "the reply reached the most tokens that one reply may have",
    Shortfall.FILTERED: "the provider held the reply back, or a part of it",
}
OTHER_CODES = {
    "internal": "something that nobody foresaw; the server's log has all of it",
    "timeout": "the turn took longer than its limit",
    "crashed": "the process that worked on it ended, as often as the settings allow",
    "extraction": "on a document: no result could be made; the job says why",
}
"""Codes that are no class of an error."""


def errors_page() -> str:
    """Return the whole page as markdown."""
    return "\n".join(
        [
            HEADING,
            "## Refusals\n\nThe code is what turns, jobs and the WebSocket call the error.\n",
            _table(("status", "code", "when"), _refusals()),
            "## Failures of models\n\n`error_code` of a job, `code` of a turn.\n",
            _table(("code", "status", "when"), _of_models()),
            "## Files that cannot be read\n\n`state_reason_code` of the document.\n",
            _table(("code", "when"), _meanings(ReadFailure, READING)),
            "## Other codes\n",
            _table(("code", "when"), ((f"`{code}`", meaning) for code, meaning in OTHER_CODES.items())),
            "## Replies that lack something\n\n`shortfall` of a turn that ended, and the code of a `warning` frame.\n",
            _table(("code", "when"), _meanings(Shortfall, SHORTFALLS)),
            "## The Python client\n\nClasses of `docagent.client`.\n",
            _table(("class", "when"), _of_the_client()),
            "The close codes of the WebSocket are [on its page](websocket.md), the exit codes of commands "
            "on [theirs](commands.md).\n",
        ]
    )


def error_codes() -> set[str]:
    """Every code by which a program may tell errors apart."""
    classes = {failure_code(cls.__new__(cls)) for cls in _classes(DocAgentError)}
    listed = {member.value for kind in (ReadFailure, Shortfall) for member in kind}
    return classes | listed | {*TURN_STATUS, *OTHER_CODES}


def _refusals() -> Iterator[tuple[str, ...]]:
    for cls in _classes(DocAgentError):
        status = next((STATUS[kind] for kind in cls.__mro__ if kind in STATUS), None)
        yield _status(status), f"`{failure_code(cls.__new__(cls))}`", _first_sentence(cls)


def _of_models() -> Iterator[tuple[str, ...]]:
    for failure in ModelFailure:
        yield f"`model_{failure.value}`", _status(MODEL_STATUS[failure]), _meaning(failure, MODEL)


def _of_the_client() -> Iterator[tuple[str, ...]]:
    for name, cls in vars(client_errors).items():
        if inspect.isclass(cls) and issubclass(cls, client_errors.ClientError):
            yield f"`{name}`", _first_sentence(cls)


def _classes(base: type[DocAgentError]) -> Iterator[type[DocAgentError]]:
    for cls in base.__subclasses__():
        if cls.__module__ == DocAgentError.__module__:
            yield cls
            yield from _classes(cls)


def _meanings(codes: type[StrEnum], known: Mapping[Any, str]) -> Iterator[tuple[str, ...]]:
    for code in codes:
        yield f"`{code.value}`", _meaning(code, known)


def _meaning(code: StrEnum, known: Mapping[Any, str]) -> str:
    if code not in known:
        raise ValueError(f"scripts/errors_page.py does not say what {code!r} means.")
    return known[code]


def _status(status: int | None) -> str:
    return "" if status is None else str(int(status))


def _first_sentence(cls: type) -> str:
    return " ".join((inspect.getdoc(cls) or "").split()).partition(". ")[0].rstrip(".")


def _table(heading: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [f"| {' | '.join(cells)} |" for cells in (heading, *rows)]
    return "\n".join([lines[0], "|---" * len(heading) + "|", *lines[1:], ""])


if __name__ == "__main__":
    PAGE.write_text(errors_page())
