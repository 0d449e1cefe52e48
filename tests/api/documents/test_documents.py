"""Documents: upload, list, fetch, change, delete, and the text that is read from them."""

from __future__ import annotations

import asyncio
import base64
import io
import json
from pathlib import Path
from typing import Any

import docx
import httpx2
import openpyxl
import pytest
from msoffcrypto.format.ooxml import OOXMLFile
from reportlab.pdfgen.canvas import Canvas

from tests.support.made.documents import base64_of, pdf, png
from tests.support.org_api import OrgApi
from tests.support.product import Product, Tenant
from tests.support.services.databases import on_each_database
from tests.support.services.office import only_programs_in

UNKNOWN = "0123456789abcdef01234567"


async def upload(api: OrgApi, name: str, content: bytes, **more: Any) -> str:
    body = {"documents": [{"name": name, "content": base64_of(content), **more}]}
    document_id: str = (await api.post("/documents", body))["documents"][0]["document_id"]
    return document_id


@on_each_database
async def test_a_document_comes_back_byte_for_byte(api: OrgApi) -> None:
    content = pdf(["Hello"])
    document_id = await upload(api, "Brief ü.pdf", content, metadata={"k": "v"})
    document = await api.get(f"/documents/{document_id}")
    assert base64.b64decode(document["content"]) == content
    assert document["document_name"] == "Brief ü.pdf"
    assert document["uploaded_by"] == "t"
    assert document["type"] == "application/pdf"
    assert document["metadata"] == {"k": "v"}
    assert document["upload_date"].endswith("Z")
    assert (await api.get(f"/documents/{document_id}", include_content="False"))["content"] is None


async def test_a_download_carries_its_name_and_type(api: OrgApi) -> None:
    document_id = await upload(api, 'a "b" ü.txt', b"text")
    answer = await api.call("GET", f"/documents/{document_id}/file", params={"file_type": "original"})
    assert answer.content == b"text"
    assert answer.headers["content-type"].startswith("text/plain")
    assert answer.headers["content-disposition"] == (
        "attachment; filename=\"a _b_ _.txt\"; filename*=UTF-8''a%20%22b%22%20%C3%BC.txt"
    )


async def test_a_data_url_is_taken_for_its_content(api: OrgApi) -> None:
    body = {"documents": [{"name": "a.txt", "content": "data:text/plain;base64," + base64_of(b"hi")}]}
    document_id = (await api.post("/documents", body))["documents"][0]["document_id"]
    assert base64.b64decode((await api.get(f"/documents/{document_id}"))["content"]) == b"hi"


@on_each_database
async def test_a_multipart_upload_takes_tags_and_metadata(api: OrgApi) -> None:
    tag = (await api.post("/tags", {"name": "inv"}))["id"]
    answer = await api.call(
        "POST",
        "/documents/multipart",
        files={"file": ("a.txt", b"text")},
        data={"name": "b.txt", "tag_ids": json.dumps([tag]), "metadata": json.dumps({"a": "b"})},
    )
    document = answer.json()["document"]
    assert (document["document_name"], document["tag_ids"], document["metadata"]) == (
        "b.txt",
        [tag],
        {"a": "b"},
    )


@pytest.mark.parametrize(
    ("fields", "detail"),
    [
        ({"tag_ids": "["}, "Invalid tag_ids JSON: "),
        ({"tag_ids": '{"a": 1}'}, "tag_ids must be a JSON array of strings"),
        ({"metadata": "{"}, "Invalid metadata JSON: "),
        ({"metadata": '{"a": 1}'}, "metadata must be a JSON object with string values"),
        ({"tag_ids": f'["{UNKNOWN}"]'}, f"Invalid tag IDs: ['{UNKNOWN}']"),
        ({"name": "a.exe"}, "Unsupported file extension .exe: a.exe"),
    ],
)
async def test_a_bad_multipart_upload_says_what_is_wrong(
    api: OrgApi, fields: dict[str, str], detail: str
) -> None:
    answer = await api.call("POST", "/documents/multipart", files={"file": ("a.txt", b"x")}, data=fields)
    assert answer.status_code == 400
    assert answer.json()["detail"].startswith(detail)


@on_each_database
@pytest.mark.parametrize(
    ("document", "detail"),
    [
        ({"name": "a.exe", "content": ""}, "Unsupported file extension .exe: a.exe"),
        ({"name": "noextension", "content": ""}, "Unsupported file extension : noextension"),
        ({"name": "a.pdf", "content": "§§§"}, "Invalid base64 content: "),
        ({"name": "a.pdf", "content": ""}, "a.pdf is empty."),
        ({"name": "a.pdf", "content": "eA==", "tag_ids": ["zz"]}, "Invalid tag IDs: ['zz']"),
        ({"name": "a\n.pdf", "content": "eA=="}, "A document's name cannot hold control characters."),
        ({"name": "x" * 600 + ".pdf", "content": "eA=="}, "A document needs a name of 1 to 500 characters."),
    ],
)
async def test_one_bad_document_leaves_none_stored(
    api: OrgApi, document: dict[str, Any], detail: str
) -> None:
    good = {"name": "good.txt", "content": base64_of(b"good")}
    refusal = await api.refused(400, "POST", "/documents", {"documents": [good, document]})
    assert refusal.startswith(detail)
    assert (await api.get("/documents"))["total_count"] == 0


@on_each_database
async def test_the_same_bytes_twice_are_reported_not_refused(api: OrgApi, stranger: OrgApi) -> None:
    first = await upload(api, "a.txt", b"same")
    await upload(stranger, "theirs.txt", b"same")
    body = {"documents": [{"name": "b.txt", "content": base64_of(b"same")}]}
    again = (await api.post("/documents", body))["documents"][0]
    assert again["duplicate_of"] == [first]


@on_each_database
async def test_update_changes_only_what_is_named(api: OrgApi) -> None:
    tag = (await api.post("/tags", {"name": "inv"}))["id"]
    document_id = await upload(api, "a.txt", b"x", tag_ids=[tag], metadata={"a": "b"})
    path = f"/documents/{document_id}"
    assert await api.put(path, {}) == {"message": "No updates provided"}
    assert await api.put(path, {"document_name": "b.txt"}) == {"message": "Document updated successfully"}
    assert await api.put(path, {"metadata": {}}) == {"message": "Document updated successfully"}
    document = await api.get(path)
    assert (document["document_name"], document["metadata"], document["tag_ids"]) == ("b.txt", {}, [tag])
    assert await api.refused(400, "PUT", path, {"tag_ids": [UNKNOWN]}) == f"Invalid tag IDs: ['{UNKNOWN}']"
    assert await api.refused(404, "PUT", f"/documents/{UNKNOWN}", {}) == "Document not found"


@on_each_database
async def test_a_deleted_document_is_gone_for_every_reader(
    product: Product, tenant: Tenant, api: OrgApi
) -> None:
    document_id = await upload(api, "a.pdf", pdf(["Hello"]))
    await product.read_document(tenant, document_id)
    assert await api.delete(f"/documents/{document_id}") == {"message": "Document deleted successfully"}
    for path in (
        f"/documents/{document_id}",
        f"/documents/{document_id}?file_type=pdf",
        f"/documents/{document_id}/file",
        f"/ocr/download/text/{document_id}",
        f"/ocr/download/blocks/{document_id}",
    ):
        assert await api.refused(404, "GET", path) == "Document not found"
    assert await api.refused(404, "DELETE", f"/documents/{document_id}") == "Document not found"
    assert (await api.get("/documents"))["documents"] == []


@pytest.mark.parametrize("bad", ["notanid", "zz", UNKNOWN, "%00", "../../etc/passwd"])
async def test_ids_that_are_none_are_not_found(api: OrgApi, bad: str) -> None:
    answer = await api.call("GET", f"/documents/{bad}")
    assert answer.status_code == 404


# --- lists ----------------------------------------------------------------------------------------------------


async def names(api: OrgApi, **params: Any) -> list[str]:
    return [document["document_name"] for document in (await api.get("/documents", **params))["documents"]]


@on_each_database
async def test_lists_are_newest_first_and_paged(api: OrgApi) -> None:
    for number in range(5):
        await upload(api, f"{number}.txt", b"x%d" % number)
    assert await names(api) == ["4.txt", "3.txt", "2.txt", "1.txt", "0.txt"]
    page = await api.get("/documents", skip=1, limit=2)
    assert [item["document_name"] for item in page["documents"]] == ["3.txt", "2.txt"]
    assert (page["total_count"], page["skip"]) == (5, 1)
    assert await names(api, skip=3, limit=2) == ["1.txt", "0.txt"]
    assert await names(api, skip=4, limit=10) == ["0.txt"]
    assert await names(api, skip=5) == []
    for params in ({"limit": 0}, {"limit": 1001}, {"skip": -1}):
        await api.refused(422, "GET", "/documents", None, **params)


@on_each_database
async def test_name_search_ranks_whole_names_then_beginnings(api: OrgApi) -> None:
    for name in ("my inv.pdf.txt", "Inv.pdf", "inv.pdf.md", "other.txt", "50%_off.txt", "500_off.txt"):
        await upload(api, name, name.encode())
    assert await names(api, name_search="INV.PDF") == ["Inv.pdf", "inv.pdf.md", "my inv.pdf.txt"]
    assert await names(api, name_search="50%_") == ["50%_off.txt"]
    assert await names(api, name_search=".*") == []


@on_each_database
async def test_metadata_search_decodes_each_pair_again(api: OrgApi) -> None:
    await upload(api, "a.txt", b"a", metadata={"kind": "invoice, final", "n": "1=2"})
    await upload(api, "b.txt", b"b", metadata={"kind": "invoice", "n": "1"})
    assert await names(api, metadata_search="kind=invoice") == ["b.txt"]
    assert await names(api, metadata_search="kind=invoice%2C%20final,n=1%3D2") == ["a.txt"]
    assert await names(api, metadata_search=" kind =invoice,nonsense") == ["b.txt"]
    assert await names(api, metadata_search="kind=invoice,n=2") == []


@on_each_database
async def test_tags_must_all_match(api: OrgApi) -> None:
    one = (await api.post("/tags", {"name": "One"}))["id"]
    two = (await api.post("/tags", {"name": "Two"}))["id"]
    await upload(api, "a.txt", b"a", tag_ids=[one])
    await upload(api, "b.txt", b"b", tag_ids=[one, two])
    assert await names(api, tag_ids=one) == ["b.txt", "a.txt"]
    assert await names(api, tag_ids=f"{one},{two}") == ["b.txt"]
    assert await names(api, tag_ids="zz") == []
    by_name = {"items": [{"field": "tag_ids", "operator": "contains", "value": "two"}]}
    assert await names(api, filters=json.dumps(by_name)) == ["b.txt"]


@on_each_database
async def test_sort_and_filters(api: OrgApi) -> None:
    for name in ("b.txt", "A.txt", "c.md"):
        await upload(api, name, name.encode())
    ascending = json.dumps([{"field": "document_name", "sort": "asc"}])
    assert await names(api, sort=ascending) == ["A.txt", "b.txt", "c.md"]
    alias = json.dumps([{"field": "documentName", "sort": "desc"}, {"field": "nonsense", "sort": "asc"}])
    assert await names(api, sort=alias) == ["c.md", "b.txt", "A.txt"]
    either = json.dumps(
        {
            "items": [
                {"field": "document_name", "operator": "starts with", "value": "a"},
                {"field": "document_name", "operator": "endsWith", "value": ".MD"},
            ],
            "logicOperator": "or",
        }
    )
    assert await names(api, filters=either, sort=ascending) == ["A.txt", "c.md"]
    assert await api.refused(400, "GET", "/documents", None, sort="[") == "Invalid sort JSON"
    assert await api.refused(400, "GET", "/documents", None, filters="{") == "Invalid filters JSON"


# --- text -----------------------------------------------------------------------------------------------------


@on_each_database
async def test_the_text_of_a_pdf_is_read_and_served_in_every_form(
    product: Product, tenant: Tenant, api: OrgApi
) -> None:
    document_id = await upload(api, "a.pdf", pdf(["Invoice 42", "Total 17.50"], ["Second page"]))
    document = await product.read_document(tenant, document_id)
    assert (document["state"], document["page_count"], document["pages_read"]) == ("ocr_completed", 2, 2)
    text = await api.call("GET", f"/ocr/download/text/{document_id}")
    assert text.headers["content-type"].startswith("text/plain")
    assert text.text == "Invoice 42\nTotal 17.50\nSecond page"
    second = await api.call("GET", f"/ocr/download/text/{document_id}", params={"page_num": 2})
    assert second.text == "Second page"
    refusal = await api.refused(404, "GET", f"/ocr/download/text/{document_id}", None, page_num=3)
    assert refusal == "OCR text not found"

    payload = await api.get(f"/ocr/download/json/{document_id}")
    assert payload["DocumentMetadata"] == {"Pages": 2}
    words = [block["Text"] for block in payload["Blocks"] if block["BlockType"] == "WORD"]
    assert words == ["Invoice", "42", "Total", "17.50", "Second", "page"]
    invoice = next(block for block in payload["Blocks"] if block.get("Text") == "Invoice")
    box = invoice["Geometry"]["BoundingBox"]
    assert box["Left"] == pytest.approx(72 / 612, abs=0.005)
    assert box["Top"] + box["Height"] == pytest.approx((792 - 720) / 792, abs=0.01)
    assert await api.get(f"/ocr/download/json/{document_id}", format="gzip") == payload
    assert await api.get(f"/ocr/download/blocks/{document_id}") == payload["Blocks"]
    await api.refused(422, "GET", f"/ocr/download/json/{document_id}", None, format="xml")

    metadata = await api.get(f"/ocr/download/metadata/{document_id}")
    assert metadata["n_pages"] == 2
    assert metadata["ocr_date"].endswith("Z")
    markdown = await api.call("GET", f"/ocr/export/markdown/{document_id}")
    assert markdown.headers["content-type"].startswith("text/markdown")
    assert "Invoice 42" in markdown.text
    page = await api.call("GET", f"/ocr/export/html/{document_id}")
    assert "Second page" in page.text


async def test_tables_come_as_a_workbook(product: Product, tenant: Tenant, api: OrgApi) -> None:
    rows = [
        ("Item", "Qty", "Amount"),
        ("Bolts", "4", "12.00"),
        ("Nuts", "10", "3.50"),
        ("Washers", "7", "1.25"),
    ]
    document_id = await upload(api, "t.pdf", table_pdf(rows))
    plain = await upload(api, "p.pdf", pdf(["No table here"]))
    await product.read_document(tenant, document_id)
    await product.read_document(tenant, plain)
    answer = await api.call("GET", f"/ocr/export/tables.xlsx/{document_id}")
    assert answer.status_code == 200, answer.text
    sheet = openpyxl.load_workbook(io.BytesIO(answer.content)).worksheets[0]
    assert [[cell.value for cell in row] for row in sheet.iter_rows()][1] == ["Bolts", 4, 12]
    refusal = await api.refused(404, "GET", f"/ocr/export/tables.xlsx/{plain}")
    assert refusal == "No tables were found in this document."
    await api.refused(404, "GET", f"/ocr/export/tables.xlsx/{document_id}", None, table_index=7)


def table_pdf(rows: list[tuple[str, str, str]]) -> bytes:
    target = io.BytesIO()
    canvas = Canvas(target, pagesize=(612, 792))
    for number, row in enumerate(rows):
        for column, text in enumerate(row):
            canvas.drawString(72 + 150 * column, 700 - 20 * number, text)
    canvas.save()
    return target.getvalue()


async def test_a_scan_is_recognised(product: Product, tenant: Tenant, api: OrgApi) -> None:
    document_id = await upload(api, "scan.png", png("Invoice 2041 Total"))
    assert (await product.read_document(tenant, document_id))["state"] == "ocr_completed"
    text = await api.call("GET", f"/ocr/download/text/{document_id}")
    assert text.text == "Invoice 2041 Total"
    shown = await api.call("GET", f"/documents/{document_id}/file")
    assert shown.headers["content-type"] == "application/pdf"
    assert shown.content.startswith(b"%PDF-")


async def test_pages_without_text_are_named_beside_the_state(
    product: Product, tenant: Tenant, api: OrgApi
) -> None:
    document_id = await upload(api, "gaps.pdf", pdf(["First"], [], ["Third"], []))

    document = await product.read_document(tenant, document_id)

    assert (document["state"], document["state_reason_code"]) == ("ocr_completed", "no_text")
    assert document["state_reason"] == (
        "No text was found on pages 2 and 4. If there is something to read, upload a sharper scan."
    )


@on_each_database
@pytest.mark.parametrize(
    ("name", "content", "advice"),
    [
        ("blank.png", png(" "), "upload a sharper picture."),
        ("blank.md", b" ", "print the file to a PDF and upload that."),
    ],
)
async def test_the_advice_fits_the_kind_of_file(
    product: Product, tenant: Tenant, api: OrgApi, name: str, content: bytes, advice: str
) -> None:
    document_id = await upload(api, name, content)
    assert (await product.read_document(tenant, document_id))["state_reason"].endswith(advice)


async def test_many_pages_without_text_are_counted(product: Product, tenant: Tenant, api: OrgApi) -> None:
    document_id = await upload(api, "blank.pdf", pdf(*[[]] * 11))

    document = await product.read_document(tenant, document_id)

    assert "on pages 1, 2, 3, 4, 5, 6, 7, 8 and 3 more." in document["state_reason"]


async def test_an_encrypted_pdf_asks_for_its_password(product: Product, tenant: Tenant, api: OrgApi) -> None:
    document_id = await upload(api, "secret.pdf", pdf(["Hidden words"], password="sesame"))
    document = await product.read_document(tenant, document_id)
    assert (document["state"], document["state_reason_code"]) == ("ocr_failed", "encrypted")
    assert "password" in document["state_reason"]
    await api.post(f"/documents/{document_id}/password", {"password": "wrong"})
    document = await product.read_document(tenant, document_id)
    assert document["state_reason_code"] == "wrong_password"
    await api.post(f"/documents/{document_id}/password", {"password": "sesame"})
    assert (await product.read_document(tenant, document_id))["state"] == "ocr_completed"
    assert (await api.call("GET", f"/ocr/download/text/{document_id}")).text == "Hidden words"
    await api.refused(400, "POST", f"/documents/{document_id}/password", {"password": "again"})


async def test_a_protected_office_file_asks_for_its_password(
    product: Product, tenant: Tenant, api: OrgApi, tmp_path: Path
) -> None:
    made, locked = io.BytesIO(), io.BytesIO()
    document = docx.Document()
    document.add_paragraph("Locked words")
    document.save(made)
    OOXMLFile(made).encrypt("sesame", locked)
    with only_programs_in(tmp_path):
        document_id = await upload(api, "secret.docx", locked.getvalue())
        for password, code in ((None, "encrypted"), ("wrong", "wrong_password"), ("sesame", None)):
            if password is not None:
                await api.post(f"/documents/{document_id}/password", {"password": password})
            read = await product.read_document(tenant, document_id)
            assert read["state_reason_code"] == code
            assert (read["state"] == "ocr_completed") == (code is None)
        assert (await api.call("GET", f"/ocr/download/text/{document_id}")).text == "Locked words"


async def test_a_damaged_file_fails_with_a_reason_and_is_kept(
    product: Product, tenant: Tenant, api: OrgApi
) -> None:
    document_id = await upload(api, "bad.pdf", b"this is no PDF at all")
    document = await product.read_document(tenant, document_id)
    assert (document["state"], document["state_reason_code"]) == ("ocr_failed", "damaged")
    assert document["state_reason"]
    original = await api.call("GET", f"/documents/{document_id}/file", params={"file_type": "original"})
    assert original.content == b"this is no PDF at all"


async def test_text_files_have_text_and_a_pdf_but_no_ocr(
    product: Product, tenant: Tenant, api: OrgApi
) -> None:
    document_id = await upload(api, "a.csv", b"name,amount\nBolts,12\n")
    assert (await product.read_document(tenant, document_id))["state"] == "ocr_completed"
    refusal = await api.refused(404, "GET", f"/ocr/download/text/{document_id}")
    assert refusal == "OCR not supported for this document extension"
    refusal = await api.refused(400, "POST", f"/ocr/run/{document_id}")
    assert refusal == "Document type does not support OCR"
    shown = await api.call("GET", f"/documents/{document_id}/file", params={"file_type": "pdf"})
    assert shown.content.startswith(b"%PDF-")


@on_each_database
async def test_reading_again_replaces_the_text(product: Product, tenant: Tenant, api: OrgApi) -> None:
    document_id = await upload(api, "a.pdf", pdf(["Hello"]))
    await product.read_document(tenant, document_id)
    again = await api.call("POST", f"/ocr/run/{document_id}", params={"force": "False"})
    assert again.json() == {"status": "up_to_date", "document_id": document_id}
    again = await api.call("POST", f"/ocr/run/{document_id}", params={"ocr_only": "true"})
    assert again.json() == {"status": "queued", "document_id": document_id}
    await product.read_document(tenant, document_id)
    jobs = await api.get("/jobs", document_id=document_id)
    assert [job["state"] for job in jobs["jobs"]] == ["done", "done"]
    assert (await api.call("GET", f"/ocr/download/text/{document_id}")).text == "Hello"


@on_each_database
async def test_bulk_analysis_names_what_would_be_read(product: Product, tenant: Tenant, api: OrgApi) -> None:
    tag = (await api.post("/tags", {"name": "bulk"}))["id"]
    read = await upload(api, "read.pdf", pdf(["Hello"]), tag_ids=[tag], metadata={"a": "b"})
    failed = await upload(api, "failed.pdf", b"nonsense", tag_ids=[tag])
    await upload(api, "untagged.pdf", pdf(["Other"]))
    await asyncio.gather(*(product.read_document(tenant, item) for item in (read, failed)))
    missing = await api.post("/ocr/bulk-analyze", {"tag_id": tag, "mode": "missing"})
    assert missing["executions"] == [
        {"document_id": failed, "document_name": "failed.pdf", "reason": "missing"}
    ]
    filtered = await api.post(
        "/ocr/bulk-analyze", {"mode": "all", "document_filters": {"metadata_search": {"a": "b"}}}
    )
    assert [item["document_id"] for item in filtered["executions"]] == [read]


@on_each_database
async def test_an_upload_over_the_limit_is_refused_before_it_is_kept(
    product: Product, tenant: Tenant, client: httpx2.AsyncClient
) -> None:
    megabyte = b"0" * 1024 * 1024

    async def endless() -> Any:
        yield b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n'
        for _ in range(product.settings.documents.upload_limit_mb * 2):
            yield megabyte

    answer = await client.post(
        f"{tenant.base}/documents/multipart",
        content=endless(),
        headers={**tenant.headers, "Content-Type": "multipart/form-data; boundary=b"},
    )
    assert answer.status_code == 413
    assert "larger" in answer.json()["detail"]
