# Written by `make client` from the asynchronous client: change that one.
"""The agent: a message begins a turn, and the turn tells what happens and takes what a person says to it."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from docagent.client import events, models
from docagent.client.errors import Refused, Unreachable
from docagent.client.retries import TRIES, pause_seconds
from docagent.client.synchronous.connection import Connection, Part

Subject = Literal["documents", "projects"]
WAITING = ("awaiting_approval", "awaiting_input")


class Agent(Part):
    def ask(
        self,
        message: str,
        *,
        document_id: str | None = None,
        project_id: str | None = None,
        thread_id: str | None = None,
        model: str | None = None,
        strategy: str | None = None,
        max_steps: int | None = None,
        tools: Sequence[str] | None = None,
        allowed_tools: Sequence[str] = (),
        data_sources: Sequence[str] = (),
    ) -> Turn:
        """Send a message about a document or a project. The turn runs on the server, whoever watches.

        `tools` are the only ones that are offered; those in `allowed_tools` run without asking, as far as the
        organisation's rules let them. Without a `thread_id` the conversation has just this message.
        """
        kind, subject_id = _subject(document_id, project_id)
        asked = {
            "messages": [{"role": "user", "content": message}],
            "background": True,
            "thread_id": thread_id,
            "model": model,
            "loop_strategy": strategy,
            "max_steps": max_steps,
            "selected_tools": None if tools is None else list(tools),
            "auto_approved_tools": list(allowed_tools) or None,
            "data_sources": list(data_sources) or None,
        }
        body = {key: value for key, value in asked.items() if value is not None}
        started = (self._send("POST", kind, subject_id, "chat", body=body, once=True)).json()
        return Turn(self._connection, kind, subject_id, started["turn"], started["thread_id"])

    def turn(self, turn_id: str) -> Turn:
        """A turn that was begun before, here or elsewhere; its events start with the first one."""
        found = self._ask(models.Turn, "GET", "turns", turn_id)
        kind, subject_id = _subject(found.document_id, found.project_id)
        return Turn(self._connection, kind, subject_id, found.id, found.thread_id)

    def waiting(self, *, skip: int = 0, limit: int = 50) -> models.Approvals:
        """Everything that waits for you, across documents and projects."""
        return self._ask(models.Approvals, "GET", "approvals", params={"skip": skip, "limit": limit})

    def new_thread(self, *, document_id: str | None = None, project_id: str | None = None) -> str:
        """Begin a conversation that is kept; its id."""
        path = (*_subject(document_id, project_id), "chat", "threads")
        return (self._ask(models.CreatedThread, "POST", *path)).thread_id

    def threads(
        self, *, document_id: str | None = None, project_id: str | None = None, limit: int = 50
    ) -> list[models.Thread]:
        """Your conversations about it, the last used first."""
        path = (*_subject(document_id, project_id), "chat", "threads")
        found = (self._send("GET", *path, params={"limit": limit})).json()
        return [models.Thread.model_validate(thread) for thread in found]

    def thread(
        self, thread_id: str, *, document_id: str | None = None, project_id: str | None = None
    ) -> models.LoadedThread:
        path = (*_subject(document_id, project_id), "chat", "threads", thread_id)
        return self._ask(models.LoadedThread, "GET", *path)

    def delete_thread(
        self, thread_id: str, *, document_id: str | None = None, project_id: str | None = None
    ) -> None:
        path = (*_subject(document_id, project_id), "chat", "threads", thread_id)
        self._ask(models.Ok, "DELETE", *path)


class Turn:
    """One message and everything that the agent does about it. Iterate over it to see what happens, as it happens."""

    def __init__(
        self, connection: Connection, kind: Subject, subject_id: str, turn_id: str, thread_id: str | None
    ) -> None:
        self._connection = connection
        self._subject = (kind, subject_id)
        self._events = events.EventReader()
        self.id = turn_id
        self.thread_id = thread_id

    def __iter__(self) -> Iterator[events.Item]:
        """Yield what happens until the turn has ended. A lost connection is taken up where it broke off.

        While the turn waits for a person nothing is told; decide in the loop, in another task or elsewhere.
        """
        lost = 0
        while True:
            seen = self._events.last_seq
            try:
                for item in self._connected():
                    yield item
                    if isinstance(item, events.Terminal):
                        return
            except Unreachable:
                if lost + 1 == TRIES:
                    raise
            lost = 0 if self._events.last_seq > seen else lost + 1
            time.sleep(pause_seconds(lost + 1))

    def settle(self) -> events.Settled:
        """Follow the turn until it has ended or waits for a person: its last event says which."""
        for item in self:
            if (settled := events.settles(item)) is not None and self.rests_on(settled):
                return settled
        raise AssertionError("a turn ends with an event that settles it")

    def rests_on(self, settled: events.Settled) -> bool:
        """Whether the turn has ended with the event just told, or still waits on it. It may be an old one, if the turn
        is followed from its beginning."""
        if isinstance(settled, events.Terminal):
            return True
        now = self.state()
        return now.last_seq == self._events.last_seq and now.state in WAITING

    def state(self) -> models.Turn:
        """Where the turn stands."""
        return self._connection.ask(models.Turn, "GET", "turns", self.id)

    def approve(
        self,
        call: events.RequestedCall | str,
        *,
        arguments: Mapping[str, Any] | None = None,
        hunks: Sequence[int] | None = None,
        always: Literal["document", "project", "organization"] | None = None,
    ) -> None:
        """Let a call run, or run it with other `arguments`, or only some `hunks` of a diff.

        `always` remembers the yes: for what the conversation is about, or everywhere.
        """
        verdict = {
            "approved": True,
            "arguments": None if arguments is None else dict(arguments),
            "hunks": None if hunks is None else list(hunks),
            "always_allow": always,
        }
        self._decide(call, verdict)

    def reject(self, call: events.RequestedCall | str, reason: str | None = None) -> None:
        """Reject a call. The model sees the reason."""
        self._decide(call, {"approved": False, "reason": reason})

    def answer(self, text: str) -> None:
        """Answer the question that the agent asked."""
        self._connection.ask(
            models.Turn, "POST", "turns", self.id, "answer", body=self._on_what_was_seen({"text": text})
        )

    def decide_plan(
        self, *, approved: bool, steps: Sequence[str] | None = None, reason: str | None = None
    ) -> None:
        """Accept, change or reject the plan that waits."""
        body = {"approved": approved, "steps": None if steps is None else list(steps), "reason": reason}
        self._connection.ask(models.Turn, "POST", "turns", self.id, "plan", body=self._on_what_was_seen(body))

    def steer(self, text: str) -> None:
        """Say something while the agent works; it is taken in at the next step."""
        self._connection.ask(models.Turn, "POST", "turns", self.id, "steer", body={"text": text})

    def stop(self) -> None:
        """Stop at once. What was finished is kept."""
        self._connection.ask(models.Turn, "POST", "turns", self.id, "stop")

    def undo(self, call_id: str) -> str:
        """Take back what one call did; in words, what was done for that."""
        body = {"call_id": call_id}
        return (self._connection.ask(models.Undo, "POST", "turns", self.id, "undo", body=body)).summary

    def _connected(self) -> Iterator[events.Item]:
        headers = {"Accept": "text/event-stream", "Last-Event-ID": str(self._events.last_seq)}
        with self._connection.stream("turns", self.id, "events", headers=headers) as lines:
            for line in lines:
                said = self._events.read(line)
                if said is None:
                    continue
                if said["type"] == "error":
                    raise Refused(said["error"], 200, code=said["code"])
                yield events.item_of(said)

    def _on_what_was_seen(self, body: dict[str, Any]) -> dict[str, Any]:
        """The body with the number of the last event, so that it is not taken for a word on something newer."""
        return body | {"seen": self._events.last_seq} if self._events.last_seq else body

    def _decide(self, call: events.RequestedCall | str, verdict: Mapping[str, Any]) -> None:
        call_id = call if isinstance(call, str) else call.id
        given = {key: value for key, value in verdict.items() if value is not None}
        body = {
            "turn_id": self.id,
            "approvals": [{"call_id": call_id, **given}],
            "partial": True,
            "background": True,
        }
        self._connection.send("POST", *self._subject, "chat", "approve", body=body, once=True)


def _subject(document_id: str | None, project_id: str | None) -> tuple[Subject, str]:
    if document_id is not None and project_id is None:
        return "documents", document_id
    if project_id is not None and document_id is None:
        return "projects", project_id
    raise ValueError("Name a document_id or a project_id, and not both.")
