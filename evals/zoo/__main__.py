"""Writes made documents into a folder, to look at or to work with.

    python -m evals.zoo --seed 7 --count 20 --half building --out FOLDER [--kind NAME] [--language NAME]

Each document becomes a PDF, a picture of its first sheet as it is (.png) and as a scanner gives it (.jpg), and a JSON
file with the schema, the right answer, and every place of every value.
"""

from __future__ import annotations

import argparse
import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

from evals.zoo import KINDS, LANGUAGES, Asked, Half, MadeDocument, make
from evals.zoo.document import Occurrence
from evals.zoo.pdf import as_pdf
from evals.zoo.scan import CLEAN, Scanner, as_scans


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m evals.zoo", description=__doc__.splitlines()[0])
    parser.add_argument(
        "--seed", type=int, default=0, help="seed of the first document; the next ones follow"
    )
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--half", choices=list(Half), default=Half.BUILDING)
    parser.add_argument("--kind", choices=KINDS)
    parser.add_argument("--language", choices=LANGUAGES)
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    for seed in range(arguments.seed, arguments.seed + arguments.count):
        write(make(seed, Half(arguments.half), arguments.kind, arguments.language), arguments.out)


def write(document: MadeDocument, folder: Path) -> None:
    path = folder / document.name
    path.with_suffix(".pdf").write_bytes(as_pdf(document.sheets))
    first = document.sheets[:1]
    as_scans(first, CLEAN)[0].save(path.with_suffix(".png"))
    scanner = replace(Scanner.draw(random.Random(document.name)), upside=0)
    as_scans(first, scanner)[0].save(path.with_suffix(".jpg"), quality=80)
    path.with_suffix(".json").write_text(json.dumps(as_json(document), ensure_ascii=False, indent=1))


def as_json(document: MadeDocument) -> dict[str, Any]:
    return {
        "kind": document.kind,
        "language": document.language,
        "half": document.half,
        "schema": document.schema,
        "values": document.values,
        "places": {asked.name: _places(document, asked) for asked in document.asked},
    }


def _places(document: MadeDocument, asked: Asked) -> Any:
    if asked.rows:
        return [{name: _places(document, cell) for name, cell in row.items()} for row in asked.rows]
    return [_boxes(document, occurrence) for occurrence in asked.places]


def _boxes(document: MadeDocument, occurrence: Occurrence) -> list[dict[str, Any]]:
    boxes = [(place.page, document.box(place)) for place in occurrence]
    return [{"page": page, "box": [box.left, box.top, box.right, box.bottom]} for page, box in boxes]


if __name__ == "__main__":
    main()
