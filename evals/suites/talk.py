"""Says messages of four languages and three voices to the built-in model, about papers and in projects.

What the model wants to change is done, so that it can be judged. Each message counts as one of: useful, if the answer
has what was asked for, in a value or in a passage, or the change is the one that was asked for and the only one;
harmful, if anything else was changed; wrong, if a value is stated that is not the one asked for; refusal, if nothing
was changed and the answer does not help. A message that asks for nothing is useful if nothing was changed; a question
whose answer is printed nowhere is useful if nothing was changed and no value was stated. `answered` is the share of
the questions with an answer that got it as a value, without a passage to read. The messages for building are counted
apart from those kept for judging.

A language model (`--model`) is asked questions of the judging half only, evenly picked, each with the paper before
it and without tools: useful, if the answer has what is printed, else wrong.
"""

from __future__ import annotations

import asyncio
import re
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from docagent.domain.models.llm import (
    DocumentPart,
    Message,
    Model,
    ModelError,
    ModelReply,
    ModelRequest,
    TextPart,
)
from docagent.reading.printed import squeezed
from evals.matching import share
from evals.suite import Results
from evals.talk.desk import PROJECTS, Desk, Json
from evals.talk.papers import page_of

NAME = "talk"
FOLDER = None
"""The messages are part of the suite."""
TAKES_MODEL = True
MOST_ASKED = 20
"""How many questions a language model is asked."""
MESSAGES = Path(__file__).parent.parent / "talk"
HALVES = ("judging", "building")
KINDS = ("useful", "refusal", "wrong", "harmful")
GROUPS = {"en": ("en",), "de": ("de",), "fr_es": ("fr", "es")}
_VALUE = re.compile(r"^[^>\n]*?(?: is|:) \*\*(.+?)\*\*", re.MULTILINE)
_PROMPTS_FOLLOW = {"update_schema", "update_prompt"}


def messages(half: str) -> list[Json]:
    found: list[Json] = tomllib.loads((MESSAGES / f"{half}.toml").read_text("utf-8"))["message"]
    return found


def judged(message: Json) -> tuple[str, str]:
    """Say what came of a message, and what the model said."""
    desk = Desk(message["place"], message["about"], message.get("ready", False))
    told = desk.say(message["text"])
    return _kind(message, desk, told), told


def _kind(message: Json, desk: Desk, told: str) -> str:
    changes = message.get("changes", [])
    if desk.written:
        right = changes and (_right_project if desk.place == "project" else _right_calls)(desk, changes)
        return "useful" if right else "harmful"
    if changes:
        return "refusal"
    value = stated(told)
    if "has" not in message:
        return "wrong" if value and message.get("absent") else "useful"
    said = value or told.replace("**", "")
    if any(one in said or (value and squeezed(one) in squeezed(value)) for one in message["has"]):
        return "useful"
    return "wrong" if value else "refusal"


def stated(told: str) -> str:
    """Return the value that an answer states, or nothing if it states none."""
    found = _VALUE.search(told)
    return found[1] if found else ""


def _right_calls(desk: Desk, changes: Sequence[Mapping[str, Any]]) -> bool:
    if changes[0]["do"] == "fields":
        return _right_fields(desk, changes[0])
    if [name for name, _ in desk.written] != [change["do"] for change in changes]:
        return False
    return all(
        squeezed(str(given.get(key))) == squeezed(str(value))
        for change, (_, given) in zip(changes, desk.written, strict=True)
        for key, value in change.items()
        if key != "do"
    )


def _right_fields(desk: Desk, change: Mapping[str, Any]) -> bool:
    formats = [given["response_format"] for name, given in desk.written if name == "update_schema"]
    if len(formats) != 1 or {name for name, _ in desk.written} > _PROMPTS_FOLLOW:
        return False
    now = {squeezed(one) for one in formats[0]["json_schema"]["schema"]["properties"]}
    before = {squeezed(one) for one in desk.fields}
    adds, removes = ({squeezed(one) for one in change.get(key, ())} for key in ("adds", "removes"))
    return now == (before | adds) - removes


def _right_project(desk: Desk, changes: Sequence[Mapping[str, Any]]) -> bool:
    before = PROJECTS[desk.about]
    expected = dict(before)
    for change in changes:
        match change["do"]:
            case "create":
                text = desk.documents.get(change["name"])
                if text is None or change["name"] in before or change.get("text", "") not in text:
                    return False
                expected[change["name"]] = text
            case "rename":
                if desk.names[change["document"]] != change["name"]:
                    return False
            case "edit":
                text = desk.documents.get(change["document"], "")
                places = [text.find(one) for one in change["has"]]
                if places != sorted(places) or -1 in places or change.get("lacks", "\0") in text:
                    return False
                expected[change["document"]] = text
    renamed = {change["document"] for change in changes if change["do"] == "rename"}
    same = all(desk.names[one] == one for one in before if one not in renamed and one in desk.names)
    return desk.documents == expected and same


def run(folder: Path, model: Model | None = None) -> Results:
    del folder
    if model is not None:
        return asyncio.run(of_model(model))
    return {name: figures for half in HALVES for name, figures in of_half(half).items()}


async def of_model(model: Model, most: int = MOST_ASKED) -> Results:
    """Return how many questions with a printed answer a language model answers, and how often it fails to answer."""
    said = [one for one in messages("judging") if "has" in one and one["place"] != "project"]
    said = said[:: max(1, len(said) // most)][:most]
    useful = failed = 0
    for one in said:
        paper = DocumentPart(f"{one['about']}.pdf", [page_of(one["about"])])
        request = ModelRequest(
            "", (Message("user", (paper, TextPart(one["text"]))),), max_output_tokens=200, temperature=0
        )
        try:
            async for event in model.stream(request):
                if isinstance(event, ModelReply):
                    useful += any(squeezed(each) in squeezed(event.text) for each in one["has"])
        except ModelError:
            failed += 1
    return {
        "model_questions": {
            "messages": len(said),
            "useful": share(useful, len(said)),
            "wrong": share(len(said) - useful - failed, len(said)),
            "failed": share(failed, len(said)),
        }
    }


def of_half(half: str) -> dict[str, dict[str, float]]:
    """Return the figures of one half of the messages: of all, and of each group, voice and place."""
    said = messages(half)
    results = [judged(message) for message in said]
    groups = {half: [*range(len(said))]}
    for name, languages in GROUPS.items():
        groups[f"{half}_{name}"] = [at for at, one in enumerate(said) if one["lang"] in languages]
    for key in (lambda one: one["voice"], lambda one: one["place"], _sort):
        for value in dict.fromkeys(map(key, said)):
            groups[f"{half}_{value}"] = [at for at, one in enumerate(said) if key(one) == value]
    return {
        name: _shares([said[at] for at in places], [results[at] for at in places])
        for name, places in groups.items()
    }


def _sort(message: Json) -> str:
    """Return what a message is: a change, a question, one without an answer, or nothing to do."""
    sorts = {"changes": "change", "has": "question", "absent": "no_answer"}
    return next((sort for key, sort in sorts.items() if key in message), "nothing_asked")


def _shares(said: Sequence[Json], results: Sequence[tuple[str, str]]) -> dict[str, float]:
    counts = Counter(kind for kind, _ in results)
    asked = [
        kind == "useful" and bool(stated(told))
        for one, (kind, told) in zip(said, results, strict=True)
        if "has" in one
    ]
    return {
        "messages": len(said),
        **{kind: share(counts[kind], len(said)) for kind in KINDS},
        "answered": share(sum(asked), len(asked)),
    }
