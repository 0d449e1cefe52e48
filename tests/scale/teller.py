"""The model of the scale test. What the user says tells it what to do, so that it needs no memory of its own."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from time import monotonic
from typing import Any

from aiohttp import web

from docagent.adapters.llm.scripted import make_reply
from docagent.domain.models.llm import ModelReply, ToolCall
from tests.support.models.wire_streams import chat_stream, event
from tests.support.polling import let_time_pass

SECONDS_A_WORD = 0.05
MODEL = "scale/teller"


class Teller:
    """Says `say KEY 40`: 40 words, one at a time; `tag NAME`: calls create_tag; `ask`: asks the user; else: a word."""

    def __init__(self) -> None:
        self.base_url = ""
        self.said_at: dict[str, float] = {}
        """When each word of a long reply was sent."""

    async def answer(self, request: web.Request) -> web.StreamResponse:
        last = json.loads(await request.read())["messages"][-1]
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        order, _, rest = _text(last).partition(" ")
        if last["role"] == "user" and order == "say":
            await self._say_slowly(response, *rest.split())
        else:
            for piece in chat_stream(_reply(last["role"], order, rest)):
                await response.write(piece)
        return response

    async def _say_slowly(self, response: web.StreamResponse, key: str, count: str) -> None:
        for number in range(int(count)):
            word = f"{key}.{number}"
            delta = {"index": 0, "delta": {"content": f"{word} "}, "finish_reason": None}
            await response.write(event({"model": MODEL, "choices": [delta]}))
            self.said_at[word] = monotonic()
            await let_time_pass(SECONDS_A_WORD)
        end = {"index": 0, "delta": {}, "finish_reason": "stop"}
        usage = {"prompt_tokens": 10, "completion_tokens": int(count)}
        await response.write(event({"model": MODEL, "choices": [end], "usage": usage}) + b"data: [DONE]\n\n")


def _text(message: dict[str, Any]) -> str:
    content = message.get("content") or ""
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)


def _reply(role: str, order: str, rest: str) -> ModelReply:
    if role == "user" and order == "tag":
        return make_reply("I tag it.", tool_calls=[ToolCall("t", "create_tag", json.dumps({"name": rest}))])
    if role == "user" and order == "ask":
        return make_reply(tool_calls=[ToolCall("q", "request_input", json.dumps({"question": "Which one?"}))])
    return make_reply("Done.")


@asynccontextmanager
async def telling() -> AsyncIterator[Teller]:
    teller = Teller()
    app = web.Application(client_max_size=16 * 1024 * 1024)
    app.router.add_post("/v1/chat/completions", teller.answer)
    runner = web.AppRunner(app, handler_cancellation=True, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        host, port = runner.addresses[0][:2]
        teller.base_url = f"http://{host}:{port}/v1"
        yield teller
    finally:
        await runner.cleanup()
