"""Markdown files as people write them: those of the packages that are installed, and variants made of them."""

from __future__ import annotations

import re
import sysconfig
from functools import cache
from itertools import islice
from pathlib import Path

NODE_MODULES = Path(__file__).parents[3] / "web" / "node_modules"
FILES = 200
EACH = 20
MOST_BYTES = 30_000
"""Longer files take time and show nothing more."""
_BREAK = re.compile(r"\r\n|\r|\n")
BOM = "\ufeff"


@cache
def real_texts() -> tuple[str, ...]:
    """The texts of at least FILES different files, with the line ends that they have."""
    folders = [Path(sysconfig.get_path("purelib")), NODE_MODULES]
    found = (path for folder in folders for path in sorted(folder.rglob("*.md")) if _is_wanted(path))
    texts = dict.fromkeys(path.read_bytes().decode() for path in found)
    return tuple(islice(texts, FILES))


def variants() -> dict[str, list[str]]:
    """EACH texts of every kind that may suffer on its way."""
    bases = [text for text in real_texts() if len(_BREAK.findall(text)) > 5][:EACH]
    plain = [_BREAK.sub("\n", text) for text in bases]
    return {
        "crlf": [text.replace("\n", "\r\n") for text in plain],
        "cr": [text.replace("\n", "\r") for text in plain],
        "mixed": [_mixed(text) for text in plain],
        "no end": [text.rstrip("\n") for text in plain],
        "many ends": [f"{text}\n\n\n" for text in plain],
        "front matter": [f"---\ntitle: A: b\ntags: [x, y]\n---\n\n{text}" for text in plain],
        "html": [
            f"<details>\n<summary>More</summary>\n\n<pre>\n# no heading\n\n</pre>\n{text}</details>\n"
            for text in plain
        ],
        "tabs": [re.sub(r"(?m)^( {2,4}|- )", "\t", text) + "\tend\t\n" for text in plain],
        "bom": [BOM + text for text in plain],
    }


def _mixed(text: str) -> str:
    ends = ("\n", "\r\n", "\r")
    lines = text.split("\n")
    return "".join(line + ends[number % 3] for number, line in enumerate(lines[:-1])) + lines[-1]


def _is_wanted(path: Path) -> bool:
    if not path.is_file() or not 0 < path.stat().st_size <= MOST_BYTES:
        return False
    content = path.read_bytes()
    try:
        return "\x00" not in content.decode()
    except UnicodeDecodeError:
        return False
