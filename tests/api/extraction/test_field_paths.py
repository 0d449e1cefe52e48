"""Names of fields may hold anything: a value is read, corrected, verified, shown and exported by its one address."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import openpyxl
import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from docagent.domain.field_path import FieldPath, leaves
from docagent.store.tables import extraction_revisions, learnt_documents
from tests.api.review.test_accuracy import measured
from tests.support.made.documents import base64_of
from tests.support.made.harbour import Harbour
from tests.support.made.piles import Stage, make_prompt, running_stage
from tests.support.org_api import OrgApi
from tests.support.product import Tenant

TEXT = {"type": ["string", "null"]}
NUMBER = {"type": ["number", "null"]}
FIELDS: dict[str, Any] = {
    "Total incl. VAT": NUMBER,
    "Rechnungs-Nr.": TEXT,
    "a/b~c": TEXT,
    'say "x"\\': TEXT,
    "🧾 name": TEXT,
    "0": {
        "type": "object",
        "properties": {"0": TEXT, "": TEXT},
        "required": ["0", ""],
        "additionalProperties": False,
    },
    "Pos.": {
        "type": "array",
        "items": {
            "type": "object",
            "properties": {"m.²": NUMBER, "0": TEXT},
            "required": ["m.²", "0"],
            "additionalProperties": False,
        },
    },
}
DATA: dict[str, Any] = {
    "Total incl. VAT": 90.0,
    "Rechnungs-Nr.": "INV-7",
    "a/b~c": "Acme",
    'say "x"\\': "Thanks",
    "🧾 name": "Supplier",
    "0": {"0": "Invoice", "": "number"},
    "Pos.": [{"m.²": 7, "0": "Total"}, {"m.²": None, "0": "INV"}],
}
PAPER = b"Invoice number: INV-7\nSupplier: Acme\nTotal 90.00\nThanks"


@pytest.fixture(scope="module")
async def stage(tmp_path_factory: pytest.TempPathFactory) -> Any:
    async with running_stage(tmp_path_factory.mktemp("data"), None) as running:
        running.answer = lambda asked: json.dumps(DATA)
        yield running


@pytest.fixture(scope="module")
async def tenant(stage: Stage) -> Tenant:
    return await stage.product.new_tenant()


class Desk:
    """A document with a result whose fields have odd names."""

    def __init__(self, stage: Stage, tenant: Tenant) -> None:
        self.stage, self.tenant = stage, tenant
        self.api = OrgApi(stage.product.client, tenant.organization_id, tenant.headers)
        self.prompt: dict[str, Any] = {}
        self.document_id = ""

    async def read(self, fields: dict[str, Any] = FIELDS, model: str = "gpt-4o-mini") -> dict[str, Any]:
        self.prompt = await make_prompt(self.api, fields, model)
        return await self.another()

    async def another(self, paper: bytes = PAPER) -> dict[str, Any]:
        body = {"documents": [{"name": "a.txt", "content": base64_of(paper)}]}
        self.document_id = (await self.api.post("/documents", body))["documents"][0]["document_id"]
        await self.stage.product.read_document(self.tenant, self.document_id)
        await self.call("POST", f"/llm/run/{self.document_id}")
        result: dict[str, Any] = await self.call("GET", f"/llm/result/{self.document_id}")
        return result

    async def call(self, method: str, path: str, body: Any = None, status: int = 200) -> Any:
        params = {"prompt_revid": self.prompt["prompt_revid"]}
        answer = await self.api.call(method, path, params=params, json=body)
        assert answer.status_code == status, answer.text
        return answer.json()

    async def edit(self, path: str, value: Any, status: int = 200) -> Any:
        return await self.call(
            "PATCH", f"/llm/result/{self.document_id}", {"path": path, "value": value}, status
        )

    async def verify(self, path: str, status: int = 200) -> Any:
        return await self.call("POST", f"/llm/result/{self.document_id}/verify", {"path": path}, status)

    async def sheet(self, **params: Any) -> dict[str, Any]:
        found: dict[str, Any] = await self.api.get(f"/sheets/{self.prompt['prompt_id']}", **params)
        return found


@pytest.fixture
async def desk(stage: Stage, tenant: Tenant) -> Desk:
    made = Desk(stage, tenant)
    await made.read()
    return made


async def test_every_value_is_corrected_and_verified_where_it_stands(desk: Desk) -> None:
    result = await desk.call("GET", f"/llm/result/{desk.document_id}")
    assert (result["updated_llm_result"], result["problems"]) == (DATA, [])
    expected, paths = DATA, []
    for path, value in leaves(DATA):
        new = 12.5 if isinstance(value, int | float) or value is None else f"{value}!"
        expected = path.set(expected, new)
        assert (await desk.edit(path.pointer, new))["updated_llm_result"] == expected
        paths.append(str(path))
        assert (await desk.verify(str(path)))["verified_paths"] == paths
    assert (await desk.edit("/Pos./0", {"m.²": 1, "0": "x"}))["verified_paths"] == [
        path for path in paths if not path.startswith("/Pos./0/")
    ]


@pytest.mark.parametrize("path", ["Total incl. VAT", "/Total incl. VAT"])
async def test_the_field_of_the_report_is_corrected_and_no_other_is_made(desk: Desk, path: str) -> None:
    changed = await desk.edit(path, 119.0)
    assert changed["updated_llm_result"] == {**DATA, "Total incl. VAT": 119.0}
    assert changed["is_edited"] is True
    assert (await desk.verify(path))["verified_paths"] == ["/Total incl. VAT"]
    assert (await desk.edit("Rechnungs-Nr.", "R-2"))["updated_llm_result"]["Rechnungs-Nr."] == "R-2"


async def test_a_name_that_is_not_there_makes_no_field_of_its_parts(desk: Desk) -> None:
    assert "no field" in (await desk.edit("Total excl. VAT", 1, 400))["detail"]
    schemaless = await desk.api.post("/prompts", {"name": "Bare", "content": "Read", "model": "gpt-4o-mini"})
    desk.prompt = schemaless
    await desk.call("POST", f"/llm/run/{desk.document_id}")
    assert "no field" in (await desk.edit("Total excl. VAT", 1, 400))["detail"]
    assert (await desk.edit("Total incl. VAT", 1))["updated_llm_result"] == {**DATA, "Total incl. VAT": 1}


async def test_what_a_person_points_at_is_read_for_the_field(desk: Desk) -> None:
    page = (await desk.api.get(f"/ocr/words/{desk.document_id}"))["pages"][0]
    box = next(word[1:5] for line in page["lines"] for word in line if word[0] == "90.00")
    body = {"path": "Total incl. VAT", "page": 1, "box": box}
    taken = await desk.call("POST", f"/llm/result/{desk.document_id}/point", body)
    assert (taken["value"], taken["places"][0]["path"]) == (90.0, "/Total incl. VAT")
    places = [
        {"path": one["path"], "words": [{"page": word["page"], "box": word["box"]} for word in one["words"]]}
        for one in taken["places"]
    ]
    body = {"path": taken["places"][0]["path"], "value": taken["value"], "places": places}
    stored = await desk.call("PATCH", f"/llm/result/{desk.document_id}", body)
    assert stored["grounding"]["Total incl. VAT"]["signals"]["pointed"] is True


async def test_a_broken_value_is_told_by_its_address(desk: Desk) -> None:
    broken = await desk.edit("/Pos./1/m.²", "much")
    (problem,) = broken["problems"]
    assert problem == {
        "path": "/Pos./1/m.²",
        "message": "'much' is not of type 'null', 'number'",
        "keyword": "type",
        "expected": ["null", "number"],
    }
    (row,) = (await desk.sheet(unfold="/Pos."))["rows"][1:]
    cell = next(one for one in row["cells"] if one["path"] == "/Pos./1/m.²")
    assert (cell["problem"], cell["doubtful"]) == (problem["message"], True)
    schema = await desk.api.get(f"/schemas/{desk.prompt['schema_id']}/versions")
    wrong = await desk.api.post(
        f"/schemas/{schema['schemas'][0]['schema_revid']}/validate", {"data": broken["updated_llm_result"]}
    )
    told = wrong["errors"][0]
    assert (told["path"], told["pointer"]) == ("Pos..1.m.²", "/Pos./1/m.²"), (
        "DocRouter's path has dots between any names"
    )


async def test_a_sheet_has_a_column_for_each_and_sorts_and_filters_by_it(desk: Desk) -> None:
    first = desk.document_id
    await desk.edit("/Total incl. VAT", 10.0)
    await desk.edit('say "x"\\', "Zulu")
    await desk.another()
    sheet = await desk.sheet()
    columns = {column["path"]: column["title"] for column in sheet["columns"]}
    assert columns == {
        "/Total incl. VAT": "Total incl. VAT",
        "/Rechnungs-Nr.": "Rechnungs-Nr.",
        "a/b~c": "a/b~c",
        'say "x"\\': 'say "x"\\',
        "🧾 name": "🧾 name",
        "0.0": "0",
        "/0/": "",
        "/Pos.": "Pos.",
    }
    for field in ("/Total incl. VAT", "Total incl. VAT"):
        rows = (await desk.sheet(sort=json.dumps([{"field": field, "sort": "asc"}])))["rows"]
        assert [row["document_id"] for row in rows] == [first, desk.document_id]
    for field, value in (("/Total incl. VAT", 10), ('say "x"\\', "Zulu"), ('/say "x"\\', "Zulu")):
        filters = {"items": [{"field": field, "operator": "equals", "value": value}]}
        rows = (await desk.sheet(filters=json.dumps(filters)))["rows"]
        assert [row["document_id"] for row in rows] == [first], field
    unfolded = await desk.sheet(unfold="Pos.")
    inner = [column["path"] for column in unfolded["columns"] if column["within"]]
    assert inner == ["/Pos./m.²", "/Pos./0"]
    places = [cell["path"] for cell in unfolded["rows"][0]["cells"]][-2:]
    assert places == ["/Pos./0/m.²", "/Pos./0/0"]


async def test_files_have_a_column_for_each(desk: Desk) -> None:
    name = f"/llm/results/{desk.document_id}/export"
    params = {"prompt_revid": desk.prompt["prompt_revid"]}
    text = (await desk.api.call("GET", name, params={**params, "format": "csv"})).text
    lines = list(csv.DictReader(io.StringIO(text)))
    assert [(line["Total incl. VAT"], line["Pos..m.²"]) for line in lines] == [("90.0", "7"), ("90.0", "")]
    content = (await desk.api.call("GET", name, params={**params, "format": "xlsx"})).content
    sheet = openpyxl.load_workbook(io.BytesIO(content)).worksheets[0]
    cells = {row[0].value: row[1].value for row in sheet.iter_rows()}
    assert (cells["Total incl. VAT"], cells["0.0"], cells["Rechnungs-Nr."]) == (90, "Invoice", "INV-7")
    for column in ("Total incl. VAT", "/Total incl. VAT"):
        path = f"/sheets/{desk.prompt['prompt_id']}/export"
        text = (await desk.api.call("GET", path, params={"columns": column})).text
        assert next(csv.reader(text.splitlines()))[-1] == "Total incl. VAT"


async def test_a_citation_follows_the_value(desk: Desk) -> None:
    project = f"/projects/{(await desk.api.post('/projects', {'name': 'Costs'}))['id']}"
    ways = ("%2FTotal%20incl.%20VAT", "Total%20incl.%20VAT")
    links = " ".join(f'[90](doc:{desk.document_id}/{desk.prompt["prompt_id"]}/{way} "90.0")' for way in ways)
    made = await desk.api.post(f"{project}/documents", {"name": "Plan", "content": links})
    evidence = f"{project}/documents/{made['id']}/evidence"
    assert [one["state"] for one in (await desk.api.get(evidence))["citations"]] == ["current"] * 2
    await desk.edit("/Total incl. VAT", 91)
    assert [one["now"] for one in (await desk.api.get(evidence))["citations"]] == ["91"] * 2


async def test_accuracy_tells_the_field_that_is_wrong(stage: Stage, desk: Desk) -> None:
    await desk.call(
        "PUT", f"/llm/result/{desk.document_id}", {"updated_llm_result": DATA, "is_verified": True}
    )
    stage.answer = lambda asked: json.dumps(
        {**DATA, "Total incl. VAT": 5, "Pos.": [{"m.²": 8, "0": "Total"}]}
    )
    try:
        report = await measured(desk.api, desk.prompt)
    finally:
        stage.answer = lambda asked: json.dumps(DATA)
    fields = {one["field"]: one for one in report["fields"]}
    assert (fields["/Total incl. VAT"]["wrong"], fields["/Rechnungs-Nr."]["right"]) == (1, 1)
    assert (fields["/Pos./m.²"]["wrong"], fields["/Pos./0"]["right"], fields["0.0"]["right"]) == (1, 1, 1)
    errors = await desk.api.get(f"/accuracy/runs/{report['run']['id']}/errors", field="/Pos./m.²")
    assert [(one["path"], one["given_path"]) for one in errors["errors"]] == [("/Pos./0/m.²", "/Pos./0/m.²")]


async def test_what_an_earlier_version_stored_with_dots_is_read(desk: Desk) -> None:
    stored = [{"path": "Pos..0.m.²", "message": "7 is not of type 'string'"}]
    async with desk.stage.product.services.db.write_org(desk.tenant.organization_id) as tx:
        result = await desk.call("GET", f"/llm/result/{desk.document_id}")
        await tx.execute(
            sa.update(extraction_revisions)
            .where(extraction_revisions.c.result_id == result["result_id"])
            .values(verified_paths=["Rechnungs-Nr.", "Pos..1", "0.0"], problems=stored)
        )
    result = await desk.call("GET", f"/llm/result/{desk.document_id}")
    assert result["verified_paths"] == ["/Rechnungs-Nr.", "/Pos./1", "0.0"]
    assert result["problems"] == [
        {
            "path": "/Pos./0/m.²",
            "message": "7 is not of type 'string'",
            "keyword": None,
            "expected": None,
        }
    ]
    cells = {cell["path"]: cell for row in (await desk.sheet())["rows"] for cell in row["cells"]}
    assert (cells["/Rechnungs-Nr."]["verified"], cells["/Total incl. VAT"]["verified"]) == (True, False)


async def test_a_correction_is_learnt_for_the_next_document(stage: Stage) -> None:
    harbour = Harbour(stage.product, await stage.product.new_tenant())
    harbour.prompt = await make_prompt(harbour.api, {"berth no.": TEXT, "pilot": TEXT}, harbour.model)
    first, before = await harbour.read("K-17", "Ole Larsen")
    assert before["llm_result"]["berth no."] is None
    params = {"prompt_revid": harbour.prompt["prompt_revid"]}
    for method, path, body in (
        ("PATCH", f"/llm/result/{first}", {"path": "/berth no.", "value": "K-17"}),
        ("POST", f"/llm/result/{first}/verify", {"path": "/berth no."}),
    ):
        assert (await harbour.api.call(method, path, params=params, json=body)).status_code == 200
    await harbour.learnt()
    learnt = (await harbour.documents())[first]["fields"]
    assert [one["path"] for one in learnt] == ["/berth no."]
    second, after = await harbour.read("B-4", "Ida Holm")
    assert after["llm_result"]["berth no."] == "B-4"
    assert after["grounding"]["berth no."]["signals"]["learnt"] == "agrees"

    async with stage.product.services.db.write_org(harbour.tenant.organization_id) as tx:
        row = await tx.first(sa.select(learnt_documents.c.memories))
        assert row is not None
        old = {"berth no.": row.memories["/berth no."]}
        await tx.execute(sa.update(learnt_documents).values(memories=old))
    assert (await harbour.run(second))["llm_result"]["berth no."] == "B-4", "as version 0.3.0 stored it"


names = st.text("a.0/~ \"'\\🧾", max_size=4)


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(names, min_size=1, max_size=4, unique=True), st.data())
async def test_any_name_can_be_corrected_and_verified(
    stage: Stage, tenant: Tenant, fields: list[str], data: st.DataObject
) -> None:
    made = {name: data.draw(st.sampled_from(["x", {"a": "x"}, ["x"], [{"a": "x"}]])) for name in fields}
    stage.answer = lambda asked: json.dumps(made)
    desk = Desk(stage, tenant)
    try:
        await desk.read({name: {} for name in fields})
    finally:
        stage.answer = lambda asked: json.dumps(DATA)
    expected: Any = made
    for path, _ in leaves(made):
        written = data.draw(st.sampled_from([str(path), path.pointer]))
        expected = path.set(expected, "y")
        assert (await desk.edit(written, "y"))["updated_llm_result"] == expected
        verified = (await desk.verify(written))["verified_paths"]
        assert FieldPath.parse(verified[-1], expected) == path
