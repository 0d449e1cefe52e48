"""The results of one prompt as a table: columns, order, filters, files, and who may see it."""

from __future__ import annotations

import csv
import io
import json
from datetime import datetime
from typing import Any
from urllib.parse import parse_qs, urlsplit

import openpyxl
import pytest
from arro3.io import read_parquet
from PIL import Image

from tests.support.made.documents import base64_of, pdf
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


async def make_pile(product: Product, results: dict[str, Any] = RESULTS) -> Pile:
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
    for name, data in results.items():
        text = f"Invoice {data['number']} from {data['supplier']['name']}, total {data['total']}"
        document = {
            "name": name,
            "content": base64_of(pdf([text]) if name.endswith("pdf") else text.encode()),
        }
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
    assert "Its tables: lines" in await pile.api.refused(400, "GET", pile.path, unfold="total")


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
    table = read_parquet(io.BytesIO(await pile.file(sort=sort, format="parquet"))).read_all()
    assert table.column("total").to_pylist() == [1200.5, 90.0, None]
    assert table.column("paid").to_pylist() == [False, True, None]


def workbook(content: bytes) -> Any:
    return openpyxl.load_workbook(io.BytesIO(content))


async def test_a_workbook_has_dates_numbers_and_links_and_a_tab_of_rows(pile: Pile) -> None:
    book = workbook(await pile.file(sort=("$document", "asc"), format="xlsx"))
    assert book.sheetnames == ["Invoices", "Lines"]
    sheet = book["Invoices"]
    assert [cell.value for cell in sheet[1]] == [
        "Document",
        "Number",
        "Date",
        "Paid",
        "Supplier",
        "Total",
        "Lines",
        'odd "name", {here}',
        "State",
    ]
    assert (sheet["C2"].value, sheet["C2"].number_format) == (datetime(2026, 1, 2), "yyyy-mm-dd")
    assert [(sheet[f"F{row}"].value, sheet[f"F{row}"].number_format) for row in (2, 3, 4)] == [
        (1200.5, "#,##0.00"),
        (90, "#,##0.00"),
        (None, "General"),
    ]
    assert sheet["D3"].value is True
    assert [sheet[f"G{row}"].value for row in (2, 3, 4)] == [None, 2, 1]
    assert sheet.freeze_panes == "B2"
    assert sheet.auto_filter.ref == "A1:I4"
    assert sheet.column_dimensions["E"].width >= len("Acme Öl")
    formula = sheet["B4"]
    assert (formula.value, formula.data_type) == ("'=cmd()", "s")
    lines = book["Lines"]
    assert [[cell.value for cell in row] for row in lines.iter_rows()] == [
        ["Document", "Row", "Item", "Price"],
        ["b.txt", 1, "Item 0", 0],
        ["b.txt", 2, "Item 1", 1.5],
        ["c.txt", 1, "Item 0", 0],
    ]
    assert sheet["G4"].hyperlink.location == "'Lines'!A4"


async def test_a_link_of_a_workbook_leads_to_the_words_of_its_value(pile: Pile) -> None:
    sheet = workbook(await pile.file(sort=("$document", "asc"), format="xlsx")).worksheets[0]
    documents = f"http://docagent.test/orgs/{pile.api.organization_id}/documents/{pile.ids['a.txt']}"
    assert sheet["A2"].hyperlink.target == documents
    link = urlsplit(sheet["F2"].hyperlink.target)
    assert f"{link.scheme}://{link.netloc}{link.path}" == documents
    prompt_id = pile.prompt["prompt_id"]
    assert parse_qs(link.query) == {"prompt": [f'"{prompt_id}"'], "field": ['"total"']}
    assert sheet["F4"].hyperlink is None, "there is no value"


async def test_a_workbook_can_show_the_words_of_each_value(product: Product) -> None:
    """The picture of the words stands in the same cell of a tab of its own, so it can be compared offline."""
    pile = await make_pile(product, {"b.pdf": made("INV-2", "Zebra", 90.0)})
    book = workbook(await pile.file(format="xlsx", pictures=True))
    pictures = {
        (image.anchor._from.row, image.anchor._from.col): Image.open(image.ref)
        for image in book["Proof"]._images
    }
    heads = [cell.value for cell in book.worksheets[0][1]]
    assert [cell.value for cell in book["Proof"][1]] == heads[:-1]
    number = pictures[1, heads.index("Number")]
    shades = set(number.convert("L").tobytes())
    assert min(shades) < 100 < 200 < max(shades), "words on paper"
    assert number.width < 300, "no more than the words"
    assert (1, heads.index("Paid")) not in pictures, "has no value"
    assert "Proof" not in workbook(await pile.file(format="xlsx")).sheetnames


async def test_a_csv_for_people_has_their_decimal_mark_and_headings(pile: Pile) -> None:
    content = await pile.file(sort=("$document", "asc"), decimal=",", language="de")
    assert content.startswith(b"\xef\xbb\xbf")
    rows = list(csv.DictReader(io.StringIO(content.decode("utf-8-sig")), delimiter=";"))
    assert [row["Total"] for row in rows] == ["1200,5", "90,0", ""]
    assert [row["Number"] for row in rows] == ["INV-1", "INV-2", "'=cmd()"]
    assert rows[0]["Stand"] == "Sicher"
    content = await pile.file(sort=("$document", "asc"), decimal=".")
    rows = list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))
    assert [row["Total"] for row in rows] == ["1200.5", "90.0", ""]


async def test_a_template_orders_and_names_columns_for_people_alone(own_pile: Pile) -> None:
    choices = [
        {"path": "total", "title": "Amount"},
        {"path": "supplier.name"},
        {"path": "number", "title": "=evil()"},
        {"path": "date", "hidden": True},
    ]
    template = f"{own_pile.path}/template"
    saved = await own_pile.api.put(template, {"columns": choices, "decimal": ","})
    assert (await own_pile.api.get(own_pile.path))["decimal"] == ","
    assert [one["path"] for one in saved["columns"]] == ["total", "supplier.name", "number", "date"]
    columns = (await own_pile.api.get(own_pile.path))["columns"]
    assert [(one["path"], one["title"], one["hidden"]) for one in columns][:4] == [
        ("total", "Amount", False),
        ("lines", "Lines", False),
        (ODD, 'odd "name", {here}', False),
        ("supplier.name", "Supplier", False),
    ]
    assert [(one["path"], one["hidden"]) for one in columns][-2:] == [("date", True), ("paid", False)]
    book = workbook(await own_pile.file(format="xlsx"))
    heads = [cell.value for cell in book.worksheets[0][1]]
    assert heads[1] == "Amount"
    assert "Date" not in heads
    assert "'=evil()" in heads
    program = (await own_pile.file()).decode().splitlines()[0]
    assert program.startswith("document,document_id,page,state,number,date,paid,supplier.name,total")
    kept = await own_pile.api.put(template, {"columns": [{"path": "lines.price", "title": "Price each"}]})
    assert [one["path"] for one in kept["columns"]] == [
        "lines.price",
        "total",
        "supplier.name",
        "number",
        "date",
    ]
    assert (await own_pile.api.put(template, {}))["columns"] == []
    assert not any(one["hidden"] for one in (await own_pile.api.get(own_pile.path))["columns"])


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
    await stranger.refused(404, "PUT", f"{pile.path}/template", {})
    await pile.api.refused(404, "GET", "/sheets/nothing")
    default = await stranger.get("/sheets/default")
    assert (default["rows"], default["total_count"]) == ([], 0)
