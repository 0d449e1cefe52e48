"""The sums below a table, with many names and in many places."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from evals.zoo import blocks
from evals.zoo.blocks import Entry, entry
from evals.zoo.goods import Sums
from evals.zoo.halves import Dice
from evals.zoo.paper import Paper


@dataclass(frozen=True)
class SumsDesign:
    place: str
    tax: str
    signed_rows: bool
    signed_sums: bool
    iso_line: bool
    ruled: bool

    @classmethod
    def draw(cls, dice: Dice) -> SumsDesign:
        return cls(
            place=dice.layout(("right", "wide"), ("left",), ("row", "near")),
            tax=dice.layout(("with rate",), ("plain",), ("with basis",)),
            signed_rows=dice.likely(0.25),
            signed_sums=dice.likely(0.65),
            iso_line=dice.likely(0.2),
            ruled=dice.likely(0.5),
        )


def draw_sums(paper: Paper, design: SumsDesign, sums: Sums, y: float, sign: int) -> float:
    """Draw the sums and return the base line after them. A credit note may show them with a minus (`sign`)."""
    items = _entries(paper, design, sums, sign)
    _currency(paper, design, y)
    width = paper.right - paper.left
    match design.place:
        case "right":
            end = blocks.entries(paper, paper.left + width * 0.55, y, width * 0.45, items, "right")
        case "wide":
            end = blocks.entries(paper, paper.left, y, width, items, "right")
        case "left":
            end = blocks.entries(paper, paper.left, y, width * 0.5, items, "tab")
        case "near":
            end = _near(paper, y, items)
        case _:
            end = blocks.entries(paper, paper.left, y, width, items, "above", min(len(items), 5))
    if design.ruled:
        paper.rule(paper.left + (width * 0.55 if design.place == "right" else 0), y - paper.step, paper.right)
    return end


def _near(paper: Paper, y: float, items: list[Entry]) -> float:
    """Draw labels right-aligned, each close to its value."""
    widest = max(paper.width(item.text) for item in items)
    for item in items:
        paper.put_pieces(paper.right, y, item.pieces, align="right")
        label = item.label + paper.look.colon
        paper.put(paper.right - widest - 10, y, label, align="right", bold=paper.look.bold_labels)
        y += paper.step
    return y


def _entries(paper: Paper, design: SumsDesign, sums: Sums, sign: int) -> list[Entry]:
    def line(concept: str, value: Decimal, label: str | None = None) -> Entry:
        return entry(
            paper, concept, sign * value, paper.writing.amount(sign * value, signed=design.signed_sums), label
        )

    items: list[Entry] = []
    if sums.discount or sums.shipping:
        items.append(_plain(paper, design, sign * sums.lines, paper.label("subtotal")))
        paper.unclear |= {"subtotal"}
    else:
        items.append(line("subtotal", sums.net))
    if sums.discount:
        items.append(_discount(paper, design, sums.discount, sign))
    if sums.shipping:
        items.append(line("shipping", sums.shipping))
    items += _tax_entries(paper, design, sums, sign)
    items.append(line("total", sums.total))
    if sums.prepaid:
        items += [line("prepaid", sums.prepaid), line("amount_due", sums.due)]
    else:
        paper.unclear |= {"amount_due"}
    return items


def _plain(paper: Paper, design: SumsDesign, value: Decimal, label: str) -> Entry:
    return Entry.of(label, paper.writing.amount(value, signed=design.signed_sums))


def _discount(paper: Paper, design: SumsDesign, value: Decimal, sign: int) -> Entry:
    """Print a discount with or without a minus. Its size is what is asked for."""
    shown = -value if paper.dice.likely(0.6) and sign > 0 else value
    return entry(paper, "discount", shown, paper.writing.amount(shown, signed=design.signed_sums))


def _tax_entries(paper: Paper, design: SumsDesign, sums: Sums, sign: int) -> list[Entry]:
    writing = paper.writing
    name = paper.label("tax")
    several = len(sums.bases) > 1
    items: list[Entry] = []
    for rate, base in sums.bases.items():
        label = name if design.tax == "plain" and not several else f"{name} {writing.percent(rate)}"
        if design.tax == "with basis":
            label += f" ({writing.number(sign * base)})"
        value = sign * sums.tax_at(rate)
        text = writing.amount(value, signed=design.signed_sums)
        items.append(Entry.of(label, text) if several else entry(paper, "tax", value, text, label))
    if several and paper.dice.likely(0.5):
        total = sign * sums.tax
        items.append(entry(paper, "tax", total, writing.amount(total, signed=design.signed_sums), name))
    elif several:
        paper.unclear |= {"tax"}
    return items


def _currency(paper: Paper, design: SumsDesign, y: float) -> None:
    """Say which currency it is, by a line of its own or by the signs beside the sums."""
    code, sign = paper.writing.country.currency, paper.writing.sign
    if design.iso_line and design.place == "right":
        paper.put(paper.left, y, code, paper.mark("currency", code))
    elif sign == "kr":
        paper.unclear.add("currency")
    elif design.signed_sums or design.signed_rows:
        paper.say("currency", code)
