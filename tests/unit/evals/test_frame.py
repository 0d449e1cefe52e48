from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from evals.matching import distance, distance_within, end_within, occurrences, overlap
from evals.report import is_regression, regressions
from evals.suite import Outcome, Results, flat, run_suite

from docagent.domain.documents.text import Box, Word
from tests.support.tables import table


@dataclass
class MadeSuite:
    NAME: str = "made"
    FOLDER: str | None = "made"
    fault: Exception | None = None

    def run(self, folder: Path) -> Results:
        if self.fault:
            raise self.fault
        return {"files": len(list(folder.iterdir())), "pdf": {"found": 0.5}}


def test_a_suite_gives_its_figures(tmp_path: Path) -> None:
    (tmp_path / "made").mkdir()
    (tmp_path / "made" / "a.pdf").touch()
    outcome = run_suite(MadeSuite(), tmp_path)
    assert flat(outcome.results) == {"files": 1, "pdf.found": 0.5}


def test_a_missing_folder_is_no_fault(tmp_path: Path) -> None:
    assert run_suite(MadeSuite(), tmp_path).not_run == "there is no folder made in the data"
    assert run_suite(MadeSuite(), None).not_run == "no data folder was given (--data)"


def test_a_suite_with_data_of_its_own_needs_no_folder() -> None:
    assert run_suite(MadeSuite(FOLDER=None), None).not_run is None


def test_a_crash_is_kept_for_the_report(tmp_path: Path) -> None:
    (tmp_path / "made").mkdir()
    outcome = run_suite(MadeSuite(fault=RuntimeError("broken")), tmp_path)
    assert "RuntimeError: broken" in (outcome.crash or "")


@table(
    ("name", "value", "accepted", "fell"),
    [
        ("share", 0.88, 0.9, True),
        ("share", 0.895, 0.9, False),
        ("share", 0.95, 0.9, False),
        ("pdf.character_error_rate", 0.2, 0.1, True),
        ("pdf.character_error_rate", 0.05, 0.1, False),
        ("worst_seconds", 90, 10, False),
        ("passed", 900, 927, True),
        ("invoices.foreign_filled", 1, 0, True),
        ("invoices.wrong", 0.2, 0.1, True),
        ("invoices.fall_judging", 0.3, 0.1, True),
        ("invoices.fall_judging", 0.0, 0.1, False),
        ("new", 0.1, None, False),
    ],
)
def test_what_counts_as_a_step_back(name: str, value: float, accepted: float | None, fell: bool) -> None:
    assert is_regression(name, value, accepted) is fell


def test_an_accepted_figure_that_is_gone_has_fallen() -> None:
    assert regressions([Outcome("made", {"a": 1.0})], {"made": {"a": 1.0, "b": 1.0}}) == ["made: b is gone"]


def test_suites_that_did_not_run_are_not_compared() -> None:
    assert regressions([Outcome("made", not_run="no folder")], {"made": {"a": 1.0}}) == []


def test_distances() -> None:
    assert distance("kitten", "sitting") == 3
    assert distance("", "abc") == 3
    assert distance("abc", "") == 3
    assert distance_within("total", "the totai amount") == 1
    assert end_within("total", "the total amount", 0) == 9
    assert end_within("absent", "the total amount", 1) is None


def test_a_value_is_found_however_it_is_divided() -> None:
    words = [Word(text, Box(0, 0, 1, 1)) for text in ("Total:", "1", "234.50", "EUR")]
    assert [[word.text for word in run] for run in occurrences(words, "1,234.50")] == [["1", "234.50"]]
    assert occurrences(words, "1,234") == []


def test_overlap_of_boxes() -> None:
    assert overlap(Box(0, 0, 0.2, 0.2), Box(0.1, 0, 0.3, 0.2)) == pytest.approx(1 / 3)
    assert overlap(Box(0, 0, 0.1, 0.1), Box(0.5, 0.5, 0.6, 0.6)) == 0
