"""Which 4xx answers each route can give, read from the code that it runs: `python -m scripts.refusals`.

An error counts for a route if a function that the route calls, directly or through others, makes one of its class and
no `except` on the way catches it. Calls are followed where annotations say what is called. What lies behind a port
is not seen; `BEHIND_PORTS` names it.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import textwrap
import types
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from http import HTTPStatus
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import orjson
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute

from docagent.api.app import ROUTES
from docagent.api.errors import MODEL_STATUS, STATUS, TURN_STATUS, turn_failed
from docagent.api.refusals import FILE
from docagent.domain.egress import OutgoingHttp
from docagent.domain.errors import DocAgentError, InvalidInput, ReadFailed
from docagent.domain.models.llm import Model, ModelError
from docagent.domain.ports import FileReader

ROOT = "docagent"
Errors = frozenset[type[DocAgentError]]
NONE: Errors = frozenset()
BEHIND_PORTS: dict[Any, Errors] = {
    FileReader: frozenset({ReadFailed}),
    Model: frozenset({ModelError}),
    OutgoingHttp: frozenset({InvalidInput}),
}


def all_refusals() -> dict[str, list[int]]:
    """The statuses of each route that is in the description, by the name of its operation."""
    routes = list(_routes())
    errors = _solved(function for route in routes for function in _called(route.dependant))
    return {route.name: sorted(_statuses(route, errors)) for route in routes}


def written() -> bytes:
    return orjson.dumps(all_refusals(), option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS) + b"\n"


def _routes() -> Iterator[APIRoute]:
    for module in ROUTES:
        for route in module.router.routes:
            if isinstance(route, APIRoute) and route.include_in_schema:
                yield route


def _statuses(route: APIRoute, errors: Mapping[Any, Errors]) -> set[int]:
    statuses: set[int] = set()
    for error in frozenset().union(*(errors[function] for function in _called(route.dependant))):
        if issubclass(error, ModelError):
            statuses |= set(MODEL_STATUS.values())
        else:
            statuses |= {STATUS[kind] for kind in error.__mro__ if kind in STATUS}
    if _ends_with_turn(route.endpoint):
        statuses |= set(TURN_STATUS.values())
    if route.body_field is not None:
        statuses |= {HTTPStatus.BAD_REQUEST, HTTPStatus.REQUEST_ENTITY_TOO_LARGE}
    return {int(status) for status in statuses if 400 <= status < 500}


def _called(dependant: Dependant) -> Iterator[Any]:
    if _is_ours(dependant.call):
        yield dependant.call
    for inner in dependant.dependencies:
        yield from _called(inner)


def _ends_with_turn(function: Any) -> bool:
    """Whether the answer may be the error of a turn, in the function itself or in one that it calls."""
    called = set(_functions(_steps(function)))
    return any(turn_failed in (one, *_functions(_steps(one))) for one in called)


# --- what functions do ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Guarded:
    """Steps whose errors of some classes are caught."""

    steps: tuple[Any, ...]
    caught: tuple[type, ...]


def _solved(functions: Iterable[Any]) -> dict[Any, Errors]:
    """The errors of the functions and of all that they call. Functions may call one another in circles."""
    known: dict[Any, Errors] = dict.fromkeys(functions, NONE)
    changed = True
    while changed:
        changed = False
        for function in list(known):
            steps = _steps(function)
            for called in _functions(steps):
                if called not in known:
                    known[called], changed = NONE, True
            found = _errors(steps, known)
            if found != known[function]:
                known[function], changed = found, True
    return known


def _errors(steps: Iterable[Any], known: Mapping[Any, Errors]) -> Errors:
    found: set[type[DocAgentError]] = set()
    for step in steps:
        if isinstance(step, Guarded):
            found |= {error for error in _errors(step.steps, known) if not issubclass(error, step.caught)}
        else:
            found |= {step} if isinstance(step, type) else known[step]
    return frozenset(found)


def _functions(steps: Iterable[Any]) -> Iterator[Any]:
    for step in steps:
        if isinstance(step, Guarded):
            yield from _functions(step.steps)
        elif not inspect.isclass(step):
            yield step


def _is_ours(function: Any) -> bool:
    return (
        inspect.isfunction(function)
        and function.__module__.startswith(ROOT)
        and function.__code__.co_filename != "<string>"  # made by `dataclass`
    )


@cache
def _steps(function: Any) -> tuple[Any, ...]:
    """The errors that a function makes and the functions of ours that it calls."""
    return tuple(_Reading(function).steps(_body(function)))


def _body(function: Any) -> list[ast.stmt]:
    (tree,) = ast.parse(textwrap.dedent(inspect.getsource(inspect.unwrap(function)))).body
    return tree.body if isinstance(tree, ast.FunctionDef | ast.AsyncFunctionDef) else []


class _Type:
    """Something of which only the class is known."""

    def __init__(self, cls: Any) -> None:
        self.cls = cls


class _Reading:
    """Reads one function: what its names stand for, and what its statements do."""

    def __init__(self, function: Any) -> None:
        function = inspect.unwrap(function)
        self._names = {**vars(builtins), **function.__globals__}
        self._types = dict(_hints(function))
        owner = _owner(function)
        if owner is not None:
            self._types["self"] = owner

    def steps(self, nodes: Iterable[ast.AST]) -> Iterator[Any]:
        for node in nodes:
            if isinstance(node, ast.Try):
                handlers = [handler for handler in node.handlers if not _raises_again(handler)]
                caught = tuple(cls for handler in handlers for cls in self._classes(handler.type))
                yield Guarded(tuple(self.steps(node.body)), caught)
                yield from self.steps([*node.handlers, *node.orelse, *node.finalbody])
                continue
            yield from self.steps(ast.iter_child_nodes(node))
            if isinstance(node, ast.Call):
                yield from self._call(self.value(node.func))

    def _call(self, called: Any) -> Iterator[Any]:
        if inspect.isclass(called) and issubclass(called, DocAgentError):
            yield called
            return
        if inspect.isclass(called):
            called = vars(called).get("__init__")
        if _is_ours(called):
            yield called
            yield from BEHIND_PORTS.get(_owner(called), ())

    def _classes(self, node: ast.expr | None) -> list[type]:
        parts = node.elts if isinstance(node, ast.Tuple) else [node] if node is not None else []
        found = [self.value(part) for part in parts]
        return [cls for cls in found if inspect.isclass(cls)]

    def value(self, node: ast.expr) -> Any:
        """What an expression stands for: an object, a `_Type`, or None where it is not known."""
        match node:
            case ast.Name():
                hinted = self._types.get(node.id)
                return _Type(hinted) if hinted is not None else self._names.get(node.id)
            case ast.Attribute():
                return _attribute(self.value(node.value), node.attr)
            case ast.Await():
                return self.value(node.value)
            case ast.Call():
                called = self.value(node.func)
                if inspect.isclass(called):
                    return _Type(called)
                hinted = _hints(called).get("return") if inspect.isfunction(called) else None
                return _Type(hinted) if hinted is not None else None
        return None


def _raises_again(handler: ast.ExceptHandler) -> bool:
    return any(isinstance(node, ast.Raise) and node.exc is None for node in ast.walk(handler))


# --- classes ----------------------------------------------------------------------------------------------------------


def _attribute(base: Any, name: str) -> Any:
    if not isinstance(base, _Type):
        return getattr(base, name, None) if inspect.ismodule(base) or inspect.isclass(base) else None
    found = getattr(base.cls, name, None)
    if isinstance(found, property):
        hinted = _hints(found.fget).get("return")
        return _Type(hinted) if hinted is not None else None
    if inspect.isfunction(found):
        return found
    hinted = _fields(base.cls).get(name)
    return _Type(hinted) if hinted is not None else None


@cache
def _fields(cls: Any) -> dict[str, Any]:
    """The classes of the attributes of a class, by its annotations and by what `__init__` is given."""
    if not isinstance(cls, type):
        return {}
    found = dict(_hints(cls))
    start = vars(cls).get("__init__")
    if _is_ours(start):
        given = _hints(start)
        for node in ast.walk(ast.Module(_body(start), [])):
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Attribute):
                value = node.value
                if isinstance(value, ast.Name) and value.id in given:
                    found[node.targets[0].attr] = given[value.id]
                elif isinstance(value, ast.Call) and (made := _Reading(start).value(value)) is not None:
                    found[node.targets[0].attr] = made.cls if isinstance(made, _Type) else made
    for base in cls.__bases__:
        found = {**_fields(base), **found}
    return found


@cache
def _owner(function: Any) -> Any:
    """The class that a method is of."""
    holder: Any = inspect.getmodule(function)
    parts = function.__qualname__.split(".")[:-1]
    for part in parts:
        holder = getattr(holder, part, None)
    return holder if parts and inspect.isclass(holder) else None


@cache
def _hints(annotated: Any) -> dict[str, Any]:
    try:
        hints = get_type_hints(annotated)
    except (NameError, TypeError, AttributeError):  # names that only the type checker imports
        return {}
    return {name: _plain(hint) for name, hint in hints.items()}


def _plain(hint: Any) -> Any:
    """The one class that a hint names, without what it may be beside it."""
    if get_origin(hint) is Annotated:
        return _plain(get_args(hint)[0])
    if get_origin(hint) in (Union, types.UnionType):
        named = [part for part in get_args(hint) if part is not type(None)]
        return _plain(named[0]) if len(named) == 1 else None
    return get_origin(hint) or hint


if __name__ == "__main__":
    FILE.write_bytes(written())
