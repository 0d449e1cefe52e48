from __future__ import annotations

import struct
from pathlib import Path

import pypdfium2 as pdfium
import pytest
from PIL import Image

from docagent.adapters.parse.limits import ReadLimits
from docagent.adapters.parse.reader import ChildProcessReader
from docagent.domain.documents.text import WordSource
from docagent.domain.errors import ReadFailure
from docagent.domain.ports import Opened
from tests.unit.parse.made_files import picture_of_text
from tests.unit.parse.reading import failure_of, read

LINES = ["Invoice number 12345", "Total amount 99.50", "Payable within 30 days"]
TURNED_BY_CAMERA = 6


@pytest.mark.parametrize("extension", [".png", ".jpg", ".webp", ".bmp", ".gif", ".tiff"])
async def test_pictures_of_every_kind_are_recognised(tmp_path: Path, extension: str) -> None:
    path = tmp_path / f"a{extension}"
    picture_of_text(LINES).save(path, dpi=(150, 150))
    result = await read(path)
    assert result.opened == Opened(1)
    assert result.page.text.splitlines() == LINES
    assert {word.source for word in result.page.words} == {WordSource.OCR}


async def test_the_page_has_the_size_that_the_dots_per_inch_give(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    picture_of_text(LINES).save(path, dpi=(150, 150))
    page = (await read(path)).page
    assert (page.width, page.height) == pytest.approx((595.2, 841.9), abs=0.5)


async def test_the_camera_position_is_undone_first(tmp_path: Path) -> None:
    path = tmp_path / "a.jpg"
    exif = Image.Exif()
    exif[0x0112] = TURNED_BY_CAMERA
    picture_of_text(LINES).transpose(Image.Transpose.ROTATE_90).save(path, exif=exif, quality=95)
    page = (await read(path)).page
    assert page.height > page.width
    assert page.text.splitlines() == LINES
    assert page.lines[0].box.top < 0.15
    assert page.lines[0].box.left < 0.15


async def test_frames_of_a_tiff_are_pages(tmp_path: Path) -> None:
    path = tmp_path / "a.tiff"
    first, *others = [picture_of_text([f"This is page number {page}"]) for page in (1, 2, 3)]
    first.save(path, save_all=True, append_images=others)
    result = await read(path, first_page=2)
    assert result.opened == Opened(3)
    assert result.texts == ["This is page number 2", "This is page number 3"]
    assert (await failure_of(path, ReadLimits(max_pages=2))).failure is ReadFailure.TOO_MANY_PAGES


async def test_only_the_first_frame_of_an_animation_counts(tmp_path: Path) -> None:
    path = tmp_path / "a.gif"
    first, second = (picture_of_text([f"Frame {name} of an animation"]) for name in ("one", "two"))
    first.save(path, save_all=True, append_images=[second], duration=100)
    result = await read(path)
    assert result.texts == ["Frame one of an animation"]


async def test_a_huge_picture_is_refused_by_its_header(tmp_path: Path) -> None:
    path = tmp_path / "a.bmp"
    header = struct.pack("<IiiHHIIiiII", 40, 60_000, 60_000, 1, 24, 0, 0, 2835, 2835, 0, 0)
    path.write_bytes(b"BM" + struct.pack("<IHHI", 54, 0, 0, 54) + header)
    failure = await failure_of(path)
    assert failure.failure is ReadFailure.TOO_LARGE
    assert "3,600 million pixels" in failure.detail


async def test_a_cut_off_picture_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    path = tmp_path / "a.jpg"
    picture_of_text(LINES).save(path, quality=95)
    content = path.read_bytes()
    path.write_bytes(content[: len(content) * 3 // 4])
    page = (await read(path)).page
    assert page.text.splitlines()[0] == LINES[0]
    assert page.note == "The picture is cut off: a part of this page is missing."


@pytest.mark.parametrize("content", [b"\x89PNG\r\n\x1a\n", b"GIF89a", b"no picture"])
async def test_bytes_that_are_no_picture_are_called_damaged(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.png"
    path.write_bytes(content)
    assert (await failure_of(path)).failure is ReadFailure.DAMAGED


@pytest.mark.parametrize("mode", ["1", "L", "P", "RGB", "RGBA", "CMYK", "I;16"])
async def test_the_pdf_of_a_picture_shows_it_at_its_size(tmp_path: Path, mode: str) -> None:
    path, target = tmp_path / "a.tiff", tmp_path / "a.pdf"
    image = Image.new("L", (600, 300), 255)
    image.paste(0, (0, 0, 300, 150))
    image.convert(mode).save(path, dpi=(100, 100))
    await ChildProcessReader().make_pdf(path, ".tiff", target)
    page = pdfium.PdfDocument(target)[0]
    assert page.get_size() == pytest.approx((432, 216))
    shown = page.render(scale=1).to_pil().convert("L")
    top_left, top_right, bottom_left = (shown.getpixel(place) for place in ((100, 50), (330, 50), (100, 160)))
    assert isinstance(top_left, int)
    assert top_left < 60
    assert top_right == bottom_left == 255
