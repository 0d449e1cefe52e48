"""No tool is missing from the registry, and everything that is made from the registry is up to date."""

from __future__ import annotations

import inspect
import pkgutil
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest
from scripts.tools_page import PAGE, tools_page

from docagent import tools
from docagent.tools.base import AgentTool
from docagent.tools.registry import DOCUMENT_TOOLS, PROGRAM_TOOLS, PROJECT_TOOLS
from tests.tools.offered import WRITTEN_DOWN, offered


def test_every_tool_is_in_the_registry() -> None:
    for module in pkgutil.walk_packages(tools.__path__, "docagent.tools."):
        import_module(module.name)
    forgotten = set(concrete(AgentTool)) - {*DOCUMENT_TOOLS, *PROJECT_TOOLS, *PROGRAM_TOOLS}
    assert not forgotten, f"add to registry.py: {forgotten}"


def test_the_tables_of_the_page_are_up_to_date() -> None:
    written = PAGE.read_text()
    assert written == tools_page(written), "run: make tools"


def test_a_tool_that_has_no_place_on_the_page_is_named() -> None:
    written = PAGE.read_text()
    with pytest.raises(
        ValueError, match=r"no place for create_tag: add <!-- writes: tags --> and <!-- end -->"
    ):
        tools_page(written.replace("<!-- writes: tags -->", ""))
    with pytest.raises(ValueError, match=r"no place for help_schemas: add <!-- tools: help -->"):
        tools_page(written.replace("<!-- tools: help -->", ""))


def test_what_models_are_offered_is_what_is_written_down() -> None:
    """This test fails if models see anything new. Look at the difference before you commit it."""
    assert WRITTEN_DOWN.read_text() == offered(), "run: make tools"


def concrete(cls: type[Any]) -> Iterator[type[Any]]:
    for inner in cls.__subclasses__():
        if not inspect.isabstract(inner):
            yield inner
        yield from concrete(inner)
