"""Pictures of pages: there as soon as a document is read, made later for older ones, and only for its organisation."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

from PIL import Image

from docagent.domain.documents.pictures import (
    CELL,
    FIRST,
    PAGES_A_STRIP,
    THUMBNAIL,
    Drawing,
    Picture,
    picture_key,
    strip,
)
from docagent.domain.errors import ReadFailed, ReadFailure
from docagent.domain.ports import BlobMissing
from docagent.services.documents.pictures import PictureService
from docagent.services.housekeeping import HousekeepingService
from tests.support.made.documents import base64_of, pdf, png
from tests.support.org_api import OrgApi
from tests.support.polling import until
from tests.support.product import Product, Tenant
from tests.support.readers import NoReader


class CountingReader(NoReader):
    """A reader that draws nothing, and counts how often it was asked to."""

    def __init__(self) -> None:
        self.asked = 0

    async def draw(
        self,
        pdf: Path,
        pictures: Path,
        *,
        strip: int | None = None,
        drawings: Sequence[Drawing] = (),
        password: str | None = None,
    ) -> None:
        self.asked += 1
        raise ReadFailed(ReadFailure.DAMAGED, "This page cannot be drawn.")


async def upload(product: Product, tenant: Tenant, name: str, content: bytes) -> str:
    api = OrgApi(product.client, tenant.organization_id, tenant.headers)
    body = {"documents": [{"name": name, "content": base64_of(content)}]}
    document_id: str = (await api.post("/documents", body))["documents"][0]["document_id"]
    await product.read_document(tenant, document_id)

    async def is_shown() -> bool:
        document = await product.services.documents.get(tenant.member, document_id)
        return document.has_pdf or document.text_run_id is None

    await until(is_shown)
    return document_id


async def picture(api: OrgApi, document_id: str, name: str) -> Image.Image:
    answer = await api.call("GET", f"/documents/{document_id}/pictures/{name}")
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "image/jpeg"
    assert answer.headers["cache-control"] == "no-store"
    return Image.open(io.BytesIO(answer.content))


async def there_is_none(api: OrgApi, document_id: str, name: str) -> bool:
    answer = await api.call("GET", f"/documents/{document_id}/pictures/{name}")
    return (answer.status_code, answer.content) == (204, b"")


async def is_kept(product: Product, tenant: Tenant, document_id: str, which: Picture) -> bool:
    try:
        await product.services.blobs.size(picture_key(tenant.organization_id, document_id, which))
    except BlobMissing:
        return False
    return True


async def test_reading_leaves_pictures_of_the_first_page(
    product: Product, tenant: Tenant, api: OrgApi
) -> None:
    for name, content in (("a.pdf", pdf(["Hello"])), ("b.png", png("Hello"))):
        document_id = await upload(product, tenant, name, content)
        assert await is_kept(product, tenant, document_id, FIRST)
        first, small = [await picture(api, document_id, which) for which in ("first", "thumbnail")]
        assert 0 < first.width <= 1000
        assert small.width <= 120
        assert small.height <= 160
        assert len(set(small.convert("L").tobytes())) > 10, "words are seen on the paper"


async def test_strips_show_all_pages(product: Product, tenant: Tenant, api: OrgApi) -> None:
    document_id = await upload(product, tenant, "long.pdf", pdf(*([f"Page {n}"] for n in range(1, 31))))
    first, second = [await picture(api, document_id, f"strips/{part}") for part in (0, 1)]
    assert first.size == (CELL[0], CELL[1] * PAGES_A_STRIP)
    assert second.size == (CELL[0], CELL[1] * 6)
    assert await there_is_none(api, document_id, "strips/2")
    await api.refused(422, "GET", f"/documents/{document_id}/pictures/strips/-1")


async def test_what_an_older_version_read_is_drawn_when_somebody_looks(
    product: Product, tenant: Tenant, api: OrgApi
) -> None:
    text = await upload(product, tenant, "note.txt", b"Hello")
    assert (await picture(api, text, "thumbnail")).height == 160
    older = await upload(product, tenant, "a.pdf", pdf(["Hello"]))
    await product.services.blobs.delete(
        picture_key(tenant.organization_id, older, which) for which in (FIRST, THUMBNAIL)
    )
    pictures = await asyncio.gather(*(picture(api, older, "first") for _ in range(3)))
    assert {one.size for one in pictures} == {pictures[0].size}
    assert await is_kept(product, tenant, older, THUMBNAIL)


async def test_what_cannot_be_drawn_is_tried_once(product: Product, tenant: Tenant, api: OrgApi) -> None:
    document_id = await upload(product, tenant, "a.pdf", pdf(["Hello"]))
    services, reader = product.services, CountingReader()
    await services.blobs.delete([picture_key(tenant.organization_id, document_id, FIRST)])
    pictures = PictureService(services.db, services.blobs, reader, services.documents)
    tries = [pictures.first(tenant.member, document_id) for _ in range(3)]
    refused = await asyncio.gather(*tries)
    assert refused == [None] * 3
    assert await pictures.first(tenant.member, document_id) is None
    assert reader.asked == 1
    assert await there_is_none(api, document_id, "first")


async def test_a_locked_document_has_pictures_once_it_is_opened(
    product: Product, tenant: Tenant, api: OrgApi
) -> None:
    document_id = await upload(product, tenant, "a.pdf", pdf(["Hello"], password="secret"))
    assert await there_is_none(api, document_id, "first")
    await api.post(f"/documents/{document_id}/password", {"password": "secret"})
    await product.read_document(tenant, document_id)
    assert (await picture(api, document_id, "first")).width > 500
    assert (await picture(api, document_id, "strips/0")).size == CELL


async def test_pictures_are_private_and_go_with_the_document(
    product: Product, tenant: Tenant, api: OrgApi, stranger: OrgApi, other: Tenant
) -> None:
    document_id = await upload(product, tenant, "a.pdf", pdf(["Hello"]))
    await picture(api, document_id, "strips/0")
    await stranger.refused(404, "GET", f"/documents/{document_id}/pictures/first")
    address = f"/v0/orgs/{tenant.organization_id}/documents/{document_id}/pictures/first"
    assert (await stranger.client.get(address)).status_code == 401
    assert (await stranger.client.get(address, headers=other.headers)).status_code in (401, 403, 404)

    await api.delete(f"/documents/{document_id}")
    await api.refused(404, "GET", f"/documents/{document_id}/pictures/first")
    await HousekeepingService(product.services.db, product.services.blobs, timedelta(0)).sweep()
    for which in (FIRST, THUMBNAIL, strip(0)):
        assert not await is_kept(product, tenant, document_id, which)
