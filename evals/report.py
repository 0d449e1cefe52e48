"""Shows the figures beside the accepted ones, and decides what counts as a step back."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from rich.console import Console
from rich.table import Table

from evals.suite import Outcome, Results, flat

TOLERANCE = 0.01
"""How far a share may fall below the accepted one before it counts as a step back."""

_LESS_IS_BETTER = (
    "error_rate",
    "calibration_error",
    "wrong",
    "harmful",
    "refusal",
    "invented",
    "absent_filled",
    "foreign_filled",
    "fall_building",
    "fall_judging",
    *(f"fall_after_{count}" for count in range(1, 6)),
    "unread",
    "absent_located",
    "several_candidates",
    "schemas",
    "false_fits",
    "questions_that_changed",
    "false_proofs",
)
_ONLY_SHOWN = ("seconds", "mib", "left_out", "straight_from", "pictures", "calls", "share_of_tokens")
"""Figures that are shown but not judged: they depend on the machine, or are not aimed at."""
_OF_ONE_GROUP = "="
"""In the name of a figure of a few documents, which is shown only: their mean is judged."""


def is_regression(name: str, value: float, accepted: float | None) -> bool:
    """Return whether a figure is clearly worse than the accepted one."""
    metric = name.rsplit(".", 1)[-1]
    if accepted is None or metric.endswith(_ONLY_SHOWN) or _OF_ONE_GROUP in metric:
        return False
    allowed = TOLERANCE * max(1.0, abs(accepted))
    if metric.endswith(_LESS_IS_BETTER):
        return value > accepted + allowed
    return value < accepted - allowed


def regressions(outcomes: Iterable[Outcome], baseline: dict[str, Results]) -> list[str]:
    """Return the figures that fell, as `suite: figure`. An accepted figure that is gone counts as fallen."""
    fallen = []
    for outcome in outcomes:
        if outcome.not_run or outcome.crash:
            continue
        accepted, figures = flat(baseline.get(outcome.name, {})), flat(outcome.results)
        fallen += [f"{outcome.name}: {name} is gone" for name in accepted if name not in figures]
        fallen += [
            f"{outcome.name}: {name} {_shown(value)}, accepted {_shown(accepted[name])}"
            for name, value in figures.items()
            if is_regression(name, value, accepted.get(name))
        ]
    return fallen


def print_table(outcomes: Iterable[Outcome], baseline: dict[str, Results], console: Console) -> None:
    """Print one row per figure: value, accepted value, and a mark if it fell."""
    table = Table("suite", "figure")
    table.add_column("value", justify="right")
    table.add_column("accepted", justify="right")
    table.add_column("")
    for outcome in outcomes:
        if outcome.not_run:
            table.add_row(outcome.name, f"[dim]not run: {outcome.not_run}[/dim]", "", "", "")
        elif outcome.crash:
            table.add_row(outcome.name, "[red]crashed[/red]", "", "", "[red]✗[/red]")
        accepted = flat(baseline.get(outcome.name, {}))
        title = outcome.name
        for name, value in flat(outcome.results).items():
            known = accepted.get(name)
            mark = "[red]fell[/red]" if is_regression(name, value, known) else ""
            table.add_row(title, name, _shown(value), "" if known is None else _shown(known), mark)
            title = ""
        table.add_section()
    console.print(table)


def as_markdown(outcomes: Iterable[Outcome], baseline: dict[str, Results]) -> str:
    """Return the same table as markdown."""
    lines = ["| suite | figure | value | accepted |", "|---|---|---|---|"]
    for outcome in outcomes:
        if outcome.not_run or outcome.crash:
            reason = f"not run: {outcome.not_run}" if outcome.not_run else "crashed"
            lines.append(f"| {outcome.name} | {reason} | | |")
        accepted = flat(baseline.get(outcome.name, {}))
        for name, value in flat(outcome.results).items():
            known = accepted.get(name)
            shown = "" if known is None else _shown(known)
            lines.append(f"| {outcome.name} | {name} | {_shown(value)} | {shown} |")
    return "\n".join(lines) + "\n"


def _shown(value: float) -> str:
    return str(int(value)) if float(value).is_integer() and abs(value) > 1 else f"{value:.3f}"


def as_json(outcomes: Iterable[Outcome]) -> dict[str, Results]:
    """Return the figures of the suites that ran."""
    return {
        outcome.name: outcome.results for outcome in outcomes if not outcome.not_run and not outcome.crash
    }


def write_json(figures: dict[str, Results], path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(figures, indent=2, sort_keys=True) + "\n")


def read_json(path: Path) -> dict[str, Results]:
    if not path.is_file():
        return {}
    figures: dict[str, Results] = json.loads(path.read_text())
    return figures
