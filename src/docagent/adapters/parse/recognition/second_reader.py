"""Finds and reads lines of writing with the PP-OCR models that come inside the package rapidocr.

The models are run here and not by rapidocr's own code, which takes two seconds to load, loses the spaces
between words, and pads each line to the widest one of a batch, although a batch is no faster on one core.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np
import numpy.typing as npt
import onnxruntime
from PIL import Image

from docagent.adapters.parse.recognition.regions import Region, SeenWord, confidence

Pixels = npt.NDArray[np.uint8]
Numbers = npt.NDArray[np.float32]

MODELS = ("PP-OCRv6_det_small.onnx", "PP-OCRv6_rec_small.onnx")
"""The files of the detector and of the recogniser, among the models of the package."""

_LOOKED_AT = 800_000
"""Pixels of the copy in which writing is looked for. A page of this size has letters of eight pixels and more."""
_SEEN_LETTERS = 12
"""Pixels to which the letters of small print are reduced in that copy, if their height is known."""
_MOST_ENLARGED, _LONGEST_SIDE = 2.0, 4000
_STEP = 32
"""Both sides of that copy are multiples of this."""
_INK, _WRITING = 0.3, 0.5
"""Least probability of a pixel, and least mean of a region, to count as writing."""
_LEAST_HEIGHT = 3
_GROWN_BY = 1.6
"""The detector marks the core of a line; area times this, divided by the perimeter, is added on all sides."""
_MOST_REGIONS = 1500

_LINE_HEIGHT = 48
_WIDENED = 1.5
"""Condensed print is read well only if it is made wider."""
_SURE = 0.94
_MOST_COLUMNS = 3200
_SIDEWAYS = 2.5
_SPACE = 0.1
"""Least probability of a space between two letters. The likeliest reading alone leaves out every fifth one."""
_OPENING, _CLOSING = set("([{-"), set(")]},.;:%-")
_BLANK = 0.25
"""Columns with less than this share of the darkest one's ink are gaps between words."""


class SecondReader:
    """The two models, loaded once for page after page."""

    def __init__(self, models: Path) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.enable_cpu_mem_arena = False
        options.log_severity_level = 3
        self._detector, self._recogniser = (
            onnxruntime.InferenceSession(models / name, options, providers=["CPUExecutionProvider"])
            for name in MODELS
        )
        letters = self._recogniser.get_modelmeta().custom_metadata_map["character"].splitlines()
        self._letters: list[str] = ["", *letters, " "]

    def find(self, image: Image.Image, *, letters: float | None = None) -> list[Region]:
        factor = (_LOOKED_AT / (image.width * image.height)) ** 0.5
        factor = min(_MOST_ENLARGED, factor, _LONGEST_SIDE / max(image.size))
        if letters:
            factor = min(factor, _SEEN_LETTERS / letters)
        size = [max(_STEP, round(side * factor / _STEP) * _STEP) for side in image.size]
        resampling = Image.Resampling.BOX if factor < 0.5 else Image.Resampling.BICUBIC
        small = np.asarray(image.resize((size[0], size[1]), resampling))
        probability = _run(self._detector, _normal(small))[0, 0]
        mask = cv2.dilate((probability > _INK).astype(np.uint8), np.ones((2, 2), np.uint8))
        contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
        scale = image.width / size[0], image.height / size[1]
        found = (_region(contour, probability, scale) for contour in contours[:_MOST_REGIONS])
        return [region for region in found if region is not None]

    def read(self, image: Image.Image, region: Region) -> list[SeenWord]:
        if region.height > _SIDEWAYS * region.width:
            return []
        cut = _cut_out(image, region)
        words = self._read(cut, region.cost)
        if confidence(words) >= _SURE:
            return words
        return max(words, self._read(cut, region.cost * _WIDENED), key=confidence)

    def _read(self, cut: Pixels, columns: float) -> list[SeenWord]:
        size = round(min(_MOST_COLUMNS, max(8.0, columns))), _LINE_HEIGHT
        line = np.asarray(cv2.resize(cut, size, interpolation=cv2.INTER_AREA), np.uint8)
        return self._words(_run(self._recogniser, _normal(line))[0], line)

    def _words(self, steps: Numbers, line: Pixels) -> list[SeenWord]:
        likeliest, spaces = steps.argmax(axis=1), steps[:, -1]
        words: list[list[_Letter]] = [[]]
        before = last = 0
        for step, number in enumerate(map(int, likeliest)):
            if number and number != before:
                letter = unicodedata.normalize("NFKC", self._letters[number])
                lost = spaces[last + 1 : step].max(initial=0) > _SPACE and not _holds_together(
                    words[-1], letter
                )
                if letter.isspace() or lost:
                    words.append([])
                if not letter.isspace():
                    words[-1].append(_Letter(letter, float(steps[step, number]), (step + 0.5) / len(steps)))
                last = step
            before = number
        return _placed([word for word in words if word], line)


def load() -> SecondReader | None:
    """Return the second reader; None if the package that holds its models is not installed."""
    package = find_spec("rapidocr")
    if package is None or package.origin is None:
        return None
    return SecondReader(Path(package.origin).parent / "models")


class _Letter(NamedTuple):
    text: str
    confidence: float
    place: float


def _holds_together(word: Sequence[_Letter], letter: str) -> bool:
    """Return whether signs forbid a space here: after an opening bracket, before a closing one or a comma."""
    return letter in _CLOSING or (bool(word) and word[-1].text in _OPENING)


def _run(model: Any, pixels: Numbers) -> Numbers:
    (name,) = (each.name for each in model.get_inputs())
    result: Numbers = model.run(None, {name: pixels})[0]
    return result


def _normal(grey: npt.NDArray[Any]) -> Numbers:
    """Return a grey picture as both models take it: three equal channels between -1 and 1."""
    return np.repeat((grey.astype(np.float32) / 127.5 - 1)[None, None], 3, axis=1)


def _region(contour: npt.NDArray[Any], probability: Numbers, scale: tuple[float, float]) -> Region | None:
    middle, sides, slope = cv2.minAreaRect(contour)
    if min(sides) < _LEAST_HEIGHT or _mean_inside(contour, probability) < _WRITING:
        return None
    width, height = sides
    if abs(slope) > 45:
        width, height, slope = height, width, slope - np.copysign(90, slope)
    grown = width * height * _GROWN_BY / (width + height)
    across, down = scale
    return Region(
        (middle[0] * across, middle[1] * down), (width + grown) * across, (height + grown) * down, slope
    )


def _mean_inside(contour: npt.NDArray[Any], probability: Numbers) -> float:
    left, top, width, height = cv2.boundingRect(contour)
    inside = np.zeros((height, width), np.uint8)
    cv2.fillPoly(inside, [contour - (left, top)], (1,))
    return float(cv2.mean(probability[top : top + height, left : left + width], inside)[0])


def _cut_out(image: Image.Image, region: Region) -> Pixels:
    left, top, right, bottom = region.box
    left, top = max(0, left - 1), max(0, top - 1)
    around = np.asarray(image.crop((left, top, min(image.width, right + 1), min(image.height, bottom + 1))))
    width, height = max(1, round(region.width)), max(1, round(region.height))
    corners = np.array(region.corners, np.float32) - np.array([left, top], np.float32)
    target = np.array([[0, 0], [width, 0], [width, height]], dtype=np.float32)
    level = cv2.getAffineTransform(corners[:3], target)
    cut = cv2.warpAffine(
        around, level, (width, height), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(cut, np.uint8)


def _placed(words: Sequence[Sequence[_Letter]], line: Pixels) -> list[SeenWord]:
    """Give each word its place: up to the blank columns between its letters and the neighbours'."""
    ink = (line.max(initial=0) - line.astype(np.int32)).sum(axis=0)
    blank = ink < _BLANK * ink.max(initial=1)
    columns = len(blank)
    placed = []
    starts = [0.0] * len(words)
    for number, word in enumerate(words):
        middle = [round(letter.place * (columns - 1)) for letter in word]
        end = float(columns)
        if number + 1 < len(words):
            following = round(words[number + 1][0].place * (columns - 1))
            end, starts[number + 1] = _widest_gap(blank, middle[-1], following)
        text = "".join(letter.text for letter in word)
        sure = sum(letter.confidence for letter in word) / len(word)
        placed.append(SeenWord(text, sure, starts[number] / columns, end / columns))
    return placed


def _widest_gap(blank: npt.NDArray[np.bool_], first: int, last: int) -> tuple[float, float]:
    """Return the ends of the longest run of blank columns between two letters, or twice the middle."""
    best = run = 0
    end = (first + last + 1) // 2
    for column in range(first, last):
        run = run + 1 if blank[column] else 0
        if run > best:
            best, end = run, column + 1
    return float(end - best), float(end)
