"""Whatever a file does, the caller gets an answer and no process is left behind."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from pathlib import Path

import pytest

from docagent.adapters.parse.limits import MIB, ReadLimits
from docagent.adapters.parse.reader import ChildProcessReader
from docagent.domain.documents.text import PackedPage
from docagent.domain.errors import ReadFailed, ReadFailure
from docagent.domain.ports import Opened
from tests.support.polling import let_time_pass
from tests.unit.parse.made_files import make_pdf, pdf_with_endless_page, text_at
from tests.unit.parse.reading import failure_of, read, reading_processes


async def test_pages_come_one_by_one_and_in_order(tmp_path: Path) -> None:
    path = make_pdf(tmp_path / "a.pdf", *(text_at(72, 700, f"page {number}") for number in range(1, 8)))
    result = await read(path)
    assert result.opened == Opened(7)
    assert [page.number for page in result.pages] == [1, 2, 3, 4, 5, 6, 7]
    assert result.texts == [f"page {number}" for number in range(1, 8)]


async def test_reading_goes_on_from_a_page(tmp_path: Path) -> None:
    path = make_pdf(tmp_path / "a.pdf", *(text_at(72, 700, f"page {number}") for number in range(1, 6)))
    result = await read(path, first_page=4)
    assert result.opened == Opened(5)
    assert result.texts == ["page 4", "page 5"]


async def test_a_page_without_end_is_left_out_and_the_others_are_read(tmp_path: Path) -> None:
    path = pdf_with_endless_page(tmp_path / "a.pdf")
    result = await read(path, ReadLimits(seconds_per_page=3))
    assert result.texts == ["before", "", "after"]
    assert result.pages[1].note == "This page took too long to read and was left out."
    assert reading_processes() == []


async def test_waiting_for_the_processor_does_not_count_as_time(tmp_path: Path) -> None:
    """As on a busy machine: the process is stopped for longer than it may compute."""
    path = make_pdf(tmp_path / "a.pdf", *(text_at(72, 700, f"page {number}") for number in range(300)))
    limits = ReadLimits(seconds_per_page=2, seconds_per_file=2, patience=60)
    pages = []
    async with aclosing(ChildProcessReader(limits).read(path, ".pdf")) as messages:
        async for message in messages:
            if isinstance(message, Opened):
                child = reading_processes()[0]
                child.suspend()
                await let_time_pass(2.5)
                child.resume()
            else:
                pages.append(message.text)
    assert pages == [f"page {number}" for number in range(300)]


async def test_a_process_that_never_goes_on_is_ended(tmp_path: Path) -> None:
    path = make_pdf(tmp_path / "a.pdf", *(text_at(72, 700, "text") for _ in range(300)))
    limits = ReadLimits(seconds_per_page=5, patience=0.4, crashes_per_file=0)
    async with aclosing(ChildProcessReader(limits).read(path, ".pdf")) as messages:
        assert await anext(messages) == Opened(300)
        reading_processes()[0].suspend()
        with pytest.raises(ReadFailed) as raised:
            async for _ in messages:
                pass
    assert raised.value.failure is ReadFailure.TIMED_OUT
    assert reading_processes() == []


async def test_a_file_over_its_time_is_stopped(tmp_path: Path) -> None:
    path = pdf_with_endless_page(tmp_path / "a.pdf")
    failure = await failure_of(path, ReadLimits(seconds_per_file=3))
    assert failure.failure is ReadFailure.TIMED_OUT
    assert "took too long" in failure.detail
    assert reading_processes() == []


@pytest.mark.parametrize("mebibytes", [8, 22])
async def test_a_file_over_its_memory_is_stopped(tmp_path: Path, mebibytes: int) -> None:
    path = make_pdf(tmp_path / "a.pdf", text_at(72, 700, "text"))
    failure = await failure_of(path, ReadLimits(memory_bytes=mebibytes * MIB))
    assert failure.failure is ReadFailure.OUT_OF_MEMORY
    assert "memory" in failure.detail


async def test_a_file_with_too_many_pages_is_refused(tmp_path: Path) -> None:
    path = make_pdf(tmp_path / "a.pdf", *(text_at(72, 700, "text") for _ in range(4)))
    failure = await failure_of(path, ReadLimits(max_pages=3))
    assert failure.failure is ReadFailure.TOO_MANY_PAGES
    assert "4 pages" in failure.detail


async def test_leaving_early_ends_the_process(tmp_path: Path) -> None:
    path = pdf_with_endless_page(tmp_path / "a.pdf")
    async with aclosing(ChildProcessReader().read(path, ".pdf")) as messages:
        async for message in messages:
            if isinstance(message, PackedPage):
                assert len(reading_processes()) == 1
                break
    assert reading_processes() == []


async def test_cancelling_ends_the_process(tmp_path: Path) -> None:
    path = pdf_with_endless_page(tmp_path / "a.pdf")
    first_page_is_there = asyncio.Event()

    async def read_all() -> None:
        async with aclosing(ChildProcessReader().read(path, ".pdf")) as messages:
            async for message in messages:
                if isinstance(message, PackedPage):
                    first_page_is_there.set()

    task = asyncio.create_task(read_all())
    await first_page_is_there.wait()
    assert len(reading_processes()) == 1
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert reading_processes() == []


async def test_a_killed_process_is_a_failure_and_not_an_end(tmp_path: Path) -> None:
    path = pdf_with_endless_page(tmp_path / "a.pdf")
    async with aclosing(ChildProcessReader(ReadLimits(crashes_per_file=0)).read(path, ".pdf")) as messages:
        assert await anext(messages) == Opened(3)
        assert isinstance(await anext(messages), PackedPage)
        reading_processes()[0].kill()
        with pytest.raises(ReadFailed) as raised:
            await anext(messages)
    assert raised.value.failure is ReadFailure.OUT_OF_MEMORY


async def test_an_unknown_kind_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.exe"
    path.write_bytes(b"MZ")
    failure = await failure_of(path)
    assert failure.failure is ReadFailure.UNSUPPORTED
    assert ".exe" in failure.detail


@pytest.mark.parametrize("extension", [".pdf", ".png", ".txt", ".docx"])
async def test_an_empty_file_is_called_empty(tmp_path: Path, extension: str) -> None:
    path = tmp_path / f"a{extension}"
    path.touch()
    assert (await failure_of(path)).failure is ReadFailure.EMPTY
