"""Plans that go on with documents like this one: a tag brings them to the prompt."""

from __future__ import annotations

from collections.abc import Generator

from docagent.builtin_model.agent.finding import Thing, all_things, name_of, prompt_at_hand
from docagent.builtin_model.agent.plans_documents import tag_document, tags_called
from docagent.builtin_model.agent.telling import TAG_THEM
from docagent.builtin_model.agent.work import Calls, GiveUp, Plan, Steps, Work, must

_TAGGING = ("list_tags", "create_tag", "update_prompt", "update_document")


def question(work: Work, prompt: Thing, title: str) -> Generator[Calls, Steps, str]:
    """Ask whether to go on with all documents like this one. Nothing is asked where nobody could say yes."""
    if not all(work.has(tool) for tool in _TAGGING):
        return ""
    tag_ids = [str(one) for one in prompt.get("tag_ids") or ()]
    if set(tag_ids) & set(work.tag_ids):
        return ""
    name = title.lower()
    if tag_ids:
        known = yield from all_things(work, "tag")
        name = next((name_of(tag) for tag in known if str(tag.get("id")) in tag_ids), name)
    return (
        f"\n\nShall I do the same with all documents like this one? Say “{TAG_THEM}{name}”: from then on every"
        f" document with that tag is read with the prompt “{name_of(prompt)}”."
    )


def tag_alike(work: Work, names: tuple[str, ...]) -> Plan:
    """Put the tags on the prompt at hand and on the document."""
    prompt = yield from prompt_at_hand(work)
    if prompt is None:
        raise GiveUp(
            "There is no prompt at hand. Say “set this up” first, or “tag this as …” to tag the document."
        )
    tag_ids = yield from tags_called(work, names)
    has = [str(one) for one in prompt.get("tag_ids") or ()]
    if not set(tag_ids) <= set(has):
        yield from must(
            work,
            "update_prompt",
            {"prompt_id": prompt["prompt_id"], "tag_ids": list(dict.fromkeys([*has, *tag_ids]))},
            f"The prompt “{name_of(prompt)}” should read every document with this tag.",
        )
    tagged = yield from tag_document(work, names)
    said = " and ".join(f"“{name}”" for name in names)
    return f"From now on documents with the tag {said} are read with the prompt “{name_of(prompt)}”. {tagged}"
