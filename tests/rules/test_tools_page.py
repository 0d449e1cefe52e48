"""The manual's page on tools lists every tool as the code has it."""

from __future__ import annotations

import re

from docagent.domain.tools import Access
from docagent.tools.registry import all_tools
from tests.rules.sources import ROOT

PAGE = (ROOT / "docs" / "tools.md").read_text()
ROW = re.compile(r"^\| `([a-z_]+)` \| (reads|writes) \|([^|]*)\|", re.MULTILINE)
UNDO = re.compile(r"^\| `([a-z_]+)` \| (?!reads|writes)[^|]+ \| [^|]+ \|$", re.MULTILINE)


def test_every_tool_has_its_row_with_class_and_parameters() -> None:
    written = {
        name: (access, set(re.findall(r"[a-z_]+", cut(given)))) for name, access, given in ROW.findall(PAGE)
    }
    wanted = {
        tool.name: (
            "reads" if tool.access is Access.READ_ONLY else "writes",
            set(tool.spec.parameters["properties"]),
        )
        for tool in all_tools()
    }
    assert written == wanted


def test_the_required_parameters_are_in_bold() -> None:
    written = {name: set(re.findall(r"\*\*([a-z_]+)\*\*", given)) for name, _, given in ROW.findall(PAGE)}
    assert written == {tool.name: set(tool.spec.parameters.get("required", ())) for tool in all_tools()}


def test_every_write_says_what_its_preview_shows_and_what_undo_does() -> None:
    writes = {tool.name for tool in all_tools() if tool.access is Access.READ_WRITE}
    assert set(UNDO.findall(PAGE)) == writes


def cut(given: str) -> str:
    """The names alone, without what is said about them in brackets."""
    return re.sub(r"\([^)]*\)", "", given)
