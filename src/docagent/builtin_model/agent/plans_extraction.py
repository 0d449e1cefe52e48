"""Plans for prompts and extractions, and answers to questions about the document."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from typing import Any

from docagent.builtin_model.agent.existing import Existing, existing_schema, prompt_of
from docagent.builtin_model.agent.finding import (
    DEFAULT_PROMPT,
    Thing,
    all_things,
    extraction_at_hand,
    mentioned,
    name_of,
    named_thing,
    prompt_at_hand,
    schema_meant,
)
from docagent.builtin_model.agent.names import ROW, is_exact
from docagent.builtin_model.agent.plans_alike import question
from docagent.builtin_model.agent.plans_schemas import creating, problems, proposed_title
from docagent.builtin_model.agent.questions import about, answer, count_pages
from docagent.builtin_model.agent.schema_edits import part_at, schema_of
from docagent.builtin_model.agent.telling import choices, extraction_text, field_lines
from docagent.builtin_model.agent.values import all_paths, as_text, at, find_values, typed
from docagent.builtin_model.agent.wishes import Ask, CreatePrompt, CreateSchema, Run, SetUp, SetValue
from docagent.builtin_model.agent.work import Calls, GiveUp, Plan, Steps, Work, call, must
from docagent.domain.field_path import FieldPath

_CONTENT = (
    "Extract the fields of the schema from this document. "
    "Leave a field empty when the document does not give it."
)
_NOTHING_YET = "There is no extraction yet. Say “set this up”, or “run it” when there is a prompt."
_LONGEST_TEXT = 4000


def set_up(work: Work, wish: SetUp) -> Plan:
    """Use a schema that fits, or make one, with a prompt, and run it. With `or_run`, a prompt at hand comes first."""
    if wish.or_run:
        revid = yield from _prompt_to_run(work)
        if revid is not None:
            return (yield from _running(work, revid))
    existing = None if wish.name else (yield from existing_schema(work, proposed_title(work)))
    if existing is not None:
        return (yield from _using(work, existing))
    created, response_format = yield from creating(work, CreateSchema(wish.name))
    if work.is_next("get_schema", otherwise=False):  # a turn that 0.2.0 began
        yield from must(work, "get_schema", {"schema_revid": created["schema_revid"]})
    prompt = yield from _creating_prompt(work, created, None)
    values = yield from _running(work, str(prompt["prompt_revid"]))
    count = len(field_lines(response_format).splitlines())
    made = f"Created the schema “{name_of(created)}” with {count} fields and the prompt “{name_of(prompt)}”."
    asked = yield from question(work, prompt, name_of(created))
    return f"{made} {values}{asked}"


def _using(work: Work, existing: Existing) -> Plan:
    """Use a schema that is there, with its prompt, instead of making a second one."""
    schema = existing.schema
    prompt = yield from prompt_of(work, schema)
    if prompt is None:
        prompt = yield from _creating_prompt(work, schema, None)
        used = f"I made the prompt “{name_of(prompt)}” for it instead of a second schema."
    else:
        used = f"I used it with its prompt “{name_of(prompt)}” instead of making a second one."
    values = yield from _running(work, str(prompt["prompt_revid"]), existing.reason)
    asked = yield from question(work, prompt, name_of(schema))
    return f"{existing.reason} {used} {values}{asked}"


def _prompt_to_run(work: Work) -> Generator[Calls, Steps, str | None]:
    mention = mentioned(work, "prompt", None)
    revid = str(mention["id"]) if mention else work.prompt_revid
    yield from ()
    return None if revid == DEFAULT_PROMPT else revid


def create_prompt(work: Work, wish: CreatePrompt) -> Plan:
    schema = yield from schema_meant(work, wish.schema)
    prompt = yield from _creating_prompt(work, schema, wish.name)
    made = f"Created the prompt “{name_of(prompt)}” with the schema “{name_of(schema)}”."
    return f"{made} Say “run it” to extract with it."


def _creating_prompt(work: Work, schema: Thing, name: str | None) -> Generator[Calls, Steps, Thing]:
    title = name or name_of(schema)
    taken: list[str] = []
    if work.has("list_prompts"):
        found = yield from all_things(work, "prompt", title)
        taken = [name_of(one) for one in found]
    if name and name in taken:
        raise GiveUp(f"There is a prompt called “{name}” already. Choose another name.")
    number, free = 1, title
    while any(is_exact(free, one) for one in taken):
        number += 1
        free = f"{title} {number}"
    step = yield from must(
        work,
        "create_prompt",
        {"name": free, "content": _CONTENT, "schema_id": schema["schema_id"]},
        f"A prompt “{free}” should go with the schema “{name_of(schema)}”.",
    )
    return {"name": free, **step.result}


def run(work: Work, wish: Run) -> Plan:
    if wish.prompt is not None:
        mention = mentioned(work, "prompt", wish.prompt)
        if mention is not None:
            return (yield from _running(work, str(mention["id"])))
        prompt = yield from named_thing(work, "prompt", wish.prompt)
        return (yield from _running(work, str(prompt["prompt_revid"])))
    fresh = work.schema_without_prompt
    if fresh is not None and mentioned(work, "prompt", None) is None:
        prompt = yield from _creating_prompt(work, fresh, None)
        return (yield from _running(work, str(prompt["prompt_revid"])))
    revid = yield from _prompt_to_run(work)
    if revid is None:
        revid = yield from _only_prompt(work)
    return (yield from _running(work, revid))


def _only_prompt(work: Work) -> Generator[Calls, Steps, str]:
    found = yield from all_things(work, "prompt")
    if not found:
        raise GiveUp(
            "There is no prompt yet. Say “set this up” to make a schema and a prompt for this document."
        )
    if len(found) > 1:
        raise GiveUp(choices("Which prompt do you mean?", map(name_of, found)))
    return str(found[0]["prompt_revid"])


def _running(work: Work, prompt_revid: str, note: str = "") -> Plan:
    step = yield from call(work, "run_extraction", {"prompt_revid": prompt_revid}, note)
    if not step.ok:
        raise GiveUp(f"The extraction did not work: {step.error}")
    return f"The extraction gave:\n\n{extraction_text(step.result.get('extraction'), work.pages)}"


def show_prompt(work: Work, name: str | None) -> Plan:
    if name is not None:
        found = yield from named_thing(work, "prompt", name)
        step = yield from must(work, "get_prompt", {"prompt_revid": found["prompt_revid"]})
        prompt: Thing = {**found, **step.result}
    else:
        prompt = (yield from prompt_at_hand(work)) or {}
    if not prompt:
        raise GiveUp("There is no prompt at hand. Say “list prompts” to see what there is.")
    lines = [f"- model: {prompt.get('model') or 'the default'}", *_links(work, prompt)]
    quoted = "\n".join(f"> {line}" for line in str(prompt.get("content") or "").splitlines())
    return f"The prompt “{name_of(prompt)}”:\n\n{quoted}\n\n" + "\n".join(lines)


def _links(work: Work, prompt: Thing) -> Iterator[str]:
    """The prompt's schema and tags. A mention with @ has their names."""
    mention = mentioned(work, "prompt", None) or {}
    content = mention.get("content")
    about = (
        content
        if isinstance(content, Mapping) and content.get("prompt_id") == prompt.get("prompt_id")
        else {}
    )
    if about.get("schema_name"):
        yield f"- schema: “{about['schema_name']}”, version {about.get('schema_version')}"
    elif prompt.get("schema_version"):
        yield f"- schema version: {prompt['schema_version']}"
    if about.get("tag_names"):
        yield f"- tags: {', '.join(about['tag_names'])}"


def show_extraction(work: Work) -> Plan:
    data = yield from extraction_at_hand(work)
    if not data:
        raise GiveUp(_NOTHING_YET)
    return f"The extraction has:\n\n{extraction_text(data, work.pages)}"


def validate_extraction(work: Work) -> Plan:
    data = yield from extraction_at_hand(work)
    if not data:
        raise GiveUp(_NOTHING_YET)
    schema = yield from schema_meant(work)
    step = yield from must(
        work, "validate_against_schema", {"schema_revid": schema["schema_revid"], "data": data}
    )
    found = problems(step.result)
    if not found:
        return f"The extraction fits the schema “{name_of(schema)}”."
    return f"The extraction does not fit the schema “{name_of(schema)}”:\n\n" + "\n".join(
        f"- {one}" for one in found
    )


def set_value(work: Work, wish: SetValue) -> Plan:
    data = yield from extraction_at_hand(work)
    if not data:
        raise GiveUp(_NOTHING_YET)
    paths = find_values(data, wish.name)
    if not paths:
        known = ", ".join(f"`{path[0]}`" for path in all_paths(data) if len(path) == 1)
        raise GiveUp(f"There is no value “{wish.name}” in the extraction. It has {known}.")
    if len(paths) > 1:
        raise GiveUp(choices("Which value do you mean?", (str(FieldPath(path)) for path in paths)))
    path = paths[0]
    present = at(data, path)
    if isinstance(present, list) and any(isinstance(row, dict) for row in present):
        raise GiveUp(f"`{path[-1]}` is a list of rows; say which one, such as “set line 1 amount to 5”.")
    value: Any = None
    if wish.value is not None:
        asks = work.is_next("get_schema", otherwise=present is None)
        schema = (yield from _schema_at(work, path)) if asks else None
        value = typed(wish.value, path[-1], present, schema)
    written = str(FieldPath(path))
    step = yield from must(work, "update_extraction_field", {"path": written, "value": value})
    now = at(step.result.get("extraction"), path) if step.result.get("extraction") else value
    return f"Emptied `{written}`." if now is None else f"Set `{written}` to {as_text(now, path[-1])}."


def _schema_at(work: Work, path: tuple[str, ...]) -> Generator[Calls, Steps, dict[str, Any] | None]:
    """Return what the schema at hand says about the field at the path, or None if it says nothing."""
    revid = work.schema_revid
    if revid is None or not work.has("get_schema"):
        return None
    step = yield from call(work, "get_schema", {"schema_revid": revid})
    if not step.ok:
        return None
    generic = tuple(ROW if part.isdigit() else part for part in path)
    return part_at(schema_of(step.result.get("response_format") or {}), generic) or None


def ask(work: Work, wish: Ask) -> Plan:
    data = work.extraction
    if not data and not work.pages:
        data = yield from extraction_at_hand(work)
    return "\n\n".join(answer(name, data, work.pages) for name in wish.names)


def tell_about(work: Work) -> Plan:
    yield from ()
    return about(work.pages)


def tell_pages(work: Work) -> Plan:
    yield from ()
    return count_pages(work.pages)


def show_text(work: Work, number: int | None) -> Plan:
    yield from ()
    page = next((page for page in work.pages if page.number == (number or 1)), None)
    if page is None:
        raise GiveUp(f"There is no page {number or 1}. {count_pages(work.pages)}")
    text = page.text[:_LONGEST_TEXT]
    more = "\n\n(cut)" if len(page.text) > _LONGEST_TEXT else ""
    quoted = "\n".join(f"> {line}" for line in text.splitlines())
    return f"Page {page.number} says:\n\n{quoted}{more}" if quoted else f"Page {page.number} has no text."
