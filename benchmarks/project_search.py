"""Searching a project of 500 documents, against the same turn with a call that searches nothing.

Both turns run in the same project, with one call and two replies of the scripted provider. The request of the search
field is held against the same turn. Counted is the server's processor time; a turn also waits for the provider.
"""

from __future__ import annotations

import random
import time
import urllib.parse
from dataclasses import replace

from benchmarks.agent import Agent, _server, running_provider
from benchmarks.measure import interleaved
from benchmarks.server import call

NAME = "project_search"
DOCUMENTS = 500
WORDS_A_DOCUMENT = 1_000
VOCABULARY = 20_000
FREQUENT = ("invoice", "payment", "due", "says")
SEARCHES = "search_project:1:20:0"
SEARCHES_NOTHING = "list_documents:1:20:0"


def run(quick: bool) -> dict[str, float]:
    count = 10 if quick else 40
    with running_provider() as provider, _server(provider, [SEARCHES, SEARCHES_NOTHING]) as agent:
        project, search_url = _project(agent)
        wall: dict[str, float] = {}

        def turns(model: str) -> float:
            threads = project.threads(count)
            before = project.processor_seconds()
            wall[model] = project.load("turns", model, threads)["seconds"] / count
            return (project.processor_seconds() - before) / count

        def requests() -> float:
            before, started = project.processor_seconds(), time.monotonic()
            for _ in range(count):
                if not call(search_url, token=project.token)["results"]:
                    raise RuntimeError("the search found nothing")
            wall["request"] = (time.monotonic() - started) / count
            return (project.processor_seconds() - before) / count

        for model in (SEARCHES, SEARCHES_NOTHING):
            turns(model)
        costs = interleaved(
            3 if quick else 7,
            {
                "search": lambda: turns(SEARCHES),
                "floor": lambda: turns(SEARCHES_NOTHING),
                "request": requests,
            },
        )
    return {
        "turn_x": costs.ratio("search", "floor"),
        "request_x": costs.ratio("request", "floor"),
        "turn_processor_ms": costs.median("search") * 1000,
        "floor_processor_ms": costs.median("floor") * 1000,
        "request_processor_ms": costs.median("request") * 1000,
        "turn_ms": wall[SEARCHES] * 1000,
        "floor_ms": wall[SEARCHES_NOTHING] * 1000,
        "request_ms": wall["request"] * 1000,
    }


def _project(agent: Agent) -> tuple[Agent, str]:
    """Make a project with many texts; return the chat about it, and the address of a search in it."""
    projects = f"{agent.chat_url.partition('/documents/')[0]}/projects"
    project_id = str(call(projects, {"name": "many"}, token=agent.token)["id"])
    chance = random.Random(7)
    for number in range(DOCUMENTS):
        text = {"name": f"Document {number}", "content": _text(number, chance)}
        call(f"{projects}/{project_id}/documents", text, token=agent.token)
    query = urllib.parse.urlencode({"q": "payment contract 4711", "project_id": project_id})
    return replace(agent, chat_url=f"{projects}/{project_id}/chat"), f"{projects}/search?{query}"


def _text(number: int, chance: random.Random) -> str:
    words = [f"word{int(chance.paretovariate(0.6)) % VOCABULARY}" for _ in range(WORDS_A_DOCUMENT)]
    places = [word for word in FREQUENT if chance.random() < 0.5]
    if number % 50 == 0:
        places += ["payment", "contract 4711"]
    for word in places:
        words[chance.randrange(WORDS_A_DOCUMENT)] = word
    sections = [words[start : start + 100] for start in range(0, WORDS_A_DOCUMENT, 100)]
    return "\n\n".join(f"## Section {at}\n\n{' '.join(section)}" for at, section in enumerate(sections))
