"""Documents of one kind end with one schema: they share what is proposed, and what exists is used."""

from __future__ import annotations

import asyncio
from datetime import timedelta

from docagent.services.housekeeping import HousekeepingService
from tests.support.org_api import OrgApi
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


def order(number: int) -> list[str]:
    return [line.replace("2291", str(number)) for line in ORDER]


@on_each_database
async def test_documents_of_one_kind_share_one_proposal(
    product: Product, tenant: Tenant, api: OrgApi
) -> None:
    """Uploaded at once, beside one of another kind."""
    ids = [await upload(api, lines) for lines in (order(1001), order(1002), order(1003), PERMIT)]
    documents = await asyncio.gather(*(settled(api, document_id) for document_id in ids))
    assert [document["auto_create_status"] for document in documents] == ["proposed"] * 4
    *orders, permit = [await proposal(api, document_id) for document_id in ids]
    assert len({item["proposal_id"] for item in orders}) == 1
    assert {item["documents_waiting"] for item in orders} == {3}
    assert sorted(item["turn_id"] is None for item in orders) == [False, True, True]
    for item in orders:
        assert (item["reason"] is None) == (item["turn_id"] is not None)
    assert permit["proposal_id"] not in {item["proposal_id"] for item in orders}
    rows = await left_over(product.services.db, tenant.organization_id)
    assert rows == {"schemas": 2, "prompts": 2, "extraction_results": 4}
    review = await api.get("/auto_create")
    assert (review["total_count"], review["counts"]["proposed"]) == (2, 4)
    groups = {group["proposal_id"]: group for group in review["groups"]}
    listed = groups[orders[0]["proposal_id"]]
    assert [item["document_id"] for item in listed["documents"]] == ids[:3]
    assert [item["summary"] for item in listed["documents"]] == [item["summary"] for item in orders]
    assert (listed["schema"], listed["prompt"]) == (orders[0]["schema"], orders[0]["prompt"])
    paged = await api.get("/auto_create", skip=1, limit=1)
    assert [group["proposal_id"] for group in paged["groups"]] == [
        group["proposal_id"] for group in review["groups"][1:]
    ]


async def test_a_third_document_fits_what_was_accepted(product: Product, tenant: Tenant, api: OrgApi) -> None:
    first, second = await proposed(api), await proposed(api, ANOTHER_ORDER)
    await verdict(api, first["document_id"], "accept")
    third = await proposed(api, order(4004))
    waiting = await proposal(api, second["document_id"])
    assert third["is_new"] is waiting["is_new"] is False
    assert third["proposal_id"] == waiting["proposal_id"]
    assert third["prompt"] == waiting["prompt"]
    assert third["reason"].startswith(f"“{first['schema']['name']}” fits:")
    assert [change["kind"] for change in third["changes"]] == ["result"]
    (group,) = (await api.get("/auto_create"))["groups"]
    assert len(group["documents"]) == group["documents_waiting"] == 2
    count = product.services.prompts.documents_with_results
    assert await count(tenant.member, first["prompt"]["prompt_id"]) == 1, "what only waits is not counted"
    for item in (second, third):
        await verdict(api, item["document_id"], "accept")
    assert await count(tenant.member, first["prompt"]["prompt_id"]) == 3
    assert len(await names(api, "schemas")) == len(await names(api, "prompts")) == 1
    assert await extracted(api, third["document_id"], first["prompt"]["prompt_revid"])


async def test_a_group_loses_one_document_and_the_others_stay(api: OrgApi) -> None:
    first, second = await proposed(api), await proposed(api, ANOTHER_ORDER)
    await verdict(api, first["document_id"], "reject")
    left = await proposal(api, second["document_id"])
    assert (left["status"], left["documents_waiting"], left["schema"]) == ("proposed", 1, first["schema"])
    await verdict(api, second["document_id"], "accept")
    restored = await verdict(api, first["document_id"], "restore")
    assert (restored["status"], restored["is_new"]) == ("proposed", False)
    assert (await verdict(api, first["document_id"], "accept"))["status"] == "accepted"
    assert len(await names(api, "schemas")) == 1


async def test_a_rejection_of_all_hides_it_and_one_restored_brings_it_back(api: OrgApi) -> None:
    first, second = await proposed(api), await proposed(api, ANOTHER_ORDER)
    for item in (first, second):
        await verdict(api, item["document_id"], "reject")
    third = await proposed(api, order(4004))
    assert third["schema"]["schema_id"] != first["schema"]["schema_id"], "what was rejected fits no more"
    restored = await verdict(api, second["document_id"], "restore")
    assert (restored["schema"], restored["documents_waiting"]) == (first["schema"], 1)


async def test_an_upload_with_the_tag_of_a_prompt_needs_no_verdict(
    product: Product, tenant: Tenant, api: OrgApi
) -> None:
    first = await proposed(api)
    await verdict(api, first["document_id"], "accept", tag_name="orders")
    (tag,) = (await api.get("/tags"))["tags"]
    document = await settled(api, await upload(api, ANOTHER_ORDER, tag_ids=[tag["id"]]))
    assert document["auto_create_status"] == "accepted"
    found = await proposal(api, document["id"])
    assert "has run on it already" in found["reason"]
    rows = await left_over(product.services.db, tenant.organization_id)
    assert rows == {"schemas": 1, "prompts": 1, "extraction_results": 2}


@on_each_database
async def test_what_was_proposed_for_a_document_goes_with_it(
    product: Product, tenant: Tenant, api: OrgApi
) -> None:
    first, second = await proposed(api), await proposed(api, ANOTHER_ORDER)
    await api.delete(f"/documents/{first['document_id']}")
    assert (await proposal(api, second["document_id"]))["documents_waiting"] == 1
    (group,) = (await api.get("/auto_create"))["groups"]
    assert [item["document_id"] for item in group["documents"]] == [second["document_id"]]
    await api.delete(f"/documents/{second['document_id']}")
    assert (await api.get("/auto_create"))["groups"] == []
    third = await proposed(api, order(4004))
    assert third["turn_id"] is not None, "nothing that waits for a verdict is left"
    assert len({first["proposal_id"], third["proposal_id"]}) == 2
    await HousekeepingService(product.services.db, product.services.blobs, timedelta(0)).sweep()
    rows = await left_over(product.services.db, tenant.organization_id)
    assert rows == {"schemas": 1, "prompts": 1, "extraction_results": 1}
