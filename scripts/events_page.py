"""Writes the page of events from the code: `python -m scripts.events_page > docs/events.md`."""

from __future__ import annotations

import inspect
import sys
from dataclasses import MISSING
from typing import Any

from docagent.domain.turns import events

HEADING = """# Events of a turn

Everything that the agent does is a list of events: `(turn, seq, type, payload)`, numbered from 1, written once and
never changed. `GET /v0/orgs/{org}/turns/{turn}/events?after=N` gives them as JSON; with `Accept: text/event-stream` it
goes on live, and `Last-Event-ID` continues after a lost connection. Each event has `seq`, `at` and `type` beside the
fields below. Two more types are shown while the model speaks and are not stored: `text_delta` and `thinking_delta`,
with `text`, `step` and `phase` (`act`, `reason`, `observe` or `plan`). With `calls=true` there is a third one,
`call_delta`, for calls that the model is still writing: its `text` is the next piece of the arguments as JSON, `call`
the number of the call in the reply, and `begins`, in the first piece only, the tool's name. A call that begins again
takes the place of what was told of it and of later ones. A stream that cannot go on, because you have left the
organisation for instance, ends with a line of type `error`, which has `error` and `code`. This page is made from the
code by `make docs`.
"""


def events_page() -> str:
    """Return the whole page as markdown."""
    return "\n".join([HEADING, *(_section(cls) for cls in events.Event.__args__)])


def _section(cls: Any) -> str:
    written = inspect.getdoc(cls) or ""
    own = "" if written.startswith(f"{cls.__name__}(") else f"{written}\n\n"
    rows = ["| field | type | |", "|---|---|---|"]
    for field in events.payload_fields(cls):
        kind = str(field.type).replace("|", "\\|")
        optional = field.default is not MISSING or field.default_factory is not MISSING
        rows.append(f"| `{field.name}` | {kind} | {'may be left out' if optional else ''} |")
    return f"## {cls.type.value}\n\n{own}" + "\n".join(rows) + "\n"


if __name__ == "__main__":
    sys.stdout.write(events_page())
