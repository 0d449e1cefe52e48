"""Tests wait for states, not for times: a busy machine takes longer, and a quick one need not wait."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.rules.sources import ROOT

TESTS = ROOT / "tests"
WAITS = {"sleep", "wait_for_timeout"}
MAY_PASS_TIME = {
    "support/polling.py": "let_time_pass, for what is about time itself",
    "support/provider.py": "the pauses of a provider that speaks slowly",
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


def test_time_passes_only_while_something_is_asked_again() -> None:
    found = {
        f"{path.relative_to(TESTS).as_posix()}:{call.lineno}"
        for path in TESTS.rglob("*.py")
        if "node_modules" not in path.parts and path.relative_to(TESTS).as_posix() not in MAY_PASS_TIME
        for call in waits(ast.parse(path.read_text()))
    }
    assert not found, (
        "wait for a state (tests/support/polling.py), or say let_time_pass where time is the case"
    )


def test_a_wait_is_seen() -> None:
    source = "async def test():\n    await asyncio.sleep(1)\n    while a():\n        time.sleep(1)\n"
    assert [call.lineno for call in waits(ast.parse(source))] == [2]
