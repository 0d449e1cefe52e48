"""No file uses a private name of a library, or its insides, except the modules for those that we need."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from tests.rules.sources import SOURCE, place, python_files, tree
from tests.support.tables import table

HAS_THOSE_OF_SQLALCHEMY = "store/engine/sqlalchemy_internals.py"
INSIDES = {
    "fastapi.dependencies": "api/fastapi_internals.py",
    "mcp.server.auth": "api/mcp/over_http.py",
    "mcp.server.streamable_http_manager": "api/mcp/over_http.py",
    "rapidocr": "adapters/parse/recognition/second_reader.py",
    "starlette.routing": "api/fastapi_internals.py",
    "uvicorn.config": "api/server/uvicorn_internals.py",
    "uvicorn.protocols": "api/server/uvicorn_internals.py",
    "uvicorn.server": "api/server/uvicorn_internals.py",
}
"""Public by name, but nobody promises to keep them. tests/unit/api/test_foreign_internals.py names what we use."""
DOCUMENTED = {
    "_exit": "ends a process that was forked without cleaning up after the one that it was forked from",
    "_fields": "the names of what a named tuple holds; the underscore keeps it apart from them",
    "_make": "makes a named tuple of a row; the underscore keeps it apart from the fields' names",
    "_mapping": "SQLAlchemy's row by the names of its columns; the underscore keeps it apart from them",
    "_replace": "a named tuple with other values; the underscore keeps it apart from the fields' names",
}


def is_private(name: object) -> bool:
    return (
        isinstance(name, str) and name.startswith("_") and name.isidentifier() and not name.startswith("__")
    )


def is_self(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and node.id == "self"


def uses(nodes: Sequence[ast.AST]) -> Iterator[tuple[int, str]]:
    """Yield the private names that are read, set, looked up by their text, or imported."""
    for node in nodes:
        if isinstance(node, ast.Attribute) and is_private(node.attr):
            yield node.lineno, node.attr
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("getattr", "setattr", "hasattr"):
            texts = [argument.value for argument in node.args if isinstance(argument, ast.Constant)]
            yield from ((node.lineno, str(text)) for text in texts if is_private(text))
        elif isinstance(node, ast.Import):
            parts = {part for alias in node.names for part in alias.name.split(".")}
            yield from ((node.lineno, part) for part in parts if is_private(part))
        elif isinstance(node, ast.ImportFrom):
            parts = {*(node.module or "").split("."), *(alias.name for alias in node.names)}
            yield from ((node.lineno, part) for part in parts if is_private(part))


def defined(nodes: Sequence[ast.AST]) -> set[str]:
    """Return the private names that a file defines: functions, classes, variables, fields of its own objects."""
    names: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and is_self(node.value):
            names.add(node.attr)
    return {name for name in names if is_private(name)}


def files_of_base_classes(nodes: Sequence[ast.AST]) -> Iterator[Path]:
    """Yield the files of ours with the base classes of these classes."""
    bases = {
        name.id
        for node in nodes
        if isinstance(node, ast.ClassDef)
        for base in node.bases
        for name in ast.walk(base)
        if isinstance(name, ast.Name)
    }
    for node in nodes:
        if not isinstance(node, ast.ImportFrom) or not (node.module or "").startswith("docagent."):
            continue
        if bases & {alias.asname or alias.name for alias in node.names}:
            found = SOURCE.joinpath(*str(node.module).split(".")[1:])
            yield found / "__init__.py" if found.is_dir() else found.with_suffix(".py")


@cache
def nodes_of(path: Path) -> Sequence[ast.AST]:
    return list(ast.walk(tree(path)))


@cache
def own_names(path: Path) -> frozenset[str]:
    """Return the private names that a file defines or inherits from classes of ours."""
    inherited = [own_names(base) for base in files_of_base_classes(nodes_of(path)) if base != path]
    return frozenset(defined(nodes_of(path))).union(*inherited)


def foreign_names(path: Path) -> Iterator[tuple[int, str]]:
    return ((line, name) for line, name in uses(nodes_of(path)) if name not in own_names(path))


def test_no_file_uses_a_private_name_that_it_does_not_define() -> None:
    found = [
        f"{place(path)}:{line} uses {name}, which belongs to another module: use its public face"
        for path in python_files()
        if place(path) != HAS_THOSE_OF_SQLALCHEMY
        for line, name in foreign_names(path)
        if name not in DOCUMENTED
    ]
    assert found == []


def modules_imported(path: Path) -> Iterator[str]:
    for node in nodes_of(path):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def test_the_insides_of_a_library_are_used_in_one_module() -> None:
    found = [
        f"{place(path)} imports {module}: use what {fence} makes of it"
        for path in python_files()
        for module in modules_imported(path)
        for inside, fence in INSIDES.items()
        if f"{module}.".startswith(f"{inside}.") and place(path) != fence
    ]
    assert found == []


def test_only_the_fences_derive_from_classes_of_the_server() -> None:
    deriving = {
        place(path)
        for path in python_files()
        for node in nodes_of(path)
        if isinstance(node, ast.ClassDef)
        for base in node.bases
        if isinstance(base, ast.Attribute) and getattr(base.value, "id", "") == "uvicorn"
    }
    assert deriving == {"api/server/uvicorn_internals.py"}


def test_nothing_in_the_list_of_documented_names_is_left_over() -> None:
    found = {name for path in python_files() for _, name in foreign_names(path)}
    assert found & set(DOCUMENTED) == set(DOCUMENTED)


def test_no_private_function_waits_for_another_library_to_call_it() -> None:
    """A private function that no file of ours uses is left over, or a library calls it by its private name."""
    named = {name for path in python_files() for _, name in uses(nodes_of(path))}
    named |= {n.id for path in python_files() for n in nodes_of(path) if isinstance(n, ast.Name)}
    waiting = [
        f"{place(path)}:{node.lineno} defines {node.name}, which nobody calls"
        for path in python_files()
        if place(path) != HAS_THOSE_OF_SQLALCHEMY
        for node in nodes_of(path)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and is_private(node.name)
        if not node.decorator_list and node.name not in named
    ]
    assert waiting == []


@table(
    "line",
    [
        "server._serving",
        "asyncio.get_running_loop()._ready",
        "asyncio.get_running_loop()._ready = None",
        "getattr(request, '_body', None)",
        "from uvicorn._types import ASGI3Application",
        "import uvicorn._types",
        "from pydantic import _internal",
        "class Request(starlette.Request):\n    def body(self):\n        return self._stream",
    ],
)
def test_a_private_name_of_another_library_is_found(line: str) -> None:
    nodes = list(ast.walk(ast.parse(line)))
    assert [name for _, name in uses(nodes) if name not in defined(nodes)]
