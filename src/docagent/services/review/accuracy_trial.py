"""A trial: a prompt or a draft measured on a few verified documents at once, while somebody waits for the answer.

It is kept nowhere. A run in the background has no such limits.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from docagent.domain.accounts.accounts import Member
from docagent.domain.documents.documents import Document
from docagent.domain.errors import InvalidInput
from docagent.evidence.accuracy import Mark, Score, scores_of
from docagent.services.documents.documents import find_document
from docagent.services.extraction.extractor import run_id_of
from docagent.services.extraction.run_steps import (
    DOCUMENTS_AT_ONCE,
    Outcome,
    all_outcomes,
    outcome_of,
    unpaid_of,
)
from docagent.services.models.model_calls import ModelCalls
from docagent.services.review.accuracy_runs import FoundError
from docagent.services.review.accuracy_wanted import NOTHING_VERIFIED, Wanted, choose, chosen_model, new_run
from docagent.services.review.measuring import Measuring
from docagent.store.engine.database import Database
from docagent.store.review.accuracy import JudgedValue, Truth

SECONDS = 60.0
"""What is not measured by then is left out."""


@dataclass(slots=True)
class Trial:
    model: str
    documents: int
    """That were to be measured."""
    verified: int
    done: int = 0
    right: int = 0
    """Documents without any error."""
    credits: int = 0
    milliseconds: int = 0
    values: list[tuple[Document, JudgedValue]] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    cut: str | None = None
    """Why not all documents are measured, in a sentence."""

    @property
    def fields(self) -> dict[str, Score]:
        return scores_of((value.field, value.mark) for _, value in self.values)

    @property
    def errors(self) -> list[FoundError]:
        return [
            FoundError(document.id, document.name, None, value)
            for document, value in self.values
            if value.mark is not Mark.RIGHT
        ]


class AccuracyTrials:
    def __init__(self, db: Database, models: ModelCalls, measuring: Measuring) -> None:
        self._db = db
        self._models = models
        self._measuring = measuring

    async def measure(
        self, member: Member, wanted: Wanted, run_id: str, *, seconds: float = SECONDS
    ) -> Trial:
        """Measure a few documents at once until all are, the time is over or the credits end.

        With the same `run_id`, no reply is paid for twice.
        """
        async with self._db.read_as(member, long=True) as tx:
            chosen = await choose(tx, wanted)
            if not chosen.truths:
                raise InvalidInput(NOTHING_VERIFIED)
            due = [(await find_document(tx, truth.document_id), truth) for truth in chosen.truths]
        model = await chosen_model(self._models, member, wanted, chosen.task)
        task = replace(chosen.task, model=model.name)
        run = new_run(run_id, member, wanted, task, model, len(due))
        trial = Trial(model.name, len(due), chosen.verified)

        async def one(document: Document, truth: Truth) -> None:
            measured, _ = await self._measuring.measure(
                member, document, truth, task, run, run_id_of(run_id, document.id)
            )
            trial.done += 1
            trial.right += all(value.mark is Mark.RIGHT for value in measured.judged)
            trial.credits += measured.credits
            trial.milliseconds += measured.milliseconds
            trial.values += [(document, value) for value in measured.judged]

        try:
            async with asyncio.timeout(seconds):
                for start in range(0, len(due), DOCUMENTS_AT_ONCE):
                    step = due[start : start + DOCUMENTS_AT_ONCE]
                    outcomes = await all_outcomes([outcome_of(each[0], partial(one, *each)) for each in step])
                    if _is_cut(trial, outcomes):
                        break
        except TimeoutError:
            trial.cut = f"{trial.done} of {trial.documents} documents were measured in {seconds:g} seconds."
        return trial


def _is_cut(trial: Trial, outcomes: Sequence[Outcome]) -> bool:
    trial.failures += [outcome.failure for outcome in outcomes if outcome.failure]
    if unpaid := unpaid_of(outcomes):
        trial.cut = f"{trial.done} of {trial.documents} documents were measured. {unpaid}"
    return trial.cut is not None
