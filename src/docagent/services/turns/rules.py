"""Rules of permission: the organisation's policy, and the answers that users had us remember."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from docagent.domain.accounts.accounts import Member
from docagent.domain.clock import now
from docagent.domain.errors import InvalidInput, NotFound
from docagent.domain.ids import new_id
from docagent.domain.turns.permission import ANY_TOOL, NOT_REMEMBERED, Effect, Rule, may_be_remembered
from docagent.domain.turns.tools import Tool
from docagent.domain.turns.turns import Subject
from docagent.services.accounts.members import check_member
from docagent.services.models.outside_tools import OutsideTools
from docagent.services.turns.subjects import find_subject
from docagent.store.engine.database import Database
from docagent.store.turns import permission_rules


class RuleService:
    def __init__(self, db: Database, tools: Sequence[Tool], outside: OutsideTools) -> None:
        self._db = db
        self._outside = outside
        self._tools = {tool.name: tool for tool in sorted(tools, key=lambda tool: tool.name)}

    async def list(self, member: Member) -> list[Rule]:
        """The policy, and the answers that the caller had us remember."""
        async with self._db.read_org(member.organization_id) as tx:
            return await permission_rules.for_user(tx, member.user_id)

    async def add(
        self,
        member: Member,
        *,
        effect: Effect,
        tool: str,
        for_everyone: bool,
        arguments: Mapping[str, Any] | None = None,
        subject: Subject | None = None,
    ) -> Rule:
        """Add a rule of the organisation, for administrators only, or an "always allow" of the caller's own."""
        known = self._tools.get(tool)
        offered = await self._outside.offered(member.organization_id) if "/" in tool else ()
        is_outside = tool in {each.name for each in offered}
        if tool != ANY_TOOL and known is None and not is_outside:
            raise InvalidInput(f"Unknown tool: {tool}. Tools are: {', '.join(self._tools)}.")
        if for_everyone:
            member.require_admin("set its policy")
        elif effect is not Effect.ALLOW:
            raise InvalidInput(
                "A rule of your own can only allow. Policy that asks or denies is set for everyone."
            )
        elif is_outside or (known is not None and not may_be_remembered(known)):
            raise InvalidInput(NOT_REMEMBERED.format(name=tool))
        rule = Rule(
            new_id(),
            effect,
            tool,
            arguments or {},
            subject,
            None if for_everyone else member.user_id,
            member.user_id,
            now(),
        )
        async with self._db.write_org(member.organization_id) as tx:
            await check_member(tx, member, keep=True)
            if subject is not None:
                await find_subject(tx, subject)
            await permission_rules.insert(tx, rule, now())
        return rule

    async def revoke(self, member: Member, rule_id: str) -> None:
        async with self._db.write_org(member.organization_id) as tx:
            rule = await permission_rules.get(tx, rule_id)
            if rule is None or rule.user_id not in (None, member.user_id):
                raise NotFound("Rule not found")
            if rule.user_id is None:
                member.require_admin("set its policy")
            await permission_rules.delete(tx, rule_id)
