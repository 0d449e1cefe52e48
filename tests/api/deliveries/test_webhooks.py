"""Webhooks: set by administrators, told of what happened, signed, tried again, listed."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
import sqlalchemy as sa
from aiohttp import web

from docagent.domain.accounts.accounts import Membership, Role
from docagent.domain.clock import now
from docagent.domain.deliveries.notices import DocumentDeleted
from docagent.domain.deliveries.webhooks import EVENT_NAMES, signature
from docagent.domain.ids import new_id
from docagent.domain.jobs import JobKind
from docagent.services.deliveries.webhooks import MOST_WEBHOOKS, NOT_CALLED
from docagent.store.tables import jobs, webhooks
from tests.conftest import make_settings, running_product
from tests.rules.sources import ROOT
from tests.support.accounts import new_person
from tests.support.made.documents import base64_of, pdf
from tests.support.org_api import OrgApi
from tests.support.polling import until
from tests.support.product import Product
from tests.support.services.databases import Databases
from tests.support.services.loopback import HERE, Server, serving

PAGE = (ROOT / "docs" / "webhooks.md").read_text()
TEXT = "The secret sum is 4711"

Json = dict[str, Any]


@pytest.fixture(scope="module", params=["postgresql"])
async def open_product(
    request: pytest.FixtureRequest, databases: Databases, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Product]:
    """A product whose administrator listed this machine."""
    url = await databases.new(request.param)
    settings = make_settings(tmp_path_factory.mktemp("data"), url, egress={"allow_private": [HERE]})
    async with running_product(settings) as running:
        yield running


@pytest.fixture
async def hooked(open_product: Product) -> OrgApi:
    """The API as the administrator of a new organisation calls it."""
    tenant = await open_product.new_tenant()
    return OrgApi(open_product.client, tenant.organization_id, tenant.headers)


@pytest.fixture
async def receiver() -> AsyncIterator[Server]:
    async with serving() as server:
        yield server


async def add(api: OrgApi, server: Server, *events: str, **more: Any) -> Json:
    made: Json = await api.post("/webhooks", {"url": server.url("/hook?a=b"), "events": list(events), **more})
    return made


async def deliveries(api: OrgApi, webhook_id: str) -> list[Json]:
    found: list[Json] = (await api.get(f"/webhooks/{webhook_id}/deliveries", limit=100))["deliveries"]
    return found


async def upload(api: OrgApi, content: bytes = b"", name: str = "a.pdf") -> str:
    document = {"name": name, "content": base64_of(content or pdf([TEXT]))}
    document_id: str = (await api.post("/documents", {"documents": [document]}))["documents"][0][
        "document_id"
    ]
    return document_id


def snippet() -> Callable[..., bool]:
    """The function on the page, as a reader would copy it."""
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    found: dict[str, Any] = {}
    exec(compile(code, "docs/webhooks.md", "exec"), found)
    function: Callable[..., bool] = found["is_genuine"]
    return function


# --- setting them -------------------------------------------------------------------------------------------------


async def test_a_webhook_is_made_changed_and_deleted(
    open_product: Product, hooked: OrgApi, receiver: Server
) -> None:
    made = await add(hooked, receiver, "turn_ended", "turn_ended", "document_read")
    secret = made.pop("secret")
    assert secret.startswith("whsec_")
    assert len(secret) > 40
    assert made.pop("generated_secret") == secret
    made |= {"secret": None, "generated_secret": None}
    assert made["events"] == ["turn_ended", "document_read"]
    assert (await hooked.get("/webhooks"))["webhooks"] == [made]
    assert await hooked.get(f"/webhooks/{made['id']}") == made
    async with open_product.services.db.read_org(hooked.organization_id) as tx:
        (stored,) = await tx.rows(sa.select(webhooks))
    assert secret not in str(stored)

    path = f"/webhooks/{made['id']}"
    changed = await hooked.put(path, {"active": False})
    assert (changed["active"], changed["url"], changed["secret"]) == (False, made["url"], None)
    assert changed["events"] == made["events"]
    changed = await hooked.put(path, {"url": receiver.url("/other"), "events": []})
    assert (changed["active"], changed["url"], changed["events"]) == (False, receiver.url("/other"), [])
    renewed = await hooked.put(path, {"new_secret": True})
    assert renewed["secret"].startswith("whsec_")
    assert renewed["secret"] != secret
    await hooked.delete(path)
    assert (await hooked.get("/webhooks"))["webhooks"] == []
    await hooked.refused(404, "DELETE", path)
    await hooked.refused(404, "GET", f"{path}/deliveries")
    await hooked.refused(404, "PUT", f"/webhooks/{new_id()}", {})
    await hooked.refused(404, "POST", "/webhooks/nonsense/test")


async def test_only_administrators_see_and_set_them(
    open_product: Product, hooked: OrgApi, receiver: Server
) -> None:
    made = await add(hooked, receiver)
    webhook_id = made["id"]
    person = await new_person(open_product)
    members = [Membership(made["created_by"], Role.ADMIN), Membership(person.id, Role.USER)]
    await open_product.services.organizations.update(
        open_product.admin,
        hooked.organization_id,
        name=None,
        type=None,
        members=members,
        flags={},
        ocr_config=None,
    )
    colleague = OrgApi(open_product.client, hooked.organization_id, person.headers)
    for method, path, body in (
        ("GET", "/webhooks", None),
        ("POST", "/webhooks", {"url": receiver.url()}),
        ("PUT", f"/webhooks/{webhook_id}", {"url": receiver.url("/mine")}),
        ("DELETE", f"/webhooks/{webhook_id}", None),
        ("POST", f"/webhooks/{webhook_id}/test", None),
        ("GET", f"/webhooks/{webhook_id}/deliveries", None),
        ("GET", f"/webhooks/{webhook_id}", None),
        ("GET", "/webhooks/deliveries", None),
        ("GET", f"/webhooks/deliveries/{new_id()}", None),
        ("POST", f"/webhooks/deliveries/{new_id()}/retry", None),
    ):
        assert "administrators" in await colleague.refused(403, method, path, body)
    assert receiver.seen == []


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:8000/",
        "http://[::1]/",
        "http://169.254.169.254/latest/meta-data",
        "http://2130706433/",
        "http://user:password@hooks.example/",
        "http://hooks.example\\@127.0.0.1/",
        "file:///etc/passwd",
        "hooks.example",
    ],
)
async def test_addresses_that_lead_inside_are_refused(api: OrgApi, url: str) -> None:
    await api.refused(400, "POST", "/webhooks", {"url": url})
    webhook = await api.post("/webhooks", {"url": "https://hooks.example/"})
    await api.refused(400, "PUT", f"/webhooks/{webhook['id']}", {"url": url})


async def test_a_name_that_leads_inside_is_refused_when_it_is_called(api: OrgApi) -> None:
    webhook = await api.post("/webhooks", {"url": "http://localhost:9/"})
    outcome = await api.post(f"/webhooks/{webhook['id']}/test", {})
    assert outcome["state"] == "failed"
    assert outcome["error"] == NOT_CALLED


async def test_nobody_learns_which_inner_names_there_are(api: OrgApi) -> None:
    told = []
    for host in ("localhost", f"nothing-{new_id()}.invalid"):
        webhook = await api.post("/webhooks", {"url": f"http://{host}:9/"})
        outcome = await api.post(f"/webhooks/{webhook['id']}/test", {})
        told.append(
            {name: outcome[name] for name in ("state", "attempts", "status", "error", "milliseconds")}
        )
    assert told[0] == told[1]


async def test_an_unknown_event_is_refused(api: OrgApi) -> None:
    for event in ("model_called", "test", "x"):
        await api.refused(422, "POST", "/webhooks", {"url": "https://hooks.example/", "events": [event]})


async def test_an_organisation_has_twenty_at_most(api: OrgApi) -> None:
    for _ in range(20):
        await api.post("/webhooks", {"url": "https://hooks.example/"})
    await api.refused(409, "POST", "/webhooks", {"url": "https://hooks.example/"})


def test_every_event_is_on_the_page_and_in_the_api() -> None:
    named = re.findall(r"^\| `([a-z_.]+)` \|", PAGE.partition("## Events")[2], re.MULTILINE)
    assert sorted(named) == sorted(EVENT_NAMES)
    description = json.loads((ROOT / "docs" / "openapi.json").read_text())
    wanted = description["components"]["schemas"]["NewWebhookIn"]["properties"]["events"]["anyOf"]
    assert sorted(wanted[0]["items"]["enum"]) == sorted(EVENT_NAMES)


# --- being told ---------------------------------------------------------------------------------------------------


async def test_the_life_of_a_document_is_told_and_signed(
    open_product: Product, hooked: OrgApi, receiver: Server
) -> None:
    made = await add(hooked, receiver)
    document_id = await upload(hooked)
    await receiver.until(2)
    answer = await hooked.call("POST", f"/llm/run/{document_id}", params={"prompt_revid": "default"})
    assert answer.status_code == 200, answer.text
    await hooked.delete(f"/documents/{document_id}")
    await receiver.until(4)

    told = {json.loads(body)["event"]: json.loads(body) for body in receiver.bodies}
    assert set(told) == {
        "document_uploaded",
        "document_read",
        "extraction_completed",
        "document_deleted",
    }
    for request, body in zip(receiver.seen, receiver.bodies, strict=True):
        event = json.loads(body)
        assert (request.method, request.path_qs) == ("POST", "/hook?a=b")
        assert request.headers["Content-Type"] == "application/json"
        assert request.headers["X-Docagent-Event"] == event["event"]
        assert request.headers["X-Docagent-Delivery"] == event["id"]
        assert event["organization_id"] == event["data"]["organization_id"] == hooked.organization_id
        assert event["data"]["document_id"] == document_id
        assert "secret sum" not in body.decode()
        headers = {name: request.headers[name] for name in ("X-Docagent-Timestamp", "X-Docagent-Signature")}
        is_genuine = snippet()
        assert is_genuine(made["secret"], headers, body)
        assert not is_genuine(made["secret"], headers, body + b" ")
        assert not is_genuine("whsec_other", headers, body)
        assert not is_genuine(made["secret"], headers, body, tolerance=-1)
    assert told["document_uploaded"]["data"]["name"] == "a.pdf"
    assert told["document_read"]["data"]["pages"] == 1
    assert told["extraction_completed"]["data"]["prompt_revid"] == "default"
    assert told["document_deleted"]["data"]["user_id"] == made["created_by"]

    async def all_noted() -> bool:
        return {item["state"] for item in await deliveries(hooked, made["id"])} == {"delivered"}

    await until(all_noted)
    listed = await deliveries(hooked, made["id"])
    assert [item["id"] for item in listed] == sorted((event["id"] for event in told.values()), reverse=True)
    assert all(item["status"] == 204 and item["attempts"] == 1 and item["tried_at"] for item in listed)


async def test_failures_are_told(open_product: Product, hooked: OrgApi, receiver: Server) -> None:
    await add(hooked, receiver, "document_read_failed", "extraction_failed")
    broken = await upload(hooked, b"%PDF-1.7 and nothing else")
    await receiver.until(1)
    event = json.loads(receiver.bodies[0])
    assert (event["event"], event["data"]["document_id"]) == ("document_read_failed", broken)
    assert event["data"]["code"] == "damaged"

    document_id, nobodys_prompt = await upload(hooked), new_id()
    services = open_product.services
    async with services.db.write_org(hooked.organization_id) as tx:
        arguments = {"prompt_revids": [nobodys_prompt]}
        job_id = await services.jobs.enqueue(tx, JobKind.EXTRACT, document_id, arguments)
    services.jobs.wake()
    await receiver.until(2)
    event = json.loads(receiver.bodies[1])
    assert event["event"] == "extraction_failed"
    assert event["data"] | {"at": None} == {
        "organization_id": hooked.organization_id,
        "at": None,
        "document_id": document_id,
        "prompt_revid": nobodys_prompt,
        "job_id": job_id,
    }


async def test_only_what_is_wanted_is_sent(hooked: OrgApi, receiver: Server) -> None:
    await add(hooked, receiver, "document_deleted")
    off = await add(hooked, receiver, active=False)
    document_id = await upload(hooked)
    await hooked.delete(f"/documents/{document_id}")
    await receiver.until(1)
    assert [json.loads(body)["event"] for body in receiver.bodies] == ["document_deleted"]
    assert await deliveries(hooked, off["id"]) == []


async def test_a_change_that_is_undone_is_not_told(
    open_product: Product, hooked: OrgApi, receiver: Server
) -> None:
    made = await add(hooked, receiver)
    services = open_product.services

    async def change_of_mind() -> None:
        async with services.db.write_org(hooked.organization_id) as tx:
            await services.bus.announce(
                tx, DocumentDeleted(hooked.organization_id, now(), new_id(), new_id())
            )
            raise RuntimeError

    with pytest.raises(RuntimeError):
        await change_of_mind()
    assert await deliveries(hooked, made["id"]) == []
    async with services.db.read_org(hooked.organization_id) as tx:
        assert await tx.rows(sa.select(jobs).where(jobs.c.kind == JobKind.DELIVER_WEBHOOK)) == []


async def test_a_failed_delivery_is_tried_again_with_the_same_id(
    open_product: Product, hooked: OrgApi
) -> None:
    answers = [500, 200]

    async def recovering(request: web.Request) -> web.Response:
        return web.Response(status=answers.pop(0))

    async with serving(recovering) as server:
        made = await add(hooked, server, "document_uploaded")
        await upload(hooked)

        async def failed_once() -> bool:
            return any(item["attempts"] == 1 for item in await deliveries(hooked, made["id"]))

        await until(failed_once)
        (first,) = await deliveries(hooked, made["id"])
        assert (first["state"], first["status"]) == ("pending", 500)
        assert "answered 500" in first["error"]
        await server.until(2)

        async def delivered() -> bool:
            return any(item["state"] == "delivered" for item in await deliveries(hooked, made["id"]))

        await until(delivered)
    (second,) = await deliveries(hooked, made["id"])
    assert (second["attempts"], second["status"], second["error"]) == (2, 200, None)
    assert server.bodies[0] == server.bodies[1]
    assert server.seen[0].headers["X-Docagent-Delivery"] == server.seen[1].headers["X-Docagent-Delivery"]
    before, after = (int(request.headers["X-Docagent-Timestamp"]) for request in server.seen)
    assert after - before >= 4


async def test_a_redirect_is_not_followed(hooked: OrgApi, receiver: Server) -> None:
    async def elsewhere(request: web.Request) -> web.Response:
        return web.Response(status=307, headers={"Location": receiver.url()})

    async with serving(elsewhere) as server:
        made = await add(hooked, server)
        outcome = await hooked.post(f"/webhooks/{made['id']}/test", {})
    assert (outcome["state"], outcome["status"]) == ("failed", 307)
    assert receiver.seen == []


async def test_a_test_says_at_once_what_came_of_it(hooked: OrgApi, receiver: Server) -> None:
    made = await add(hooked, receiver, "turn_ended", active=False)
    outcome = await hooked.post(f"/webhooks/{made['id']}/test", {})
    assert (outcome["state"], outcome["status"], outcome["attempts"]) == ("delivered", 204, 1)
    assert receiver.seen[0].headers["X-Docagent-Event"] == "test"
    assert await deliveries(hooked, made["id"]) == [outcome]
    gone = await hooked.put(f"/webhooks/{made['id']}", {"url": "http://127.0.0.1:9/"})
    outcome = await hooked.post(f"/webhooks/{gone['id']}/test", {})
    assert (outcome["state"], outcome["status"]) == ("failed", None)
    assert "did not answer" in outcome["error"]


# --- as DocRouter's clients know them -----------------------------------------------------------------------------


async def test_a_webhook_in_docrouters_shape(hooked: OrgApi, receiver: Server) -> None:
    body = {
        "name": "CRM",
        "enabled": False,
        "url": receiver.url("/hook"),
        "events": ["llm.completed", "webhook.test"],
        "auth_type": "header",
        "auth_header_name": "X-Api-Key",
        "auth_header_value": "s3cret",
        "secret": "",
    }
    answer = await hooked.call("POST", "/webhooks", json=body)
    assert answer.status_code == 201, answer.text
    made = answer.json()
    assert answer.headers["location"] == f"/v0/orgs/{hooked.organization_id}/webhooks/{made['id']}"
    kept = ("name", "enabled", "url", "events", "auth_type", "auth_header_name")
    assert {name: made[name] for name in kept} == {name: body[name] for name in kept}
    assert (made["active"], made["secret_set"], made["auth_header_set"]) == (False, True, True)
    assert made["generated_secret"].startswith("whsec_")
    path = f"/webhooks/{made['id']}"
    assert await hooked.get(path) == made | {"secret": None, "generated_secret": None}

    changed = await hooked.put(path, {"enabled": True, "name": None, "secret": "one of my own"})
    assert (changed["active"], changed["name"], changed["generated_secret"]) == (True, None, None)
    assert (changed["auth_type"], changed["auth_header_name"]) == ("header", "X-Api-Key")
    renewed = await hooked.put(path, {"secret": ""})
    assert renewed["generated_secret"] == renewed["secret"] != made["secret"]
    await hooked.post(f"{path}/test", {})
    assert receiver.seen[0].headers["X-Api-Key"] == "s3cret"
    without = await hooked.put(path, {"auth_type": "hmac"})
    assert (without["auth_header_name"], without["auth_header_set"]) == (None, False)
    await hooked.post(f"{path}/test", {})
    assert "X-Api-Key" not in receiver.seen[1].headers


@pytest.mark.parametrize(
    ("header", "status"),
    [
        ({"auth_type": "header"}, 400),
        ({"auth_type": "header", "auth_header_name": "X-Key"}, 400),
        ({"auth_type": "header", "auth_header_name": "Host", "auth_header_value": "inner"}, 400),
        ({"auth_type": "header", "auth_header_name": "X-DocRouter-Signature", "auth_header_value": "x"}, 400),
        ({"auth_header_name": "X Key", "auth_header_value": "x"}, 422),
        ({"auth_header_name": "X-Key", "auth_header_value": "x\r\nHost: inner"}, 422),
        ({"auth_type": "basic"}, 422),
    ],
)
async def test_a_header_that_cannot_be_sent_is_refused(api: OrgApi, header: Json, status: int) -> None:
    await api.refused(status, "POST", "/webhooks", {"url": "https://hooks.example/", **header})
    webhook = await api.post("/webhooks", {"url": "https://hooks.example/"})
    await api.refused(status, "PUT", f"/webhooks/{webhook['id']}", header)


async def test_docrouters_events_come_in_its_shape(hooked: OrgApi, receiver: Server) -> None:
    wanted = ["document.uploaded", "document.error", "llm.completed", "webhook.test"]
    made = await add(hooked, receiver, *wanted, secret="one of my own")
    tag = await hooked.post("/tags", {"name": f"tag {new_id()}"})
    document = {"name": "a.pdf", "content": base64_of(pdf([TEXT])), "tag_ids": [tag["id"]]}
    uploaded = await hooked.post("/documents", {"documents": [document | {"metadata": {"k": "v"}}]})
    document_id = uploaded["documents"][0]["document_id"]
    await receiver.until(1)

    async def is_read() -> bool:
        found = await hooked.get(f"/documents/{document_id}", include_content=False)
        return bool(found["state"] == "ocr_completed")

    await until(is_read)
    run = await hooked.call("POST", f"/llm/run/{document_id}", params={"prompt_revid": "default"})
    await receiver.until(2)
    broken = await upload(hooked, b"%PDF-1.7 and nothing else")
    await receiver.until(4)
    await hooked.post(f"/webhooks/{made['id']}/test", {})

    told: dict[tuple[str, str | None], Json] = {}
    for request, body in zip(receiver.seen, receiver.bodies, strict=True):
        event = json.loads(body)
        told[event["event_type"], event.get("document", {}).get("document_id")] = event
        assert event["organization_id"] == hooked.organization_id
        assert isinstance(event["timestamp"], int)
        assert request.headers["X-DocRouter-Event"] == event["event_type"]
        assert request.headers["X-DocRouter-Event-Id"] == event["event_id"]
        signed = signature("one of my own", request.headers["X-DocRouter-Timestamp"], body)
        assert request.headers["X-DocRouter-Signature"] == signed
    assert told["document.uploaded", document_id]["document"] == {
        "document_id": document_id,
        "document_name": "a.pdf",
        "tag_ids": [tag["id"]],
        "metadata": {"k": "v"},
    }
    completed = told["llm.completed", document_id]
    assert completed["prompt"] == {"prompt_revid": "default", "prompt_id": "default", "prompt_version": 1}
    assert completed["llm_output"] == run.json()["result"]
    assert told["document.error", broken]["error"]["stage"] == "ocr"
    assert told["document.error", broken]["error"]["message"]
    assert ("webhook.test", None) in told
    assert ("document.uploaded", broken) in told
    assert len(told) == 5


async def test_deliveries_of_all_webhooks_with_detail_and_retry(hooked: OrgApi, receiver: Server) -> None:
    made = await add(hooked, receiver, "document.uploaded")
    other = await add(hooked, receiver, "document_uploaded")
    document_id = await upload(hooked)

    async def all_sent() -> bool:
        found = await hooked.get("/webhooks/deliveries", status="delivered")
        return bool(found["total_count"] == 2)

    await until(all_sent)
    listed = await hooked.get("/webhooks/deliveries")
    assert (listed["total_count"], listed["skip"]) == (2, 0)
    assert {item["document_id"] for item in listed["deliveries"]} == {document_id}
    assert (await hooked.get("/webhooks/deliveries", status="failed"))["deliveries"] == []
    assert (await hooked.get("/webhooks/deliveries", status="odd"))["deliveries"] == []
    assert (await hooked.get("/webhooks/deliveries", limit=1, skip=1))["total_count"] == 2
    (item,) = (await hooked.get("/webhooks/deliveries", event_type="document.uploaded"))["deliveries"]
    assert (item["webhook_id"], item["status"], item["last_http_status"]) == (made["id"], "delivered", 204)
    (second,) = (await hooked.get("/webhooks/deliveries", webhook_id=other["id"]))["deliveries"]
    assert second["event_type"] == "document_uploaded"

    path = f"/webhooks/deliveries/{item['id']}"
    detail = await hooked.get(path)
    assert {name: detail[name] for name in item} == item
    assert detail["payload"] == next(
        body for body in map(json.loads, receiver.bodies) if body.get("event_id") == item["id"]
    )
    assert detail["target_url"] == made["url"]
    assert (detail["auth_type"], detail["last_response_text"], detail["failed_at"]) == ("hmac", None, None)
    assert detail["delivered_at"]
    assert made["secret"] not in json.dumps(detail)

    assert await hooked.post(f"{path}/retry", {}) == {"status": "enqueued", "delivery_id": item["id"]}
    await receiver.until(3)
    assert receiver.seen[2].headers["X-DocRouter-Event-Id"] == item["id"]
    await until(all_sent)
    await hooked.put(f"/webhooks/{made['id']}", {"enabled": False})
    assert "switched off" in await hooked.refused(409, "POST", f"{path}/retry", {})
    for unknown in (new_id(), "zz"):
        await hooked.refused(404, "GET", f"/webhooks/deliveries/{unknown}")
        await hooked.refused(404, "POST", f"/webhooks/deliveries/{unknown}/retry", {})
    await hooked.refused(404, "GET", "/webhooks/deliveries", webhook_id=new_id())


async def test_deliveries_of_others_are_not_there(
    open_product: Product, hooked: OrgApi, receiver: Server
) -> None:
    made = await add(hooked, receiver)
    sent = await hooked.post(f"/webhooks/{made['id']}/test", {})
    tenant = await open_product.new_tenant()
    other = OrgApi(open_product.client, tenant.organization_id, tenant.headers)
    assert (await other.get("/webhooks/deliveries"))["deliveries"] == []
    await other.refused(404, "GET", f"/webhooks/deliveries/{sent['id']}")
    await other.refused(404, "POST", f"/webhooks/deliveries/{sent['id']}/retry", {})
    await other.refused(404, "GET", f"/webhooks/{made['id']}")


# --- callbacks ----------------------------------------------------------------------------------------------------


async def test_an_extraction_calls_back_with_its_result_signed(hooked: OrgApi, receiver: Server) -> None:
    schema = {"title": "Sum", "type": "object", "properties": {"sum": {"type": "integer"}}}
    sent = {"schema": schema, "name": "a.pdf", "content": base64_of(pdf(["Sum: 4711"]))}
    answer = await hooked.call("POST", "/extract", json={**sent, "callback_url": receiver.url("/done")})
    assert answer.status_code == 202, answer.text
    asked = answer.json()
    await receiver.until(1)
    assert snippet()(asked["callback_secret"], receiver.seen[0].headers, receiver.bodies[0])
    told = json.loads(receiver.bodies[0])
    assert told["event"] == "extraction"
    assert told["data"]["job_id"] == asked["job_id"]
    assert told["data"]["data"] == {"sum": 4711}
    assert [one["path"] for one in told["data"]["evidence"]] == ["sum"]
    assert (await hooked.get("/webhooks"))["webhooks"] == []

    unreadable = {**sent, "content": base64_of(b"%PDF-1.7 and nothing else"), "callback_secret": "x" * 16}
    answer = await hooked.call("POST", "/extract", json={**unreadable, "callback_url": receiver.url("/done")})
    assert answer.json()["callback_secret"] == "x" * 16
    await receiver.until(2)
    failed = json.loads(receiver.bodies[1])["data"]
    assert failed["error"]
    assert "data" not in failed


async def test_a_callback_is_forgotten_once_it_was_heard_and_is_none_of_the_webhooks(
    open_product: Product, hooked: OrgApi, receiver: Server
) -> None:
    """One that failed stays for a retry. Neither counts when an organisation has as many webhooks as it may."""
    for number in range(MOST_WEBHOOKS):
        await add(hooked, receiver, "document_deleted", url=receiver.url(f"/{number}"))
    sent = {"schema": {"properties": {"sum": {"type": "integer"}}}, "name": "a.pdf"}
    sent |= {"content": base64_of(pdf(["Sum: 4711"])), "callback_url": receiver.url("/done")}
    assert (await hooked.call("POST", "/extract", json=sent)).status_code == 202
    await receiver.until(1)

    async def callbacks() -> int:
        async with open_product.services.db.read_org(hooked.organization_id) as tx:
            counted = sa.select(sa.func.count()).where(webhooks.c.is_callback.is_(True))
            return int(await tx.scalar(counted))

    async def is_forgotten() -> bool:
        return await callbacks() == 0

    await until(is_forgotten)
    assert len((await hooked.get("/webhooks"))["webhooks"]) == MOST_WEBHOOKS
    assert (await hooked.get("/webhooks/deliveries"))["total_count"] == 0


async def test_a_callback_does_not_reach_into_the_network(product: Product) -> None:
    tenant = await product.new_tenant()
    api = OrgApi(product.client, tenant.organization_id, tenant.headers)
    sent = {"schema": {"properties": {}}, "name": "a.pdf", "content": base64_of(pdf([TEXT]))}
    await api.refused(400, "POST", "/extract", {**sent, "callback_url": "http://127.0.0.1/x"})
