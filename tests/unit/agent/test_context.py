"""The system text."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

from docagent.agent.context import Block, system_text


def test_the_day_stands_between_the_rules_and_the_data() -> None:
    late = datetime(2026, 11, 18, 1, tzinfo=timezone(timedelta(hours=3)))
    text = system_text(
        "The rules.\n", [Block("A note", "a file", "Hello."), Block("Empty", "none", "")], late
    )
    assert text == (
        "The rules.\n\nToday is Tuesday, 17 November 2026 (UTC).\n\n"
        '## A note\n<data source="a file">\nHello.\n</data>'
    )
