"""How a document writes: which number of a date is the day, and which character parts the decimals."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Style:
    """A document's habits. None means that the document does not tell, so that every meaning is kept."""

    day_first: bool | None = None
    decimal_comma: bool | None = None


UNTOLD = Style()
