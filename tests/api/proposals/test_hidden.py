"""What is proposed is seen on its document, and nowhere else."""

from __future__ import annotations

import pytest

from tests.support.org_api import OrgApi
from tests.support.product import Product, Tenant
from tests.support.proposals import ORDER, proposed, upload, verdict
from tests.support.services.databases import on_each_database


async def test_what_is_proposed_is_seen_on_its_document(api: OrgApi) -> None:
    found = await proposed(api)
    document_id, prompt_revid = found["document_id"], found["prompt"]["prompt_revid"]
    schema = await api.get(f"/schemas/{found['schema']['schema_revid']}")
    prompt = await api.get(f"/prompts/{prompt_revid}")
    assert (schema["name"], prompt["name"]) == (found["schema"]["name"], found["prompt"]["name"])
    result = await api.get(f"/llm/result/{document_id}", prompt_revid=prompt_revid)
    assert "PO-2291" in result["llm_result"].values()
    path = next(path for path, value in result["llm_result"].items() if value == "PO-2291")
    edited = await api.call(
        "PATCH",
        f"/llm/result/{document_id}",
        params={"prompt_revid": prompt_revid},
        json={"path": path, "value": "PO-2292"},
    )
    assert edited.status_code == 200, edited.text
    revisions = await api.get(f"/llm/result/{document_id}/revisions", prompt_revid=prompt_revid)
    assert len(revisions["revisions"]) == 2
    await api.refused(404, "GET", f"/llm/results/{document_id}/export")
    await verdict(api, document_id, "accept")
    kept = await api.get(f"/llm/result/{document_id}", prompt_revid=prompt_revid)
    assert kept["updated_llm_result"][path] == "PO-2292"


@on_each_database
async def test_what_is_proposed_is_in_no_list_and_no_export(api: OrgApi) -> None:
    found = await proposed(api)
    document_id, name = found["document_id"], found["schema"]["name"]
    for noun in ("schemas", "prompts"):
        for search in ({}, {"name_search": name[:4]}):
            listed = await api.get(f"/{noun}", **search)
            assert (listed[noun], listed["total_count"]) == ([], 0)
    assert (await api.get("/prompts", document_id=document_id))["total_count"] == 0
    await api.refused(404, "GET", f"/schemas/{found['schema']['schema_id']}/versions")
    await api.refused(404, "GET", f"/prompts/{found['prompt']['prompt_id']}/versions")
    await api.refused(404, "GET", f"/llm/results/{document_id}/export")
    await api.refused(404, "GET", f"/llm/results/{document_id}/download")
    assert (await api.get(f"/llm/results/{document_id}"))["results"] == []
    assert (await api.get("/llm/highlights", document_ids=document_id))["highlights"] == []


async def test_what_is_proposed_can_neither_be_run_nor_changed_by_hand(api: OrgApi) -> None:
    found = await proposed(api)
    other = await upload(api, auto_create=False)
    run = await api.call(
        "POST", f"/llm/run/{other}", params={"prompt_revid": found["prompt"]["prompt_revid"]}
    )
    assert run.status_code == 404
    schema, prompt = found["schema"]["schema_id"], found["prompt"]["prompt_id"]
    linked = {"name": "Mine", "content": "Read it.", "schema_id": schema}
    await api.refused(404, "POST", "/prompts", linked)
    await api.refused(404, "PUT", f"/schemas/{schema}", {"name": "Mine"})
    await api.refused(404, "DELETE", f"/schemas/{schema}")
    await api.refused(404, "DELETE", f"/prompts/{prompt}")


async def test_a_name_that_is_only_proposed_is_free(api: OrgApi) -> None:
    """And what people make under that name is theirs, not a version of what is proposed."""
    found = await proposed(api)
    taken = {"name": found["schema"]["name"], "response_format": found["schema"]["response_format"]}
    mine = await api.post("/schemas", taken)
    assert mine["schema_version"] == 1
    assert mine["schema_id"] != found["schema"]["schema_id"]
    prompt = await api.post("/prompts", {"name": found["prompt"]["name"], "content": "Mine."})
    assert prompt["prompt_version"] == 1
    accepted = await verdict(api, found["document_id"], "accept")
    assert accepted["schema"]["name"] == f"{found['schema']['name']} 2"
    assert accepted["prompt"]["name"] == f"{found['prompt']['name']} 2"
    assert await api.get(f"/prompts/{prompt['prompt_revid']}") == prompt


async def test_a_tag_is_no_use_of_a_proposal_before_it_is_accepted(
    product: Product, tenant: Tenant, api: OrgApi
) -> None:
    """An upload with a tag does not meet what is proposed, and nothing hidden keeps the tag."""
    tag = (await api.post("/tags", {"name": "orders"}))["id"]
    found = await proposed(api)
    other = await upload(api, auto_create=False, tag_ids=[tag])
    assert (await product.read_document(tenant, other))["state"] == "ocr_completed"
    plan = await api.post("/llm/bulk-analyze", {"tag_id": tag, "mode": "all"})
    assert plan["total_executions"] == 0
    await api.delete(f"/documents/{other}")
    await api.delete(f"/tags/{tag}")
    assert (await verdict(api, found["document_id"], "accept"))["status"] == "accepted"


@pytest.mark.parametrize("noun", ["schema", "prompt"])
async def test_a_chat_about_another_document_cannot_name_it(api: OrgApi, noun: str) -> None:
    found = await proposed(api)
    other = await upload(api, auto_create=False)
    mention = {"type": noun, "id": found[noun][f"{noun}_id"]}
    said = {"messages": [{"role": "user", "content": "Use this"}], "mentions": [mention]}
    await api.refused(404, "POST", f"/documents/{other}/chat", said)


async def test_an_extraction_that_people_run_meanwhile_is_theirs(api: OrgApi) -> None:
    """A fitting prompt was proposed; somebody runs it before the verdict. A rejection does not take that away."""
    first = await proposed(api)
    await verdict(api, first["document_id"], "accept")
    second = await proposed(api, [line.replace("2291", "7777") for line in ORDER])
    revision = {"prompt_revid": first["prompt"]["prompt_revid"]}
    assert second["prompt"]["prompt_revid"] == first["prompt"]["prompt_revid"]
    ran = await api.call("POST", f"/llm/run/{second['document_id']}", params=revision)
    assert ran.status_code == 200, ran.text
    await verdict(api, second["document_id"], "reject")
    result = await api.get(f"/llm/result/{second['document_id']}", **revision)
    assert "PO-7777" in result["llm_result"].values()


async def test_others_hear_of_the_result_when_it_is_accepted(api: OrgApi) -> None:
    hook = {"url": "https://hooks.example/x", "events": ["llm.completed"], "active": True}
    made = await api.post("/webhooks", hook)
    found = await proposed(api)
    path = f"/webhooks/{made['id']}/deliveries"
    assert (await api.get(path))["deliveries"] == []
    await verdict(api, found["document_id"], "accept")
    assert len((await api.get(path))["deliveries"]) == 1
