"""Whether a call runs, asks or is refused: one pure function.

The first of these that applies decides:

1. A tool that nobody knows is refused.
2. The organisation denies it.
3. It sends data out, or documents to a model that its arguments name, while text from outside is in the
   conversation: it asks, unless the organisation allows that very tool.
4. It takes away what somebody wrote: it asks, unless the organisation allows that very tool.
5. The organisation wants a person to be asked.
6. The organisation allows it.
7. The user said "always allow" for it, here or everywhere in the organisation.
8. The request said `auto_approve`, or named the tool in `auto_approved_tools`, or is an `act` and the tool writes a
   text of its project.
9. Its access: a tool that only reads runs, unless it has a model read other documents; one that writes asks.

While a proposal is prepared nobody can be asked: what would ask is refused, and of the tools that write only those run
that can be a part of a proposal, and a model is called only if it is the prompt's own. No rule and no request changes
that.

So nothing that a client sends can get round what the organisation forbids.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Literal

from docagent.domain.turns.events import Grant, GrantKind
from docagent.domain.turns.tools import Access, Tool
from docagent.domain.turns.turns import About, Subject

ANY_TOOL = "*"
PROPOSABLE = frozenset({"create_schema", "update_schema", "create_prompt", "update_prompt", "run_extraction"})
"""Tools that write and can be a part of a proposal."""
ACTABLE = frozenset({"create_project_document", "edit_project_document", "rewrite_project_document"})
"""Tools for which an `act` is the yes, as long as nothing is lost."""


NOT_REMEMBERED = (
    "No answer is remembered for {name}: what it sends out is reviewed each time. An administrator of the "
    "organisation can allow it for everybody, in the settings of the agent."
)


class Effect(StrEnum):
    ALLOW = "allow"
    ASK = "ask"
    DENY = "deny"


@dataclass(frozen=True, slots=True)
class Rule(About):
    """What happens to calls of a tool. Without `user_id` the rule is the organisation's policy; with one it is what
    that user asked us to remember. `arguments` narrows it to calls whose arguments hold those values; `subject`
    narrows it to conversations about one document or one project."""

    id: str
    effect: Effect
    tool: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    subject: Subject | None = None
    user_id: str | None = None
    created_by: str | None = None
    created_at: datetime | None = None

    @property
    def scope(self) -> Literal["me", "everyone"]:
        return "everyone" if self.user_id is None else "me"

    def matches(self, tool: str, arguments: Mapping[str, Any], subject: Subject | None) -> bool:
        if self.tool not in (tool, ANY_TOOL):
            return False
        if self.subject is not None and self.subject != subject:
            return False
        return all(name in arguments and arguments[name] == value for name, value in self.arguments.items())


@dataclass(frozen=True, slots=True)
class Mode:
    """What the request said about approvals."""

    auto_approve: bool = False
    auto_approved_tools: tuple[str, ...] = ()
    proposes: bool = False
    acts: bool = False


@dataclass(frozen=True, slots=True)
class Verdict:
    effect: Effect
    reason: str
    grant: Grant | None = None
    """Why the call may run; None if it may not run yet."""
    by_policy: bool = False
    """Whether the organisation's policy is why the call is refused or asks."""


def evaluate(
    tool: Tool | None,
    arguments: Mapping[str, Any],
    *,
    rules: Sequence[Rule],
    mode: Mode,
    user_id: str,
    subject: Subject | None,
    tainted: bool,
    loses: bool = False,
) -> Verdict:
    """Judge a call.

    `tainted`: text from outside (a document, a web page, a file name) is in the conversation. `loses`: the call takes
    away what somebody wrote.
    """
    if tool is None:
        return Verdict(Effect.DENY, "There is no such tool.")
    matching = [rule for rule in rules if rule.matches(tool.name, arguments, subject)]
    policy = [rule for rule in matching if rule.user_id is None]
    if mode.proposes:
        return _for_proposal(tool, arguments, policy)
    if rule := _first(policy, Effect.DENY):
        return _denied(rule)
    allowed_by_name = any(rule.effect is Effect.ALLOW and rule.tool == tool.name for rule in policy)
    if not allowed_by_name and (danger := _danger(tool, arguments, tainted=tainted, loses=loses)):
        return Verdict(Effect.ASK, danger)
    if _first(policy, Effect.ASK):
        return Verdict(Effect.ASK, "The organisation wants a person to look at it.", by_policy=True)
    if rule := _first(policy, Effect.ALLOW):
        return _allow(GrantKind.ORGANIZATION, "The organisation allows it.", rule.id)
    remembered = [rule for rule in matching if rule.user_id == user_id and rule.user_id is not None]
    if rule := _first(remembered, Effect.ALLOW):
        return _allow(GrantKind.REMEMBERED, "You always allow it.", rule.id)
    return _granted_by_request(tool, mode) or _by_access(tool)


def _by_access(tool: Tool) -> Verdict:
    if tool.calls_model:
        return Verdict(Effect.ASK, "It has a model read other documents, which costs credits.")
    if tool.access is Access.READ_ONLY:
        return _allow(GrantKind.READ_ONLY, "It only reads.")
    return Verdict(Effect.ASK, "It changes something.")


def _granted_by_request(tool: Tool, mode: Mode) -> Verdict | None:
    if mode.auto_approve or tool.name in mode.auto_approved_tools:
        return _allow(GrantKind.REQUEST, "The request allows it.")
    if mode.acts and tool.name in ACTABLE:
        return _allow(GrantKind.ACT, "The user asked for it.")
    return None


def may_be_remembered(tool: Tool) -> bool:
    """Whether a user may have us remember "always allow" for it. What a call sends out is looked at each time."""
    return not tool.sends_out


def _names_model(tool: Tool, arguments: Mapping[str, Any]) -> bool:
    return tool.calls_model and arguments.get("model") is not None


def _danger(tool: Tool, arguments: Mapping[str, Any], *, tainted: bool, loses: bool) -> str | None:
    """Why no standing permission covers the call."""
    if tainted and (tool.sends_out or _names_model(tool, arguments)):
        return "It sends data out while text from outside is in the conversation."
    return "It takes away what somebody wrote." if loses else None


def _for_proposal(tool: Tool, arguments: Mapping[str, Any], policy: Sequence[Rule]) -> Verdict:
    if rule := _first(policy, Effect.DENY):
        return _denied(rule)
    if _first(policy, Effect.ASK):
        reason = (
            "The organisation wants a person to look at it, and nobody is asked while a proposal is prepared."
        )
        return Verdict(Effect.DENY, reason, by_policy=True)
    if tool.sends_out or (tool.access is Access.READ_WRITE and tool.name not in PROPOSABLE):
        return Verdict(Effect.DENY, "A proposal holds a schema, a prompt and a result, and nothing else.")
    if _names_model(tool, arguments):
        return Verdict(Effect.DENY, "While a proposal is prepared, only the prompt's own model is called.")
    if tool.access is Access.READ_ONLY:
        return _allow(GrantKind.READ_ONLY, "It only reads.")
    return _allow(GrantKind.PROPOSAL, "It is a part of a proposal.")


def _denied(rule: Rule) -> Verdict:
    name = rule.tool if rule.tool != ANY_TOOL else "it"
    return Verdict(Effect.DENY, f"The organisation does not allow {name}.", by_policy=True)


def _first(rules: Sequence[Rule], effect: Effect) -> Rule | None:
    return next((rule for rule in rules if rule.effect is effect), None)


def _allow(kind: GrantKind, reason: str, rule_id: str | None = None) -> Verdict:
    return Verdict(Effect.ALLOW, reason, Grant(kind, rule_id))
