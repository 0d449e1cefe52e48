"""Scores docagent against labelled data.

    python -m evals --data FOLDER [--suite NAME ...] [--model NAME] [--accept]

Prints every figure beside the accepted one and writes build/eval.json and build/eval.md. `--model` runs the
extraction and the questions of `talk` with a configured provider's model instead of the built-in one. Ends with 1
when a figure fell clearly below the accepted one or a suite crashed. `--accept` makes the new figures
the accepted ones.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from rich.console import Console

from evals import report
from evals.configured import ConfiguredModel
from evals.suite import run_suite
from evals.suites import SUITES

BASELINE = Path(__file__).parent / "baseline.json"
OUTPUT = Path("build/eval.json")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m evals", description=__doc__.splitlines()[0])
    parser.add_argument("--data", default="", help="folder with the labelled data")
    parser.add_argument(
        "--suite", nargs="+", action="extend", choices=[suite.NAME for suite in SUITES], metavar="NAME"
    )
    parser.add_argument(
        "--model", help="model for the suites extraction and talk; the built-in one when left out"
    )
    parser.add_argument("--accept", action="store_true", help="make these figures the accepted ones")
    arguments = parser.parse_args()

    console = Console(width=None if sys.stdout.isatty() else 120)
    data = Path(arguments.data) if arguments.data else None
    model = ConfiguredModel(arguments.model) if arguments.model else None
    outcomes = []
    for suite in SUITES:
        if arguments.suite and suite.NAME not in arguments.suite:
            continue
        with console.status(suite.NAME):
            outcomes.append(run_suite(suite, data, model))
        console.print(f"{suite.NAME}: {outcomes[-1].seconds:.0f} s", style="dim")

    baseline = report.read_json(BASELINE)
    report.print_table(outcomes, baseline, console)
    report.write_json(report.as_json(outcomes), OUTPUT)
    OUTPUT.with_suffix(".md").write_text(report.as_markdown(outcomes, baseline))
    crashed = [outcome for outcome in outcomes if outcome.crash]
    for outcome in crashed:
        console.print(f"{outcome.name} crashed:\n{outcome.crash}", style="red", markup=False)
    if arguments.accept:
        report.write_json(baseline | report.as_json(outcomes), BASELINE)
        return 1 if crashed else 0
    fallen = report.regressions(outcomes, baseline)
    for line in fallen:
        console.print(f"fell: {line}", style="red", markup=False)
    return 1 if fallen or crashed else 0


if __name__ == "__main__":
    sys.exit(main())
