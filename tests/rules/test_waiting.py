"""Tests wait for states, not for times: a busy machine takes longer, and a quick one need not wait."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator
from pathlib import Path

from hypothesis import HealthCheck, settings

from tests.rules.sources import ROOT

TESTS = ROOT / "tests"
WAITS = {"sleep", "wait_for_timeout"}
MAY_PASS_TIME = {
    "support/polling.py": "let_time_pass, for what is about time itself",
    "support/models/provider.py": "the pauses of a provider that speaks slowly",
}


def waits(node: ast.AST, *, asks_again: bool = False) -> Iterator[ast.Call]:
    """Yield the calls that let time pass outside a `while` loop. `sleep(0)`, which lets others go first, is allowed."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Call) and isinstance(child.func, ast.Attribute):
            lets_others_go_first = [ast.unparse(argument) for argument in child.args] == ["0"]
            if child.func.attr in WAITS and not asks_again and not lets_others_go_first:
                yield child
        is_function = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef)
        yield from waits(child, asks_again=(asks_again or isinstance(child, ast.While)) and not is_function)


def files() -> Iterator[tuple[str, str]]:
    """Yield the place and the text of every file, without those of node_modules, which are many."""
    for folder, inner, files in os.walk(TESTS):
        inner[:] = [name for name in inner if name != "node_modules"]
        for file in files:
            path = Path(folder, file)
            if path.suffix == ".py":
                yield path.relative_to(TESTS).as_posix(), path.read_text()


def test_time_passes_only_while_something_is_asked_again() -> None:
    found = {
        f"{place}:{call.lineno}"
        for place, text in files()
        if place not in MAY_PASS_TIME and any(f".{name}(" in text for name in WAITS)
        for call in waits(ast.parse(text))
    }
    assert not found, (
        "wait for a state (tests/support/polling.py), or say let_time_pass where time is the case"
    )


def test_examples_that_are_made_up_may_take_as_long_as_a_busy_machine_needs() -> None:
    assert settings().deadline is None
    assert HealthCheck.too_slow in settings().suppress_health_check


def test_a_wait_is_seen() -> None:
    source = "async def test():\n    await asyncio.sleep(1)\n    while a():\n        time.sleep(1)\n"
    assert [call.lineno for call in waits(ast.parse(source))] == [2]
