"""What stands at the foot of a paper of trade and behind it: firm, bank, capital, page numbers, terms."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal

from evals.zoo import blocks
from evals.zoo.paper import Paper, Piece
from evals.zoo.trade_design import TradeDesign

Lines = list[list[Piece]]


def draw_foot(paper: Paper, design: TradeDesign, lines: Lines, day: date) -> None:
    """Draw the lines at the foot of the last sheet, or something that looks like a sum, and number the sheets."""
    size = paper.look.size * 0.8
    y = paper.sheet.height - 44
    if lines:
        paper.rule(paper.left, y - 12, paper.right, 0.3)
        _draw_lines(paper, design.footer, lines, y, size)
    elif paper.dice.likely(0.4):
        paper.put((paper.left + paper.right) / 2, y + 10, _capital(paper), size=size, align="centre")
    if design.print_line != "none":
        _draw_print_line(paper, design.print_line, day)
    blocks.number_sheets(paper)


def _draw_lines(paper: Paper, layout: str, lines: Lines, y: float, size: float) -> None:
    width = paper.right - paper.left
    if layout in ("columns", "rows"):
        for index, pieces in enumerate(lines):
            column, row = divmod(index, 3) if layout == "columns" else (index % 3, index // 3)
            paper.put_pieces(paper.left + column * width / 3, y + row * size * 1.2, pieces, size=size)
        return
    between: Piece = (" | " if layout == "line" else "  ·  ", None)
    joined = [piece for pieces in lines for piece in (between, *pieces)][1:]
    x, align = (paper.left, "left") if layout == "line" else (paper.left + width / 2, "centre")
    for pieces in paper.wrapped_pieces(joined, width, size=size):
        paper.put_pieces(x, y, pieces, size=size, align=align)
        y += size * 1.2


def _capital(paper: Paper) -> str:
    """Return a sentence with a large sum that is nobody's total."""
    return paper.wording("phrases", "capital").format(
        amount=paper.writing.amount(Decimal(paper.dice.choice((25000, 50000, 120000))), signed=True),
        code=paper.maker.shaped("999999"),
    )


def _draw_print_line(paper: Paper, place: str, day: date) -> None:
    dice, sheet = paper.dice, paper.sheets[0]
    printed = paper.writing.date(day + timedelta(days=dice.randint(1, 300)))
    clock = f"{dice.randint(6, 22):02d}:{dice.randint(0, 59):02d}"
    text = f"{printed} {clock} {paper.maker.shaped('AAA-9999')}.pdf"
    y = 20.0 if place == "head" else sheet.height - 14
    paper.put(paper.left, y, text, size=paper.look.size * 0.75, grey=0.3, sheet=sheet)


def draw_terms(paper: Paper) -> None:
    """Draw a sheet of terms in two columns."""
    dice = paper.dice
    paper.new_sheet()
    column = (paper.right - paper.left - 20) / 2
    size = paper.look.size * 0.85
    asides = {
        "days": str(dice.choice((3, 5, 10))),
        "percent": paper.writing.percent(Decimal(8)),
        "other_date": paper.writing.date(paper.day(2001, 2009)),
        "other_firm": paper.maker.firm(),
    }
    for x in (paper.left, paper.left + column + 20):
        y = paper.look.margin + 20
        sentences = [*paper.words("contract", "fillers"), *paper.words("phrases", "sent")]
        dice.shuffle(sentences)
        for number, sentence in enumerate(sentences, start=1):
            lines = paper.wrapped(f"{number}. {sentence.format(**asides)}", column, size=size)
            y = paper.put_lines(x, y, lines, size=size) + size * 0.6
