"""The text of a file as it is, in whatever encoding."""

from __future__ import annotations

import codecs
from pathlib import Path

from docagent.domain.errors import ReadFailed, ReadFailure

_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SAMPLE = 4096
_NOT_TEXT = "This file does not hold text. Check that it is what its name says, and upload it again."


def lines(path: Path, max_characters: int) -> list[str]:
    """Return the lines of a text file. Raises ReadFailed."""
    return text_of(path, max_characters).split("\n")


def text_of(path: Path, max_characters: int) -> str:
    """Return the text of a file. Raises ReadFailed if it is too long, or not text."""
    if path.stat().st_size > 4 * max_characters:
        raise ReadFailed(
            ReadFailure.TOO_LARGE,
            f"The text is longer than {max_characters:,} characters. Split it and upload the parts.",
        )
    return decoded(path.read_bytes())


def decoded(content: bytes) -> str:
    """Return the text of a file in an unknown encoding. Raises ReadFailed if it is not text."""
    text = _decoded(content).replace("\r\n", "\n").replace("\r", "\n")
    sample = text[:_SAMPLE]
    strange = sum(not (character.isprintable() or character in "\n\t\f") for character in sample)
    if 10 * strange > len(sample):
        raise ReadFailed(ReadFailure.UNSUPPORTED, _NOT_TEXT)
    return text.replace("\0", "")


def _decoded(content: bytes) -> str:
    for mark, encoding in _BYTE_ORDER_MARKS:
        if content.startswith(mark):
            return content.decode(encoding, errors="replace")
    sample = content[:_SAMPLE]
    if sample[1::2].count(0) > len(sample) // 8:
        return content.decode("utf-16-le", errors="replace")
    if sample[::2].count(0) > len(sample) // 8:
        return content.decode("utf-16-be", errors="replace")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return content.decode("cp1252", errors="replace")
