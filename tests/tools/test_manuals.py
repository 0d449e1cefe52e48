"""The manuals that the help tools return say what the code does."""

from __future__ import annotations

import json
import re

import pytest

from docagent.jsonschema.strict import check_strict
from docagent.tools.help import MANUALS, manual
from docagent.tools.registry import all_tools
from tests.support.tables import table
from tests.tools.desk import Desk

NAMES = ("schemas", "prompts")
BLOCK = re.compile(r"^```json( wrong)?\n(.*?)^```", re.MULTILINE | re.DOTALL)
BLOCKS = [
    (name, number, bool(found.group(1)), found.group(2))
    for name in NAMES
    for number, found in enumerate(BLOCK.finditer(manual(name)))
]
VERBS = ("get_", "list_", "create_", "update_", "delete_", "run_", "validate_", "help_")


@table(("name", "number", "wrong", "text"), BLOCKS)
def test_every_example_is_as_right_as_it_says(name: str, number: int, wrong: bool, text: str) -> None:
    report = check_strict(json.loads(text))
    assert report.valid is not wrong, report.errors


def test_the_manual_on_schemas_has_examples_of_both_kinds() -> None:
    kinds = [wrong for name, _, wrong, _ in BLOCKS if name == "schemas"]
    assert kinds.count(False) >= 3
    assert kinds.count(True) >= 4


@table("name", NAMES)
def test_a_manual_names_only_tools_that_exist_and_is_not_too_long(name: str) -> None:
    text = manual(name)
    assert 6_000 <= len(text.encode()) <= 12_000
    named = {word for word in re.findall(r"`([a-z_]+)`", text) if word.startswith(VERBS)}
    assert named <= {tool.name for tool in all_tools()}
    assert len(named) > 5


def test_every_manual_has_a_tool() -> None:
    assert {path.stem for path in MANUALS.glob("*.md")} == set(NAMES)


@pytest.mark.databases("sqlite")
async def test_the_help_tools_return_them(desk: Desk) -> None:
    for name in NAMES:
        assert await desk.call(f"help_{name}") == {"content": manual(name)}
