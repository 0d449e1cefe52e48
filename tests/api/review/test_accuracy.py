"""Accuracy runs: a prompt or a draft against what people verified; compared, stopped, killed, out of credits."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from docagent.domain.accounts.accounts import NO_MEMBER_ANY_MORE, Membership, Role
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

ROWS = {
    "type": "array",
    "items": {"type": "object", "properties": {"item": {"type": ["string", "null"]}}},
}
PROPERTIES = {"number": {"type": ["string", "null"]}, "total": {"type": ["number", "null"]}, "rows": ROWS}
TRUE = {"number": "INV-7", "total": 90.0, "rows": [{"item": "Oak"}, {"item": "Elm"}]}
RUNS = "/accuracy/runs"


@pytest.fixture(scope="module")
async def stage(
    request: pytest.FixtureRequest, databases: Databases, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Stage]:
    url = await databases.new(request.param)
    async with running_stage(tmp_path_factory.mktemp("data"), url) as running:
        yield running


@pytest.fixture
async def tenant(stage: Stage) -> Tenant:
    stage.answer = lambda asked: json.dumps(TRUE)
    return await stage.product.new_tenant()


@pytest.fixture
def api(stage: Stage, tenant: Tenant) -> OrgApi:
    return OrgApi(stage.product.client, tenant.organization_id, tenant.headers)


@pytest.fixture
async def prompt(api: OrgApi) -> dict[str, Any]:
    return await make_prompt(api, PROPERTIES)


async def verified(
    stage: Stage, tenant: Tenant, api: OrgApi, prompt: dict[str, Any], count: int
) -> list[str]:
    """Documents whose results were found right."""
    ids = await read_documents(stage.product, tenant, api, count)
    for document_id in ids:
        await verify(api, prompt, document_id, TRUE)
    stage.model.requests.clear()
    return ids


async def verify(api: OrgApi, prompt: dict[str, Any], document_id: str, data: dict[str, Any]) -> None:
    params = {"prompt_revid": prompt["prompt_revid"]}
    ran = await api.call("POST", f"/llm/run/{document_id}", params=params)
    assert ran.status_code == 200, ran.text
    body = {"updated_llm_result": data, "is_verified": True}
    stored = await api.call("PUT", f"/llm/result/{document_id}", params=params, json=body)
    assert stored.status_code == 200, stored.text


async def ended(api: OrgApi, run: dict[str, Any]) -> dict[str, Any]:
    """The report of a run that is over."""
    found: dict[str, Any] = {}

    async def is_over() -> bool:
        found.update(await api.get(f"{RUNS}/{run['id']}"))
        return found["run"]["state"] not in ("running", "waiting")

    await until(is_over)
    return found


async def waiting(api: OrgApi, run: dict[str, Any]) -> dict[str, Any]:
    """A run that has come to the end of the credits."""
    found = run

    async def waits() -> bool:
        nonlocal found
        found = (await api.get(f"{RUNS}/{run['id']}"))["run"]
        return bool(found["state"] == "waiting")

    await until(waits)
    return found


async def measured(api: OrgApi, prompt: dict[str, Any], **wanted: Any) -> dict[str, Any]:
    return await ended(api, await api.post(RUNS, {"prompt_id": prompt["prompt_id"], **wanted}))


@on_each_database
async def test_a_run_measures_by_field_and_touches_no_result(
    stage: Stage, tenant: Tenant, api: OrgApi, prompt: dict[str, Any]
) -> None:
    ids = await verified(stage, tenant, api, prompt, 3)
    await read_documents(stage.product, tenant, api, 2)
    given = {"number": "INV-7", "total": 91, "rows": [{"item": "Elm"}, {"item": "Ash"}, {"item": "Fir"}]}
    stage.answer = lambda asked: json.dumps(given)
    wanted = {"prompt_id": prompt["prompt_id"]}
    assert await api.post("/accuracy/estimate", wanted) == {
        "documents": 3,
        "verified": 3,
        "pages": 3,
        "credits": 3,
        "model": "gpt-4o-mini",
    }
    report = await measured(api, prompt)
    run, fields = report["run"], {one["field"]: one for one in report["fields"]}
    assert (run["state"], run["total"], run["done"]) == ("done", 3, 3)
    assert run["credits"] == 6, "the total, which is not printed, is asked for twice"
    assert (run["documents_right"], run["prompt_version"], run["is_draft"]) == (0, 1, False)
    assert fields["number"]["f1"] == 1.0
    assert (fields["total"]["wrong"], fields["total"]["f1"]) == (3, 0.0)
    rows = fields["rows.item"]
    assert (rows["right"], rows["missed"], rows["extra"]) == (3, 3, 6), (
        "rows are matched, wherever they stand"
    )
    assert run["score"]["right"] == 6
    assert len(set(documents_asked(stage.model.requests))) == 3

    errors = await api.get(f"{RUNS}/{run['id']}/errors", field="total")
    assert errors["total_count"] == 3
    assert {one["document_id"] for one in errors["errors"]} == set(ids)
    one = errors["errors"][0]
    assert (one["path"], one["expected"], one["got"], one["mark"]) == ("total", 90.0, 91, "wrong")
    assert one["prompt_revid"] == prompt["prompt_revid"]
    result = await api.get(f"/llm/result/{ids[0]}", prompt_revid=prompt["prompt_revid"])
    assert (result["updated_llm_result"], result["is_verified"], result["revision"]) == (TRUE, True, 2)


@on_each_database
async def test_what_is_verified_later_or_only_in_part(
    stage: Stage, tenant: Tenant, api: OrgApi, prompt: dict[str, Any]
) -> None:
    first, second, third = await read_documents(stage.product, tenant, api, 3)
    nothing = await api.refused(400, "POST", RUNS, {"prompt_id": prompt["prompt_id"]})
    assert nothing.startswith("No document of this prompt is verified.")
    await verify(api, prompt, first, TRUE)
    params = {"prompt_revid": prompt["prompt_revid"]}
    for document_id in (second, third):
        await api.call("POST", f"/llm/run/{document_id}", params=params)
    await api.call("POST", f"/llm/result/{second}/verify", params=params, json={"path": "total"})

    root = await without_credits(stage, tenant, api, used=3)
    run = await api.post(RUNS, {"prompt_id": prompt["prompt_id"]})
    await waiting(api, run)
    await verify_again(api, prompt, first, {**TRUE, "number": "X"})
    await verify_again(api, prompt, third, TRUE)
    stage.answer = lambda asked: json.dumps({"number": "X", "total": 90, "rows": []})
    await root.post("/payments/credits/add", {"amount": 10})
    await taken_up(stage, tenant, run["id"])
    report = await ended(api, run)
    assert (report["run"]["total"], report["run"]["done"]) == (2, 2), "the third was verified too late"
    fields = {one["field"]: one for one in report["fields"]}
    assert fields["total"]["right"] == 2
    assert fields["number"]["wrong"] == 1, "what a person verified, as it was when the run began"


async def verify_again(api: OrgApi, prompt: dict[str, Any], document_id: str, data: dict[str, Any]) -> None:
    body = {"updated_llm_result": data, "is_verified": True}
    params = {"prompt_revid": prompt["prompt_revid"]}
    stored = await api.call("PUT", f"/llm/result/{document_id}", params=params, json=body)
    assert stored.status_code == 200, stored.text


@on_each_database
async def test_a_draft_is_compared_with_what_is_saved(
    stage: Stage, tenant: Tenant, api: OrgApi, prompt: dict[str, Any]
) -> None:
    await verified(stage, tenant, api, prompt, 2)
    stage.answer = lambda asked: json.dumps({**TRUE, "total": None})
    before = (await measured(api, prompt))["run"]
    stage.model.requests.clear()
    stage.answer = lambda asked: json.dumps({**TRUE, "number": "INV-8", "dock": "3"})
    schema = {"type": "object", "properties": {**PROPERTIES, "dock": {"type": ["string", "null"]}}}
    draft = {"content": "Read all of it", "json_schema": schema}
    report = await measured(api, prompt, draft=draft, model="gpt-4o")
    after = report["run"]
    assert (after["is_draft"], after["model"], report["draft"]) == (True, "gpt-4o", draft)
    (asked, *_) = stage.model.requests
    assert "Read all of it" in str(asked.messages[0].parts[0])
    assert asked.model == "gpt-4o"
    assert "dock" not in {one["field"] for one in report["fields"]}, "nobody verified that it is empty"

    compared = await api.get(f"{RUNS}/{before['id']}/compare/{after['id']}")
    assert (compared["documents"], compared["left_out"]) == (2, 0)
    changes = {one["field"]: one["change"] for one in compared["fields"]}
    assert changes == {"number": "worse", "total": "better", "rows.item": "same"}
    assert [(one["field"], one["change"]) for one in compared["values"]] == [
        ("number", "worse"),
        ("number", "worse"),
        ("total", "better"),
        ("total", "better"),
    ]
    value = compared["values"][0]
    assert (value["expected"], value["before"], value["after"]) == ("INV-7", "INV-7", "INV-8")
    listed = await api.get(RUNS, prompt_id=prompt["prompt_id"])
    assert [one["id"] for one in listed["runs"]] == [after["id"], before["id"]]
    assert listed["runs"][1]["score"]["f1"] == pytest.approx(2 * 6 / (2 * 6 + 2))

    broken = {"prompt_id": prompt["prompt_id"], "draft": {"json_schema": {"type": "nonsense"}}}
    assert "nonsense" in await api.refused(400, "POST", "/accuracy/estimate", broken)
    unknown = {"prompt_id": prompt["prompt_id"], "model": "no-such-model"}
    await api.refused(400, "POST", RUNS, unknown)
    other = await make_prompt(api, PROPERTIES)
    mixed = {"prompt_id": other["prompt_id"], "prompt_revid": prompt["prompt_revid"]}
    await api.refused(404, "POST", RUNS, mixed)


@on_each_database
async def test_a_run_waits_for_credits_is_stopped_and_pays_nothing_twice(
    stage: Stage, tenant: Tenant, api: OrgApi, prompt: dict[str, Any]
) -> None:
    await verified(stage, tenant, api, prompt, 6)
    root = await without_credits(stage, tenant, api, but=3, used=6)
    run = await api.post(RUNS, {"prompt_id": prompt["prompt_id"]})
    halted = await waiting(api, run)
    assert halted["done"] == 3
    assert halted["reason"].startswith("Insufficient SPU credits: 1 needed, 0 left.")
    await root.post("/payments/credits/add", {"amount": 10})
    await taken_up(stage, tenant, run["id"])
    over = (await ended(api, run))["run"]
    assert (over["state"], over["done"], over["reason"], over["credits"]) == ("done", 6, None, 6)
    assert len(stage.model.requests) == 6

    await api.post("/payments/usage", {"spus": 7, "operation": "x"})
    second = await api.post(RUNS, {"prompt_id": prompt["prompt_id"]})
    stopped = await api.post(f"{RUNS}/{second['id']}/stop", {})
    assert (stopped["state"], stopped["done"]) == ("stopped", 0)
    again = await api.post(f"{RUNS}/{second['id']}/stop", {})
    assert again["finished_at"] == stopped["finished_at"]
    assert (await api.post(f"{RUNS}/{run['id']}/stop", {}))["state"] == "done"


async def test_a_killed_run_goes_on_and_doubles_nothing(
    stage: Stage, tenant: Tenant, api: OrgApi, prompt: dict[str, Any]
) -> None:
    await verified(stage, tenant, api, prompt, 6)
    asked: list[str] = []

    def is_killed_at_the_third(request: ModelRequest) -> str:
        asked.extend(documents_asked([request]))
        if len(asked) == 3:
            raise LeaseLost("the worker leaves the job behind as a process does that is killed")
        return json.dumps(TRUE)

    stage.answer = is_killed_at_the_third
    run = await api.post(RUNS, {"prompt_id": prompt["prompt_id"]})

    async def is_left_behind() -> bool:
        return len(asked) == 4 and (await api.get(f"{RUNS}/{run['id']}"))["run"]["done"] == 3

    await until(is_left_behind)
    await taken_up(stage, tenant, run["id"])
    over = (await ended(api, run))["run"]
    assert (over["state"], over["done"], over["documents_right"]) == ("done", 6, 6)
    assert over["score"]["right"] == 6 * 4
    assert len(asked) == 7, "only the document whose reply was never stored is asked about again"
    assert over["credits"] == 6


async def test_documents_and_results_that_are_deleted_meanwhile(
    stage: Stage, tenant: Tenant, api: OrgApi, prompt: dict[str, Any]
) -> None:
    ids = await verified(stage, tenant, api, prompt, 3)
    root = await without_credits(stage, tenant, api, used=3)
    run = await api.post(RUNS, {"prompt_id": prompt["prompt_id"]})
    await waiting(api, run)
    await api.delete(f"/documents/{ids[0]}")
    await api.delete(f"/llm/result/{ids[1]}", prompt_revid=prompt["prompt_revid"])
    await root.post("/payments/credits/add", {"amount": 10})
    await taken_up(stage, tenant, run["id"])
    over = await ended(api, run)
    assert (over["run"]["state"], over["run"]["done"], over["run"]["failed"]) == ("done", 1, 2)
    (failure,) = over["failures"]
    assert failure["document_id"] == ids[1]
    assert "deleted" in failure["failure"]


async def test_a_run_ends_with_its_members_membership_and_where_nothing_succeeds(
    stage: Stage, tenant: Tenant, api: OrgApi, prompt: dict[str, Any]
) -> None:
    await verified(stage, tenant, api, prompt, 2)
    root = await without_credits(stage, tenant, api, used=2)
    person = await new_person(stage.product)
    theirs = OrgApi(stage.product.client, tenant.organization_id, person.headers)
    await set_members(stage.product, tenant, Membership(person.id, Role.USER))
    run = await theirs.post(RUNS, {"prompt_id": prompt["prompt_id"]})
    await waiting(api, run)
    await set_members(stage.product, tenant)
    await taken_up(stage, tenant, run["id"])
    over = (await ended(api, run))["run"]
    assert (over["state"], over["reason"]) == ("failed", NO_MEMBER_ANY_MORE)

    await root.put("/payments/limits", {"enforced": False})
    stage.answer = lambda asked: ModelError(ModelFailure.UNAVAILABLE, "The model is down.", provider="openai")
    report = await measured(api, prompt)
    assert (report["run"]["state"], report["run"]["failed"]) == ("done", 2)
    assert "The model is down." in report["run"]["reason"]
    assert report["run"]["score"]["f1"] is None
    assert len(report["failures"]) == 2


async def test_nothing_crosses_organisations(
    stage: Stage, tenant: Tenant, api: OrgApi, prompt: dict[str, Any]
) -> None:
    await verified(stage, tenant, api, prompt, 1)
    run = (await measured(api, prompt))["run"]
    stranger = await stage.product.new_tenant()
    other = OrgApi(stage.product.client, stranger.organization_id, stranger.headers)
    for method, path in (
        ("GET", f"{RUNS}/{run['id']}"),
        ("GET", f"{RUNS}/{run['id']}/errors"),
        ("POST", f"{RUNS}/{run['id']}/stop"),
        ("GET", f"{RUNS}/{run['id']}/compare/{run['id']}"),
        ("GET", f"{RUNS}?prompt_id={prompt['prompt_id']}"),
        ("GET", f"/review/{prompt['prompt_id']}/straight-through"),
    ):
        await other.refused(404, method, path)
    await other.refused(404, "POST", RUNS, {"prompt_id": prompt["prompt_id"]})
    assert (await other.get(RUNS))["total_count"] == 0
    await api.refused(404, "GET", f"{RUNS}/nonsense")
