"""An organisation that has one of everything."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from docagent.domain.clock import now
from docagent.domain.extraction.spreads import Spread, SpreadChange
from docagent.domain.ids import new_id
from docagent.store.extraction import spreads
from tests.support.made.documents import base64_of, pdf
from tests.support.operations import EVERY_ID, RESPONSE_FORMAT
from tests.support.org_api import OrgApi
from tests.support.polling import until
from tests.support.product import Product, Tenant


@dataclass(frozen=True)
class Household:
    tenant: Tenant
    ids: dict[str, str]
    marker: str
    """A text that stands in everything here, and nowhere else."""


async def furnish(product: Product, tenant: Tenant) -> Household:
    """Make one of everything, with the marker in every text."""
    marker = f"secret{new_id()}"
    api = OrgApi(product.client, tenant.organization_id, tenant.headers)
    tag = await api.post("/tags", {"name": f"tag {marker}", "description": marker})
    document = {
        "name": f"{marker}.pdf",
        "content": base64_of(pdf([f"The text says {marker}"])),
        "tag_ids": [tag["id"]],
        "metadata": {"key": marker},
    }
    uploaded = await api.post("/documents", {"documents": [document]})
    document_id = uploaded["documents"][0]["document_id"]
    await product.read_document(tenant, document_id)
    response_format = json.loads(json.dumps(RESPONSE_FORMAT).replace('"invoice"', f'"{marker}"'))
    schema = await api.post("/schemas", {"name": f"schema {marker}", "response_format": response_format})
    prompt = await api.post(
        "/prompts",
        {
            "name": f"prompt {marker}",
            "content": marker,
            "tag_ids": [tag["id"]],
            "schema_id": schema["schema_id"],
            "schema_version": 1,
        },
    )
    of_schema = {"content": marker, "schema_id": schema["schema_id"], "schema_version": 1}
    source, twin, other = [
        (await api.post("/prompts", {"name": f"{name} {marker}", **of_schema}))["prompt_id"]
        for name in ("source", "twin", "other")
    ]
    merge = await api.post("/sheet_merges", {"prompt_id": twin, "source_prompt_id": other})
    runs = f"/prompts/{prompt['prompt_id']}/runs"
    run = await api.post(runs, {})

    async def is_over() -> bool:
        return bool((await api.get(f"{runs}/{run['id']}"))["state"] == "done")

    await until(is_over)
    extraction = await api.call(
        "POST", f"/llm/run/{document_id}", params={"prompt_revid": prompt["prompt_revid"]}
    )
    assert extraction.status_code == 200, extraction.text
    measured = await _measured(api, document_id, prompt)
    await api.put(f"/review/{prompt['prompt_id']}", {"mode": "everything"})
    form = await api.post("/forms", {"name": f"form {marker}", "response_format": {}, "tag_ids": [tag["id"]]})
    submission = {"form_revid": form["form_revid"], "submission_data": {"field": marker}}
    await api.post(f"/forms/submissions/{document_id}", submission)
    token = await api.post("/access_tokens", {"name": f"token {marker}", "lifetime": 0})
    chat = f"/documents/{document_id}/chat"
    thread = await api.post(f"{chat}/threads", {"title": f"thread {marker}"})
    message = {"role": "user", "content": f"rename this document to {marker} final.pdf"}
    turn = await api.post(chat, {"messages": [message], "thread_id": thread["thread_id"]})
    assert turn["state"] == "awaiting_approval", turn
    rule = await api.post("/agent/rules", {"tool": "update_tag", "arguments": {"name": marker}})
    webhook = await api.post(
        "/webhooks", {"url": f"https://hooks.invalid/{marker}", "events": ["document_read_failed"]}
    )
    delivery = await api.post(f"/webhooks/{webhook['id']}/test", {})
    server = await api.post("/mcp-servers", {"name": f"s-{marker[-20:]}", "command": "side"})
    tools = await api.post(f"/mcp-servers/{server['id']}/tools/refresh", {})
    project = await api.post(
        "/projects", {"name": f"project {marker}", "description": marker, "standing_instruction": marker}
    )
    living_document = await api.post(
        f"/projects/{project['id']}/documents",
        {
            "name": f"plan {marker}",
            "content": f"# {marker}",
            "standing_instruction": marker,
            "reason": marker,
        },
    )
    chat = f"/projects/{project['id']}/chat"
    project_thread = await api.post(f"{chat}/threads", {"title": f"thread {marker}"})
    message = {"role": "user", "content": f"what is {marker}?"}
    project_turn = await api.post(chat, {"messages": [message], "thread_id": project_thread["thread_id"]})
    job = (await api.get("/jobs"))["jobs"][-1]
    ids = {
        "document_id": document_id,
        "tag_id": tag["id"],
        "schema_id": schema["schema_id"],
        "schema_revid": schema["schema_revid"],
        "prompt_id": prompt["prompt_id"],
        "prompt_revid": prompt["prompt_revid"],
        "form_id": form["form_id"],
        "form_revid": form["form_revid"],
        "thread_id": thread["thread_id"],
        "turn_id": turn["turn_id"],
        "rule_id": rule["id"],
        "job_id": job["id"],
        "spread_id": await _spread(product, tenant, document_id, prompt["prompt_id"], marker),
        "merge_id": merge["merge_id"],
        "source_prompt_id": source,
        "run_id": run["id"],
        "accuracy_run_id": measured,
        "other_id": measured,
        "token_id": token["id"],
        "webhook_id": webhook["id"],
        "delivery_id": delivery["id"],
        "server_id": server["id"],
        "tool_id": tools["tools"][0]["id"],
        "project_id": project["id"],
        "living_document_id": living_document["id"],
        "chat_id": project_thread["thread_id"],
        "project_thread_id": project_thread["thread_id"],
        "project_turn_id": project_turn["turn"],
    }
    assert set(ids) == EVERY_ID
    return Household(tenant, ids, marker)


async def _spread(product: Product, tenant: Tenant, document_id: str, prompt_id: str, marker: str) -> str:
    """A correction that was spread to documents that are gone by now."""
    gone = SpreadChange(new_id(), marker, new_id(), 1, "total", None, marker)
    spread = Spread(new_id(), prompt_id, document_id, "total", (gone,), 1, tenant.user_id, now())
    async with product.services.db.write_org(tenant.organization_id) as tx:
        await spreads.insert(tx, spread)
    return spread.id


async def _measured(api: OrgApi, document_id: str, prompt: dict[str, Any]) -> str:
    """Verify a value, and return the id of an accuracy run over it, once nothing is under way any more."""
    params = {"prompt_revid": prompt["prompt_revid"]}
    verified = await api.call(
        "POST", f"/llm/result/{document_id}/verify", params=params, json={"path": "total"}
    )
    assert verified.status_code == 200, verified.text
    run: dict[str, str] = await api.post("/accuracy/runs", {"prompt_id": prompt["prompt_id"]})

    async def is_quiet() -> bool:
        listed = (await api.get("/jobs", limit=100))["jobs"]
        return all(job["state"] == "done" for job in listed)

    await until(is_quiet)
    return run["id"]
