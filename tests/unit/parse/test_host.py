"""The process that reading processes come from: there when needed, keeps files apart, ends with the server."""

from __future__ import annotations

import asyncio
import gc
import sys
from asyncio.subprocess import PIPE
from collections.abc import Iterator
from contextlib import aclosing, suppress
from pathlib import Path

import psutil
import pytest

from docagent.adapters.parse.hosting import end_host
from docagent.adapters.parse.limits import ReadLimits
from docagent.adapters.parse.reader import ChildProcessReader
from docagent.domain.documents.text import PackedPage
from docagent.domain.errors import ReadFailed, ReadFailure
from tests.support.polling import until
from tests.unit.parse.made_files import make_pdf, pdf_with_endless_page, text_at
from tests.unit.parse.reading import hosts_of, read, reading_processes

SERVER = """
import asyncio, sys
from pathlib import Path
from docagent.adapters.parse.reader import ChildProcessReader

async def main():
    async for message in ChildProcessReader().read(Path(sys.argv[1]), ".pdf"):
        print("a page", flush=True)

asyncio.run(main())
"""


@pytest.fixture(autouse=True)
def new_host() -> Iterator[None]:
    end_host()
    yield
    end_host()


def _host() -> psutil.Process:
    (host,) = hosts_of(psutil.Process())
    return host


def _sockets(process: psutil.Process) -> set[str]:
    found = set()
    for end in Path(f"/proc/{process.pid}/fd").iterdir():
        # It goes on while it is looked at: a file that it had open a moment ago may be closed.
        with suppress(FileNotFoundError):
            found.add(str(end.readlink()))
    return {link for link in found if link.startswith("socket:")}


async def test_many_files_have_one_host(tmp_path: Path) -> None:
    path = make_pdf(tmp_path / "a.pdf", text_at(72, 700, "text"))
    await read(path)
    first = _host()
    await read(path)
    assert _host() == first
    assert reading_processes() == []


async def test_a_host_that_was_killed_is_replaced(tmp_path: Path) -> None:
    path = make_pdf(tmp_path / "a.pdf", text_at(72, 700, "text"))
    await read(path)
    first = _host()
    first.kill()
    first.wait()
    assert (await read(path)).texts == ["text"]
    assert _host() != first


async def test_a_host_that_dies_while_a_file_is_read_is_a_failure_and_not_an_end(tmp_path: Path) -> None:
    path = pdf_with_endless_page(tmp_path / "a.pdf")
    async with aclosing(ChildProcessReader(ReadLimits(crashes_per_file=0)).read(path, ".pdf")) as messages:
        async for message in messages:
            if isinstance(message, PackedPage):
                break
        (reading,) = reading_processes()
        _host().kill()
        reading.kill()
        with pytest.raises(ReadFailed) as raised:
            await anext(messages)
    assert raised.value.failure is ReadFailure.CRASHED


async def test_files_that_are_read_at_once_share_no_connection_and_no_end(tmp_path: Path) -> None:
    path = pdf_with_endless_page(tmp_path / "a.pdf")
    async with aclosing(ChildProcessReader().read(path, ".pdf")) as one:
        await anext(one)
        (first,) = reading_processes()
        async with aclosing(ChildProcessReader().read(path, ".pdf")) as other:
            await anext(other)
            (second,) = set(reading_processes()) - {first}
            assert _sockets(first)
            assert not _sockets(first) & _sockets(second)
            assert not (_sockets(first) | _sockets(second)) & _sockets(_host())
        assert reading_processes() == [first]
        assert isinstance(await anext(one), PackedPage)
    assert reading_processes() == []


async def test_of_many_files_at_once_those_that_are_left_end_and_the_others_are_whole(tmp_path: Path) -> None:
    path = make_pdf(tmp_path / "a.pdf", *(text_at(72, 700, f"page {number}") for number in range(20)))

    async def pages(leave_after: int) -> int:
        async with aclosing(ChildProcessReader().read(path, ".pdf")) as messages:
            count = 0
            async for message in messages:
                count += isinstance(message, PackedPage)
                if count == leave_after:
                    break
        return count

    leaving = [1, 20, 2, 20, 3, 20] * 4
    assert await asyncio.gather(*(pages(after) for after in leaving)) == leaving
    assert reading_processes() == []


async def test_a_file_that_is_given_up_at_any_moment_leaves_nothing(tmp_path: Path) -> None:
    path = pdf_with_endless_page(tmp_path / "a.pdf")
    for steps in range(20):
        reading = asyncio.create_task(read(path))
        for _ in range(steps):
            await asyncio.sleep(0)
        reading.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reading

    async def no_process_is_left() -> bool:
        return reading_processes() == []

    await until(no_process_is_left)
    gc.collect()  # which tells of every socket that was left open, and so fails the test


async def test_the_secrets_of_the_server_stay_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DOCAGENT_AUTH__SECRET", "a secret of the server")
    await read(make_pdf(tmp_path / "a.pdf", text_at(72, 700, "text")))
    assert "PATH" in _host().environ()
    assert "a secret of the server" not in _host().environ().values()


async def test_nothing_is_left_of_a_server_that_was_killed(tmp_path: Path) -> None:
    path = pdf_with_endless_page(tmp_path / "a.pdf")
    server = await asyncio.create_subprocess_exec(sys.executable, "-c", SERVER, str(path), stdout=PIPE)
    assert server.stdout is not None
    assert await server.stdout.readline() == b"a page\n"
    left = psutil.Process(server.pid).children(recursive=True)
    assert len(left) == 2
    server.kill()
    await server.wait()

    async def nothing_is_left() -> bool:
        return not any(process.is_running() and process.status() != psutil.STATUS_ZOMBIE for process in left)

    await until(nothing_is_left)
