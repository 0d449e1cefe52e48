"""A file of words says only what its readers understand, and no word says two things."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

from docagent.builtin_model.asked.asking import words_of
from docagent.builtin_model.asked.concepts import concepts
from docagent.reading.printed import fold, meanings_of
from docagent.words import FOLDER, Language, Section, languages
from tests.rules.sources import SOURCE

_ONE_MEANING = (
    "answers",
    "asked",
    "compound_endings",
    "durations",
    "labels",
    "months",
    "numbers",
    "phrases",
    "terms",
)
"""Sections of which no word may stand for two things, in whichever languages: papers do not say theirs."""
_WRITTEN = re.compile(r"[\w.'&/°º#-]+(?: [\w.'&/°º#-]+)*")
"""Words as people write them, and no pattern."""


def meanings() -> set[str]:
    """Return every meaning: of an English label, in a concept, or one that only questions have."""
    english = languages()[0].sections
    in_concepts = {word for one in concepts().values() for part in (*one.names, *one.labels) for word in part}
    return {
        *english["labels"],
        *english["terms"],
        *in_concepts,
        *(key for key in english["asked"] if " " not in key),
    }


def is_known(section: str, key: str) -> bool:
    """Return whether readers of the section ask for the key: for meanings, or for what the English file has."""
    if section in ("asked", "phrases"):
        return set(key.split()) <= meanings()
    if section in ("compound_endings", "labels", "terms"):
        return key in meanings()
    return key in languages()[0].sections.get(section, {"endings": ()})


def wrong_keys(language: Language) -> Iterator[str]:
    for section, table in language.sections.items():
        if section in get_args(Section):
            yield from (f"[{section}] {key} is not known" for key in table if not is_known(section, key))
        else:
            yield f"[{section}] is no section"
    months = language.sections.get("months", {})
    if set(months) != set(map(str, range(1, 13))):
        yield "[months] has not the numbers 1 to 12"


def wrong_words(language: Language) -> Iterator[str]:
    for section, table in language.sections.items():
        for key, words in table.items():
            yield from (
                f"[{section}] {key}: {word!r} stands twice" for word in words if words.count(word) > 1
            )
            for word in words:
                if word != unicodedata.normalize("NFC", word).lower():
                    yield f"[{section}] {key}: {word!r} is not in small letters"
                if not _WRITTEN.fullmatch(word):
                    yield f"[{section}] {key}: {word!r} is no word"
                if section in ("labels", "terms") and " " in word:
                    yield f"[{section}] {key}: {word!r} is several words, so it belongs to [phrases]"


def two_meanings(several: tuple[Language, ...]) -> Iterator[str]:
    for section in _ONE_MEANING:
        meant: dict[str, tuple[str, str]] = {}
        for language in several:
            for key, words in language.sections.get(section, {}).items():
                for word in words:
                    read = " ".join(words_of(word)) if section == "asked" else fold(word)
                    code, other = meant.setdefault(read, (language.code, key))
                    if other != key:
                        yield f"[{section}] {word!r} is {key} in {language.code}, {other} in {code}"


def test_every_file_is_understood() -> None:
    problems = [
        f"{one.code}: {problem}" for one in languages() for problem in (*wrong_keys(one), *wrong_words(one))
    ]
    assert problems == []


def test_no_word_means_two_things() -> None:
    assert list(two_meanings(languages())) == []


def test_what_is_wrong_with_a_file_is_said() -> None:
    wrong = Language(
        "xx",
        "Wrong",
        {
            "labels": {"total": ("Gesamt", "two words", "a|b", "ok", "ok"), "colour": ("farbe",)},
            "birds": {},
            "months": {"13": ("smarch",)},
        },
    )
    assert sorted(wrong_keys(wrong)) == [
        "[birds] is no section",
        "[labels] colour is not known",
        "[months] 13 is not known",
        "[months] has not the numbers 1 to 12",
    ]
    assert sorted({*wrong_words(wrong)}) == [
        "[labels] total: 'Gesamt' is not in small letters",
        "[labels] total: 'a|b' is no word",
        "[labels] total: 'ok' stands twice",
        "[labels] total: 'two words' is several words, so it belongs to [phrases]",
    ]
    other = Language("xx", "Wrong", {"labels": {"total": ("invoice",)}})
    assert list(two_meanings((*languages(), other))) == ["[labels] 'invoice' is total in xx, invoice in en"]


def test_concepts_are_written_in_meanings() -> None:
    words = {
        word
        for concept in concepts().values()
        for part in (*concept.names, *concept.labels, concept.harmless)
        for word in part
    }
    assert [word for word in sorted(words) if meanings_of(word) != (word,)] == []


def test_files_are_fast_to_read() -> None:
    """Strings in double quotes are read letter by letter, which costs every process a tenth of a second."""
    for path in sorted(SOURCE.rglob("*.toml")):
        values = [line for line in path.read_text().splitlines() if re.search(r'=\s*"', line)]
        assert values == [], path.name


def test_a_file_has_nothing_but_its_language_and_sections() -> None:
    for path in sorted(FOLDER.glob("*.toml")):
        content = tomllib.loads(Path(path).read_text())
        tables = {key: value for key, value in content.items() if key != "language"}
        assert isinstance(content["language"], str)
        assert all(isinstance(text, str) for table in tables.values() for text in table.values()), path.name
