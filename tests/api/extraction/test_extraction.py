"""Extraction: from a document and a prompt to a checked, grounded, editable result."""

from __future__ import annotations

import asyncio
import io
import json
import re
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import openpyxl
import pytest
import sqlalchemy as sa
from reportlab.pdfgen.canvas import Canvas

from docagent.adapters.llm.builtin import BuiltinModel
from docagent.adapters.llm.scripted import Answer, ScriptedModel
from docagent.domain.clock import now
from docagent.domain.ids import new_id
from docagent.domain.jobs import Job, JobKind, JobState
from docagent.domain.models.llm import DocumentPart, Model, ModelError, ModelFailure, ModelRequest, TextPart
from docagent.domain.models.providers import Connection, WireKind
from docagent.store import jobs, tables
from tests.conftest import make_settings, running_product
from tests.support.made.documents import base64_of, pdf
from tests.support.org_api import OrgApi
from tests.support.polling import SECONDS
from tests.support.product import Product, Tenant
from tests.support.services.databases import Databases

INVOICE = ["ACME GmbH", "Invoice number: INV-2041", "Date: 14 March 2026", "Total 1,617.30"]
GOOD = {"number": "INV-2041", "total": 1617.3}
FAR_AHEAD = datetime(2100, 1, 1, tzinfo=UTC)


@dataclass
class Stage:
    """A product whose models, but for the built-in one, say what a test tells them to say."""

    product: Product
    model: ScriptedModel
    answer: Callable[[ModelRequest], Answer]


@pytest.fixture(scope="module")
async def stage(
    request: pytest.FixtureRequest, databases: Databases, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Stage]:
    url = await databases.new(request.param)
    built_in = BuiltinModel()
    scripted = ScriptedModel(lambda asked: staged.answer(asked))

    def open_model(connection: Connection) -> Model:
        return built_in if connection.kind is WireKind.BUILT_IN else scripted

    settings = make_settings(tmp_path_factory.mktemp("data"), url)
    async with running_product(settings, {"OPENAI_API_KEY": "sk-test"}, open_model) as product:
        staged = Stage(product, scripted, lambda asked: "{}")
        yield staged


@pytest.fixture
async def tenant(stage: Stage) -> Tenant:
    stage.model.requests.clear()
    return await stage.product.new_tenant()


@pytest.fixture
def api(stage: Stage, tenant: Tenant) -> OrgApi:
    return OrgApi(stage.product.client, tenant.organization_id, tenant.headers)


def schema_of(properties: dict[str, Any]) -> dict[str, Any]:
    schema = {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
    return {"type": "json_schema", "json_schema": {"name": "made", "schema": schema, "strict": True}}


NUMBER_AND_TOTAL = {"number": {"type": ["string", "null"]}, "total": {"type": ["number", "null"]}}


async def make_prompt(
    api: OrgApi, properties: dict[str, Any] | None = None, model: str = "gpt-4o-mini", **more: Any
) -> dict[str, Any]:
    body = {"name": "Schema", "response_format": schema_of(properties or NUMBER_AND_TOTAL)}
    schema = await api.post("/schemas", body)
    prompt: dict[str, Any] = await api.post(
        "/prompts",
        {"name": "P", "content": "Extract it", "schema_id": schema["schema_id"], "model": model} | more,
    )
    return prompt


async def upload(stage: Stage, tenant: Tenant, content: bytes, **more: Any) -> str:
    api = OrgApi(stage.product.client, tenant.organization_id, tenant.headers)
    body = {"documents": [{"name": "a.pdf", "content": base64_of(content), **more}]}
    document_id: str = (await api.post("/documents", body))["documents"][0]["document_id"]
    await stage.product.read_document(tenant, document_id)
    return document_id


async def settled(api: OrgApi, document_id: str) -> dict[str, Any]:
    """The document once its extraction has ended."""
    async with asyncio.timeout(SECONDS):
        while True:
            document: dict[str, Any] = await api.get(f"/documents/{document_id}", include_content="false")
            if document["state"] in ("llm_completed", "llm_failed", "ocr_failed"):
                return document
            await asyncio.sleep(0.05)


async def run(api: OrgApi, document_id: str, prompt: dict[str, Any], **params: Any) -> Any:
    answer = await api.call(
        "POST", f"/llm/run/{document_id}", params={"prompt_revid": prompt["prompt_revid"], **params}
    )
    assert answer.status_code == 200, answer.text
    return answer.json()


async def result(api: OrgApi, document_id: str, prompt: dict[str, Any]) -> Any:
    return await api.get(f"/llm/result/{document_id}", prompt_revid=prompt["prompt_revid"])


async def test_without_a_key_a_newcomer_gets_a_real_result(stage: Stage) -> None:
    tenant = await stage.product.new_tenant({"default_prompt_enabled": True})
    api = OrgApi(stage.product.client, tenant.organization_id, tenant.headers)
    tag = (await api.post("/tags", {"name": "invoices"}))["id"]
    prompt = await make_prompt(api, model="docagent-offline", tag_ids=[tag])
    document_id = await upload(stage, tenant, pdf(INVOICE), tag_ids=[tag])
    assert (await settled(api, document_id))["state"] == "llm_completed"
    summary = await api.get(f"/llm/result/{document_id}", prompt_revid="default")
    assert summary["prompt_display_name"] == "Document Summary"
    assert summary["llm_result"]["document_date"] == "2026-03-14"
    assert summary["llm_result"]["document_type"] == "invoice"
    found = await result(api, document_id, prompt)
    assert found["llm_result"] == GOOD
    assert found["run"]["model"] == "docagent-offline"
    assert found["prompt_display_name"] is None
    assert [word["text"] for word in found["grounding"]["total"]["words"]] == ["1,617.30"]
    assert found["grounding"]["number"]["match"] == "exact"
    assert found["grounding"]["total"]["voice"] in ("rules", "both")
    assert found["grounding"]["total"]["signals"]["voices"] in ("agree", "differ", "only_one")
    assert (await api.get("/payments/usage"))["data"]["granted_credits_used"] == 0


async def test_a_result_is_kept_until_it_is_forced(stage: Stage, tenant: Tenant, api: OrgApi) -> None:
    prompt = await make_prompt(api)
    document_id = await upload(stage, tenant, pdf(INVOICE))
    stage.answer = lambda asked: json.dumps(GOOD)
    first = await run(api, document_id, prompt)
    assert (first["status"], first["result"]) == ("success", GOOD)
    await run(api, document_id, prompt)
    assert len(stage.model.requests) == 1
    await run(api, document_id, prompt, force="True")
    assert len(stage.model.requests) == 2
    assert (await api.get("/payments/usage"))["data"]["granted_credits_used"] == 2
    points = (await api.get("/payments/usage/range", start_date="2000-01-01", end_date="2100-01-01"))[
        "data_points"
    ]
    assert [(point["operation"], point["spus"]) for point in points] == [("document_llm", 2)]


async def test_the_model_is_shown_its_mistakes_and_mends_them(
    stage: Stage, tenant: Tenant, api: OrgApi
) -> None:
    prompt = await make_prompt(api)
    document_id = await upload(stage, tenant, pdf(INVOICE))
    replies = ['{"number": 2041}', "```json\n" + json.dumps(GOOD) + "\n```"]
    stage.answer = lambda asked: replies[len(stage.model.requests) - 1]
    assert (await run(api, document_id, prompt))["result"] == GOOD
    said = stage.model.requests[1].messages[-1].parts[0]
    assert isinstance(said, TextPart)
    assert "- number: 2041 is not of type" in said.text
    assert "'total' is a required property" in said.text
    found = await result(api, document_id, prompt)
    assert (found["run"]["repairs"], found["problems"]) == (1, [])


SEVEN = ("number", "seller", "buyer", "city", "street", "phone", "order")


@pytest.mark.parametrize("required", [True, False])
async def test_a_worse_repair_does_not_replace_a_better_answer(
    stage: Stage, tenant: Tenant, api: OrgApi, required: bool
) -> None:
    form = schema_of({name: {"type": ["string", "null"]} for name in SEVEN})
    if not required:
        form["json_schema"]["schema"]["required"] = []
        form["json_schema"]["strict"] = False
    schema = await api.post("/schemas", {"name": "Schema", "response_format": form})
    body = {"name": "P", "content": "Extract it", "schema_id": schema["schema_id"], "model": "gpt-4o-mini"}
    prompt = await api.post("/prompts", body)
    document_id = await upload(stage, tenant, pdf(INVOICE))
    right = {name: f"{name} 1" for name in SEVEN}
    replies = [
        json.dumps({**right, "remark": "made up"}),
        "{}",
        json.dumps({"number": "number 1", "more": 1}),
    ]
    stage.answer = lambda asked: "{}" if asks_again(asked) else replies[len(stage.model.requests) - 1]
    kept = (await run(api, document_id, prompt))["result"]
    assert {name: kept[name] for name in SEVEN} == right
    assert len(stage.model.requests) > 1
    stage.model.requests.clear()
    replies[1] = json.dumps(right)
    assert (await run(api, document_id, prompt, force="True"))["result"] == right, "a better repair is taken"


async def test_a_language_model_sees_columns_apart(stage: Stage, tenant: Tenant, api: OrgApi) -> None:
    canvas = io.BytesIO()
    drawn = Canvas(canvas, pagesize=(595, 842))
    drawn.drawString(60, 780, "ACME GmbH")
    drawn.drawString(360, 780, "Invoice number: INV-2041")
    drawn.save()
    document_id = await upload(stage, tenant, canvas.getvalue())
    stage.answer = lambda asked: json.dumps(GOOD)
    await run(api, document_id, await make_prompt(api))
    (shown,) = [part for part in stage.model.requests[0].messages[0].parts if isinstance(part, DocumentPart)]
    assert shown.texts is not None
    assert re.fullmatch(r"ACME GmbH {20,}Invoice number: INV-2041", shown.texts[0])


async def test_what_a_parser_can_read_is_not_asked_again(stage: Stage, tenant: Tenant, api: OrgApi) -> None:
    fields = {
        **NUMBER_AND_TOTAL,
        "date": {"type": ["string", "null"], "format": "date"},
        "currency": {"type": ["string", "null"], "enum": ["EUR", "USD", None]},
        "paid": {"type": ["boolean", "null"]},
        "copies": {"type": ["integer", "null"]},
    }
    prompt = await make_prompt(api, fields)
    document_id = await upload(stage, tenant, pdf([*INVOICE[:3], "Total 1.617,30 EUR", "Paid: yes"]))
    given = {
        "number": "INV-2041",
        "total": "1.617,30 €",
        "date": "14 March 2026",
        "currency": "€",
        "paid": "yes",
        "copies": "",
    }
    stage.answer = lambda asked: json.dumps({"invoice": given})
    assert (await run(api, document_id, prompt))["result"] == {
        "number": "INV-2041",
        "total": 1617.3,
        "date": "2026-03-14",
        "currency": "EUR",
        "paid": True,
        "copies": None,
    }
    assert len(stage.model.requests) == 1


def asks_again(asked: ModelRequest) -> bool:
    return "leaves doubts about" in str(asked.messages[0].parts[-1])


@pytest.mark.parametrize(
    ("first", "second", "total", "voices"),
    [
        pytest.param(1671.3, {"/total": 1617.3}, 1617.3, "agree", id="corrected"),
        pytest.param(1359.08, {"/total": 1359.08}, 1359.08, "only_one", id="confirmed"),
        pytest.param(1671.3, {"/total": None}, None, None, id="withdrawn"),
        pytest.param(1359.08, {"/total": None}, 1359.08, "differ", id="printed, so kept"),
        pytest.param(1359.08, {"/total": 77.0}, 1359.08, "differ", id="not printed, so refused"),
        pytest.param(1359.08, {"/total": "much"}, 1359.08, "differ", id="breaks the schema"),
        pytest.param(1359.08, "I cannot say", 1359.08, "differ", id="no answer"),
    ],
)
async def test_a_doubtful_value_is_asked_for_again_with_its_rival(
    stage: Stage,
    tenant: Tenant,
    api: OrgApi,
    first: float,
    second: Any,
    total: float | None,
    voices: str | None,
) -> None:
    prompt = await make_prompt(api)
    paper = ["ACME GmbH", "Invoice number: INV-2041", "Net 1,359.08", "VAT 258.22", "Total 1,617.30"]
    document_id = await upload(stage, tenant, pdf(paper))
    replies = ({"number": "INV-2041", "total": first}, second)
    stage.answer = lambda asked: json.dumps(replies[asks_again(asked)])
    assert (await run(api, document_id, prompt))["result"] == {"number": "INV-2041", "total": total}
    _, again = stage.model.requests
    assert again.output is not None
    assert again.output.schema is not None
    assert set(again.output.schema["properties"]) == {"/total"}, "only what is doubtful"
    assert f"{first}" in str(again.messages[0].parts[-1])
    assert "1617.3" in str(again.messages[0].parts[-1])
    found = await result(api, document_id, prompt)
    assert found["grounding"]["number"]["voice"] == "model"
    assert found["grounding"]["number"]["signals"]["voices"] == "agree"
    if voices is not None:
        assert found["grounding"]["total"]["signals"]["voices"] == voices
    if second != "I cannot say":
        assert found["run"]["report"]["asked_again"] == [{"path": "total", "was": first, "now": total}]


async def test_a_value_that_both_read_alike_costs_one_call(stage: Stage, tenant: Tenant, api: OrgApi) -> None:
    prompt = await make_prompt(api)
    document_id = await upload(stage, tenant, pdf(INVOICE))
    stage.answer = lambda asked: '{"number": "INV-2041", "total": 1617.30}'
    await run(api, document_id, prompt)
    assert len(stage.model.requests) == 1


async def test_a_second_look_that_fails_leaves_the_first_answer(
    stage: Stage, tenant: Tenant, api: OrgApi
) -> None:
    def answer(asked: ModelRequest) -> Answer:
        if asks_again(asked):
            return ModelError(ModelFailure.UNAVAILABLE, "The provider is away.")
        return '{"number": "INV-2041", "total": 99}'

    prompt = await make_prompt(api)
    document_id = await upload(stage, tenant, pdf(INVOICE))
    stage.answer = answer
    assert (await run(api, document_id, prompt))["result"]["total"] == 99
    assert len(stage.model.requests) == 2


async def test_the_built_in_model_says_what_it_cannot_read(stage: Stage, tenant: Tenant, api: OrgApi) -> None:
    prompt = await make_prompt(api, model="docagent-offline")
    unknown = await upload(stage, tenant, pdf(["A poem about the sea", "and the wind above it"]))
    await run(api, unknown, prompt)
    (note,) = (await result(api, unknown, prompt))["run"]["report"]["notes"]
    assert note.startswith("The built-in model found ground for 0 of 2 fields only")
    known = await upload(stage, tenant, pdf(INVOICE))
    await run(api, known, prompt)
    assert (await result(api, known, prompt))["run"]["report"]["notes"] == []


async def test_a_malformed_reply_is_mended_and_the_last_object_that_fits_counts(
    stage: Stage, tenant: Tenant, api: OrgApi
) -> None:
    prompt = await make_prompt(api)
    document_id = await upload(stage, tenant, pdf(INVOICE))
    stage.answer = lambda asked: (
        'As in {"number": "INV-1", "total": 1}:\n{\'number\': "INV-2041", total: 1617.3,}\n{"confidence": 1}'
    )
    assert (await run(api, document_id, prompt))["result"] == GOOD
    report = (await result(api, document_id, prompt))["run"]["report"]
    assert report["mended"] == ["page 1: The reply's JSON was malformed and was repaired."]
    assert len(stage.model.requests) == 1


async def test_what_stays_wrong_is_kept_and_marked(stage: Stage, tenant: Tenant, api: OrgApi) -> None:
    prompt = await make_prompt(api)
    document_id = await upload(stage, tenant, pdf(INVOICE))
    stage.answer = lambda asked: '{"number": "INV-2041", "total": "much"}'
    await run(api, document_id, prompt)
    assert len(stage.model.requests) == 3
    found = await result(api, document_id, prompt)
    assert [problem["path"] for problem in found["problems"]] == ["total"]
    assert found["grounding"]["total"]["match"] == "unproven"


async def test_a_model_that_never_gives_json_is_an_error_and_changes_nothing(
    stage: Stage, tenant: Tenant, api: OrgApi
) -> None:
    prompt = await make_prompt(api)
    document_id = await upload(stage, tenant, pdf(INVOICE))
    stage.answer = lambda asked: "I would rather not."
    path = f"/llm/run/{document_id}?prompt_revid={prompt['prompt_revid']}"
    assert "gave no usable answer" in await api.refused(400, "POST", path)
    stage.answer = lambda asked: ModelError(
        ModelFailure.UNAVAILABLE, "The provider is down. Try again later."
    )
    assert await api.refused(503, "POST", path) == "The provider is down. Try again later."
    missing = await api.refused(
        404, "GET", f"/llm/result/{document_id}", None, prompt_revid=prompt["prompt_revid"]
    )
    assert missing.startswith("LLM result not found for document_id:")


async def test_an_extraction_keeps_telling_that_a_page_has_no_text(
    stage: Stage, tenant: Tenant, api: OrgApi
) -> None:
    prompt = await make_prompt(api)
    document_id = await upload(stage, tenant, pdf(INVOICE, []))
    stage.answer = lambda asked: json.dumps(GOOD)
    await run(api, document_id, prompt, background="true")

    document = await settled(api, document_id)

    assert (document["state"], document["state_reason_code"]) == ("llm_completed", "no_text")
    assert document["state_reason"].startswith("No text was found on page 2.")


async def test_a_background_run_is_a_job(stage: Stage, tenant: Tenant, api: OrgApi) -> None:
    prompt = await make_prompt(api)
    document_id = await upload(stage, tenant, pdf(INVOICE))
    stage.answer = lambda asked: json.dumps(GOOD)
    queued = await run(api, document_id, prompt, background="true")
    assert queued["status"] == "queued"
    assert (await settled(api, document_id))["state"] == "llm_completed"
    job = await api.get(f"/jobs/{queued['job_id']}")
    assert (job["kind"], job["state"], job["error_code"]) == ("extract", "done", None)
    assert (job["progress"], job["progress_total"]) == (100, 100)
    assert (await result(api, document_id, prompt))["llm_result"] == GOOD


async def test_a_failed_job_says_why(stage: Stage, tenant: Tenant, api: OrgApi) -> None:
    prompt = await make_prompt(api)
    document_id = await upload(stage, tenant, pdf(INVOICE))
    stage.answer = lambda asked: ModelError(
        ModelFailure.AUTHENTICATION, "The key was refused. Enter another."
    )
    queued = await run(api, document_id, prompt, background="true")
    document = await settled(api, document_id)
    assert (document["state"], document["state_reason"]) == (
        "llm_failed",
        "The key was refused. Enter another.",
    )
    job = await api.get(f"/jobs/{queued['job_id']}")
    assert (job["error"], job["error_code"]) == (document["state_reason"], "model_authentication")


# --- long documents -------------------------------------------------------------------------------------------

ROWS = 800
ROWS_PER_PAGE = 34
_ROW = re.compile(r"(\d{4}-\d\d-\d\d) Transfer (\d+) (\d+\.\d\d)")


def statement() -> bytes:
    target = io.BytesIO()
    canvas = Canvas(target, pagesize=(612, 792))
    for number in range(ROWS):
        if number % ROWS_PER_PAGE == 0:
            if number:
                canvas.showPage()
            canvas.drawString(72, 750, "Account statement")
        line = f"2026-01-{number % 28 + 1:02d} Transfer {number} {number % 97}.50"
        canvas.drawString(72, 730 - 20 * (number % ROWS_PER_PAGE), line)
    canvas.showPage()
    canvas.drawString(72, 700, f"Total amount {total_amount():.2f}")
    canvas.save()
    return target.getvalue()


def total_amount() -> float:
    return sum(number % 97 + 0.5 for number in range(ROWS))


def answer_per_window(asked: ModelRequest) -> str:
    """What a careful model would say of the pages that it sees."""
    (document,) = [part for part in asked.messages[0].parts if isinstance(part, DocumentPart)]
    text = "\n".join(page.text for page in document.pages)
    rows = [{"date": d, "text": f"Transfer {n}", "amount": float(a)} for d, n, a in _ROW.findall(text)]
    total = re.search(r"Total amount ([\d.]+)", text)
    return json.dumps({"rows": rows, "total_amount": float(total[1]) if total else None})


LONG_LIST = {
    "rows": {
        "type": "array",
        "items": {
            "type": "object",
            "properties": {
                "date": {"type": "string"},
                "text": {"type": "string"},
                "amount": {"type": "number"},
            },
            "required": ["date", "text", "amount"],
            "additionalProperties": False,
        },
    },
    "total_amount": {"type": ["number", "null"]},
}


async def test_many_rows_arrive_in_order_and_add_up(stage: Stage, tenant: Tenant, api: OrgApi) -> None:
    prompt = await make_prompt(api, LONG_LIST)
    document_id = await upload(stage, tenant, statement())
    stage.answer = answer_per_window
    await run(api, document_id, prompt)
    found = await result(api, document_id, prompt)
    rows = found["llm_result"]["rows"]
    assert [row["text"] for row in rows] == [f"Transfer {number}" for number in range(ROWS)]
    report = found["run"]["report"]
    assert report["windows"] == len(stage.model.requests) > 1
    assert (report["gaps"], report["duplicates"]) == ([], [])
    assert [item["agrees"] for item in report["reconciliations"]] == [True]
    last = found["grounding"]["rows"][-1]["text"]
    assert [word["text"] for word in last["words"]] == ["Transfer", f"{ROWS - 1}"]

    def broken(asked: ModelRequest) -> Answer:
        reply = answer_per_window(asked)
        if f"Transfer {ROWS // 2}" in reply:
            return ModelError(ModelFailure.UNAVAILABLE, "The provider is down.")
        return reply

    stage.answer = broken
    await run(api, document_id, prompt, force="true")
    found = await result(api, document_id, prompt)
    (gap,) = found["run"]["report"]["gaps"]
    assert re.fullmatch(r"pages \d+-\d+: The provider is down\.", gap)
    assert f"Missing: {gap}" in [problem["message"] for problem in found["problems"]]
    assert [item["agrees"] for item in found["run"]["report"]["reconciliations"]] == [False]


async def test_of_a_long_document_only_the_window_of_a_doubtful_value_is_asked_again(
    stage: Stage, tenant: Tenant, api: OrgApi
) -> None:
    """A misread total is asked for once, on the pages that gave it, and not where only rows stand."""
    prompt = await make_prompt(api, LONG_LIST)
    document_id = await upload(stage, tenant, statement())
    looks: list[ModelRequest] = []

    def answer(asked: ModelRequest) -> str:
        if asks_again(asked):
            looks.append(asked)
            return json.dumps({"/total_amount": total_amount()})
        reply = json.loads(answer_per_window(asked))
        if reply["total_amount"]:
            reply["total_amount"] += 1
        return json.dumps(reply)

    stage.answer = answer
    await run(api, document_id, prompt)
    found = await result(api, document_id, prompt)
    assert found["llm_result"]["total_amount"] == total_amount()
    (again,) = looks
    (shown,) = [part for part in again.messages[0].parts if isinstance(part, DocumentPart)]
    assert f"Total amount {total_amount():.2f}" in shown.pages[-1].text
    assert len(shown.pages) < ROWS // ROWS_PER_PAGE
    told = {"path": "total_amount", "was": total_amount() + 1, "now": total_amount()}
    assert found["run"]["report"]["asked_again"] == [told]


# --- working with results ---------------------------------------------------------------------------------------


async def test_edits_by_path_and_whole_keep_what_the_model_said(
    stage: Stage, tenant: Tenant, api: OrgApi
) -> None:
    prompt = await make_prompt(api)
    document_id = await upload(stage, tenant, pdf(INVOICE))
    stage.answer = lambda asked: json.dumps({"number": "INV-2041", "total": 5})
    await run(api, document_id, prompt)
    path = f"/llm/result/{document_id}?prompt_revid={prompt['prompt_revid']}"

    edited = (await api.call("PATCH", path, json={"path": "total", "value": 1617.3})).json()
    assert (edited["updated_llm_result"], edited["llm_result"]["total"]) == (GOOD, 5)
    assert edited["is_edited"] is True
    assert edited["grounding"]["total"]["words"][0]["text"] == "1,617.30"

    verified = await api.post(
        f"/llm/result/{document_id}/verify?prompt_revid={prompt['prompt_revid']}", {"path": "total"}
    )
    assert verified["verified_paths"] == ["total"]
    again = (await api.call("PATCH", path, json={"path": "total", "value": "many"})).json()
    assert again["verified_paths"] == []
    assert [problem["path"] for problem in again["problems"]] == ["total"]

    whole = await api.put(path, {"updated_llm_result": GOOD, "is_verified": True})
    assert (whole["is_verified"], whole["is_edited"]) == (True, True)
    refusal = await api.refused(400, "PUT", path, {"updated_llm_result": {"other": 1}})
    assert refusal.startswith("Updated result signature does not match original.")
    assert (await api.call("PATCH", path, json={"path": "total.x.y", "value": 1})).status_code == 400

    revisions = (await api.get(f"/llm/result/{document_id}/revisions", prompt_revid=prompt["prompt_revid"]))[
        "revisions"
    ]
    assert [(item["number"], item["origin"]) for item in revisions] == [
        (5, "person"),
        (4, "person"),
        (3, "person"),
        (2, "person"),
        (1, "model"),
    ]
    old = await api.get(f"/llm/result/{document_id}/revisions/1", prompt_revid=prompt["prompt_revid"])
    assert old == {"number": "INV-2041", "total": 5}

    deleted = await api.delete(f"/llm/result/{document_id}", prompt_revid=prompt["prompt_revid"])
    assert deleted == {"status": "success", "message": "LLM result deleted"}
    await api.refused(404, "DELETE", f"/llm/result/{document_id}", None, prompt_revid=prompt["prompt_revid"])
    nothing = await api.refused(400, "PUT", path, {"updated_llm_result": GOOD})
    assert nothing.startswith("No existing LLM result found")


async def test_a_result_is_found_by_prompt_or_by_another_version(
    stage: Stage, tenant: Tenant, api: OrgApi
) -> None:
    first = await make_prompt(api)
    document_id = await upload(stage, tenant, pdf(INVOICE))
    stage.answer = lambda asked: json.dumps(GOOD)
    await run(api, document_id, first)
    second = await make_prompt(api, content="Extract it again")
    assert second["prompt_version"] == 2
    await api.refused(404, "GET", f"/llm/result/{document_id}", None, prompt_revid=second["prompt_revid"])
    for params in ({"prompt_revid_fallback": "true"}, {"fallback": "True"}):
        found = await api.get(f"/llm/result/{document_id}", prompt_revid=second["prompt_revid"], **params)
        assert found["prompt_revid"] == first["prompt_revid"]
    by_prompt = await api.get(f"/llm/result/{document_id}", prompt_id=first["prompt_id"])
    assert by_prompt["prompt_version"] == 1
    detail = await api.refused(422, "GET", f"/llm/result/{document_id}")
    assert "Either prompt_id or prompt_revid is required" in detail[0]["msg"]
    await api.refused(404, "POST", f"/llm/run/{document_id}?prompt_revid=zz")
    await api.refused(404, "POST", "/llm/run/zz")


async def test_results_can_be_taken_away(stage: Stage, tenant: Tenant, api: OrgApi) -> None:
    properties = {"name": {"type": "string"}, "rows": LONG_LIST["rows"]}
    prompt = await make_prompt(api, properties)
    document_id = await upload(stage, tenant, pdf(["Formula"]))
    rows = [{"date": "=1+1", "text": "-2", "amount": -2.5}, {"date": "@x", "text": "plain", "amount": 1}]
    stage.answer = lambda asked: json.dumps({"name": "=HYPERLINK()", "rows": rows})
    await run(api, document_id, prompt)
    downloaded = await api.call("GET", f"/llm/results/{document_id}/download")
    assert f"extractions_{document_id}_" in downloaded.headers["content-disposition"]
    (only,) = downloaded.json()["results"]
    assert (only["prompt_name"], only["extraction_result"]["name"]) == ("P", "=HYPERLINK()")
    assert downloaded.json()["extraction_date"].endswith("Z")

    path = f"/llm/results/{document_id}/export"
    as_csv = await api.call("GET", path, params={"format": "csv", "prompt_revid": prompt["prompt_revid"]})
    assert as_csv.text.splitlines() == [
        "name,rows.date,rows.text,rows.amount",
        "'=HYPERLINK(),'=1+1,'-2,-2.5",
        "'=HYPERLINK(),'@x,plain,1",
    ]
    as_xlsx = await api.call("GET", path, params={"format": "xlsx"})
    book = openpyxl.load_workbook(io.BytesIO(as_xlsx.content))
    assert book.sheetnames == ["P", "P rows"]
    assert [cell.value for cell in book["P rows"][2]] == ["'=1+1", "'-2", -2.5]
    assert book["P"]["B2"].value == "'=HYPERLINK()"
    assert (await api.call("GET", path, params={"format": "json"})).json()["P"]["rows"] == rows
    await api.refused(404, "GET", f"/llm/results/{await upload(stage, tenant, pdf(['x']))}/download")


async def test_peers_with_the_same_metadata_are_shown_too(stage: Stage, tenant: Tenant, api: OrgApi) -> None:
    prompt = await make_prompt(
        api, peer_match_keys=["case"], include={"ocr_text": True, "metadata_keys": ["case"]}
    )
    peer = await upload(stage, tenant, pdf(["Peer text"]), metadata={"case": "7"})
    await upload(stage, tenant, pdf(["Foreign text"]), metadata={"case": "8"})
    document_id = await upload(stage, tenant, pdf(INVOICE), metadata={"case": "7"})
    stage.answer = lambda asked: json.dumps(GOOD)
    await run(api, document_id, prompt)
    shown = [part for part in stage.model.requests[0].messages[0].parts if isinstance(part, DocumentPart)]
    assert [part.pages[0].text.splitlines()[0] for part in shown] == ["ACME GmbH", "Peer text"]
    assert shown[0].metadata == {"case": "7"}
    found = (await result(api, document_id, prompt))["run"]
    assert (found["match_values"], found["match_document_ids"]) == ({"case": "7"}, [peer])


async def test_bulk_analysis_groups_documents_by_prompt(stage: Stage, tenant: Tenant, api: OrgApi) -> None:
    tag = (await api.post("/tags", {"name": "bulk"}))["id"]
    document_id = await upload(stage, tenant, pdf(INVOICE), tag_ids=[tag])
    prompt = await make_prompt(api, tag_ids=[tag])
    body = {"tag_id": tag, "mode": "missing"}
    planned = await api.post("/llm/bulk-analyze", body)
    assert planned["total_executions"] == 1
    assert planned["groups"][0]["prompt_revid"] == prompt["prompt_revid"]
    assert planned["groups"][0]["executions"] == [{"document_id": document_id, "document_name": "a.pdf"}]
    stage.answer = lambda asked: json.dumps(GOOD)
    await run(api, document_id, prompt)
    assert (await api.post("/llm/bulk-analyze", body))["total_executions"] == 0
    await make_prompt(api, tag_ids=[tag], content="newer")
    assert (await api.post("/llm/bulk-analyze", body))["total_executions"] == 0
    assert (await api.post("/llm/bulk-analyze", {**body, "mode": "outdated"}))["total_executions"] == 1


async def test_any_value_can_be_looked_up_on_the_page(stage: Stage, tenant: Tenant, api: OrgApi) -> None:
    document_id = await upload(stage, tenant, pdf(INVOICE))
    found = await api.get(f"/grounding/{document_id}", value="2026-03-14", label="invoice date")
    assert (found["match"], found["page"]) == ("normalised", 1)
    assert [word["text"] for word in found["words"]] == ["14", "March", "2026"]
    assert (await api.get(f"/grounding/{document_id}", value="2027-01-01"))["match"] == "unproven"
    await api.refused(422, "GET", f"/grounding/{document_id}")


async def test_a_job_that_breaks_goes_on_where_it_stopped(stage: Stage, tenant: Tenant, api: OrgApi) -> None:
    tag = (await api.post("/tags", {"name": "both"}))["id"]
    first = await make_prompt(api, name="First", content="first", tag_ids=[tag])
    second = await make_prompt(api, name="Second", content="second", tag_ids=[tag])
    asked_for: list[str] = []

    def breaks_once(asked: ModelRequest) -> Answer:
        question = asked.messages[0].parts[0]
        assert isinstance(question, TextPart)
        asked_for.append(question.text)
        if asked_for == ["first", "second"]:
            raise RuntimeError("a fault that nobody foresaw")
        return json.dumps(GOOD)

    stage.answer = breaks_once
    document_id = await upload(stage, tenant, pdf(INVOICE), tag_ids=[tag])
    assert (await settled(api, document_id))["state"] == "llm_completed"
    assert asked_for == ["first", "second", "second"]
    for prompt in (first, second):
        assert (await result(api, document_id, prompt))["revision"] == 1
    (job,) = [job for job in (await api.get("/jobs"))["jobs"] if job["kind"] == "extract"]
    assert (job["state"], job["attempts"]) == ("done", 2)
    assert (await api.get("/payments/usage"))["data"]["granted_credits_used"] == 2


# --- what lists show of it ----------------------------------------------------------------------------------------


async def shown(api: OrgApi, document_id: str) -> dict[str, Any]:
    (found,) = (await api.get("/llm/highlights", document_ids=document_id))["highlights"]
    return dict(found)


async def with_results(api: OrgApi, kind: str) -> list[str]:
    filters = json.dumps({"items": [{"field": "results", "operator": "equals", "value": kind}]})
    return [document["id"] for document in (await api.get("/documents", filters=filters))["documents"]]


async def test_a_list_tells_a_summary_from_an_extraction_and_counts_what_is_left_to_review(
    stage: Stage, tenant: Tenant, api: OrgApi
) -> None:
    prompt = await make_prompt(api)
    document_id = await upload(stage, tenant, pdf(INVOICE))
    assert await with_results(api, "none") == [document_id]

    stage.answer = lambda asked: json.dumps({"document_type": "invoice", "summary": "An invoice."})
    await run(api, document_id, {"prompt_revid": "default"})
    facts = await shown(api, document_id)
    assert (facts["summarised"], facts["extracted"], facts["review"]["values"]) == (True, 0, 0)
    assert await with_results(api, "summary") == [document_id]

    stage.answer = lambda asked: json.dumps({"number": "INV-2041", "total": 9.99})
    await run(api, document_id, prompt)
    policy = {"mode": "doubtful", "threshold": 0.6}
    await api.call("PUT", f"/review/{prompt['prompt_id']}", json=policy)
    facts = await shown(api, document_id)
    assert facts["review"] == {"values": 2, "sure": 1, "to_check": 1, "checked": 0}
    assert (facts["extracted"], facts["extracting"]) == (1, None)
    assert await with_results(api, "summary") == []
    assert await with_results(api, "extraction") == [document_id]

    path = f"/llm/result/{document_id}?prompt_revid={prompt['prompt_revid']}"
    await api.call("PATCH", path, json={"path": "total", "value": 12})
    assert (await shown(api, document_id))["review"]["to_check"] == 0
    await api.call("PATCH", path, json={"path": "total", "value": "a dozen"})
    assert (await shown(api, document_id))["review"]["to_check"] == 1
    await api.call("PATCH", path, json={"path": "total", "value": 1617.3})
    facts = await shown(api, document_id)
    assert facts["review"] == {"values": 2, "sure": 1, "to_check": 0, "checked": 1}
    assert facts["values"] == [
        {"name": "number", "value": "INV-2041"},
        {"name": "total", "value": "1,617.30"},
    ]


async def test_a_list_counts_the_prompts_and_windows_of_a_running_extraction(
    stage: Stage, tenant: Tenant, api: OrgApi
) -> None:
    document_id = await upload(stage, tenant, pdf(INVOICE))
    run_at = {"progress": 14, "progress_total": 24, "state": JobState.RUNNING, "lease_until": FAR_AHEAD}
    async with stage.product.services.db.write_org(tenant.organization_id) as tx:
        job_id, arguments = new_id(), {"prompt_revids": ["default", new_id()]}
        job = Job(job_id, tx.organization_id, JobKind.EXTRACT, document_id, arguments, 1, now(), now())
        await jobs.insert(tx, job)
        await tx.execute(sa.update(tables.jobs).where(tables.jobs.c.id == job_id).values(**run_at))
    facts = await shown(api, document_id)
    assert facts["extracting"] == {"prompt": 2, "prompts": 2, "window": 3, "windows": 12}
