"""Office files without LibreOffice: no program is in the search path of these tests."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import docx
import openpyxl
import pytest
from msoffcrypto.format.ooxml import OOXMLFile

from docagent.adapters.parse.limits import MIB, ReadLimits
from docagent.adapters.parse.reader import ChildProcessReader
from docagent.domain.errors import ReadFailed, ReadFailure
from tests.support.services.office import only_programs_in
from tests.unit.parse.reading import failure_of, read

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


@pytest.fixture(autouse=True, scope="module")
def _no_programs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with only_programs_in(tmp_path_factory.mktemp("empty")):
        yield


def _docx(path: Path, document_xml: str) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr("word/document.xml", document_xml)
    return path


async def test_a_word_document_gives_its_text_in_order(tmp_path: Path) -> None:
    path = tmp_path / "a.docx"
    document = docx.Document()
    document.sections[0].header.paragraphs[0].text = "Letterhead of a company"
    document.sections[0].footer.paragraphs[0].text = "Bank details"
    document.add_heading("Invoice 4711")
    document.add_paragraph("Dear customer,\twe bill you:")
    table = document.add_table(rows=2, cols=2)
    for row, values in enumerate((("Item", "Price"), ("Bolt M8", "9.50"))):
        for column, value in enumerate(values):
            table.cell(row, column).text = value
    document.add_paragraph("Thank you")
    document.save(str(path))
    page = (await read(path)).page
    assert page.text.splitlines() == [
        "Letterhead of a company",
        "Invoice 4711",
        "Dear customer, we bill you:",
        "Item Price",
        "Bolt M8 9.50",
        "Thank you",
        "Bank details",
    ]


async def test_text_boxes_count_once_and_deleted_text_not_at_all(tmp_path: Path) -> None:
    path = _docx(
        tmp_path / "a.docx",
        f'<w:document xmlns:w="{W}" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><w:body>'
        "<w:p><w:r><mc:AlternateContent>"
        "<mc:Choice><w:txbxContent><w:p><w:r><w:t>boxed</w:t></w:r></w:p></w:txbxContent></mc:Choice>"
        "<mc:Fallback><w:txbxContent><w:p><w:r><w:t>boxed</w:t></w:r></w:p></w:txbxContent></mc:Fallback>"
        "</mc:AlternateContent></w:r><w:r><w:t>around</w:t></w:r></w:p>"
        "<w:p><w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:r><w:t>kept</w:t></w:r></w:p>"
        "</w:body></w:document>",
    )
    assert (await read(path)).page.text.splitlines() == ["boxed", "around", "kept"]


async def test_a_spreadsheet_gives_its_rows_sheet_by_sheet(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    workbook = openpyxl.Workbook()
    sheet = workbook.active
    assert sheet is not None
    sheet.title = "Orders"
    sheet.append(["Item", "Price", "Due"])
    sheet.append(["Bolt", 9.5, date(2024, 5, 1)])
    sheet.append(["Nut", 3.0, None])
    workbook.create_sheet("Notes").append(["second sheet"])
    workbook.save(path)
    assert (await read(path)).page.text.splitlines() == [
        "Orders",
        "Item Price Due",
        "Bolt 9.5 2024-05-01",
        "Nut 3",
        "Notes",
        "second sheet",
    ]


async def test_a_lone_cell_in_the_last_corner_is_just_a_cell(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    workbook = openpyxl.Workbook()
    sheet = workbook.active
    assert sheet is not None
    sheet["A1"] = "first"
    sheet["XFD1048576"] = "last"
    workbook.save(path)
    assert (await read(path)).page.text.split() == ["Sheet", "first", "last"]


async def test_an_archive_bomb_is_not_unpacked(tmp_path: Path) -> None:
    path = _docx(tmp_path / "a.docx", " " * (40 * MIB))
    failure = await failure_of(path)
    assert failure.failure is ReadFailure.TOO_LARGE
    assert (await failure_of(path, ReadLimits(max_unpacked_bytes=MIB))).failure is ReadFailure.TOO_LARGE


async def test_entities_do_not_multiply(tmp_path: Path) -> None:
    entities = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 10))
    path = _docx(
        tmp_path / "a.docx",
        f'<!DOCTYPE d [<!ENTITY e0 "laugh">{entities}]>'
        f'<w:document xmlns:w="{W}"><w:body><w:p><w:r><w:t>&e9;</w:t></w:r></w:p></w:body></w:document>',
    )
    assert (await failure_of(path)).failure is ReadFailure.DAMAGED


@pytest.mark.parametrize("extension", [".docx", ".xlsx", ".xls"])
async def test_damaged_office_files_are_called_so(tmp_path: Path, extension: str) -> None:
    path = tmp_path / f"a{extension}"
    path.write_bytes(b"PK\x03\x04 but nothing behind it")
    assert (await failure_of(path)).failure is ReadFailure.DAMAGED


async def test_a_truncated_word_document_is_called_damaged(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    docx.Document().save(buffer)
    path = tmp_path / "a.docx"
    path.write_bytes(buffer.getvalue()[:-500])
    assert (await failure_of(path)).failure is ReadFailure.DAMAGED


async def test_a_protected_office_file_says_so(tmp_path: Path) -> None:
    path = tmp_path / "a.docx"
    compound_file = bytes.fromhex("d0cf11e0a1b11ae1")
    path.write_bytes(compound_file + bytes(2000) + "EncryptedPackage".encode("utf-16-le") + bytes(500))
    failure = await failure_of(path)
    assert failure.failure is ReadFailure.ENCRYPTED
    assert "password" in failure.detail


def _locked(path: Path, password: str) -> Path:
    """The same Office file, protected as Office does it today."""
    content = io.BytesIO(path.read_bytes())
    with path.open("wb") as target:
        OOXMLFile(content).encrypt(password, target)
    return path


def _word_document(path: Path) -> Path:
    document = docx.Document()
    document.add_paragraph("Locked words")
    document.save(str(path))
    return path


def _workbook(path: Path) -> Path:
    workbook = openpyxl.Workbook()
    workbook.create_sheet("One").append(["Locked", "words"])
    workbook.save(path)
    return path


async def test_a_protected_office_file_is_read_with_its_password(tmp_path: Path) -> None:
    path = _locked(_word_document(tmp_path / "a.docx"), "sesame")

    asked, refused = await failure_of(path), await failure_of(path, password="wrong")

    assert (asked.failure, refused.failure) == (ReadFailure.ENCRYPTED, ReadFailure.WRONG_PASSWORD)
    assert "Give the password" in asked.detail
    assert "Check it and try again" in refused.detail
    assert (await read(path, password="sesame")).page.text == "Locked words"


async def test_a_workbook_that_is_only_protected_against_changes_needs_no_password(tmp_path: Path) -> None:
    path = _locked(_workbook(tmp_path / "a.xlsx"), "VelvetSweatshop")

    assert "Locked" in (await read(path)).page.text


async def test_a_password_does_not_mend_a_damaged_file(tmp_path: Path) -> None:
    path = _locked(_word_document(tmp_path / "a.docx"), "sesame")
    path.write_bytes(path.read_bytes()[:-4000])
    nonsense = tmp_path / "b.docx"
    nonsense.write_bytes(bytes.fromhex("d0cf11e0a1b11ae1") + "EncryptedPackage".encode("utf-16-le") * 200)

    assert (await failure_of(path, password="sesame")).failure is ReadFailure.DAMAGED
    assert (await failure_of(nonsense, password="sesame")).failure is ReadFailure.DAMAGED


async def test_a_bomb_in_a_protected_file_is_not_unpacked(tmp_path: Path) -> None:
    limits = ReadLimits(max_unpacked_bytes=1000)
    path = _locked(_word_document(tmp_path / "a.docx"), "sesame")

    assert (await failure_of(path, limits, password="sesame")).failure is ReadFailure.TOO_LARGE


async def test_without_libreoffice_there_is_text_but_no_pdf(tmp_path: Path) -> None:
    path = tmp_path / "a.docx"
    document = docx.Document()
    document.add_paragraph("text")
    document.save(str(path))
    assert (await read(path)).page.text == "text"
    with pytest.raises(ReadFailed, match="needs LibreOffice") as raised:
        await ChildProcessReader().make_pdf(path, ".docx", tmp_path / "a.pdf")
    assert raised.value.failure is ReadFailure.CONVERTER_MISSING


async def test_an_old_word_document_needs_libreoffice(tmp_path: Path) -> None:
    path = tmp_path / "a.doc"
    path.write_bytes(bytes.fromhex("d0cf11e0a1b11ae1") + bytes(2000))
    assert (await failure_of(path)).failure is ReadFailure.CONVERTER_MISSING
