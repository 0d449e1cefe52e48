"""Checks whether this is a draft 7 schema, and whether a value fits it. Nothing is fetched, nothing hangs.

Every schema is read as draft 7, whatever `$schema` says, because that is the draft the API promises. `format`
is not asserted in values. A `$ref` may point into the schema itself, into resources handed over in memory, or
to the draft 7 meta-schema.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Any, cast

from jsonschema_rs import (
    Draft7,
    Draft7Validator,
    FancyRegexOptions,
    Registry,
    ValidationError,
    ValidationErrorKind,
)

from docagent.domain.errors import InvalidInput
from docagent.domain.field_path import ROOT, FieldPath
from docagent.domain.problem import Problem
from docagent.jsonschema.evaluation import MOST_REPEATS, EvaluationGraph, ReferenceLoop
from docagent.jsonschema.limits import INSTANCE_LIMITS, SCHEMA_LIMITS, limit_problem
from docagent.jsonschema.messages import problem_of
from docagent.jsonschema.problems import path_order, show
from docagent.jsonschema.references import Reference, References

_META_SCHEMA = {"$ref": "http://json-schema.org/draft-07/schema#"}
_MOST_ERRORS = 1_000
_PATTERNS = FancyRegexOptions(backtrack_limit=100_000, size_limit=10_000_000, dfa_size_limit=10_000_000)
_TOO_MANY_BRANCHES = (
    "This schema branches too much to check this value; use fewer anyOf, oneOf or allOf inside one another"
)


class InvalidSchema(InvalidInput):
    """The schema itself is wrong; `problems` lists everything that is wrong with it."""

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__(str(problems[0]))
        self.problems = problems


class SchemaValidator:
    """A schema prepared for checking values. Raises InvalidSchema if the schema is not usable."""

    def __init__(
        self,
        schema: object,
        *,
        resources: Mapping[str, object] | None = None,
        check_formats: bool = False,
    ) -> None:
        problems = check_form(schema)
        if problems:
            raise InvalidSchema(problems)
        references = References(schema, resources)
        self._validator = _compile(schema, references, resources, check_formats)
        try:
            self._graph = EvaluationGraph(schema, references)
        except ReferenceLoop as loop:
            raise InvalidSchema([_loop_problem(references, loop)]) from None

    def errors(self, instance: object) -> list[Problem]:
        """Return everything that is wrong with a value, sorted by place. An empty list means that it fits."""
        problem = limit_problem(instance, "value", INSTANCE_LIMITS)
        if problem is not None:
            return [problem]
        if self._graph.repeats(instance) > MOST_REPEATS:
            return [Problem(ROOT, _TOO_MANY_BRANCHES)]
        return _check_values(self._validator, instance)

    def is_valid(self, instance: object) -> bool:
        return not self.errors(instance)


def check_schema(schema: object) -> list[Problem]:
    """Return every reason why this is not a draft 7 schema that we can use. An empty list means that it is."""
    try:
        SchemaValidator(schema)
    except InvalidSchema as error:
        return error.problems
    return []


def check_form(schema: object) -> list[Problem]:
    """Return every reason why this is not written like a draft 7 schema. Does not follow `$ref`."""
    problem = limit_problem(schema, "schema", SCHEMA_LIMITS)
    return [problem] if problem is not None else _check_values(_meta_validator, schema)


def _compile(
    schema: object,
    references: References,
    resources: Mapping[str, object] | None,
    check_formats: bool,
) -> Draft7Validator:
    registry = Registry(cast("Any", list(resources.items())), draft=Draft7) if resources else None
    try:
        return Draft7Validator(
            cast("Any", schema),
            registry=registry,
            offline=True,
            pattern_options=_PATTERNS,
            validate_formats=check_formats,
        )
    except ValidationError as error:
        if isinstance(error.kind, ValidationErrorKind.Referencing):
            raise InvalidSchema(_reference_problems(references, error)) from None
        raise InvalidSchema([problem_of(error, schema)]) from None


def _check_values(validator: Draft7Validator, instance: object) -> list[Problem]:
    errors = islice(validator.iter_errors(instance), _MOST_ERRORS)
    problems = [problem_of(error, instance) for error in errors]
    problems.sort(key=lambda problem: (path_order(problem.path), problem.message))
    if len(problems) == _MOST_ERRORS:
        problems.append(Problem(ROOT, f"Only the first {_MOST_ERRORS} errors are listed"))
    return problems


def _reference_problems(references: References, error: ValidationError) -> list[Problem]:
    missing = [reference for reference in references if references.target(reference) is None]
    if not missing:
        return [Problem(ROOT, f"A $ref cannot be followed: {error.message}")]
    missing.sort(key=lambda reference: path_order(reference.path))
    return [Problem(FieldPath(reference.path), _missing_text(reference)) for reference in missing]


def _missing_text(reference: Reference) -> str:
    if reference.is_local:
        return (
            f"{show(reference.text)} points to nothing in this schema; "
            "add it under 'definitions' or correct the name"
        )
    return (
        f"{show(reference.text)} points outside this schema and is never fetched; copy it into 'definitions' "
        "and refer to it as '#/definitions/<name>'"
    )


def _loop_problem(references: References, loop: ReferenceLoop) -> Problem:
    path = min(
        (reference.path for reference in references if reference.text in loop.references),
        key=path_order,
        default=(),
    )
    return Problem(
        FieldPath(path),
        f"{show(loop.references[0])} leads back to itself without going deeper into the value; "
        "let it pass through a property or an item",
    )


_meta_validator = Draft7Validator(_META_SCHEMA, offline=True, validate_formats=True)
