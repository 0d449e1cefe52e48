"""The short form of `make scale-test`: two API processes, two workers, PostgreSQL and S3, all real."""

from __future__ import annotations

import sys

import pytest

from tests.scale.__main__ import SHORT, run


@pytest.mark.release
async def test_several_processes_work_as_one() -> None:
    report = await run(SHORT, seed=1, tell=lambda line: print(line, file=sys.stderr))  # noqa: T201
    assert not report.findings, "\n".join(report.lines())
