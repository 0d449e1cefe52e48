"""Plans for schemas: proposing, changing, showing."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any

from docagent.builtin_model.agent.existing import Existing, existing_schema, prompt_of
from docagent.builtin_model.agent.finding import (
    Thing,
    all_things,
    name_of,
    named_thing,
    prompt_at_hand,
    schema_meant,
    schema_name_in,
)
from docagent.builtin_model.agent.names import Path, by_name, is_exact
from docagent.builtin_model.agent.schema_edits import (
    Schema,
    find_container,
    find_field,
    made_strict,
    response_format_of,
    schema_of,
    shown,
    with_fields,
    with_new_name,
    with_type,
    without_field,
)
from docagent.builtin_model.agent.telling import counted, field_lines
from docagent.builtin_model.agent.typewords import snake, spoken, type_of_name, type_words
from docagent.builtin_model.agent.wishes import (
    AddFields,
    CreateSchema,
    RemoveFields,
    RenameField,
    RetypeField,
)
from docagent.builtin_model.agent.work import Call, Calls, GiveUp, Plan, Steps, Work, call, must
from docagent.builtin_model.propose import propose_schema

RUN_IT = "Say “run it” to extract again."
_NO_TEXT = (
    "I have no text of this document, so I cannot propose a schema. Name the fields instead: “create a"
    " schema with the "
    "fields invoice number, date and total”."
)
Edit = Callable[[Schema, Path], tuple[Schema, str]]
"""A function that returns the new `response_format` and says what changed."""


def create_schema(work: Work, wish: CreateSchema) -> Plan:
    if not wish.name and not wish.fields:
        existing = yield from existing_schema(work, proposed_title(work))
        if existing is not None:
            return (yield from _there_already(work, existing))
    created, response_format = yield from creating(work, wish)
    fields = field_lines(response_format)
    hint = "" if work.will_run else "\n\nSay “run it” to extract with it, or “add a field …” to change it."
    return f"Created the schema “{name_of(created)}”:\n\n{fields}{hint}"


def _there_already(work: Work, existing: Existing) -> Plan:
    prompt = yield from prompt_of(work, existing.schema)
    name = name_of(existing.schema)
    run = (
        f"run the prompt {name_of(prompt)}" if prompt else f"create a prompt for the schema {name} and run it"
    )
    return (
        f"{existing.reason} I made no second one. Say “{run}” to extract with it, or “create a schema called …” if"
        f" you want another."
    )


def proposed_title(work: Work) -> str:
    """Return what a schema that is proposed for the document would be called."""
    return _title(propose_schema(work.pages)) if work.pages else ""


def _title(response_format: Schema) -> str:
    proposed = spoken(str(response_format["json_schema"]["name"]))
    return proposed[:1].upper() + proposed[1:]


def creating(work: Work, wish: CreateSchema) -> Generator[Calls, Steps, tuple[Thing, Schema]]:
    """Make a schema from the fields that the user named, or from what the document shows."""
    if wish.fields:
        response_format = response_format_of(wish.name or "document", wish.fields)
    elif work.pages:
        response_format = propose_schema(work.pages)
    else:
        raise GiveUp(_NO_TEXT)
    title = wish.name or _title(response_format)
    response_format, taken = yield from _checked(work, response_format, title)
    if wish.name and any(is_exact(wish.name, name) for name in taken):
        raise GiveUp(
            f"There is a schema called “{wish.name}” already. Choose another name, or say what to"
            f" change in it, "
            f"such as “add a field due date to the schema {wish.name}”."
        )
    title = _free(title, taken)
    fields = counted(len(schema_of(response_format).get("properties") or {}), "field")
    step = yield from call(
        work,
        "create_schema",
        {"name": title, "response_format": response_format},
        f"I propose the schema “{title}” with {fields}.",
    )
    if not step.ok:
        raise GiveUp(f"The schema could not be created: {step.error}")
    return {"name": title, **step.result}, response_format


def _checked(
    work: Work, response_format: Schema, title: str
) -> Generator[Calls, Steps, tuple[Schema, list[str]]]:
    """Validate the schema and make it strict if needed. Also return the names of schemas that exist already."""
    reads = [Call("validate_schema", {"schema": response_format})]
    if work.has("list_schemas"):
        reads.append(Call("list_schemas", {"limit": 100, "name_search": title}))
    if not work.has("validate_schema"):
        reads = reads[1:]
    steps = (yield tuple(reads)) if reads else ()
    taken = [
        name_of(one)
        for step in steps
        if step.name == "list_schemas"
        for one in step.result.get("schemas") or []
        if isinstance(one, dict)
    ]
    if any(step.name == "validate_schema" and problems(step.result) for step in steps):
        response_format = yield from _mended(work, response_format)
    return response_format, taken


def _mended(work: Work, response_format: Schema) -> Generator[Calls, Steps, Schema]:
    mended = made_strict(response_format)
    step = yield from call(work, "validate_schema", {"schema": mended})
    if found := problems(step.result):
        raise GiveUp("The schema would not be valid:\n\n" + "\n".join(f"- {one}" for one in found))
    return mended


def problems(result: Mapping[str, Any]) -> list[str]:
    """Return what a validation found, in words."""
    if result.get("valid") is True:
        return []
    found = result.get("errors")
    if isinstance(found, list) and found:
        return [
            f"{one.get('path')}: {one.get('message')}" if isinstance(one, dict) else str(one) for one in found
        ]
    return [str(result.get("error") or "it is not valid")]


def _free(title: str, taken: Sequence[str]) -> str:
    """Return the title, with a number if it is taken: creating under a taken name would change that schema."""
    number = 1
    name = title
    while any(is_exact(name, one) for one in taken):
        number += 1
        name = f"{title} {number}"
    return name


def add_fields(work: Work, wish: AddFields) -> Plan:
    def edit(response_format: Schema, within: Path) -> tuple[Schema, str]:
        said = ", ".join(
            f"`{snake(field.name)}` ({type_words(field.type or type_of_name(field.name))})"
            for field in wish.fields
        )
        return with_fields(response_format, wish.fields, within), f"Added {said} to"

    return _editing(work, wish.where, edit)


def rename_field(work: Work, wish: RenameField) -> Plan:
    def edit(response_format: Schema, _: Path) -> tuple[Schema, str]:
        path = find_field(schema_of(response_format), wish.old)
        return with_new_name(
            response_format, path, wish.new
        ), f"Renamed `{shown(path)}` to `{snake(wish.new)}` in"

    return _editing(work, wish.where, edit)


def remove_fields(work: Work, wish: RemoveFields) -> Plan:
    def edit(response_format: Schema, within: Path) -> tuple[Schema, str]:
        removed = []
        for name in wish.names:
            phrase = f"{shown(within)}.{name}" if within else name
            path = find_field(schema_of(response_format), phrase)
            response_format = without_field(response_format, path)
            removed.append(f"`{shown(path)}`")
        return response_format, f"Removed {', '.join(removed)} from"

    return _editing(work, wish.where, edit)


def retype_field(work: Work, wish: RetypeField) -> Plan:
    def edit(response_format: Schema, _: Path) -> tuple[Schema, str]:
        path = find_field(schema_of(response_format), wish.name)
        return with_type(
            response_format, path, wish.type
        ), f"`{shown(path)}` is now a {type_words(wish.type)} in"

    return _editing(work, wish.where, edit)


def _editing(work: Work, where: str | None, edit: Edit) -> Plan:
    name, place = schema_name_in(where)
    schema = yield from schema_meant(work, name, newest=True)
    within: Path = ()
    if place is not None:
        container = find_container(schema_of(schema.get("response_format") or {}), place)
        if container is None:
            schema = yield from schema_meant(work, place, newest=True)
        else:
            within = container
    changed, said = edit(dict(schema.get("response_format") or {}), within)
    if work.has("validate_schema"):
        step = yield from call(work, "validate_schema", {"schema": changed})
        if problems(step.result):
            changed = yield from _mended(work, changed)
    step = yield from must(
        work, "update_schema", {"schema_id": schema["schema_id"], "response_format": changed}
    )
    linked = yield from _relinked(work, schema)
    return f"{said} the schema “{name_of(schema)}”.{linked}"


def _relinked(work: Work, schema: Thing) -> Generator[Calls, Steps, str]:
    """Move the prompt that uses the schema to the new version: by itself it keeps the one it was made with."""
    if not work.has("update_prompt"):
        return ""
    prompt = yield from prompt_at_hand(work)
    if prompt is None or prompt.get("schema_id") != schema["schema_id"]:
        if not work.has("list_prompts"):
            return ""
        found = yield from all_things(work, "prompt")
        users = [one for one in found if one.get("schema_id") == schema["schema_id"]]
        if len(users) > 1:
            names = "\n".join(f"- {name_of(one)}" for one in users)
            said = "Say “use the new version in …” with a name."
            return f" Several prompts use the version before:\n\n{names}\n\n{said}"
        if not users:
            return "" if work.will_run else " Say “run it” to extract with it."
        prompt = users[0]
    yield from must(
        work,
        "update_prompt",
        {"prompt_id": prompt["prompt_id"], "schema_id": schema["schema_id"]},
        f"The prompt “{name_of(prompt)}” should use the new version.",
    )
    hint = "" if work.will_run else f" {RUN_IT}"
    return f" The prompt “{name_of(prompt)}” uses the new version.{hint}"


def use_new_version(work: Work, name: str | None) -> Plan:
    if name is not None:
        prompt: Thing | None = yield from named_thing(work, "prompt", name)
    else:
        prompt = yield from prompt_at_hand(work)
    if prompt is None:
        raise GiveUp("Say which prompt: “use the new version in …” with its name.")
    if not prompt.get("schema_id"):
        raise GiveUp(f"The prompt “{name_of(prompt)}” has no schema.")
    yield from must(
        work, "update_prompt", {"prompt_id": prompt["prompt_id"], "schema_id": prompt["schema_id"]}
    )
    return f"The prompt “{name_of(prompt)}” uses the newest version of its schema. {RUN_IT}"


def show_schema(work: Work, name: str | None) -> Plan:
    schema = yield from schema_meant(work, name)
    fields = field_lines(schema.get("response_format") or {})
    version = schema.get("schema_version")
    said = f", version {version}," if version else ""
    return f"The schema “{name_of(schema)}”{said} has these fields:\n\n{fields}"


def rename_schema(work: Work, old: str | None, new: str) -> Plan:
    schema = yield from schema_meant(work, old)
    found = yield from all_things(work, "schema", new)
    if any(is_exact(new, name_of(one)) for one in by_name(new, found)):
        raise GiveUp(f"There is a schema called “{new}” already.")
    yield from must(work, "update_schema", {"schema_id": schema["schema_id"], "name": new})
    return f"Renamed the schema “{name_of(schema)}” to “{new}”."
