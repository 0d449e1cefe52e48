"""The scale test: `make scale-test`, shorter with `--short`. Ends with 1 if anything was lost, doubled or refused."""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial

import aiohttp

from tests.scale import documents, kills, live, outages
from tests.scale.deployment import deployed
from tests.scale.person import Person
from tests.scale.report import Report


@dataclass(frozen=True)
class Size:
    kills: int
    people: int
    documents: int
    seconds_away: float


LONG = Size(kills=30, people=10, documents=200, seconds_away=8.0)
SHORT = Size(kills=3, people=2, documents=2, seconds_away=1.5)


async def run(size: Size, seed: int, tell: Callable[[str], None]) -> Report:
    report = Report()
    async with deployed() as deployment, aiohttp.ClientSession() as client:
        person = Person(deployment, client)
        await person.settle()
        parts: dict[str, Callable[[], Awaitable[None]]] = {
            "live": partial(live.prove, person, report),
            "a wrong secret": partial(outages.wrong_secret, person, report),
            "outages": partial(outages.prove, person, report, size.seconds_away),
            "a rolling restart": partial(kills.restart_all, person, report, size.people),
            "kills": partial(kills.prove, person, report, size.kills, size.people, seed),
            "documents": partial(documents.prove, person, report, size.documents),
        }
        for name, part in parts.items():
            begun = time.monotonic()
            await part()
            tell(f"{name}: {time.monotonic() - begun:.1f} s")
    return report


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.scale", description=__doc__)
    parser.add_argument("--short", action="store_true", help="as in `make test`")
    parser.add_argument("--kills", type=int, help="so many kills")
    parser.add_argument("--documents", type=int, help="so many documents through one worker, and through two")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="repeats the moments of the kills")
    given = parser.parse_args()
    size = SHORT if given.short else LONG
    size = Size(given.kills or size.kills, size.people, given.documents or size.documents, size.seconds_away)

    def tell(line: str) -> None:
        sys.stdout.write(line + "\n")
        sys.stdout.flush()

    tell(f"seed {given.seed}")
    report = asyncio.run(run(size, given.seed, tell))
    for line in report.lines():
        tell(line)
    tell(f"findings: {len(report.findings)}")
    return 1 if report.findings else 0


if __name__ == "__main__":
    sys.exit(main())
