"""Accuracy runs: a prompt or a draft against what people verified; compared, stopped, killed, out of credits."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import pytest
import sqlalchemy as sa

from docagent.domain.accounts import NO_MEMBER_ANY_MORE, Membership, Role
from docagent.domain.clock import now
from docagent.domain.jobs import LeaseLost
from docagent.domain.llm import ModelError, ModelFailure, ModelRequest
from docagent.store import jobs
from docagent.store.tables import jobs as job_rows
from tests.support.accounts import new_person, set_members
from tests.support.databases import EACH_DATABASE, Databases, on_one_database
from tests.support.org_api import OrgApi
from tests.support.piles import Stage, documents_asked, make_prompt, read_documents, running_stage
from tests.support.polling import until
from tests.support.product import Tenant

ROWS = {
    "type": "array",
    "items": {"type": "object", "properties": {"item": {"type": ["string", "null"]}}},
}
PROPERTIES = {"number": {"type": ["string", "null"]}, "total": {"type": ["number", "null"]}, "rows": ROWS}
TRUE = {"number": "INV-7", "total": 90.0, "rows": [{"item": "Oak"}, {"item": "Elm"}]}
RUNS = "/accuracy/runs"


@pytest.fixture(scope="module", params=EACH_DATABASE)
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


async def measured(api: OrgApi, prompt: dict[str, Any], **wanted: Any) -> dict[str, Any]:
    return await ended(api, await api.post(RUNS, {"prompt_id": prompt["prompt_id"], **wanted}))


async def without_credits(stage: Stage, tenant: Tenant, api: OrgApi, but: int = 0) -> OrgApi:
    """Leave the organisation so many credits, and return its API for a system administrator."""
    root = OrgApi(stage.product.client, tenant.organization_id, await stage.product.admin_headers())
    await root.put("/payments/limits", {"enforced": True})
    left = (await api.get("/payments/usage"))["data"]["total_usage"] if False else None
    del left
    await api.post("/payments/usage", {"spus": 100 - but, "operation": "x"})
    return root


async def taken_up(stage: Stage, tenant: Tenant, job_id: str) -> None:
    """Let a worker have the job now, instead of when its pause or its lease is over."""
    async with stage.product.services.db.write_org(tenant.organization_id) as tx:
        await tx.execute(
            sa.update(job_rows).where(job_rows.c.id == job_id).values(run_at=now(), lease_until=now())
        )
        await jobs.announce_lost(tx, now(), overdue=timedelta(0))
    stage.product.services.jobs.wake()


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
    assert (run["state"], run["total"], run["done"], run["credits"]) == ("done", 3, 3, 3)
    assert (run["documents_right"], run["prompt_version"], run["is_draft"]) == (0, 1, False)
    assert fields["number"]["f1"] == 1.0
    assert (fields["total"]["wrong"], fields["total"]["f1"]) == (3, 0.0)
    rows = fields["rows.item"]
    assert (rows["right"], rows["missed"], rows["extra"]) == (3, 3, 6), (
        "rows are matched, wherever they stand"
    )
    assert run["score"]["right"] == 6
    assert len(documents_asked(stage.model.requests)) == 3

    errors = await api.get(f"{RUNS}/{run['id']}/errors", field="total")
    assert errors["total_count"] == 3
    assert {one["document_id"] for one in errors["errors"]} == set(ids)
    one = errors["errors"][0]
    assert (one["path"], one["expected"], one["got"], one["mark"]) == ("total", 90.0, 91, "wrong")
    assert one["prompt_revid"] == prompt["prompt_revid"]
    result = await api.get(f"/llm/result/{ids[0]}", prompt_revid=prompt["prompt_revid"])
    assert (result["updated_llm_result"], result["is_verified"], result["revision"]) == (TRUE, True, 2)
