"""Plans for wishes in a project. A plan reads what it needs, and returns an answer or the call that makes the change.

A plan makes only calls that read. So the calls that change something can be asked for together, and what came of them
is told from their results (`project_reply`): by then the project is no longer the one that the plan has seen.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import Any

from docagent.builtin_model.agent import project_intent_text as texts
from docagent.builtin_model.agent import project_telling as telling
from docagent.builtin_model.agent.names import by_name, is_exact
from docagent.builtin_model.agent.project_known import HERE, Known
from docagent.builtin_model.agent.project_meant import (
    IT,
    Doc,
    Spoken,
    content_of,
    documents,
    meant,
    of_that_name,
    open_document,
    read_call,
)
from docagent.builtin_model.agent.project_wishes import (
    AddSection,
    AddText,
    AskDocs,
    CreateDoc,
    DeleteDoc,
    ListDocs,
    MoveSection,
    Outline,
    ProjectWish,
    Remark,
    RemoveSection,
    RenameDoc,
    RenameSection,
    ReplaceBody,
    ReplaceText,
    RestoreDoc,
    SetInstruction,
    ShowChanges,
    ShowDoc,
    ShowInstruction,
    ShowStale,
    ShowVersions,
    UndoLast,
    Unsure,
    UpdateStale,
    Vague,
)
from docagent.builtin_model.agent.wishes import CallIt
from docagent.builtin_model.agent.work import Call, Calls, GiveUp, Steps, Work
from docagent.domain.projects.naming import document_name, numbered_name
from docagent.markdown import headings
from docagent.reading.printed import squeezed

Planned = str | Calls
Plan = Generator[Calls, Steps, Planned]
WRITES = frozenset(
    {
        *("create_project_document", "edit_project_document", "rewrite_project_document"),
        *("update_project_document", "delete_project_document", "restore_project_version"),
    }
)


def project_plan(wish: ProjectWish | CallIt, work: Work, spoken: Spoken) -> Plan:
    return _PLANS[type(wish)](work, wish, spoken)


def names_at_hand(work: Work) -> list[str]:
    project = work.situation.project
    return [document.name for document in project.documents] if project else []


def _unsure(work: Work, wish: Unsure, spoken: Spoken) -> Plan:
    del spoken
    yield from ()
    return telling.unsure(wish.text, names_at_hand(work))


def _remark(work: Work, wish: Remark, spoken: Spoken) -> Plan:
    yield from ()
    spoken.last = of_that_name(work, wish.document)
    return ""


def _vague(work: Work, wish: Vague, spoken: Spoken) -> Plan:
    yield from ()
    document = spoken.last or open_document(work) if wish.document in IT else {"name": wish.document}
    names = [str(document["name"])] if document else names_at_hand(work)
    return telling.vague(names, is_known=document is not None)


# --- reading -------------------------------------------------------------------------------------------------------


def _list(work: Work, wish: ListDocs, spoken: Spoken) -> Plan:
    del wish, spoken
    return telling.list_text((yield from documents(work)))


def _read(work: Work, document: Doc) -> Generator[Calls, Steps, Doc]:
    if not work.has("read_project_document"):
        return document
    return (yield from read_call(work, "read_project_document", {"document": document["document_id"]}))


def _show(work: Work, wish: ShowDoc | ShowInstruction, spoken: Spoken) -> Plan:
    document = yield from meant(work, wish.document, spoken)
    if isinstance(wish, ShowInstruction):
        return telling.instruction_text(document)
    return telling.document_text((yield from _read(work, document)))


def _outline(work: Work, wish: Outline, spoken: Spoken) -> Plan:
    document = yield from meant(work, wish.document, spoken)
    read = yield from _read(work, document)
    text = content_of(work, document) or str(read.get("content") or "")
    return telling.outline_text(str(read["name"]), text, with_text=wish.with_text)


def _versions(work: Work, wish: ShowVersions, spoken: Spoken) -> Plan:
    document = yield from meant(work, wish.document, spoken)
    arguments = {"document": document["document_id"]}
    return telling.versions_text((yield from read_call(work, "list_project_versions", arguments)))


def _changes(work: Work, wish: ShowChanges, spoken: Spoken) -> Plan:
    del wish, spoken
    yield from ()
    return telling.changes_text(
        [step for step in work.conversation.before if step.name in WRITES and step.ok]
    )


def _ask(work: Work, wish: AskDocs, spoken: Spoken) -> Plan:
    arguments: dict[str, Any] = {"words": wish.words[:200]}
    if wish.document is not None:
        arguments["document"] = (yield from meant(work, wish.document, spoken))["document_id"]
    return telling.passages_text((yield from read_call(work, "search_project", arguments)), wish.words)


# --- changing ------------------------------------------------------------------------------------------------------


def _write(work: Work, name: str, arguments: Doc) -> Calls:
    if not work.has(name):
        raise GiveUp(telling.not_available(name))
    return (Call(name, arguments),)


def _create(work: Work, wish: CreateDoc, spoken: Spoken) -> Plan:
    """Create a document. An existing name is refused, so nothing is overwritten."""
    yield from ()
    names = [*names_at_hand(work), *(str(one["name"]) for one in spoken.upcoming.values())]
    name = wish.name or document_name(None, wish.said, wish.said, len(names))
    if is_exact(name, numbered_name(len(names) + 1)):
        name = _free_number(names)
    taken = next((one for one in names if is_exact(one, name)), None)
    if taken is not None:
        raise GiveUp(
            f"There is a document “{taken}” already. Add to it with “add … to {taken}”, or choose another name."
        )
    spoken.last = spoken.upcoming[squeezed(name)] = {
        "document_id": name,
        "name": name,
        "content": wish.content,
    }
    return _write(work, "create_project_document", {"name": name, "content": wish.content})


def _free_number(names: Sequence[str]) -> str:
    number = len(names) + 1
    while by_name(numbered_name(number), names):
        number += 1
    return numbered_name(number)


def _edit(work: Work, wish: AddText | AddSection | ReplaceText | RemoveSection, spoken: Spoken) -> Plan:
    document = yield from meant(work, wish.document, spoken)
    content = content_of(work, document)
    match wish:
        case AddText(section=None):
            edit: dict[str, Any] = {"append": _as_point(wish, content)}
        case AddText():
            edit = {"append_to_section": wish.section or "", "content": _as_point(wish, content)}
        case AddSection():
            edit = {"append": f"## {wish.section}\n\n{wish.text}".strip()}
        case ReplaceText():
            edit = _replacement(wish, content, str(document["name"]))
        case RemoveSection():
            removed = [{"remove_section": title} for title in (wish.section, *wish.others)]
            return _edited(work, document, *removed)
    return _edited(work, document, edit)


def _as_point(wish: AddText, content: str | None) -> str:
    return wish.text if wish.as_written else texts.as_point(content or "", wish.section, wish.text)


def _replacement(wish: ReplaceText, content: str | None, name: str) -> dict[str, Any]:
    times = (content or "").count(wish.old)
    if wish.every:
        return {"find": wish.old, "replace": wish.new, "every": True}
    if times > 1:
        raise GiveUp(telling.occurs_often(wish.old, wish.new, times, name))
    return {"find": wish.old, "replace": wish.new}


def _edited(work: Work, document: Doc, *edits: dict[str, Any]) -> Calls:
    arguments = {"document": document["document_id"], "edits": list(edits)}
    return _write(work, "edit_project_document", arguments)


def _move(work: Work, wish: MoveSection, spoken: Spoken) -> Plan:
    document = yield from meant(work, wish.document, spoken)
    edit = {"move_section": wish.section}
    if wish.where in ("before", "after"):
        edit[wish.where] = wish.other
    elif wish.where == "top":
        first = texts.first_beside(content_of(work, document) or "", wish.section)
        if first is None:
            raise GiveUp(f"The section “{wish.section}” of “{document['name']}” is the first already.")
        edit["before"] = first
    return _edited(work, document, edit)


def _rename_section(work: Work, wish: RenameSection, spoken: Spoken) -> Plan:
    document = yield from meant(work, wish.document, spoken)
    content = content_of(work, document) or ""
    found = [one for one in headings(content) if squeezed(one.title) == squeezed(wish.section)]
    lines = [
        content[one.start : one.body].rstrip("\r\n")
        for one in found
        if one.title in content[one.start : one.body]
    ]
    if len(lines) != 1:
        raise GiveUp(
            f"I did not find one section “{wish.section}” in “{document['name']}”, and changed nothing."
        )
    return _edited(
        work, document, {"find": lines[0], "replace": lines[0].replace(found[0].title, wish.title, 1)}
    )


def _replace_body(work: Work, wish: ReplaceBody, spoken: Spoken) -> Plan:
    document = yield from meant(work, wish.document, spoken)
    if wish.section is not None:
        return _edited(work, document, {"section": wish.section, "content": wish.text})
    arguments = {
        "document": document["document_id"],
        "content": wish.text,
        "base_version": document.get("version"),
    }
    return _write(work, "rewrite_project_document", arguments)


def _rename(work: Work, wish: RenameDoc | CallIt, spoken: Spoken) -> Plan:
    document = yield from meant(work, wish.document if isinstance(wish, RenameDoc) else HERE, spoken)
    spoken.upcoming[squeezed(wish.name)] = document
    # By its name, which tells later what it was called before.
    return _write(work, "update_project_document", {"document": document["name"], "name": wish.name})


def _instruct(work: Work, wish: SetInstruction, spoken: Spoken) -> Plan:
    document = yield from meant(work, wish.document, spoken)
    arguments = {"document": document["document_id"], "standing_instruction": wish.text}
    return _write(work, "update_project_document", arguments)


def _delete(work: Work, wish: DeleteDoc, spoken: Spoken) -> Plan:
    document = yield from meant(work, wish.document, spoken, exactly=True)
    return _write(work, "delete_project_document", {"document": document["document_id"]})


def _restore(work: Work, wish: RestoreDoc, spoken: Spoken) -> Plan:
    document = yield from meant(work, wish.document, spoken)
    arguments = {"document": document["document_id"], "version": wish.version}
    return _write(work, "restore_project_version", arguments)


def _stale(work: Work, wish: ShowStale | UpdateStale, spoken: Spoken) -> Plan:
    """Tell which passages are stale; to bring them up to date, put the present value into each, one edit a document."""
    arguments: dict[str, Any] = {}
    if wish.document is not None:
        arguments["document"] = (yield from meant(work, wish.document, spoken))["document_id"]
    found = (yield from read_call(work, "check_citations", arguments)).get("citations")
    stale = [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []
    edits: dict[str, list[dict[str, Any]]] = {}
    for one in stale:
        edit = {"find": one.get("source"), "replace": one.get("suggested"), "every": True}
        known = edits.setdefault(str(one.get("document")), [])
        if one.get("suggested") and edit not in known:
            known.append(edit)
    if isinstance(wish, ShowStale) or not any(edits.values()):
        return telling.stale_text(stale)
    return tuple(
        Call("edit_project_document", {"document": document, "edits": changes})
        for document, changes in edits.items()
        if changes
    )


def _undo(work: Work, wish: UndoLast, spoken: Spoken) -> Plan:
    """Take the last change of this conversation back, or that of a document that is named or open."""
    made = [step for step in work.conversation.before if step.name in WRITES and step.ok]
    if wish.document is None and made:
        return _undone(work, made[-1])
    document = yield from meant(work, wish.document or HERE, spoken)
    return _former(work, document, int(document["version"]))


def _undone(work: Work, step: Any) -> Planned:
    """Return the call that takes a change back. A document that has changed since is left alone."""
    name = step.result.get("name")
    now = [one for one in telling.from_situation(work.situation.project) if _is_of(one, step)]
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
        return _write(work, "delete_project_document", {"document": now[0]["document_id"]})
    if step.arguments.get("name"):
        former = str(step.arguments["document"])
        return _write(work, "update_project_document", {"document": str(name), "name": former})
    return _former(work, now[0], int(now[0]["version"]))


def _is_of(document: Doc, step: Any) -> bool:
    return bool(document["document_id"] == step.result.get("document_id"))


def _former(work: Work, document: Doc, version: int) -> Calls:
    if version < 2:
        raise GiveUp(f"“{document['name']}” has only one version, so there is nothing to take back.")
    arguments = {"document": document["document_id"], "version": version - 1}
    return _write(work, "restore_project_version", arguments)


_PLANS: dict[type, Callable[[Work, Any, Spoken], Plan]] = {
    ListDocs: _list,
    ShowDoc: _show,
    ShowInstruction: _show,
    ShowVersions: _versions,
    Outline: _outline,
    ShowChanges: _changes,
    AskDocs: _ask,
    CreateDoc: _create,
    AddText: _edit,
    AddSection: _edit,
    ReplaceText: _edit,
    RemoveSection: _edit,
    MoveSection: _move,
    RenameSection: _rename_section,
    ReplaceBody: _replace_body,
    RenameDoc: _rename,
    CallIt: _rename,
    SetInstruction: _instruct,
    DeleteDoc: _delete,
    RestoreDoc: _restore,
    ShowStale: _stale,
    UpdateStale: _stale,
    UndoLast: _undo,
    Unsure: _unsure,
    Remark: _remark,
    Vague: _vague,
}
STEPS: dict[type, tuple[str, ...]] = {
    ListDocs: ("List the documents",),
    ShowDoc: ("Find the document", "Read it"),
    Outline: ("Find the document", "Read it"),
    AskDocs: ("Search the documents", "Answer"),
    CreateDoc: ("Create the document",),
    AddText: ("Find the document", "Add the text"),
    AddSection: ("Find the document", "Add the section"),
    ReplaceText: ("Find the document", "Replace the text"),
    ReplaceBody: ("Find the document", "Replace the text"),
    RemoveSection: ("Find the document", "Remove the section"),
    MoveSection: ("Find the document", "Move the section"),
    RenameSection: ("Find the document", "Rename the section"),
    RenameDoc: ("Find the document", "Rename it"),
    SetInstruction: ("Find the document", "Set its standing instruction"),
    DeleteDoc: ("Find the document", "Delete it"),
    RestoreDoc: ("Find the document", "Bring the version back"),
    UpdateStale: ("Check the citations", "Put in the present values"),
    UndoLast: ("Find the last change", "Take it back"),
}


def known_to(work: Work) -> Known | None:
    return Known.of(work.situation) if work.situation.project else None
