"""Plans for a conversation about a project. A plan reads what it needs, and returns an answer or calls that change.

A plan makes only calls that read. So the calls that change something are asked for together, and what came of them is
told from their results: by then the project is no longer the one that the plan has seen.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from docagent.builtin_model.agent import answers, replies
from docagent.builtin_model.agent.conversation import Step
from docagent.builtin_model.agent.known import HERE, Known, near_names
from docagent.builtin_model.agent.names import by_name, is_exact
from docagent.builtin_model.agent.understanding import Wish
from docagent.builtin_model.agent.work import Call, Calls, GiveUp, Steps, Work, choose
from docagent.domain.projects.naming import numbered_name
from docagent.markdown import headings
from docagent.reading.printed import squeezed

Doc = Mapping[str, Any]
Planned = str | Calls
Plan = Generator[Calls, Steps, Planned]
_WRITTEN = ("create", "edit", "rewrite", "update", "delete")
WRITES = frozenset({*(f"{does}_project_document" for does in _WRITTEN), "restore_project_version"})
_NUMBER = re.compile(r"\d[\d.,]*")
_POINT = re.compile(r"[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]")


@dataclass(slots=True)
class Spoken:
    """What earlier wishes of the same message spoke of."""

    last: Doc | None = None
    upcoming: dict[str, Doc] = field(default_factory=dict)
    """Documents that will have another name, or will only then exist, by that name."""


# --- which document ------------------------------------------------------------------------------------------------


def at_hand(work: Work) -> list[Doc]:
    """Return the documents of the project as the situation has them."""
    project = work.situation.project
    return [
        {"document_id": one.id, "name": one.name, "version": one.version, "content": one.content}
        for one in (project.documents if project else ())
    ]


def names_of(work: Work) -> list[str]:
    return [str(one["name"]) for one in at_hand(work)]


def _meant(work: Work, wish: Wish, spoken: Spoken) -> Generator[Calls, Steps, Doc]:
    """Return the document that the wish names. If it names none, that is the open one, or the user is asked."""
    document = yield from _looked_up(work, wish, spoken)
    spoken.last = document
    return document


def _looked_up(work: Work, wish: Wish, spoken: Spoken) -> Generator[Calls, Steps, Doc]:
    found, name = at_hand(work), wish["document"]
    if not found and not spoken.upcoming:
        raise GiveUp("There are no documents in this project yet. Say “create a document called …” first.")
    if name == HERE:
        said_it = "document" in wish.slots
        here = (spoken.last if said_it else None) or open_document(work)
        here = here or (_last_touched(work, found) if said_it else None) or _with_section(work, wish, found)
        return here or (yield from _chosen(work, "Which document do you mean?", found))
    if squeezed(name) in spoken.upcoming:
        return spoken.upcoming[squeezed(name)]
    matches = [one for one in found if one["name"] == name] or by_name(name, found)
    if len(matches) > 1:
        return (yield from _chosen(work, "Which document do you mean?", matches))
    if matches and (is_exact(name, str(matches[0]["name"])) or wish.intent != "delete"):
        return matches[0]
    near = matches or [one for one in found if one["name"] in near_names(name, names_of(work))]
    asks = f"Did you mean “{near[0]['name']}”?" if len(near) == 1 else "Which document do you mean?"
    return (yield from _chosen(work, f"There is no document called “{name}”. {asks}", near or found))


def _chosen(work: Work, question: str, found: Sequence[Doc]) -> Generator[Calls, Steps, Doc]:
    name = yield from choose(work, question, [str(one["name"]) for one in found])
    return next(one for one in found if one["name"] == name)


def _with_section(work: Work, wish: Wish, found: Sequence[Doc]) -> Doc | None:
    """Return the only document that has the section, or the text, that the wish names."""
    known = Known.of(work.situation)
    names = known.with_section(wish["section"]) if wish["section"] else []
    if not names and wish.intent in ("replace_text", "replace_every", "remove_text"):
        names = [one.name for one in known.documents if wish["text"].casefold() in one.content.casefold()]
    return next((one for one in found if [one["name"]] == names), None)


def open_document(work: Work) -> Doc | None:
    """Return the document that the user named with @, if it is one, or the one that is open."""
    mentioned = {mention["id"] for mention in work.mentions("living_document")}
    project = work.situation.project
    wanted = mentioned if len(mentioned) == 1 else {project.open_document_id if project else None}
    return next((one for one in at_hand(work) if one["document_id"] in wanted), None)


def _last_touched(work: Work, found: Sequence[Doc]) -> Doc | None:
    """Return the document that "it" means: the one that was changed or shown last, or the only one."""
    for step in reversed([*work.conversation.before, *work.done]):
        known = [one for one in found if one["document_id"] == step.result.get("document_id")]
        if step.ok and known:
            return known[0]
    return found[0] if len(found) == 1 else None


# --- reading -------------------------------------------------------------------------------------------------------


def _call(work: Work, name: str, arguments: Doc) -> Calls:
    if not work.has(name):
        raise GiveUp(replies.not_available(name))
    return (Call(name, arguments),)


def _reading(work: Work, name: str, arguments: Doc) -> Generator[Calls, Steps, Doc]:
    (step,) = yield _call(work, name, arguments)
    if not step.ok:
        raise GiveUp(replies.failed(step))
    return step.result


def _list(work: Work, _wish: Wish, _spoken: Spoken) -> Plan:
    yield from ()
    lines = []
    for one in at_hand(work):
        size = replies.counted(len(one["content"]), "character")
        lines.append(f"{replies.cut(str(one['name']), 200)} (version {one['version']}, {size})")
    if not lines:
        return "There are no documents in this project yet. Say “create a document called …” to make one."
    return replies.listing(lines, "document")


def _show(work: Work, wish: Wish, spoken: Spoken) -> Plan:
    document = yield from _meant(work, wish, spoken)
    if not work.has("read_project_document"):
        return replies.document_text(document)
    read = yield from _reading(work, "read_project_document", {"document": document["document_id"]})
    return replies.document_text(read)


def _summary(work: Work, wish: Wish, spoken: Spoken) -> Plan:
    document = yield from _meant(work, wish, spoken)
    return replies.outline_text(str(document["name"]), str(document["content"]))


def _changes(work: Work, _wish: Wish, _spoken: Spoken) -> Plan:
    yield from ()
    made = [step for step in work.conversation.before if step.name in WRITES and step.ok]
    if not made:
        return "I changed nothing in this conversation so far."
    lines = [f"- {replies.done(step)}" for step in made[-replies.MOST_LISTED :]]
    return "In this conversation, the last at the end:\n\n" + "\n".join(lines)


MOST_SHOWN = 3


def ask(work: Work, question: str) -> Plan:
    """Answer from the passages that the project's index finds, else from those that are closest."""
    named = [
        one
        for one in at_hand(work)
        if re.search(rf"\b{re.escape(str(one['name']))}\b", question[:2000], re.I)
    ]
    documents = named if len(named) == 1 else at_hand(work)
    said = (
        re.sub(re.escape(str(named[0]["name"])), " ", question[:2000], flags=re.I)
        if len(named) == 1
        else question
    )
    words = answers.content_words(said)
    found: Sequence[Any] = ()
    if words and work.has("search_project"):
        within = {"document": named[0]["document_id"]} if len(named) == 1 else {}
        (step,) = yield (Call("search_project", {"words": " ".join(words)[:200], **within}),)
        found = step.result.get("passages") or () if step.ok else ()
    if not words and len(named) == 1:
        return replies.outline_text(str(named[0]["name"]), str(named[0]["content"]))
    passages = [
        answers.Passage(
            f"**{replies.cut(str(one.get('name')), 200)}**, line {one.get('line')}", str(one.get("text"))
        )
        for one in found
        if isinstance(one, dict) and not str(one.get("text")).startswith("#")
    ]
    own = answers.of_documents((str(one["name"]), str(one["content"])) for one in documents)
    where = replies.counted(len(documents), "document")
    return answers.from_passages(
        words, question, [*own, *passages], where, lambda: own[:MOST_SHOWN] if named else ()
    )


# --- changing ------------------------------------------------------------------------------------------------------


def _edited(work: Work, document: Doc, *edits: Doc) -> Calls:
    return _call(work, "edit_project_document", {"document": document["document_id"], "edits": list(edits)})


def _create(work: Work, wish: Wish, spoken: Spoken) -> Plan:
    """Create a document. An existing name is refused, so nothing is overwritten."""
    yield from ()
    names = [*names_of(work), *(str(one["name"]) for one in spoken.upcoming.values())]
    number, name = len(names) + 1, wish["name"]
    while not name:
        name = "" if any(is_exact(one, numbered_name(number)) for one in names) else numbered_name(number)
        number += 1
    taken = next((one for one in names if is_exact(one, name)), None)
    if taken is not None:
        raise GiveUp(
            f"There is a document “{taken}” already. Add to it with “add … to {taken}”, or choose another name."
        )
    made = {"document_id": name, "name": name, "version": 1, "content": wish["text"]}
    spoken.last = spoken.upcoming[squeezed(name)] = made
    return _call(work, "create_project_document", {"name": name, "content": wish["text"]})


def _append(work: Work, wish: Wish, spoken: Spoken) -> Plan:
    document = yield from _meant(work, wish, spoken)
    content, name = str(document["content"]), str(document["name"])
    if wish.intent == "add_section":
        if squeezed(wish["name"]) in map(squeezed, Known.of(work.situation).sections.get(name, ())):
            raise GiveUp(f"“{name}” has a section “{wish['name']}” already, and I changed nothing.")
        return _edited(work, document, {"append": f"## {wish['name']}\n\n{wish['text']}".strip()})
    section = _section_of(work, wish, name)
    text = wish["text"] if "text" in wish.quoted else _as_point(content, section, wish["text"])
    return _edited(
        work, document, {"append_to_section": section, "content": text} if section else {"append": text}
    )


def _section_of(work: Work, wish: Wish, name: str) -> str:
    """Return the title of the section that is meant. Raises GiveUp if the document has none such."""
    known = Known.of(work.situation)
    title = known.section(wish["section"], name)
    if title and name in known.sections and title not in known.sections[name]:
        there = ", ".join(f"“{one}”" for one in known.sections[name])
        raise GiveUp(
            f"There is no section “{title}” in “{name}”, and I changed nothing. Which one is meant? {there}"
        )
    return title


def _as_point(content: str, section: str, text: str) -> str:
    """Return the text as a point if what stands before its place is a list."""
    known = headings(content)
    own = content
    for place, one in enumerate(known):
        if section and squeezed(one.title) == squeezed(section):
            own = content[one.body : known[place + 1].start if place + 1 < len(known) else None]
    lines = [line for line in own.splitlines() if line.strip()]
    return f"{lines[-1][:2]}{text}" if lines and lines[-1][:2] in ("- ", "* ", "+ ") else text


def _replace(work: Work, wish: Wish, spoken: Spoken) -> Plan:
    document = yield from _meant(work, wish, spoken)
    content, name = str(document["content"]), str(document["name"])
    old, new = _as_it_stands(content, wish["text"]), wish["value"]
    if "text" not in wish.quoted and _NUMBER.fullmatch(new) and not _NUMBER.search(old):
        old, new = _with_number(content, old, new, name)
    times = content.count(old)
    if wish.intent == "replace_every":
        return _edited(work, document, {"find": old, "replace": new, "every": True})
    if times > 1:
        raise GiveUp(
            f"“{replies.cut(old, 60)}” occurs {times} times in “{name}”, and I changed nothing. Quote more of the text"
            f" around it, or say “replace every “{replies.cut(old, 60)}” with “{replies.cut(new, 60)}” in {name}”."
        )
    return _edited(work, document, {"find": old, "replace": new})


def _as_it_stands(content: str, wanted: str) -> str:
    """Return the text as the document writes it, if only the letter case differs."""
    place = content.casefold().find(wanted.casefold()) if wanted not in content else -1
    found = content[place : place + len(wanted)] if place >= 0 else wanted
    return found if found.casefold() == wanted.casefold() else wanted


def _with_number(content: str, thing: str, value: str, name: str) -> tuple[str, str]:
    """Return the line that gives a thing's number, and the same line with another number."""
    lines = [line for line in content.splitlines() if thing.casefold() in line.casefold()]
    numbers = _NUMBER.findall(lines[0]) if len(lines) == 1 else []
    if len(numbers) != 1:
        raise GiveUp(
            f"I did not find one number for “{thing}” in “{name}”, and changed nothing. Quote the text to replace."
        )
    return lines[0], lines[0].replace(numbers[0], value)


def _remove_text(work: Work, wish: Wish, spoken: Spoken) -> Plan:
    document = yield from _meant(work, wish, spoken)
    content = str(document["content"])
    text = _as_it_stands(content, wish["text"])
    for line in content.splitlines(keepends=True):  # a point goes with its line, so that no empty one is left
        point = _POINT.match(line)
        if point and line.strip() in (text, f"{point[0].strip()} {text}"):
            text = line
    return _edited(work, document, {"find": text, "replace": ""})


def _section(work: Work, wish: Wish, spoken: Spoken) -> Plan:
    """Replace or remove a section."""
    document = yield from _meant(work, wish, spoken)
    title = _section_of(work, wish, str(document["name"]))
    if wish.intent == "remove_section":
        return _edited(work, document, {"remove_section": title})
    return _edited(work, document, {"section": title, "content": wish["text"]})


def _rewrite(work: Work, wish: Wish, spoken: Spoken) -> Plan:
    document = yield from _meant(work, wish, spoken)
    arguments = {
        "document": document["document_id"],
        "content": wish["text"],
        "base_version": document["version"],
    }
    return _call(work, "rewrite_project_document", arguments)


def _rename(work: Work, wish: Wish, spoken: Spoken) -> Plan:
    document = yield from _meant(work, wish, spoken)
    spoken.upcoming[squeezed(wish["name"])] = document
    # By its name, which tells later what it was called before.
    return _call(work, "update_project_document", {"document": document["name"], "name": wish["name"]})


def _delete(work: Work, wish: Wish, spoken: Spoken) -> Plan:
    document = yield from _meant(work, wish, spoken)
    return _call(work, "delete_project_document", {"document": document["document_id"]})


def _restore(work: Work, wish: Wish, spoken: Spoken) -> Plan:
    document = yield from _meant(work, wish, spoken)
    arguments = {"document": document["document_id"], "version": int(wish["number"])}
    return _call(work, "restore_project_version", arguments)


def _stale(work: Work, wish: Wish, spoken: Spoken) -> Plan:
    """Tell which passages are stale; to bring them up to date, put the present value into each, one edit a document."""
    arguments: dict[str, Any] = {}
    if wish["document"]:
        arguments["document"] = (yield from _meant(work, wish, spoken))["document_id"]
    found = (yield from _reading(work, "check_citations", arguments)).get("citations")
    stale = [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []
    edits: dict[str, list[Doc]] = {}
    for one in stale:
        edit = {"find": one.get("source"), "replace": one.get("suggested"), "every": True}
        known = edits.setdefault(str(one.get("document")), [])
        if one.get("suggested") and edit not in known:
            known.append(edit)
    if wish.intent == "stale" or not any(edits.values()):
        return replies.stale_text(stale)
    return tuple(
        Call("edit_project_document", {"document": document, "edits": changes})
        for document, changes in edits.items()
        if changes
    )


def _undo(work: Work, wish: Wish, spoken: Spoken) -> Plan:
    """Take the last change of this conversation back, or that of a document that is named."""
    made = [step for step in work.conversation.before if step.name in WRITES and step.ok]
    if not wish["document"] and made:
        return _undone(work, made[-1])
    if not wish["document"] and open_document(work) is None:
        raise GiveUp("I changed nothing in this conversation, so there is nothing to take back.")
    document = yield from _meant(work, wish, spoken)
    return _former(work, document)


def _undone(work: Work, step: Step) -> Calls:
    """Return the call that takes a change back. A document that has changed since is left alone."""
    name = step.result.get("name")
    now = [one for one in at_hand(work) if one["document_id"] == step.result.get("document_id")]
    if step.name == "delete_project_document":
        raise GiveUp(
            f"“{name}” was deleted. Take that back with Undo beside it, or from the list of what was deleted."
        )
    if not now:
        raise GiveUp(f"“{name}” is not there any more, so there is nothing to take back.")
    if now[0]["version"] != step.result.get("version"):
        raise GiveUp(
            f"“{now[0]['name']}” has changed since. Say “restore version …” to choose what comes back."
        )
    if step.name == "create_project_document":
        return _call(work, "delete_project_document", {"document": now[0]["document_id"]})
    if step.arguments.get("name"):
        return _call(
            work, "update_project_document", {"document": str(name), "name": str(step.arguments["document"])}
        )
    return _former(work, now[0])


def _former(work: Work, document: Doc) -> Calls:
    if document["version"] < 2:
        raise GiveUp(f"“{document['name']}” has only one version, so there is nothing to take back.")
    arguments = {"document": document["document_id"], "version": document["version"] - 1}
    return _call(work, "restore_project_version", arguments)


PLANS: dict[str, Callable[[Work, Wish, Spoken], Plan]] = {
    "list": _list,
    "show": _show,
    "summary": _summary,
    "changes": _changes,
    "create": _create,
    "create_with": _create,
    "append": _append,
    "append_section": _append,
    "add_section": _append,
    "replace_text": _replace,
    "replace_every": _replace,
    "remove_text": _remove_text,
    "replace_section": _section,
    "remove_section": _section,
    "rewrite": _rewrite,
    "rename": _rename,
    "delete": _delete,
    "restore": _restore,
    "stale": _stale,
    "update_stale": _stale,
    "undo": _undo,
    "undo_document": _undo,
}
