"""A third reading of a page, by a model that sees it: its words beside those of our readers.

A word that our readers have at the same place keeps their box. The others are added with the region of their line, and
say that only a model read them: they prove nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from docagent.domain.documents.text import Box, Line, Page, Word, WordSource
from docagent.reading.printed import squeezed

NOTE = "A model read words on this page that our readers did not confirm."
NEAR = 0.02
"""How far from a line's region its words may lie: models point roughly."""
MOST_LINES = 500


@dataclass(frozen=True, slots=True)
class ModelLine:
    text: str
    region: Box


def with_model_lines(page: Page, read: Sequence[ModelLine]) -> Page:
    """The page with the words that only the model read, or the page itself if there are none."""
    left = [(squeezed(word.text), word.box) for word in page.words if word.source is not WordSource.HIDDEN]
    lines = list(page.lines)
    seen: list[tuple[str, Box]] = []
    for one in read[:MOST_LINES]:
        said = squeezed(one.text)
        if any(said == text and one.region.touches(region) for text, region in seen):
            continue  # neighbouring pictures of a page overlap
        seen.append((said, one.region))
        unconfirmed = _unconfirmed(one, left)
        if unconfirmed:
            words = tuple(Word(text, one.region, 0.0, WordSource.MODEL) for text in unconfirmed)
            below = [at for at, line in enumerate(lines) if line.words and line.box.top > one.region.top]
            lines.insert(below[0] if below else len(lines), Line(words))
    if len(lines) == len(page.lines):
        return page
    return replace(page, lines=tuple(lines), note=NOTE, other_readings=_moved(page, lines))


def _unconfirmed(line: ModelLine, left: list[tuple[str, Box]]) -> list[str]:
    """The line's words that none of our words there say. Each of ours, which stand in `left`, confirms one."""
    around, found = line.region.grown(NEAR), []
    for word in line.text.split():
        said = squeezed(word)
        ours = next((one for one in left if one[0] == said and around.touches(one[1])), None)
        if ours is None:
            found.append(word)
        else:
            left.remove(ours)
    return found


def _moved(page: Page, lines: Sequence[Line]) -> dict[int, str]:
    """The readings of words on which our readers disagree, by the numbers that the words have now."""
    ours = [at for at, word in enumerate(_words(lines)) if word.source is not WordSource.MODEL]
    return {ours[number]: text for number, text in page.other_readings.items()}


def _words(lines: Sequence[Line]) -> list[Word]:
    return [word for line in lines for word in line.words]
