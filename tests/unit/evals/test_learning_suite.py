"""The suite that scores learning: what one document teaches, the next of its layout shows, in any words."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from evals import kept
from evals.judging import Labels, Printed, compare
from evals.sets import LabelledSet
from evals.suites.learning import Document, Learning, Pile, _errors
from evals.wordings import Wording

from docagent import builtin_model
from tests.support.made.pages import page_of

SHIPS = LabelledSet(
    "ships",
    {"berth": ("code", "Where the ship lies"), "arrival": ("date", "The day of arrival")},
    rows={"name": ("name", "The goods"), "tons": ("amount", "Their weight")},
)
DANISH = Wording("danish", "da", {"berth": ("liggeplads_nr", None), "lines": ("last", None)})


def paper(folder: Path, number: int) -> Document:
    goods = [(f"Torsk {number}", 1.5 + number), ("Sild", 2.5 + number)]
    pages = [
        page_of(
            [
                [(0.1, "Skagen havn")],
                [(0.1, "Skibets plads"), (0.5, f"K-{number}17")],
                [(0.1, "Anløbet den"), (0.5, f"1{number} March 2026")],
                [(0.1, "Varg"), (0.6, "Vukt")],
                *[[(0.1, name), (0.6, f"{tons:.2f}")] for name, tons in goods],
                [(0.1, "Olt summa"), (0.6, f"{4 + 2 * number:.2f}")],
            ]
        )
    ]
    rows = [{"name": name, "tons": str(tons)} for name, tons in goods]
    labels = SHIPS.labels({"berth": f"K-{number}17", "arrival": f"1{number}/03/2026", "lines": rows})
    file = folder / f"{number}.txt"
    file.write_text(str(number))
    return Document(file, pages, labels, Printed.on(pages), builtin_model.signature_of(pages))


@pytest.mark.parametrize("wording", [Wording("as asked", "", {}), DANISH], ids=lambda one: str(one.way))
def test_errors_in_documents_of_one_layout_are_gone_after_one_and_stay_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    monkeypatch.chdir(tmp_path)
    pile = Pile(SHIPS, [paper(tmp_path, number) for number in range(1, 7)], wording)
    learnt = pile.by_layout()
    assert learnt.groups == 1
    assert learnt.before[1] >= 10, "nobody knows these words"
    figures = learnt.figures("layout")
    mended = [figures[f"layout_mended_after_{count}"] for count in range(1, 6)]
    assert mended[0] > 0.95, "a paper whose rows the network reads right teaches nothing about rows"
    assert mended[1:] == [1.0] * 4
    assert not any(figures[f"layout_worse_after_{count}_wrong"] for count in range(1, 6))
    figures = pile.in_random_orders()
    assert figures["f1_after_3"] == 1.0
    assert figures["fall_after_1"] == 0


def test_a_lesson_that_spoils_a_document_is_counted() -> None:
    learnt = Learning()
    learnt.add(0, [[2], [1]])
    learnt.add(1, [[2, 0], [1, 1]])
    learnt.add(2, [[2, 0, 1]])
    assert learnt.worse == {0: 0, 1: 0, 2: 1}, "fewer errors than with no lesson, and more than with one"
    assert learnt.figures("layout")["layout_mended_after_1"] == pytest.approx(2 / 3)


def test_a_label_that_nothing_meets_is_no_error() -> None:
    labels = Labels({"arrival": "14/03/2"}, kinds=SHIPS.labels({}).kinds)
    compared = compare(SHIPS.schema, labels, {"arrival": "2026-03-14"}, Printed.on([]))
    assert [one.right for one in compared] == [False]
    assert _errors(compared, labels) == 0
    filled = compare(SHIPS.schema, Labels({"berth": None}), {"berth": "K-17"}, Printed.on([]))
    assert _errors(filled, Labels({"berth": None})) == len(filled)


def test_answers_are_kept_until_the_file_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    document = paper(tmp_path, 1)
    first = kept.answer_for(document.file, document.pages, SHIPS.schema)
    stored = list(kept.FOLDER.iterdir())
    assert json.dumps(kept.answer_for(document.file, [], SHIPS.schema)) == json.dumps(first)
    assert list(kept.FOLDER.iterdir()) == stored
    document.file.write_text("changed")
    assert kept.answer_for(document.file, [], SHIPS.schema) != first
