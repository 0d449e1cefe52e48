from __future__ import annotations

import json
from pathlib import Path

import pytest

from docagent.cli.extraction.extract_output import Target, summary_json
from docagent.cli.extraction.extracted import Extracted, Value
from docagent.cli.output import complain, note, print_json, print_table
from docagent.client.models import Message
from docagent.domain.errors import CannotStart
from docagent.domain.field_path import FieldPath

PROVEN = Value(FieldPath(("total",)), 99.5, 1, proven=True)
UNPROVEN = Value(FieldPath(("lines", 0, "amount")), 1, None, proven=False)
DOCUMENT = Extracted(
    Path("a.pdf"), "aa", "1", 2, "Bill", {"total": 99.5, "lines": [{"amount": 1}]}, (PROVEN, UNPROVEN)
)


def test_programs_get_lines_with_tabs_and_nothing_that_a_terminal_obeys(
    capsys: pytest.CaptureFixture[str],
) -> None:
    print_table(("id", "name"), [(1, "a\tb\n c"), (2, "\x1b[2Jgone"), (3, None)])
    assert capsys.readouterr().out == "1\ta b c\n2\t�[2Jgone\n3\t\n"


def test_only_complaints_are_made_when_nobody_watches(capsys: pytest.CaptureFixture[str]) -> None:
    note("Working")
    complain("It failed.")
    assert capsys.readouterr() == ("", "It failed.\n")


def test_answers_and_paths_are_json(capsys: pytest.CaptureFixture[str]) -> None:
    print_json({"answer": Message(message="yes"), "file": Path("a.pdf")})
    assert json.loads(capsys.readouterr().out) == {"answer": {"message": "yes"}, "file": "a.pdf"}


def test_out_and_json_say_where_it_goes(tmp_path: Path) -> None:
    assert Target.of(None, as_json=False) == Target("csv", None)
    assert Target.of(None, as_json=True) == Target("json", None)
    assert Target.of("json", as_json=False) == Target("json", None)
    file = tmp_path / "values.XLSX"
    assert Target.of(str(file), as_json=True) == Target("xlsx", file, summary=True)
    with pytest.raises(CannotStart, match=r"not values\.pdf"):
        Target.of("values.pdf", as_json=False)
    with pytest.raises(CannotStart, match="no folder"):
        Target.of(str(tmp_path / "missing" / "values.csv"), as_json=False)


def test_what_is_unproven_is_marked(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    Target.of("csv", as_json=False).write([DOCUMENT, Extracted(Path("b.pdf"), "bb", error="It is empty.")])
    written = capsysbinary.readouterr()
    assert written.out.decode().splitlines() == [
        "file,prompt,total,lines,unproven,problems,error",
        'a.pdf,Bill,99.5,"[{""amount"":1}]",lines.0.amount,,',
        "b.pdf,,,,,,It is empty.",
    ]
    assert written.err == b"b.pdf: It is empty.\n"


def test_a_document_that_was_named_twice_counts_once() -> None:
    twice = [DOCUMENT, Extracted(Path("copy.pdf"), "aa", "1", 2, "Bill", DOCUMENT.data, DOCUMENT.values)]
    assert summary_json(twice) == {"documents": 1, "pages": 2, "values": 2, "unproven": 1, "failed": 0}
