"""What the model of a turn gets: its subject, mentions, working state, and the conversation before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from docagent.agent.context import Block, extraction_block, mention_block, state_block, system_text
from docagent.agent.ports import History, SystemText
from docagent.agent.sanitise import client_messages
from docagent.domain.models.catalogue import ChosenModel
from docagent.domain.models.llm import Situation
from docagent.domain.turns.events import TurnStarted
from docagent.domain.turns.permission import Rule
from docagent.domain.turns.turns import Turn
from docagent.services.turns.context.about_document import AboutDocument
from docagent.services.turns.context.about_project import AboutProject
from docagent.services.turns.context.mentions import Resolved, resolve_present
from docagent.services.turns.context.past import PastTurns
from docagent.services.turns.context.sources import passages
from docagent.store.accounts import organizations
from docagent.store.engine.database import Database
from docagent.store.turns import permission_rules, turns

TURNS_AT_ONCE = 64


@dataclass(frozen=True, slots=True)
class ContextSettings:
    rules: str
    """The beginning of the system text."""
    project_rules: str
    """The same, for conversations about a project."""
    proposal_rules: str
    """What is added to the rules while a proposal is prepared and nobody can be asked."""
    act_rules: str
    """The beginning of the system text for an `act`."""
    excerpt_characters: int = 8000
    time_zone: str = "UTC"
    """Of organisations that have chosen none."""


@dataclass(eq=False)
class TurnSurroundings:
    """Serves one run of one turn, and keeps what cannot change during the run."""

    _db: Database
    _turn: Turn
    _started: TurnStarted
    _settings: ContextSettings
    _past: PastTurns
    question: str
    chosen: ChosenModel
    _passages: list[Block] | None = field(default=None, init=False)
    _mentions: list[Resolved] | None = field(default=None, init=False)
    _history: History | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self._about = _about(self._db, self._turn, self._settings, self._started.terms.open_document_id)
        self._rules = self._settings.project_rules if self._turn.project_id else self._settings.rules
        if self._started.terms.acts:
            self._rules = self._settings.act_rules
        if self._started.terms.proposes:
            self._rules = f"{self._rules}\n\n{self._settings.proposal_rules}"
        self._time_zone = self._settings.time_zone

    async def system(self, state: Mapping[str, Any]) -> SystemText:
        known = self._about.known_blocks() if self._about else []
        if known is None or self._mentions is None or self._passages is None:
            known, self._mentions, self._passages = await self._read()
        blocks = [
            *known,
            *(
                mention_block(item.mention.type, item.name, item.mention.id, item.content)
                for item in self._mentions
            ),
            *self._passages,
            state_block(state),
            extraction_block(state),
        ]
        situation = await self._situation(state) if self.chosen.is_built_in else None
        return SystemText(
            system_text(self._rules, blocks, self._turn.created_at, self._time_zone),
            self._is_tainted(),
            situation,
        )

    def changed(self) -> None:
        if self._about is not None:
            self._about.changed()

    async def _read(self) -> tuple[list[Block], list[Resolved], list[Block]]:
        terms = self._started.terms
        async with self._db.read_org(self._turn.organization_id) as tx:
            chosen = await organizations.time_zone(tx, self._turn.organization_id)
            self._time_zone = chosen or self._settings.time_zone
            blocks = await self._about.blocks(tx) if self._about else []
            mentions, found = self._mentions, self._passages
            if mentions is None:
                mentions = await resolve_present(tx, terms.mentions, self._turn.project_id)
            if found is None:
                found = await passages(tx, self.question, terms.data_sources)
        return blocks, mentions, found

    def _is_tainted(self) -> bool:
        """Earlier turns count: what they said may rest on text that is no longer told."""
        about = self._about is not None and self._about.holds_outside_text
        earlier = self._turn.position > 1 or bool(self._started.history)
        return about or earlier or bool(self._mentions or self._passages)

    async def rules(self) -> Sequence[Rule]:
        async with self._db.read_org(self._turn.organization_id) as tx:
            return await permission_rules.for_user(tx, self._turn.user_id)

    async def history(self, budget: int) -> History:
        """The client's own list if it sent one, else the thread, newest turns first until the budget is used up."""
        if self._history is None:
            self._history = await self._load_history(budget)
        return self._history

    async def _load_history(self, budget: int) -> History:
        if self._started.history:
            return History(messages=client_messages(self._started.history))
        if self._turn.thread_id is None or self._turn.position == 1:
            return History()
        newest_first: list[tuple[str, int]] = []
        used = 0
        position = self._turn.position
        async with self._db.read_org(self._turn.organization_id) as tx:
            while True:
                rows = await turns.transcripts(tx, self._turn.thread_id, before=position, limit=TURNS_AT_ONCE)
                for position, transcript, tokens in rows:
                    if used + tokens > budget:
                        left, left_tokens = await turns.before(tx, self._turn.thread_id, position + 1)
                        return self._told(newest_first, 2 * left, left_tokens)
                    used += tokens
                    newest_first.append((transcript, tokens))
                if len(rows) < TURNS_AT_ONCE:
                    return self._told(newest_first)

    def _told(
        self, newest_first: Sequence[tuple[str, int]], left_out: int = 0, left_out_tokens: int = 0
    ) -> History:
        past, messages = self._past.in_a_row(newest_first[::-1])
        return History(past, messages, left_out, left_out_tokens)

    async def _situation(self, state: Mapping[str, Any]) -> Situation:
        known = Situation(
            state=state,
            mentions=tuple(
                {
                    "type": item.mention.type,
                    "id": item.mention.id,
                    "name": item.name,
                    "content": item.content,
                }
                for item in self._mentions or ()
            ),
            nothing_fits=self._started.terms.proposes,
            local_models=tuple((one.provider_display_name, one.bare_name) for one in self.chosen.nearby),
        )
        return await self._about.situation(known) if self._about else known


def _about(
    db: Database, turn: Turn, settings: ContextSettings, open_document_id: str | None
) -> AboutDocument | AboutProject | None:
    if turn.project_id is not None:
        return AboutProject(turn.project_id, settings.excerpt_characters, open_document_id)
    if turn.document_id is not None:
        return AboutDocument(db, turn.document_id, settings.excerpt_characters)
    return None
