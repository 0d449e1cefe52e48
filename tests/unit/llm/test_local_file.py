"""A model from a file, in a child process: started late, limited, started again, and ended with us."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import psutil
import pytest

from docagent.adapters.llm.local_file import LocalFile, LocalFileModel
from docagent.adapters.llm.openai_chat import ChatWire
from docagent.domain.models.llm import Message, ModelError, ModelFailure, ModelReply, ModelRequest, TextPart
from tests.support.polling import true_soon

LIBRARY = Path(__file__).parents[2] / "support" / "models" / "llama_library"
REQUEST = ModelRequest("weights", (Message("user", (TextPart("Hello"),)),))


@pytest.fixture(autouse=True)
def library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(LIBRARY))
    monkeypatch.setenv("OPENAI_API_KEY", "a secret")


@asynccontextmanager
async def running(
    folder: Path, *lines: str, seconds: float = 60
) -> AsyncIterator[tuple[LocalFileModel, Path]]:
    file = folder / "weights.gguf"
    file.write_text("\n".join(lines))
    limits = LocalFile(file, context=2048, threads=3, memory_bytes=2**32, seconds=seconds)
    model = LocalFileModel(limits, ChatWire(), first_pause=0.01)
    try:
        yield model, file
    finally:
        await model.close()


async def said(model: LocalFileModel) -> str:
    last = [event async for event in model.stream(REQUEST)][-1]
    assert isinstance(last, ModelReply)
    return last.text


async def failure(model: LocalFileModel) -> ModelError:
    with pytest.raises(ModelError) as failed:
        await said(model)
    return failed.value


def starts(file: Path) -> list[dict[str, Any]]:
    log = file.with_suffix(".started")
    return [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []


async def test_the_child_starts_with_the_first_call_and_ends_with_us(tmp_path: Path) -> None:
    async with running(tmp_path, "Hello.") as (model, file):
        assert starts(file) == []
        assert [await said(model), await said(model)] == ["Hello.", "Hello."]
        (started,) = starts(file)
        assert (started["n_ctx"], started["threads"]) == (2048, 3)
        assert "OPENAI_API_KEY" not in started["variables"]
        assert is_alive(started["pid"])
    assert not is_alive(started["pid"])


async def test_a_crash_is_followed_by_another_child(tmp_path: Path) -> None:
    async with running(tmp_path, "exit", "exit", "Here again.") as (model, file):
        assert await said(model) == "Here again."
        assert len(starts(file)) == 3


async def test_a_child_that_hangs_is_killed(tmp_path: Path) -> None:
    async with running(tmp_path, "hang", "Here again.", seconds=1) as (model, file):
        error = await failure(model)
        assert error.failure is ModelFailure.TIMED_OUT
        (hung,) = starts(file)
        assert not is_alive(hung["pid"])
    async with running(tmp_path, "hang", "Here again.") as (model, file):
        assert await said(model) == "Here again."
        assert len(starts(file)) == 2


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("broken", "Failed to init server, please check the input params. Check that it is a GGUF file"),
        ("heavy", "could not be loaded: MemoryError."),
        ("slow", "loading it took more than 2 seconds."),
    ],
)
async def test_a_file_that_cannot_be_loaded(tmp_path: Path, line: str, told: str) -> None:
    async with running(tmp_path, line, seconds=2 if line == "slow" else 60) as (model, file):
        error = await failure(model)
        assert error.failure is ModelFailure.UNAVAILABLE
        assert told in error.detail
        (started,) = starts(file)
        assert not is_alive(started["pid"])


async def test_what_is_missing_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with running(tmp_path, "Hello.") as (model, file):
        (tmp_path / "xllamacpp.py").write_text("raise ImportError")
        monkeypatch.setenv("PYTHONPATH", str(tmp_path))
        assert "pip install 'docagent[local]'" in (await failure(model)).detail
        file.unlink()
        assert f"names {file}, which is not a file" in (await failure(model)).detail


KEEPER = """
import asyncio, sys
from pathlib import Path
from docagent.adapters.llm.local_file import LocalFile, LocalFileModel
from docagent.adapters.llm.openai_chat import ChatWire
from docagent.domain.models.llm import Message, ModelRequest, TextPart

async def main():
    model = LocalFileModel(LocalFile(Path(sys.argv[1]), 2048, 1, 0, 60), ChatWire())
    async for _ in model.stream(ModelRequest("m", (Message("user", (TextPart("Hello"),)),))):
        pass
    print("ready", flush=True)
    await asyncio.Event().wait()

asyncio.run(main())
"""


async def test_the_child_does_not_outlive_a_parent_that_is_killed(tmp_path: Path) -> None:
    file = tmp_path / "weights.gguf"
    file.write_text("Hello.")
    parent = await asyncio.create_subprocess_exec(
        sys.executable, "-c", KEEPER, str(file), stdout=asyncio.subprocess.PIPE
    )
    assert parent.stdout is not None
    assert await parent.stdout.readline() == b"ready\n"
    (started,) = starts(file)
    assert is_alive(started["pid"])
    parent.kill()
    await parent.wait()
    await true_soon(lambda: not is_alive(started["pid"]))


def is_alive(pid: int) -> bool:
    """Whether the process runs. One that ended may wait for somebody to ask how."""
    try:
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False
