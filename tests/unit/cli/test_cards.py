from __future__ import annotations

from typing import Any

from docagent.cli.turns.cards import card_lines, diff_lines
from tests.support.tables import table


@table(
    ("preview", "lines"),
    [
        (
            {
                "kind": "schema",
                "fields": [
                    {"path": "a", "change": "added", "before": None, "after": {"type": "string"}},
                    {"path": "b", "change": "removed", "before": {"type": "number"}, "after": None},
                    {
                        "path": "c",
                        "change": "changed",
                        "before": {"type": "number"},
                        "after": {"type": "string"},
                    },
                    {"path": "d", "change": "same", "before": {}, "after": {}},
                ],
            },
            [
                ("+", 'a: {"type":"string"}'),
                ("-", 'b: {"type":"number"}'),
                ("-", 'c: {"type":"number"}'),
                ("+", 'c: {"type":"string"}'),
            ],
        ),
        (
            {
                "kind": "text",
                "fields": [{"field": "content", "before": "one\ntwo", "after": "one\n2", "lines_above": 4}],
            },
            [(" ", "content:"), (" ", "… 4 lines above stay"), (" ", "one"), ("-", "two"), ("+", "2")],
        ),
        (
            {"kind": "value", "path": "total", "before": 1, "after": 2.5},
            [("-", "total: 1"), ("+", "total: 2.5")],
        ),
        (
            {"kind": "delete", "noun": "tag", "name": "Bills", "removes": ["2 prompts lose it"]},
            [("-", "tag Bills"), ("-", "2 prompts lose it")],
        ),
        (
            {
                "kind": "tag",
                "before": {"name": "A", "color": "#fff"},
                "after": {"name": "B", "color": "#fff"},
            },
            [("-", "name: A"), ("+", "name: B")],
        ),
        ({"kind": "refusal", "reason": "There is no such tag."}, [(" ", "There is no such tag.")]),
        ({"kind": "search", "query": "rates"}, [(" ", "query: rates")]),
        ({}, []),
    ],
)
def test_a_preview_becomes_lines(preview: dict[str, Any], lines: list[tuple[str, str]]) -> None:
    assert list(card_lines(preview)) == lines


def test_far_apart_changes_are_parted() -> None:
    before = "\n".join(str(number) for number in range(30))
    after = before.replace("3\n4\n5", "3\nfour\n5").replace("25", "twenty-five")
    lines = list(diff_lines(before, after))
    assert (" ", "…") in lines
    assert [line for line in lines if line[0] == "+"] == [("+", "four"), ("+", "twenty-five")]
