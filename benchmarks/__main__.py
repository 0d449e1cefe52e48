"""Runs the benchmarks, shows them beside the accepted baseline and writes build/bench.json."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from rich.console import Console

from benchmarks.report import Figures, table, worse_than_accepted
from benchmarks.suites import SUITES

RESULTS = Path("build/bench.json")
BASELINE = Path(__file__).with_name("baseline.json")


def main() -> None:
    names = [suite.NAME for suite in SUITES]
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "--only", nargs="+", metavar="NAME", choices=names, help=f"run only these: {', '.join(names)}"
    )
    parser.add_argument(
        "--quick", action="store_true", help="smaller inputs and fewer repetitions, for a first look"
    )
    parser.add_argument("--accept", action="store_true", help="make these figures the accepted baseline")
    wanted = parser.parse_args()
    if wanted.quick and wanted.accept:
        parser.error("figures of --quick are too rough to accept; run without it")

    console = Console()
    figures: Figures = {}
    for suite in SUITES:
        if wanted.only and suite.NAME not in wanted.only:
            continue
        with console.status(f"measuring {suite.NAME}"):
            figures[suite.NAME] = {
                metric: round(value, 4) for metric, value in suite.run(wanted.quick).items()
            }
        write(RESULTS, figures)

    accepted: Figures = json.loads(BASELINE.read_text()) if BASELINE.exists() else {}
    console.print(table(figures, accepted))
    for complaint in worse_than_accepted(figures, accepted):
        console.print(complaint, style="yellow")
    console.print(f"Written to {RESULTS}.")
    if wanted.accept:
        write(BASELINE, {**accepted, **figures})
        console.print(
            f"Accepted as the baseline in {BASELINE.name}; commit it with the change that caused it."
        )


def write(path: Path, figures: Figures) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(figures, indent=2, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
