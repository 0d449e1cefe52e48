"""What people see of names and arguments holds no tricks and does not grow without end."""

from __future__ import annotations

import json
from typing import Any

from docagent.agent.display import LEFT_OUT, MOST_ITEMS, MOST_SHOWN, for_display, shown, shown_arguments
from tests.support.tables import table


@table(
    ("text", "seen"),
    [
        ("invoice.pdf", "invoice.pdf"),
        ("invoice\u202efdp.exe", "invoicefdp.exe"),
        ("a\u2066b\u2069c\u200bd\ufeff", "abcd"),
        ("a\x00b\x1b[31mc\x7f", "ab[31mc"),
        ("two\nlines\tand a tab", "two\nlines\tand a tab"),
        ("日本語 čeština 🙂", "日本語 čeština 🙂"),
        ("x" * MOST_SHOWN, "x" * MOST_SHOWN),
        ("x" * (MOST_SHOWN + 1), "x" * MOST_SHOWN + LEFT_OUT),
        ("x" * 10_000_000, "x" * MOST_SHOWN + LEFT_OUT),
    ],
)
def test_text(text: str, seen: str) -> None:
    assert for_display(text) == seen


def test_arguments() -> None:
    assert shown_arguments("") == {}
    assert shown_arguments('{"na\\u202eme": ["a\\u202e", 1, null, true]}') == {"name": ["a", 1, None, True]}
    assert shown_arguments("{broken\u202e") == "{broken"


def test_much_and_deep() -> None:
    many = shown({str(number): number for number in range(1000)})
    assert len(many) == MOST_ITEMS + 1
    assert many[LEFT_OUT] == LEFT_OUT
    assert shown([0] * 1000) == [0] * MOST_ITEMS + [LEFT_OUT]
    deep: Any = 1
    for _ in range(900):
        deep = {"a": [deep]}
    text = json.dumps(shown(deep))
    assert LEFT_OUT in json.loads(text, object_pairs_hook=lambda pairs: str(pairs))
