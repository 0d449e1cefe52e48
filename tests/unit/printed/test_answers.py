"""Yes and no in many languages: whoever reads a document reads the same."""

from __future__ import annotations

from docagent.builtin_model.page.marks import Mark
from docagent.builtin_model.page.reading import is_true
from docagent.domain.documents.text import Box, Line, Page, Word
from docagent.evidence.grounding import DocumentIndex, locate
from docagent.reading.printed import answer_of, mark_of
from tests.support.tables import table

ANSWERS = [
    *(
        (word, True)
        for word in (
            "Yes",
            "JA",
            "oui",
            "Sí",
            "sì",
            "Sim",
            "tak",
            "Evet",
            "igen",
            "Kyllä",
            "да",
            "\u03bd\u03b1\u03b9",
        )
    ),
    *(
        (word, False)
        for word in ("No", "Nein", "NON", "nee", "Não", "nie", "nej", "Hay\u0131r", "nem", "нет", "όχι")
    ),
]


@table(("word", "said"), ANSWERS)
def test_everybody_reads_the_same(word: str, said: bool) -> None:
    assert answer_of(word) is said
    assert answer_of(f"({word}),") is said
    assert is_true(word) is said
    assert Mark(checked=True, label=word, question="Insured").answer is said
    words = [Word(text, Box(left, 0.1, left + 0.1, 0.12)) for text, left in (("Insured:", 0.1), (word, 0.25))]
    index = DocumentIndex.of([Page(1, 595, 842, (Line(tuple(words)),))])
    proof = locate(index, said, path=("insured",), schema={"type": "boolean"})
    assert proof is not None
    assert [found.text for found in proof.words] == [word]
    contradicted = locate(index, not said, path=("insured",), schema={"type": "boolean"})
    assert contradicted is not None
    assert contradicted.words == ()


@table("word", ["", "year", "año", "da", "ne", "nu", "ei", "none", "yesterday", "not"])
def test_other_words_say_neither(word: str) -> None:
    assert answer_of(word) is None
    assert mark_of(word) is None
    assert is_true(word) is None


@table(
    ("text", "said"),
    [
        ("x", True),
        ("[X]", True),
        ("Insured x", True),
        ("\u2612 insured", True),
        ("checked", True),
        ("selected", True),
        ("unchecked", False),
        ("[ ] insured", False),
        ("\u2610", False),
        ("x-ray", None),
        ("tax free", None),
    ],
)
def test_check_marks_in_words(text: str, said: bool | None) -> None:
    assert is_true(text) is said
