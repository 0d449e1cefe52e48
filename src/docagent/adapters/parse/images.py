"""Reads pictures by OCR, and shows them as PDF pages.

Every page of a TIFF is read, but only the first frame of an animation.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from PIL import Image, ImageFile, ImageOps, UnidentifiedImageError
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from docagent.adapters.parse.frames import PageStarted, Sent
from docagent.adapters.parse.imaging import on_white
from docagent.adapters.parse.limits import ReadLimits
from docagent.adapters.parse.pictures import write_first
from docagent.adapters.parse.recognition.recogniser import Recogniser, RecognitionUnavailable
from docagent.adapters.parse.request import ReadRequest
from docagent.adapters.parse.tokens import TokenPage, token_lines, token_readings
from docagent.domain.documents.formats import TABLE
from docagent.domain.documents.text import NO_TEXT
from docagent.domain.errors import ReadFailed, ReadFailure
from docagent.domain.ports import Opened

_FORMATS = [one.mime_type.removeprefix("image/").upper() for one in TABLE if one.parser == "images"]
"""As Pillow names them."""
_LOWEST_DPI, _HIGHEST_DPI = 50.0, 1200.0
_LONGER_SIDE_INCHES = 11.7
_SHADES_OF_GREY = ("1", "L")

_DAMAGED = (
    "This picture is damaged or of an unknown kind. Open it in a viewer, save it again and upload that."
)
_CUT_OFF = "The picture is cut off: a part of this page is missing."


@dataclass(frozen=True, slots=True)
class _Frame:
    number: int
    image: Image.Image
    """Turned upright, as the camera or scanner recorded it."""
    dpi: float
    cut_off: bool

    @property
    def points(self) -> tuple[float, float]:
        return self.image.width * 72 / self.dpi, self.image.height * 72 / self.dpi


def read(request: ReadRequest) -> Iterator[Sent]:
    """The pages of a picture. Raises ReadFailed."""
    image = _open(request.path)
    count = _count_frames(image, request.limits)
    yield Opened(count)
    recogniser = Recogniser(careful=request.careful)
    for frame in _frames(image, range(request.first_page, count + 1), request.limits):
        width, height = frame.points
        yield PageStarted(frame.number, width, height)
        try:
            found = recogniser.read(frame.image, dpi=round(frame.dpi))
        except RecognitionUnavailable as error:
            yield TokenPage(frame.number, width, height, [], str(error))
            continue
        lines = token_lines(found.lines)
        note = _CUT_OFF if frame.cut_off else None if lines else NO_TEXT
        others = token_readings(found.other_readings)
        yield TokenPage(frame.number, width, height, lines, note, other_readings=others)
    if request.pictures is not None:
        [first] = _frames(image, range(1, 2), request.limits)
        write_first(first.image, request.pictures)


def make_pdf(request: ReadRequest) -> None:
    """Write a PDF that shows the picture, one page per frame. Raises ReadFailed."""
    image = _open(request.path)
    canvas = Canvas(str(request.target))
    for frame in _frames(image, range(1, _count_frames(image, request.limits) + 1), request.limits):
        canvas.setPageSize(frame.points)
        canvas.drawImage(_embeddable(frame), 0, 0, *frame.points)
        canvas.showPage()
    canvas.save()


def _open(path: Path) -> Image.Image:
    # We check the size against our own limit before anything is decoded.
    Image.MAX_IMAGE_PIXELS = None
    try:
        return Image.open(path, formats=_FORMATS)
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError) as error:
        raise ReadFailed(ReadFailure.DAMAGED, _DAMAGED) from error


def _count_frames(image: Image.Image, limits: ReadLimits) -> int:
    if image.format != "TIFF":
        return 1
    count = 1
    while count <= limits.max_pages:
        try:
            image.seek(count)
        except EOFError:
            return count
        except (OSError, ValueError, SyntaxError) as error:
            raise ReadFailed(ReadFailure.DAMAGED, _DAMAGED) from error
        count += 1
    raise ReadFailed(
        ReadFailure.TOO_MANY_PAGES,
        f"This picture has more than {limits.max_pages:,} pages. Split it and upload the parts.",
    )


def _frames(image: Image.Image, numbers: range, limits: ReadLimits) -> Iterator[_Frame]:
    for number in numbers:
        image.seek(number - 1)
        pixels = image.width * image.height
        if pixels > limits.max_pixels:
            raise ReadFailed(
                ReadFailure.TOO_LARGE,
                f"This picture has {pixels / 1e6:,.0f} million pixels; "
                f"at most {limits.max_pixels / 1e6:,.0f} million are read. Make it smaller and upload that.",
            )
        cut_off = _load(image)
        upright = ImageOps.exif_transpose(image)
        yield _Frame(number, upright, _dots_per_inch(image), cut_off)


def _load(image: Image.Image) -> bool:
    """Decode the picture. Return True if its end is missing and only the rest was decoded."""
    try:
        image.load()
        return False
    except (OSError, ValueError, SyntaxError, EOFError):
        ImageFile.LOAD_TRUNCATED_IMAGES = True
    try:
        image.load()
    except (OSError, ValueError, SyntaxError, EOFError) as error:
        raise ReadFailed(ReadFailure.DAMAGED, _DAMAGED) from error
    finally:
        ImageFile.LOAD_TRUNCATED_IMAGES = False
    return True


def _dots_per_inch(image: Image.Image) -> float:
    """Return the resolution that the file states, if plausible; else one that makes the picture an ordinary page."""
    said = image.info.get("dpi", (0, 0))[0]
    if _LOWEST_DPI <= said <= _HIGHEST_DPI:
        return float(said)
    return max(72.0, max(image.size) / _LONGER_SIDE_INCHES)


def _embeddable(frame: _Frame) -> ImageReader | str:
    """Return grey pictures as they are, and all others as JPEG on a white background."""
    image = frame.image
    if image.mode in _SHADES_OF_GREY:
        return ImageReader(image)
    name = f"frame-{frame.number}.jpg"
    on_white(image).convert("RGB").save(name, quality=90)
    return name
