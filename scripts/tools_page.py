"""Writes the tables of the page of tools from the code: `make tools`. The rest of the page is written by hand.

A table stands below a comment that names the modules of its tools: `<!-- tools: tags -->` for what the tools take and
return, `<!-- writes: tags -->` for what their previews show and what undo does.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from docagent.tools.base import AgentTool, ReadTool, WriteTool
from docagent.tools.registry import DOCUMENT_TOOLS, PROGRAM_TOOLS, PROJECT_TOOLS

PAGE = Path(__file__).parents[1] / "docs" / "tools.md"
EVERY_TOOL = tuple(dict.fromkeys((*DOCUMENT_TOOLS, *PROJECT_TOOLS, *PROGRAM_TOOLS)))
_TABLE = re.compile(r"(<!-- (tools|writes): ([a-z_ ]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def tools_page(written: str) -> str:
    """Return the page with new tables. Raises ValueError if a tool is missing from them."""
    _check_complete(written)
    return _TABLE.sub(
        lambda found: found[1] + _table(found[2], found[3].split()) + found[4],
        written,
    )


def _check_complete(written: str) -> None:
    shown = {(kind, module) for _, kind, modules, _ in _TABLE.findall(written) for module in modules.split()}
    for tool in EVERY_TOOL:
        module = _module(tool)
        for kind in ("tools", "writes") if issubclass(tool, WriteTool) else ("tools",):
            if (kind, module) not in shown:
                raise ValueError(
                    f"docs/tools.md has no place for {tool.name}: add <!-- {kind}: {module} --> and <!-- end -->."
                )


def _table(kind: str, modules: Sequence[str]) -> str:
    tools = [tool for tool in EVERY_TOOL if _module(tool) in modules]
    if kind == "tools":
        return _rows(
            ("tool", "class", "parameters", "example", "returns"),
            (
                (
                    f"`{tool.name}`",
                    "reads" if issubclass(tool, ReadTool) else "writes",
                    _parameters(tool),
                    f"`{tool.example}`",
                    tool.returns,
                )
                for tool in tools
            ),
        )
    writes = [tool for tool in tools if issubclass(tool, WriteTool)]
    return _rows(
        ("write", "preview", "undo"), ((f"`{tool.name}`", tool.previews, tool.undoes) for tool in writes)
    )


def _module(tool: type[AgentTool[Any]]) -> str:
    return tool.__module__.rpartition(".")[2]


def _parameters(tool: type[AgentTool[Any]]) -> str:
    required = tool.parameters.get("required", ())
    return ", ".join(f"**{name}**" if name in required else name for name in tool.parameters["properties"])


def _rows(heading: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [heading, *rows]
    shown = [f"| {' | '.join(line)} |\n".replace("|  |", "| |") for line in lines]
    return "".join([shown[0], "|---" * len(heading) + "|\n", *shown[1:]])


if __name__ == "__main__":
    PAGE.write_text(tools_page(PAGE.read_text()))
