"""The extraction suite on a made invoice, with models that are functions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from evals.foreign import COUNT, foreign_fields
from evals.judging import Labels
from evals.reading import read
from evals.sets import SETS, Task
from evals.suites.extraction import Ask, Scores, score_document
from evals.wordings import Half, wordings

from tests.support.tables import table

FIELDS = {
    "company": "Northwind Traders",
    "date": "2024-04-03",
    "address": "Harbour Street 5",
    "total": 241.57,
}
TEXT = "Northwind Traders\nHarbour Street 5\n3 April 2024\nTotal 241.57"
SET = next(labelled for labelled in SETS if labelled.folder == "receipts_sroie")
TASK = Task(Path("made.pdf"), SET.schema, SET.labels(FIELDS), SET.folder)


def scored(ask: Ask) -> dict[str, float]:
    scores = Scores()
    score_document(SET.folder, TASK, ask, TEXT, scores)
    return scores.figures


def by_name(schema: dict[str, Any]) -> dict[str, Any]:
    """Knows the names of the fields, and nothing else."""
    return {name: FIELDS.get(name) for name in schema["properties"]}


def by_place(schema: dict[str, Any]) -> dict[str, Any]:
    """Understands the fields, whatever they are called."""
    values = FIELDS.values() if len(schema["properties"]) == len(FIELDS) else []
    return dict(zip(schema["properties"], values, strict=False))


def anything(schema: dict[str, Any]) -> dict[str, Any]:
    return dict.fromkeys(schema["properties"], "Total")


def test_a_model_that_knows_names_falls_when_they_are_reworded() -> None:
    figures = scored(by_name)

    assert (figures["f1"], figures["foreign_filled"]) == (1.0, 0)
    assert figures["fall_building"] > 0.9
    assert figures["fall_judging"] > 0.9


def test_a_model_that_understands_does_not_fall() -> None:
    figures = scored(by_place)

    assert (figures["f1"], figures["fall_building"], figures["fall_judging"]) == (1.0, 0.0, 0.0)


def test_whatever_is_given_for_a_foreign_field_is_counted() -> None:
    figures = scored(anything)

    assert (figures["foreign"], figures["foreign_filled"]) == (COUNT, COUNT)
    assert figures["wrong"] + figures["invented"] == 1.0


@table("labelled", SETS)
def test_no_set_is_asked_for_its_own_fields_as_foreign_ones(labelled: Any) -> None:
    fields = foreign_fields(labelled.folder)

    assert len(set(fields)) == COUNT
    assert not set(fields) & {*labelled.properties, *labelled.rows}


@table("labelled", SETS)
def test_every_field_of_every_set_is_said_in_five_other_ways(labelled: Any) -> None:
    fields = {*labelled.properties, *(f"lines.{name}" for name in labelled.rows)}
    fields |= {"lines"} if labelled.rows else set()
    for half in Half:
        ways = wordings(labelled.folder, half, TEXT)

        assert len(ways) == 5
        assert all(set(wording.fields) == fields for wording in ways)


def test_contracts_may_have_several_parties_and_no_label_means_absent() -> None:
    nda = next(labelled for labelled in SETS if labelled.folder == "contracts_nda")
    scores = Scores()
    labels: Labels = nda.labels({"party": ["Northwind Traders", "Harbour Street"]})
    task = Task(Path("made.pdf"), nda.schema, labels, nda.folder)
    reply = {"party": ["Harbour Street", "Northwind Traders"], "term": "3 April 2024"}
    score_document(nda.folder, task, lambda _: reply, TEXT, scores)

    assert nda.schema["properties"]["party"]["type"] == "array"
    assert (scores.plain.right, scores.plain.given) == (2, 3)
    assert (scores.plain.absent, scores.plain.absent_filled) == (3, 1)


def test_a_file_is_read_once_until_it_changes(tmp_path: Path) -> None:
    path = tmp_path / "note.txt"
    path.write_text("one")
    first = read(path)

    assert read(path) is first
    path.write_text("another")
    assert read(path).text == "another"
