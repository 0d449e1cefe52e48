"""Which strategy runs a turn: the request's, else the organisation's, else the deployment's."""

from __future__ import annotations

from docagent.agent.strategies.base import Strategy
from docagent.agent.strategies.registry import Strategies
from docagent.domain.accounts.accounts import Member
from docagent.store.accounts import organizations
from docagent.store.engine.database import Database, OrgTx


class StrategyChoice:
    def __init__(self, db: Database, strategies: Strategies, default: str) -> None:
        self._db = db
        self._strategies = strategies
        self._default = default

    def check(self, requested: str | None) -> None:
        """Raises InvalidInput for an unknown name."""
        if requested is not None:
            self._strategies.get(requested)

    async def choose(self, tx: OrgTx, requested: str | None) -> Strategy:
        if requested is not None:
            return self._strategies.get(requested)
        preferred = await organizations.loop_strategy(tx, tx.organization_id)
        if preferred is not None and preferred in self._strategies:
            return self._strategies.get(preferred)
        return self._strategies.get(self._default)

    async def default(self, member: Member) -> str:
        """The strategy for the organisation's messages that name none."""
        async with self._db.read_org(member.organization_id) as tx:
            return (await self.choose(tx, None)).name

    async def preferred(self, member: Member) -> str | None:
        """The strategy that the organisation has chosen; None leaves the choice to the deployment."""
        async with self._db.read_org(member.organization_id) as tx:
            return await organizations.loop_strategy(tx, member.organization_id)

    async def prefer(self, member: Member, name: str | None) -> str | None:
        """Choose the organisation's strategy. Returns its name as the list has it."""
        member.require_admin("choose its strategy")
        chosen = None if name is None else self._strategies.get(name).name
        async with self._db.write_org(member.organization_id) as tx:
            await organizations.update(tx, member.organization_id, {"loop_strategy": chosen})
        return chosen
