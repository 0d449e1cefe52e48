"""The source files as the rules read them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "docagent"


def python_files() -> list[Path]:
    return sorted(SOURCE.rglob("*.py"))


def place(path: Path) -> str:
    return path.relative_to(SOURCE).as_posix()


def functions_around(tree: ast.AST, name: str = "") -> Iterator[tuple[str, ast.AST]]:
    """Every node with the name of the function it is in, such as `Tx.across`; empty at the top of a module."""
    for node in ast.iter_child_nodes(tree):
        inner = name
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            inner = f"{name}.{node.name}".lstrip(".")
        yield inner, node
        yield from functions_around(node, inner)


def calls_of(attribute: str, module: str | None = None) -> Iterator[str]:
    """`file:function` for every call of a method with this name, or of the module's function."""
    for path in python_files():
        for function, node in functions_around(ast.parse(path.read_text())):
            called = node.func if isinstance(node, ast.Call) else None
            if not isinstance(called, ast.Attribute) or called.attr != attribute:
                continue
            if module is None or getattr(called.value, "id", None) == module:
                yield f"{place(path)}:{function}"
