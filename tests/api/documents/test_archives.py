"""Several documents as one zip file."""

from __future__ import annotations

import io
import zipfile

import pytest

from tests.support.made.documents import base64_of, pdf
from tests.support.org_api import OrgApi
from tests.support.product import Product, Tenant

UNKNOWN = "0123456789abcdef01234567"


async def upload(api: OrgApi, name: str, content: bytes) -> str:
    body = {"documents": [{"name": name, "content": base64_of(content)}]}
    document_id: str = (await api.post("/documents", body))["documents"][0]["document_id"]
    return document_id


async def test_the_originals_come_as_one_zip_under_names_of_their_own(api: OrgApi) -> None:
    contents = {"Brief ü.pdf": pdf(["Hello"]), "note.txt": b"one", "NOTE.txt": b"two", "a/b.md": b"three"}
    ids = [await upload(api, name, content) for name, content in contents.items()]
    answer = await api.call("POST", "/documents/download", json={"document_ids": [*ids, ids[0]]})
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/zip"
    assert answer.headers["content-disposition"] == 'attachment; filename="documents.zip"'
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        assert archive.testzip() is None
        found = {name: archive.read(name) for name in archive.namelist()}
    expected = ["Brief ü.pdf", "note.txt", "NOTE (2).txt", "a_b.md"]
    assert found == dict(zip(expected, contents.values(), strict=True))


async def test_an_original_of_many_chunks_is_whole(api: OrgApi) -> None:
    content = bytes(range(256)) * 20_000
    document_id = await upload(api, "large.txt", content)
    answer = await api.call("POST", "/documents/download", json={"document_ids": [document_id]})
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        assert archive.read("large.txt") == content


async def test_what_is_not_there_refuses_the_whole(
    product: Product, tenant: Tenant, api: OrgApi, other: Tenant
) -> None:
    mine = await upload(api, "mine.txt", b"mine")
    theirs = await upload(OrgApi(product.client, other.organization_id, other.headers), "theirs.txt", b"x")
    for missing in (UNKNOWN, theirs, "no id"):
        body = {"document_ids": [mine, missing]}
        assert await api.refused(404, "POST", "/documents/download", body) == "Document not found"
    document = await product.services.documents.get(tenant.member, mine)
    await product.services.blobs.delete([document.original_key])
    body = {"document_ids": [mine]}
    assert await api.refused(404, "POST", "/documents/download", body) == "File not found"


@pytest.mark.parametrize("ids", [[], ["x"] * 1001])
async def test_a_list_is_neither_empty_nor_endless(api: OrgApi, ids: list[str]) -> None:
    await api.refused(422, "POST", "/documents/download", {"document_ids": ids})
