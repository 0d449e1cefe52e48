"""Names of files in an archive: they come out on any system, and none hides another."""

from __future__ import annotations

from docagent.domain.documents.documents import archive_names
from tests.support.tables import table


@table(
    ("names", "expected"),
    [
        (["a.pdf", "b.pdf"], ["a.pdf", "b.pdf"]),
        (["a.pdf", "A.PDF", "a.pdf"], ["a.pdf", "A (2).PDF", "a (3).pdf"]),
        (["a.pdf", "a (2).pdf", "a.pdf"], ["a.pdf", "a (2).pdf", "a (3).pdf"]),
        (["../../etc/passwd.txt", "c:\\x.txt"], ["_.._etc_passwd.txt", "c__x.txt"]),
        (['Q1: "draft"?.pdf'], ["Q1_ _draft__.pdf"]),
        (["con.txt", "COM1.pdf", "console.txt"], ["_con.txt", "_COM1.pdf", "console.txt"]),
        ([" . ", "Überweisung.pdf"], ["document", "Überweisung.pdf"]),
    ],
)
def test_names_are_safe_and_unlike(names: list[str], expected: list[str]) -> None:
    assert archive_names(names) == expected


def test_a_long_name_keeps_its_extension_and_stays_whole_text() -> None:
    (name,) = archive_names(["ü" * 400 + ".pdf"])
    assert name == "ü" * 100 + ".pdf"
