"""Says messages as people write them to the built-in model in a project, with the real tools.

Each message is said in a project of its own (`evals.talk.expected.DOCUMENTS`). What waits for a verdict is approved,
and the project is compared with what the message asked for. Questions and remarks must change nothing: a call that
only waits counts as a change too. The messages kept aside are counted apart.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from docagent.bootstrap import Services, running_services
from docagent.domain.accounts.accounts import Credential, Member, OrganizationType, Principal, Role
from docagent.domain.turns.events import ApprovalRequested, AssistantMessage, InputRequested, TurnTerms
from docagent.domain.turns.turns import Subject, TurnRequest, TurnState
from docagent.services.accounts.users import create_user
from docagent.services.turns.deciding import Decision
from docagent.settings import Settings
from evals.matching import share
from evals.suite import Results
from evals.talk import aside, messages
from evals.talk.expected import DOCUMENTS, Change, Create, Delete, Edit, Instruct, Rename, Said

NAME = "projects_talk"
FOLDER = None
"""The messages are part of the suite."""
MOST_ROUNDS = 6


@dataclass(frozen=True)
class Document:
    name: str
    content: str
    standing_instruction: str


@dataclass
class Came:
    """What came of a message."""

    said: Said
    proposed: list[str] = field(default_factory=list)
    """What waited for a verdict, in words."""
    batches: int = 0
    """How often something waited."""
    answer: str = ""
    asked: bool = False
    """Whether the agent asked back."""
    wrong: str = ""
    """Why the project is not as it should be; empty if it is."""

    @property
    def right(self) -> bool:
        if self.said.changes:
            return not self.wrong and self.batches == 1
        return not self.proposed and not self.wrong and (self.asked or not self.said.asks_back)


def run(folder: Path) -> Results:
    del folder
    results: Results = {}
    for name, said in (("looked_at", messages.MESSAGES), ("aside", aside.MESSAGES)):
        results[name] = figures(asyncio.run(said_in_projects(said)))
    return results


def figures(came: Sequence[Came]) -> dict[str, float]:
    changes = [one for one in came if one.said.changes]
    questions = [one for one in came if not one.said.changes]
    vague = [one for one in questions if one.said.asks_back]
    return {
        "messages": len(came),
        "changes": len(changes),
        "changes_right": share(sum(one.right for one in changes), len(changes)),
        "vague_asked_back": share(sum(one.right for one in vague), len(vague)),
        "questions_that_changed": share(
            sum(bool(one.proposed or one.wrong) for one in questions), len(questions)
        ),
    }


async def said_in_projects(said: Sequence[Said]) -> list[Came]:
    async with talking() as talk:
        return [await talk.say(one) for one in said]


@asynccontextmanager
async def talking() -> AsyncIterator[Talk]:
    """The product on a database of its own, with one member and the built-in model."""
    with tempfile.TemporaryDirectory() as data:
        settings = Settings(
            data=Path(data),
            log={"level": "error"},
            models={"find_local": False},
        )
        async with running_services(settings, {}) as services:
            async with services.db.write() as tx:
                user = await create_user(
                    tx, email="ada@example.com", name="Ada", password_hash=None, role=Role.USER
                )
            principal = Principal(user.id, user.name, user.email, user.role, Credential.SESSION)
            organization = await services.organizations.create(
                principal, name="Talk", type=OrganizationType.TEAM, flags={}, ocr_config=None
            )
            yield Talk(services, Member(principal, organization.id, Role.ADMIN))


class Talk:
    def __init__(self, services: Services, member: Member) -> None:
        self._services = services
        self._member = member
        self._projects = 0

    async def say(self, said: Said) -> Came:
        """Say one message in a new project, and approve what it leads to."""
        self._projects += 1
        project = await self._services.projects.create(self._member, f"Project {self._projects}")
        ids = {
            name: (await self._services.living_documents.create(self._member, project.id, name, content)).id
            for name, content in DOCUMENTS.items()
        }
        came = await self._said(said, project.id, ids.get(said.opened or ""))
        now = await self._services.living_documents.list(self._member, project.id)
        documents = {one.id: Document(one.name, one.content, one.standing_instruction) for one in now}
        came.wrong = fault({ids[name]: name for name in ids}, documents, said.changes)
        return came

    async def _said(self, said: Said, project_id: str, opened: str | None) -> Came:
        came, turns = Came(said), self._services.turns
        request = TurnRequest([{"role": "user", "content": said.text}], TurnTerms(open_document_id=opened))
        turn = await turns.starting.start(self._member, Subject.project(project_id), request)
        for _ in range(MOST_ROUNDS):
            turn, log = await turns.watching.settled(self._member, turn)
            events = [recorded.event for recorded in log]
            texts = [event.text for event in events if isinstance(event, AssistantMessage)]
            came.answer = texts[-1] if texts else ""
            questions = [event for event in events if isinstance(event, InputRequested)]
            came.asked = bool(questions) or "?" in came.answer
            if turn.state is not TurnState.AWAITING_APPROVAL:
                return came
            calls = [event for event in events if isinstance(event, ApprovalRequested)][-1].calls
            came.proposed += [call.summary for call in calls]
            came.batches += 1
            verdicts = [Decision(call.id, approved=True) for call in calls if call.asks]
            turn = await turns.deciding.decide(self._member, turn.id, verdicts)
        return came


def fault(names: dict[str, str], now: dict[str, Document], changes: Sequence[Change]) -> str:
    """Say what is not as the changes want it, in the project whose documents had these names by id."""
    made = [one for identifier, one in now.items() if identifier not in names]
    before = {name: now.get(identifier) for identifier, name in names.items()}
    wanted = {change.document: change for change in changes if not isinstance(change, Create)}
    faults = [_fault(name, before[name], wanted.get(name)) for name in before]
    creations = [change for change in changes if isinstance(change, Create)]
    for creation in creations:
        fitting = [one for one in made if _fits(one, creation)]
        if not fitting:
            faults.append(f"{creation.name or 'a document'} was not created")
        else:
            made.remove(fitting[0])
    faults += [f"{one.name} was created" for one in made]
    return "; ".join(filter(None, faults))


def _fits(document: Document, creation: Create) -> bool:
    same = creation.name is None or document.name.casefold() == creation.name.casefold()
    return same and creation.has in document.content


def _fault(name: str, now: Document | None, change: Change | None) -> str:
    if isinstance(change, Delete):
        return f"{name} was not deleted" if now else ""
    if now is None:
        return f"{name} was deleted"
    if isinstance(change, Edit):
        return _text_fault(name, now.content, change)
    unchanged = Document(name, DOCUMENTS[name], "")
    if isinstance(change, Rename):
        unchanged = Document(change.name, DOCUMENTS[name], "")
    elif isinstance(change, Instruct) and change.text in now.standing_instruction:
        unchanged = Document(name, DOCUMENTS[name], now.standing_instruction)
    return "" if now == unchanged else f"{name} is {now}"


def _text_fault(name: str, text: str, edit: Edit) -> str:
    if text == DOCUMENTS[name]:
        return f"{name} was not changed"
    place = 0
    for piece in edit.has:
        place = text.find(piece, place)
        if place < 0:
            return f"{name} lacks {piece}: {text}"
        place += len(piece)
    return f"{name} still has {edit.lacks}: {text}" if edit.lacks and edit.lacks in text else ""
