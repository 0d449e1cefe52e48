"""Fills a deployment as people would: tells a story to a running server of any release over its REST API.

A release gets the part of the story that it can handle. At the end some approvals and a question wait, and a later
version must be able to go on with them.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import httpx2

from docagent.domain.models.llm import ToolCall
from tests.support.agent import call, calls, decision, say, yes
from tests.support.made.documents import base64_of
from tests.support.models.provider import ScriptedProvider
from tests.support.org_api import OrgApi
from tests.support.services.server import ADMIN_EMAIL, ADMIN_PASSWORD

Json = dict[str, Any]

ENDPOINT = "story"
MODEL = f"{ENDPOINT}/teller"
BUILT_IN = "docagent-offline"
SECONDS = 120
SAMPLES = Path(__file__).parents[2] / "src" / "docagent" / "samples"

ADA, BOB, EVE = "ada@example.com", "bob@example.com", "eve@example.com"
PASSWORD = "the password of a person in the story"
INVOICE, AGREEMENT = "Invoice 2041.pdf", "Service agreement.pdf"
EDITED_NUMBER = "2041-B"
STRATEGIES = ("tools", "react", "think-act", "plan-and-execute", "tool-first", "llm-only")
HOW_LONG = "How many pages are there?"
QUESTION = "Which month is meant?"

PLAN = "# Plan\n\nWe begin in May.\n\n## Costs\n\nNot known.\n"
PLAN_BY_HAND = PLAN.replace("Not known", "About 900")
PLAN_BY_AGENT = PLAN_BY_HAND.replace("in May", "in June")
NOTES = "# Notes\n\nCall Ada.\n"
NOTES_THAT_WAIT = NOTES.replace("Call Ada", "Call Ada and Bob")


def format_with(*fields: str) -> Json:
    schema = {
        "type": "object",
        "properties": {field: {"type": ["string", "null"]} for field in fields},
        "required": list(fields),
        "additionalProperties": False,
    }
    return {"type": "json_schema", "json_schema": {"name": "invoice", "schema": schema, "strict": True}}


FIRST_FORMAT = format_with("invoice_number")
SECOND_FORMAT = format_with("invoice_number", "total")
THIRD_FORMAT = format_with("invoice_number", "total", "due_date")


async def tell(client: httpx2.AsyncClient, provider: ScriptedProvider, version: tuple[int, ...]) -> Json:
    """Tell the story as far as the version can handle it. Return what a test must know to find it again."""
    known = await _accounts(client)
    ada = OrgApi(client, known["organization_id"], {"Authorization": f"Bearer {known['token']}"})
    known |= await _documents(ada)
    if version >= (0, 2):
        known |= await _watchers(ada)
        known |= await _conversations(ada, provider, known)
        known |= await _project(ada, provider)
    return known


# --- people ----------------------------------------------------------------------------------------------------------


async def _accounts(client: httpx2.AsyncClient) -> Json:
    """Make two organisations: one with two members, and one with somebody who must see nothing of the first."""
    root = await _account_token(client, ADMIN_EMAIL, ADMIN_PASSWORD)
    people = {
        email: (await _post(client, root, "/users", email=email, name=email[:3], password=PASSWORD))["id"]
        for email in (ADA, BOB, EVE)
    }
    organizations = {}
    for name, roles in (("Acme", {ADA: "admin", BOB: "user"}), ("Elsewhere", {EVE: "admin"})):
        made = await _post(
            client, root, "/organizations", name=name, type="team", default_prompt_enabled=False
        )
        members = [{"user_id": people[email], "role": role} for email, role in roles.items()]
        answer = await client.put(
            f"/v0/account/organizations/{made['id']}", headers=root, json={"members": members}
        )
        assert answer.status_code == 200, answer.text
        organizations[name] = made["id"]
    of_root = OrgApi(client, organizations["Acme"], root)
    await of_root.post("/payments/credits/add", {"amount": 50})
    tokens = {}
    for email, name in ((ADA, "Acme"), (EVE, "Elsewhere")):
        api = OrgApi(client, organizations[name], await _account_token(client, email, PASSWORD))
        tokens[email] = (await api.post("/access_tokens", {"name": "story", "lifetime": 0}))["token"]
    return {
        "organization_id": organizations["Acme"],
        "token": tokens[ADA],
        "other_organization_id": organizations["Elsewhere"],
        "other_token": tokens[EVE],
    }


async def _account_token(client: httpx2.AsyncClient, email: str, password: str) -> dict[str, str]:
    answer = await client.post("/v0/account/auth/login", json={"email": email, "password": password})
    assert answer.status_code == 200, answer.text
    session = {"Authorization": f"Bearer {answer.json()['token']}"}
    made = await _post(client, session, "/access_tokens", name="story", lifetime=0)
    return {"Authorization": f"Bearer {made['token']}"}


async def _post(client: httpx2.AsyncClient, headers: dict[str, str], path: str, **body: Any) -> Json:
    answer = await client.post(f"/v0/account{path}", headers=headers, json=body)
    assert answer.status_code == 200, answer.text
    made: Json = answer.json()
    return made


# --- documents and what is read from them ----------------------------------------------------------------------------


async def _documents(ada: OrgApi) -> Json:
    tag = await ada.post("/tags", {"name": "invoices", "color": "#2266aa", "description": "To be paid"})
    schema = await ada.post("/schemas", {"name": "Invoice", "response_format": FIRST_FORMAT})
    schema = await ada.put(f"/schemas/{schema['schema_id']}", {"response_format": SECOND_FORMAT})
    prompt = {"name": "Invoice fields", "content": "Read the invoice.", "model": BUILT_IN}
    made = await ada.post("/prompts", prompt)
    linked = {"schema_id": schema["schema_id"], "schema_version": schema["schema_version"]}
    made = await ada.put(f"/prompts/{made['prompt_id']}", {**prompt, **linked, "tag_ids": [tag["id"]]})
    documents = {
        name: await _uploaded(ada, name, tag_ids)
        for name, tag_ids in ((INVOICE, [tag["id"]]), (AGREEMENT, []))
    }
    invoice = documents[INVOICE]
    revision = {"prompt_revid": made["prompt_revid"]}
    ran = await ada.call("POST", f"/llm/run/{invoice}", params=revision)
    assert ran.status_code == 200, ran.text
    edit = {"path": "invoice_number", "value": EDITED_NUMBER}
    edited = await ada.call("PATCH", f"/llm/result/{invoice}", params=revision, json=edit)
    assert edited.status_code == 200, edited.text
    form = await ada.post(
        "/forms",
        {
            "name": "Payment",
            "tag_ids": [tag["id"]],
            "response_format": {"json_formio": [{"type": "textfield", "key": "paid_by"}]},
        },
    )
    filled = {"form_revid": form["form_revid"], "submission_data": {"paid_by": "Ada"}}
    await ada.post(f"/forms/submissions/{invoice}", filled)
    return {
        "tag_id": tag["id"],
        "schema_id": schema["schema_id"],
        "schema_revid": schema["schema_revid"],
        "prompt_revid": made["prompt_revid"],
        "form_revid": form["form_revid"],
        "document_id": invoice,
    }


async def _uploaded(ada: OrgApi, name: str, tag_ids: list[str]) -> str:
    """Upload a document, and wait until it is read and, if it has tags, its prompts have run."""
    content = base64_of((SAMPLES / name).read_bytes())
    document = {"name": name, "content": content, "tag_ids": tag_ids, "metadata": {"case": "A-1"}}
    made = await ada.post("/documents", {"documents": [document]})
    document_id: str = made["documents"][0]["document_id"]
    last = "llm_completed" if tag_ids else "ocr_completed"
    async with asyncio.timeout(SECONDS):
        while True:
            shown = await ada.get(f"/documents/{document_id}", include_content="false")
            if shown["state"] == last:
                return document_id
            assert not shown["state"].endswith("failed"), shown
            await asyncio.sleep(0.1)


# --- the agent -------------------------------------------------------------------------------------------------------


async def _watchers(ada: OrgApi) -> Json:
    hook = await ada.post("/webhooks", {"url": "https://hooks.example/story", "active": False})
    rule = await ada.post("/agent/rules", {"tool": "delete_tag", "effect": "deny", "scope": "everyone"})
    return {"webhook_id": hook["id"], "rule_id": rule["id"]}


async def _conversations(ada: OrgApi, provider: ScriptedProvider, known: Json) -> Json:
    path = f"/documents/{known['document_id']}/chat"
    finished = {}
    thread_id = await _thread(ada, path)
    for strategy in STRATEGIES:
        turn = await _say(ada, path, HOW_LONG, model=BUILT_IN, loop_strategy=strategy, thread_id=thread_id)
        turn_id = finished[strategy] = turn["turn"]
        if turn["state"] == "awaiting_approval":
            await approve_plan(ada, turn_id)
        await ended(ada, turn_id)
    plans = await _say(ada, path, HOW_LONG, model=BUILT_IN, loop_strategy="plan-and-execute")
    assert plans["state"] == "awaiting_approval", plans

    make_tag = call("tag", "create_tag", name="paid", color="#00aa00")
    asked = await _say(ada, path, "Make a tag paid", provider=provider, replies=[calls(make_tag)])
    provider.add("There is a tag now.")
    changed = await ada.post(f"{path}/approve", decision(asked, yes("tag", always_allow="document")))
    assert changed["state"] == "completed", changed

    batch = [
        call("new_schema", "create_schema", name="Agreement", response_format=format_with("party")),
        call("old_schema", "update_schema", schema_id=known["schema_id"], response_format=THIRD_FORMAT),
        call("new_name", "update_document", document_name="renamed.pdf"),
    ]
    waits = await _say(
        ada, path, "Prepare all of it", provider=provider, replies=[say("It needs two schemas.", *batch)]
    )
    rejected = [
        call("unwanted", "create_tag", name="unwanted"),
        call("alike", "update_document", document_name="x"),
    ]
    waits_too = await _say(ada, path, "Make a tag unwanted", provider=provider, replies=[calls(*rejected)])
    question = call("question", "request_input", question=QUESTION)
    asks = await _say(ada, path, "Write the month", provider=provider, replies=[calls(question)])
    assert (waits["state"], waits_too["state"]) == ("awaiting_approval", "awaiting_approval")
    assert asks["state"] == "awaiting_input", asks
    return {
        "finished": finished,
        "planning_turn_id": plans["turn_id"],
        "changed_turn_id": changed["turn"],
        "changed_thread_id": changed["thread_id"],
        "waiting_turn_id": waits["turn_id"],
        "unwanted_turn_id": waits_too["turn_id"],
        "asking_turn_id": asks["turn_id"],
    }


async def approve_plan(ada: OrgApi, turn_id: str) -> None:
    answer = await ada.call("POST", f"/turns/{turn_id}/plan", json={"approved": True})
    assert answer.status_code == 202, answer.text


async def ended(ada: OrgApi, turn_id: str) -> None:
    async with asyncio.timeout(SECONDS):
        while (turn := await ada.get(f"/turns/{turn_id}"))["state"] != "completed":
            assert turn["state"] == "running", turn
            await asyncio.sleep(0.05)


async def _project(ada: OrgApi, provider: ScriptedProvider) -> Json:
    """Make a document in three versions, the last one by the agent, and two changes that wait for approval."""
    project = await ada.post(
        "/projects", {"name": "Launch", "description": "A house", "standing_instruction": "Short sentences."}
    )
    path = f"/projects/{project['id']}"
    plan = await ada.post(f"{path}/documents", {"name": "Plan", "content": PLAN, "reason": "the first"})
    await ada.put(f"{path}/documents/{plan['id']}", {"content": PLAN_BY_HAND, "base_version": 1})
    notes = await ada.post(f"{path}/documents", {"name": "Notes", "content": NOTES})

    edit = _edit("Plan", "in May", "in June")
    asked = await _say(ada, f"{path}/chat", "We begin in June", provider=provider, replies=[calls(edit)])
    provider.add("It is June now.")
    changed = await ada.post(f"{path}/chat/approve", decision(asked, yes("edit")))
    assert changed["state"] == "completed", changed

    waiting = {}
    for name, find, replace in (
        ("Plan", "About 900", "Exactly 950"),
        ("Notes", "Call Ada", "Call Ada and Bob"),
    ):
        turn = await _say(
            ada, f"{path}/chat", "And this", provider=provider, replies=[calls(_edit(name, find, replace))]
        )
        assert turn["state"] == "awaiting_approval", turn
        waiting[name] = turn["turn_id"]
    return {
        "project_id": project["id"],
        "plan_id": plan["id"],
        "notes_id": notes["id"],
        "plan_changed_turn_id": changed["turn"],
        "plan_waiting_turn_id": waiting["Plan"],
        "notes_waiting_turn_id": waiting["Notes"],
    }


def _edit(document: str, find: str, replace: str) -> ToolCall:
    return call(
        "edit", "edit_project_document", document=document, edits=[{"find": find, "replace": replace}]
    )


async def _say(
    ada: OrgApi,
    path: str,
    text: str,
    *,
    provider: ScriptedProvider | None = None,
    replies: list[Any] | None = None,
    **options: Any,
) -> Json:
    """Send a message to the agent, in a new thread unless one is given."""
    if "thread_id" not in options:
        options["thread_id"] = await _thread(ada, path)
    if provider is not None:
        provider.add(*(replies or ()))
        options["model"] = MODEL
    body = {"messages": [{"role": "user", "content": text}], **options}
    answer: Json = await ada.post(path, body)
    return answer


async def _thread(ada: OrgApi, path: str) -> str:
    thread_id: str = (await ada.post(f"{path}/threads", {}))["thread_id"]
    return thread_id
