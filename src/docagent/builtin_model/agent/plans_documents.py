"""Plans for a conversation about one document: its values, tags and name, prompts and runs."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable

from docagent.builtin_model.agent import answers, plans_schemas, replies
from docagent.builtin_model.agent.fields import listed
from docagent.builtin_model.agent.finding import (
    DEFAULT_PROMPT,
    Thing,
    all_things,
    chosen_of,
    extraction_at_hand,
    mentioned,
    named_thing,
    one_of,
    prompt_at_hand,
)
from docagent.builtin_model.agent.known import name_of, with_name
from docagent.builtin_model.agent.plans_schemas import (
    creating,
    creating_prompt,
    existing_schema,
    fields_of,
    prompt_of,
)
from docagent.builtin_model.agent.understanding import Wish
from docagent.builtin_model.agent.values import all_paths, as_text, find_values, typed
from docagent.builtin_model.agent.work import Calls, GiveUp, Plan, Steps, Work, call, choose, must
from docagent.domain.documents.text import Page
from docagent.domain.field_path import FieldPath

_NOTHING_YET = "There is no extraction yet. Say “set this up”, or “run it” when there is a prompt."
_LONGEST_TEXT = 4000
_TAGGING = ("list_tags", "create_tag", "update_prompt", "update_document")


# --- setting up and running ----------------------------------------------------------------------------------------


def _set_up(work: Work, wish: Wish) -> Plan:
    """Use a schema that fits, or make one, with a prompt, and run it."""
    existing = None if wish["name"] else (yield from existing_schema(work))
    schema, reason = existing or ((yield from creating(work, wish["name"], {})), "")
    prompt = (yield from prompt_of(work, schema)) if existing else None
    is_new = prompt is None
    prompt = prompt or (yield from creating_prompt(work, schema))
    values = yield from _running(work, str(prompt["prompt_revid"]), reason)
    asked = yield from _question(work, prompt, name_of(schema))
    made = f"the prompt “{name_of(prompt)}”"
    if not existing:
        fields = fields_of(schema["response_format"])
        told = f"Created the schema “{name_of(schema)}” with {fields} and {made}."
    elif is_new:
        told = f"{reason} I made {made} for it instead of a second schema."
    else:
        told = f"{reason} I used it with its prompt “{name_of(prompt)}” instead of making a second one."
    return f"{told} {values}{asked}"


def _question(work: Work, prompt: Thing, title: str) -> Generator[Calls, Steps, str]:
    """Offer to go on with all documents like this one. Nothing is asked where nobody could say yes."""
    tag_ids = [str(one) for one in prompt.get("tag_ids") or ()]
    if not all(map(work.has, _TAGGING)) or set(tag_ids) & set(work.tag_ids):
        return ""
    name = title.lower()
    if tag_ids:
        known = yield from all_things(work, "tag")
        name = next((name_of(tag) for tag in known if str(tag.get("id")) in tag_ids), name)
    return replies.OFFER.format(tag=name, prompt=name_of(prompt))


def _run(work: Work, wish: Wish) -> Plan:
    mention = mentioned(work, "prompt", wish["prompt"] or None)
    fresh, revid = work.schema_without_prompt, work.prompt_revid
    if mention is not None:
        revid = mention["id"]
    elif wish["prompt"]:
        revid = (yield from named_thing(work, "prompt", wish["prompt"]))["prompt_revid"]
    elif fresh is not None:
        revid = (yield from creating_prompt(work, fresh))["prompt_revid"]
    elif revid is None or revid == DEFAULT_PROMPT:
        found = yield from all_things(work, "prompt")
        if not found:
            raise GiveUp(
                "There is no prompt yet. Say “set this up” to make a schema and a prompt for this document."
            )
        revid = (yield from chosen_of(work, "prompt", found))["prompt_revid"]
    return (yield from _running(work, str(revid)))


def _extract(work: Work, wish: Wish) -> Plan:
    """Run the prompt at hand, or set the document up."""
    has_prompt = mentioned(work, "prompt", None) or work.prompt_revid not in (None, DEFAULT_PROMPT)
    return (yield from (_run if has_prompt else _set_up)(work, wish))


def _running(work: Work, prompt_revid: str, note: str = "") -> Plan:
    step = yield from call(work, "run_extraction", {"prompt_revid": prompt_revid}, note)
    if not step.ok:
        raise GiveUp(f"The extraction did not work: {step.error}")
    return f"The extraction gave:\n\n{replies.extraction_text(step.result.get('extraction'), work.pages)}"


# --- values --------------------------------------------------------------------------------------------------------


def _show_extraction(work: Work, _: Wish) -> Plan:
    data = yield from extraction_at_hand(work)
    if not data:
        raise GiveUp(_NOTHING_YET)
    return replies.extraction_text(data, work.pages)


def _set_value(work: Work, wish: Wish) -> Plan:
    data = yield from extraction_at_hand(work)
    if not data:
        raise GiveUp(_NOTHING_YET)
    paths = {str(FieldPath(path)): path for path in find_values(data, wish["field"])}
    if not paths:
        known = ", ".join(f"`{path[0]}`" for path in all_paths(data) if len(path) == 1)
        raise GiveUp(f"There is no value “{wish['field']}” in the extraction. It has {known}.")
    written = next(iter(paths))
    if len(paths) > 1:
        written = yield from choose(work, "Which value do you mean?", list(paths))
    path = paths[written]
    present = FieldPath(path).get(data)
    if isinstance(present, list) and any(isinstance(row, dict) for row in present):
        raise GiveUp(f"`{path[-1]}` is a list of rows; say which one, such as “set items.0.amount to 5”.")
    value = typed(wish["value"], path[-1], present) if wish["value"] else None
    step = yield from must(work, "update_extraction_field", {"path": written, "value": value})
    changed = step.result.get("extraction")
    now = FieldPath(path).get(changed) if changed else value
    return f"Emptied `{written}`." if now is None else f"Set `{written}` to {as_text(now, path[-1])}."


# --- tags and names ------------------------------------------------------------------------------------------------


def _new_tag(work: Work, wish: Wish) -> Plan:
    names = listed(wish["tag"])
    yield from _tags_called(work, names)
    return f"There is a tag {_named(names)} now."


def _tag(work: Work, wish: Wish) -> Plan:
    """Tag the document. Missing tags are created first, and the document keeps the tags it has."""
    names = listed(wish["tag"])
    ids = yield from _tags_called(work, names)
    return (yield from _tagged(work, _named(names), ids))


def _tagged(work: Work, said: str, ids: list[str]) -> Plan:
    if set(ids) <= set(work.tag_ids) and not work.is_tagged_later:
        return f"The document has the tag {said} already."
    union = list(dict.fromkeys([*work.tag_ids, *ids]))
    yield from must(work, "update_document", _on_document(work, tag_ids=union))
    return f"Tagged the document as {said}."


def _named(names: Iterable[str]) -> str:
    return " and ".join(f"“{name}”" for name in names)


def _tags_called(work: Work, names: list[str]) -> Generator[Calls, Steps, list[str]]:
    """Return the ids of the tags with these names. Missing ones are created."""
    known = yield from all_things(work, "tag")
    ids = []
    for name in names:
        matches = with_name(name, known)
        if matches:
            ids.append(str((yield from chosen_of(work, "tag", matches))["id"]))
        else:
            step = yield from must(work, "create_tag", {"name": name}, f"There is no tag “{name}” yet.")
            ids.append(str(step.result["tag_id"]))
    return ids


def _tag_alike(work: Work, wish: Wish) -> Plan:
    """Put the tags on the prompt at hand and on the document, so that the prompt reads documents like this one."""
    prompt = yield from prompt_at_hand(work)
    if prompt is None:
        raise GiveUp(
            "There is no prompt at hand. Say “set this up” first, or “tag this as …” to tag the document."
        )
    names = listed(wish["tag"])
    tag_ids = yield from _tags_called(work, names)
    has = [str(one) for one in prompt.get("tag_ids") or ()]
    if not set(tag_ids) <= set(has):
        changed = {"prompt_id": prompt["prompt_id"], "tag_ids": list(dict.fromkeys([*has, *tag_ids]))}
        note = f"The prompt “{name_of(prompt)}” should read every document with this tag."
        yield from must(work, "update_prompt", changed, note)
    said = _named(names)
    tagged = yield from _tagged(work, said, tag_ids)
    return f"From now on documents with the tag {said} are read with the prompt “{name_of(prompt)}”. {tagged}"


def _untag(work: Work, wish: Wish) -> Plan:
    known = yield from all_things(work, "tag")
    tags = []
    for name in listed(wish["tag"]):
        tags.append((yield from one_of(work, "tag", name, known)))
    off = {str(tag["id"]) for tag in tags}
    said = _named(map(name_of, tags))
    if not off & set(work.tag_ids) and not work.is_tagged_later:
        return f"The document does not have the tag {said}."
    left = [one for one in work.tag_ids if one not in off]
    yield from must(work, "update_document", _on_document(work, tag_ids=left))
    return f"Removed the tag {said} from the document. The tag itself is still there."


def _rename(work: Work, wish: Wish) -> Plan:
    step = yield from must(work, "update_document", _on_document(work, document_name=wish["name"]))
    return f"The document is now called “{step.result.get('document_name') or wish['name']}”."


def _delete(work: Work, _: Wish) -> Plan:
    yield from must(work, "delete_document", _on_document(work))
    return "Deleted the document."


def _on_document(work: Work, **changes: object) -> dict[str, object]:
    identity = {"document_id": work.situation.document_id} if work.situation.document_id else {}
    return {**identity, **changes}


# --- looking -------------------------------------------------------------------------------------------------------


def _lists(kind: str) -> Callable[[Work, Wish], Plan]:
    def plan(work: Work, _: Wish) -> Plan:
        found = yield from all_things(work, kind)
        return replies.listing([replies.versioned(one) for one in found], kind)

    return plan


def _show_page(work: Work, wish: Wish) -> Plan:
    yield from ()
    number = int(wish["number"] or "1")
    page = next((page for page in work.pages if page.number == number), None)
    if page is None:
        raise GiveUp(f"There is no page {number}. {answers.count_pages(work.pages)}")
    more = "\n\n(cut)" if len(page.text) > _LONGEST_TEXT else ""
    quoted = replies.quote(page.text[:_LONGEST_TEXT])
    return f"Page {number} says:\n\n{quoted}{more}" if page.text.strip() else f"Page {number} has no text."


def _tells(tell: Callable[[list[Page]], str]) -> Callable[[Work, Wish], Plan]:
    def plan(work: Work, _: Wish) -> Plan:
        yield from ()
        return tell(work.pages)

    return plan


PLANS: dict[str, Callable[[Work, Wish], Plan]] = {
    **plans_schemas.PLANS,
    **{f"list_{kind}s": _lists(kind) for kind in ("schema", "prompt", "tag", "document")},
    "set_up": _set_up,
    "set_up_as": _set_up,
    "extract": _extract,
    "run": _run,
    "run_prompt": _run,
    "show_extraction": _show_extraction,
    "set_value": _set_value,
    "clear_value": _set_value,
    "tag": _tag,
    "new_tag": _new_tag,
    "tag_alike": _tag_alike,
    "untag": _untag,
    "rename_document": _rename,
    "delete_document": _delete,
    "show_page": _show_page,
    "show_text": _show_page,
    "about": _tells(answers.about),
    "pages": _tells(answers.count_pages),
}
