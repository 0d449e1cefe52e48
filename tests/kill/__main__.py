"""The whole kill test: all points, on SQLite and on PostgreSQL. Ends with 1 when anything was lost or doubled."""

from __future__ import annotations

import argparse
import asyncio
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

from tests.kill.deployment import Template, make_template
from tests.kill.process import Start, by_command, forked
from tests.kill.story import APPROVALS
from tests.kill.trial import NEVER, Plan, Report, plans, try_out
from tests.support.services.keeper import temporary_folder
from tests.support.services.postgres import running_postgres

KINDS = ("sqlite", "postgresql")
NAME_WIDTH = 78


async def run(kinds: Sequence[str], lanes: int, only: str | None, start: Start) -> list[Report]:
    with ExitStack() as stack:
        folder = stack.enter_context(temporary_folder("kill"))
        postgres = stack.enter_context(running_postgres()) if "postgresql" in kinds else None
        reports: list[Report] = []
        queue: asyncio.Queue[tuple[Template, Plan]] = asyncio.Queue()
        templates = await asyncio.gather(
            *(
                make_template(kind, folder / kind, postgres if kind == "postgresql" else None)
                for kind in kinds
            )
        )
        todo = await asyncio.gather(*(_plans(template, folder, start) for template in templates))
        for template, listed in zip(templates, todo, strict=True):
            for plan in listed:
                if only is None or only in (plan.number, plan.number.partition(" ")[0]):
                    queue.put_nowait((template, plan))
        async with asyncio.TaskGroup() as group:
            for lane in range(lanes):
                group.create_task(_lane(queue, folder, lane, start, reports))
        return reports


async def _plans(template: Template, folder: Path, start: Start) -> list[Plan]:
    """Find the points by runs without a kill, which must themselves have no findings."""
    passed: list[list[str]] = []
    for plan in (Plan((NEVER,)), Plan((NEVER,), stops_at=2), Plan((NEVER,), proposes=True)):
        report = await try_out(template, folder / f"{template.kind}-{len(passed)}", plan, start)
        if report.findings:
            raise SystemExit("\n".join(["Without any kill:", *_told(report)]))
        passed.append(report.points)
    whole, stopped, proposing = passed
    return plans(whole, stopped, proposing, APPROVALS)


async def _lane(
    queue: asyncio.Queue[tuple[Template, Plan]],
    folder: Path,
    lane: int,
    start: Start,
    reports: list[Report],
) -> None:
    while not queue.empty():
        template, plan = queue.get_nowait()
        report = await try_out(template, folder / f"{lane}-{queue.qsize()}", plan, start)
        reports.append(report)
        _say(_line(report))


def _say(*lines: str) -> None:
    sys.stdout.write("\n".join(lines) + "\n")
    sys.stdout.flush()


def _line(report: Report) -> str:
    verdict = ", ".join(sorted({finding.kind for finding in report.findings})) or "ok"
    name = report.name if len(report.name) <= NAME_WIDTH else report.name[: NAME_WIDTH - 1] + "…"
    return (
        f"{report.plan.number:>9}  {report.database:<10}  {name:<{NAME_WIDTH}}  {report.afterwards:<36}  "
        f"{report.calls:>2} calls  {report.seconds:5.1f} s  {verdict}"
    )


def _told(report: Report) -> Iterator[str]:
    yield _line(report)
    for finding in report.findings:
        yield f"    {finding.kind}: {finding.text}"
    yield report.words


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.kill", description=__doc__)
    parser.add_argument("--database", choices=KINDS, action="append", help="only this one")
    parser.add_argument("--lanes", type=int, default=4, help="how many servers live at once")
    parser.add_argument(
        "--only", help="only kills whose number in the table is this, or begins with this word"
    )
    parser.add_argument("--cold", action="store_true", help="start every server by its command")
    arguments = parser.parse_args()
    start = by_command if arguments.cold else forked
    signal.signal(
        signal.SIGTERM, lambda *_: sys.exit("stopped")
    )  # so that the servers and folders are removed with us
    begun = time.monotonic()
    reports = asyncio.run(run(arguments.database or KINDS, arguments.lanes, arguments.only, start))
    found = [finding for report in reports for finding in report.findings]
    for report in reports:
        if report.findings:
            _say("", *_told(report))
    count = {kind: sum(finding.kind == kind for finding in found) for kind in ("lost", "doubled", "broken")}
    broken = f"  broken: {count['broken']}" if count["broken"] else ""
    _say(
        "",
        f"{time.monotonic() - begun:.0f} s",
        f"points: {len(reports)}  lost: {count['lost']}  doubled: {count['doubled']}{broken}",
    )
    return 1 if found or not reports else 0


if __name__ == "__main__":
    sys.exit(main())
