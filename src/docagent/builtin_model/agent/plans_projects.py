"""Plans for a conversation about a project. A plan reads what it needs, and returns an answer or calls that change.

A plan makes only calls that read. So the calls that change something are asked for together, and what came of them is
told from their results: by then the project is no longer the one that the plan has seen.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from typing import Any

from docagent.builtin_model.agent import answers, replies
from docagent.builtin_model.agent.conversation import Step
from docagent.builtin_model.agent.known import HERE, by_name, is_exact, near_names, with_name
from docagent.builtin_model.agent.understanding import Wish
from docagent.builtin_model.agent.work import Call, Calls, GiveUp, Steps, Work, choose
from docagent.domain.models.llm import ProjectDocument
from docagent.domain.projects.naming import numbered_name
from docagent.markdown import headings, with_own_text
from docagent.reading.printed import squeezed

Doc = ProjectDocument
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


def _meant(work: Work, wish: Wish, spoken: Spoken) -> Generator[Calls, Steps, Doc]:
    """Return the document that the wish names. If it names none, that is the open one, or the user is asked."""
    document = yield from _looked_up(work, wish, spoken)
    spoken.last = document
    return document


def _looked_up(work: Work, wish: Wish, spoken: Spoken) -> Generator[Calls, Steps, Doc]:
    found, name = work.known.documents, wish["document"]
    if not found and not spoken.upcoming:
        raise GiveUp("There are no documents in this project yet. Say “create a document called …” first.")
    if name == HERE:
        said_it = "document" in wish.slots
        here = (spoken.last if said_it else None) or open_document(work)
        here = here or (_last_touched(work, found) if said_it else None) or _with_section(work, wish, found)
        return here or (yield from _chosen(work, "Which document do you mean?", found))
    if squeezed(name) in spoken.upcoming:
        return spoken.upcoming[squeezed(name)]
    matches = by_name(name, found)
    if len(matches) > 1:
        return (yield from _chosen(work, "Which document do you mean?", matches))
    if matches and (is_exact(name, matches[0].name) or wish.intent != "delete"):
        return matches[0]
    near = matches or [one for one in found if one.name in near_names(name, work.known.document_names)]
    asks = f"Did you mean “{near[0].name}”?" if len(near) == 1 else "Which document do you mean?"
    return (yield from _chosen(work, f"There is no document called “{name}”. {asks}", near or found))


def _chosen(work: Work, question: str, found: Sequence[Doc]) -> Generator[Calls, Steps, Doc]:
    name = yield from choose(work, question, [one.name for one in found])
    return next(one for one in found if one.name == name)


def _with_section(work: Work, wish: Wish, found: Sequence[Doc]) -> Doc | None:
    """Return the only document that has the section, or the text, that the wish names."""
    known = work.known
    names = known.with_section(wish["section"]) if wish["section"] else []
    if not names and wish.intent in ("replace_text", "replace_every", "remove_text"):
        names = [one.name for one in known.documents if wish["text"].casefold() in one.content.casefold()]
    return next((one for one in found if [one.name] == names), None)


def open_document(work: Work) -> Doc | None:
    """Return the document that the user named with @, if it is one, or the one that is open."""
    mentioned = {mention["id"] for mention in work.mentions("living_document")}
    project = work.situation.project
    wanted = mentioned if len(mentioned) == 1 else {project.open_document_id if project else None}
    return next((one for one in work.known.documents if one.id in wanted), None)


def _last_touched(work: Work, found: Sequence[Doc]) -> Doc | None:
    """Return the document that "it" means: the one that was changed or shown last, or the only one."""
    for step in reversed([*work.conversation.before, *work.done]):
        known = [one for one in found if one.id == step.result.get("document_id")]
        if step.ok and known:
            return known[0]
    return found[0] if len(found) == 1 else None


# --- reading -------------------------------------------------------------------------------------------------------


def _call(work: Work, name: str, arguments: Mapping[str, Any]) -> Calls:
    if not work.has(name):
        raise GiveUp(replies.not_available(name))
    return (Call(name, arguments),)


def _list(work: Work, _wish: Wish, _spoken: Spoken) -> Plan:
    yield from ()
    lines = []
    for one in work.known.documents:
        size = replies.counted(len(one.content), "character")
        lines.append(f"{replies.cut(one.name, 200)} (version {one.version}, {size})")
    if not lines:
        return "There are no documents in this project yet. Say “create a document called …” to make one."
    return replies.listing(lines, "document")


def _made(work: Work) -> list[Step]:
    """Return the changes that were made before in this conversation."""
    return [step for step in work.conversation.before if step.name in WRITES and step.ok]


def _changes(work: Work, _wish: Wish, _spoken: Spoken) -> Plan:
    yield from ()
    made = _made(work)
    lines = [f"- {replies.done(step)}" for step in made[-replies.MOST_LISTED :]]
    told = "In this conversation, the last at the end:\n\n" + "\n".join(lines)
    return told if made else "I changed nothing in this conversation so far."


def ask(work: Work, question: str) -> str:
    """Answer from the passages that say most of the words, of the document that is named or of all."""
    documents, said = work.known.documents, question[:2000]
    named = [one for one in documents if re.search(rf"\b{re.escape(one.name)}\b", said, re.I)]
    otherwise = partial(replies.listing, work.known.document_names, "document")
    if len(named) == 1:
        documents = tuple(named)
        said = re.sub(re.escape(named[0].name), " ", said, flags=re.I)
        otherwise = partial(replies.outline_text, named[0])
    words = answers.content_words(said)
    if named and not words:
        return otherwise()
    passages, where = answers.of_documents(documents), replies.counted(len(documents), "document")
    return answers.from_passages(words, question, passages, where, otherwise)


# --- changing ------------------------------------------------------------------------------------------------------


def _to(make: Callable[[Work, Wish, Doc], Planned]) -> Callable[[Work, Wish, Spoken], Plan]:
    """Return the plan that does this to the document that is meant."""

    def plan(work: Work, wish: Wish, spoken: Spoken) -> Plan:
        return make(work, wish, (yield from _meant(work, wish, spoken)))

    return plan


def _changed(work: Work, does: str, document: Doc, **arguments: Any) -> Calls:
    return _call(work, f"{does}_project_document", {"document": document.id, **arguments})


def _edited(work: Work, document: Doc, edit: Mapping[str, Any]) -> Calls:
    return _changed(work, "edit", document, edits=[edit])


def _create(work: Work, wish: Wish, spoken: Spoken) -> Plan:
    """Create a document. An existing name is refused, so nothing is overwritten."""
    yield from ()
    names = [*work.known.document_names, *(one.name for one in spoken.upcoming.values())]
    numbered = map(numbered_name, count(len(names) + 1))
    name = wish["name"] or next(one for one in numbered if not with_name(one, names))
    taken = next(iter(with_name(name, names)), None)
    if taken is not None:
        raise GiveUp(
            f"There is a document “{taken}” already. Add to it with “add … to {taken}”, or choose another name."
        )
    spoken.last = spoken.upcoming[squeezed(name)] = Doc(name, name, 1, wish["text"])
    return _call(work, "create_project_document", {"name": name, "content": wish["text"]})


def _add_section(work: Work, wish: Wish, document: Doc) -> Calls:
    if document.name in work.known.with_section(wish["name"]):
        raise GiveUp(f"“{document.name}” has a section “{wish['name']}” already, and I changed nothing.")
    return _edited(work, document, {"append": f"## {wish['name']}\n\n{wish['text']}".strip()})


def _append(work: Work, wish: Wish, document: Doc) -> Calls:
    section = _section_of(work, wish, document.name)
    text = wish["text"] if "text" in wish.quoted else _as_point(document.content, section, wish["text"])
    edit = {"append_to_section": section, "content": text} if section else {"append": text}
    return _edited(work, document, edit)


def _section_of(work: Work, wish: Wish, name: str) -> str:
    """Return the title of the section that is meant. Raises GiveUp if the document has none such."""
    known = work.known
    title = known.section(wish["section"], name)
    if title and name in known.sections and title not in known.sections[name]:
        there = ", ".join(f"“{one}”" for one in known.sections[name])
        raise GiveUp(
            f"There is no section “{title}” in “{name}”, and I changed nothing. Which one is meant? {there}"
        )
    return title


def _as_point(content: str, section: str, text: str) -> str:
    """Return the text as a point if what stands before its place is a list."""
    owns = (own for one, own in with_own_text(content) if squeezed(one.title) == squeezed(section))
    own = next(owns, content) if section else content
    lines = [line for line in own.splitlines() if line.strip()]
    return f"{lines[-1][:2]}{text}" if lines and lines[-1][:2] in ("- ", "* ", "+ ") else text


def _replace(work: Work, wish: Wish, document: Doc) -> Calls:
    content, name = document.content, document.name
    old, new = _as_it_stands(content, wish["text"]), wish["value"]
    if not wish.quoted and old[:1].isupper() and wish["text"].islower() and new.islower():
        new = new[:1].upper() + new[1:]  # where people type no capitals, the document's writing is kept
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


def _remove_text(work: Work, wish: Wish, document: Doc) -> Calls:
    text = _as_it_stands(document.content, wish["text"])
    # A point goes with its line, so that no empty one is left.
    for line in document.content.splitlines(keepends=True):
        point = _POINT.match(line)
        if point and line.strip() in (text, f"{point[0].strip()} {text}"):
            text = line
    return _edited(work, document, {"find": text, "replace": ""})


def _section(work: Work, wish: Wish, document: Doc) -> Calls:
    """Replace or remove a section."""
    title = _section_of(work, wish, document.name)
    if wish.intent == "remove_section":
        return _edited(work, document, {"remove_section": title})
    return _edited(work, document, {"section": title, "content": wish["text"]})


def _rename_section(work: Work, wish: Wish, document: Doc) -> Calls:
    title, content = _section_of(work, wish, document.name), document.content
    heading = next(content[one.start : one.body].rstrip() for one in headings(content) if one.title == title)
    renamed = heading.replace(title, wish["name"])
    return _edited(work, document, {"find": f"{heading}\n", "replace": f"{renamed}\n"})


def _rename(work: Work, wish: Wish, spoken: Spoken) -> Plan:
    document = yield from _meant(work, wish, spoken)
    spoken.upcoming[squeezed(wish["name"])] = document
    # By its name, which tells later what it was called before.
    return _call(work, "update_project_document", {"document": document.name, "name": wish["name"]})


def _rewrite(work: Work, wish: Wish, document: Doc) -> Calls:
    return _changed(work, "rewrite", document, content=wish["text"], base_version=document.version)


def _stale(work: Work, wish: Wish, spoken: Spoken) -> Plan:
    """Tell which passages are stale; to bring them up to date, put the present value into each, one edit a document."""
    within = {"document": (yield from _meant(work, wish, spoken)).id} if wish["document"] else {}
    (step,) = yield _call(work, "check_citations", within)
    if not step.ok:
        raise GiveUp(replies.failed(step))
    stale = [one for one in step.result.get("citations") or () if isinstance(one, dict)]
    edits: dict[str, list[Any]] = {}
    for one in stale:
        edit = {"find": one.get("source"), "replace": one.get("suggested"), "every": True}
        if one.get("suggested") and edit not in edits.setdefault(str(one.get("document")), []):
            edits[str(one.get("document"))].append(edit)
    if wish.intent == "stale" or not edits:
        return replies.stale_text(stale)
    return tuple(
        Call("edit_project_document", {"document": document, "edits": changes})
        for document, changes in edits.items()
    )


def _undo(work: Work, wish: Wish, spoken: Spoken) -> Plan:
    """Take the last change of this conversation back, or that of a document that is named."""
    made = _made(work)
    if not wish["document"] and made:
        return _undone(work, made[-1])
    if not wish["document"] and open_document(work) is None:
        raise GiveUp("I changed nothing in this conversation, so there is nothing to take back.")
    return _former(work, (yield from _meant(work, wish, spoken)))


def _undone(work: Work, step: Step) -> Calls:
    """Return the call that takes a change back. A document that has changed since is left alone."""
    name = step.result.get("name")
    now = [one for one in work.known.documents if one.id == step.result.get("document_id")]
    if step.name == "delete_project_document":
        raise GiveUp(
            f"“{name}” was deleted. Take that back with Undo beside it, or from the list of what was deleted."
        )
    if not now:
        raise GiveUp(f"“{name}” is not there any more, so there is nothing to take back.")
    if now[0].version != step.result.get("version"):
        raise GiveUp(
            f"“{now[0].name}” has changed since. Choose what comes back in the list of its versions."
        )
    if step.name == "create_project_document":
        return _changed(work, "delete", now[0])
    if step.arguments.get("name"):
        named = {"document": str(name), "name": str(step.arguments["document"])}
        return _call(work, "update_project_document", named)
    return _former(work, now[0])


def _former(work: Work, document: Doc) -> Calls:
    if document.version < 2:
        raise GiveUp(f"“{document.name}” has only one version, so there is nothing to take back.")
    arguments = {"document": document.id, "version": document.version - 1}
    return _call(work, "restore_project_version", arguments)


PLANS: dict[str, Callable[[Work, Wish, Spoken], Plan]] = {
    "list": _list,
    "show": _to(lambda _work, _wish, document: replies.document_text(document)),
    "summary": _to(lambda _work, _wish, document: replies.outline_text(document)),
    "changes": _changes,
    "create": _create,
    "create_with": _create,
    "append": _to(_append),
    "append_section": _to(_append),
    "add_section": _to(_add_section),
    "replace_text": _to(_replace),
    "replace_every": _to(_replace),
    "remove_text": _to(_remove_text),
    "replace_section": _to(_section),
    "remove_section": _to(_section),
    "rename_section": _to(_rename_section),
    "rewrite": _to(_rewrite),
    "rename": _rename,
    "delete": _to(lambda work, _wish, document: _changed(work, "delete", document)),
    "stale": _stale,
    "update_stale": _stale,
    "undo": _undo,
    "undo_document": _undo,
}
