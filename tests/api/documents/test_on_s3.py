"""The product with its files in an S3-compatible store: grown by settings, not by code."""

from __future__ import annotations

from pathlib import Path

import pytest

from docagent.domain.ports import BlobMissing, BlobStore
from tests.conftest import make_settings, running_product
from tests.support.made.documents import base64_of, pdf, png
from tests.support.org_api import OrgApi
from tests.support.polling import until
from tests.support.services.s3 import running_s3


async def test_documents_live_in_the_bucket_and_leave_it_when_purged(tmp_path: Path) -> None:
    with running_s3() as s3:
        blobs: dict[str, object] = {
            "bucket": s3.bucket,
            "endpoint": s3.endpoint,
            "access_key_id": s3.access_key,
            "secret_access_key": s3.secret_key,
            "prefix": "docagent",
        }
        settings = make_settings(tmp_path, blobs=blobs, documents={"purge_after_days": 0})
        async with running_product(settings) as product:
            tenant = await product.new_tenant()
            api = OrgApi(product.client, tenant.organization_id, tenant.headers)
            content = pdf(["Kept far away"])
            new = [
                {"name": "a.pdf", "content": base64_of(content)},
                {"name": "b.png", "content": base64_of(png("Also far"))},
            ]
            uploaded = (await api.post("/documents", {"documents": new}))["documents"]
            first, second = (item["document_id"] for item in uploaded)
            assert (await product.read_document(tenant, first))["state"] == "ocr_completed"
            await product.read_document(tenant, second)
            original = await api.call("GET", f"/documents/{first}/file", params={"file_type": "original"})
            assert original.content == content
            shown = await api.call("GET", f"/documents/{second}/file", params={"file_type": "pdf"})
            assert shown.content.startswith(b"%PDF-")
            assert not (tmp_path / "blobs").exists()

            document = await product.services.documents.get(tenant.member, second)
            await api.delete(f"/documents/{second}")
            await product.services.housekeeping.sweep()
            with pytest.raises(BlobMissing):
                await product.services.blobs.size(document.original_key)
            # The worker may still have been making the PDF.
            await until(lambda: _is_missing(product.services.blobs, document.pdf_key))
            assert (await product.client.get("/ready")).json() == {"status": "ready"}


async def _is_missing(blobs: BlobStore, key: str) -> bool:
    try:
        await blobs.size(key)
    except BlobMissing:
        return True
    return False
