"""One prompt over many documents: estimated, run, stopped, out of credits, killed, and left by its member."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from docagent.domain.accounts.accounts import NO_MEMBER_ANY_MORE, Membership, Role
from docagent.domain.deliveries.notices import PromptRunEnded
from docagent.domain.jobs import LeaseLost
from docagent.domain.models.llm import ModelError, ModelFailure, ModelRequest
from tests.support.accounts import new_person, set_members
from tests.support.made.piles import (
    Stage,
    documents_asked,
    make_prompt,
    read_documents,
    running_stage,
    taken_up,
    without_credits,
)
from tests.support.org_api import OrgApi
from tests.support.polling import until
from tests.support.product import Tenant
from tests.support.services.databases import Databases, on_each_database

PROPERTIES = {"number": {"type": ["string", "null"]}, "total": {"type": ["number", "null"]}}
GOOD = json.dumps({"number": "INV-7", "total": 90.0})


@pytest.fixture(scope="module")
async def stage(
    request: pytest.FixtureRequest, databases: Databases, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Stage]:
    url = await databases.new(request.param)
    async with running_stage(tmp_path_factory.mktemp("data"), url) as running:
        yield running


@pytest.fixture
async def tenant(stage: Stage) -> Tenant:
    stage.model.requests.clear()
    stage.answer = lambda asked: GOOD
    return await stage.product.new_tenant()


@pytest.fixture
def api(stage: Stage, tenant: Tenant) -> OrgApi:
    return OrgApi(stage.product.client, tenant.organization_id, tenant.headers)


@pytest.fixture
async def prompt(api: OrgApi) -> dict[str, Any]:
    return await make_prompt(api, PROPERTIES)


@pytest.fixture
def runs(prompt: dict[str, Any]) -> str:
    return f"/prompts/{prompt['prompt_id']}/runs"


async def ended(api: OrgApi, runs: str, run: dict[str, Any]) -> dict[str, Any]:
    found = run

    async def is_over() -> bool:
        nonlocal found
        found = await api.get(f"{runs}/{run['id']}")
        return found["state"] not in ("running", "waiting")

    await until(is_over)
    return found


async def is_in_state(api: OrgApi, runs: str, run: dict[str, Any], *states: str) -> bool:
    return (await api.get(f"{runs}/{run['id']}"))["state"] in states


async def told_of(stage: Stage, run: dict[str, Any]) -> PromptRunEnded:
    """The one notice of a run's end."""
    found: list[PromptRunEnded] = []

    async def is_there() -> bool:
        found[:] = [
            one for one in stage.notices if isinstance(one, PromptRunEnded) and one.run_id == run["id"]
        ]
        return bool(found)

    await until(is_there)
    (notice,) = found
    return notice


@on_each_database
async def test_a_prompt_runs_on_all_that_has_no_result_yet(
    stage: Stage, tenant: Tenant, api: OrgApi, prompt: dict[str, Any], runs: str
) -> None:
    ids = await read_documents(stage.product, tenant, api, 6)
    tag = (await api.post("/tags", {"name": "some"}))["id"]
    await api.put(f"/documents/{ids[5]}", {"tag_ids": [tag]})
    everything = await api.post(f"{runs}/estimate", {})
    assert everything == {"documents": 6, "pages": 6, "credits": 6, "model": "gpt-4o-mini", "unread": 0}
    assert (await api.post(f"{runs}/estimate", {"tag_id": tag}))["documents"] == 1

    chosen = await api.post(runs, {"document_ids": ids[:2]})
    assert (chosen["state"], chosen["total"]) == ("running", 2)
    first = await ended(api, runs, chosen)
    assert (first["state"], first["done"], first["failed"]) == ("done", 2, 0)

    tagged = await ended(api, runs, await api.post(runs, {"tag_id": tag}))
    assert tagged["done"] == 1
    rest = await ended(api, runs, await api.post(runs, {}))
    assert (rest["total"], rest["done"]) == (3, 3)
    assert sorted(documents_asked(stage.model.requests)) == [f"pile-{number:02}.txt" for number in range(6)]
    assert (await api.get(f"/sheets/{prompt['prompt_id']}"))["total_count"] == 6

    assert "nothing to run" in await api.refused(400, "POST", runs, {})
    listed = await api.get(runs)
    assert [run["id"] for run in listed["runs"]] == [rest["id"], tagged["id"], first["id"]]
    notice = await told_of(stage, rest)
    assert (notice.outcome, notice.done, notice.prompt_id) == ("done", 3, prompt["prompt_id"])

    newer = {**prompt, "content": "Read it again", "include": {"pdf": False}}
    await api.put(f"/prompts/{prompt['prompt_id']}", newer)
    assert (await api.post(f"{runs}/estimate", {}))["documents"] == 0
    assert (await api.post(f"{runs}/estimate", {"mode": "outdated"}))["documents"] == 6


@on_each_database
async def test_a_run_waits_for_credits_and_goes_on_where_it_was(
    stage: Stage, tenant: Tenant, api: OrgApi, runs: str
) -> None:
    await read_documents(stage.product, tenant, api, 6)
    root = await without_credits(stage, tenant, api, but=3)
    run = await api.post(runs, {})

    await until(lambda: is_in_state(api, runs, run, "waiting"))
    waiting = await api.get(f"{runs}/{run['id']}")
    assert waiting["done"] == 3
    assert waiting["reason"].startswith("Insufficient SPU credits: 1 needed, 0 left.")
    await api.refused(409, "POST", runs, {})

    await root.post("/payments/credits/add", {"amount": 10})
    await taken_up(stage, tenant, run["id"])
    assert (await ended(api, runs, run))["done"] == 6
    assert len(stage.model.requests) == 6, "nothing is asked or paid for twice"


@on_each_database
async def test_a_stopped_run_keeps_what_it_made(
    stage: Stage, tenant: Tenant, api: OrgApi, prompt: dict[str, Any], runs: str
) -> None:
    await read_documents(stage.product, tenant, api, 6)
    root = await without_credits(stage, tenant, api)
    run = await api.post(runs, {})
    stopped = await api.post(f"{runs}/{run['id']}/stop", {})
    assert (stopped["state"], stopped["done"]) == ("stopped", 0)
    assert (await api.post(f"{runs}/{run['id']}/stop", {}))["finished_at"] == stopped["finished_at"]
    assert (await told_of(stage, run)).outcome == "stopped"
    await api.refused(404, "POST", f"/prompts/default/runs/{run['id']}/stop", {})
    await root.put("/payments/limits", {"enforced": False})
    assert (await ended(api, runs, await api.post(runs, {})))["done"] == 6


async def test_a_killed_run_goes_on_and_doubles_nothing(
    stage: Stage, tenant: Tenant, api: OrgApi, prompt: dict[str, Any], runs: str
) -> None:
    ids = await read_documents(stage.product, tenant, api, 6)
    asked: list[str] = []

    def is_killed_at_the_third(request: ModelRequest) -> str:
        asked.extend(documents_asked([request]))
        if len(asked) == 3:
            raise LeaseLost("the worker leaves the job behind as a process does that is killed")
        return GOOD

    stage.answer = is_killed_at_the_third
    run = await api.post(runs, {})

    async def is_left_behind() -> bool:
        return len(asked) == 4 and (await api.get(f"/sheets/{prompt['prompt_id']}"))["total_count"] == 3

    await until(is_left_behind)
    await taken_up(stage, tenant, run["id"])
    over = await ended(api, runs, run)
    assert (over["state"], over["done"], over["failed"]) == ("done", 6, 0)
    assert sorted(set(asked)) == [f"pile-{number:02}.txt" for number in range(6)]
    assert len(asked) == 7, "only the document whose reply was never stored is asked about again"
    for document_id in ids:
        params = {"prompt_revid": prompt["prompt_revid"]}
        assert (await api.get(f"/llm/result/{document_id}", **params))["revision"] == 1


async def test_a_run_ends_with_its_members_membership(
    stage: Stage, tenant: Tenant, api: OrgApi, runs: str
) -> None:
    await read_documents(stage.product, tenant, api, 2)
    await without_credits(stage, tenant, api)
    person = await new_person(stage.product)
    theirs = OrgApi(stage.product.client, tenant.organization_id, person.headers)
    await set_members(stage.product, tenant, Membership(person.id, Role.USER))
    run = await theirs.post(runs, {})
    await set_members(stage.product, tenant)
    await until(lambda: is_in_state(api, runs, run, "waiting", "failed"))
    await taken_up(stage, tenant, run["id"])
    over = await ended(api, runs, run)
    assert (over["state"], over["done"]) == ("failed", 0)
    assert over["reason"] == NO_MEMBER_ANY_MORE
    await theirs.refused(403, "POST", runs, {})
    assert stage.model.requests == []


async def test_a_run_gives_up_where_nothing_succeeds(
    stage: Stage, tenant: Tenant, api: OrgApi, prompt: dict[str, Any], runs: str
) -> None:
    await read_documents(stage.product, tenant, api, 21)
    stage.answer = lambda asked: ModelError(ModelFailure.UNAVAILABLE, "The model is down.", provider="openai")
    over = await ended(api, runs, await api.post(runs, {}))
    assert (over["state"], over["done"], over["failed"]) == ("failed", 0, 20)
    assert over["reason"].startswith("20 documents failed one after another:")
    assert "The model is down." in over["reason"]
    assert len(set(documents_asked(stage.model.requests))) == 20
