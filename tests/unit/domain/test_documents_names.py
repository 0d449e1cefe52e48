"""Names of files that may be uploaded, and metadata searches as clients write them."""

from __future__ import annotations

import pytest

from docagent.domain.documents.documents import (
    MAX_NAME_LENGTH,
    check_name,
    original_key,
    parse_metadata_search,
    rendition_key,
)
from docagent.domain.documents.formats import FORMATS
from docagent.domain.errors import InvalidInput
from tests.support.tables import table


@table("extension", FORMATS)
def test_every_known_extension_is_accepted_in_any_case(extension: str) -> None:
    assert check_name(f"a file{extension}") == extension
    assert check_name(f"A FILE{extension.upper()}") == extension


@table(
    ("name", "extension"),
    [
        ("a.b.pdf", ".pdf"),
        ("folder/inner.pdf", ".pdf"),
        ("../../etc/passwd.txt", ".txt"),
        ("C:\\files\\x.docx", ".docx"),
        ("Größe 図.md", ".md"),
        ("x" * (MAX_NAME_LENGTH - 4) + ".pdf", ".pdf"),
    ],
)
def test_names_of_all_kinds_are_kept(name: str, extension: str) -> None:
    assert check_name(name) == extension


@table("name", ["a.exe", "a", "a.", ".pdf", "a.pdf/b", "a.pdf ", "pdf", "a.pdf.zip"])
def test_other_extensions_are_refused(name: str) -> None:
    with pytest.raises(InvalidInput, match="Unsupported file extension"):
        check_name(name)


def test_the_refusal_names_the_extension_and_the_file() -> None:
    with pytest.raises(InvalidInput, match=r"^Unsupported file extension \.exe: a\.exe$"):
        check_name("a.exe")


@table("name", ["", "  ", "x" * MAX_NAME_LENGTH + ".pdf"])
def test_a_name_has_a_length(name: str) -> None:
    with pytest.raises(InvalidInput, match="1 to 500 characters"):
        check_name(name)


@table("name", ["a\x00.pdf", "a\n.pdf", "\ta.pdf"])
def test_control_characters_are_refused(name: str) -> None:
    with pytest.raises(InvalidInput, match="control characters"):
        check_name(name)


def test_files_of_an_organisation_lie_below_its_id() -> None:
    assert original_key("org", "doc") == "org/documents/doc/original"
    assert rendition_key("org", "doc") == "org/documents/doc/rendition.pdf"


@table(
    ("text", "pairs"),
    [
        (None, []),
        ("", []),
        ("no pair", []),
        ("a=1", [("a", "1")]),
        ("a=1,b=2", [("a", "1"), ("b", "2")]),
        (" a =1", [("a", "1")]),
        ("a=", [("a", "")]),
        ("a=b=c", [("a", "b=c")]),
        ("a%3D1", [("a", "1")]),
        ("a%2Cb=x%2Cy", [("a,b", "x,y")]),
        ("k=50%25", [("k", "50%")]),
        ("a=1,,b", [("a", "1")]),
    ],
)
def test_metadata_searches_are_read(text: str | None, pairs: list[tuple[str, str]]) -> None:
    assert parse_metadata_search(text) == pairs
