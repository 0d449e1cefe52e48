"""docs/websocket.md lists every frame with its fields, and nothing else. Its examples are valid frames."""

from __future__ import annotations

import dataclasses
import json
import re
import typing
from typing import Any

from docagent.agent.updates import AgentUpdate, Update
from docagent.api.websocket.client_frames import CLIENT_FRAME, ClientFrame, ConnectionFrame
from tests.rules.sources import ROOT
from tests.support.tables import table

PAGE = (ROOT / "docs" / "websocket.md").read_text()
NAMES = ("type", "update_type")


def section(title: str) -> dict[str, str]:
    """Return the texts below a heading by the names of their frames."""
    body = PAGE.split(f"## {title}\n")[1].split("\n## ")[0]
    return dict(zip(*[iter(re.split(r"^### `(\w+)`\n", body, flags=re.MULTILINE)[1:])] * 2, strict=True))


def listed(text: str) -> list[str]:
    return re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE)


def examples(text: str) -> list[dict[str, Any]]:
    return [json.loads(found) for found in re.findall(r"`(\{\"type\".*\})`", text)]


def kinds(union: Any) -> dict[str, list[str]]:
    """Return the fields of each frame of the connection by the frame's name."""
    found = {}
    for cls in typing.get_args(union):
        hints = typing.get_type_hints(cls)
        (name,) = typing.get_args(hints["type"])
        found[name] = [field for field in hints if field not in NAMES]
    return found


def updates() -> dict[str, list[str]]:
    """Return the fields of each frame of a turn by the frame's name."""
    found = {}
    for cls in [*Update.__subclasses__(), *AgentUpdate.__subclasses__()]:
        if cls is not AgentUpdate:
            found[cls.name] = [field.name for field in dataclasses.fields(cls)]
    return found


SENT = {
    typing.get_args(cls.model_fields["type"].annotation)[0]: [
        field.alias or name for name, field in cls.model_fields.items() if name != "type"
    ]
    for cls in typing.get_args(typing.get_args(ClientFrame)[0])
}
GOT = updates() | kinds(ConnectionFrame)


@table(("title", "frames"), [("Frames that you send", SENT), ("Frames that you get", GOT)])
def test_every_frame_is_on_the_page_with_its_fields_and_no_other(
    title: str, frames: dict[str, list[str]]
) -> None:
    written = section(title)
    assert set(written) == set(frames)
    for name, fields in frames.items():
        assert sorted(listed(written[name])) == sorted(fields), name


def test_every_frame_has_an_example_that_is_one() -> None:
    for name, text in section("Frames that you send").items():
        (example,) = examples(text)
        assert example["type"] == name
        CLIENT_FRAME.validate_python(example)
        assert set(example) - {"type"} <= set(SENT[name])
    for name, text in section("Frames that you get").items():
        (example,) = examples(text)
        assert (example.get("update_type") or example["type"]) == name
        assert [field for field in example if field not in NAMES] == GOT[name]
