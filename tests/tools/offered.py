"""What models are offered, tool by tool and byte by byte: `make tools` rewrites the file."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from docagent.domain.turns.tools import Tool
from docagent.tools.registry import all_tools, project_tools

WRITTEN_DOWN = Path(__file__).with_name("offered.json")


def offered() -> str:
    lists = {
        "document": _shown(all_tools(web_search=True)),
        "project": _shown(project_tools(web_search=True)),
    }
    return json.dumps(lists, indent=1, ensure_ascii=False) + "\n"


def _shown(tools: Sequence[Tool]) -> list[dict[str, Any]]:
    return [
        {
            "name": tool.name,
            "access": tool.access,
            "description": tool.spec.description,
            "parameters": tool.spec.parameters,
        }
        for tool in tools
    ]


if __name__ == "__main__":
    WRITTEN_DOWN.write_text(offered())
