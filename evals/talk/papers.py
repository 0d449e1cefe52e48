"""The paper that the messages about a document are said of: an agreement, set as a page."""

from __future__ import annotations

from docagent.domain.documents.text import Box, Line, Page, Word

AGREEMENT = (
    "SERVICE AGREEMENT No. SA-2025-118",
    "between Brightwell Cleaning B.V., Quay 7, Rotterdam (the provider)",
    "and Harbour Lane Bakery, 12 Harbour Lane, Rotterdam (the client)",
    "1. Services. The provider cleans the client's shop and bakery every working day.",
    "2. Fees. The client pays a monthly fee of EUR 2,450.00 to IBAN NL91 ABNA 0417 1643 00.",
    "3. Term. This agreement starts on 1 January 2025 and ends on 31 December 2027.",
    "4. Termination. Either party may terminate it with a notice period of three months.",
    "5. Late payment. Interest of 8 % a year is charged on late payments.",
    "6. Insurance. The provider keeps liability insurance of at least EUR 1,000,000.",
    "7. Law. The law of the Netherlands applies; the courts of Rotterdam settle disputes.",
    "Signed for the provider: Mara Lindqvist",
    "Signed for the client: Tom Baker",
)
_HEIGHT = 0.04
_LETTER = 0.009


def agreement() -> list[Page]:
    lines = []
    for number, text in enumerate(AGREEMENT):
        words, left = [], 0.05
        for word in text.split():
            right = left + _LETTER * len(word)
            top = 0.05 + number * _HEIGHT * 1.5
            words.append(Word(word, Box(left, top, right, top + _HEIGHT / 2)))
            left = right + _LETTER
        lines.append(Line(tuple(words)))
    return [Page(1, 612.0, 792.0, tuple(lines))]
