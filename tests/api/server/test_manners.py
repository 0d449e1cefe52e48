"""How the API behaves whatever it is asked: errors, limits, headers, and nothing that falls over."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import AsyncGenerator, AsyncIterator, Iterable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx2
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from docagent import __version__
from docagent.api.app import create_app
from docagent.api.server.bodies import BodyLimit
from docagent.domain.errors import Unavailable
from docagent.store.engine.database import open_database
from tests.support.accounts import Person, browser, new_person
from tests.support.made.household import Household, furnish
from tests.support.operations import Operation, Request, Slot, operations, org_operations, request_for, slots
from tests.support.product import Product, Tenant
from tests.support.services.databases import on_each_database
from tests.support.tables import table

ODD_IDS = [
    "zz",
    "\x00",
    "x" * 3000,
    "ü図\U0001f600",
    "..",
    "../../etc/passwd",
    "%",
    " ",
    "default",
    "0" * 24,
    "A" * 24,
]
REFUSALS = {400, 401, 403, 404, 405, 422}
MEANS_SOMETHING = {("prompt_id", "default"), ("part", "0" * 24)}
"""What looks odd and is none: the default prompt has a sheet, and noughts are a number."""
JSON_OPERATIONS = [operation for operation in operations() if operation.media_type == "application/json"]


def named(operation: Operation) -> str:
    return f"{operation.method} {operation.path}"


def check(answer: httpx2.Response, what: object = "") -> None:
    """An answer of any kind: never a failure of the server, and an error says what is wrong."""
    told = f"{what} was answered {answer.status_code}: {answer.text[:500]}"
    assert answer.status_code < 500, told
    assert re.fullmatch(r"[A-Za-z0-9._-]{8,64}", answer.headers["X-Request-Id"]), told
    if answer.status_code >= 400:
        body = answer.json()
        assert body["detail"], told
        assert body["request_id"] == answer.headers["X-Request-Id"], told


@pytest.fixture(scope="module")
async def home(product: Product) -> Household:
    return await furnish(product, await product.new_tenant())


@pytest.fixture(scope="module")
async def person(product: Product) -> Person:
    return await new_person(product)


@pytest.fixture(scope="module")
async def root(product: Product) -> dict[str, str]:
    return await product.admin_headers()


async def send(product: Product, request: Request, headers: dict[str, str]) -> httpx2.Response:
    return await product.client.request(
        request.method, request.path, params=request.params, headers=headers, **request.options
    )


# --- addresses --------------------------------------------------------------------------------------------------


async def test_both_prefixes_lead_to_the_same_place(client: httpx2.AsyncClient, tenant: Tenant) -> None:
    for path in (f"{tenant.base}/tags", "/v0/account/llm/models", "/health", f"{tenant.base}/tags/zz"):
        plain = await client.get(path, headers=tenant.headers)
        prefixed = await client.get(f"/fastapi{path}", headers=tenant.headers)
        assert prefixed.status_code == plain.status_code
        assert prefixed.json() | {"request_id": ""} == plain.json() | {"request_id": ""}
    made = await client.post(f"/fastapi{tenant.base}/tags", json={"name": "x"}, headers=tenant.headers)
    assert made.status_code == 200


@pytest.mark.parametrize(
    "path",
    ["/nowhere", "/v0", "/v0/", "/v1/orgs", "/fastapi", "/fastapi/", "/v0/account/nowhere", "/assets/nowhere.js",
     "/assets/%00", "/assets/..%2f..%2fapp.py", "/assets/" + "x" * 300, "/fastapi/fastapi/v0/account/llm/models"],
)  # fmt: skip
async def test_an_unknown_address_is_told(client: httpx2.AsyncClient, path: str) -> None:
    answer = await client.get(path)
    assert answer.status_code == 404 if path != "/fastapi/" else answer.status_code in (307, 404), answer.text
    if path != "/fastapi/":
        check(answer)


async def test_an_unknown_method_is_told(client: httpx2.AsyncClient, tenant: Tenant) -> None:
    for method, path in (("PATCH", "/tags"), ("DELETE", "/tags"), ("BREW", "/tags"), ("POST", "/jobs")):
        answer = await client.request(method, tenant.base + path, headers=tenant.headers)
        assert answer.status_code == 405
        check(answer)
        assert "GET" in answer.headers["Allow"] or "POST" in answer.headers["Allow"]


async def test_the_root_leads_to_the_api_page(client: httpx2.AsyncClient) -> None:
    answer = await client.get("/")
    assert (answer.status_code, answer.headers["location"]) == (307, "/docs")
    page = await client.get("/docs")
    assert page.status_code == 200
    policy = page.headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "script-src" not in policy
    assert (await client.get("/openapi.json")).json()["info"]["version"] == __version__


# --- ids --------------------------------------------------------------------------------------------------------


@table("operation", operations())
async def test_odd_ids_are_not_found(
    product: Product, home: Household, root: dict[str, str], operation: Operation
) -> None:
    in_path = [Slot("path", name) for name in operation.names_in("path")]
    elsewhere = [slot for slot in slots(operation) if slot.place != "path"]
    headers = home.tenant.headers if operation.is_for_organizations else root
    fillers = home.ids | {"user_id": "0" * 24, "token": "0" * 24}
    for slot in in_path + elsewhere:
        for odd in ODD_IDS:
            if (slot.name, odd) in MEANS_SOMETHING:
                continue
            value = quote(odd, safe="").replace(".", "%2E") if slot.place == "path" else odd
            request = request_for(operation, home.tenant.organization_id, fillers, {slot: value})
            answer = await send(product, request, headers)
            check(answer, request)
            if slot.place == "path":
                assert answer.status_code in REFUSALS, f"{request}: {answer.text}"


@table("operation", JSON_OPERATIONS)
async def test_half_a_character_in_a_body_is_refused(
    product: Product, home: Household, root: dict[str, str], operation: Operation
) -> None:
    headers = home.tenant.headers if operation.is_for_organizations else root
    request = request_for(operation, home.tenant.organization_id, home.ids | {"user_id": "0" * 24})
    text = re.sub(r'": "[^"]*"', r'": "\\ud800"', json.dumps(request.options["json"]))
    answer = await product.client.request(
        request.method, request.path, content=text, headers=headers | {"Content-Type": "application/json"}
    )
    check(answer, text)


# --- bodies -----------------------------------------------------------------------------------------------------

BODIES = {
    "nothing": b"",
    "half": b'{"name": ',
    "no text": b"\xff\xfe",
    "null": b"null",
    "a number": b"7",
    "a list": b"[]",
    "text": b'"x"',
    "no number": b'{"name": NaN, "lifetime": Infinity}',
    "a huge number": b'{"name": 1e999, "lifetime": 1e999}',
    "many digits": b'{"lifetime": ' + b"9" * 5000 + b', "name": "x"}',
    "deep lists": b"[" * 10_000 + b"]" * 10_000,
    "deep objects": b'{"a":' * 10_000 + b"1" + b"}" * 10_000,
    "a name twice": b'{"name": "a", "name": 7}',
}


@table("operation", JSON_OPERATIONS)
async def test_bodies_that_make_no_sense_are_told(
    product: Product, home: Household, person: Person, operation: Operation
) -> None:
    headers = home.tenant.headers if operation.is_for_organizations else person.headers
    request = request_for(operation, home.tenant.organization_id, home.ids | {"user_id": person.id})
    for content_type in ("application/json", "text/plain", "application/xml", "multipart/form-data", ""):
        for name, body in BODIES.items():
            if content_type != "application/json" and name not in ("a list", "half"):
                continue
            given_headers = headers | ({"Content-Type": content_type} if content_type else {})
            answer = await product.client.request(
                request.method, request.path, content=body, headers=given_headers
            )
            check(answer, f"{name} as {content_type} to {named(operation)}")


async def test_a_form_that_makes_no_sense_is_told(product: Product, home: Household) -> None:
    path = f"{home.tenant.base}/documents/multipart"
    boundary = "multipart/form-data; boundary=x"
    for content_type, body in (
        ("application/json", b"{}"),
        ("multipart/form-data", b"--x\r\n"),
        (boundary, b""),
        (boundary, b"--x\r\nContent-Disposition: form-data\r\n\r\n\r\n--x--"),
        (boundary, b"--x\r\n" + b"A" * 100_000),
        (boundary, b"no form"),
        ("application/x-www-form-urlencoded", b"file=x"),
    ):
        headers = home.tenant.headers | {"Content-Type": content_type}
        answer = await product.client.post(path, content=body, headers=headers)
        assert answer.status_code in (400, 422), answer.text
        check(answer)


async def endless(size: int) -> AsyncIterator[bytes]:
    for _ in range(size):
        yield b"x" * 1024 * 1024


async def test_a_body_over_the_limit_is_refused(client: httpx2.AsyncClient, tenant: Tenant) -> None:
    path = f"{tenant.base}/tags"
    headers = tenant.headers | {"Content-Type": "application/json"}
    announced = await client.post(path, content=b"x" * (8 * 1024 * 1024 + 1), headers=headers)
    unannounced = await client.post(path, content=endless(9), headers=headers)
    claimed = await client.post(path, content=b"x", headers=headers | {"Content-Length": "9" * 5000})
    for answer in (announced, unannounced, claimed):
        assert answer.status_code == 413
        assert "8 MB" in answer.json()["detail"]
        check(answer)
    allowed = await client.post(path, content=b"x" * (8 * 1024 * 1024), headers=headers)
    assert allowed.status_code == 422


async def test_a_length_that_is_no_number_is_passed_on(product: Product) -> None:
    async def application(scope: Any, receive: Any, send: Any) -> None:
        seen.append(await receive())

    seen: list[Any] = []
    limit = BodyLimit(application, usual=1, uploads=1)
    for length in (b"\xb2", b"-1", b"x", b""):
        scope = {"type": "http", "method": "POST", "path": "/", "headers": [(b"content-length", length)]}
        await limit(scope, _one_message, _nowhere)
    assert seen == [{"type": "http.request", "body": b""}] * 4


async def _one_message() -> dict[str, Any]:
    return {"type": "http.request", "body": b""}


async def _nowhere(message: Any) -> None:
    raise AssertionError(message)


# --- parameters -------------------------------------------------------------------------------------------------


@table("yes", ["true", "True", "TRUE", "1", "yes", "YES", "on", "t", "y"])
async def test_yes_in_every_spelling(product: Product, home: Household, yes: str) -> None:
    assert (await content(product, home, yes)) is not None


@table("no", ["false", "False", "FALSE", "0", "no", "No", "off", "f", "n"])
async def test_no_in_every_spelling(product: Product, home: Household, no: str) -> None:
    assert (await content(product, home, no)) is None


async def content(product: Product, home: Household, include: str) -> str | None:
    answer = await product.client.get(
        f"{home.tenant.base}/documents/{home.ids['document_id']}",
        params={"include_content": include},
        headers=home.tenant.headers,
    )
    assert answer.status_code == 200, answer.text
    found: str | None = answer.json()["content"]
    return found


async def test_neither_yes_nor_no_is_told(product: Product, home: Household) -> None:
    answer = await product.client.get(
        f"{home.tenant.base}/documents/{home.ids['document_id']}",
        params={"include_content": "maybe"},
        headers=home.tenant.headers,
    )
    assert answer.status_code == 422
    assert answer.json()["detail"][0]["loc"] == ["query", "include_content"]


ODD_VALUES = [
    *(
        "",
        "\x00",
        "-1",
        "0",
        "9" * 30,
        "1e9",
        "x" * 5000,
        "null",
        "\U0001f600",
        "%",
        "\\",
        "'; DROP TABLE users",
    ),
    *("[]", "{}", "[" * 3000, "a=b,c=d", "a=%00", '[{"field":"name","sort":"asc"}]'),
    '{"items":[{"field":"created_at","operator":"after","value":"9999-12-31"}]}',
    '{"items":[{"field":"upload_date","operator":"is","value":"0001-01-01T00:00+14:00"}]}',
]


@on_each_database
@table("operation", [item for item in operations() if item.names_in("query")])
async def test_odd_parameters_are_told(
    product: Product, home: Household, root: dict[str, str], operation: Operation
) -> None:
    headers = home.tenant.headers if operation.is_for_organizations else root
    for name in operation.names_in("query"):
        for odd in ODD_VALUES:
            request = request_for(operation, home.tenant.organization_id, home.ids)
            request.params[name] = odd
            check(await send(product, request, headers), request)


# --- request ids and headers ------------------------------------------------------------------------------------


async def test_every_answer_has_an_id_of_its_own(client: httpx2.AsyncClient, tenant: Tenant) -> None:
    ids = set()
    for path in ("/health", "/nowhere", f"{tenant.base}/tags", "/docs", "/assets/api-page.css"):
        answer = await client.get(path)
        ids.add(answer.headers["X-Request-Id"])
    assert len(ids) == 5


async def test_a_sane_id_of_the_caller_is_kept(client: httpx2.AsyncClient) -> None:
    kept = await client.get("/nowhere", headers={"X-Request-Id": "trace-12345.abc_D"})
    assert kept.headers["X-Request-Id"] == kept.json()["request_id"] == "trace-12345.abc_D"
    for odd in ("short", "x" * 65, "white space", "<script>1</script>", "a;b=cdefgh", ""):
        answer = await client.get("/nowhere", headers={"X-Request-Id": odd})
        assert answer.headers["X-Request-Id"] != odd
        check(answer)


async def test_every_answer_has_the_headers_that_browsers_heed(
    client: httpx2.AsyncClient, tenant: Tenant
) -> None:
    for path in ("/health", "/nowhere", f"{tenant.base}/tags", "/docs"):
        headers = (await client.get(path)).headers
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "same-origin"
        assert headers["X-Frame-Options"] == "SAMEORIGIN"


# --- times ------------------------------------------------------------------------------------------------------

MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?([A-Z+-][\d:]*)?")


@pytest.mark.parametrize(
    ("path", "to"),
    [
        ("/v0/account/organizations/?skip=1", "/v0/account/organizations?skip=1"),
        ("/fastapi/v0/account/organizations/", "/v0/account/organizations"),
        ("/login/?once=x", "/login?once=x"),
        ("/", "/docs"),
    ],
)
async def test_a_redirect_does_not_lead_to_the_host_that_the_request_names(
    client: httpx2.AsyncClient, path: str, to: str
) -> None:
    answer = await client.get(path, headers={"Host": "evil.example"})
    assert (answer.status_code, answer.headers["Location"]) == (307, to)
    answer = await client.get(f"//evil.example{path}", headers={"Host": "evil.example"})
    assert "evil" not in answer.headers.get("Location", "")


async def test_nobody_stores_what_belongs_to_an_organisation(
    client: httpx2.AsyncClient, home: Household, tenant: Tenant
) -> None:
    base = home.tenant.base
    document = f"{base}/documents/{home.ids['document_id']}"
    for path in (
        document,
        f"{document}/file",
        f"/fastapi{base}/tags",
        f"{base}/ocr/download/json/{home.ids['document_id']}",
        f"{base}/ocr/export/html/{home.ids['document_id']}",
        f"{base}/turns/{home.ids['project_turn_id']}/events",
        "/v0/account/organizations",
    ):
        answer = await client.get(path, headers=home.tenant.account_headers)
        assert (answer.status_code, answer.headers["Cache-Control"]) == (200, "no-store"), path
        refused = await client.get(path)
        assert (refused.status_code, refused.headers["Cache-Control"]) == (401, "no-store"), path


@on_each_database
async def test_every_time_says_its_zone(product: Product, root: dict[str, str]) -> None:
    home = await furnish(product, await product.new_tenant())
    seen = 0
    for operation in operations():
        if operation.method == "DELETE" or "export" in operation.path:
            continue
        headers = home.tenant.headers if operation.is_for_organizations else root
        if not operation.is_for_organizations and operation.method != "GET":
            continue
        ids = home.ids | {"token": "x", "user_id": home.tenant.user_id}
        ids |= {"model": f"docagent/document/{ids['document_id']}", "file_id": ids["document_id"]}
        answer = await send(product, request_for(operation, home.tenant.organization_id, ids), headers)
        if answer.headers.get("content-type") != "application/json":
            continue
        for zone in MOMENT.findall(answer.text):
            assert zone == "Z", f"{named(operation)}: {answer.text[:500]}"
            seen += 1
    assert seen > 20


# --- health -----------------------------------------------------------------------------------------------------


class NoBlobs:
    """A file store that does not answer."""

    async def put(self, key: str, chunks: AsyncIterator[bytes]) -> None:
        await self.check()

    async def put_file(self, key: str, path: Path) -> None:
        await self.check()

    async def open(self, key: str) -> AsyncGenerator[bytes]:
        await self.check()
        yield b""

    async def size(self, key: str) -> int:
        await self.check()
        return 0

    def local_copy(self, key: str) -> AbstractAsyncContextManager[Path]:
        raise Unavailable("The file store does not answer.")

    async def delete(self, keys: Iterable[str]) -> None:
        await self.check()

    async def check(self) -> None:
        raise Unavailable("The file store does not answer.")


@on_each_database
async def test_a_running_server_is_healthy_and_ready(client: httpx2.AsyncClient) -> None:
    assert (await client.get("/health")).json() == {"status": "ok", "version": __version__}
    assert (await client.get("/ready")).json() == {"status": "ready"}


async def test_a_server_without_its_file_store_is_healthy_but_not_ready(product: Product) -> None:
    async with browser(product, blobs=NoBlobs()) as client:
        assert (await client.get("/health")).status_code == 200
        answer = await client.get("/ready")
    assert answer.status_code == 503
    assert answer.json()["detail"] == "The file store does not answer."


async def test_a_server_without_its_database_is_healthy_but_not_ready(product: Product) -> None:
    nowhere = open_database("postgresql://nobody@127.0.0.1:1/none")
    async with browser(product, db=nowhere) as client:
        assert (await client.get("/health")).status_code == 200
        answer = await client.get("/ready")
    assert answer.status_code == 503
    assert "database" in answer.json()["detail"]


class Broken:
    """A service with a mistake in every method."""

    def __getattr__(self, name: str) -> Any:
        raise RuntimeError("the insides of the server")


async def test_a_mistake_of_ours_is_told_without_insides(product: Product, tenant: Tenant) -> None:
    async with browser(product, tags=Broken()) as client:
        answer = await client.get(
            f"{tenant.base}/tags", headers=tenant.headers | {"X-Request-Id": "tell-me-what"}
        )
    assert answer.status_code == 500
    assert answer.headers["content-type"] == "application/json"
    body = answer.json()
    assert body["request_id"] == answer.headers["X-Request-Id"] == "tell-me-what"
    assert "tell-me-what" in body["detail"]
    assert "insides" not in answer.text


async def test_a_wrong_answer_of_ours_is_told_too(product: Product, tenant: Tenant) -> None:
    """The answer itself cannot be made: the framework refuses what the service returned."""

    class Wrong:
        async def list(self, *arguments: Any, **options: Any) -> Any:
            return None

    services = dataclasses.replace(product.services, tags=Wrong())  # type: ignore[arg-type]
    transport = httpx2.ASGITransport(create_app(product.settings, services))
    async with httpx2.AsyncClient(transport=transport, base_url="http://docagent.test") as client:
        answer = await client.get(f"{tenant.base}/tags", headers=tenant.headers)
    assert answer.status_code == 500
    assert answer.json()["request_id"]


# --- chance -----------------------------------------------------------------------------------------------------

TEXTS = st.text(max_size=20) | st.sampled_from(["\x00", "0" * 24, "2026-01-01", "a" * 300])
NUMBERS = st.integers() | st.floats() | st.sampled_from([2**31, 2**63, -(2**63), 10**40])
LEAVES = st.none() | st.booleans() | NUMBERS | TEXTS
NAMES = st.sampled_from(
    ["name", "type", "properties", "items", "json_schema", "schema", "response_format", "tag_ids", "data",
     "documents", "content", "metadata", "field", "operator", "value", "$ref", "enum", "required", "members"]
)  # fmt: skip
ANY_JSON = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES | TEXTS, inner, max_size=5),
    max_leaves=12,
)


def _varied(draw: Any, value: Any) -> Any:
    """The value with some parts replaced by anything at all."""
    if draw(st.integers(0, 3)) == 0:
        return draw(ANY_JSON)
    if isinstance(value, dict):
        return {key: _varied(draw, inner) for key, inner in value.items()}
    return [_varied(draw, inner) for inner in value] if isinstance(value, list) else value


@on_each_database
@settings(
    max_examples=150,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(data=st.data())
async def test_nothing_that_chance_sends_makes_the_server_fail(
    product: Product, home: Household, data: st.DataObject
) -> None:
    operation = data.draw(st.sampled_from(org_operations()))
    request = request_for(operation, home.tenant.organization_id, home.ids)
    for name in operation.names_in("query"):
        if data.draw(st.booleans()):
            request.params[name] = data.draw(TEXTS | st.integers().map(str) | ANY_JSON.map(json.dumps))
    if "json" in request.options:
        body = json.dumps(_varied(data.draw, request.options["json"]))
        request.options = {"content": body}
    headers = home.tenant.headers | {"Content-Type": "application/json"}
    if "files" in request.options:
        headers = home.tenant.headers
        request.options["data"] = {name: data.draw(TEXTS) for name in ("name", "tag_ids", "metadata")}
    check(await send(product, request, headers), request)
