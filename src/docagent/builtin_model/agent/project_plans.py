"""Plans for wishes in a project.

If the user said a document's whole name, the document is taken from the situation. Otherwise a call lists the
documents. The situation is given anew before each reply, so the arguments of a call that was made tell which
document was meant.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from typing import Any

from docagent.builtin_model.agent import project_telling as telling
from docagent.builtin_model.agent.names import by_name, is_exact
from docagent.builtin_model.agent.project_wishes import (
    AddSection,
    AddText,
    AskDocs,
    CreateDoc,
    DeleteDoc,
    ListDocs,
    ProjectWish,
    RemoveSection,
    RenameDoc,
    ReplaceBody,
    ReplaceText,
    RestoreDoc,
    SetInstruction,
    ShowDoc,
    ShowInstruction,
    ShowStale,
    ShowVersions,
    Unsure,
    UpdateStale,
)
from docagent.builtin_model.agent.telling import choices
from docagent.builtin_model.agent.wishes import CallIt
from docagent.builtin_model.agent.work import Calls, GiveUp, Plan, Steps, Work, must

Doc = Mapping[str, Any]
_IT = frozenset(
    {
        "it",
        "this",
        "that",
        "document",
        "doc",
        "the document",
        "this document",
        "that document",
        "the doc",
        "this doc",
    }
)


def project_plan(wish: ProjectWish | CallIt, work: Work) -> Plan:
    return _PLANS[type(wish)](work, wish)


def names_at_hand(work: Work) -> list[str]:
    project = work.situation.project
    return [document.name for document in project.documents] if project else []


def _unsure(work: Work, wish: Unsure) -> Plan:
    yield from ()
    return telling.unsure(wish.text, names_at_hand(work))


def _documents(work: Work) -> Generator[Calls, Steps, list[Doc]]:
    if not work.has("list_project_documents"):
        return telling.from_situation(work.situation.project)
    step = yield from must(work, "list_project_documents")
    found = step.result.get("documents")
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def _meant(work: Work, name: str, *, exactly: bool = False) -> Generator[Calls, Steps, Doc]:
    """Return the one document with that name. "It" is the document spoken of last, or the only one."""
    known = _of_that_name(work, name)
    if not work.is_next("list_project_documents", known is None):
        return known or {"document_id": work.ahead[0].arguments.get("document"), "name": name}
    found = yield from _documents(work)
    if not found:
        raise GiveUp("There are no documents in this project yet. Say “create a document called …” first.")
    if name.casefold() in _IT and not by_name(name, found):
        return _last_touched(work, found)
    matches = by_name(name, found)
    if len(matches) > 1:
        raise GiveUp(choices("Which document do you mean?", (str(one["name"]) for one in matches)))
    if not matches:
        names = ", ".join(f"“{one['name']}”" for one in found[:10])
        raise GiveUp(f"There is no document called “{name}”. There are {names}.")
    if exactly and not is_exact(name, str(matches[0]["name"])):
        raise GiveUp(
            f"There is no document called “{name}”. Did you mean “{matches[0]['name']}”? Then say its whole name."
        )
    return matches[0]


def _of_that_name(work: Work, name: str) -> Doc | None:
    found = telling.from_situation(work.situation.project)
    same = [one for one in found if one["name"] == name]
    alike = same or [one for one in found if is_exact(name, str(one["name"]))]
    return alike[0] if len(alike) == 1 else None


def _last_touched(work: Work, found: list[Doc]) -> Doc:
    for step in reversed([*work.conversation.before, *work.done]):
        known = [one for one in found if one["document_id"] == step.result.get("document_id")]
        if step.ok and known:
            return known[0]
    if len(found) == 1:
        return found[0]
    raise GiveUp(choices("Which document do you mean?", (str(one["name"]) for one in found)))


def _list(work: Work, wish: ListDocs) -> Plan:
    del wish
    return telling.list_text((yield from _documents(work)))


def _read(work: Work, document: Doc) -> Generator[Calls, Steps, Doc]:
    if not work.has("read_project_document"):
        return document
    return (yield from must(work, "read_project_document", {"document": document["document_id"]})).result


def _show(work: Work, wish: ShowDoc | ShowInstruction) -> Plan:
    document = yield from _meant(work, wish.document)
    if isinstance(wish, ShowInstruction):
        return telling.instruction_text(document)
    return telling.document_text((yield from _read(work, document)))


def _versions(work: Work, wish: ShowVersions) -> Plan:
    document = yield from _meant(work, wish.document)
    step = yield from must(work, "list_project_versions", {"document": document["document_id"]})
    return telling.versions_text(step.result)


def _ask(work: Work, wish: AskDocs) -> Plan:
    arguments: dict[str, Any] = {"words": wish.words[:200]}
    if wish.document is not None:
        arguments["document"] = (yield from _meant(work, wish.document))["document_id"]
    step = yield from must(work, "search_project", arguments)
    return telling.passages_text(step.result, wish.words)


def _create(work: Work, wish: CreateDoc) -> Plan:
    """Create a document. An existing name is refused, so nothing is overwritten."""
    taken = None if work.ahead else _of_that_name(work, wish.name)
    if taken is not None:
        name = taken["name"]
        return (
            f"There is a document “{name}” already. Add to it with “add … to {name}”, or choose another name."
        )
    step = yield from must(work, "create_project_document", {"name": wish.name, "content": wish.content})
    return f"Created the document “{step.result.get('name') or wish.name}”."


def _edit(work: Work, wish: AddText | AddSection | ReplaceText | RemoveSection) -> Plan:
    document = yield from _meant(work, wish.document)
    match wish:
        case AddText(section=None):
            edit = {"append": wish.text}
            done = "Added it to"
        case AddText():
            edit = {"append_to_section": wish.section or "", "content": wish.text}
            done = f"Added it to the section “{wish.section}” of"
        case AddSection():
            edit = {"append": f"## {wish.section}\n\n{wish.text}".strip()}
            done = f"Added the section “{wish.section}” to"
        case ReplaceText():
            edit = {"find": wish.old, "replace": wish.new}
            done = "Replaced it in" if wish.new else "Removed it from"
        case RemoveSection():
            edit = {"remove_section": wish.section}
            done = f"Removed the section “{wish.section}” from"
    return (yield from _edited(work, document, edit, done))


def _edited(work: Work, document: Doc, edit: dict[str, str], done: str) -> Plan:
    arguments = {"document": document["document_id"], "edits": [edit]}
    step = yield from must(work, "edit_project_document", arguments)
    return f"{done} “{document['name']}”, {telling.made_version(step.result)}"


def _replace_body(work: Work, wish: ReplaceBody) -> Plan:
    document = yield from _meant(work, wish.document)
    if wish.section is not None:
        edit = {"section": wish.section, "content": wish.text}
        done = f"Replaced the section “{wish.section}” of"
        return (yield from _edited(work, document, edit, done))
    arguments = {
        "document": document["document_id"],
        "content": wish.text,
        "base_version": document.get("version"),
    }
    step = yield from must(work, "rewrite_project_document", arguments)
    return f"Rewrote “{document['name']}”, {telling.made_version(step.result)}"


def _rename(work: Work, wish: RenameDoc | CallIt) -> Plan:
    document = yield from _meant(work, wish.document if isinstance(wish, RenameDoc) else "it")
    arguments = {"document": document["document_id"], "name": wish.name}
    step = yield from must(work, "update_project_document", arguments)
    return f"Renamed “{document['name']}” to “{step.result.get('name') or wish.name}”."


def _instruct(work: Work, wish: SetInstruction) -> Plan:
    document = yield from _meant(work, wish.document)
    arguments = {"document": document["document_id"], "standing_instruction": wish.text}
    yield from must(work, "update_project_document", arguments)
    done = "Set" if wish.text else "Removed"
    return f"{done} the standing instruction of “{document['name']}”."


def _delete(work: Work, wish: DeleteDoc) -> Plan:
    document = yield from _meant(work, wish.document, exactly=True)
    yield from must(work, "delete_project_document", {"document": document["document_id"]})
    return f"Deleted the document “{document['name']}”."


def _restore(work: Work, wish: RestoreDoc) -> Plan:
    document = yield from _meant(work, wish.document)
    arguments = {"document": document["document_id"], "version": wish.version}
    step = yield from must(work, "restore_project_version", arguments)
    made = step.result.get("version")
    return f"Brought version {wish.version} of “{document['name']}” back, as version {made}."


def _stale_passages(work: Work, wish: ShowStale | UpdateStale) -> Plan:
    """Tell which passages are stale; to bring them up to date, put the present value into each, one edit a document."""
    arguments: dict[str, Any] = {}
    if wish.document is not None:
        arguments["document"] = (yield from _meant(work, wish.document))["document_id"]
    found = (yield from must(work, "check_citations", arguments)).result.get("citations")
    stale = [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []
    edits: dict[str, list[dict[str, str]]] = {}
    for one in stale:
        edit = {"find": str(one.get("source")), "replace": str(one.get("suggested"))}
        known = edits.setdefault(str(one.get("document")), [])
        if one.get("suggested") and edit not in known:
            known.append(edit)
    if isinstance(wish, ShowStale) or not any(edits.values()):
        return telling.stale_text(stale)
    for document, changes in edits.items():
        if changes:
            yield from must(work, "edit_project_document", {"document": document, "edits": changes})
    return telling.updated_text(stale)


_PLANS: dict[type, Callable[[Work, Any], Plan]] = {
    ListDocs: _list,
    ShowDoc: _show,
    ShowInstruction: _show,
    ShowVersions: _versions,
    AskDocs: _ask,
    CreateDoc: _create,
    AddText: _edit,
    AddSection: _edit,
    ReplaceText: _edit,
    RemoveSection: _edit,
    ReplaceBody: _replace_body,
    RenameDoc: _rename,
    CallIt: _rename,
    SetInstruction: _instruct,
    DeleteDoc: _delete,
    RestoreDoc: _restore,
    ShowStale: _stale_passages,
    UpdateStale: _stale_passages,
    Unsure: _unsure,
}
STEPS: dict[type, tuple[str, ...]] = {
    ListDocs: ("List the documents",),
    ShowDoc: ("Find the document", "Read it"),
    AskDocs: ("Search the documents", "Answer"),
    CreateDoc: ("Create the document",),
    AddText: ("Find the document", "Add the text"),
    AddSection: ("Find the document", "Add the section"),
    ReplaceText: ("Find the document", "Replace the text"),
    ReplaceBody: ("Find the document", "Replace the text"),
    RemoveSection: ("Find the document", "Remove the section"),
    RenameDoc: ("Find the document", "Rename it"),
    SetInstruction: ("Find the document", "Set its standing instruction"),
    DeleteDoc: ("Find the document", "Delete it"),
    RestoreDoc: ("Find the document", "Bring the version back"),
    UpdateStale: ("Check the citations", "Put in the present values"),
}
