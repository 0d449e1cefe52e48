"""Reads malformed and malicious files. Each must end well and, where this can be checked, as the manifest says.

A file is handled if it was refused for its kind, gave pages, or failed with a reason that people understand.
In every case it must stay within the reader's limits of time and memory, and open no network socket.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from docagent.adapters.parse.limits import MIB, ReadLimits
from docagent.domain.documents.formats import FORMATS
from docagent.domain.documents.text import Box
from docagent.domain.errors import ReadFailure
from evals.matching import centre_inside, found_share, occurrences, share, squeeze, union_of
from evals.reading import Reading, read
from evals.suite import Results

NAME = "hostile"
FOLDER = "hostile"

Check = Callable[[Path, Reading], bool]


def run(folder: Path) -> Results:
    """Return the shares of files handled and of expectations met, and the worst time and memory."""
    entries = json.loads((folder / "manifest.json").read_text())
    handled = checked = met = 0
    worst_seconds = worst_mib = 0.0
    for entry in entries:
        path = folder / entry["file"]
        reading = read(path)
        worst_seconds = max(worst_seconds, reading.seconds)
        worst_mib = max(worst_mib, reading.peak_mib)
        is_handled = _is_handled(reading)
        handled += is_handled
        checks = list(CHECKS.get(entry["file"], ()))
        if "password" in entry:
            checks += [_asks_for_password, _opens_with(entry["password"])]
        if path.suffix.lower() not in FORMATS:
            checks.append(_failed(ReadFailure.UNSUPPORTED))
        checked += len(checks)
        for check in checks:
            holds = check(path, reading)
            met += holds
            if not holds:
                print(f"{NAME}: {entry['file']} is not as expected: {entry['expect']}")
        if not is_handled:
            print(f"{NAME}: {entry['file']} was not handled: {reading.failed!r}")
    return {
        "files": len(entries),
        "handled": share(handled, len(entries)),
        "expectations": checked,
        "expectations_met": share(met, checked),
        "worst_seconds": worst_seconds,
        "worst_mib": worst_mib,
    }


def _is_handled(reading: Reading) -> bool:
    limits = ReadLimits()
    if reading.used_network or reading.peak_mib > limits.converter_memory_bytes / MIB:
        return False
    if reading.seconds > limits.seconds_per_file + limits.seconds_per_conversion:
        return False
    if reading.failed:
        return reading.failed.failure is not ReadFailure.CRASHED and len(reading.failed.detail.split()) > 3
    return len(reading.pages) == reading.page_count > 0


def _asks_for_password(path: Path, reading: Reading) -> bool:
    without = reading.failed is not None and reading.failed.failure is ReadFailure.ENCRYPTED
    wrong = read(path, password="not the password").failed
    return without and wrong is not None and wrong.failure is ReadFailure.WRONG_PASSWORD


def _opens_with(password: str) -> Check:
    def check(path: Path, _: Reading) -> bool:
        reading = read(path, password=password)
        return reading.failed is None and bool(reading.text.strip())

    return check


def _failed(*failures: ReadFailure) -> Check:
    def check(_: Path, reading: Reading) -> bool:
        return reading.failed is not None and reading.failed.failure in failures

    return check


def _says(*texts: str, alike: float = 1.0) -> Check:
    """Check that the text holds all of these, exactly or nearly so."""

    def check(_: Path, reading: Reading) -> bool:
        page = squeeze(reading.text)
        return all(found_share(squeeze(text), page) >= alike for text in texts)

    return check


def _has_in_place(word: str, place: Box) -> Check:
    """Check that the first page has the word, with its middle in the box."""

    def check(_: Path, reading: Reading) -> bool:
        runs = occurrences(reading.words(), word)
        return any(centre_inside(union_of(run), place) for run in runs)

    return check


def _never_says(text: str) -> Check:
    def check(_: Path, reading: Reading) -> bool:
        return squeeze(text) not in squeeze(reading.text)

    return check


def _has_pages_with_text(least: int) -> Check:
    def check(_: Path, reading: Reading) -> bool:
        return sum(bool(page.words) for page in reading.pages) >= least

    return check


def _has_pages(most: int) -> Check:
    """Check that reading fails with a reason, or gives a number of pages that the file can really have."""

    def check(_: Path, reading: Reading) -> bool:
        return reading.failed is not None or 0 < reading.page_count <= most

    return check


def _uses_less_than(mib: float) -> Check:
    def check(_: Path, reading: Reading) -> bool:
        return reading.peak_mib < mib

    return check


def _offline(_: Path, reading: Reading) -> bool:
    return not reading.used_network


CHECKS: dict[str, tuple[Check, ...]] = {
    "04_encrypted_copy-protected.pdf": (_says("LayoutParser"), _has_pages_with_text(2)),
    "05_encrypted_testPDF_no_extract_no_accessibility_owner_empty.pdf": (_says("Hello World"),),
    "07_broken-structure_bad-xref.pdf": (_says("Potato"),),
    "08_broken-structure_append-xref-loop.pdf": (_has_pages_with_text(30),),
    "16_broken-structure_outlines-with-loop.pdf": (_has_pages_with_text(30),),
    "28_broken-structure_testPDF_bad_page_303226.pdf": (_has_pages_with_text(18),),
    "29_broken-structure_corrupted.pdf": (_failed(ReadFailure.DAMAGED),),
    "31_giant_hugemono.pdf": (_uses_less_than(1024), _says("tiny amount of text", alike=0.9)),
    "32_giant_enormous.pdf": (_uses_less_than(1024),),
    "34_text-layer_type3_font_nomapping.pdf": (_says("ua"),),
    "37_active-content_js-buttons.pdf": (_offline,),
    "38_active-content_xfa_issue14315.pdf": (_never_says("please wait"),),
    "40_attachments_testPDF_deeplyEmbeddedAttachments.pdf": (_has_pages(1),),
    "41_text-layer_truetype_font_nomapping.pdf": (_says("Phone"),),
    "43_text-layer_sample_with_rotation_mismatch.pdf": (
        _says("Permit me to introduce you to the facility of facsimile", alike=0.9),
        _has_in_place("SLEREXE", Box(0.3, 0.1, 0.8, 0.17)),
        _has_in_place("sincerely,", Box(0.5, 0.65, 0.75, 0.72)),
    ),
    "44_image_decompression_bomb.gif": (
        _failed(ReadFailure.TOO_LARGE, ReadFailure.DAMAGED),
        _uses_less_than(256),
    ),
    "46_image_multipage_single_frame_loop.tiff": (_has_pages(10),),
    "52_office_testWORD_truncated.docx": (_failed(ReadFailure.DAMAGED),),
    "55_office_docx_external_image.docx": (_offline, _has_pages_with_text(1)),
}
