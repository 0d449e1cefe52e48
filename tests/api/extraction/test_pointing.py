"""Point and fill: words on a page become a value with its place, and a correction carries the place."""

from __future__ import annotations

from typing import Any

from tests.support.made.documents import base64_of, pdf
from tests.support.org_api import OrgApi
from tests.support.product import Product, Tenant

LINES = [
    "Invoice number: INV-2041",
    "Subtotal       40.00",
    "Deposit        40.00",
    "Date: 14 March 2026",
]
FIELDS = {
    "number": {"type": ["string", "null"]},
    "deposit": {"type": ["number", "null"]},
    "date": {"type": ["string", "null"]},
    "lines": {
        "type": "array",
        "items": {
            "type": "object",
            "properties": {"name": {"type": "string"}, "amount": {"type": "number"}},
            "required": ["name", "amount"],
            "additionalProperties": False,
        },
    },
}


class Desk:
    """A document with a result, and what a person does to it."""

    def __init__(self, api: OrgApi, document_id: str, prompt_revid: str) -> None:
        self.api = api
        self.document_id = document_id
        self.path = f"/llm/result/{document_id}"
        self.params = {"prompt_revid": prompt_revid}

    async def words(self) -> dict[str, list[tuple[float, float, float, float]]]:
        """Where each word of the first page stands."""
        page = (await self.api.get(f"/ocr/words/{self.document_id}"))["pages"][0]
        found: dict[str, list[tuple[float, float, float, float]]] = {}
        for text, left, top, right, bottom in (word[:5] for line in page["lines"] for word in line):
            found.setdefault(text, []).append((left, top, right, bottom))
        return found

    async def point(self, path: str, box: tuple[float, ...], page: int = 1, status: int = 200) -> Any:
        body = {"path": path, "page": page, "box": list(box)}
        answer = await self.api.call("POST", f"{self.path}/point", params=self.params, json=body)
        assert answer.status_code == status, answer.text
        return answer.json()

    async def edit(self, body: dict[str, Any], status: int = 200) -> Any:
        answer = await self.api.call("PATCH", self.path, params=self.params, json=body)
        assert answer.status_code == status, answer.text
        return answer.json()


async def desk_of(product: Product, tenant: Tenant, api: OrgApi) -> Desk:
    document = {"name": "a.pdf", "content": base64_of(pdf(LINES))}
    found = await api.post("/documents", {"documents": [document]})
    document_id = found["documents"][0]["document_id"]
    await product.read_document(tenant, document_id)
    schema = {"type": "object", "properties": FIELDS, "required": list(FIELDS), "additionalProperties": False}
    form = {"type": "json_schema", "json_schema": {"name": "made", "schema": schema, "strict": True}}
    saved = await api.post("/schemas", {"name": "Schema", "response_format": form})
    body = {"name": "P", "content": "Read", "schema_id": saved["schema_id"], "model": "docagent-offline"}
    revid = (await api.post("/prompts", body))["prompt_revid"]
    await api.call("POST", f"/llm/run/{document_id}", params={"prompt_revid": revid})
    return Desk(api, document_id, revid)


async def test_a_value_is_taken_with_its_place_and_keeps_it(
    product: Product, tenant: Tenant, api: OrgApi
) -> None:
    desk = await desk_of(product, tenant, api)
    second = (await desk.words())["40.00"][1]

    taken = await desk.point("deposit", second)
    assert (taken["value"], taken["text"], taken["remark"]) == (40.0, "40.00", None)

    edited = await desk.edit({"path": "deposit", "value": 40.0, "places": taken["places"]})
    proof = edited["grounding"]["deposit"]
    assert proof["words"][0]["box"] == list(taken["places"][0]["words"][0]["box"])
    assert (proof["match"], proof["signals"]["pointed"]) == ("normalised", True)

    later = await desk.edit({"path": "number", "value": "INV-1"})
    assert later["grounding"]["deposit"]["words"] == proof["words"], "other edits leave the place alone"
    gone = await desk.edit({"path": "deposit", "value": 7})
    assert "pointed" not in gone["grounding"]["deposit"]["signals"]


async def test_dates_texts_and_what_cannot_be_read(product: Product, tenant: Tenant, api: OrgApi) -> None:
    desk = await desk_of(product, tenant, api)
    words = await desk.words()
    day, year = words["14"][0], words["2026"][0]
    assert (await desk.point("date", (*day[:2], *year[2:])))["value"] == "2026-03-14"
    number = words["INV-2041"][0]
    middle = (number[0] + number[2]) / 2, (number[1] + number[3]) / 2
    assert (await desk.point("number", (*middle, *middle)))["value"] == "INV-2041", "a click"
    unread = await desk.point("deposit", number)
    assert (unread["value"], unread["remark"]) == ("INV-2041", "“INV-2041” is not a number.")


async def test_rows_of_a_table(product: Product, tenant: Tenant, api: OrgApi) -> None:
    desk = await desk_of(product, tenant, api)
    words = await desk.words()
    left, top, _, _ = words["Subtotal"][0]
    taken = await desk.point("lines", (left - 0.01, top - 0.005, 0.99, words["Deposit"][0][3] + 0.005))
    assert taken["value"] == [{"name": "Subtotal", "amount": 40.0}, {"name": "Deposit", "amount": 40.0}]
    edited = await desk.edit({"path": "lines", "value": taken["value"], "places": taken["places"]})
    rows = edited["grounding"]["lines"]
    tops = [round(row["amount"]["words"][0]["box"][1], 4) for row in rows]
    assert tops == [box[1] for box in words["40.00"]]


async def test_what_is_refused(product: Product, tenant: Tenant, api: OrgApi) -> None:
    desk = await desk_of(product, tenant, api)
    assert "no words at this place" in (await desk.point("number", (0.9, 0.9, 1, 1), status=400))["detail"]
    assert "No rows" in (await desk.point("lines", (0.9, 0.9, 1, 1), status=400))["detail"]
    assert "no page 7" in (await desk.point("number", (0, 0, 1, 1), page=7, status=400))["detail"]
    await desk.point("number", (0, 0, 1, 2), status=422)
    place = {"path": "number", "words": [{"page": 1, "box": [0, 0, 1, 1]}]}
    refused = await desk.edit({"path": "deposit", "value": 1, "places": [place]}, status=400)
    assert (
        refused["detail"]
        == "The place of number is not one of deposit. Give places only for values that change."
    )
