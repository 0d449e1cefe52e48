"""Who is still there, on a machine: a process that was killed is gone at once, and one that lives is not."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from docagent.domain.deliveries.line import process_name
from docagent.store.engine.local_line import LocalLine

HOLDS_A_LINE = """
import asyncio, sys
from pathlib import Path
from docagent.store.engine.local_line import LocalLine
async def stay():
    line = LocalLine(Path(sys.argv[1]))
    async with line.held():
        print(line.name, flush=True)
        await asyncio.sleep(600)
asyncio.run(stay())
"""


async def test_a_killed_process_is_gone_and_a_living_one_is_not(tmp_path: Path) -> None:
    folder = tmp_path / "processes"
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", HOLDS_A_LINE, str(folder), stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    name = (await process.stdout.readline()).decode().strip()
    line = LocalLine(folder)
    async with line.held():
        assert await line.gone({name, line.name}) == set()
        process.kill()
        await process.wait()
        assert await line.gone({name, line.name}) == {name}
        assert await line.gone({name}) == {name}, "the file that it left behind is gone too"
    assert list(folder.iterdir()) == []


async def test_of_names_that_are_on_no_line_nothing_is_known(tmp_path: Path) -> None:
    line = LocalLine(tmp_path / "processes")
    async with line.held():
        assert await line.gone({"host:4711:abc", "6afa80dfd6b736b17098f5a2"}) == set()
        assert await line.gone({"@../../etc/passwd"}) == {"@../../etc/passwd"}
        assert await line.gone({process_name()}) != set()
