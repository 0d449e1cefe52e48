"""Checks whether this is a draft 7 schema, and whether a value fits it. Nothing is fetched, nothing hangs.

Every schema is read as draft 7, whatever `$schema` says, because that is the draft the API promises. `format`
is not asserted in values. A `$ref` may point into the schema itself, into resources handed over in memory, or
to the draft 7 meta-schema.
"""

from __future__ import annotations

import json
import marshal
import sys
from collections.abc import Mapping
from dataclasses import astuple
from itertools import islice
from typing import Any, cast

from jsonschema_rs import Draft7, Draft7Validator, Registry, ValidationError, ValidationErrorKind

from docagent.domain.errors import InvalidInput
from docagent.domain.field_path import ROOT, FieldPath
from docagent.domain.problem import Problem
from docagent.jsonschema.evaluation import ReferenceLoop, may_multiply
from docagent.jsonschema.limits import INSTANCE_LIMITS, SCHEMA_LIMITS, Size, size_within
from docagent.jsonschema.messages import problem_of
from docagent.jsonschema.patterns import Patterns
from docagent.jsonschema.problems import path_order, show
from docagent.jsonschema.processes import bind_this_process, in_process
from docagent.jsonschema.references import Reference, References

_META_SCHEMA = {"$ref": "http://json-schema.org/draft-07/schema#"}
_MOST_ERRORS = 1_000
_MOST_STEPS = 200_000
"""How many times a keyword may be tried on a value to find whether it fits, before that is done in a process."""
_MOST_STEPS_TO_TELL = 20_000
"""The same for finding everything that is wrong, which takes a hundred times as long."""
_CHARACTERS_PER_STEP = 50
_PATTERN_STEPS_PER_STEP = 100


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
        self._schema, self._size = schema, check_form(schema)
        self._options: dict[str, object] = {"resources": resources, "check_formats": check_formats}
        self._patterns = Patterns.of(schema)
        references = References(schema, resources)
        self._validator = _compile(schema, references, self._patterns, resources, check_formats)
        try:
            self._multiplies = may_multiply(schema, references)
        except ReferenceLoop as loop:
            raise InvalidSchema([_loop_problem(references, loop)]) from None

    def errors(self, instance: object) -> list[Problem]:
        """Return everything that is wrong with a value, sorted by place. An empty list means that it fits.

        Waits for a process where the check may be long: call it in a thread, or call the two parts of it.
        """
        found = self.errors_here(instance)
        return self.errors_in_process(instance) if found is None else found

    def errors_here(self, instance: object) -> list[Problem] | None:
        """Return what `errors` returns, or None where that may take long: nothing else runs in the meantime."""
        size = size_within(instance, "value", INSTANCE_LIMITS)
        if isinstance(size, Problem):
            return [size]
        steps = self._steps(size)
        if self._multiplies or self._patterns.backtrack or steps > _MOST_STEPS:
            return None
        if self._validator.is_valid(instance):
            return []
        return _all_errors(self._validator, instance) if steps <= _MOST_STEPS_TO_TELL else None

    def errors_in_process(self, instance: object) -> list[Problem]:
        """Return what `errors` returns, with a budget of processor time for a value that `errors_here` leaves."""
        return in_process(self._schema, self._options, instance)

    def all_errors(self, instance: object) -> list[Problem]:
        """Return what `errors` returns, without a budget: for a schema of our own."""
        size = size_within(instance, "value", INSTANCE_LIMITS)
        return [size] if isinstance(size, Problem) else _all_errors(self._validator, instance)

    def is_valid(self, instance: object) -> bool:
        return not self.errors(instance)

    def _steps(self, instance: Size) -> int:
        trials = self._size.values * (instance.values + instance.characters // _CHARACTERS_PER_STEP)
        return trials + self._patterns.states * instance.characters // _PATTERN_STEPS_PER_STEP


def check_schema(schema: object) -> list[Problem]:
    """Return every reason why this is not a draft 7 schema that we can use. An empty list means that it is."""
    try:
        SchemaValidator(schema)
    except InvalidSchema as error:
        return error.problems
    return []


def check_form(schema: object) -> Size:
    """Return the size of what is written like a draft 7 schema. Raises InvalidSchema. Does not follow `$ref`."""
    size = size_within(schema, "schema", SCHEMA_LIMITS)
    if isinstance(size, Problem):
        raise InvalidSchema([size])
    if problems := _all_errors(_meta_validator, schema):
        raise InvalidSchema(problems)
    return size


def check_for_parent() -> None:
    """Check what another process sent, and answer it: the other end of `in_process`."""
    bind_this_process()
    schema, options, instance = marshal.load(sys.stdin.buffer)
    problems = SchemaValidator(schema, **options).all_errors(instance)
    json.dump([astuple(problem) for problem in problems], sys.stdout)


def _compile(
    schema: object,
    references: References,
    patterns: Patterns,
    resources: Mapping[str, object] | None,
    check_formats: bool,
) -> Draft7Validator:
    registry = Registry(cast("Any", list(resources.items())), draft=Draft7) if resources else None
    try:
        return Draft7Validator(
            cast("Any", schema),
            registry=registry,
            offline=True,
            pattern_options=patterns.options,
            validate_formats=check_formats,
        )
    except ValidationError as error:
        if isinstance(error.kind, ValidationErrorKind.Referencing):
            raise InvalidSchema(_reference_problems(references, error)) from None
        raise InvalidSchema([problem_of(error, schema)]) from None


def _all_errors(validator: Draft7Validator, instance: object) -> list[Problem]:
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
