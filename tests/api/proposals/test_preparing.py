"""An upload that is prepared without a person: what stands on the document, and in the log of the agent."""

from __future__ import annotations

import pytest

from docagent.services.proposals.preparing import NO_VALUES
from tests.support.agent import Json
from tests.support.made.documents import base64_of, pdf
from tests.support.org_api import OrgApi
from tests.support.polling import until
from tests.support.product import Product, Tenant
from tests.support.proposals import ORDER, proposal, proposed, settled, upload, verdict
from tests.support.services.databases import on_each_database

FIELDS = (
    "auto_create_status",
    "auto_create_schema_revid",
    "auto_create_prompt_revid",
    "auto_create_done_at",
    "auto_create_error",
)
WRITES = ["create_schema", "create_prompt", "run_extraction"]


def started(events: list[Json]) -> list[Json]:
    return [event for event in events if event["type"] == "tool_started"]


@on_each_database
async def test_everything_is_prepared_and_nothing_is_there_before_a_person_accepts(api: OrgApi) -> None:
    found = await proposed(api)
    assert (found["is_new"], found["documents_waiting"]) == (True, 1)
    assert (await api.get("/schemas"))["total_count"] == 0
    assert (await api.get("/prompts"))["total_count"] == 0
    await verdict(api, found["document_id"], "accept")
    assert (await api.get("/schemas"))["total_count"] == 1
    assert (await api.get("/prompts"))["total_count"] == 1


async def test_the_document_tells_what_was_prepared(api: OrgApi) -> None:
    found = await proposed(api)
    document = await api.get(f"/documents/{found['document_id']}", include_content=False)
    (listed,) = (await api.get("/documents"))["documents"]
    assert {field: listed[field] for field in FIELDS} == {field: document[field] for field in FIELDS}
    assert document["auto_create"] is True
    assert document["auto_create_schema_revid"] == found["schema"]["schema_revid"]
    assert document["auto_create_prompt_revid"] == found["prompt"]["prompt_revid"]
    assert document["auto_create_done_at"] == found["done_at"]
    assert document["auto_create_error"] is None
    log = await api.get(f"/documents/{found['document_id']}/auto_create/agent_log")
    assert log["events"] == document["auto_create_agent_log"]
    assert "auto_create_agent_log" not in listed


async def test_a_proposal_says_what_accepting_it_brings_about(api: OrgApi) -> None:
    found = await proposed(api)
    assert found["prompt"]["schema_id"] == found["schema"]["schema_id"]
    schema, prompt, result = found["changes"]
    assert (schema["kind"], schema["name"]) == ("schema", found["schema"]["name"])
    assert (schema["version_from"], schema["version_to"]) == (None, 1)
    assert (prompt["kind"], prompt["name"]) == ("prompt", found["prompt"]["name"])
    summary = found["summary"]
    fields = found["schema"]["response_format"]["json_schema"]["schema"]["properties"]
    assert summary["fields"] == len(fields)
    assert 0 < summary["proven"] <= summary["values"]
    assert result == {
        "kind": "result",
        "prompt": found["prompt"]["name"],
        "values": summary["values"],
        "proven": summary["proven"],
    }


async def test_every_call_in_the_log_has_its_grant(api: OrgApi) -> None:
    found = await proposed(api)
    log = await api.get(f"/documents/{found['document_id']}/auto_create/agent_log")
    assert (log["turn_id"], log["thread_id"]) == (found["turn_id"], found["thread_id"])
    grants = {event["name"]: event["grant"]["kind"] for event in started(log["events"])}
    assert [name for name, kind in grants.items() if kind == "proposal"] == WRITES
    assert {kind for name, kind in grants.items() if name not in WRITES} == {"read_only"}
    assert log["events"][-1]["type"] == "completed"
    assert (await api.get("/approvals"))["approvals"] == []


async def test_a_document_that_is_not_to_be_prepared_is_left_alone(api: OrgApi) -> None:
    document_id = await upload(api, auto_create=False)
    await settled(api, await upload(api))
    document = await api.get(f"/documents/{document_id}", include_content=False)
    assert document["auto_create"] is False
    assert {document[field] for field in FIELDS} == {None}
    assert document["auto_create_agent_log"] is None
    for path in ("auto_create", "auto_create/agent_log"):
        assert "Nothing was prepared" in await api.refused(404, "GET", f"/documents/{document_id}/{path}")
    for what in ("accept", "reject", "restore"):
        await api.refused(404, "POST", f"/documents/{document_id}/auto_create/{what}")


async def has_status(api: OrgApi, document_id: str, status: str) -> bool:
    return bool((await proposal(api, document_id))["status"] == status)


async def nothing_left_to_do(api: OrgApi, document_id: str) -> bool:
    found = (await api.get("/jobs", document_id=document_id))["jobs"]
    return all(job["state"] not in ("queued", "running") for job in found)


async def wishes(api: OrgApi) -> list[bool]:
    """What becomes of uploads in JSON and as forms that say yes, no, and nothing."""
    found = []
    for wish in (True, False, None):
        document = {"name": "a.pdf", "content": base64_of(pdf(ORDER)), "auto_create": wish}
        uploaded = await api.post("/documents", {"documents": [document]})
        files = {"file": ("b.pdf", pdf(ORDER), "application/pdf")}
        form = {} if wish is None else {"auto_create": str(wish).lower()}
        sent = await api.call("POST", "/documents/multipart", files=files, data=form)
        for made in (uploaded["documents"][0], sent.json()["document"]):
            shown = await api.get(f"/documents/{made['document_id']}", include_content=False)
            found.append(shown["auto_create"])
    return found


async def test_the_organisation_has_a_default_that_an_upload_overrides(tenant: Tenant, api: OrgApi) -> None:
    path = f"/v0/account/organizations/{tenant.organization_id}"
    (organization,) = [
        item
        for item in (
            await api.client.get("/v0/account/organizations", headers=tenant.account_headers)
        ).json()["organizations"]
        if item["id"] == tenant.organization_id
    ]
    assert organization["auto_create_default"] is False
    assert await wishes(api) == [True, True, False, False, False, False]
    changed = await api.client.put(path, headers=tenant.account_headers, json={"auto_create_default": True})
    assert changed.json()["auto_create_default"] is True
    assert await wishes(api) == [True, True, False, False, True, True]


async def test_without_a_text_nothing_is_prepared_until_the_password_is_given(
    product: Product, tenant: Tenant, api: OrgApi
) -> None:
    locked = base64_of(pdf(ORDER, password="sesame"))
    document_id = await upload(api, content=locked)
    document = await settled(api, document_id)
    assert document["auto_create_status"] == "failed"
    assert "could not be read" in document["auto_create_error"]
    assert "no text" in await api.refused(409, "POST", f"/documents/{document_id}/auto_create/retry")
    await api.post(f"/documents/{document_id}/password", {"password": "sesame"})
    await product.read_document(tenant, document_id)
    await until(lambda: has_status(api, document_id, "proposed"))
    assert (await proposal(api, document_id))["error"] is None


@pytest.mark.parametrize("decision", ["accept", "reject", None])
async def test_reading_again_prepares_nothing_again(api: OrgApi, decision: str | None) -> None:
    found = await proposed(api)
    document_id = found["document_id"]
    if decision:
        found = await verdict(api, document_id, decision)
    await api.call("POST", f"/ocr/run/{document_id}", params={"force": True})
    await until(lambda: nothing_left_to_do(api, document_id))
    assert await proposal(api, document_id) == found


async def test_a_document_without_values_gets_no_proposal(api: OrgApi) -> None:
    document = await settled(api, await upload(api, ["Hello there."]))
    assert (document["auto_create_status"], document["auto_create_error"]) == ("failed", NO_VALUES)
    assert (await api.get("/auto_create"))["groups"] == []
