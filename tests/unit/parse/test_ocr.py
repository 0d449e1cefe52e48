from __future__ import annotations

import random
from pathlib import Path

import pytest
import reportlab
from PIL import Image, ImageDraw, ImageFilter, ImageFont

from docagent.adapters.parse.recognition.ocr import Ocr, OcrResult
from docagent.domain.documents.text import Box, Word, WordSource

TEXT = (
    "Invoice number 2024-00183",
    "The goods described in the schedule were",
    "delivered within thirty days after the order",
    "had been confirmed in writing by the buyer.",
    "Payment is due before the end of the month",
    "without deduction to the account below.",
    "Total amount 1,234.50",
)
SIZE = (1240, 900)
DPI = 150


def page_image(height: int = 32, size: tuple[int, int] = SIZE) -> Image.Image:
    image = Image.new("L", size, 255)
    pen = ImageDraw.Draw(image)
    font = ImageFont.load_default(height)
    for number, line in enumerate(TEXT):
        pen.text((size[0] * 0.08, size[1] * 0.1 + number * height * 2.4), line, font=font, fill=0)
    return image


@pytest.fixture(scope="module")
def ocr() -> Ocr:
    return Ocr()


@pytest.fixture(scope="module")
def upright(ocr: Ocr) -> OcrResult:
    return ocr.read(page_image(), dpi=DPI)


def texts(result: OcrResult) -> list[str]:
    return [line.text for line in result.lines]


def words(result: OcrResult) -> dict[str, Word]:
    return {word.text: word for line in result.lines for word in line.words}


def share_read(result: OcrResult) -> float:
    wanted = " ".join(TEXT).split()
    return len(set(wanted) & set(words(result))) / len(set(wanted))


def middle(box: Box) -> tuple[float, float]:
    return (box.left + box.right) / 2, (box.top + box.bottom) / 2


def test_a_clean_page_is_read_line_by_line(upright: OcrResult) -> None:
    assert tuple(texts(upright)) == TEXT
    assert upright.rotation == 0
    assert upright.mean_confidence > 0.85


def test_words_carry_their_place_and_confidence(upright: OcrResult) -> None:
    first = words(upright)["Invoice"]
    assert first.source is WordSource.OCR
    assert 0.5 < first.confidence <= 1
    ink = Box(0.08, 0.1, 0.08 + 105 / SIZE[0], 0.1 + 36 / SIZE[1])
    assert first.box.left == pytest.approx(ink.left, abs=0.01)
    assert first.box.right == pytest.approx(ink.right, abs=0.02)
    assert ink.top - 0.01 < first.box.top < first.box.bottom < ink.bottom + 0.01


@pytest.mark.parametrize("turn", [90, 180, 270])
def test_a_turned_page_is_read_and_its_boxes_lie_on_the_turned_page(
    ocr: Ocr, upright: OcrResult, turn: int
) -> None:
    result = ocr.read(page_image().rotate(-turn, expand=True), dpi=DPI)

    assert result.rotation == turn
    assert share_read(result) > 0.9
    x, y = middle(words(upright)["Invoice"].box)
    expected = {90: (1 - y, x), 180: (1 - x, 1 - y), 270: (y, 1 - x)}[turn]
    assert middle(words(result)["Invoice"].box) == pytest.approx(expected, abs=0.01)


def test_a_sloping_page_is_levelled_and_its_boxes_slope_again(ocr: Ocr, upright: OcrResult) -> None:
    sloping = page_image().rotate(4, Image.Resampling.BICUBIC, fillcolor=255)

    result = ocr.read(sloping, dpi=DPI)

    assert share_read(result) > 0.9
    left, right = words(result)["The"].box, words(result)["were"].box
    assert left.top > right.bottom
    assert middle(left)[0] == pytest.approx(middle(words(upright)["The"].box)[0], abs=0.05)


def test_light_writing_on_a_dark_page(ocr: Ocr) -> None:
    assert share_read(ocr.read(page_image().point(lambda level: 255 - level), dpi=DPI)) > 0.9


def test_pale_print_is_read(ocr: Ocr) -> None:
    assert share_read(ocr.read(page_image().point(lambda level: 205 + level * 50 // 255), dpi=DPI)) > 0.9


def test_small_print_of_a_poor_camera_is_enlarged(ocr: Ocr) -> None:
    assert share_read(ocr.read(page_image(11, (420, 300)), dpi=72)) > 0.8


def test_a_grainy_copy_is_smoothed(ocr: Ocr) -> None:
    grain = Image.effect_noise(SIZE, 60)
    grainy = Image.blend(page_image().filter(ImageFilter.GaussianBlur(0.7)), grain, 0.3)
    assert share_read(ocr.read(grainy, dpi=DPI)) > 0.8


@pytest.mark.parametrize("mode", ["1", "P", "RGB", "RGBA", "LA", "CMYK", "I", "F", "I;16"])
def test_every_kind_of_pixel(ocr: Ocr, mode: str) -> None:
    image = page_image()
    if mode in {"I", "F"}:
        image = image.convert(mode).point(lambda level: level * 200)
    elif mode == "I;16":
        image = image.convert("I").point(lambda level: level * 200).convert("I;16")
    else:
        image = image.convert(mode)
    assert share_read(ocr.read(image, dpi=DPI)) > 0.9


def test_what_is_transparent_is_paper(ocr: Ocr) -> None:
    ink = page_image().point(lambda level: 255 - level)
    image = Image.new("RGBA", SIZE, (0, 0, 0, 0))
    image.putalpha(ink)
    assert share_read(ocr.read(image, dpi=DPI)) > 0.9


def test_an_empty_page_has_no_words(ocr: Ocr) -> None:
    assert ocr.read(Image.new("L", SIZE, 255), dpi=DPI) == OcrResult((), 0, 0.0)


def test_an_image_of_one_pixel(ocr: Ocr) -> None:
    assert ocr.read(Image.new("RGB", (1, 1)), dpi=DPI).lines == ()


def test_specks_are_not_words(ocr: Ocr) -> None:
    image = Image.new("L", SIZE, 255)
    pen = ImageDraw.Draw(image)
    dice = random.Random(5)
    for _ in range(300):
        x, y, size = dice.randrange(SIZE[0]), dice.randrange(SIZE[1]), dice.randrange(1, 4)
        pen.ellipse((x, y, x + size, y + size), fill=dice.randrange(120))
    assert ocr.read(image, dpi=DPI).lines == ()


def test_english_and_german_are_read_without_being_asked_for(ocr: Ocr) -> None:
    font = ImageFont.truetype(Path(reportlab.__file__).parent / "fonts" / "Vera.ttf", 28)
    image = Image.new("L", SIZE, 255)
    ImageDraw.Draw(image).text((90, 90), "Größe und Maß für die Übergabe", font=font, fill=0)
    assert texts(ocr.read(image, dpi=DPI)) == ["Größe und Maß für die Übergabe"]
