from __future__ import annotations

from pathlib import Path

import pypdfium2 as pdfium
import pytest

from docagent.adapters.parse.limits import ReadLimits
from docagent.adapters.parse.plain.plainlayout import COLUMNS, ROWS, cells, paginate
from docagent.adapters.parse.reader import ChildProcessReader
from docagent.domain.documents.text import Box
from docagent.domain.errors import ReadFailure
from tests.unit.parse.reading import failure_of, read, word


@pytest.mark.parametrize(
    "content",
    [
        "Größe: 5 €".encode(),
        "Größe: 5 €".encode("utf-8-sig"),
        "Größe: 5 €".encode("utf-16"),
        "Größe: 5 €".encode("utf-16-le"),
        "Größe: 5 €".encode("utf-16-be"),
        "Größe: 5 €".encode("utf-32"),
        "Größe: 5 €".encode("cp1252"),
    ],
)
async def test_encodings_are_recognised(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(content)
    assert (await read(path)).page.text == "Größe: 5 €"


async def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(bytes(range(32)) * 50 + b"\x90\x80\x81")
    assert (await failure_of(path)).failure is ReadFailure.UNSUPPORTED


async def test_a_table_is_laid_out_in_columns(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text('Item;Amount\n"Large; blue";12,50\nSmall;3,00\n', encoding="utf-8")
    page = (await read(path)).page
    assert page.text.splitlines() == ["Item Amount", "Large; blue 12,50", "Small 3,00"]
    assert word(page, "Amount").box.left == word(page, "12,50").box.left == word(page, "3,00").box.left


async def test_the_pdf_shows_every_word_where_the_reader_says(tmp_path: Path) -> None:
    path, target = tmp_path / "a.md", tmp_path / "a.pdf"
    paragraph = " ".join(f"word{number}" for number in range(400))
    path.write_text(f"# Title\n\n\t- indented Ünïcödé\n\n{paragraph}\n" + "line\n" * 150, encoding="utf-8")
    await ChildProcessReader().make_pdf(path, ".md", target)
    said, shown = await read(path), await read(target)
    assert len(said.pages) == len(shown.pages) > 1
    for said_page, shown_page in zip(said.pages, shown.pages, strict=True):
        assert said_page.text == shown_page.text
        for said_word, shown_word in zip(said_page.words, shown_page.words, strict=True):
            assert _encloses(said_word.box, shown_word.box)


def _encloses(outer: Box, inner: Box) -> bool:
    slack = 0.002
    return (
        outer.left - slack <= inner.left
        and outer.top - slack <= inner.top
        and inner.right <= outer.right + slack
        and inner.bottom <= outer.bottom + slack
    )


async def test_letters_that_the_face_lacks_are_kept_in_the_text_and_harm_no_pdf(tmp_path: Path) -> None:
    path, target = tmp_path / "a.txt", tmp_path / "a.pdf"
    path.write_text("Привет 世界 שלום 🎉 end", encoding="utf-8")
    assert (await read(path)).page.text == "Привет 世界 שלום 🎉 end"
    await ChildProcessReader().make_pdf(path, ".txt", target)
    assert "end" in pdfium.PdfDocument(target)[0].get_textpage().get_text_range()


async def test_a_text_of_too_many_pages_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("line\n" * ROWS * 4, encoding="utf-8")
    failure = await failure_of(path, ReadLimits(max_pages=3))
    assert failure.failure is ReadFailure.TOO_MANY_PAGES


def test_no_line_is_longer_than_the_page_is_wide_and_nothing_is_lost() -> None:
    text = "x" * 250 + " " + "a few words then " * 20 + "世" * 100
    pages = paginate([text])
    lines = [line for page in pages for line in page]
    assert all(cells(line) <= COLUMNS for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())


def test_a_form_feed_starts_a_page() -> None:
    assert paginate(["one\ftwo", "three"]) == [["one"], ["two", "three"]]
