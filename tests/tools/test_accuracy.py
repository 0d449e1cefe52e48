"""The tool that measures a prompt or a draft against what people verified, within its limits."""

from __future__ import annotations

import json
from typing import Any

import pytest

from docagent.domain.errors import InvalidInput
from docagent.domain.models.llm import ModelRequest
from docagent.services.review.accuracy_wanted import Wanted
from tests.support.made.piles import make_prompt, read_documents
from tests.support.org_api import OrgApi
from tests.support.product import Tenant
from tests.tools.desk import Desk, Stage

PROPERTIES = {"number": {"type": ["string", "null"]}, "total": {"type": ["number", "null"]}}
TRUE = {"number": "INV-7", "total": 90.0}


def answers(request: ModelRequest) -> str:
    """The total is found only by whoever asks for it by name."""
    is_better = "net total" in str(request.messages[0].parts[0])
    return json.dumps(TRUE if is_better else {**TRUE, "total": None})


@pytest.fixture
async def desk(stage: Stage) -> Desk:
    tenant = await stage.product.new_tenant()
    stage.answer = answers
    return Desk(stage.product, tenant, None)


async def verified(stage: Stage, tenant: Tenant, count: int) -> dict[str, Any]:
    api = OrgApi(stage.product.client, tenant.organization_id, tenant.headers)
    prompt = await make_prompt(api, PROPERTIES)
    params = {"prompt_revid": prompt["prompt_revid"]}
    for document_id in await read_documents(stage.product, tenant, api, count):
        await api.call("POST", f"/llm/run/{document_id}", params=params)
        body = {"updated_llm_result": TRUE, "is_verified": True}
        stored = await api.call("PUT", f"/llm/result/{document_id}", params=params, json=body)
        assert stored.status_code == 200, stored.text
    return prompt


async def test_a_draft_is_shown_to_be_better(stage: Stage, desk: Desk) -> None:
    prompt = await verified(stage, desk.tenant, 3)
    before = await desk.call("measure_accuracy", prompt_revid=prompt["prompt_id"], limit=2)
    assert before["documents"] == "2 of 3 verified ones, 0 without any error"
    assert before["fields"] == {"number": "100%: 2 right", "total": "0%: 2 missed"}
    assert (before["errors_in_all"], before["credits"]) == (2, 4)
    assert (before["errors"][0]["path"], before["errors"][0]["expected"]) == ("total", 90.0)
    assert desk.outcomes[-1].credits == 4, "the total is asked for twice"

    after = await desk.call(
        "measure_accuracy", prompt_revid=prompt["prompt_revid"], content="Read the net total.", limit=2
    )
    assert after["score"] == "100%: 4 right"
    assert "errors" not in after
    assert "cut" not in after
    described = await desk.describe("measure_accuracy", prompt_revid=prompt["prompt_id"])
    assert described.summary == "Measure a prompt's accuracy on at most 5 documents"
    named = await desk.describe("measure_accuracy", prompt_revid=prompt["prompt_id"], model="another")
    assert named.summary == "Measure a prompt's accuracy on at most 5 documents with “another”"


async def test_it_says_what_is_in_the_way(stage: Stage, desk: Desk) -> None:
    prompt = await verified(stage, desk.tenant, 1)
    empty = await make_prompt(
        OrgApi(stage.product.client, desk.tenant.organization_id, desk.tenant.headers), PROPERTIES
    )
    with pytest.raises(InvalidInput, match="No document of this prompt is verified"):
        await desk.call("measure_accuracy", prompt_revid=empty["prompt_revid"])
    with pytest.raises(InvalidInput, match="No document of this prompt is verified"):
        await desk.call("measure_accuracy", prompt_revid="default")
    with pytest.raises(InvalidInput, match="nonsense"):
        await desk.call(
            "measure_accuracy", prompt_revid=prompt["prompt_revid"], json_schema={"type": "nonsense"}
        )


async def test_a_trial_ends_with_its_time_and_with_the_credits(stage: Stage, desk: Desk) -> None:
    prompt = await verified(stage, desk.tenant, 3)
    trials, wanted = stage.product.services.accuracy_trials, Wanted(prompt["prompt_id"])
    trial = await trials.measure(desk.tenant.member, wanted, "hasty", seconds=0)
    assert (trial.done, trial.cut) == (0, "0 of 3 documents were measured in 0 seconds.")

    api = OrgApi(stage.product.client, desk.tenant.organization_id, desk.tenant.headers)
    root = OrgApi(stage.product.client, desk.tenant.organization_id, await stage.product.admin_headers())
    await root.put("/payments/limits", {"enforced": True})
    await api.post("/payments/usage", {"spus": 94, "operation": "x"})
    told = await desk.call("measure_accuracy", prompt_revid=prompt["prompt_id"])
    assert told["cut"].startswith("0 of 3 documents were measured. Insufficient SPU credits:")
