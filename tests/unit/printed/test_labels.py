from __future__ import annotations

from docagent.reading.printed import atoms_of, families_of, fold, meanings_of
from docagent.words import words


def test_words_keep_their_places_when_folding_makes_them_longer_or_shorter() -> None:
    text = "Stra\u00dfe \ufb01nal Zahlungsfa\u0308llig Betrag"
    assert [text[atom.start : atom.end] for atom in atoms_of(text)] == text.split()


def test_every_way_to_write_number_is_read() -> None:
    for text in ("N\u00ba 5", "n\u00b0 5", "\u2116 5", "No. 5", "# 5", "n\u00famero 5"):
        assert atoms_of(text)[0].meaning == "number"


def test_kin_are_known_by_their_words_in_any_language() -> None:
    assert families_of("bruttobetrag") & families_of(fold("Gesamt"))
    assert families_of("kunde") & families_of(fold("K\u00e4ufer"))
    assert families_of("invoices") & families_of("receipt")
    assert families_of("rechnungsdatum") & families_of("fecha")
    assert not families_of("tax") & families_of("total")
    assert families_of("vessel") == frozenset()


def test_meanings_are_words_of_their_own() -> None:
    assert [meaning for meaning in words("labels") if meanings_of(meaning) != (meaning,)] == []
