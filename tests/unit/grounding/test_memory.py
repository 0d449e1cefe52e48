"""A long document takes little memory while values are looked for in it."""

from __future__ import annotations

import random
import tracemalloc

from docagent.domain.documents.text import PackedPage
from docagent.evidence.grounding.index import DocumentIndex
from docagent.reading.page_codec import decode_page, pack_words

PAGES, LINES, WORDS_A_LINE = 12, 45, 10
MOST_BYTES_A_WORD = 450
"""Almost 800 are needed if every word has a text, a rectangle and places of its own."""


def test_pages_and_their_index_take_few_bytes_a_word() -> None:
    packed = [_page(number) for number in range(1, PAGES + 1)]
    DocumentIndex.of([decode_page(packed[0].layout)])
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()

    index = DocumentIndex.of([decode_page(page.layout) for page in packed])

    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(index.words) == PAGES * LINES * WORDS_A_LINE
    assert (after - before) / len(index.words) < MOST_BYTES_A_WORD


def _page(number: int) -> PackedPage:
    dice = random.Random(number)
    vocabulary = [f"word{'abcdefghij'[place % 10] * (place // 10 + 1)}" for place in range(80)]
    lines = [
        [
            (dice.choice(vocabulary), left, top, left + 3000, top + 900, 1.0, "text")
            for left in range(4000, 4000 + 6000 * WORDS_A_LINE, 6000)
        ]
        for top in range(3000, 3000 + 1300 * LINES, 1300)
    ]
    return pack_words(number, 595.0, 842.0, lines)
