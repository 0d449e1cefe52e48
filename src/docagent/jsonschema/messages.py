"""Puts the validator's structured errors into words, with the wording of Python's jsonschema."""

from __future__ import annotations

from collections.abc import Sequence

from jsonschema_rs import ValidationError, ValidationErrorKind

from docagent.jsonschema.problems import show, show_all

_HOLDS_NAMES = frozenset({"properties", "patternProperties", "definitions", "$defs", "dependencies"})


def message_for(error: ValidationError, root: object) -> str:
    """Say what is wrong in one short sentence. `root` is the whole value that was checked."""
    kind = error.kind
    if isinstance(kind, ValidationErrorKind.FalseSchema) and _last_keyword(error) == "additionalProperties":
        closed = _value_at(root, error.instance_path)
        if isinstance(closed, dict):
            return _unexpected("properties", list(closed))
    if isinstance(kind, ValidationErrorKind.AdditionalProperties):
        return _unexpected("properties", kind.unexpected)
    if isinstance(kind, ValidationErrorKind.AdditionalItems) and isinstance(error.instance, list):
        return _unexpected("items", error.instance[kind.limit :])
    if isinstance(kind, ValidationErrorKind.Required) and _last_keyword(error) == "dependencies":
        return f"{show(kind.property)} is a dependency of a property that is present"
    if isinstance(kind, ValidationErrorKind.PropertyNames):
        return message_for(kind.error, kind.error.instance)
    return _fill_template(error)


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


def _value_at(root: object, path: Sequence[str | int]) -> object:
    for part in path:
        if isinstance(root, dict) and isinstance(part, str):
            root = root.get(part)
        elif isinstance(root, list) and isinstance(part, int) and part < len(root):
            root = root[part]
        else:
            return None
    return root


def _fill_template(error: ValidationError) -> str:
    detail: object = None
    for name in getattr(error.kind, "__match_args__", ()):
        detail = getattr(error.kind, name)
    at_edge = _TEMPLATES_AT_EDGE.get((type(error.kind), detail)) if isinstance(detail, int) else None
    template = at_edge or _TEMPLATES.get(type(error.kind))
    if template is None:
        return error.message
    details = show_all(detail) if isinstance(detail, list) else ""
    return template.format(value=show(error.instance), detail=show(detail), details=details)


_KINDS = ValidationErrorKind
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
