"""Makes problems of the validator's errors, with the wording of Python's jsonschema."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jsonschema_rs import ValidationError, ValidationErrorKind

from docagent.domain.field_path import FieldPath, step_into
from docagent.domain.problem import Problem
from docagent.jsonschema.problems import show, show_all

_HOLDS_NAMES = frozenset({"properties", "patternProperties", "definitions", "$defs", "dependencies"})


def problem_of(error: ValidationError, root: object) -> Problem:
    """Say what is wrong, in one short sentence and for programs. `root` is the whole value that was checked."""
    kind, path, keyword = error.kind, _path_of(error, root), error.kind.name
    expected = None if isinstance(kind, _ASK_FOR_NO_VALUE) else _detail(kind)
    if isinstance(kind, _KINDS.PropertyNames):
        said = problem_of(kind.error, kind.error.instance).message
    elif isinstance(kind, _KINDS.FalseSchema) and _last_keyword(error) == "additionalProperties":
        closed = path.get(root)
        keyword, expected = "additionalProperties", list(closed) if isinstance(closed, dict) else []
        said = _unexpected("properties", expected)
    elif isinstance(kind, _KINDS.AdditionalProperties):
        said = _unexpected("properties", kind.unexpected)
    elif isinstance(kind, _KINDS.AdditionalItems) and isinstance(error.instance, list):
        said = _unexpected("items", error.instance[kind.limit :])
    elif isinstance(kind, _KINDS.Required) and _last_keyword(error) == "dependencies":
        keyword = "dependencies"
        said = f"{show(kind.property)} is a dependency of a property that is present"
    else:
        said = _fill_template(error)
    return Problem(path, said, keyword, expected[:_MOST_EXPECTED] if isinstance(expected, list) else expected)


def _path_of(error: ValidationError, root: object) -> FieldPath:
    """Return where an error is. The validator leaves out empty names, and takes names of digits for positions."""
    steps = [str(step) for step in error.instance_path]
    return FieldPath(_steps_to(error.instance, steps, root) or error.instance_path)


def _steps_to(
    value: object, steps: list[str], node: object, *, doubtful: bool = False
) -> tuple[str | int, ...] | None:
    """Return the steps from a node to the value. Where an empty name may have been left out, the value decides."""
    doubtful |= isinstance(node, dict) and "" in node
    if not steps and (not doubtful or node == value):
        return ()
    for left_out in (0, 1):
        found = step_into(node, "" if left_out else steps[0]) if left_out or steps else None
        if found is not None:
            rest = _steps_to(value, steps[1 - left_out :], found[1], doubtful=doubtful)
            if rest is not None:
                return (found[0], *rest)
    return None


def _unexpected(noun: str, values: Sequence[object]) -> str:
    verb = "was" if len(values) == 1 else "were"
    return f"Additional {noun} are not allowed ({show_all(values)} {verb} unexpected)"


def _last_keyword(error: ValidationError) -> str | None:
    """Return the keyword that an error's path ends in, or None if it ends in a name that the schema defines."""
    keyword: str | None = None
    is_name = False
    for part in error.schema_path:
        keyword = part if isinstance(part, str) and not is_name else None
        is_name = keyword in _HOLDS_NAMES
    return keyword


def _detail(kind: object) -> Any:
    """Return what the keyword asks for: each kind of error has one value besides its name, or none."""
    names = getattr(kind, "__match_args__", ())
    return getattr(kind, names[-1]) if names else None


def _fill_template(error: ValidationError) -> str:
    detail = _detail(error.kind)
    at_edge = _TEMPLATES_AT_EDGE.get((type(error.kind), detail)) if isinstance(detail, int) else None
    template = at_edge or _TEMPLATES.get(type(error.kind))
    if template is None:
        return error.message
    details = show_all(detail) if isinstance(detail, list) else ""
    return template.format(value=show(error.instance), detail=show(detail), details=details)


_KINDS = ValidationErrorKind
_ASK_FOR_NO_VALUE = (
    _KINDS.AnyOf,
    _KINDS.OneOfNotValid,
    _KINDS.OneOfMultipleValid,
    _KINDS.PropertyNames,
    _KINDS.Not,
    _KINDS.BacktrackLimitExceeded,
    _KINDS.RegexEngineFailure,
)
"""What these carry are other errors, or a schema."""
_MOST_EXPECTED = 50
"""Only the first of many choices are reported: a problem is kept for each value that is none of them."""
_NO_BRANCH = "{value} is not valid under any of the given schemas"
_GAVE_UP = "{value} could not be checked: the pattern takes too many steps; write a simpler pattern"
_TEMPLATES: dict[type, str] = {
    _KINDS.Type: "{value} is not of type {details}",
    _KINDS.Required: "{detail} is a required property",
    _KINDS.Enum: "{value} is not one of {detail}",
    _KINDS.Constant: "{detail} was expected",
    _KINDS.AnyOf: _NO_BRANCH,
    _KINDS.OneOfNotValid: _NO_BRANCH,
    _KINDS.OneOfMultipleValid: "{value} is valid under more than one of the given schemas",
    _KINDS.Not: "{value} should not be valid under {detail}",
    _KINDS.FalseSchema: "False schema does not allow {value}",
    _KINDS.Contains: "None of {value} are valid under the given schema",
    _KINDS.UniqueItems: "{value} has non-unique elements",
    _KINDS.Pattern: "{value} does not match {detail}",
    _KINDS.Format: "{value} is not a {detail}",
    _KINDS.MultipleOf: "{value} is not a multiple of {detail}",
    _KINDS.Minimum: "{value} is less than the minimum of {detail}",
    _KINDS.Maximum: "{value} is greater than the maximum of {detail}",
    _KINDS.ExclusiveMinimum: "{value} is less than or equal to the minimum of {detail}",
    _KINDS.ExclusiveMaximum: "{value} is greater than or equal to the maximum of {detail}",
    _KINDS.MinLength: "{value} is too short",
    _KINDS.MinItems: "{value} is too short",
    _KINDS.MaxLength: "{value} is too long",
    _KINDS.MaxItems: "{value} is too long",
    _KINDS.MinProperties: "{value} does not have enough properties",
    _KINDS.MaxProperties: "{value} has too many properties",
    _KINDS.BacktrackLimitExceeded: _GAVE_UP,
    _KINDS.RegexEngineFailure: _GAVE_UP,
}
_TEMPLATES_AT_EDGE: dict[tuple[type, int], str] = {
    (_KINDS.MinLength, 1): "{value} should be non-empty",
    (_KINDS.MinItems, 1): "{value} should be non-empty",
    (_KINDS.MinProperties, 1): "{value} should be non-empty",
    (_KINDS.MaxLength, 0): "{value} is expected to be empty",
    (_KINDS.MaxItems, 0): "{value} is expected to be empty",
    (_KINDS.MaxProperties, 0): "{value} is expected to be empty",
}
