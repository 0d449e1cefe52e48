from __future__ import annotations

from dataclasses import replace
from typing import Any

from docagent.builtin_model.filling import fill
from docagent.domain.documents.text import Line, Page
from tests.unit.layout.made_pages import PageMaker


def _page() -> Page:
    """Labels on the right, on the left, and above; questions in the line and above it."""
    return (
        PageMaker()
        .write(72, 60, "Registration of a household")
        .row(
            100, {72: "Marital", 106: "status:", 150: "\u2610", 162: "single", 220: "\u2612", 232: "married"}
        )
        .row(
            130,
            {
                72: "Delivery",
                114: "online:",
                152: "\u2612",
                260: "Delivery",
                302: "by",
                315: "post:",
                344: "\u2610",
            },
        )
        .row(160, {72: "U.S.", 94: "citizen?", 150: "\u2610", 162: "No", 220: "\u2612", 232: "Yes"})
        .row(190, {72: "Filing requirement", 300: "Second notice"})
        .row(204, {100: "\u2612", 320: "\u2610"})
        .write(72, 240, "Languages that you speak")
        .row(256, {72: "\u2612", 84: "English", 150: "\u2610", 162: "French", 220: "\u2612", 232: "German"})
        .page()
    )


def _filled(**properties: dict[str, Any]) -> dict[str, Any]:
    return fill([_page()], {"type": "object", "properties": properties})


def test_yes_and_no_come_from_the_mark_beside_or_below_the_label() -> None:
    flag = {"type": "boolean"}

    assert _filled(
        delivery_online=flag,
        delivery_by_post=flag,
        us_citizen=flag,
        filing_requirement=flag,
        second_notice=flag,
        has_pets=flag,
    ) == {
        "delivery_online": True,
        "delivery_by_post": False,
        "us_citizen": True,
        "filing_requirement": True,
        "second_notice": False,
        "has_pets": None,
    }


def test_a_choice_is_the_one_whose_box_is_checked() -> None:
    assert _filled(
        marital_status={"enum": ["single", "married", "widowed"]},
        languages={"type": "array", "items": {"enum": ["English", "French", "German"]}},
        size={"enum": ["small", "large"]},
    ) == {"marital_status": "married", "languages": ["English", "German"], "size": None}


def test_parentheses_are_marks_where_the_line_has_empty_ones_too() -> None:
    page = (
        PageMaker()
        .row(100, {72: "Marital", 106: "status:", 150: "()", 162: "single", 220: "(x)", 235: "married"})
        .page()
    )
    lines = [
        Line(tuple(replace(word, text="( )") if word.text == "()" else word for word in line.words))
        for line in page.lines
    ]
    status = {"type": "string", "enum": ["single", "married"]}
    asked = {"type": "object", "properties": {"marital_status": status}}
    assert fill([replace(page, lines=tuple(lines))], asked) == {"marital_status": "married"}
