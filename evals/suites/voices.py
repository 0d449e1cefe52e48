"""Scores the built-in model's voices on the zoo's judging half: rules alone, the network alone, and both together."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

from docagent.builtin_model.filling import fill_sheet
from docagent.builtin_model.sheet import sheet_of
from docagent.builtin_model.voices import with_network
from docagent.domain.llm import Model
from evals.judging import Comparison, Printed, Tally, compare
from evals.matching import share
from evals.suite import Results
from evals.suites.zoo import document_of, labels_of
from evals.zoo import Half

NAME = "voices"
FOLDER = None
TAKES_MODEL = False

DOCUMENTS = 150


def run(folder: Path, model: Model | None = None) -> Results:  # noqa: ARG001 - the zoo brings its own data
    """Return the figures of each voice, and how often both say the same and are right."""
    tallies: dict[str, Tally] = defaultdict(Tally)
    agreed = right = 0
    for number in range(DOCUMENTS):
        document = document_of(number, Half.JUDGING)
        sheet, schema = sheet_of(document.pages), document.schema
        printed = Printed.on(document.pages, day_first=document.day_first)
        replies = {
            "rules": fill_sheet(sheet, schema),
            "network": with_network(document.pages, sheet, schema, fill_sheet(sheet_of([]), schema)),
            "together": with_network(document.pages, sheet, schema, fill_sheet(sheet, schema)),
        }
        compared = {
            voice: compare(schema, labels_of(document), reply, printed) for voice, reply in replies.items()
        }
        for voice, found in compared.items():
            tallies[voice].add_document(found)
        same = _same(compared["rules"], compared["network"])
        agreed += len(same)
        right += sum(one.right for one in same)
    results: Results = {voice: _figures(tally) for voice, tally in tallies.items()}
    return results | {"agreed": {"values": agreed, "right": share(right, agreed)}}


def _same(rules: list[Comparison], network: list[Comparison]) -> list[Comparison]:
    """Return the fields outside of tables for which both voices give the same value."""
    given = {one.field: one.given for one in network if "." not in one.field}
    return [one for one in rules if one.given is not None and given.get(one.field) == one.given]


def _figures(tally: Tally) -> dict[str, float]:
    return {
        "f1": tally.f1,
        "precision": tally.precision,
        "recall": tally.recall,
        "wrong": share(tally.wrong, tally.given),
        "absent": tally.absent,
        "absent_filled": tally.absent_filled,
        "documents": tally.documents,
    }
