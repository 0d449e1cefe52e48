"""The review queue: what waits, for whom, in which order, what two people see, and how everything is undone."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest
import sqlalchemy as sa

from docagent.domain.accounts.accounts import Membership, Role
from docagent.domain.clock import now
from docagent.domain.deliveries.notices import AboutResult, ResultChanged, ResultRejected, ResultReviewed
from docagent.domain.models.llm import ModelRequest
from docagent.store.tables import extraction_results
from tests.support.accounts import new_person, set_members
from tests.support.made.piles import Stage, documents_asked, make_prompt, read_documents, running_stage
from tests.support.org_api import OrgApi
from tests.support.polling import until
from tests.support.product import Tenant
from tests.support.services.databases import Databases, on_each_database

pytestmark = on_each_database

PROPERTIES = {
    "invoice_number": {"type": ["string", "null"]},
    "supplier": {"type": ["string", "null"]},
    "invoice_date": {"type": ["string", "null"], "format": "date"},
    "total": {"type": ["number", "null"]},
    "lines": {
        "type": "array",
        "items": {
            "type": "object",
            "properties": {"amount": {"type": "number"}},
            "required": ["amount"],
            "additionalProperties": False,
        },
    },
}
SURE: dict[str, Any] = {
    "invoice_number": "INV-7",
    "supplier": "Acme",
    "invoice_date": None,
    "total": 90.0,
    "lines": [],
}
DOUBTFUL = {**SURE, "supplier": 5, "total": "many"}
"""Two values that the schema does not allow: nothing makes them sure."""
LOW = {"threshold": 0.3}
"""So low that no value which stands on the page is doubtful."""


@dataclass
class Desk:
    """Four documents of one prompt, two of them doubtful, and two members."""

    stage: Stage
    tenant: Tenant
    api: OrgApi
    other: OrgApi
    other_id: str
    prompt: dict[str, Any]
    ids: list[str]

    @property
    def path(self) -> str:
        return f"/review/{self.prompt['prompt_id']}"

    async def policy(self, mode: str, **more: Any) -> dict[str, Any]:
        queue: dict[str, Any] = await self.api.put(self.path, {"mode": mode, **LOW, **more})
        return queue

    async def next(self, api: OrgApi | None = None, *without: str) -> Any:
        answer = await (api or self.api).post(f"{self.path}/next", {"without": list(without)})
        return answer["assignment"]

    async def conclude(self, taken: Any, verdict: str, api: OrgApi | None = None) -> Any:
        body = {"verdict": verdict, "revision": taken["result"]["revision"]}
        return await (api or self.api).post(f"{self.path}/{taken['document_id']}/conclude", body)

    async def sheet(self, **params: Any) -> Any:
        return await self.api.get(f"/sheets/{self.prompt['prompt_id']}", **params)


@pytest.fixture(scope="module")
async def stage(
    request: pytest.FixtureRequest, databases: Databases, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Stage]:
    url = await databases.new(request.param)
    async with running_stage(tmp_path_factory.mktemp("data"), url) as running:
        yield running


@pytest.fixture
async def desk(stage: Stage) -> Desk:
    product = stage.product
    tenant = await product.new_tenant()
    api = OrgApi(product.client, tenant.organization_id, tenant.headers)
    prompt = await make_prompt(api, PROPERTIES)
    ids = await read_documents(product, tenant, api, 4)
    answers = {f"pile-{number:02}.txt": SURE if number % 2 else DOUBTFUL for number in range(4)}

    def answer(asked: ModelRequest) -> str:
        return json.dumps(answers[documents_asked([asked])[0]])

    stage.answer = answer
    run = await api.post(f"/prompts/{prompt['prompt_id']}/runs", {})

    async def is_over() -> bool:
        found = await api.get(f"/prompts/{prompt['prompt_id']}/runs/{run['id']}")
        return bool(found["state"] == "done")

    await until(is_over)
    stage.notices.clear()
    person = await new_person(product)
    await set_members(product, tenant, Membership(person.id, Role.USER))
    other = OrgApi(product.client, tenant.organization_id, person.headers)
    return Desk(stage, tenant, api, other, person.id, prompt, ids)


async def heard(desk: Desk, *kinds: type) -> None:
    """Wait until these notices of results, and in this order, came first."""

    async def are_there() -> bool:
        told = [type(one) for one in desk.stage.notices if isinstance(one, AboutResult)]
        return told[: len(kinds)] == list(kinds)

    await until(are_there)


async def test_what_waits_is_what_the_policy_says(desk: Desk) -> None:
    (queue,) = (await desk.api.get("/review"))["queues"]
    assert (queue["mode"], queue["waiting"], queue["to_check"]) == ("nothing", 0, 0)
    assert await desk.next() is None
    queue = await desk.policy("doubtful")
    assert (queue["waiting"], queue["to_check"]) == (2, 4), "two values of each"
    queue = await desk.policy("everything")
    assert (queue["waiting"], queue["to_check"]) == (4, 4)
    assert (await desk.policy("everything", threshold=1.0))["to_check"] > 4
    assert (await desk.policy("doubtful", sample_percent=100))["waiting"] == 4
    assert (await desk.policy("doubtful", threshold=0.0))["waiting"] == 0
    assert (await desk.policy("nothing"))["waiting"] == 0
    await desk.api.refused(422, "PUT", desk.path, {"mode": "doubtful", "threshold": 1.5})
    await desk.api.refused(404, "PUT", "/review/000000000000000000000000", {"mode": "doubtful"})
    await desk.policy("doubtful")
    sheet = await desk.sheet()
    assert (sheet["settled"], sheet["to_review"]) == (0, 2), "the two sure ones have the same number"

    taken = await desk.next()
    assert taken["document_id"] == desk.ids[0]
    assert [doubt["path"] for doubt in taken["doubts"]] == ["supplier", "total"]
    assert all(doubt["confidence"] == 0 and doubt["problem"] for doubt in taken["doubts"])
    assert taken["waiting"] == 2


async def test_two_people_never_have_the_same_document(desk: Desk) -> None:
    await desk.policy("doubtful")
    mine = await desk.next()
    theirs = await desk.next(desk.other)
    assert (mine["document_id"], theirs["document_id"]) == (desk.ids[0], desk.ids[2])
    assert (await desk.next())["document_id"] == mine["document_id"], "after a reload it is the same"
    assert await desk.next(None, mine["document_id"]) is None, "the rest is taken"
    (queue,) = (await desk.api.get("/review"))["queues"]
    assert (queue["waiting"], queue["taken"]) == (2, 1)
    place = f"{desk.path}/{theirs['document_id']}"
    said = await desk.api.refused(409, "POST", f"{place}/keep")
    assert said.startswith("Somebody else is reviewing this document now.")
    body = {"verdict": "accept", "revision": theirs["result"]["revision"]}
    await desk.api.refused(409, "POST", f"{place}/conclude", body)

    released = await desk.other.call("POST", f"{place}/release")
    assert released.status_code == 204
    assert (await desk.next(None, mine["document_id"]))["document_id"] == theirs["document_id"]


async def test_who_is_gone_keeps_nothing(desk: Desk) -> None:
    await desk.policy("doubtful")
    theirs = await desk.next(desk.other)
    await set_members(desk.stage.product, desk.tenant)
    await desk.other.refused(403, "POST", f"{desk.path}/next", {})
    body = {"verdict": "accept", "revision": theirs["result"]["revision"]}
    await desk.other.refused(403, "POST", f"{desk.path}/{theirs['document_id']}/conclude", body)
    async with desk.stage.product.services.db.write_org(desk.tenant.organization_id) as tx:
        over = now() - timedelta(seconds=1)
        await tx.execute(sa.update(extraction_results).values(reviewing_until=over))
    assert (await desk.next())["document_id"] == theirs["document_id"]


async def test_values_are_settled_one_by_one_and_everything_is_undone(desk: Desk) -> None:
    await desk.policy("doubtful")
    taken = await desk.next()
    document_id = taken["document_id"]
    params = {"prompt_revid": desk.prompt["prompt_revid"]}
    result = f"/llm/result/{document_id}"
    edited = await desk.api.call("PATCH", result, params=params, json={"path": "supplier", "value": "Acme"})
    assert edited.status_code == 200
    kept = await desk.api.post(f"{desk.path}/{document_id}/keep", {})
    assert [doubt["path"] for doubt in kept["doubts"]] == ["total"]
    assert (await desk.sheet())["to_check"] == 3
    await desk.api.call("POST", f"{result}/verify", params=params, json={"path": "total"})
    kept = await desk.api.post(f"{desk.path}/{document_id}/keep", {})
    assert (kept["doubts"], kept["result"]["revision"]) == ([], 3)
    assert kept["waiting"] == 1, "nothing of it is doubtful any more"

    stale = {"verdict": "accept", "revision": 2}
    await desk.api.refused(409, "POST", f"{desk.path}/{document_id}/conclude", stale)
    accepted = await desk.conclude(kept, "accept")
    assert (accepted["is_verified"], accepted["revision"]) == (True, 4)
    assert (await desk.next())["document_id"] == desk.ids[2]
    assert [row["state"] for row in (await desk.sheet())["rows"]].count("verified") == 1

    undo = f"{desk.path}/{document_id}/undo"
    for body, doubts in (
        ({"revision": 4}, []),
        ({"revision": 5, "to": 2}, ["total"]),
        ({"revision": 6, "to": 1}, ["supplier", "total"]),
    ):
        back = await desk.api.post(undo, body)
        assert [doubt["path"] for doubt in back["doubts"]] == doubts
    assert (await desk.api.get(result, **params))["is_verified"] is False
    await desk.api.refused(409, "POST", undo, {"revision": 3})
    await desk.api.refused(400, "POST", undo, {"revision": 1})
    await heard(desk, ResultChanged, ResultChanged, ResultReviewed)


async def test_a_rejected_document_leaves_the_queue_until_it_is_run_again(desk: Desk) -> None:
    await desk.policy("everything")
    taken = await desk.next()
    rejected = await desk.conclude(taken, "reject")
    assert rejected["is_verified"] is False
    await heard(desk, ResultRejected)
    sheet = await desk.sheet(
        filters=json.dumps({"items": [{"field": "$standing", "operator": "is", "value": "rejected"}]})
    )
    assert [(row["document_id"], row["state"]) for row in sheet["rows"]] == [
        (taken["document_id"], "rejected")
    ]
    assert (sheet["settled"], sheet["to_review"]) == (0, 3)
    assert (await desk.next())["document_id"] != taken["document_id"]
    params = {"prompt_revid": desk.prompt["prompt_revid"], "force": "true"}
    await desk.api.call("POST", f"/llm/run/{taken['document_id']}", params=params)
    assert (await desk.sheet())["to_review"] == 4


async def test_what_does_not_add_up_is_marked(desk: Desk) -> None:
    params = {"prompt_revid": desk.prompt["prompt_revid"]}
    values = {**SURE, "invoice_number": "A-1", "lines": [{"amount": 40.0}, {"amount": 45.0}]}
    ahead = {**SURE, "invoice_number": "A-2", "invoice_date": "2999-01-01"}
    for document_id, data in zip(desk.ids, (values, ahead, SURE, SURE), strict=True):
        body = {"updated_llm_result": data}
        answer = await desk.api.call("PUT", f"/llm/result/{document_id}", params=params, json=body)
        assert answer.status_code == 200, answer.text
    sheet = await desk.sheet()
    assert (sheet["total_count"], sheet["settled"]) == (4, 0), "nobody has looked at what does not add up"
    rows = {row["document_id"]: row for row in sheet["rows"]}
    remarks = {
        document_id: {cell["path"]: cell["remark"] for cell in row["cells"] if cell["remark"]}
        for document_id, row in rows.items()
    }
    first, second, third, fourth = (remarks[document_id] for document_id in desk.ids)
    assert first == {"total": "lines.amount adds up to 85.0, not to 90.0."}
    assert second == {"invoice_date": "This date is yet to come."}
    assert third == fourth == {"invoice_number": "2 documents of the same issuer have this number."}
    assert {row["state"] for row in rows.values()} == {"inconsistent"}
    path = f"/sheets/{desk.prompt['prompt_id']}/export"
    lines = (await desk.api.call("GET", path, params={"format": "jsonl"})).text.splitlines()
    assert [json.loads(line)["state"] for line in lines] == ["inconsistent"] * 4
    await desk.api.call("POST", f"/llm/result/{desk.ids[0]}/verify", params=params, json={"path": "total"})
    sheet = await desk.sheet()
    assert sheet["rows"][3]["cells"][3]["remark"] is None, "a person says that it is right"
    assert sheet["settled"] == 1
    listed = await desk.api.get("/llm/highlights", document_ids=",".join(desk.ids))
    to_check = {one["document_id"]: one["review"]["to_check"] for one in listed["highlights"]}
    assert to_check[desk.ids[0]] == 0
    result = await desk.api.get(f"/llm/result/{desk.ids[0]}", **params)
    assert [(one["path"], one["keyword"]) for one in result["problems"]] == [("total", "sum")]


async def test_numbers_of_any_form_are_found_twice(desk: Desk) -> None:
    params = {"prompt_revid": desk.prompt["prompt_revid"]}
    for number in ("RÉ-2024/117", "№ 5", "第117号", "1E5", "ГУ 12-3", "it's_7", f"7 {'x' * 3000}"):
        like_it = number.casefold() + "0"
        for document_id, paper in zip(desk.ids, (number, number, like_it, "A-1"), strict=True):
            body = {"updated_llm_result": {**SURE, "invoice_number": paper}}
            answer = await desk.api.call("PUT", f"/llm/result/{document_id}", params=params, json=body)
            assert answer.status_code == 200, answer.text
        remarked = {
            row["document_id"]
            for row in (await desk.sheet())["rows"]
            if any(cell["path"] == "invoice_number" and cell["remark"] for cell in row["cells"])
        }
        assert remarked == set(desk.ids[:2]), number
