"""Verdicts on proposals: accept, reject, restore, retry; by one, by many, by two at once, and by strangers."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from docagent.domain.ids import new_id
from tests.support.org_api import OrgApi
from tests.support.polling import until
from tests.support.product import Product, Tenant
from tests.support.proposals import (
    ANOTHER_ORDER,
    ORDER,
    PERMIT,
    extracted,
    left_over,
    names,
    proposal,
    proposed,
    settled,
    upload,
    verdict,
)
from tests.support.services.databases import on_each_database

VERDICTS = ("accept", "reject", "restore", "retry")


async def is_processed(api: OrgApi, document_id: str) -> bool:
    document = await api.get(f"/documents/{document_id}", include_content=False)
    return bool(document["state"] == "llm_completed")


@on_each_database
async def test_with_a_tag_later_uploads_are_processed_by_themselves(api: OrgApi) -> None:
    tag = (await api.post("/tags", {"name": "orders"}))["id"]
    found = await proposed(api)
    accepted = await verdict(api, found["document_id"], "accept", tag_ids=[tag])
    assert accepted["status"] == "accepted"
    assert accepted["prompt"]["tag_ids"] == [tag]
    document = await api.get(f"/documents/{found['document_id']}", include_content=False)
    assert document["tag_ids"] == [tag]
    later = await upload(api, ANOTHER_ORDER, auto_create=False, tag_ids=[tag])
    await until(lambda: is_processed(api, later))
    result = await extracted(api, later, accepted["prompt"]["prompt_revid"])
    assert "PO-3302" in result["llm_result"].values()


async def test_doubtful_values_of_an_accepted_prompt_are_reviewed_until_somebody_says_otherwise(
    api: OrgApi,
) -> None:
    first, second = await proposed(api), await proposed(api, ANOTHER_ORDER)
    accepted = await verdict(api, first["document_id"], "accept")
    prompt_id = accepted["prompt"]["prompt_id"]
    modes = {one["prompt_id"]: one["mode"] for one in (await api.get("/review"))["queues"]}
    assert modes[prompt_id] == "doubtful"
    await api.call("PUT", f"/review/{prompt_id}", json={"mode": "nothing"})
    await verdict(api, second["document_id"], "accept")
    modes = {one["prompt_id"]: one["mode"] for one in (await api.get("/review"))["queues"]}
    assert modes[prompt_id] == "nothing"


@on_each_database
async def test_a_tag_is_named_in_any_case_and_made_if_there_is_none(api: OrgApi) -> None:
    first = await proposed(api)
    await verdict(api, first["document_id"], "accept", tag_name="Orders")
    (tag,) = (await api.get("/tags"))["tags"]
    assert tag["name"] == "Orders"
    second = await proposed(api, ANOTHER_ORDER)
    accepted = await verdict(api, second["document_id"], "accept", tag_name="orDERS")
    assert accepted["prompt"]["tag_ids"] == [tag["id"]]
    assert (await api.get("/tags"))["total_count"] == 1
    assert accepted["prompt"]["prompt_version"] == 1, "the prompt carries the tag already"


async def test_an_existing_prompt_gets_a_tag_in_a_new_version(api: OrgApi) -> None:
    first = await proposed(api)
    await verdict(api, first["document_id"], "accept")
    second = await proposed(api, ANOTHER_ORDER)
    await verdict(api, second["document_id"], "accept", tag_name="orders")
    (prompt,) = (await api.get("/prompts"))["prompts"]
    assert (prompt["prompt_version"], len(prompt["tag_ids"])) == (2, 1)
    assert await extracted(api, second["document_id"], first["prompt"]["prompt_revid"])


async def test_a_tag_that_is_none_changes_nothing(api: OrgApi) -> None:
    found = await proposed(api)
    await api.refused(
        400, "POST", f"/documents/{found['document_id']}/auto_create/accept", {"tag_ids": [new_id()]}
    )
    assert await proposal(api, found["document_id"]) == found
    assert await names(api, "schemas") == []


@on_each_database
async def test_what_is_rejected_is_gone_and_comes_back(api: OrgApi) -> None:
    found = await proposed(api)
    document_id, revision = found["document_id"], {"prompt_revid": found["prompt"]["prompt_revid"]}
    rejected = await verdict(api, document_id, "reject")
    assert (rejected["status"], rejected["changes"], rejected["schema"]) == ("rejected", [], None)
    await api.refused(404, "GET", f"/schemas/{found['schema']['schema_revid']}")
    await api.refused(404, "GET", f"/llm/result/{document_id}", **revision)
    review = await api.get("/auto_create")
    assert (review["groups"], review["total_count"], review["counts"]["rejected"]) == ([], 0, 1)
    assert await verdict(api, document_id, "restore") == found
    assert await api.get(f"/llm/result/{document_id}", **revision)
    assert (await verdict(api, document_id, "accept"))["status"] == "accepted"
    assert await names(api, "schemas") == [found["schema"]["name"]]


async def test_a_rejected_document_is_prepared_again(api: OrgApi, product: Product, tenant: Tenant) -> None:
    found = await proposed(api)
    await verdict(api, found["document_id"], "reject")
    running = await verdict(api, found["document_id"], "retry")
    assert (running["status"], running["schema"], running["done_at"]) == ("running", None, None)
    await settled(api, found["document_id"])
    again = await proposal(api, found["document_id"])
    assert again["status"] == "proposed"
    assert again["prompt"]["prompt_id"] != found["prompt"]["prompt_id"]
    assert again["turn_id"] != found["turn_id"]
    rows = await left_over(product.services.db, tenant.organization_id)
    assert rows == {"schemas": 1, "prompts": 1, "extraction_results": 1}


async def test_a_document_that_was_not_to_be_prepared_can_be(
    product: Product, tenant: Tenant, api: OrgApi
) -> None:
    document_id = await upload(api, auto_create=False)
    await product.read_document(tenant, document_id)
    assert (await verdict(api, document_id, "retry"))["status"] == "running"
    assert (await settled(api, document_id))["auto_create_status"] == "proposed"


@pytest.mark.parametrize("accepted", [True, False])
async def test_a_prompt_that_was_rejected_is_not_proposed_again(api: OrgApi, accepted: bool) -> None:
    """Whether it exists, or is only proposed for another document that still waits."""
    first = await proposed(api)
    if accepted:
        await verdict(api, first["document_id"], "accept")
    second = await proposed(api, ANOTHER_ORDER)
    assert second["prompt"]["prompt_id"] == first["prompt"]["prompt_id"]
    await verdict(api, second["document_id"], "reject")
    await verdict(api, second["document_id"], "retry")
    await settled(api, second["document_id"])
    again = await proposal(api, second["document_id"])
    assert again["status"] == "proposed"
    assert again["is_new"] is True
    assert again["prompt"]["prompt_id"] != first["prompt"]["prompt_id"]
    assert (await proposal(api, first["document_id"]))["prompt"] == first["prompt"]


async def test_a_verdict_may_be_repeated_and_a_wrong_one_is_refused(api: OrgApi) -> None:
    found = await proposed(api)
    path = f"/documents/{found['document_id']}/auto_create"
    assert await verdict(api, found["document_id"], "restore") == found
    assert "already" in await api.refused(409, "POST", f"{path}/retry")
    rejected = await verdict(api, found["document_id"], "reject")
    assert await verdict(api, found["document_id"], "reject") == rejected
    assert "is rejected" in await api.refused(409, "POST", f"{path}/accept")
    await verdict(api, found["document_id"], "restore")
    accepted = await verdict(api, found["document_id"], "accept")
    assert await verdict(api, found["document_id"], "accept") == accepted
    for what in ("reject", "restore", "retry"):
        assert "accepted" in await api.refused(409, "POST", f"{path}/{what}")
    assert len(await names(api, "schemas")) == 1


@on_each_database
async def test_of_accept_and_reject_at_once_one_wins(api: OrgApi) -> None:
    found = await proposed(api)
    path = f"/documents/{found['document_id']}/auto_create"
    told = ["accept", "reject"] * 3
    answers = await asyncio.gather(*(api.call("POST", f"{path}/{what}") for what in told))
    status = (await proposal(api, found["document_id"]))["status"]
    for what, answer in zip(told, answers, strict=True):
        won = status == f"{what}ed"
        assert answer.status_code == (200 if won else 409), answer.text
    assert len(await names(api, "prompts")) == (status == "accepted")


@on_each_database
async def test_one_tag_does_not_land_on_the_prompts_of_two_groups(api: OrgApi) -> None:
    order, permit = await proposed(api), await proposed(api, PERMIT)
    ids = [order["document_id"], permit["document_id"]]
    for tags in ({"tag_name": "papers"}, {"tag_ids": [new_id()]}):
        detail = await api.refused(400, "POST", "/auto_create/accept", {"document_ids": ids, **tags})
        assert "different schemas" in detail
    assert [(await proposal(api, one))["status"] for one in ids] == ["proposed", "proposed"]
    assert (await api.get("/tags"))["total_count"] == 0
    told = await api.post("/auto_create/accept", {"document_ids": ids})
    assert [one["status"] for one in told["documents"]] == ["accepted", "accepted"]


@on_each_database
async def test_of_many_each_is_decided_by_itself(api: OrgApi, stranger: OrgApi) -> None:
    elsewhere = await proposed(stranger, PERMIT)
    first, second = await proposed(api), await proposed(api, ANOTHER_ORDER)
    rejected = await proposed(api, PERMIT)
    await verdict(api, rejected["document_id"], "reject")
    ids = [first["document_id"], "nonsense", elsewhere["document_id"], rejected["document_id"]]
    ids += [second["document_id"], first["document_id"]]
    told = await api.post("/auto_create/accept", {"document_ids": ids, "tag_name": "orders"})
    found = {item["document_id"]: item for item in told["documents"]}
    assert len(told["documents"]) == len(found) == 5
    for item in (first, second):
        assert found[item["document_id"]] == {
            "document_id": item["document_id"],
            "status": "accepted",
            "error": None,
        }
    for bad in ("nonsense", elsewhere["document_id"]):
        assert (found[bad]["status"], found[bad]["error"]) == (None, "Document not found")
    assert "is rejected" in found[rejected["document_id"]]["error"]
    assert (await proposal(stranger, elsewhere["document_id"]))["status"] == "proposed"
    (prompt,) = (await api.get("/prompts"))["prompts"]
    assert len(prompt["tag_ids"]) == 1


async def test_many_are_rejected_restored_and_tried_again(api: OrgApi) -> None:
    ids = [(await proposed(api, lines))["document_id"] for lines in (ORDER, ANOTHER_ORDER)]
    for what, status in (
        ("reject", "rejected"),
        ("restore", "proposed"),
        ("reject", "rejected"),
        ("retry", "running"),
    ):
        told = await api.post(f"/auto_create/{what}", {"document_ids": ids})
        assert [item["status"] for item in told["documents"]] == [status, status]
        with_status = await api.get("/documents", auto_create_status="rejected")
        assert with_status["total_count"] == (2 if status == "rejected" else 0)
    for document_id in ids:
        assert (await settled(api, document_id))["auto_create_status"] == "proposed"
    await api.refused(422, "POST", "/auto_create/reject", {"document_ids": []})
    await api.refused(422, "POST", "/auto_create/reject", {"document_ids": ["x"] * 1001})


async def answers(api: OrgApi, document_id: str) -> list[Any]:
    """What every endpoint about one document says."""
    path = f"/documents/{document_id}/auto_create"
    looks = [await api.call("GET", path), await api.call("GET", f"{path}/agent_log")]
    return [*looks, *[await api.call("POST", f"{path}/{what}") for what in VERDICTS]]


@on_each_database
async def test_another_organisation_sees_nothing(api: OrgApi, stranger: OrgApi) -> None:
    found = await proposed(api)
    assert [answer.status_code for answer in await answers(stranger, found["document_id"])] == [404] * 6
    assert (await stranger.get("/auto_create"))["total_count"] == 0
    assert set((await stranger.get("/auto_create"))["counts"].values()) == {0}
    for noun in ("schema", "prompt"):
        await stranger.refused(404, "GET", f"/{noun}s/{found[noun][f'{noun}_revid']}")
    await stranger.refused(
        404,
        "GET",
        f"/llm/result/{found['document_id']}",
        prompt_revid=found["prompt"]["prompt_revid"],
    )
    assert await proposal(api, found["document_id"]) == found


async def test_nobody_gets_in_without_a_token_for_the_organisation(
    api: OrgApi, other: Tenant, tenant: Tenant
) -> None:
    found = await proposed(api)
    for headers, refusal in (({}, 401), (other.headers, 403), (other.account_headers, 403)):
        wrong = OrgApi(api.client, tenant.organization_id, headers)
        told = await answers(wrong, found["document_id"])
        told += [await wrong.call("POST", f"/auto_create/{what}", json={}) for what in VERDICTS]
        told.append(await wrong.call("GET", "/auto_create"))
        assert {answer.status_code for answer in told} <= {401, 403, 404}, refusal
    mine = OrgApi(api.client, tenant.organization_id, tenant.account_headers)
    assert (await verdict(mine, found["document_id"], "accept"))["status"] == "accepted"


async def test_who_accepts_again_with_a_tag_gets_the_tag(api: OrgApi) -> None:
    found = await proposed(api)
    await verdict(api, found["document_id"], "accept")
    await verdict(api, found["document_id"], "accept", tag_name="orders")
    [prompt] = (await api.get("/prompts"))["prompts"]
    document = await api.get(f"/documents/{found['document_id']}", include_content=False)
    assert len(prompt["tag_ids"]) == 1
    assert document["tag_ids"] == prompt["tag_ids"]
