"""Every format from the upload to its text and its PDF, through the stored file, with LibreOffice and without it."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from docagent.domain.documents.formats import FORMATS
from tests.support.made.documents import base64_of, pdf
from tests.support.made.formats import MADE, SAYS
from tests.support.org_api import OrgApi
from tests.support.product import Product, Tenant
from tests.support.services.office import install_office, only_programs_in

CONVERTED = {extension for extension, format in FORMATS.items() if format.shown.is_converted}


async def _read(
    product: Product, tenant: Tenant, api: OrgApi, extensions: Collection[str]
) -> dict[str, tuple[str, str | None, str]]:
    """Upload a file of each format. Return of each its text, why it could not be read, and how its PDF begins."""
    sent = [{"name": f"a{extension}", "content": base64_of(MADE[extension]())} for extension in extensions]
    answer = await api.post("/documents", {"documents": sent})
    found = {}
    for extension, document in zip(extensions, answer["documents"], strict=True):
        document_id = document["document_id"]
        assert document["type"] == FORMATS[extension].mime_type
        read = await product.read_document(tenant, document_id)
        pages = (await api.get(f"/ocr/words/{document_id}"))["pages"] if not read["state_reason"] else []
        text = " ".join(word[0] for page in pages for line in page["lines"] for word in line)
        shown = await api.call("GET", f"/documents/{document_id}/file", params={"file_type": "pdf"})
        found[extension] = (text, read["state_reason_code"], shown.content[:4].decode())
    return found


async def test_every_format_is_read_and_shown_without_libreoffice(
    product: Product, tenant: Tenant, api: OrgApi, tmp_path: Path
) -> None:
    with only_programs_in(tmp_path):
        found = await _read(product, tenant, api, FORMATS)
    assert found.pop(".doc")[1] == "converter_missing"
    for extension, (text, reason, shown) in found.items():
        assert (extension, SAYS in text, reason) == (extension, True, None), text
        assert (extension, shown == "%PDF") == (extension, extension not in CONVERTED)


async def test_office_files_are_read_and_shown_as_libreoffice_converts_them(
    product: Product, tenant: Tenant, api: OrgApi, tmp_path: Path
) -> None:
    made = tmp_path / "made.pdf"
    made.write_bytes(pdf(["as converted"]))
    with only_programs_in(tmp_path):
        install_office(tmp_path, tmp_path / "report", pdf=made)
        found = await _read(product, tenant, api, CONVERTED)
    for extension, (text, reason, shown) in found.items():
        assert (extension, text, reason, shown) == (extension, "as converted", None, "%PDF")
    given = {path.name for path in (tmp_path / "report").iterdir()}
    assert {f"document{extension}" for extension in CONVERTED} < given
