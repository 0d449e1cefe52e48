"""Two sheets of alike papers become one: found, shown, merged with every correction kept, and undone."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
import sqlalchemy as sa

from docagent.store import tables as table
from tests.support.made.documents import base64_of
from tests.support.org_api import OrgApi
from tests.support.product import Product, Tenant
from tests.support.services.databases import on_each_database
from tests.support.services.locks import waiting_for_a_lock

pytestmark = on_each_database

TEXT, NUMBER = {"type": "string"}, {"type": ["number", "null"]}
LINES = {"type": "array", "items": {"type": "object", "properties": {"description": TEXT, "amount": NUMBER}}}
BILLS = {"invoice_number": TEXT, "supplier": TEXT, "total": NUMBER, "due_date": TEXT, "lines": LINES}
INVOICES = {"invoice_no": TEXT, "supplier": TEXT, "total": NUMBER, "iban": TEXT, "lines": LINES}
NOTES = {"vessel": TEXT, "berth": TEXT, "pilot": TEXT}
PAPER = (
    "Invoice\n\nInvoice number: INV-{}\n\nSupplier: Acme\n\nIBAN: DE89370400440532013000\n\nTotal: 90.00\n"
)


class Office:
    """Three sheets: bills of three papers, invoices of two others and one of these, and notes of none."""

    def __init__(self, product: Product, tenant: Tenant) -> None:
        self.product, self.tenant = product, tenant
        self.api = OrgApi(product.client, tenant.organization_id, tenant.headers)

    async def fill(self) -> Office:
        self.bills = await self.prompt("Bills", BILLS)
        self.invoices = await self.prompt("Invoices", INVOICES)
        self.notes = await self.prompt("Notes", NOTES)
        self.papers = [await self.read(number) for number in range(5)]
        for paper in self.papers[:3]:
            await self.run(self.bills, paper)
        for paper in self.papers[2:]:
            await self.run(self.invoices, paper)
        return self

    async def prompt(self, name: str, fields: dict[str, Any]) -> dict[str, Any]:
        schema = {"type": "object", "properties": fields, "required": list(fields)}
        form = {"type": "json_schema", "json_schema": {"name": "made", "schema": schema}}
        saved = await self.api.post("/schemas", {"name": name, "response_format": form})
        body = {"name": name, "content": "Read", "schema_id": saved["schema_id"], "model": "docagent-offline"}
        made: dict[str, Any] = await self.api.post("/prompts", body)
        return made

    async def read(self, number: int) -> str:
        document = {"name": f"{number}.txt", "content": base64_of(PAPER.format(number).encode())}
        body = await self.api.post("/documents", {"documents": [document]})
        document_id: str = body["documents"][0]["document_id"]
        await self.product.read_document(self.tenant, document_id)
        return document_id

    async def run(self, prompt: dict[str, Any], document_id: str) -> None:
        params = {"prompt_revid": prompt["prompt_revid"], "force": True}
        ran = await self.api.call("POST", f"/llm/run/{document_id}", params=params)
        assert ran.status_code == 200, ran.text

    async def edit(self, revid: str, document_id: str, path: str, value: Any) -> None:
        where = f"/llm/result/{document_id}"
        body = {"path": path, "value": value}
        done = await self.api.call("PATCH", where, params={"prompt_revid": revid}, json=body)
        assert done.status_code == 200, done.text

    async def sheet(self, prompt: dict[str, Any]) -> dict[str, dict[str, Any]]:
        """By document: its cells, by the path of their column."""
        sheet = await self.api.get(f"/sheets/{prompt['prompt_id']}")
        paths = [column["path"] for column in sheet["columns"]]
        rows = sheet["rows"]
        return {row["document_id"]: dict(zip(paths, row["cells"], strict=True)) for row in rows}

    async def merge(self) -> Any:
        body = {"prompt_id": self.bills["prompt_id"], "source_prompt_id": self.invoices["prompt_id"]}
        return await self.api.post("/sheet_merges", body)


@pytest.fixture
async def office(product: Product, tenant: Tenant) -> Office:
    return await Office(product, tenant).fill()


async def test_alike_sheets_are_merged_with_their_corrections_and_undone(office: Office) -> None:
    api, (bills, invoices) = office.api, (office.bills, office.invoices)
    _, _, both, fourth, fifth = office.papers
    before = await office.sheet(invoices)
    assert before[fourth]["invoice_no"]["value"] == "INV-3"
    await office.edit(invoices["prompt_revid"], fourth, "supplier", "Acme Ltd")
    verify = {"params": {"prompt_revid": invoices["prompt_revid"]}, "json": {"path": "invoice_no"}}
    assert (await api.call("POST", f"/llm/result/{fourth}/verify", **verify)).status_code == 200

    (found,) = (await api.get("/sheet_merges/alike"))["alike"]
    sides = [(found[side]["name"], found[side]["documents"]) for side in ("into", "source")]
    assert (sides, found["shared"]) == ([("Bills", 3), ("Invoices", 3)], 4), "the notes share nothing"
    wanted = {"prompt_id": bills["prompt_id"], "source_prompt_id": invoices["prompt_id"]}
    preview = await api.get("/sheet_merges/preview", **wanted)
    assert preview["in_both"] == 1
    assert [(one["name"], one["ours"], one["theirs"]) for one in preview["fields"]] == [
        ("invoice_number", "invoice_number", "invoice_no"),
        ("supplier", "supplier", "supplier"),
        ("total", "total", "total"),
        ("due_date", "due_date", None),
        ("lines", "lines", "lines"),
        ("iban", None, "iban"),
    ]

    merge = await office.merge()
    assert merge["documents"] == 2
    await api.refused(404, "GET", f"/sheets/{invoices['prompt_id']}")
    sheet = await office.sheet(bills)
    assert list(sheet[fourth]) == ["invoice_number", "supplier", "total", "due_date", "lines", "iban"]
    assert set(sheet) == set(office.papers)
    moved = sheet[fourth]
    assert (moved["supplier"]["value"], moved["supplier"]["edited"]) == ("Acme Ltd", True)
    assert (moved["invoice_number"]["value"], moved["invoice_number"]["verified"]) == ("INV-3", True)
    assert moved["iban"]["page"] == before[fourth]["iban"]["page"] == 1, "its words are still known"
    assert moved["due_date"]["value"] is None
    assert moved["due_date"]["problem"] is None, "a field of the other sheet may be empty"
    assert sheet[both]["iban"]["value"] is None, "the paper of both keeps its values here"
    assert (await api.get("/sheet_merges/alike"))["alike"] == []
    assert [
        one["merge_id"] for one in (await api.get("/sheet_merges", prompt_id=bills["prompt_id"]))["merges"]
    ] == [merge["merge_id"]]

    newest = await api.get(f"/sheets/{bills['prompt_id']}")
    await office.edit(newest["prompt_revid"], fifth, "supplier", "Acme Inc")
    undone = await api.post(f"/sheet_merges/{merge['merge_id']}/undo", {})
    assert undone == {"restored": 1, "kept": 1}, "what was corrected since stays where that happened"
    assert await office.sheet(invoices) == {
        fourth: {
            **before[fourth],
            "supplier": moved["supplier"],
            "invoice_no": {**moved["invoice_number"], "path": "invoice_no"},
        },
        both: before[both],
    }
    assert set(await office.sheet(bills)) == {*office.papers[:3], fifth}
    assert (await office.sheet(bills))[fifth]["supplier"]["value"] == "Acme Inc"
    await api.refused(409, "POST", f"/sheet_merges/{merge['merge_id']}/undo", {})


async def test_what_cannot_be_merged_is_refused(office: Office) -> None:
    api, bills = office.api, office.bills["prompt_id"]
    nobody = "0" * 24
    await api.refused(400, "POST", "/sheet_merges", {"prompt_id": bills, "source_prompt_id": bills})
    await api.refused(404, "POST", "/sheet_merges", {"prompt_id": bills, "source_prompt_id": nobody})
    await api.refused(404, "POST", f"/sheet_merges/{nobody}/undo", {})
    assert (
        await api.call("GET", "/sheet_merges/preview", params={"prompt_id": bills, "source_prompt_id": bills})
    ).status_code == 404
    before = await office.sheet(office.bills)
    await office.merge()
    await api.refused(
        404, "POST", "/sheet_merges", {"prompt_id": bills, "source_prompt_id": office.invoices["prompt_id"]}
    )
    assert len(await office.sheet(office.bills)) == len(before) + 2


async def test_two_that_merge_or_undo_at_once_do_it_once(office: Office) -> None:
    bills, invoices = office.bills["prompt_id"], office.invoices["prompt_id"]
    both_ways = [{"prompt_id": a, "source_prompt_id": b} for a, b in ((bills, invoices), (invoices, bills))]
    merged = await asyncio.gather(*(office.api.call("POST", "/sheet_merges", json=one) for one in both_ways))
    assert sorted(answer.status_code for answer in merged) == [200, 404]
    (merge,) = [answer.json() for answer in merged if answer.status_code == 200]
    await office.api.delete(f"/documents/{office.papers[4]}")
    undo = f"/sheet_merges/{merge['merge_id']}/undo"
    undone = await asyncio.gather(*(office.api.call("POST", undo) for _ in range(2)))
    assert sorted(answer.status_code for answer in undone) == [200, 409]
    assert set(await office.sheet(office.bills)) == set(office.papers[:3])
    assert set(await office.sheet(office.invoices)) == set(office.papers[2:4]), "the last one was deleted"


@pytest.mark.databases("postgresql")
async def test_an_undo_waits_for_another_merge_and_keeps_its_fields(office: Office) -> None:
    first = await office.merge()
    db, bills = office.product.services.db, office.bills["prompt_id"]
    body = {"prompt_id": bills, "source_prompt_id": office.notes["prompt_id"]}
    async with db.write_org(office.tenant.organization_id) as tx:
        schema = sa.select(table.schemas.c.id).where(table.schemas.c.id == office.bills["schema_id"])
        await tx.rows(schema.with_for_update())
        merging = asyncio.create_task(office.api.post("/sheet_merges", body))
        await waiting_for_a_lock(db, 1)
        undoing = asyncio.create_task(office.api.post(f"/sheet_merges/{first['merge_id']}/undo", {}))
        await waiting_for_a_lock(db, 2)
    await merging
    assert (await undoing)["restored"] >= 0
    columns = (await office.api.get(f"/sheets/{bills}"))["columns"]
    assert "vessel" in [column["path"] for column in columns]
