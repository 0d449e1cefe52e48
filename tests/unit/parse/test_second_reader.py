"""The real second reader, on a tiny picture, and how it and Tesseract work together."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFont

from docagent.adapters.parse.limits import MIB
from docagent.adapters.parse.recognition.ocr import Ocr, OcrResult
from docagent.adapters.parse.recognition.regions import Region, SeenWord
from docagent.adapters.parse.recognition.second_reader import SecondReader, load
from tests.unit.parse.reading import read

LINES = ("Invoice number 2024-00183", "Payable within 30 days (net)", "Total 1,234.50")
SIZE = (560, 190)
LEFT, STEP = 30, 55
FONT = ImageFont.load_default(30)
DPI = 150


def picture(*, slope: float = 0.0) -> Image.Image:
    image = Image.new("L", SIZE, 255)
    pen = ImageDraw.Draw(image)
    for number, line in enumerate(LINES):
        pen.text((LEFT, 20 + STEP * number), line, font=FONT, fill=0)
    return image.rotate(slope, Image.Resampling.BICUBIC, fillcolor=255)


@pytest.fixture(scope="module")
def second() -> SecondReader:
    reader = load()
    assert reader is not None
    return reader


def text_of(words: list[SeenWord]) -> str:
    return " ".join(word.text for word in words)


@pytest.mark.parametrize("slope", [0.0, 3.0])
def test_lines_are_found_and_read_with_their_spaces(second: SecondReader, slope: float) -> None:
    image = picture(slope=slope)
    regions = sorted(second.find(image), key=lambda region: region.centre[1])
    readings = [second.read(image, region) for region in regions]
    assert tuple(map(text_of, readings)) == LINES
    assert all(word.confidence > 0.8 for words in readings for word in words)
    assert regions[0].slope == pytest.approx(-slope, abs=1)


def test_words_have_their_places(second: SecondReader) -> None:
    image = picture()
    region = min(second.find(image), key=lambda region: region.centre[1])
    boxes = [region.part(word.left, word.right) for word in second.read(image, region)]
    for text, (left, _, right, _) in zip(LINES[0].split(), boxes, strict=True):
        start = LEFT + FONT.getlength(LINES[0][: LINES[0].index(text)])
        assert left == pytest.approx(start, abs=14)
        assert right == pytest.approx(start + FONT.getlength(text), abs=14)


def test_an_empty_picture_and_one_of_a_pixel_have_no_writing(second: SecondReader) -> None:
    assert second.find(Image.new("L", SIZE, 255)) == []
    assert second.find(Image.new("L", (1, 1), 255)) == []


def test_large_print_is_found_in_a_small_copy(second: SecondReader) -> None:
    image = picture().resize((SIZE[0] * 3, SIZE[1] * 3))
    regions = sorted(second.find(image, letters=66), key=lambda region: region.centre[1])
    assert [text_of(second.read(image, region)) for region in regions] == list(LINES)


class FakeReader:
    """Sees the lines of the picture, and reads what it was told to, word for word where the printed ones stand."""

    def __init__(self, *texts: str, confidence: float = 1.0) -> None:
        self._texts = texts
        self._confidence = confidence
        self.times_read = 0

    def find(self, image: Image.Image, *, letters: float | None = None) -> list[Region]:
        scale = image.width / SIZE[0]
        widths = [FONT.getlength(line) for line in LINES]
        return [
            Region(
                (scale * (LEFT + width / 2), scale * (37 + STEP * number)), scale * (width + 12), scale * 44
            )
            for number, width in enumerate(widths)
        ]

    def read(self, image: Image.Image, region: Region) -> list[SeenWord]:
        self.times_read += 1
        number = round((region.centre[1] * SIZE[0] / image.width - 37) / STEP)
        printed, whole, start = LINES[number].split(), len(LINES[number]), 0
        words = []
        for word, shown in zip(self._texts[number].split(), printed, strict=True):
            words.append(SeenWord(word, self._confidence, start / whole, (start + len(shown)) / whole))
            start += len(shown) + 1
        return words


def test_a_page_that_tesseract_reads_well_is_hardly_read_again() -> None:
    fake = FakeReader(*LINES)
    result = Ocr(fake).read(picture(), dpi=DPI)
    assert _texts(result) == LINES
    assert fake.times_read == 0


def test_of_a_badly_read_page_only_the_doubtful_lines_are_read_again() -> None:
    image = picture()
    for number in (1, 2):
        height = 37 + STEP * number
        ImageDraw.Draw(image).line((30, height - 4, 500, height + 2), fill=110, width=4)
    fake = FakeReader(*LINES)
    read = _texts(Ocr(fake).read(image, dpi=DPI))
    assert [line.replace(" ", "") for line in read] == [line.replace(" ", "") for line in LINES]
    assert fake.times_read == 2


def test_a_page_that_tesseract_cannot_read_is_read_whole_by_the_other() -> None:
    fake = FakeReader("One two three", "four five six seven eight", "nine ten")
    result = Ocr(fake).read(Image.effect_noise(SIZE, 90), dpi=DPI)
    assert _texts(result) == ("One two three", "four five six seven eight", "nine ten")


def test_ideographs_on_a_page_in_letters_are_boxes_and_on_a_page_of_them_are_words() -> None:
    noise = Image.effect_noise(SIZE, 90)
    boxed = FakeReader("\u7f51 two three", "four five six seven eight", "\u533a ten")
    assert _texts(Ocr(boxed).read(noise, dpi=DPI)) == ("two three", "four five six seven eight", "ten")
    chinese = FakeReader("\u53d1\u7968 \u53f7\u7801 1", "\u8d2d\u4e70\u65b9 a b c d", "\u5408\u8ba1 2")
    assert "\u53d1\u7968" in " ".join(_texts(Ocr(chinese).read(noise, dpi=DPI)))


def test_where_the_models_do_not_know_the_script_tesseract_reads_alone() -> None:
    fake = FakeReader("a b c", "d e f g h", "i j", confidence=0.6)
    result = Ocr(fake).read(Image.effect_noise(SIZE, 90), dpi=DPI)
    assert result.lines == ()
    assert fake.times_read == len(LINES)


def test_a_careful_reading_keeps_what_the_other_reader_read() -> None:
    fake = FakeReader("Invoice number 2024-00188", *LINES[1:])
    result = Ocr(fake, careful=True).read(picture(), dpi=DPI)
    assert fake.times_read == len(LINES)
    assert {word.text: other for word, other in result.other_readings.items()} == {"2024-00188": "2024-00183"}
    confidences = {word.text: word.confidence for line in result.lines for word in line.words}
    assert confidences["2024-00188"] == 0.5
    assert confidences["Invoice"] >= 0.99


async def test_a_careful_reading_is_stored_with_both_readings(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    image = picture()
    ImageDraw.Draw(image).line((30, 95, 500, 92), fill=120, width=4)
    image.save(path, dpi=(DPI, DPI))
    page = (await read(path, careful=True)).page
    confidences = {word.text: word.confidence for word in page.words}
    assert confidences["Invoice"] >= 0.99
    assert page.other_readings
    assert all(page.words[number].confidence < 0.51 for number in page.other_readings)


def test_without_memory_for_it_tesseract_reads_alone() -> None:
    """In a process of its own, as a limit on memory cannot be taken back."""
    script = f"""
import resource
from PIL import Image
from docagent.adapters.parse.recognition.recogniser import Recogniser
resource.setrlimit(resource.RLIMIT_AS, ({500 * MIB}, {500 * MIB}))
Recogniser().read(Image.new("L", (50, 50), 255), dpi=150)
import sys
assert "cv2" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", script], check=True)


def test_without_the_package_tesseract_reads_alone(tmp_path: Path) -> None:
    (tmp_path / "onnxruntime.py").write_text("raise ImportError('not installed')")
    picture().save(tmp_path / "a.png")
    script = f"""
from PIL import Image
from docagent.adapters.parse.recognition.recogniser import Recogniser
print(Recogniser().read(Image.open({str(tmp_path / "a.png")!r}), dpi={DPI}).lines[0].text)
"""
    done = subprocess.run(
        [sys.executable, "-c", script], env={"PYTHONPATH": str(tmp_path)}, check=True, capture_output=True
    )
    assert done.stdout.decode().strip() == LINES[0]


def _texts(result: OcrResult) -> tuple[str, ...]:
    return tuple(line.text for line in result.lines)
