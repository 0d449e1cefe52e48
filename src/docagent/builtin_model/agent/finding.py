"""Parts of plans that find the schema, prompt, tag or extraction that the user means."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from typing import Any

from docagent.builtin_model.agent.known import by_name, is_exact, name_of
from docagent.builtin_model.agent.work import Calls, GiveUp, Steps, Work, call, choose, must

Thing = Mapping[str, Any]
Finding = Generator[Calls, Steps, Thing]

DEFAULT_PROMPT = "default"
_MOST = 100


def all_things(
    work: Work, kind: str, search: str | None = None
) -> Generator[Calls, Steps, list[dict[str, Any]]]:
    arguments: dict[str, Any] = {"limit": _MOST}
    if search:
        arguments["name_search"] = search
    step = yield from must(work, f"list_{kind}s", arguments)
    found = step.result.get(f"{kind}s")
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def named_thing(work: Work, kind: str, name: str) -> Finding:
    """Return the one thing with that name. Raises GiveUp if there is none."""
    found = yield from all_things(work, kind, name)
    if not found:
        found = yield from all_things(work, kind)
    return (yield from one_of(work, kind, name, found))


def one_of(work: Work, kind: str, name: str, things: Sequence[dict[str, Any]]) -> Finding:
    matches = by_name(name, things)
    if not matches:
        known = ", ".join(f"“{name_of(one)}”" for one in things[:10])
        raise GiveUp(f"There is no {kind} called “{name}”." + (f" There are {known}." if known else ""))
    return (yield from chosen_of(work, kind, matches))


def chosen_of(work: Work, kind: str, things: Sequence[Thing]) -> Finding:
    """Return the only one, or the one that the user chooses."""
    if len(things) == 1:
        return things[0]
    name = yield from choose(work, f"Which {kind} do you mean?", [name_of(one) for one in things])
    return next(one for one in things if name_of(one) == name)


def mentioned(work: Work, kind: str, name: str | None) -> Thing | None:
    """Return what the user mentioned with @, if it is of this kind and has the name, where one was said."""
    for mention in work.mentions(kind):
        if name is None or is_exact(name, str(mention.get("name") or "")):
            return mention
    return None


def schema_meant(work: Work, name: str | None = None, *, newest: bool = False) -> Finding:
    """Find the schema by name or mention; else take the one at hand, the prompt's, or the only one.

    With `newest`, return the schema as it is now: somebody may have changed it since the revision at hand.
    """
    mention = mentioned(work, "schema", name)
    revid = str(mention["id"]) if mention else None
    pinned = revid is not None
    if revid is None and name is not None:
        found = yield from named_thing(work, "schema", name)
        revid = str(found.get("schema_revid"))
    if revid is None:
        revid = work.schema_revid
        pinned = revid is not None
    if revid is None:
        prompt = yield from prompt_at_hand(work)
        revid = str(prompt["schema_id"]) if prompt and prompt.get("schema_id") else None
    if revid is None:
        schemas = yield from all_things(work, "schema")
        if not schemas:
            raise GiveUp("There is no schema yet. Say “create a schema for this document” first.")
        revid = str((yield from chosen_of(work, "schema", schemas)).get("schema_revid"))
    step = yield from must(work, "get_schema", {"schema_revid": revid})
    if newest and pinned:
        step = yield from must(work, "get_schema", {"schema_revid": step.result.get("schema_id")})
    return {"schema_revid": revid, **step.result}


def prompt_at_hand(work: Work) -> Generator[Calls, Steps, Thing | None]:
    """Return the prompt that was mentioned with @ or used last. The default prompt does not count."""
    mention = mentioned(work, "prompt", None)
    revid = str(mention["id"]) if mention else work.prompt_revid
    if revid is None or revid == DEFAULT_PROMPT or not work.has("get_prompt"):
        return None
    step = yield from call(work, "get_prompt", {"prompt_revid": revid})
    return {"prompt_revid": revid, **step.result} if step.ok else None


def extraction_at_hand(work: Work) -> Generator[Calls, Steps, Any]:
    """Return the working extraction, else the stored one, else None."""
    if work.extraction:
        return work.extraction
    if not work.has("get_extraction_result"):
        return None
    revid = work.prompt_revid
    step = yield from call(work, "get_extraction_result", {"prompt_revid": revid} if revid else {})
    return step.result.get("extraction") if step.ok else None
