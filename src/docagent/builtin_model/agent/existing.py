"""Finds the schema and the prompt that are there already for documents like this one, by content and not by name."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

from docagent.builtin_model.agent.finding import Thing, all_things, name_of
from docagent.builtin_model.agent.names import is_exact
from docagent.builtin_model.agent.schema_edits import schema_of
from docagent.builtin_model.agent.work import Call, Calls, Steps, Work
from docagent.builtin_model.fitting import Fit, fits

_MOST_COMPARED = 12


@dataclass(frozen=True, slots=True)
class Existing:
    """A schema that is there already and fits the document."""

    schema: Thing
    fit: Fit

    @property
    def reason(self) -> str:
        found = f"{self.fit.filled} of its {self.fit.fields} fields are found here"
        return f"The schema “{name_of(self.schema)}” fits this document: {found}."


def existing_schema(work: Work, title: str) -> Generator[Calls, Steps, Existing | None]:
    """Return the schema that fits the document best, by its content; None if none does."""
    if work.situation.nothing_fits or not work.pages or _was_not_asked(work):
        return None
    if not (work.has("list_schemas") and work.has("get_schema")):
        return None
    found = yield from all_things(work, "schema")
    found.sort(key=lambda one: not is_exact(title, name_of(one)))
    if not found:
        return None
    steps = yield tuple(
        Call("get_schema", {"schema_revid": one["schema_id"]}) for one in found[:_MOST_COMPARED]
    )
    read = [
        ({**one, **step.result}, schema_of(step.result.get("response_format") or {}))
        for one, step in zip(found, steps, strict=False)
        if step.ok
    ]
    judged = zip(read, fits(work.pages, [schema for _, schema in read]), strict=True)
    fitting = [Existing(thing, fit) for (thing, _), fit in judged if fit.fits]
    return max(fitting, key=lambda one: (one.fit.alike, one.fit.filled), default=None)


def _was_not_asked(work: Work) -> bool:
    """Return whether the turn was begun by a release that did not look for what exists."""
    following = work.ahead[0] if work.ahead else None
    return following is not None and (
        following.name != "list_schemas" or "name_search" in following.arguments
    )


def prompt_of(work: Work, schema: Thing) -> Generator[Calls, Steps, Thing | None]:
    """Return the newest prompt that is linked to the schema."""
    if not work.has("list_prompts"):
        return None
    found = yield from all_things(work, "prompt")
    return next((one for one in found if one.get("schema_id") == schema["schema_id"]), None)
