"""The network of the built-in model on a made page: processor time and memory in a process of its own, and its file.

Also what the same questions cost that another prompt asks of the same page.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import docagent.reader_model

NAME = "reader_network"
_MIB = 1024 * 1024
_PROGRAM = """
import json, resource, sys, time
from docagent import reader_model
from docagent.domain.documents.text import Box, Line, Page, Word

def line(row, number):
    words = f"Item {row}/{number} Blue chair with arms number A-{row}{row} price {row}.50".split()
    top = row * 0.016
    boxes = [Box(0.05 + 0.08 * at, top, 0.12 + 0.08 * at, top + 0.012) for at in range(len(words))]
    return Line(tuple(map(Word, words, boxes)))

def page(number):
    return Page(1, 595, 842, tuple(line(row, number) for row in range(1, 56)))

def seconds(numbers):
    before = time.process_time()
    for number in numbers:
        reader_model.answer([page(number)], questions)
    return (time.process_time() - before) / len(numbers)

names = ("invoice_number", "issue_date", "due_date", "seller_name", "buyer_name", "total", "tax", "iban")
questions = [reader_model.Question(name, "", "text") for name in names]
seconds([0])
numbers = range(1, int(sys.argv[1]) + 1)
print(json.dumps([seconds(numbers), seconds(numbers), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss]))
"""


def run(quick: bool) -> dict[str, float]:
    told = subprocess.run(
        [sys.executable, "-c", _PROGRAM, "1" if quick else "5"], capture_output=True, text=True, check=True
    )
    seconds, again, kibibytes = json.loads(told.stdout)
    files = (Path(docagent.reader_model.__file__).parent / "data").glob("*.onnx")
    return {
        "page_seconds": seconds,
        "page_again_seconds": again,
        "process_mib": kibibytes / 1024,
        "file_mib": sum(file.stat().st_size for file in files) / _MIB,
    }
