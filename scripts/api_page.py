"""Writes the page of the API from its description, docs/openapi.json: `make docs`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parents[1] / "docs" / "api.md"
DESCRIPTION = Path(__file__).parents[1] / "docs" / "openapi.json"
HEADING = """# The API

Every call by what it is about, with what it answers. A running server lets you try them at `/docs`; programs read
[openapi.json](openapi.json). Calls are signed with a [token](clients.md#tokens) as `Authorization: Bearer ...`. All
paths also work below `/fastapi`. What a refusal says is on the page of [errors](errors.md); 422 (a field is missing or
of the wrong type) is possible wherever something is sent. This page is made from the code by `make docs`.
"""


def api_page() -> str:
    """Return the whole page as markdown."""
    groups: dict[str, list[str]] = {}
    for path, operations in json.loads(DESCRIPTION.read_text())["paths"].items():
        for method, operation in operations.items():
            row = f"| `{method.upper()} {path}` | {_meaning(operation)} | {_answers(operation)} |"
            groups.setdefault(operation["tags"][0], []).append(row)
    sections = [
        "\n".join([f"## {tag.capitalize()}\n", "| call | does | answers |", "|---|---|---|", *rows, ""])
        for tag, rows in sorted(groups.items())
    ]
    return "\n".join([HEADING, *sections])


def _meaning(operation: dict[str, Any]) -> str:
    told = operation.get("description") or operation["summary"]
    return " ".join(told.partition("\n\n")[0].split()).replace("|", "\\|")


def _answers(operation: dict[str, Any]) -> str:
    return ", ".join(status for status in sorted(operation["responses"]) if status != "422")


if __name__ == "__main__":
    PAGE.write_text(api_page())
