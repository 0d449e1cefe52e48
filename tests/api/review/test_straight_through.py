"""What may go on without a person: measured, switched on by an administrator, and never taken for a person's word."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from docagent.domain.accounts.accounts import Membership, Role
from docagent.services.review.straight_through import measure_again
from docagent.store.extraction import learning
from docagent.store.review import calibrations, straight_through
from tests.support.accounts import new_person, set_members
from tests.support.made.piles import Stage, make_prompt, read_documents, running_stage
from tests.support.org_api import OrgApi
from tests.support.product import Tenant
from tests.support.services.databases import Databases

PROPERTIES = {
    "number": {"type": ["string", "null"]},
    "supplier": {"type": ["string", "null"]},
    "total": {"type": ["number", "null"]},
}
TRUE = {"number": "INV-7", "supplier": "Acme", "total": 90.0}


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


async def run(api: OrgApi, prompt: dict[str, Any], document_id: str) -> dict[str, Any]:
    params = {"prompt_revid": prompt["prompt_revid"]}
    ran = await api.call("POST", f"/llm/run/{document_id}", params={**params, "force": True})
    assert ran.status_code == 200, ran.text
    found: dict[str, Any] = await api.get(f"/llm/result/{document_id}", **params)
    return found


async def store(
    api: OrgApi, prompt: dict[str, Any], document_id: str, *, verified: bool, **changed: str
) -> dict[str, Any]:
    body = {"updated_llm_result": {**TRUE, **changed}, "is_verified": verified}
    params = {"prompt_revid": prompt["prompt_revid"]}
    stored = await api.call("PUT", f"/llm/result/{document_id}", params=params, json=body)
    assert stored.status_code == 200, stored.text
    found: dict[str, Any] = await api.get(f"/llm/result/{document_id}", **params)
    return found


async def test_sure_results_go_on_where_an_administrator_allows_it(
    stage: Stage, tenant: Tenant, api: OrgApi, prompt: dict[str, Any]
) -> None:
    *seen, sure, unsure, corrected = await read_documents(stage.product, tenant, api, 13)
    path = f"/review/{prompt['prompt_id']}/straight-through"
    nothing = await api.get(path)
    assert (nothing["precision"], nothing["auto_verify"], nothing["needed_values"]) == (0.99, False, 300)
    assert (nothing["values"], nothing["documents"]) == (None, None)
    assert nothing["remark"] == (
        "Too few values are verified to say what needs no review at 99 %: 0 are, and it takes 300."
    )

    for document_id in seen:
        await run(api, prompt, document_id)
        await store(api, prompt, document_id, verified=True)
    off = await api.put(path, {"precision": 0.9})
    assert (off["verified_values"], off["verified_documents"], off["needed_values"]) == (30, 10, 30)
    assert (off["values"]["share"], off["values"]["precision"]) == (1.0, 1.0)
    assert (off["documents"]["share"], off["documents"]["precision"]) == (1.0, 1.0)
    assert off["remark"].startswith("At 90 %, 100 % of the values and 100 % of the documents")
    assert (await run(api, prompt, sure))["auto_verified"] is False, "nobody switched it on"

    person = await new_person(stage.product)
    theirs = OrgApi(stage.product.client, tenant.organization_id, person.headers)
    await set_members(stage.product, tenant, Membership(person.id, Role.USER))
    refused = await theirs.refused(403, "PUT", path, {"precision": 0.9, "auto_verify": True})
    assert "administrators" in refused
    assert (await theirs.get(path))["auto_verify"] is False
    on = await api.put(path, {"precision": 0.9, "auto_verify": True})
    assert [(one["by"], one["auto_verify"]) for one in on["history"]] == [
        (tenant.user_id, True),
        (tenant.user_id, False),
    ]

    gone_on = await run(api, prompt, sure)
    assert (gone_on["auto_verified"], gone_on["is_verified"]) == (True, False)
    stage.answer = lambda asked: json.dumps({**TRUE, "number": "nowhere on the page"})
    assert (await run(api, prompt, unsure))["auto_verified"] is False
    stage.answer = lambda asked: json.dumps(dict.fromkeys(TRUE))
    assert (await run(api, prompt, corrected))["auto_verified"] is False, "it found nothing at all"
    sheet = {
        row["document_id"]: row["state"]
        for row in (await api.get(f"/sheets/{prompt['prompt_id']}", limit=50))["rows"]
    }
    assert (sheet[sure], sheet[unsure], sheet[seen[0]]) == ("auto_verified", "doubtful", "verified")
    filters = {"items": [{"field": "$standing", "operator": "equals", "value": "auto"}]}
    marked = await api.get(f"/sheets/{prompt['prompt_id']}", filters=json.dumps(filters))
    assert [row["document_id"] for row in marked["rows"]] == [sure]
    assert (await api.get(path))["auto_verified"] == 1

    await no_truth_comes_of_it(stage, tenant, api, prompt, sure)
    policy = {"mode": "everything", "sample_percent": 0}
    assert (await api.put(f"/review/{prompt['prompt_id']}", policy))["waiting"] == 2
    sampled = await api.put(f"/review/{prompt['prompt_id']}", {**policy, "sample_percent": 100})
    assert sampled["waiting"] == 3, "some of those that went on are looked at, to see whether that is right"
    edited = await store(api, prompt, sure, verified=False)
    assert (edited["auto_verified"], edited["is_verified"]) == (False, False)
    undo = {"revision": edited["revision"]}
    taken_back = await api.post(f"/review/{prompt['prompt_id']}/{sure}/undo", undo)
    assert taken_back["result"]["auto_verified"] is True
    accept = {"verdict": "accept", "revision": taken_back["result"]["revision"]}
    accepted = await api.post(f"/review/{prompt['prompt_id']}/{sure}/conclude", accept)
    assert (accepted["auto_verified"], accepted["is_verified"]) == (False, True)


async def no_truth_comes_of_it(
    stage: Stage, tenant: Tenant, api: OrgApi, prompt: dict[str, Any], document_id: str
) -> None:
    """Accuracy, calibration and learning do not count what went on by itself."""
    estimate = await api.post("/accuracy/estimate", {"prompt_id": prompt["prompt_id"]})
    assert estimate["verified"] == 10
    async with stage.product.services.db.read_org(tenant.organization_id) as tx:
        assert len(await calibrations.verified_ids(tx, 100)) == 10
        assert await learning.get(tx, prompt["prompt_id"], document_id) is None


async def test_what_people_verify_moves_the_threshold(
    stage: Stage, tenant: Tenant, api: OrgApi, prompt: dict[str, Any]
) -> None:
    ids = await read_documents(stage.product, tenant, api, 20)
    path = f"/review/{prompt['prompt_id']}/straight-through"
    for document_id in ids[:10]:
        await run(api, prompt, document_id)
        await store(api, prompt, document_id, verified=True)
    on = await api.put(path, {"precision": 0.9, "auto_verify": True})
    assert on["documents"]["share"] == 1.0
    for document_id in ids[10:]:
        await run(api, prompt, document_id)
        await store(api, prompt, document_id, verified=True, supplier="Thanks")
    after = await api.get(path)
    assert after["values"]["share"] < 1.0

    db = stage.product.services.db
    await measure_again(db, tenant.organization_id)
    async with db.read_org(tenant.organization_id) as tx:
        kept = (await straight_through.get(tx, prompt["prompt_id"])).threshold
    assert kept is None, "ten of sixty values were wrong, however sure"
