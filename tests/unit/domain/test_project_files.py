"""Names of documents from paths of files, and paths of files for names of documents."""

from __future__ import annotations

import pytest

from docagent.domain.errors import InvalidInput
from docagent.domain.projects.project_files import (
    archive_paths,
    document_name,
    is_left_out,
    names_no_file_has,
)
from tests.support.tables import table


@table(
    ("path", "name"),
    [
        ("Start.md", "Start"),
        ("guides/Start.markdown", "guides/Start"),
        ("./guides//Start.TXT", "guides/Start"),
        ("README.md.md", "README.md"),
        ("a  b.md", "a b"),
        ("u\u0308ber.md", "über"),
        ("con.md", "con"),
        ("..a/b...md", "..a/b.."),
    ],
)
def test_a_file_names_its_document(path: str, name: str) -> None:
    assert document_name(path) == name


@table(
    ("path", "said"),
    [
        ("/etc/passwd.md", "absolute"),
        ("C:/x.md", "absolute"),
        ("c:x.md", "absolute"),
        ("../x.md", "leads out"),
        ("a/../../x.md", "leads out"),
        ("a\\b.md", "backslash"),
        ("a\nb.md", "control"),
        ("a\x00.md", "control"),
        ("a\x7f.md", "control"),
        ("a\ud800.md", "broken Unicode"),
        ("a.docx", "Only markdown"),
        ("a.md.zip", "Only markdown"),
        ("md", "Only markdown"),
        ("", "Only markdown"),
        (".md", "name is empty"),
        ("a" * 201 + ".md", "too long"),
    ],
)
def test_a_path_that_must_not_be_is_refused_with_the_reason(path: str, said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        document_name(path)


def test_what_systems_put_into_folders_is_left_out() -> None:
    for path in (
        "__MACOSX/a/._b.md",
        ".git/x.md",
        "a/.hidden/b.md",
        ".DS_Store",
        "a/Thumbs.db",
        "desktop.ini",
    ):
        assert is_left_out(path), path
    for path in ("a.md", "a/b.md", "../a.md", "./a.md", "thumbs.db/a.md"):
        assert not is_left_out(path), path


@table(
    ("names", "paths"),
    [
        (["Start", "guides/Start"], ["Start.md", "guides/Start.md"]),
        (["README.md", "README", "readme"], ["README.md", "README (2).md", "readme (3).md"]),
        (["a.md/b", "a"], ["a.md_/b.md", "a.md"]),
        (["What: next?"], ["What_ next_.md"]),
        (["../../etc", "/etc", "a/../b", "//"], ["etc.md", "etc (2).md", "a/b.md", "_.md"]),
        (["con", "Aux.x/nul"], ["_con.md", "_Aux.x/_nul.md"]),
        (["a. /b ."], ["a/b.md"]),
        (["é", "e\u0301"], ["é.md", "é (2).md"]),
        (["ü" * 200], ["ü" * 100 + ".md"]),
        (["a\\b\u0007"], ["a_b_.md"]),
    ],
)
def test_every_document_has_a_place_that_any_system_accepts(names: list[str], paths: list[str]) -> None:
    assert archive_paths(names) == paths


def test_only_names_that_the_path_does_not_tell_are_kept_beside_it() -> None:
    names = ["Start", "guides/Start", "README.md", "What?", "__MACOSX/x"]
    paths = archive_paths(names)
    assert names_no_file_has(names, paths) == {
        "README.md": "README.md",
        "What_.md": "What?",
        "__MACOSX/x.md": "__MACOSX/x",
    }
