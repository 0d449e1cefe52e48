from __future__ import annotations

import asyncio
import os

import pytest

from docagent.cli.turns.keyboard import Interrupted, Keyboard


async def test_lines_come_in_order_and_then_the_end() -> None:
    reading, writing = os.pipe()
    with Keyboard(reading) as keyboard:
        os.write(writing, b"one\ntw")
        assert await keyboard.line("") == "one"
        waiting = asyncio.ensure_future(keyboard.line(""))
        os.write(writing, "o ü\n".encode())
        assert await waiting == "two ü"
        os.close(writing)
        assert await keyboard.line("") is None
        assert await keyboard.line("") is None
    os.close(reading)


async def test_what_was_typed_before_it_was_asked_is_no_answer() -> None:
    reading, writing = os.pipe()
    with Keyboard(reading) as keyboard:
        os.write(writing, b"first\na\n")
        assert await keyboard.line("") == "first"
        waiting = asyncio.ensure_future(keyboard.fresh_line(""))
        await asyncio.sleep(0)
        os.write(writing, b"r\n")
        assert await waiting == "r"
    os.close(reading)
    os.close(writing)


async def test_ctrl_c_ends_the_wait() -> None:
    reading, writing = os.pipe()
    with Keyboard(reading) as keyboard:
        waiting = asyncio.ensure_future(keyboard.line(""))
        await asyncio.sleep(0)
        keyboard.interrupt()
        with pytest.raises(Interrupted):
            await waiting
        keyboard.interrupt()
    os.close(reading)
    os.close(writing)
