"""What must exist exactly once after the turn: effects, events, charges. Read from the database and over HTTP."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import sqlalchemy as sa

from docagent.agent.history import message_json, turn_messages
from docagent.domain.turns.events import Event, decode
from docagent.services.proposals.preparing import MESSAGE
from docagent.store import tables
from docagent.store.engine.database import sync_url
from tests.kill import story
from tests.kill.deployment import Copy
from tests.kill.user import OVER, User
from tests.support.polling import SECONDS

Kind = Literal["lost", "doubled", "broken"]
MOST_CHARACTERS = 20_000
"""Of an event: fewer than a picture has."""
OPERATIONS = {"rounds": "agent_llm", "windows": "document_llm"}


@dataclass(frozen=True, slots=True)
class Finding:
    kind: Kind
    text: str


@dataclass(frozen=True, slots=True)
class Expected:
    """How the story must end."""

    end: str
    effects: tuple[str, ...]
    rounds: int
    windows: int
    refused: tuple[str, ...] = (story.REJECTED_CALL,)
    """The calls that must not run: the user rejects them, or, if nobody is asked, the server refuses them."""
    asks: bool = True
    question: str = story.QUESTION
    documents: int = 1


WHOLE = Expected("completed", story.EFFECTS, story.ROUNDS, story.WINDOWS)
STOPPED = Expected("stopped", story.EFFECTS[:1], 3, 0)
PROPOSED = Expected(
    "completed",
    tuple(call for call in story.EFFECTS if call != story.RENAMING_CALL),
    story.ROUNDS,
    story.WINDOWS,
    refused=(story.REJECTED_CALL, story.RENAMING_CALL),
    asks=False,
    question=MESSAGE,
    documents=2,
)
"""The same story with nobody to ask: all of it is a proposal for a second document, and the rest is refused."""


@dataclass(frozen=True, slots=True)
class Stored:
    """The rows of the organisation after the turn."""

    rows: Mapping[str, int]
    name: str
    data: Any
    log: Sequence[Event]
    turn: Any
    charges: Sequence[Any]
    used: int


async def findings(copy: Copy, user: User, expected: Expected) -> list[Finding]:
    """Return what is wrong: nothing if the turn did everything it should, exactly once."""
    turn = await user.turn()
    if turn is None:
        return [Finding("lost", "there is no turn")]
    return [
        *[Finding("lost", complaint) for complaint in await user.complaints()],
        *_of_log(await user.events(turn), expected),
        *_of_thread(await user.thread(), expected),
        *await _of_holds(user),
        *await asyncio.to_thread(stored_findings, copy, expected),
    ]


def stored_findings(copy: Copy, expected: Expected) -> list[Finding]:
    """Return what is wrong in the database alone."""
    stored = _stored(copy)
    return [*_of_effects(stored, expected), *_of_charges(stored, expected), *_of_history(stored)]


def _once(found: int, wanted: int, what: str) -> Iterator[Finding]:
    if found < wanted:
        yield Finding("lost", f"{what}: {found} instead of {wanted}")
    elif found > wanted:
        yield Finding("doubled", f"{what}: {found} instead of {wanted}")


# --- the log --------------------------------------------------------------------------------------------------


def _of_log(log: list[Any], expected: Expected) -> Iterator[Finding]:
    numbers = [event["seq"] for event in log]
    if numbers != list(range(1, len(log) + 1)):
        yield Finding("broken", f"the events are numbered {numbers}")
    types = Counter(event["type"] for event in log)
    ends = [event["type"] for event in log if event["type"] in OVER]
    yield from _once(len(ends), 1, "terminal events")
    if log[-1]["type"] != expected.end:
        yield Finding("lost", f"the turn ended with {log[-1]['type']}: {log[-1]}")
    yield from _once(types["user_message"], 1, "messages of the user")
    yield from _once(types["assistant_message"], expected.rounds, "replies in the log")
    if any(len(json.dumps(event)) > MOST_CHARACTERS for event in log):
        yield Finding("broken", "the log holds a picture")
    decided = (*expected.effects, *(expected.refused if expected.effects else ()))
    yield from _per_call(log, "approval_decided", decided if expected.asks else ())
    yield from _per_call(log, "tool_started", (*story.READS, *expected.effects))
    yield from _per_call(log, "tool_result", (*story.READS, *decided))
    for event in log:
        if event["type"] == "tool_result" and event["is_error"] != (event["call_id"] in expected.refused):
            yield Finding("lost", f"{event['name']} gave {event['content']}")


def _per_call(log: list[Any], kind: str, calls: Sequence[str]) -> Iterator[Finding]:
    found = Counter(event["call_id"] for event in log if event["type"] == kind)
    for call_id in {*found, *calls}:
        yield from _once(found[call_id], int(call_id in calls), f"{kind} of {call_id}")


# --- what was done --------------------------------------------------------------------------------------------


def _of_effects(stored: Stored, expected: Expected) -> Iterator[Finding]:
    schema, prompt, rename, run = (int(call in expected.effects) for call in story.EFFECTS)
    wanted = {
        "schemas": schema,
        "schema_revisions": schema,
        "prompts": prompt,
        "prompt_revisions": prompt,
        "extraction_results": run,
        "extraction_revisions": run,
        "extraction_parts": 0,
        "tags": 0,
        "documents": expected.documents,
        "threads": 1,
        "turns": 1,
        "turn_signals": 0,
        "permission_rules": 0,
    }
    for table, count in wanted.items():
        yield from _once(stored.rows[table], count, f"rows of {table}")
    if stored.name != (story.NEW_NAME if rename else story.OLD_NAME):
        yield Finding("lost", f"the document's name is {stored.name!r}")
    if run and stored.data != story.FOUND:
        yield Finding("lost", f"the extraction gave {stored.data}")
    if stored.turn.lease_owner is not None or stored.turn.state != expected.end:
        yield Finding("broken", f"the turn's row: {stored.turn.state}, held by {stored.turn.lease_owner}")


def _of_charges(stored: Stored, expected: Expected) -> Iterator[Finding]:
    entries = Counter(charge.operation for charge in stored.charges)
    for what, operation in OPERATIONS.items():
        yield from _once(entries.pop(operation, 0), getattr(expected, what), f"charges for {operation}")
    for operation, count in entries.items():
        yield Finding("doubled", f"{count} charges for {operation}")
    in_log = sum(getattr(event, "credits", 0) for event in stored.log if event.type == "usage")
    of_agent = sum(entry.credits for entry in stored.charges if entry.operation == OPERATIONS["rounds"])
    yield from _once(of_agent, in_log, "credits charged for what is in the log")
    yield from _once(stored.used, sum(entry.credits for entry in stored.charges), "credits used")


async def _of_holds(user: User) -> list[Finding]:
    """Wait until the credits that a killed process held for its call are released by themselves."""
    held = -1
    try:
        async with asyncio.timeout(SECONDS):
            while True:
                held = (await user.call("GET", "/payments/usage"))["data"]["held_credits"]
                if not held:
                    return []
                await asyncio.sleep(0.1)
    except TimeoutError:
        return [Finding("lost", f"{held} credits are still held for a call that nobody makes")]


# --- how it looks ---------------------------------------------------------------------------------------------


def _of_history(stored: Stored) -> Iterator[Finding]:
    messages = [message_json(message) for message in turn_messages(stored.log)]
    if json.dumps(stored.turn.transcript) != json.dumps(messages):
        yield Finding("broken", "the kept history differs from the log's")


def _of_thread(thread: Any, expected: Expected) -> Iterator[Finding]:
    messages = thread["messages"]
    texts = [message.get("content") for message in messages]
    yield from _once(texts.count(expected.question), 1, "questions in the thread")
    if expected.end == WHOLE.end:
        yield from _once(texts.count(story.FINAL_TEXT), 1, "answers in the thread")
        if thread["extraction"] != story.FOUND:
            yield Finding("lost", f"the thread's extraction is {thread['extraction']}")


def _stored(copy: Copy) -> Stored:
    engine = sa.create_engine(sync_url(copy.url), poolclass=sa.NullPool)
    organization = copy.tenant.organization_id
    with engine.connect() as connection:

        def of(table: sa.Table, *columns: Any) -> sa.Select[Any]:
            return sa.select(*columns or table.c).where(table.c.organization_id == organization)

        rows = {
            table.name: int(connection.scalar(of(table, sa.func.count())) or 0)
            for table in tables.metadata.tables.values()
            if "organization_id" in table.c
        }
        log = connection.execute(of(tables.turn_events).order_by(tables.turn_events.c.seq)).all()
        account = connection.execute(of(tables.credit_accounts)).one()
        charged = of(tables.credit_entries).where(tables.credit_entries.c.kind == "charge")
        return Stored(
            rows=rows,
            name=str(connection.scalar(of(tables.documents, tables.documents.c.name))),
            data=connection.scalar(of(tables.extraction_revisions, tables.extraction_revisions.c.data)),
            log=[decode(row.type, row.payload) for row in log],
            turn=connection.execute(of(tables.turns)).first(),
            charges=connection.execute(charged).all(),
            used=account.granted_used + account.purchased_used + account.paid,
        )
