"""Nothing of a document stays behind once it is removed for good."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

import pytest

from docagent.domain.documents.documents import Document
from docagent.domain.documents.pictures import FIRST, Drawing, every_picture, picture_key
from docagent.domain.ports import BlobMissing
from docagent.security import Secrets
from docagent.services.documents.documents import DocumentService
from docagent.services.documents.pictures import PictureService
from docagent.services.housekeeping import HousekeepingService
from tests.conftest import SECRET
from tests.support.org_api import OrgApi
from tests.support.polling import until
from tests.support.product import Product, Tenant
from tests.support.readers import NoReader
from tests.support.services.databases import on_each_database

pytestmark = on_each_database


class SlowReader(NoReader):
    """A reader during whose work the document is deleted and removed for good."""

    def __init__(self, api: OrgApi, product: Product, document_id: str) -> None:
        self._api = api
        self._sweeps = HousekeepingService(product.services.db, product.services.blobs, timedelta(0))
        self._document_id = document_id

    async def make_pdf(
        self, path: Path, extension: str, target: Path, *, password: str | None = None
    ) -> None:
        await asyncio.to_thread(target.write_bytes, b"%PDF-1.7")
        await self._remove()

    async def draw(
        self,
        pdf: Path,
        pictures: Path,
        *,
        strip: int | None = None,
        drawings: Sequence[Drawing] = (),
        password: str | None = None,
    ) -> None:
        await asyncio.to_thread((pictures / FIRST.name).write_bytes, b"JPEG")
        await self._remove()

    async def _remove(self) -> None:
        await self._api.delete(f"/documents/{self._document_id}")
        await self._sweeps.sweep()


async def read_document(product: Product, tenant: Tenant, api: OrgApi) -> Document:
    """A document of which the worker has made a PDF."""
    document_id = await api.add_document()
    documents = product.services.documents

    async def worker_is_done() -> bool:
        return (await documents.get(tenant.member, document_id)).has_pdf

    await until(worker_is_done)
    return await documents.get(tenant.member, document_id)


async def test_a_pdf_that_was_being_made_meanwhile(product: Product, tenant: Tenant, api: OrgApi) -> None:
    services = product.services
    document = await read_document(product, tenant, api)
    reader = SlowReader(api, product, document.id)
    slow = DocumentService(
        services.db, services.blobs, reader, services.jobs, Secrets(SECRET), 10, services.bus
    )
    await slow.make_pdf(document)
    for key in (document.original_key, document.pdf_key):
        with pytest.raises(BlobMissing):
            await services.blobs.size(key)


async def test_a_picture_that_was_being_drawn_meanwhile(
    product: Product, tenant: Tenant, api: OrgApi
) -> None:
    services = product.services
    document = await read_document(product, tenant, api)
    reader = SlowReader(api, product, document.id)
    slow = PictureService(services.db, services.blobs, reader, services.documents)
    assert await slow.first(tenant.member, document.id) is None
    for picture in every_picture(document.page_count or 0):
        with pytest.raises(BlobMissing):
            await services.blobs.size(picture_key(tenant.organization_id, document.id, picture))
