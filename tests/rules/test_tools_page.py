"""The manual's page on tools lists every tool as the code has it."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from docagent.domain.tools import Access, Tool
from docagent.tools.registry import all_tools, project_tools
from tests.rules.sources import ROOT

_DOCUMENT, _, _REST = (ROOT / "docs" / "tools.md").read_text().partition("\n## Projects\n")
_PROJECT = _REST.partition("\n## ")[0]
LISTS = pytest.mark.parametrize(
    ("page", "tools"), [(_DOCUMENT, all_tools()), (_PROJECT, project_tools())], ids=["document", "project"]
)
ROW = re.compile(r"^\| `([a-z_]+)` \| (reads|writes) \|([^|]*)\|", re.MULTILINE)
UNDO = re.compile(r"^\| `([a-z_]+)` \| (?!reads|writes)[^|]+ \| [^|]+ \|$", re.MULTILINE)


@LISTS
def test_every_tool_has_its_row_with_class_and_parameters(page: str, tools: Sequence[Tool]) -> None:
    written = {
        name: (access, set(re.findall(r"[a-z_]+", cut(given)))) for name, access, given in ROW.findall(page)
    }
    wanted = {
        tool.name: (
            "reads" if tool.access is Access.READ_ONLY else "writes",
            set(tool.spec.parameters["properties"]),
        )
        for tool in tools
    }
    assert written == wanted


@LISTS
def test_the_required_parameters_are_in_bold(page: str, tools: Sequence[Tool]) -> None:
    written = {name: set(re.findall(r"\*\*([a-z_]+)\*\*", given)) for name, _, given in ROW.findall(page)}
    assert written == {tool.name: set(tool.spec.parameters.get("required", ())) for tool in tools}


@LISTS
def test_every_write_says_what_its_preview_shows_and_what_undo_does(page: str, tools: Sequence[Tool]) -> None:
    writes = {tool.name for tool in tools if tool.access is Access.READ_WRITE}
    assert set(UNDO.findall(page)) == writes


def cut(given: str) -> str:
    """The names alone, without what is said about them in brackets."""
    return re.sub(r"\([^)]*\)", "", given)
