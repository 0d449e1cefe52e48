"""The results of one prompt as a table: columns, order, filters, files, and who may see it."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import openpyxl
import pytest
from arro3.io import read_parquet

from tests.support.made.documents import base64_of
from tests.support.org_api import OrgApi
from tests.support.product import Product
from tests.support.services.databases import on_each_database

pytestmark = on_each_database

LINE = {
    "type": "object",
    "properties": {"item": {"type": "string"}, "price": {"type": "number"}},
    "required": ["item", "price"],
    "additionalProperties": False,
}
PROPERTIES = {
    "number": {"type": ["string", "null"]},
    "date": {"type": ["string", "null"], "format": "date"},
    "paid": {"type": ["boolean", "null"]},
    "supplier": {
        "type": "object",
        "properties": {"name": {"type": ["string", "null"], "title": "Supplier"}},
        "required": ["name"],
        "additionalProperties": False,
    },
    "total": {"type": ["number", "null"]},
    "lines": {"type": "array", "items": LINE},
    'odd "name", {here}': {"type": ["string", "null"]},
}
ODD = 'odd "name", {here}'


def made(number: str, supplier: str | None, total: float | None, *, lines: int = 0, **more: Any) -> Any:
    return {
        "number": number,
        "date": "2026-03-14",
        "paid": None,
        "supplier": {"name": supplier},
        "total": total,
        "lines": [{"item": f"Item {count}", "price": 1.5 * count} for count in range(lines)],
        ODD: None,
        **more,
    }


RESULTS = {
    "b.txt": made("INV-2", "Zebra", 90.0, lines=2, paid=True),
    "a.txt": made("INV-1", "acme", 1200.5, paid=False, date="2026-01-02"),
    "c.txt": made("=cmd()", "Acme Öl", None, lines=1),
}


class Pile:
    def __init__(self, api: OrgApi, prompt: dict[str, Any], ids: dict[str, str]) -> None:
        self.api = api
        self.prompt = prompt
        self.ids = ids
        self.path = f"/sheets/{prompt['prompt_id']}"

    async def names(self, **params: Any) -> list[str]:
        body = await self.api.get(self.path, **_encoded(params))
        return [row["document_name"] for row in body["rows"]]

    async def file(self, **params: Any) -> bytes:
        answer = await self.api.call("GET", f"{self.path}/export", params=_encoded(params))
        assert answer.status_code == 200, answer.text
        return answer.content


def _encoded(params: dict[str, Any]) -> dict[str, Any]:
    if "sort" in params:
        field, way = params["sort"]
        params["sort"] = json.dumps([{"field": field, "sort": way}])
    if "filters" in params:
        items = [dict(zip(("field", "operator", "value"), item, strict=False)) for item in params["filters"]]
        params["filters"] = json.dumps({"items": items})
    return params


@pytest.fixture(scope="module")
async def pile(product: Product) -> Pile:
    """Three documents with their results, for tests that only look at them."""
    return await make_pile(product)


@pytest.fixture
async def own_pile(product: Product) -> Pile:
    """For a test that changes something."""
    return await make_pile(product)


async def make_pile(product: Product) -> Pile:
    tenant = await product.new_tenant()
    api = OrgApi(product.client, tenant.organization_id, tenant.headers)
    schema = {
        "type": "object",
        "properties": PROPERTIES,
        "required": list(PROPERTIES),
        "additionalProperties": False,
    }
    form = {"type": "json_schema", "json_schema": {"name": "made", "schema": schema, "strict": True}}
    saved = await api.post("/schemas", {"name": "Schema", "response_format": form})
    prompt = await api.post(
        "/prompts",
        {"name": "Invoices", "content": "Read", "schema_id": saved["schema_id"], "model": "docagent-offline"},
    )
    ids = {}
    for name, data in RESULTS.items():
        text = f"Invoice {data['number']} from {data['supplier']['name']}, total {data['total']}"
        document = {"name": name, "content": base64_of(text.encode())}
        body = await api.post("/documents", {"documents": [document]})
        ids[name] = body["documents"][0]["document_id"]
        await product.read_document(tenant, ids[name])
        revid = {"prompt_revid": prompt["prompt_revid"]}
        await api.call("POST", f"/llm/run/{ids[name]}", params=revid)
        stored = await api.call(
            "PUT", f"/llm/result/{ids[name]}", params=revid, json={"updated_llm_result": data}
        )
        assert stored.status_code == 200, stored.text
    return Pile(api, prompt, ids)


async def test_a_row_for_each_document_and_a_column_for_each_field(pile: Pile) -> None:
    body = await pile.api.get(pile.path, sort=json.dumps([{"field": "$document", "sort": "asc"}]))
    assert [(column["path"], column["kind"]) for column in body["columns"]] == [
        ("number", "text"),
        ("date", "date"),
        ("paid", "boolean"),
        ("supplier.name", "text"),
        ("total", "number"),
        ("lines", "list"),
        (ODD, "text"),
    ]
    assert [column["title"] for column in body["columns"]][3] == "Supplier"
    assert [column["path"] for column in body["columns"] if column["unfolds"]] == ["lines"]
    assert (body["name"], body["total_count"]) == ("Invoices", 3)
    first = {cell["path"]: cell for cell in body["rows"][0]["cells"]}
    assert first["supplier.name"] == {
        "path": "supplier.name",
        "value": "acme",
        "match": "exact",
        "page": 1,
        "edited": True,
        "verified": False,
        "confidence": 1.0,
        "doubtful": False,
        "problem": None,
        "remark": None,
    }
    assert (first["date"]["match"], first["date"]["doubtful"]) == ("unproven", False), "a person gave it"
    assert body["rows"][0]["state"] == "proven"


async def test_documents_without_a_value_come_last_in_either_order(pile: Pile) -> None:
    expected = {
        ("total", "asc"): ["b.txt", "a.txt", "c.txt"],
        ("total", "desc"): ["a.txt", "b.txt", "c.txt"],
        ("supplier.name", "asc"): ["a.txt", "c.txt", "b.txt"],
        ("date", "asc"): ["a.txt", "c.txt", "b.txt"],
        ("$document", "desc"): ["c.txt", "b.txt", "a.txt"],
        (ODD, "asc"): ["c.txt", "a.txt", "b.txt"],
    }
    for sort, names in expected.items():
        assert await pile.names(sort=sort) == names, sort
        assert await pile.names(sort=sort, limit=1, skip=2) == names[2:], sort


async def test_filters_go_by_the_kind_of_the_column(pile: Pile) -> None:
    expected: list[tuple[list[tuple[str, str, Any]], set[str]]] = [
        ([("total", ">", 100)], {"a.txt"}),
        ([("total", "<=", "90")], {"b.txt"}),
        ([("total", "=", "ninety")], set()),
        ([("total", "=", "nan")], set()),
        ([("total", "isEmpty", None)], {"c.txt"}),
        ([("supplier.name", "contains", "ACME")], {"a.txt", "c.txt"}),
        ([("date", "before", "2026-02-01")], {"a.txt"}),
        ([("paid", "is", "true")], {"b.txt"}),
        ([("$verified", "is", "true")], set()),
        ([("$document", "startsWith", "a")], {"a.txt"}),
        ([("supplier.name", "contains", "acme"), ("total", "isNotEmpty", None)], {"a.txt"}),
    ]
    for filters, names in expected:
        assert set(await pile.names(filters=filters)) == names, filters


async def test_a_search_looks_at_values_and_names_but_not_at_the_names_of_fields(pile: Pile) -> None:
    assert await pile.names(name_search="zebra") == ["b.txt"]
    assert await pile.names(name_search="1200.5") == ["a.txt"]
    assert await pile.names(name_search="c.tx") == ["c.txt"]
    assert await pile.names(name_search="supplier") == []
    assert await pile.names(name_search="%") == []


async def test_a_table_can_be_unfolded_into_rows(pile: Pile) -> None:
    body = await pile.api.get(
        pile.path, unfold="lines", sort=json.dumps([{"field": "number", "sort": "asc"}])
    )
    paths = [column["path"] for column in body["columns"]]
    assert paths[5:7] == ["lines.item", "lines.price"]
    rows = [(row["document_name"], row["item"], row["cells"][5]["value"]) for row in body["rows"]]
    assert rows == [
        ("c.txt", 0, "Item 0"),
        ("a.txt", None, None),
        ("b.txt", 0, "Item 0"),
        ("b.txt", 1, "Item 1"),
    ]
    assert body["rows"][3]["cells"][6]["path"] == "lines.1.price"
    await pile.api.call(
        "POST",
        f"/llm/result/{pile.ids['b.txt']}/verify",
        params={"prompt_revid": pile.prompt["prompt_revid"]},
        json={"path": "lines", "verified": True},
    )
    body = await pile.api.get(pile.path, unfold="lines")
    verified = {(row["document_name"], row["item"]) for row in body["rows"] if row["cells"][6]["verified"]}
    assert verified == {("b.txt", 0), ("b.txt", 1)}
    assert "can be unfolded: lines" in await pile.api.refused(400, "GET", pile.path, unfold="total")


async def test_the_newest_version_counts_and_verified_values_are_no_doubts(own_pile: Pile) -> None:
    revid = {"prompt_revid": own_pile.prompt["prompt_revid"]}
    document_id = own_pile.ids["a.txt"]
    await own_pile.api.call(
        "POST", f"/llm/result/{document_id}/verify", params=revid, json={"path": "date", "verified": True}
    )
    changed = await own_pile.api.put(
        f"/prompts/{own_pile.prompt['prompt_id']}",
        {
            "name": "Invoices",
            "content": "Read it well",
            "schema_id": own_pile.prompt["schema_id"],
            "model": "docagent-offline",
        },
    )
    await own_pile.api.call(
        "POST", f"/llm/run/{own_pile.ids['b.txt']}", params={"prompt_revid": changed["prompt_revid"]}
    )
    body = await own_pile.api.get(own_pile.path, sort=json.dumps([{"field": "$document", "sort": "asc"}]))
    assert [row["prompt_version"] for row in body["rows"]] == [1, 2, 1]
    dates = [row["cells"][1] for row in body["rows"]]
    assert (dates[0]["verified"], dates[0]["doubtful"]) == (True, False)
    await own_pile.api.delete(f"/documents/{document_id}")
    assert set(await own_pile.names()) == {"b.txt", "c.txt"}


async def test_files_hold_what_the_table_shows(pile: Pile) -> None:
    sort = ("$document", "asc")
    rows = list(csv.DictReader(io.StringIO((await pile.file(sort=sort)).decode())))
    assert [row["document"] for row in rows] == ["a.txt", "b.txt", "c.txt"]
    assert [row["total"] for row in rows] == ["1200.5", "90.0", ""]
    assert rows[2]["number"] == "'=cmd()"
    assert (rows[0]["state"], rows[0]["page"]) == ("proven", "1")
    lines = [json.loads(line) for line in (await pile.file(sort=sort, format="jsonl")).splitlines()]
    assert [line["supplier.name"] for line in lines] == ["acme", "Zebra", "Acme Öl"]
    assert lines[2]["number"] == "=cmd()"
    sheet = openpyxl.load_workbook(io.BytesIO(await pile.file(sort=sort, format="xlsx"))).active
    assert sheet is not None
    assert [row[8].value for row in sheet.iter_rows(min_row=2)] == [1200.5, 90, None]
    table = read_parquet(io.BytesIO(await pile.file(sort=sort, format="parquet"))).read_all()
    assert table.column("total").to_pylist() == [1200.5, 90.0, None]
    assert table.column("paid").to_pylist() == [False, True, None]


async def test_a_file_has_what_was_filtered_in_the_columns_that_were_chosen(pile: Pile) -> None:
    content = await pile.file(filters=[("total", ">", 100)], columns=["total", "number"])
    rows = list(csv.reader(io.StringIO(content.decode())))
    assert rows[0] == ["document", "document_id", "page", "state", "number", "total"]
    assert [row[4:] for row in rows[1:]] == [["INV-1", "1200.5"]]
    unfolded = await pile.file(unfold="lines", columns=["lines.item"], format="jsonl", sort=("number", "asc"))
    assert [json.loads(line)["lines.item"] for line in unfolded.splitlines()] == [
        "Item 0",
        None,
        "Item 0",
        "Item 1",
    ]


async def test_a_value_that_breaks_its_schema_makes_the_parquet_column_text(own_pile: Pile) -> None:
    await own_pile.api.call(
        "PATCH",
        f"/llm/result/{own_pile.ids['a.txt']}",
        params={"prompt_revid": own_pile.prompt["prompt_revid"]},
        json={"path": "total", "value": "about 1,200"},
    )
    assert await own_pile.names(sort=("total", "asc")) == ["b.txt", "c.txt", "a.txt"]
    table = read_parquet(
        io.BytesIO(await own_pile.file(sort=("$document", "asc"), format="parquet"))
    ).read_all()
    assert table.column("total").to_pylist() == ["about 1,200", "90.0", None]


async def test_a_sheet_belongs_to_its_organisation(pile: Pile, stranger: OrgApi) -> None:
    await stranger.refused(404, "GET", pile.path)
    await stranger.refused(404, "GET", f"{pile.path}/export")
    await pile.api.refused(404, "GET", "/sheets/nothing")
    default = await stranger.get("/sheets/default")
    assert (default["rows"], default["total_count"]) == ([], 0)
