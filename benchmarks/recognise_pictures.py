"""Reads pictures with one or both readers in a process of its own: `... READERS DPI PICTURE...`."""

from __future__ import annotations

import sys

from PIL import Image

from docagent.adapters.parse.recognition.ocr import Ocr
from docagent.adapters.parse.recognition.second_reader import load

READERS = ("tesseract", "both", "careful")


def main(readers: str, dpi: str, *pictures: str) -> None:
    if readers not in READERS:
        raise ValueError(f"the readers are one of {READERS}, not {readers!r}")
    ocr = Ocr(None if readers == "tesseract" else load(), careful=readers == "careful")
    for picture in pictures:
        lines = ocr.read(Image.open(picture), dpi=int(dpi)).lines
        print(sum(len(line.text) for line in lines))


if __name__ == "__main__":
    main(*sys.argv[1:])
