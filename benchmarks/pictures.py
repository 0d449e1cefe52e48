"""Pictures of pages for models: time and memory of making them, and how legible print of 8 points is at their sizes.

For each provider's limits, a recogniser reads pages from the pictures alone. `..._read` is the share of words it read.
"""

from __future__ import annotations

import json
import subprocess
import sys

NAME = "pictures"
_PROGRAM = """
import json, random, resource, sys, tempfile, time
from pathlib import Path
from PIL import Image
from reportlab.pdfgen.canvas import Canvas
from docagent.adapters.parse.limits import ReadLimits, allow_processor_time
from docagent.adapters.parse.pictures import draw
from docagent.adapters.parse.recognition.recogniser import Recogniser
from docagent.adapters.parse.request import ReadRequest, Task
from docagent.domain.documents.pictures import Drawing, drawing_name
from docagent.domain.documents.text import Page
from docagent.domain.models.catalogue import BUILT_IN
from docagent.domain.models.pictures import eyes_of
from docagent.domain.models.providers import WireKind

KINDS = {"openai": WireKind.OPENAI, "anthropic": WireKind.ANTHROPIC, "gemini": WireKind.GEMINI,
         "local": WireKind.OLLAMA}
PAGE = Page(1, 595.0, 842.0, ())
WORDS = ("invoice number delivery amount customer account payment reference order date total price unit tax "
         "article quantity discount transport insurance contract period").split()
count, lines, chance = int(sys.argv[1]), int(sys.argv[2]), random.Random(8)

def written(path):
    canvas = Canvas(str(path), pagesize=(595, 842))
    canvas.setFont("Helvetica", 8)
    said = []
    for row in range(lines):
        words = [chance.choice(WORDS) for _ in range(5)] + [f"{chance.randrange(10**6)}.{chance.randrange(100):02d}"]
        canvas.drawString(50 + chance.randrange(150), 790 - row * (740 / lines), " ".join(words))
        said += words
    canvas.save()
    return said

figures, recogniser = {}, Recogniser()
with tempfile.TemporaryDirectory() as name:
    folder = Path(name)
    papers = [(folder / f"{number}.pdf", written(folder / f"{number}.pdf")) for number in range(count)]
    found = {}
    for kind, wire in KINDS.items():
        pieces = eyes_of(BUILT_IN, wire).pieces_of(PAGE)
        drawings = tuple(Drawing(1, piece.region, *piece.size) for piece in pieces)
        spent = size = 0
        for path, _ in papers:
            began = time.process_time()
            draw(ReadRequest(Task.DRAW, path, ".pdf", ReadLimits(), pictures=folder, drawings=drawings))
            spent += time.process_time() - began
            found[kind, path] = [(folder / drawing_name(at)).read_bytes() for at in range(len(drawings))]
            size += sum(map(len, found[kind, path]))
        figures[f"{kind}_pictures"] = len(pieces)
        figures[f"{kind}_tokens"] = sum(eyes_of(BUILT_IN, wire).tokens(piece.size) for piece in pieces)
        figures[f"{kind}_page_seconds"] = spent / count
        figures[f"{kind}_page_kib"] = size / count / 1024
    allow_processor_time(100_000)
    figures["process_mib"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    for kind in KINDS:
        right = total = 0
        for path, said in papers:
            read = set()
            for file in found[kind, path]:
                (folder / "one.jpg").write_bytes(file)
                lines_read = recogniser.read(Image.open(folder / "one.jpg"), dpi=130).lines
                read |= {word.text for line in lines_read for word in line.words}
            right += sum(word in read for word in said)
            total += len(said)
        figures[f"{kind}_8pt_read"] = right / total
print(json.dumps(figures))
"""


def run(quick: bool) -> dict[str, float]:
    sizes = ("2", "8") if quick else ("50", "40")
    told = subprocess.run(
        [sys.executable, "-c", _PROGRAM, *sizes], capture_output=True, text=True, check=True
    )
    figures: dict[str, float] = json.loads(told.stdout)
    return figures
