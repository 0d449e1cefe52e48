"""Organisations: making, changing and deleting them, and who may see them."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import httpx2
import pytest
import sqlalchemy as sa

from docagent.domain.accounts.accounts import ORGANIZATIONS_PER_USER
from docagent.domain.documents.documents import original_key
from docagent.domain.ids import new_id
from docagent.domain.ports import BlobMissing
from docagent.store.tables import metadata
from tests.support.accounts import Person, new_person
from tests.support.org_api import OrgApi
from tests.support.product import Product, Tenant

PATH = "/v0/account/organizations"
UNKNOWN = "0123456789abcdef01234567"


class Account:
    """The organisations as one person sees them."""

    def __init__(self, client: httpx2.AsyncClient, headers: dict[str, str]) -> None:
        self._client = client
        self.headers = headers

    async def call(self, method: str, path: str = "", **options: Any) -> httpx2.Response:
        return await self._client.request(method, PATH + path, headers=self.headers, **options)

    async def make(self, name: str | None = None, **fields: Any) -> dict[str, Any]:
        answer = await self.call("POST", json={"name": name or f"Org {new_id()}"} | fields)
        assert answer.status_code == 200, answer.text
        made: dict[str, Any] = answer.json()
        return made

    async def change(self, organization: dict[str, Any], **fields: Any) -> dict[str, Any]:
        answer = await self.call("PUT", f"/{organization['id']}", json=fields)
        assert answer.status_code == 200, answer.text
        changed: dict[str, Any] = answer.json()
        return changed

    async def refused(self, status: int, method: str, path: str = "", **options: Any) -> Any:
        answer = await self.call(method, path, **options)
        assert answer.status_code == status, answer.text
        return answer.json()["detail"]


@pytest.fixture
async def person(product: Product) -> Person:
    return await new_person(product)


@pytest.fixture
def account(client: httpx2.AsyncClient, person: Person) -> Account:
    return Account(client, person.headers)


@pytest.fixture
async def somebody(product: Product) -> Person:
    return await new_person(product, "Somebody")


@pytest.fixture
def somebody_else(client: httpx2.AsyncClient, somebody: Person) -> Account:
    return Account(client, somebody.headers)


@pytest.fixture
async def root(product: Product, client: httpx2.AsyncClient) -> Account:
    return Account(client, await product.admin_headers())


# --- making -----------------------------------------------------------------------------------------------------


async def test_the_maker_is_the_only_admin(account: Account, person: Person) -> None:
    made = await account.make("Zebra " + new_id())
    assert made["members"] == [{"user_id": person.id, "role": "admin"}]
    assert made["type"] == "individual"
    assert made["default_prompt_enabled"] is True
    assert made["experimental_features"] is False
    assert made["flow_log_level"] == "ERROR"
    assert made["ocr_config"] == {
        "mode": "builtin",
        "textract": {"feature_types": []},
        "mistral": {},
        "mistral_vertex": {},
        "pymupdf": {},
        "llm": {"provider": None, "model": None},
    }
    assert made["ocr_catalog"]["textract_feature_types"] == ["FORMS", "LAYOUT", "SIGNATURES", "TABLES"]
    assert made["ocr_catalog"]["modes"][0] == "builtin"
    assert made["created_at"].endswith("Z")
    assert made["updated_at"] == made["created_at"]
    found = (await account.call("GET", params={"organization_id": made["id"]})).json()
    assert found == {"organizations": [made], "total_count": 1, "skip": 0}


async def test_everything_can_be_chosen_at_once(account: Account) -> None:
    made = await account.make(
        type="team",
        default_prompt_enabled=False,
        experimental_features=True,
        flow_log_level="TRACE",
        ocr_config={"mode": "textract", "textract": {"feature_types": ["TABLES"]}},
    )
    assert (made["type"], made["flow_log_level"]) == ("team", "TRACE")
    assert (made["default_prompt_enabled"], made["experimental_features"]) == (False, True)
    assert made["ocr_config"]["mode"] == "textract"
    assert made["ocr_config"]["textract"] == {"feature_types": ["TABLES"]}
    assert made["ocr_config"]["llm"] == {"provider": None, "model": None}


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"name": ""},
        {"name": "x" * 256},
        {"name": "nul\x00"},
        {"name": "x", "type": "guild"},
        {"name": "x", "flow_log_level": "LOUD"},
        {"name": "x", "ocr_config": "none"},
    ],
)
async def test_a_body_that_makes_no_sense_is_told_field_by_field(
    account: Account, body: dict[str, Any]
) -> None:
    detail = await account.refused(422, "POST", json=body)
    assert detail[0]["loc"][0] == "body"


async def test_a_name_is_taken_whatever_its_case(account: Account, somebody_else: Account) -> None:
    name = f"Straße {new_id()}"
    await account.make(name)
    for spelling in (name, name.upper(), name.lower()):
        detail = await somebody_else.refused(400, "POST", json={"name": spelling})
        assert detail == f"An organization named '{spelling}' already exists"


async def test_of_many_who_take_a_name_at_once_one_gets_it(account: Account) -> None:
    name = f"Wanted {new_id()}"
    answers = await asyncio.gather(*(account.call("POST", json={"name": name}) for _ in range(5)))
    assert sorted(answer.status_code for answer in answers) == [200, 400, 400, 400, 400]


async def test_only_system_admins_make_enterprises(account: Account, root: Account) -> None:
    detail = await account.refused(403, "POST", json={"name": f"E {new_id()}", "type": "enterprise"})
    assert detail.startswith("Only system administrators can")
    assert (await root.make(type="enterprise"))["type"] == "enterprise"


async def test_there_is_a_limit_for_each_user(account: Account, root: Account) -> None:
    for _ in range(ORGANIZATIONS_PER_USER - 1):  # and the one each user has from the start
        await account.make()
    detail = await account.refused(403, "POST", json={"name": f"One more {new_id()}"})
    assert detail.startswith("User limit reached")
    mine = (await account.call("GET", params={"limit": 100})).json()
    assert mine["total_count"] == ORGANIZATIONS_PER_USER
    newest = mine["organizations"][0]["id"]
    assert (await account.call("DELETE", f"/{newest}")).status_code == 200
    await account.make()
    await root.make()


async def test_the_limit_holds_for_many_at_once(account: Account) -> None:
    for _ in range(ORGANIZATIONS_PER_USER - 2):
        await account.make()
    wanted = [{"name": f"Racing {new_id()}"} for _ in range(4)]
    answers = await asyncio.gather(*(account.call("POST", json=body) for body in wanted))
    assert sorted(answer.status_code for answer in answers) == [200, 403, 403, 403]


@pytest.mark.parametrize(
    ("config", "reason"),
    [
        ({"mode": "crystal ball"}, "mode must be one of"),
        ({"mode": None}, "mode must be one of"),
        ({"mode": ["textract"]}, "mode must be one of"),
        ({"textract": []}, "textract must be an object"),
        ({"textract": {"feature_types": ["SMELL"]}}, "textract.feature_types may hold"),
        ({"textract": {"feature_types": "TABLES"}}, "textract.feature_types may hold"),
        ({"tesseract": {}}, "unknown key tesseract"),
    ],
)
async def test_an_ocr_config_that_makes_no_sense_is_refused(
    account: Account, config: dict[str, Any], reason: str
) -> None:
    body = {"name": f"Org {new_id()}", "ocr_config": config}
    detail = await account.refused(400, "POST", json=body)
    assert detail.startswith("Invalid ocr_config: ")
    assert reason in detail
    made = await account.make()
    assert reason in await account.refused(400, "PUT", f"/{made['id']}", json={"ocr_config": config})


# --- changing ---------------------------------------------------------------------------------------------------


async def test_what_is_left_out_stays(account: Account) -> None:
    made = await account.make(type="team", flow_log_level="INFO", experimental_features=True)
    renamed = await account.change(made, name=made["name"] + "!")
    assert renamed == made | {"name": made["name"] + "!", "updated_at": renamed["updated_at"]}
    assert renamed["updated_at"] > made["updated_at"]
    unchanged = await account.change(made)
    assert unchanged == renamed | {"updated_at": unchanged["updated_at"]}


async def test_an_ocr_config_is_merged_at_every_depth(account: Account) -> None:
    made = await account.make(ocr_config={"mistral": {"model": "m", "limits": {"pages": 5}}})
    changed = await account.change(
        made, ocr_config={"mistral": {"limits": {"bytes": 9}}, "llm": {"model": "x"}}
    )
    assert changed["ocr_config"]["mistral"] == {"model": "m", "limits": {"pages": 5, "bytes": 9}}
    assert changed["ocr_config"]["llm"] == {"provider": None, "model": "x"}
    assert changed["ocr_config"]["mode"] == "builtin"


async def test_a_new_name_must_be_free(account: Account) -> None:
    one, two = await account.make(), await account.make()
    detail = await account.refused(400, "PUT", f"/{two['id']}", json={"name": one["name"].upper()})
    assert detail == f"An organization named '{one['name'].upper()}' already exists"
    assert (await account.change(one, name=one["name"].upper()))["name"] == one["name"].upper()


@pytest.mark.parametrize("before", ["team", "enterprise"])
async def test_a_type_never_goes_down(root: Account, before: str) -> None:
    made = await root.make(type=before)
    detail = await root.refused(400, "PUT", f"/{made['id']}", json={"type": "individual"})
    assert detail == f"Invalid organization type upgrade. Cannot change from {before} to individual"
    assert (await root.change(made, type=before))["type"] == before


async def test_a_type_goes_up_step_by_step_or_at_once(account: Account, root: Account) -> None:
    made = await account.make()
    assert (await account.change(made, type="team"))["type"] == "team"
    detail = await account.refused(403, "PUT", f"/{made['id']}", json={"type": "enterprise"})
    assert "Only system administrators can upgrade organizations to Enterprise" in detail
    assert (await root.change(made, type="enterprise"))["type"] == "enterprise"
    assert (await account.change(made, type="enterprise"))["type"] == "enterprise"
    small = await root.make()
    assert (await root.change(small, type="enterprise"))["type"] == "enterprise"


async def test_members_come_and_go(
    account: Account, person: Person, somebody: Person, somebody_else: Account, root: Account
) -> None:
    made = await account.make()
    both = [{"user_id": somebody.id, "role": "user"}, {"user_id": person.id, "role": "admin"}]
    assert (await root.change(made, members=both))["members"] == both
    assert (await somebody_else.call("GET", params={"organization_id": made["id"]})).status_code == 200
    detail = await somebody_else.refused(403, "PUT", f"/{made['id']}", json={"name": "Mine now"})
    assert detail == "You are not an admin of this organization"
    alone = [{"user_id": person.id, "role": "admin"}]
    assert (await account.change(made, members=alone))["members"] == alone
    detail = await somebody_else.refused(403, "GET", params={"organization_id": made["id"]})
    assert detail == "Not authorized to view this organization"


async def test_a_member_leaves_but_the_only_admin_stays(
    account: Account, person: Person, somebody: Person, somebody_else: Account, root: Account
) -> None:
    made = await account.make()
    path = f"/{made['id']}/membership"
    assert (await somebody_else.refused(403, "DELETE", path)) == "You are not a member of this organization"
    assert "only admin" in await account.refused(400, "DELETE", path)
    both = [{"user_id": person.id, "role": "admin"}, {"user_id": somebody.id, "role": "user"}]
    await root.change(made, members=both)
    assert "only admin" in await account.refused(400, "DELETE", path)
    assert (await somebody_else.call("DELETE", path)).json() == {"status": "success"}
    await somebody_else.refused(403, "GET", params={"organization_id": made["id"]})
    assert (await root.call("GET", params={"organization_id": made["id"]})).json()["organizations"][0][
        "members"
    ] == both[:1]


async def test_the_members_must_make_sense(account: Account, person: Person, somebody: Person) -> None:
    made = await account.make()
    path = f"/{made['id']}"
    admin = {"user_id": person.id, "role": "admin"}
    no_admin = "Organization must have at least one admin"
    for members in ([], [{"user_id": somebody.id, "role": "user"}]):
        assert await account.refused(400, "PUT", path, json={"members": members}) == no_admin
    twice = {"members": [admin, {"user_id": person.id, "role": "user"}]}
    assert await account.refused(400, "PUT", path, json=twice) == "A member is listed twice."
    for unknown in (UNKNOWN, "zz", "\x00", "\ud800"):
        body = {"members": [admin, {"user_id": unknown, "role": "user"}]}
        answer = await account.call("PUT", path, content=json.dumps(body))
        assert answer.status_code in (400, 422), answer.text
    assert (await account.call("GET", params={"organization_id": made["id"]})).json()["organizations"] == [
        made
    ]


# --- seeing -----------------------------------------------------------------------------------------------------


async def test_a_user_sees_their_own_newest_first(account: Account, person: Person) -> None:
    made = [await account.make() for _ in range(3)]
    body = (await account.call("GET")).json()
    ids = [organization["id"] for organization in body["organizations"]]
    assert ids[:3] == [organization["id"] for organization in reversed(made)]
    assert body["total_count"] == 4  # with the one they have from the start
    assert body["organizations"][3]["name"] == person.email
    page = (await account.call("GET", params={"skip": 1, "limit": 2})).json()
    assert [organization["id"] for organization in page["organizations"]] == ids[1:3]
    assert (page["total_count"], page["skip"]) == (4, 1)
    beyond = (await account.call("GET", params={"skip": 2**63 - 1})).json()
    assert beyond["organizations"] == []


async def test_organisations_are_found_by_name_and_by_member(
    account: Account, person: Person, root: Account
) -> None:
    odd = f"100%_{new_id()}"
    made = await account.make(odd)
    for text in (odd, odd.upper(), "%_" + odd[5:]):
        found = (await root.call("GET", params={"name_search": text})).json()
        assert [organization["id"] for organization in found["organizations"]] == [made["id"]]
    assert (await account.call("GET", params={"name_search": "%x_"})).json()["total_count"] == 0
    found = (await root.call("GET", params={"member_search": person.email.upper()})).json()
    assert found["total_count"] == 2
    assert (await account.call("GET", params={"member_search": "Grace"})).json()["total_count"] == 2
    assert (await account.call("GET", params={"member_search": "nobody"})).json()["total_count"] == 0


async def test_one_user_may_be_asked_for(
    account: Account, person: Person, somebody: Person, root: Account
) -> None:
    mine = (await account.call("GET", params={"user_id": person.id})).json()
    assert mine["total_count"] == 1
    assert (await root.call("GET", params={"user_id": person.id})).json() == mine
    await account.refused(403, "GET", params={"user_id": somebody.id})
    for odd in ("zz", "\x00", UNKNOWN):
        assert (await root.call("GET", params={"user_id": odd})).json()["total_count"] == 0


@pytest.mark.parametrize(
    ("params", "status", "detail"),
    [
        (
            {"user_id": UNKNOWN, "organization_id": UNKNOWN},
            400,
            "Cannot specify both user_id and organization_id",
        ),
        ({"organization_id": UNKNOWN}, 404, "Organization not found"),
        ({"organization_id": "zz"}, 404, "Organization not found"),
        ({"name_search": "x" * 201}, 400, "name_search is too long: use at most 200 characters."),
        ({"member_search": "x" * 201}, 400, "member_search is too long: use at most 200 characters."),
        ({"name_search": "\x00"}, 400, "NUL characters cannot be searched for; remove them."),
        ({"member_search": "\x00"}, 400, "NUL characters cannot be searched for; remove them."),
    ],
)
async def test_a_question_that_makes_no_sense_is_refused(
    account: Account, params: dict[str, str], status: int, detail: str
) -> None:
    assert await account.refused(status, "GET", params=params) == detail


@pytest.mark.parametrize(
    "params", [{"skip": -1}, {"limit": 0}, {"limit": 101}, {"skip": 2**63}, {"skip": "x"}]
)
async def test_a_page_out_of_range_is_told(account: Account, params: dict[str, Any]) -> None:
    (problem,) = await account.refused(422, "GET", params=params)
    assert problem["loc"] == ["query", next(iter(params))]


# --- deleting ---------------------------------------------------------------------------------------------------


async def test_only_admins_change_and_delete(account: Account, somebody_else: Account, root: Account) -> None:
    made = await account.make()
    path = f"/{made['id']}"
    not_an_admin = "You are not an admin of this organization"
    assert await somebody_else.refused(403, "PUT", path, json={"name": "x"}) == not_an_admin
    assert await somebody_else.refused(403, "DELETE", path) == not_an_admin
    assert (await root.call("DELETE", path)).json() == {"status": "success"}
    calls: list[tuple[str, dict[str, Any]]] = [("PUT", {"json": {}}), ("DELETE", {})]
    for method, options in calls:
        for gone in (path, f"/{UNKNOWN}", "/zz", "/%00"):
            assert await root.refused(404, method, gone, **options) == "Organization not found"


async def test_nothing_is_left_of_a_deleted_organisation(
    product: Product, client: httpx2.AsyncClient, tenant: Tenant, api: OrgApi
) -> None:
    tag = await api.post("/tags", {"name": "kept"})
    document_id = await api.add_document([tag["id"]])
    await product.read_document(tenant, document_id)
    await api.post("/forms", {"name": "f", "response_format": {}, "tag_ids": [tag["id"]]})
    await api.post("/prompts", {"name": "p", "content": "c", "tag_ids": [tag["id"]]})
    key = original_key(tenant.organization_id, document_id)
    assert await product.services.blobs.size(key) > 0

    answer = await client.delete(f"{PATH}/{tenant.organization_id}", headers=tenant.account_headers)
    assert answer.status_code == 200
    assert await rows_left(product, tenant.organization_id) == {}
    assert (await client.get(f"{tenant.base}/documents", headers=tenant.headers)).status_code == 401
    assert (await client.get(f"{tenant.base}/documents", headers=tenant.account_headers)).status_code == 403

    await product.services.housekeeping.sweep()
    with pytest.raises(BlobMissing):
        await product.services.blobs.size(key)
    async with product.services.db.read() as tx:
        assert await tx.scalar(sa.select(sa.func.count()).select_from(metadata.tables["blob_trash"])) == 0


async def rows_left(product: Product, organization_id: str) -> dict[str, int]:
    """How many rows name the organisation, for each table that has some."""
    found = {}
    async with product.services.db.read() as tx:
        for table in metadata.tables.values():
            if "organization_id" in table.c:
                count = sa.select(sa.func.count()).where(table.c.organization_id == organization_id)
                found[table.name] = (await tx.across(count)).scalar_one()
    return {name: count for name, count in found.items() if count}
