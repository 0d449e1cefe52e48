"""Shows figures beside the accepted ones."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from rich.table import Table

Figures: TypeAlias = dict[str, dict[str, float]]

RATIOS = ("_x", "_x_floor")
LEGEND = (
    "A metric that ends in _x or _x_floor is our cost as a multiple of what the floor cost in the same run: "
    "1 is as cheap as the floor, 3 costs three times as much, lower is better. "
    "Costs are processor time; the rest are raw figures of this machine."
)
# Two measurements of the same code on a shared machine differ by about this much.
NOISE = 1.25


def table(figures: Figures, accepted: Figures) -> Table:
    shown = Table(title="How fast, how large", caption=LEGEND)
    shown.add_column("benchmark")
    shown.add_column("metric")
    shown.add_column("now", justify="right")
    shown.add_column("accepted", justify="right")
    shown.add_column("change", justify="right")
    for suite, metrics in figures.items():
        for metric, value in metrics.items():
            before = accepted.get(suite, {}).get(metric)
            style = "bold" if metric.endswith(RATIOS) else None
            shown.add_row(suite, metric, _number(value), _number(before), _change(value, before), style=style)
        shown.add_section()
    return shown


def worse_than_accepted(figures: Figures, accepted: Figures) -> Iterator[str]:
    """Yield a sentence for each ratio that grew by more than noise explains."""
    for suite, metrics in figures.items():
        for metric, value in metrics.items():
            before = accepted.get(suite, {}).get(metric)
            if before and metric.endswith(RATIOS) and value > before * NOISE:
                times = f"{value / before:.2f} times"
                yield f"{suite} {metric} is {times} the accepted figure. Run it again to be sure."


def _number(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _change(value: float, before: float | None) -> str:
    return f"{(value / before - 1) * 100:+.0f} %" if before else ""
