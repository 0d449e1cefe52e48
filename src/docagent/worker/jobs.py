"""The list of all kinds of job: what runs each kind, and what is called when one is given up."""

from __future__ import annotations

from dataclasses import dataclass

from docagent.bootstrap import Services
from docagent.domain.jobs import JobKind
from docagent.services.jobs import GiveUp, Handler


@dataclass(frozen=True, slots=True)
class Work:
    handler: Handler
    give_up: GiveUp


def all_work(services: Services) -> dict[JobKind, Work]:
    return {
        JobKind.READ_TEXT: Work(services.reading.read, services.reading.give_up),
        JobKind.EXTRACT: Work(services.extraction.extract_document, services.extraction.give_up),
        JobKind.SET_UP: Work(services.preparing.prepare, services.preparing.give_up),
        JobKind.RUN_PROMPT: Work(services.prompt_runs.go_on, services.prompt_runs.give_up),
        JobKind.MEASURE: Work(services.accuracy.go_on, services.accuracy.give_up),
        JobKind.CALIBRATE: Work(services.calibrations.calibrate, services.calibrations.give_up),
        JobKind.LEARN: Work(services.learning.learn, services.learning.give_up),
        JobKind.DELIVER_WEBHOOK: Work(services.webhooks.deliver, services.webhooks.give_up),
    }
