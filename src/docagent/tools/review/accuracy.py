"""The tool that measures prompts against what people verified."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from docagent.domain.extraction.results import DEFAULT_PROMPT
from docagent.domain.shown import quoted
from docagent.domain.turns.tools import CallContext, Outcome
from docagent.evidence.accuracy import Score, total_of
from docagent.services.review.accuracy_runs import FoundError
from docagent.services.review.accuracy_trial import Trial
from docagent.services.review.accuracy_wanted import Wanted, drafted_as
from docagent.tools.arguments import Arguments
from docagent.tools.base import ReadTool
from docagent.tools.parameters import a_number, a_text, an_id
from docagent.tools.words import counted

USUAL_DOCUMENTS = 5
MOST_DOCUMENTS = 20
MOST_ERRORS = 10


class Measured(Arguments):
    prompt_revid: Annotated[
        str,
        an_id(
            'The prompt_revid of one version; a prompt_id stands for the newest version, "default" for the built-in '
            "summary. What is verified of the prompt is the truth."
        ),
    ]
    content: Annotated[
        str | None,
        a_text("An instruction to try in place of the prompt's own. Nothing is saved."),
    ] = None
    json_schema: Annotated[
        dict[str, Any] | None,
        Field(description="A JSON Schema to try in place of the prompt's own. Nothing is saved."),
    ] = None
    model: Annotated[
        str | None, an_id("Name of a model from list_llm_models; the prompt's own when left out.")
    ] = None
    limit: Annotated[
        int | None,
        a_number(
            "How many verified documents to measure, those verified last. 5 when left out.", 1, MOST_DOCUMENTS
        ),
    ] = None


class MeasureAccuracy(ReadTool[Measured]):
    name = "measure_accuracy"
    title = "Measure a prompt's accuracy"
    calls_model = True
    description = (
        "Run a prompt, or a draft of its content or schema, over documents that people verified, and say how right it "
        "is, field by field. No result changes and nothing is saved. Use it before and after a change of a prompt or "
        "schema, on the same documents, to show whether the change helped. It calls the model once or more for each "
        "document, so it may take up to a minute and cost credits; it says when it was cut."
    )
    example = '{"prompt_revid": "66f0...", "content": "Read the net total, not the gross one."}'
    returns = (
        "`documents`, `score`, `fields` with `f1` and counts, `errors`, `suspicious_truth`, `cut` when not all was "
        "measured"
    )

    async def run(self, call: CallContext, arguments: Measured, prepared: Any) -> Outcome:
        trial = await self._trial(call, arguments)
        said = (
            f"Measured {counted(trial.done, 'verified document')}: {_figure(total_of(trial.fields.values()))}"
        )
        return Outcome(_table(trial), said, credits=trial.credits)

    async def read(self, call: CallContext, arguments: Measured) -> dict[str, Any]:
        return _table(await self._trial(call, arguments))

    async def summary(self, call: CallContext, arguments: Measured) -> str:
        model = f" with {quoted(arguments.model)}" if arguments.model else ""
        return f"{self.title} on at most {counted(arguments.limit or USUAL_DOCUMENTS, 'document')}{model}"

    async def _trial(self, call: CallContext, arguments: Measured) -> Trial:
        prompt_id, prompt_revid = DEFAULT_PROMPT, DEFAULT_PROMPT
        if arguments.prompt_revid != DEFAULT_PROMPT:
            prompt = await self._services.prompts.find(call.member, arguments.prompt_revid)
            prompt_id, prompt_revid = prompt.id, prompt.revid
        wanted = Wanted(
            prompt_id,
            prompt_revid,
            drafted_as(arguments.content, arguments.json_schema),
            arguments.model,
            arguments.limit or USUAL_DOCUMENTS,
        )
        return await self._services.accuracy_trials.measure(call.member, wanted, call.run_id)


def _table(trial: Trial) -> dict[str, Any]:
    errors = trial.errors
    content: dict[str, Any] = {
        "model": trial.model,
        "documents": f"{trial.done} of {trial.verified} verified ones, {trial.right} without any error",
        "score": _figure(total_of(trial.fields.values())),
        "fields": {field: _figure(score) for field, score in trial.fields.items()},
        "credits": trial.credits,
        "seconds_per_document": round(trial.milliseconds / 1000 / max(1, trial.done), 1),
    }
    if errors:
        content["errors"] = [_error(error) for error in errors[:MOST_ERRORS]]
        content["errors_in_all"] = len(errors)
    if suspicious := [error for error in errors if error.value.suspicion]:
        content["suspicious_truth"] = [
            f"{quoted(error.document_name)}, {error.value.path}: {error.value.suspicion}"
            for error in suspicious[:MOST_ERRORS]
        ]
    if trial.failures:
        content["failures"] = trial.failures[:MOST_ERRORS]
    if trial.cut:
        content["cut"] = trial.cut
    return content


def _figure(score: Score) -> str:
    """A score in few words: a figure with its counts."""
    if score.f1 is None:
        return "nothing to compare"
    counts = {
        "right": score.right,
        "nearly": score.near,
        "wrong": score.wrong,
        "missed": score.missed,
        "too many": score.extra,
    }
    return f"{score.f1:.0%}: " + ", ".join(f"{count} {word}" for word, count in counts.items() if count)


def _error(error: FoundError) -> dict[str, Any]:
    value = error.value
    return {
        "document": error.document_name,
        "document_id": error.document_id,
        "path": value.path,
        "expected": value.expected,
        "got": value.got,
    }
