"""Reads the source files for the tests of rules."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "docagent"


def python_files() -> list[Path]:
    return sorted(SOURCE.rglob("*.py"))


def place(path: Path) -> str:
    return path.relative_to(SOURCE).as_posix()


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


@cache
def nodes(path: Path) -> list[tuple[str, ast.AST]]:
    """Return every node of a file with the name of its function, such as `Tx.across`; empty at the top of the file."""
    found: list[tuple[str, ast.AST]] = []
    waiting: list[tuple[str, ast.AST]] = [("", tree(path))]
    while waiting:
        name, parent = waiting.pop()
        for node in ast.iter_child_nodes(parent):
            inner = name
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                inner = f"{name}.{node.name}".lstrip(".")
            found.append((inner, node))
            waiting.append((inner, node))
    return found


def calls_of(attribute: str, module: str | None = None) -> Iterator[str]:
    """Yield `file:function` for every call of a method, or of a function of the module, with this name."""
    for path in python_files():
        for function, node in nodes(path):
            called = node.func if isinstance(node, ast.Call) else None
            if not isinstance(called, ast.Attribute) or called.attr != attribute:
                continue
            if module is None or getattr(called.value, "id", None) == module:
                yield f"{place(path)}:{function}"
