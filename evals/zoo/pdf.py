"""Draws sheets as a PDF with a text layer."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO

from reportlab.pdfgen.canvas import Canvas

from evals.zoo.canvas import Rule, Sheet
from evals.zoo.fonts import known


def as_pdf(sheets: Sequence[Sheet]) -> bytes:
    """Return the same bytes for the same sheets."""
    out = BytesIO()
    canvas = Canvas(out, invariant=1)
    for sheet in sheets:
        canvas.setPageSize((sheet.width, sheet.height))
        for rule in sheet.rules:
            _rule(canvas, sheet, rule)
        for run in sheet.runs:
            known(run.font)
            canvas.setFont(run.font, run.size)
            canvas.setFillGray(run.grey)
            canvas.drawString(run.x, sheet.height - run.y, run.text)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def _rule(canvas: Canvas, sheet: Sheet, rule: Rule) -> None:
    top, bottom = sheet.height - rule.top, sheet.height - rule.bottom
    canvas.setLineWidth(rule.thickness)
    if rule.top == rule.bottom or rule.left == rule.right:
        canvas.line(rule.left, top, rule.right, bottom)
        return
    if rule.fill is not None:
        canvas.setFillGray(rule.fill)
    shown = rule.fill is None
    canvas.rect(rule.left, bottom, rule.right - rule.left, top - bottom, stroke=shown, fill=not shown)
