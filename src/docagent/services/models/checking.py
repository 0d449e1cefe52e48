"""Tries what a model can do, with four small real calls."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from docagent.domain.accounts.accounts import Member
from docagent.domain.models import llm
from docagent.domain.models.catalogue import ChosenModel
from docagent.domain.models.credits import Operation
from docagent.services.models.model_calls import ModelCall, ModelCalls
from docagent.store.engine.database import Database

SECONDS = 120
"""Longest time for one call. A server may have to load the model for the first one."""
TOKENS = 1024
"""Enough for a model that thinks first."""
Ability = Literal["speaks", "calls_tools", "keeps_schema", "sees_pictures"]
# The left half is green, the right half orange: nobody guesses both.
_PICTURE = llm.ImagePart(
    "iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAMAAABEpIrGAAAABlBMVEUAoAD/jAD87sXzAAAAGElEQVR42mNgQAOMaIBhVMGoglEFI1UBABRc"
    "AgEB7fRLAAAAAElFTkSuQmCC"
)
_WEATHER = llm.ToolSpec(
    "get_weather",
    "Get the weather in a city now.",
    {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
)
_FIELDS = {"name": {"type": "string"}, "born": {"type": "integer"}}
_PERSON = {"type": "object", "properties": _FIELDS, "required": [*_FIELDS], "additionalProperties": False}


@dataclass(frozen=True, slots=True)
class _Trial:
    ability: Ability
    question: str
    passes: Callable[[llm.ModelReply], bool]
    parts: tuple[llm.Part, ...] = ()
    tools: tuple[llm.ToolSpec, ...] = ()
    output: llm.OutputSchema | None = None


@dataclass(frozen=True, slots=True)
class Tick:
    ability: Ability
    ok: bool
    seconds: float


@dataclass(frozen=True, slots=True)
class Check:
    """What a model can do. With an error it did not even speak, and nothing else was tried."""

    model: str
    ticks: Sequence[Tick]
    seconds: float
    error: str | None = None


class ModelCheck:
    def __init__(self, db: Database, calls: ModelCalls) -> None:
        self._db = db
        self._calls = calls

    async def check(self, member: Member, name: str) -> Check:
        """Try what a model can do. The calls are charged like any other."""
        member.require_admin()
        chosen = await self._calls.choose(member.organization_id, name, strict=True)
        started, ticks, error = time.perf_counter(), list[Tick](), None
        for trial in _TRIALS:
            began = time.perf_counter()
            reply: llm.ModelReply | None = None
            try:
                async with asyncio.timeout(SECONDS):
                    reply = await self._asked(member, chosen, trial)
            except (llm.ModelError, TimeoutError) as failure:
                # A server that refuses tools, schemas or pictures says no. One that does not speak at all is broken.
                if trial.ability == "speaks":
                    late = f"{chosen.name} did not answer within {SECONDS} seconds."
                    error = failure.detail if isinstance(failure, llm.ModelError) else late
            ok = reply is not None and trial.passes(reply)
            ticks.append(Tick(trial.ability, ok, time.perf_counter() - began))
            if error:
                break
        return Check(chosen.name, ticks, time.perf_counter() - started, error)

    async def _asked(self, member: Member, chosen: ChosenModel, trial: _Trial) -> llm.ModelReply:
        request = llm.ModelRequest(
            chosen.info.wire_name,
            (llm.Message("user", (*trial.parts, llm.TextPart(trial.question))),),
            tools=trial.tools,
            output=trial.output,
            max_output_tokens=min(TOKENS, chosen.info.max_output_tokens),
            temperature=0,
        )
        call = ModelCall(member.organization_id, member.user_id, Operation.CHAT_LLM, chosen, request)
        reply = await self._calls.complete(call)
        async with self._db.write_org(member.organization_id) as tx:
            await self._calls.charge(tx, call, reply)
        return reply


def _speaks(reply: llm.ModelReply) -> bool:
    return bool(reply.text.strip())


def _calls(reply: llm.ModelReply) -> bool:
    return any(
        call.name == _WEATHER.name and "paris" in str(_read(call.arguments).get("city")).lower()
        for call in reply.tool_calls
    )


def _keeps(reply: llm.ModelReply) -> bool:
    said = _read(reply.text)
    return said.keys() == _FIELDS.keys() and isinstance(said["name"], str) and type(said["born"]) is int


def _sees(reply: llm.ModelReply) -> bool:
    said = reply.text.lower()
    return "green" in said and "orange" in said


def _read(text: str) -> dict[str, object]:
    try:
        value = json.loads(text)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


_TRIALS = (
    _Trial("speaks", "Answer with the word: ready", _speaks),
    _Trial("calls_tools", "What is the weather in Paris? Use the tool.", _calls, tools=(_WEATHER,)),
    _Trial(
        "keeps_schema",
        "Ada Lovelace was born in 1815. Give her name and the year as JSON.",
        _keeps,
        output=llm.OutputSchema("person", _PERSON),
    ),
    _Trial(
        "sees_pictures",
        "Which colour is the left half of this picture, and which the right half?",
        _sees,
        parts=(_PICTURE,),
    ),
)
