"""Plans for schemas: finding one that fits, proposing, changing and showing them; and the prompts that use them."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence

from docagent.builtin_model.agent import replies
from docagent.builtin_model.agent.fields import (
    Schema,
    find_field,
    listed,
    new_fields,
    response_format_of,
    schema_of,
    snake,
    spoken,
    type_words,
    with_fields,
    with_new_name,
    without_field,
)
from docagent.builtin_model.agent.finding import Finding, Thing, all_things, schema_meant
from docagent.builtin_model.agent.known import is_exact, name_of
from docagent.builtin_model.agent.understanding import Wish
from docagent.builtin_model.agent.work import Call, Calls, GiveUp, Plan, Steps, Work, call, must
from docagent.builtin_model.proposals.fitting import fits
from docagent.builtin_model.proposals.propose import propose_schema

_MOST_COMPARED = 12
_CONTENT = (
    "Extract the fields of the schema from this document. "
    "Leave a field empty when the document does not give it."
)
_NO_TEXT = (
    "I have no text of this document, so I cannot propose a schema. Name the fields instead: “create a"
    " schema with the fields invoice number, date and total”."
)


def existing_schema(work: Work) -> Generator[Calls, Steps, tuple[Thing, str] | None]:
    """Return the schema that fits the document best, by its content, and why; None if none does."""
    can_look = work.has("list_schemas") and work.has("get_schema")
    if work.situation.nothing_fits or not work.pages or not can_look:
        return None
    found = yield from all_things(work, "schema")
    title = _title(propose_schema(work.pages))
    found.sort(key=lambda one: not is_exact(title, name_of(one)))
    if not found:
        return None
    compared = found[:_MOST_COMPARED]
    steps = yield tuple(Call("get_schema", {"schema_revid": one["schema_id"]}) for one in compared)
    read = [
        ({**one, **step.result}, schema_of(step.result.get("response_format") or {}))
        for one, step in zip(found, steps, strict=False)
        if step.ok
    ]
    judged = zip(read, fits(work.pages, [schema for _, schema in read]), strict=True)
    fitting = [(thing, fit) for (thing, _), fit in judged if fit.fits]
    if not fitting:
        return None
    schema, fit = max(fitting, key=lambda one: (one[1].alike, one[1].filled))
    found_here = f"{fit.filled} of its {fit.fields} fields are found here"
    return schema, f"The schema “{name_of(schema)}” fits this document: {found_here}."


def prompt_of(work: Work, schema: Thing) -> Generator[Calls, Steps, Thing | None]:
    """Return the newest prompt that is linked to the schema."""
    found = (yield from all_things(work, "prompt")) if work.has("list_prompts") else []
    return next((one for one in found if one.get("schema_id") == schema["schema_id"]), None)


def creating_prompt(work: Work, schema: Thing) -> Finding:
    title = name_of(schema)
    found = (yield from all_things(work, "prompt", title)) if work.has("list_prompts") else []
    name = _free(title, [name_of(one) for one in found])
    made = {"name": name, "content": _CONTENT, "schema_id": schema["schema_id"]}
    note = f"A prompt “{name}” should go with the schema “{title}”."
    step = yield from must(work, "create_prompt", made, note)
    return {"name": name, **step.result}


# --- creating ------------------------------------------------------------------------------------------------------


def _create(work: Work, wish: Wish) -> Plan:
    if not wish["name"] and not wish["fields"]:
        existing = yield from existing_schema(work)
        if existing is not None:
            schema, reason = existing
            prompt = yield from prompt_of(work, schema)
            run = f"run the prompt {name_of(prompt)}" if prompt else "set this up"
            return f"{reason} I made no second one. Say “{run}” to extract with it."
    created = yield from creating(work, wish["name"], new_fields(wish["fields"]))
    return (
        f"Created the schema “{name_of(created)}”:\n\n{replies.field_lines(created['response_format'])}\n\n"
        "Say “run it” to extract with it, or “add a field …” to change it."
    )


def creating(work: Work, name: str, fields: Mapping[str, Schema]) -> Finding:
    """Make a schema from the fields that were named, or from what the document shows."""
    if fields:
        response_format = response_format_of(name or "document", fields)
    elif work.pages:
        response_format = propose_schema(work.pages)
    else:
        raise GiveUp(_NO_TEXT)
    title = name or _title(response_format)
    found = (yield from all_things(work, "schema", title)) if work.has("list_schemas") else []
    taken = [name_of(one) for one in found]
    if name and any(is_exact(name, one) for one in taken):
        raise GiveUp(f"There is a schema called “{name}” already. Choose another name.")
    title = _free(title, taken)
    note = f"I propose the schema “{title}” with {fields_of(response_format)}."
    step = yield from call(work, "create_schema", {"name": title, "response_format": response_format}, note)
    if not step.ok:
        raise GiveUp(f"The schema could not be created: {step.error}")
    return {"name": title, **step.result, "response_format": response_format}


def fields_of(response_format: Schema) -> str:
    """Say how many fields there are."""
    return replies.counted(len(schema_of(response_format).get("properties") or {}), "field")


def _title(response_format: Schema) -> str:
    proposed = spoken(str(response_format["json_schema"]["name"]))
    return proposed[:1].upper() + proposed[1:]


def _free(title: str, taken: Sequence[str]) -> str:
    """Return the title, with a number if it is taken: creating under a taken name would change what has it."""
    number, name = 1, title
    while any(is_exact(name, one) for one in taken):
        number += 1
        name = f"{title} {number}"
    return name


# --- changing ------------------------------------------------------------------------------------------------------


def _add(response_format: Schema, wish: Wish) -> tuple[Schema, str]:
    fields = new_fields(wish["fields"])
    said = [f"`{snake(name)}` ({type_words(kind)})" for name, kind in fields.items()]
    return with_fields(response_format, fields), f"Added {', '.join(said)} to"


def _rename(response_format: Schema, wish: Wish) -> tuple[Schema, str]:
    old = find_field(response_format, wish["field"])
    changed = with_new_name(response_format, old, wish["name"])
    return changed, f"Renamed `{old}` to `{snake(wish['name'])}` in"


def _remove(response_format: Schema, wish: Wish) -> tuple[Schema, str]:
    names = [find_field(response_format, one) for one in listed(wish["fields"])]
    for name in names:
        response_format = without_field(response_format, name)
    return response_format, f"Removed {', '.join(f'`{name}`' for name in names)} from"


def _editing(edit: Callable[[Schema, Wish], tuple[Schema, str]]) -> Callable[[Work, Wish], Plan]:
    """Return the plan that makes an edit to the schema at hand, or to one that is named."""

    def plan(work: Work, wish: Wish) -> Plan:
        schema = yield from schema_meant(work, wish["schema"] or None, newest=True)
        changed, said = edit(dict(schema.get("response_format") or {}), wish)
        yield from must(work, "update_schema", {"schema_id": schema["schema_id"], "response_format": changed})
        linked = yield from _relinked(work, schema)
        return f"{said} the schema “{name_of(schema)}”.{linked}"

    return plan


def _relinked(work: Work, schema: Thing) -> Generator[Calls, Steps, str]:
    """Move the prompt that uses the schema to the new version: by itself it keeps the one it was made with."""
    if not (work.has("update_prompt") and work.has("list_prompts")):
        return ""
    found = yield from all_things(work, "prompt")
    users = [one for one in found if one.get("schema_id") == schema["schema_id"]]
    if len(users) > 1:
        names = "\n".join(f"- {name_of(one)}" for one in users)
        return f" Several prompts still use the version before; change them on their pages:\n\n{names}"
    if not users:
        return " Say “run it” to extract with it."
    linked = {"prompt_id": users[0]["prompt_id"], "schema_id": schema["schema_id"]}
    note = f"The prompt “{name_of(users[0])}” should use the new version."
    yield from must(work, "update_prompt", linked, note)
    return f" The prompt “{name_of(users[0])}” uses the new version. Say “run it” to extract again."


def _show(work: Work, wish: Wish) -> Plan:
    schema = yield from schema_meant(work, wish["schema"] or None)
    fields = replies.field_lines(schema.get("response_format") or {})
    return f"The schema “{name_of(schema)}” has these fields:\n\n{fields}"


PLANS: dict[str, Callable[[Work, Wish], Plan]] = {
    "create_schema": _create,
    "create_schema_named": _create,
    "create_schema_fields": _create,
    "add_fields": _editing(_add),
    "add_fields_to": _editing(_add),
    "rename_field": _editing(_rename),
    "remove_fields": _editing(_remove),
    "remove_fields_from": _editing(_remove),
    "show_schema": _show,
    "show_named_schema": _show,
}
