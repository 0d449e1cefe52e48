"""No tool reaches another organisation: every id that a tool takes is tried with somebody else's.

On one database: the store adds to every statement whose rows it sees, which tests/store/test_tenancy.py tests on each.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import pytest
import sqlalchemy as sa

from docagent.domain.errors import InvalidInput, NotFound
from docagent.domain.turns.tools import BadCall
from docagent.domain.turns.turns import WorkingState
from docagent.store.tables import metadata
from docagent.tools.registry import all_tools
from tests.support.made.household import Household, furnish
from tests.support.services.databases import on_each_database
from tests.tools.desk import INVOICE_FORMAT, Desk, Stage

ID_PARAMETERS = {"document_id", "schema_id", "schema_revid", "prompt_id", "prompt_revid", "tag_id", "tag_ids"}
SLOTS = [
    (tool.name, parameter)
    for tool in all_tools()
    for parameter in tool.spec.parameters["properties"]
    if parameter in ID_PARAMETERS
]
ONLY_NARROWS = {("list_documents", "tag_ids"), ("list_prompts", "tag_ids")}
"""Lists of one's own things that carry a tag which is not there are empty."""

OTHERS: dict[str, dict[str, Any]] = {
    "look_at_page": {"page": 1},
    "update_schema": {"name": "taken over"},
    "update_prompt": {"content": "taken over"},
    "update_tag": {"name": "taken over"},
    "update_document": {"document_name": "taken-over.pdf"},
    "create_prompt": {"name": "mine", "content": "x"},
    "validate_against_schema": {"data": {}},
    "update_extraction_field": {"path": "number", "value": "taken over"},
}


@dataclass(frozen=True)
class Scene:
    stage: Stage
    victim: Household
    attacker: Household


@pytest.fixture(scope="module")
async def scene(stage: Stage) -> AsyncIterator[Scene]:
    """What is the victim's is looked at once in the end: what changed tells which tool did it."""
    victim = await furnish(stage.product, await stage.product.new_tenant())
    attacker = await furnish(stage.product, await stage.product.new_tenant())
    before = await everything_of(stage, victim)
    yield Scene(stage, victim, attacker)
    assert sorted(before ^ await everything_of(stage, victim)) == []


async def everything_of(stage: Stage, household: Household) -> set[str]:
    parts: set[str] = set()
    async with stage.product.services.db.read() as tx:
        for table in metadata.sorted_tables:
            column = table.c.get("organization_id")
            if column is not None:
                rows = await tx.across(sa.select(table).where(column == household.tenant.organization_id))
                parts |= {f"{table.name}: {row}" for row in rows}
    return parts


@on_each_database
def test_every_parameter_that_names_something_is_tried() -> None:
    named = {
        parameter
        for tool in all_tools()
        for parameter in tool.spec.parameters["properties"]
        if parameter.endswith(("_id", "_ids", "_revid"))
    }
    assert named == ID_PARAMETERS
    assert len(SLOTS) > 20


@pytest.mark.parametrize(("name", "parameter"), SLOTS)
async def test_an_id_of_another_organisation_is_not_there(scene: Scene, name: str, parameter: str) -> None:
    victim, attacker = scene.victim, scene.attacker
    desk = Desk(scene.stage.product, attacker.tenant, attacker.ids["document_id"])
    wanted = victim.ids["tag_id" if parameter == "tag_ids" else parameter]
    own = {key: value for key, value in attacker.ids.items() if key in required(name)}
    arguments = {**own, **OTHERS.get(name, {}), parameter: [wanted] if parameter == "tag_ids" else wanted}
    described = await desk.describe(name, **arguments)
    assert victim.marker not in json.dumps([described.summary, described.preview])
    if (name, parameter) in ONLY_NARROWS:
        assert (await desk.call(name, **arguments))["total_count"] == 0
    else:
        with pytest.raises((NotFound, InvalidInput)) as refused:
            await desk.call(name, **arguments)
        assert not isinstance(refused.value, BadCall)
        assert victim.marker not in refused.value.detail


@pytest.mark.parametrize("name", [tool.name for tool in all_tools()])
async def test_a_scope_with_a_foreign_document_and_foreign_working_state_finds_nothing(
    scene: Scene, name: str
) -> None:
    victim, attacker = scene.victim, scene.attacker
    state = WorkingState(victim.ids["schema_revid"], victim.ids["prompt_revid"], None)
    desk = Desk(scene.stage.product, attacker.tenant, victim.ids["document_id"], state)
    own = {key: value for key, value in victim.ids.items() if key in required(name)}
    arguments = {**own, **OTHERS.get(name, {})}
    for missing in required(name) - set(arguments):
        arguments[missing] = INVOICE_FORMAT if missing in ("response_format", "schema") else "mine"
    described = await desk.describe(name, **arguments)
    assert victim.marker not in json.dumps([described.summary, described.preview])
    try:
        content = await desk.call(name, **arguments)
    except (NotFound, InvalidInput) as refused:
        content = refused.detail
    assert victim.marker not in json.dumps(content)


async def test_a_toolset_runs_in_its_own_scope_whatever_the_call_says(scene: Scene) -> None:
    victim, attacker = scene.victim, scene.attacker
    mine = Desk(scene.stage.product, attacker.tenant, attacker.ids["document_id"])
    theirs = Desk(scene.stage.product, victim.tenant, victim.ids["document_id"])
    outcome = await mine.toolset.run(theirs.context(), "get_ocr_text", {}, None)
    assert attacker.marker in outcome.content["text"]
    assert victim.marker not in outcome.content["text"]


def required(name: str) -> set[str]:
    tool = next(tool for tool in all_tools() if tool.name == name)
    return set(tool.spec.parameters.get("required", ()))
