"""Plans for tags, for the document itself, for lists and for deleting."""

from __future__ import annotations

from collections.abc import Generator

from docagent.builtin_model.agent.finding import (
    all_things,
    name_of,
    named_thing,
    one_of,
    prompt_at_hand,
    schema_meant,
)
from docagent.builtin_model.agent.names import is_exact
from docagent.builtin_model.agent.plans_schemas import rename_schema
from docagent.builtin_model.agent.telling import choices, counted
from docagent.builtin_model.agent.wishes import CallIt, Delete, RenameThing, Thing
from docagent.builtin_model.agent.work import Calls, GiveUp, Plan, Steps, Work, must

_IDS = {"schema": "schema_id", "prompt": "prompt_id", "tag": "id"}
_MOST = 50


def tag_document(work: Work, names: tuple[str, ...]) -> Plan:
    """Tag the document. Missing tags are created first, and the document keeps the tags it has."""
    ids = yield from tags_called(work, names)
    said = " and ".join(f"“{name}”" for name in names)
    if set(ids) <= set(work.tag_ids) and not work.is_tagged_later:
        return f"The document has the tag {said} already."
    union = list(dict.fromkeys([*work.tag_ids, *ids]))
    yield from must(work, "update_document", _on_document(work, tag_ids=union))
    return f"Tagged the document as {said}."


def tags_called(work: Work, names: tuple[str, ...]) -> Generator[Calls, Steps, list[str]]:
    """Return the ids of the tags with these names. Missing ones are created."""
    known = yield from all_things(work, "tag")
    ids = []
    for name in names:
        matches = [tag for tag in known if tag.get("name") == name] or [
            tag for tag in known if is_exact(name, name_of(tag))
        ]
        if len(matches) > 1:
            raise GiveUp(choices("Which tag do you mean?", map(name_of, matches)))
        if matches:
            ids.append(str(matches[0]["id"]))
        else:
            step = yield from must(work, "create_tag", {"name": name}, f"There is no tag “{name}” yet.")
            ids.append(str(step.result["tag_id"]))
    return ids


def untag_document(work: Work, names: tuple[str, ...]) -> Plan:
    known = yield from all_things(work, "tag")
    tags = [one_of("tag", name, known) for name in names]
    off = {str(tag["id"]) for tag in tags}
    said = " and ".join(f"“{name_of(tag)}”" for tag in tags)
    if not off & set(work.tag_ids) and not work.is_tagged_later:
        return f"The document does not have the tag {said}."
    left = [one for one in work.tag_ids if one not in off]
    yield from must(work, "update_document", _on_document(work, tag_ids=left))
    return f"Removed the tag {said} from the document. The tag itself is still there."


def document_tags(work: Work) -> Plan:
    known = yield from all_things(work, "tag")
    names = [name_of(tag) for tag in known if tag.get("id") in work.tag_ids]
    if not names:
        return "The document has no tags."
    return f"The document has {counted(len(names), 'tag')}:\n\n" + "\n".join(f"- {name}" for name in names)


def create_tag(work: Work, name: str) -> Plan:
    known = yield from all_things(work, "tag", name)
    if any(is_exact(name, name_of(tag)) for tag in known):
        return f"There is a tag “{name}” already."
    step = yield from must(work, "create_tag", {"name": name})
    return f"Created the tag “{step.result.get('name') or name}”."


def rename_document(work: Work, name: str) -> Plan:
    step = yield from must(work, "update_document", _on_document(work, document_name=name))
    return f"The document is now called “{step.result.get('document_name') or name}”."


def rename_thing(work: Work, wish: RenameThing) -> Plan:
    if wish.thing == "schema":
        return (yield from rename_schema(work, wish.old, wish.new))
    if wish.thing == "prompt":
        prompt = (yield from named_thing(work, "prompt", wish.old)) if wish.old else None
        prompt = prompt or (yield from prompt_at_hand(work))
        if prompt is None:
            raise GiveUp("Say which prompt: “rename the prompt old to new”.")
        yield from must(work, "update_prompt", {"prompt_id": prompt["prompt_id"], "name": wish.new})
        return f"Renamed the prompt “{name_of(prompt)}” to “{wish.new}”."
    if wish.old is None:
        raise GiveUp("Say which tag: “rename the tag old to new”.")
    tag = yield from named_thing(work, "tag", wish.old, exactly=True)
    yield from must(work, "update_tag", {"tag_id": tag["id"], "name": wish.new})
    return f"Renamed the tag “{name_of(tag)}” to “{wish.new}”."


def call_it(work: Work, wish: CallIt) -> Plan:
    """Give another name to what was last rejected or last made."""
    for step in reversed(work.conversation.before):
        if step.rejected and "name" in step.arguments:
            done = yield from must(work, step.name, {**step.arguments, "name": wish.name})
            return f"Done: “{done.result.get('name') or wish.name}”."
        if step.ok and step.name in ("create_schema", "update_schema"):
            yield from must(work, "update_schema", {"schema_id": step.result["schema_id"], "name": wish.name})
            return f"The schema is now called “{wish.name}”."
        if step.ok and step.name == "create_tag":
            yield from must(work, "update_tag", {"tag_id": step.result["tag_id"], "name": wish.name})
            return f"The tag is now called “{wish.name}”."
    raise GiveUp(
        f"Say what to rename: “rename this document to {wish.name}” or “rename the schema to {wish.name}”."
    )


def delete(work: Work, wish: Delete) -> Plan:
    if wish.thing is None:
        raise GiveUp(
            "Say what to delete: “delete this document”, “delete the schema X” or “remove the field X”."
        )
    if wish.thing == "document":
        return (yield from _delete_document(work, wish.name))
    if wish.name is not None:
        thing = yield from named_thing(work, wish.thing, wish.name, exactly=True)
    elif wish.thing == "schema":
        thing = yield from schema_meant(work)
    elif wish.thing == "prompt":
        thing = (yield from prompt_at_hand(work)) or {}
    else:
        thing = {}
    if not thing:
        raise GiveUp(f"Say which {wish.thing}: “delete the {wish.thing} …” with its name.")
    key = _IDS[wish.thing]
    argument = "tag_id" if wish.thing == "tag" else key
    yield from must(work, f"delete_{wish.thing}", {argument: thing[key]})
    return f"Deleted the {wish.thing} “{name_of(thing)}”."


def _delete_document(work: Work, name: str | None) -> Plan:
    if name is None:
        yield from must(work, "delete_document", _on_document(work))
        return "Deleted the document."
    document = yield from named_thing(work, "document", name, exactly=True)
    yield from must(work, "delete_document", {"document_id": document["id"]})
    return f"Deleted the document “{name_of(document)}”."


def list_things(work: Work, thing: Thing) -> Plan:
    if thing == "model":
        step = yield from must(work, "list_llm_models")
        models = step.result.get("models") or []
        names = [
            str(one.get("name") or one.get("id")) if isinstance(one, dict) else str(one) for one in models
        ]
        total = len(names)
    else:
        found = yield from all_things(work, thing)
        names = [_shown(one) for one in found]
        total = len(names)
    if not names:
        return f"There are no {thing}s yet."
    lines = "\n".join(f"- {name}" for name in names[:_MOST])
    more = f"\n\nand {total - _MOST} more" if total > _MOST else ""
    return f"There {'is' if total == 1 else 'are'} {counted(total, thing)}:\n\n{lines}{more}"


def _shown(thing: dict[str, object]) -> str:
    version = thing.get("schema_version") or thing.get("prompt_version")
    name = " ".join(name_of(thing).split())
    return f"{name} (version {version})" if version else name


def _on_document(work: Work, **changes: object) -> dict[str, object]:
    identity = {"document_id": work.situation.document_id} if work.situation.document_id else {}
    return {**identity, **changes}
