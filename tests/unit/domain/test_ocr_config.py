"""The choice of text recognition: what is laid over what, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from docagent.domain.documents.ocr_config import MODES, default_ocr_config, merge_ocr_config, ocr_catalog
from docagent.domain.errors import InvalidInput
from tests.support.tables import table


def test_no_changes_change_nothing() -> None:
    assert merge_ocr_config(default_ocr_config(), {}) == default_ocr_config()


@table("mode", MODES)
def test_every_mode_can_be_chosen(mode: str) -> None:
    assert merge_ocr_config(default_ocr_config(), {"mode": mode})["mode"] == mode
    assert mode in ocr_catalog()["modes"]


def test_sections_are_laid_over_one_another_at_every_depth() -> None:
    first = merge_ocr_config(default_ocr_config(), {"llm": {"provider": "x", "options": {"a": 1, "b": {}}}})
    second = merge_ocr_config(first, {"llm": {"model": "m", "options": {"b": {"c": 2}, "a": None}}})
    assert second["llm"] == {"provider": "x", "model": "m", "options": {"a": None, "b": {"c": 2}}}


def test_what_was_there_is_not_touched() -> None:
    before = default_ocr_config()
    merge_ocr_config(before, {"textract": {"feature_types": ["FORMS"]}, "mistral": {"a": {"b": 1}}})
    assert before == default_ocr_config()


@table(
    "changes",
    [
        {"mode": "unknown"},
        {"mode": 1},
        {"mode": {}},
        {"mistral": None},
        {"mistral": "x"},
        {"textract": {"feature_types": None}},
        {"textract": {"feature_types": [["FORMS"]]}},
        {"textract": {"feature_types": {"FORMS": True}}},
        {"unknown": {}},
    ],
)
def test_what_makes_no_sense_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput, match=r"^Invalid ocr_config: "):
        merge_ocr_config(default_ocr_config(), changes)
