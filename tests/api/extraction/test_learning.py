"""A correction mends the next document of the layout; it can be seen, switched off, forgotten and taken back."""

from __future__ import annotations

from typing import Any

import pytest

from docagent.domain.accounts.accounts import Membership, Role
from docagent.domain.jobs import JobKind
from docagent.store import jobs
from docagent.store.extraction import learning
from tests.support.made.harbour import Harbour
from tests.support.org_api import OrgApi
from tests.support.product import Product, Tenant
from tests.support.services.databases import on_each_database

pytestmark = on_each_database


@pytest.fixture
async def harbour(product: Product, tenant: Tenant) -> Harbour:
    return await Harbour(product, tenant).open()


async def test_a_correction_mends_the_next_document_and_says_why(harbour: Harbour) -> None:
    first, before = await harbour.read("K-17", "Ole Larsen")
    assert before["llm_result"]["berth"] is None, "nobody knows this label"
    await harbour.verify(first, "K-17", "Ole Larsen")
    _, after = await harbour.read("B-4", "Ida Holm")
    assert after["llm_result"] == {"berth": "B-4", "pilot": "Ida Holm"}
    signals = after["grounding"]["berth"]["signals"]
    assert (signals["learnt"], signals["learnt_from"]) == ("agrees", 1)

    assert (await harbour.api.put("/learning", {"enabled": False}))["enabled"] is False
    third, off = await harbour.read("C-9", "Bo Friis")
    assert off["llm_result"]["berth"] is None
    await harbour.api.put("/learning", {"enabled": True})
    assert (await harbour.run(third))["llm_result"]["berth"] == "C-9"

    assert await harbour.api.delete("/learning") == {"forgotten": 1}
    assert (await harbour.run(third))["llm_result"]["berth"] is None
    assert await harbour.documents() == {}


async def test_nothing_crosses_organisations(harbour: Harbour, product: Product) -> None:
    first, _ = await harbour.read("K-17", "Ole Larsen")
    await harbour.verify(first, "K-17", "Ole Larsen")
    other = await Harbour(product, await product.new_tenant()).open()
    _, theirs = await other.read("B-4", "Ida Holm")
    assert theirs["llm_result"]["berth"] is None
    prompt_id = harbour.prompt["prompt_id"]
    await other.api.refused(404, "GET", f"/learning/{prompt_id}")
    await other.api.refused(404, "DELETE", f"/learning/{prompt_id}/documents/{first}")
    assert (await other.api.delete("/learning")) == {"forgotten": 0}
    assert first in await harbour.documents()


async def test_a_poisoned_correction_is_found_and_taken_back(harbour: Harbour) -> None:
    papers = [("K-17", "Ole Larsen"), ("B-4", "Ida Holm"), ("C-9", "Bo Friis")]
    ids = [(await harbour.read(*one))[0] for one in papers]
    await harbour.verify(ids[0], "Ole Larsen", "Ole Larsen")
    for document_id, one in zip(ids[1:], papers[1:], strict=True):
        await harbour.verify(document_id, *one)
    found = await harbour.documents()
    assert [document_id for document_id, one in found.items() if one["doubtful"]] == [ids[0]]
    assert next(iter(found)) == ids[0], "what is in doubt comes first"
    _, after = await harbour.read("D-2", "Eva Juhl")
    assert after["llm_result"]["berth"] == "D-2"

    await harbour.api.delete(f"/learning/{harbour.prompt['prompt_id']}/documents/{ids[0]}")
    left = await harbour.documents()
    assert ids[0] not in left
    assert all(field["wrong"] == 0 for one in left.values() for field in one["fields"])
    await harbour.api.refused(404, "DELETE", f"/learning/{harbour.prompt['prompt_id']}/documents/{ids[0]}")

    await harbour.verify(ids[0], *papers[0])
    assert not any(one["doubtful"] for one in (await harbour.documents()).values())


async def test_a_value_that_is_verified_no_longer_teaches_nothing(harbour: Harbour) -> None:
    document_id, _ = await harbour.read("K-17", "Ole Larsen")
    await harbour.verify(document_id, "K-17", "Ole Larsen")
    assert document_id in await harbour.documents()
    edited = await harbour.api.call(
        "PATCH",
        f"/llm/result/{document_id}",
        params={"prompt_revid": harbour.prompt["prompt_revid"]},
        json={"path": "berth", "value": "K-18"},
    )
    assert edited.status_code == 200
    await harbour.learnt()
    assert document_id not in await harbour.documents()


async def test_a_job_that_was_killed_in_the_middle_is_done_again_to_the_same_end(harbour: Harbour) -> None:
    document_id, _ = await harbour.read("K-17", "Ole Larsen")
    await harbour.verify(document_id, "K-17", "Ole Larsen")
    services, organization_id = harbour.product.services, harbour.tenant.organization_id
    once = await harbour.documents()
    async with services.db.write_org(organization_id) as tx:
        job_id = await services.jobs.enqueue(tx, JobKind.LEARN, document_id)
    for job in await services.jobs.claim("a worker that dies"):
        await services.jobs.put_back(job)
    await harbour.learnt()
    async with services.db.read_org(organization_id) as tx:
        done = await jobs.get(tx, job_id)
        lesson = await learning.get(tx, harbour.prompt["prompt_id"], document_id)
    assert done is not None
    assert done.error is None
    assert lesson is not None
    assert {document_id: one["fields"] for document_id, one in once.items()} == {
        document_id: one["fields"] for document_id, one in (await harbour.documents()).items()
    }


async def test_only_administrators_decide_about_learning(
    harbour: Harbour, product: Product, tenant: Tenant
) -> None:
    other = await product.new_tenant()
    both = [Membership(tenant.user_id, Role.ADMIN), Membership(other.user_id, Role.USER)]

    async def have_members(members: list[Membership]) -> None:
        await product.services.organizations.update(
            product.admin,
            tenant.organization_id,
            name=None,
            type=None,
            members=members,
            flags={},
            ocr_config=None,
        )

    await have_members(both)
    member = OrgApi(product.client, tenant.organization_id, other.account_headers)
    assert await member.get("/learning") == {"enabled": True, "examples": True}
    await member.refused(403, "PUT", "/learning", {"enabled": False})
    await member.refused(403, "DELETE", "/learning")

    await have_members(both[:1])
    await member.refused(403, "GET", f"/learning/{harbour.prompt['prompt_id']}")
    await member.refused(403, "GET", "/learning")


INVOICE = {"reference": {"type": ["string", "null"]}, "total": {"type": ["number", "null"]}}


def invoice(number: int) -> tuple[str, dict[str, Any]]:
    """A paper with two references and two amounts, and the ones that this organisation wants: the second of each."""
    text = (
        "Harbour of Skagen\n\nAll ships keep to the orders of the harbour office\n\n"
        f"Our reference: R-{number}17\n\nSkibets kendetegn: S-{number}99\n\n"
        f"Total: {number + 30}.75\n\nLeft after the rebate of the harbour: {number + 20}.10\n\n"
        "Welcome, and a safe journey home\n"
    )
    return text, {"reference": f"S-{number}99", "total": number + 20.1}


async def test_what_was_learnt_is_not_unlearnt_by_its_own_success(product: Product, tenant: Tenant) -> None:
    desk = await Harbour(product, tenant, fields=INVOICE).open()
    given, notes = [], []
    for number in range(1, 7):
        text, wanted = invoice(number)
        document_id, result = await desk.read_text(f"{number}.txt", text)
        given.append({name: result["llm_result"][name] == value for name, value in wanted.items()})
        notes.append([note.partition(":")[0] for note in result["run"]["report"]["notes"]])
        await desk.verify_as(document_id, wanted)
    assert given[0] == {"reference": False, "total": False}, "nobody has said yet which ones are wanted"
    assert given[1:] == [{"reference": True, "total": True}] * 5
    assert notes == [[], ["reference", "total"], [], [], [], []], "the word of a single correction is told"
    place = result["grounding"]["reference"]
    assert (place["voice"], place["rivals"]) == ("memory", ["R-617"]), "what the model read stays in sight"
    assert result["run"]["report"]["before_memory"] == {"reference": "R-617", "total": 36.75}
