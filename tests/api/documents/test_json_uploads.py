"""Uploads in JSON: answered as if they had been read as a whole, and read in bounded memory."""

from __future__ import annotations

import base64
import json
import tracemalloc
from collections.abc import AsyncIterator
from typing import Any

import httpx2
import pytest
from fastapi import FastAPI

from docagent.api import errors
from docagent.api.rest.documents.documents import UploadIn
from docagent.services.documents.contents import decoded
from tests.support.made.documents import pdf
from tests.support.product import Tenant

MEGABYTE = 1024 * 1024
LONG = base64.b64encode(b"%PDF-1.4 " + bytes(range(256)) * 40).decode()


def document(**fields: Any) -> bytes:
    return json.dumps({"documents": [{"name": "a.pdf", "content": LONG} | fields]}).encode()


REFUSED = {
    "no JSON": b'{"documents": [{"content": "' + LONG.encode() + b'"',
    "not ended": b'{"documents": [{"content": "' + LONG.encode(),
    "control character": b'{"documents": [{"content": "' + LONG.encode() + b'\n"}]}',
    "bad escape": b'{"documents": [{"content": "' + LONG.encode() + b'\\x"}]}',
    "after the contents": document() + b" and more",
    "no UTF-8": b'{"documents": [{"content": "' + LONG.encode() + b'\xff"}]}',
    "not a list": json.dumps({"documents": {"content": LONG}}).encode(),
    "no name": json.dumps({"documents": [{"content": LONG}]}).encode(),
    "wrong types": document(name=5, tag_ids="x", metadata=[], content=LONG),
    "content of another kind": document(content=[LONG]),
    "half a pair": b'{"documents": [{"name": "a.pdf", "content": "' + LONG.encode() + b'\\ud83d"}]}',
    "NUL in the name": document(name="a\x00.pdf"),
    "nothing": b"",
    "too deep": b"[" * 100_000,
    "not base64": document(content=LONG + "!"),
    "not ASCII": document(content=LONG + "é"),
    "one too many": document(content="QUJD" * 1000 + "A"),
    "padding inside": document(content="QUI=" + LONG),
    "second of two": json.dumps(
        {"documents": [{"name": "a.pdf", "content": LONG}, {"name": "b.pdf", "content": LONG + "="}]}
    ).encode(),
    "UTF-16": document(content=LONG + "!").decode().encode("utf-16"),
    "a mark before it": b"\xef\xbb\xbf" + document(content=LONG + "?"),
}


@pytest.fixture
async def as_a_whole() -> AsyncIterator[httpx2.AsyncClient]:
    """The same route as FastAPI would read it: all of the body at once."""
    app = FastAPI()
    errors.install(app)

    @app.post("/documents")
    async def upload(body: UploadIn) -> None:
        for item in body.documents:
            decoded(item.content)

    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url="http://whole") as client:
        yield client


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.parametrize(
    "content_type", ["application/json", "application/problem+json; charset=x", "text/plain"]
)
async def test_bad_input_is_answered_as_if_it_were_read_as_a_whole(
    name: str,
    content_type: str,
    as_a_whole: httpx2.AsyncClient,
    client: httpx2.AsyncClient,
    tenant: Tenant,
) -> None:
    async def pieces() -> AsyncIterator[bytes]:
        for at in range(0, len(REFUSED[name]), 1000):
            yield REFUSED[name][at : at + 1000]

    headers = {"Content-Type": content_type}
    wanted = await as_a_whole.post("/documents", content=REFUSED[name], headers=headers)
    found = await client.post(f"{tenant.base}/documents", content=pieces(), headers=headers | tenant.headers)
    assert wanted.status_code >= 400
    assert (found.status_code, found.json()["detail"]) == (wanted.status_code, wanted.json()["detail"])


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32"])
async def test_what_was_sent_is_what_is_stored(
    encoding: str, client: httpx2.AsyncClient, tenant: Tenant
) -> None:
    files = [pdf([f"page {number}"]) for number in range(3)] + [b"short"]
    contents = [base64.b64encode(file).decode() for file in files]
    contents[1] = "data:application/pdf;base64," + contents[1]
    contents[2] = "\n".join(contents[2][at : at + 76] for at in range(0, len(contents[2]), 76))
    body = {"documents": [{"name": f"{n}.pdf", "content": text} for n, text in enumerate(contents)]}
    text = json.dumps(body).replace("/", "\\/")
    answer = await client.post(
        f"{tenant.base}/documents",
        content=text.encode(encoding),
        headers=tenant.headers | {"Content-Type": "application/json"},
    )
    assert answer.status_code == 200, answer.text
    for file, made in zip(files, answer.json()["documents"], strict=True):
        path = f"{tenant.base}/documents/{made['document_id']}/file"
        stored = await client.get(path, params={"file_type": "original"}, headers=tenant.headers)
        assert stored.content == file


async def test_a_large_upload_takes_little_memory(client: httpx2.AsyncClient, tenant: Tenant) -> None:
    piece = base64.b64encode(bytes(range(256)) * 3 * 256)

    async def body() -> AsyncIterator[bytes]:
        yield b'{"documents": [{"name": "large.txt", "content": "'
        for _ in range(120):
            yield piece
        yield b'"}]}'

    headers = tenant.headers | {"Content-Type": "application/json"}
    tracemalloc.start()
    try:
        answer = await client.post(f"{tenant.base}/documents", content=body(), headers=headers)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert answer.status_code == 200, answer.text
    assert peak < 16 * MEGABYTE, "the upload has 30 MB"


async def test_what_stands_beside_the_contents_has_a_limit(
    client: httpx2.AsyncClient, tenant: Tenant
) -> None:
    async def body() -> AsyncIterator[bytes]:
        yield b'{"documents": [{"name": "'
        for _ in range(9):
            yield b"x" * MEGABYTE
        yield b'"}]}'

    headers = tenant.headers | {"Content-Type": "application/json"}
    answer = await client.post(f"{tenant.base}/documents", content=body(), headers=headers)
    assert answer.status_code == 413
    assert "beside the contents" in answer.json()["detail"]
