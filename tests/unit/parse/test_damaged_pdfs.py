from __future__ import annotations

from pathlib import Path

import pytest

from docagent.domain.errors import ReadFailure
from tests.unit.parse.made_files import FONT, make_pdf, raw_pdf, stream, text_at
from tests.unit.parse.reading import failure_of, read


@pytest.mark.parametrize("content", [b"not a PDF at all", b"%PDF-1.7\n", bytes(range(256)) * 40])
async def test_bytes_that_are_no_pdf_are_called_damaged(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(content)
    failure = await failure_of(path)
    assert failure.failure is ReadFailure.DAMAGED
    assert "damaged" in failure.detail
    assert "Success" not in failure.detail


async def test_a_pdf_whose_end_is_missing_is_mended_or_called_damaged(tmp_path: Path) -> None:
    path = make_pdf(tmp_path / "a.pdf", text_at(72, 700, "whole"))
    content = path.read_bytes()
    path.write_bytes(content[: content.index(b"startxref")])
    assert (await read(path)).texts == ["whole"]
    path.write_bytes(content[: content.index(b"xref")])
    assert (await failure_of(path)).failure is ReadFailure.DAMAGED


async def test_a_password_is_asked_for_checked_and_used(tmp_path: Path) -> None:
    path = make_pdf(tmp_path / "a.pdf", text_at(72, 700, "secret text"), password="open sesame")
    asked = await failure_of(path)
    assert asked.failure is ReadFailure.ENCRYPTED
    assert "password" in asked.detail
    assert (await failure_of(path, password="wrong")).failure is ReadFailure.WRONG_PASSWORD
    assert (await read(path, password="open sesame")).page.text == "secret text"


async def test_a_pdf_with_an_owner_password_alone_is_read(tmp_path: Path) -> None:
    path = make_pdf(tmp_path / "a.pdf", text_at(72, 700, "not to be copied"), password="")
    assert (await read(path)).page.text == "not to be copied"


def _pages(path: Path, second_page: bytes, *, first_is_whole: bool) -> Path:
    page = (
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 5 0 R "
        b"/Resources << /Font << /F 6 0 R >> >> >>"
    )
    return raw_pdf(
        path,
        {
            1: b"<< /Type /Catalog /Pages 2 0 R >>",
            2: b"<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>",
            3: page if first_is_whole else second_page,
            4: second_page,
            5: stream(b"BT /F 12 Tf 72 700 Td (whole page) Tj ET"),
            6: FONT,
        },
    )


async def test_a_damaged_page_does_not_cost_the_others(tmp_path: Path) -> None:
    result = await read(_pages(tmp_path / "a.pdf", b"(no page)", first_is_whole=True))
    assert result.texts == ["whole page", ""]
    assert result.pages[1].note == "This page is damaged and could not be read."


async def test_a_pdf_with_damaged_pages_only_is_called_damaged(tmp_path: Path) -> None:
    failure = await failure_of(_pages(tmp_path / "a.pdf", b"(no page)", first_is_whole=False))
    assert failure.failure is ReadFailure.DAMAGED
