"""The list of everything that is scored."""

from __future__ import annotations

from typing import cast

from evals.suite import Suite
from evals.suites import (
    calibration,
    extraction,
    grounding,
    hostile,
    jsonschema,
    learning,
    projects_talk,
    proposals,
    questions,
    seeing,
    streams,
    tables_icdar,
    talk,
    text_forms,
    text_olmocr,
    text_receipts,
    voices,
    zoo,
)

SUITES = cast(
    "list[Suite]",
    [
        jsonschema,
        streams,
        tables_icdar,
        text_forms,
        text_receipts,
        text_olmocr,
        seeing,
        hostile,
        grounding,
        extraction,
        calibration,
        learning,
        zoo,
        voices,
        proposals,
        projects_talk,
        talk,
        questions,
    ],
)
