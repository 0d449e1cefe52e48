"""Organisations are kept apart: every route is called with another organisation's ids and credentials.

The routes come from the API's own description, so a new one is tested as soon as it exists. A victim fills an
organisation with things that hold an unmistakable text; an attacker, with an organisation of their own, tries
every way in. Nothing of the victim's may be in an answer, and nothing of the victim's may change.

What searches is tried on both databases, which search by other statements. The rest is tried on one: the store adds
to every statement whose rows it sees, which tests/store/test_tenancy.py tests on each.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

import httpx2
import pytest
import sqlalchemy as sa

from docagent.api.deps import TOKEN_ONLY_READS
from docagent.store.tables import metadata
from tests.support.made.household import Household, furnish
from tests.support.operations import (
    ORG_PREFIX,
    Operation,
    Request,
    Slot,
    org_operations,
    request_for,
    slots,
)
from tests.support.product import Product
from tests.support.services.databases import on_each_database
from tests.support.tables import table

OPERATIONS = org_operations()
REFUSALS = {400, 403, 404}
SELECTS_NOTHING = {
    Slot("query", "tag_ids"): "a list of what carries a tag that is not there is empty",
    Slot("query", "document_ids"): "documents that are not there have no values to show",
    Slot("query", "document_id"): "a list of what concerns a document that is not there is empty",
    Slot("query", "project_id"): "a list of what concerns a project that is not there is empty",
}
"""Slots where a foreign id may be answered with 200, because it only narrows a list of the caller's own things."""

MAY_SUCCEED = {
    "bulk_analyze_ocr": "its ids only narrow a list of the caller's own documents",
    "bulk_analyze_llm": "its ids only narrow a list of the caller's own documents",
    "estimate_prompt_run": "its ids only narrow a list of the caller's own documents",
    **dict.fromkeys(
        ("accept_proposals", "reject_proposals", "restore_proposals", "retry_proposals"),
        "it answers for each document by itself: of others' it says that they are not found",
    ),
    "act_create_document": "the path says which project it is, and the body is passed over",
    "get_result": "of prompt_id and prompt_revid one decides, and the other is passed over",
}

ONLY_READ_ALTHOUGH_THEY_POST = {
    "bulk_analyze_llm",
    "bulk_analyze_ocr",
    "check_schema_strictly",
    "download_documents",
    "estimate_accuracy_run",
    "estimate_prompt_run",
    "point_at_page",
    "validate_against_schema",
}

OWN_REASONS = (
    "The document is in this project already.",
    "No tables were found in this document.",
    "This document does not ask for a password.",
    "Payments are not set up on this server.",
    "Admin access required",
    "Invalid model: x",
    "Cannot delete schema because it has dependent prompts",
    "Cannot delete tag ",
    "Turn expired or not found: ",
    "The agent is not running.",
    "No such call in this turn",
    "Nothing was prepared for ",
    "There is no field x in this result.",
    "These documents changed after you opened the preview.",
    "Nothing was learnt from this document ",
    "There is nothing to run: ",
    "This job extracts nothing by one prompt.",
    "There is nothing to undo: ",
    "No document of this prompt is verified. ",
    "The result has changed in the meantime. ",
    "Use 1 to 24 small letters, ",
)
"""Refusals of a right request that have nothing to do with whose things it names."""
STILL_BEING_READ = "The document is still being read."
"""One of the requests has it read again."""


@dataclass(frozen=True)
class Scene:
    product: Product
    victim: Household
    attacker: Household
    before: set[str]
    """Everything of the victim's, as it was."""

    async def send(self, request: Request, headers: dict[str, str]) -> httpx2.Response:
        return await self.product.client.request(
            request.method, request.path, params=request.params, headers=headers, **request.options
        )


async def everything_of(product: Product, household: Household) -> set[str]:
    """Every row that belongs to the organisation, and the bytes of its document."""
    organization_id = household.tenant.organization_id
    parts: set[str] = set()
    async with product.services.db.read() as tx:
        for table in metadata.sorted_tables:
            column = table.c.id if table.name == "organizations" else table.c.get("organization_id")
            if column is not None:
                rows = await tx.across(sa.select(table).where(column == organization_id))
                parts |= {f"{table.name}: {row}" for row in rows}
        parts |= {str(row) for row in await tx.rows(sa.select(metadata.tables["blob_trash"]))}
    key = f"{organization_id}/documents/{household.ids['document_id']}/original"
    parts |= {str(chunk) async for chunk in product.services.blobs.open(key)}
    return parts


@pytest.fixture(scope="module")
async def scene(product: Product) -> Scene:
    victim = await furnish(product, await product.new_tenant())
    attacker = await furnish(product, await product.new_tenant())
    before = await everything_of(product, victim)
    assert "".join(before).count(victim.marker) > 8
    return Scene(product, victim, attacker, before)


async def check_nothing_changed(scene: Scene) -> None:
    """Asked once after many requests: what differs tells which of them did it."""
    assert sorted(scene.before ^ await everything_of(scene.product, scene.victim)) == []


def check_answer(scene: Scene, request: Request, answer: httpx2.Response) -> None:
    told = f"{request} was answered {answer.status_code}: {answer.text[:300]}"
    assert answer.status_code < 500, told
    assert scene.victim.marker not in answer.text, told
    assert scene.victim.marker not in str(answer.headers), told


def named(operation: Operation) -> str:
    return f"{operation.method} {operation.path.removeprefix(ORG_PREFIX)}"


def searches(operation: Operation) -> bool:
    return any("search" in word for word in (operation.path, operation.id, *operation.names_in("query")))


async def strangers_get_nothing(scene: Scene, operation: Operation) -> None:
    attacker, victim = scene.attacker.tenant, scene.victim
    session = await scene.product.services.identity.signed_token(attacker.user_id)
    request = request_for(operation, victim.tenant.organization_id, victim.ids)
    for headers in (
        attacker.headers,
        attacker.account_headers,
        {"Authorization": f"Bearer {session}"},
        {"X-Api-Key": attacker.token},
        {},
    ):
        answer = await scene.send(request, headers)
        check_answer(scene, request, answer)
        if operation.is_for_own_organization and headers:
            assert answer.status_code in REFUSALS or not slots(operation), f"{request}: {answer.text[:300]}"
        else:
            assert answer.status_code in (401, 403), f"{request}: {answer.text[:300]}"


async def test_strangers_get_nothing_out_of_an_organisation(scene: Scene, subtests: pytest.Subtests) -> None:
    for operation in OPERATIONS:
        with subtests.test(operation=named(operation)):
            await strangers_get_nothing(scene, operation)
    await check_nothing_changed(scene)


async def foreign_ids_open_nothing(scene: Scene, operation: Operation) -> None:
    """Each slot in turn holds the victim's id, and then all do; the rest of the request is right."""
    attacker, victim = scene.attacker, scene.victim
    each = [{slot: victim.ids[slot.id_name]} for slot in slots(operation)]
    together = {slot: id for one in each for slot, id in one.items()}
    for instead in [*each, together] if each else []:
        request = request_for(operation, attacker.tenant.organization_id, attacker.ids, instead)
        answer = await scene.send(request, attacker.tenant.headers)
        check_answer(scene, request, answer)
        if operation.id in MAY_SUCCEED or set(instead) <= set(SELECTS_NOTHING):
            continue
        assert answer.status_code in REFUSALS, f"{request} was answered {answer.status_code}: {answer.text}"


async def test_ids_of_another_organisation_open_nothing(scene: Scene, subtests: pytest.Subtests) -> None:
    for operation in OPERATIONS:
        with subtests.test(operation=named(operation)):
            await foreign_ids_open_nothing(scene, operation)
    await check_nothing_changed(scene)


@on_each_database
@pytest.mark.databases("sqlite")
@pytest.mark.parametrize("operation", [item for item in OPERATIONS if searches(item)], ids=named)
async def test_what_searches_keeps_them_apart_on_the_other_database_too(
    scene: Scene, operation: Operation
) -> None:
    await strangers_get_nothing(scene, operation)
    await foreign_ids_open_nothing(scene, operation)
    await check_nothing_changed(scene)


@on_each_database
@table("operation", [item for item in OPERATIONS if "filters" in item.names_in("query")])
async def test_lists_filtered_by_the_ids_and_names_of_others_show_nothing_of_theirs(
    scene: Scene, operation: Operation
) -> None:
    attacker, victim = scene.attacker, scene.victim
    fields = [
        "tag_ids",
        "schema_id",
        "name",
        "document_name",
        "schema_revid",
        "prompt_revid",
        "id",
        "form_id",
    ]
    values = [*victim.ids.values(), victim.marker, f"tag {victim.marker}", f"schema {victim.marker}"]
    items = [{"field": name, "operator": "isAnyOf", "value": values} for name in fields]
    request = request_for(operation, attacker.tenant.organization_id, attacker.ids)
    for params in (
        {"filters": json.dumps({"items": items, "logicOperator": "or"})},
        {"filters": json.dumps({"items": items[:1]})},
        {"filters": json.dumps({"items": [items[0] | {"operator": "doesNotEqual"}]}), "limit": 100},
        {"name_search": victim.marker},
    ):
        request.params = params
        answer = await scene.send(request, attacker.tenant.headers)
        assert answer.status_code == 200, answer.text
        check_answer(scene, request, answer)
        assert not set(victim.ids.values()) & set(answer.text.split('"'))


@on_each_database
async def test_the_same_requests_succeed_with_ones_own_ids(scene: Scene) -> None:
    """The proof that the requests above were refused for their ids, and not for their shape."""
    home = await furnish(scene.product, await scene.product.new_tenant())
    for operation in OPERATIONS:
        if operation.is_for_own_organization and operation.method == "DELETE":
            continue  # the same things are deleted by the paths that name the organisation
        request = request_for(operation, home.tenant.organization_id, home.ids)
        answer = await scene.send(request, home.tenant.headers)
        if answer.status_code == 409 and STILL_BEING_READ in answer.text:
            await scene.product.read_document(home.tenant, home.ids["document_id"])
            answer = await scene.send(request, home.tenant.headers)
        assert answer.headers["Cache-Control"] in ("no-store", "no-cache"), request
        good = answer.is_success or str(answer.json()["detail"]).startswith(OWN_REASONS)
        assert good, f"{request} was answered {answer.status_code}: {answer.text}"


@on_each_database
async def test_a_token_that_only_reads_changes_nothing_and_reads_everything(scene: Scene) -> None:
    home = await furnish(scene.product, await scene.product.new_tenant())
    wanted = {"name": "dashboard", "lifetime": 1, "scope": "read"}
    made = await scene.product.client.post(
        f"{home.tenant.base}/access_tokens", json=wanted, headers=home.tenant.headers
    )
    headers = {"Authorization": f"Bearer {made.json()['token']}"}
    for operation in OPERATIONS:
        request = request_for(operation, home.tenant.organization_id, home.ids)
        answer = await scene.send(request, headers)
        refused = answer.status_code == 403 and answer.json()["detail"] == TOKEN_ONLY_READS
        reads = operation.method == "GET" or operation.id in ONLY_READ_ALTHOUGH_THEY_POST
        assert refused is not reads, f"{request} was answered {answer.status_code}: {answer.text[:300]}"


@on_each_database
def test_every_slot_that_only_narrows_a_list_is_in_use() -> None:
    used = {slot for operation in OPERATIONS for slot in slots(operation)}
    assert set(SELECTS_NOTHING) <= used
    assert set(MAY_SUCCEED) <= {operation.id for operation in OPERATIONS}


@on_each_database
def test_a_route_with_an_unknown_parameter_is_not_passed_over() -> None:
    operation = Operation(
        "new", "GET", f"{ORG_PREFIX}/new/{{thing_id}}", [{"in": "path", "name": "thing_id"}], None, None
    )
    with pytest.raises(KeyError):
        request_for(operation, "x", {})
