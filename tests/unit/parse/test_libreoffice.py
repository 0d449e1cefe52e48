"""Conversion with LibreOffice, whose place a small program takes that says what it was given."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path

import docx
import psutil
import pytest
from msoffcrypto.format.ooxml import OOXMLFile

from docagent.adapters.parse.limits import ReadLimits
from docagent.adapters.parse.reader import ChildProcessReader
from docagent.domain.errors import ReadFailed, ReadFailure
from tests.support.polling import SECONDS
from tests.support.services.office import install_office, only_programs_in
from tests.unit.parse.made_files import make_pdf, text_at
from tests.unit.parse.reading import failure_of, read

RELATIONSHIPS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


@pytest.fixture
def report(tmp_path: Path) -> Path:
    return tmp_path / "report"


@pytest.fixture
def document(tmp_path: Path) -> Path:
    path = tmp_path / "a.docx"
    made = docx.Document()
    made.add_paragraph("as text")
    for kind in ("image", "attachedTemplate", "hyperlink"):
        made.part.relate_to(f"http://intranet.example/{kind}", f"{RELATIONSHIPS}/{kind}", is_external=True)
    made.save(str(path))
    return path


@pytest.fixture
def search_path(tmp_path: Path) -> Iterator[Path]:
    """A folder that is all that a new host of reading processes looks for programs in."""
    folder = tmp_path / "bin"
    folder.mkdir()
    with only_programs_in(folder):
        yield folder


async def test_text_and_pdf_come_from_the_converted_file(
    tmp_path: Path, search_path: Path, report: Path, document: Path
) -> None:
    pdf = make_pdf(tmp_path / "made.pdf", text_at(72, 700, "as converted"))
    install_office(search_path, report, pdf=pdf)
    assert (await read(document)).texts == ["as converted"]
    await ChildProcessReader().make_pdf(document, ".docx", tmp_path / "shown.pdf")
    assert (tmp_path / "shown.pdf").read_bytes() == pdf.read_bytes()


def _locked(document: Path, target: Path) -> Path:
    with document.open("rb") as source, target.open("wb") as stream:
        OOXMLFile(source).encrypt("sesame", stream)
    return target


async def test_a_protected_file_is_converted_from_an_open_copy(
    tmp_path: Path, search_path: Path, report: Path, document: Path
) -> None:
    install_office(search_path, report, pdf=make_pdf(tmp_path / "made.pdf", text_at(72, 700, "as converted")))
    locked = _locked(document, tmp_path / "locked.docx")

    assert (await read(locked, password="sesame")).texts == ["as converted"]
    with pytest.raises(ReadFailed, match="Give the password"):
        await ChildProcessReader().make_pdf(locked, ".docx", tmp_path / "shown.pdf")
    await ChildProcessReader().make_pdf(locked, ".docx", tmp_path / "shown.pdf", password="sesame")

    with zipfile.ZipFile(report / "document.docx") as package:
        assert package.read("word/document.xml") == zipfile.ZipFile(document).read("word/document.xml")
    assert (tmp_path / "shown.pdf").read_bytes() == (tmp_path / "made.pdf").read_bytes()


async def test_nothing_outside_is_left_to_fetch_and_macros_are_off(
    tmp_path: Path, search_path: Path, report: Path, document: Path
) -> None:
    install_office(search_path, report, pdf=make_pdf(tmp_path / "made.pdf", text_at(72, 700, "text")))
    await read(document)
    with zipfile.ZipFile(report / "document.docx") as package:
        links = package.read("word/_rels/document.xml.rels").decode()
        assert package.read("word/document.xml") == zipfile.ZipFile(document).read("word/document.xml")
    assert "intranet.example/hyperlink" in links
    assert "intranet.example/image" not in links
    assert "intranet.example/attachedTemplate" not in links
    settings = (report / "settings.xml").read_text(encoding="utf-8")
    for name in ("DisableMacrosExecution", "BlockUntrustedRefererLinks"):
        assert f'oor:name="{name}" oor:op="fuse"><value>true' in settings


async def test_a_file_that_it_cannot_convert_is_called_damaged(
    search_path: Path, report: Path, document: Path
) -> None:
    install_office(search_path, report, pdf=None)
    failure = await failure_of(document)
    assert failure.failure is ReadFailure.DAMAGED
    assert "LibreOffice could not open" in failure.detail


async def test_a_conversion_without_end_is_stopped_with_all_that_it_started(
    search_path: Path, report: Path, document: Path
) -> None:
    install_office(search_path, report, pdf=None, sleeps=True)
    failure = await failure_of(document, ReadLimits(seconds_per_conversion=3))
    assert failure.failure is ReadFailure.TIMED_OUT
    spawned = [
        p for p in psutil.process_iter(["cmdline"]) if "spawned by the converter" in str(p.info["cmdline"])
    ]
    _, alive = psutil.wait_procs(spawned, timeout=SECONDS)
    assert alive == []
