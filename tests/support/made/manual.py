"""The pages of the manual as tests read them: their blocks of code, and the commands in these."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[3]
PAGES = {
    str(path.relative_to(ROOT)): path.read_text()
    for path in (*sorted((ROOT / "docs").rglob("*.md")), ROOT / "README.md")
}
_FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_INDENTED = re.compile(r"(?:\A|\n\n)((?: {4,}[^\n]*\n+)+)")
_ASSIGNMENT = re.compile(r"[A-Z][A-Z_]*=")


@dataclass(frozen=True)
class Command:
    """One command as a page shows it, with the variables that stand before it."""

    page: str
    words: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.page}: {' '.join(self.words)[:100]}"


def fenced(language: str) -> Iterator[tuple[str, str]]:
    """Every block of a language, with its page."""
    for page, text in PAGES.items():
        yield from ((page, block) for found, block in _FENCED.findall(text) if found == language)


def commands(name: str) -> list[Command]:
    """Every use of a command in a block of shell, or in one that is only indented."""
    return [
        Command(page, words)
        for page, text in PAGES.items()
        for block in _shell_blocks(text)
        for words in _commands(block)
        if words[0] == name
    ]


def _shell_blocks(text: str) -> Iterator[str]:
    yield from (block for language, block in _FENCED.findall(text) if language in ("bash", "sh"))
    plain = _FENCED.sub("", text)
    yield from (re.sub(r"^ {4}", "", block, flags=re.MULTILINE) for block in _INDENTED.findall(plain))


def _commands(block: str) -> Iterator[tuple[str, ...]]:
    """The commands of a block. A quotation may go on over several lines, and a line that is no shell is passed over."""
    waiting = ""
    for line in block.replace("\\\n", " ").splitlines():
        waiting = f"{waiting}\n{line}" if waiting else line
        try:
            words = shlex.split(waiting, comments=True)
        except ValueError:
            continue
        waiting = ""
        while words and _ASSIGNMENT.match(words[0]):
            words.pop(0)
        if words:
            yield tuple(words)
