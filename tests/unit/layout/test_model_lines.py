"""A model's reading of a page beside that of our readers."""

from __future__ import annotations

from docagent.domain.documents.text import Box, Line, Page, Word, WordSource
from docagent.evidence.grounding import DocumentIndex, MatchKind, locate
from docagent.evidence.grounding.model import Reason
from docagent.reading.model_lines import NOTE, ModelLine, with_model_lines
from docagent.reading.page_codec import decode_page, pack_page

REGION = Box(0.1, 0.1, 0.6, 0.13)


def word(text: str, left: float, top: float = 0.1) -> Word:
    return Word(text, Box(left, top, left + 0.1, top + 0.02), 0.6, WordSource.OCR)


READ = Page(
    1,
    595.0,
    842.0,
    (
        Line((word("Bill", 0.1, 0.05),)),
        Line((word("Total", 0.1), word("1,6I7.30", 0.4))),
        Line((word("Thanks", 0.1, 0.5),)),
    ),
    other_readings={1: "Tota1", 3: "Thank5"},
)


def test_confirmed_words_keep_their_boxes_and_the_others_get_their_lines_region() -> None:
    both = with_model_lines(READ, [ModelLine("Total 1,617.30", REGION)])
    assert [line.text for line in both.lines] == ["Bill", "Total 1,6I7.30", "1,617.30", "Thanks"]
    assert both.lines[2].words == (Word("1,617.30", REGION, 0.0, WordSource.MODEL),)
    assert both.note == NOTE
    assert both.other_readings == {1: "Tota1", 4: "Thank5"}
    assert both.without_model_words().lines == READ.lines
    assert both.without_model_words().other_readings == READ.other_readings
    assert decode_page(pack_page(both).layout).words[3].source is WordSource.MODEL


def test_what_our_readers_read_there_adds_nothing() -> None:
    said = [ModelLine("total 1,6I7.30", REGION), ModelLine("Total  1,6I7.30", REGION)]
    assert with_model_lines(READ, said) is READ
    elsewhere = with_model_lines(READ, [ModelLine("Total", Box(0.1, 0.8, 0.3, 0.83))])
    assert elsewhere.lines[-1].text == "Total"


def test_a_model_alone_proves_nothing() -> None:
    both = with_model_lines(READ, [ModelLine("Total 8,404.55", REGION)])
    found = locate(DocumentIndex.of([both]), 8404.55)
    assert found is not None
    assert found.match is MatchKind.UNPROVEN
    assert found.signals.reason is Reason.MODEL
    assert found.alternatives[0].words[0].box == REGION
