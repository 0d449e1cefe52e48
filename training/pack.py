"""Puts what training needs into one folder, for a machine that has torch and nothing of ours.

`python -m training.pack FOLDER --resume WEIGHTS`, then there `PYTHONPATH=. python -m training.train ...`. The
judging half's wordings stay here.
"""

from __future__ import annotations

import argparse
import pickle
import shutil
from pathlib import Path

import torch
from evals.zoo.fonts import CALADEA, COURIER, HAND, HELVETICA, MANROPE, SANS, SERIF, TIMES, glyphs_of

from training.eight_bits import save

_ROOT = Path(__file__).parent.parent
_SOURCES = (
    "docagent/__init__.py", "docagent/domain/__init__.py", "docagent/domain/documents/__init__.py", "docagent/domain/documents/text.py", "docagent/domain/errors.py",
    "docagent/adapters/__init__.py", "docagent/adapters/parse/__init__.py", "docagent/adapters/parse/tokens.py",
    "docagent/adapters/parse/pdf/__init__.py", "docagent/adapters/parse/pdf/reading_order.py", "docagent/reading/__init__.py", "docagent/reading/page_codec.py",
)  # fmt: skip
_FAMILIES = {
    "HELVETICA": HELVETICA, "TIMES": TIMES, "COURIER": COURIER, "SANS": SANS, "SERIF": SERIF, "CALADEA": CALADEA, "MANROPE": MANROPE,
}  # fmt: skip
_FONTS = '''"""The fonts' measures, taken where the fonts are."""

import pickle
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Family:
    plain: str
    bold: str


@dataclass(frozen=True, slots=True)
class Glyph:
    width: float
    left: float
    right: float
    bottom: float
    top: float


_KEPT = pickle.loads(Path(__file__).with_suffix(".pickle").read_bytes())
_GLYPHS = {font: {sign: Glyph(*sides) for sign, sides in glyphs.items()} for font, glyphs in _KEPT["glyphs"].items()}
globals().update({name: Family(*fonts) for name, fonts in _KEPT["families"].items()})
HAND = _KEPT["hand"]


def glyphs_of(font):
    return _GLYPHS[font]


def width_of(text, font, size):
    glyphs = _GLYPHS[font]
    return sum([glyphs[sign].width for sign in text]) * size
'''


_NO_ORJSON = '"""Stands in for a library that learning does not call."""\n'


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--resume", type=Path, help="weights of an earlier slice; kept with 8 bits")
    options = parser.parse_args()
    target: Path = options.folder
    for name in _SOURCES:
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(_ROOT / "src" / name, target / name)
    for source, name in (
        ("src/docagent/reader_model", "docagent/reader_model"),
        ("evals/zoo", "evals/zoo"),
        ("training", "training"),
    ):
        ignored = shutil.ignore_patterns("__pycache__", "*.onnx")
        shutil.copytree(_ROOT / source, target / name, dirs_exist_ok=True, ignore=ignored)
    (target / "evals/wordings").mkdir(exist_ok=True)
    shutil.copyfile(_ROOT / "evals/wordings/__init__.py", target / "evals/wordings/__init__.py")
    shutil.copyfile(_ROOT / "evals/__init__.py", target / "evals/__init__.py")
    (target / "orjson.py").write_text(_NO_ORJSON)
    _pack_fonts(target / "evals/zoo")
    if options.resume:
        known = torch.load(options.resume, map_location="cpu", weights_only=True)["net"]
        save({name: weight.float().numpy() for name, weight in known.items()}, target / "resume.npz")


def _pack_fonts(folder: Path) -> None:
    names = {name for family in _FAMILIES.values() for name in (family.plain, family.bold)} | {HAND}
    kept = {
        "glyphs": {
            name: {
                sign: (one.width, one.left, one.right, one.bottom, one.top)
                for sign, one in glyphs_of(name).items()
            }
            for name in sorted(names)
        },
        "families": {name: (family.plain, family.bold) for name, family in _FAMILIES.items()},
        "hand": HAND,
    }
    (folder / "fonts.py").write_text(_FONTS)
    (folder / "fonts.pickle").write_bytes(pickle.dumps(kept))


if __name__ == "__main__":
    main()
