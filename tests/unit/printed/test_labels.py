from __future__ import annotations

from docagent.reading.printed import atoms_of, families_of, fold, meanings_of
from docagent.reading.printed.table import COMPOUND_ENDINGS, FAMILIES, LABELS, MONTHS


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


def test_a_word_of_the_table_has_one_meaning() -> None:
    meanings: dict[str, str] = {}
    for meaning, words in LABELS.items():
        for word in words.split():
            assert meanings.setdefault(fold(word), meaning) == meaning


def test_meanings_are_words_of_their_own() -> None:
    assert [meaning for meaning in LABELS if meanings_of(meaning) != (meaning,)] == []
    assert set(COMPOUND_ENDINGS) <= set(LABELS)
    assert all(family.split()[0] in LABELS for family in FAMILIES)


def test_a_name_means_the_same_month_in_every_language() -> None:
    numbers: dict[str, int] = {}
    for months in MONTHS.values():
        assert months.count("|") == 11
        for number, names in enumerate(months.split("|"), 1):
            for name in names.split():
                assert numbers.setdefault(fold(name), number) == number
