"""The built-in model in a project, in whole turns: every strategy that may call tools comes to the same change."""

from __future__ import annotations

import pytest

from docagent.domain.turns.events import TurnTerms
from docagent.domain.turns.turns import Subject, TurnRequest, TurnState
from tests.tools.desk import Stage

PLAN = "# Plan\n\n## Goals\n\n- one\n"


@pytest.mark.parametrize("strategy", ["tools", "react", "think-act", "tool-first", "plan-and-execute"])
async def test_every_strategy_changes_the_document(stage: Stage, strategy: str) -> None:
    services, tenant = stage.product.services, await stage.product.new_tenant()
    project = await services.projects.create(tenant.member, "Launch")
    made = await services.living_documents.create(tenant.member, project.id, "Plan", PLAN)
    said = "add “- two” to the section Goals of Plan"
    # This one calls tools once, and then answers.
    name = "Plan" if strategy == "tool-first" else "Road map"
    if name != "Plan":
        said += " and rename Plan to Road map"
    messages = [{"role": "user", "content": said}]
    new = TurnRequest(messages, TurnTerms(auto_approve=True), "docagent-offline", strategy)
    turn = await services.turns.starting.start(tenant.member, Subject.project(project.id), new)
    turn, _ = await services.turns.watching.settled(tenant.member, turn)
    if turn.state is TurnState.AWAITING_APPROVAL:
        turn = await services.turns.deciding.decide_plan(tenant.member, turn.id, approved=True)
        turn, _ = await services.turns.watching.settled(tenant.member, turn)
    now = await services.living_documents.get(tenant.member, project.id, made.id)
    assert (now.name, now.content, now.author, now.turn_id) == (
        name,
        PLAN + "- two\n",
        "agent",
        turn.id,
    )
    assert turn.state is TurnState.COMPLETED
