"""Asks the built-in model for labelled values that are printed, in ten languages, over the labelled sets.

Every value is asked for once: in one language after another where `evals/talk/questions.toml` says what it is called,
else in the words of its schema (`own_words`). Each answer is one of: `exact`, the value is stated; `passage`, what is
shown or stated contains it; `wrong`, another value is stated; `denied`, the answer says that it was not found, and
shows it nowhere; `elsewhere`, only other passages are shown. `said_not_found` counts every answer that says so, also
where the value stands in the passages below.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from typing import Any

from docagent.builtin_model.agent.answers import answer
from docagent.builtin_model.agent.fields import spoken
from docagent.domain.documents.text import Page
from evals.judging import Kind, Printed, same
from evals.judging.values import kind_of
from evals.kept import read_pages
from evals.matching import share
from evals.sets import ALL, Task
from evals.suite import Results
from evals.suites.talk import stated

NAME = "questions"
FOLDER = "documents"
LEFT_OUT = frozenset({"extract_bench"})
"""Its labels lie deep in long documents: a question would have to name the way to each."""
PHOTOS = frozenset({".jpg", ".png"})
"""They are left out: other suites score how they are read."""
KINDS = ("exact", "passage", "elsewhere", "wrong", "denied")
OWN = "own_words"
_WORDING: dict[str, dict[str, Any]] = tomllib.loads(
    (Path(__file__).parent.parent / "talk" / "questions.toml").read_text("utf-8")
)
_THINGS = {label: thing for thing, labels in _WORDING["labels"].items() for label in labels.split()}
_NOT_FOUND = "was not found in"
_SHOWN = re.compile(r"^(?:> ?(.*)|(?:-|\d+\.) (.*))$", re.MULTILINE)
"""Lines of passages and of lists."""


@dataclass(frozen=True)
class Question:
    language: str
    text: str
    wanted: tuple[Any, ...]
    """Any of them is right."""
    kind: Kind


def run(folder: Path) -> Results:
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    languages = cycle(_WORDING["ask"])
    for one in ALL:
        tasks = one.tasks(folder) if one.folder not in LEFT_OUT else ()
        for task in (task for task in tasks if task.path.suffix not in PHOTOS):
            pages = read_pages(task.path)
            for question in questions(task, pages, languages):
                told = answer(question.text, None, pages)
                came = judged(question, told, day_first=task.labels.day_first)
                for group in ("all", one.folder, f"in_{question.language}"):
                    counts[group][came] += 1
                    counts[group]["said_not_found"] += _NOT_FOUND in told
    return {group: _shares(counted) for group, counted in counts.items()}


def questions(task: Task, pages: list[Page], languages: Iterator[str]) -> Iterator[Question]:
    """Yield a question for every value of a document that is printed and is no table."""
    printed = Printed.on(pages, day_first=task.labels.day_first)
    properties = task.schema.get("properties", {})
    for number, (name, value) in enumerate(task.labels.values.items()):
        wanted = tuple(value) if isinstance(value, list) else (value,)
        part = properties.get(name)
        if value in (None, [], "") or isinstance(wanted[0], dict) or part is None:
            continue
        kind = task.labels.kinds.get(name) or kind_of(part, wanted[0])
        if not all(printed.has(one, kind) for one in wanted):
            continue
        thing = _THINGS.get(name)
        if thing == "tax" and kind is not Kind.AMOUNT:
            thing = "vat_id"  # some sets label the number as `vat`
        if thing is None:
            yield Question(OWN, f"{part.get('description') or spoken(name)}?", wanted, kind)
            continue
        language = next(languages)
        ways = _WORDING["ask"][language]
        asked = _WORDING["asked"][thing][language]
        yield Question(language, ways[number % len(ways)].format(asked), wanted, kind)


def judged(question: Question, told: str, *, day_first: bool) -> str:
    """Say what came of a question."""
    plain = told.replace("**", "")
    value = stated(told)
    if value and _is_one(question, value, day_first=day_first):
        return "exact"
    shown = [value, *(found[1] or found[2] for found in _SHOWN.finditer(plain))]
    printed = Printed("\n".join(shown), day_first=day_first)
    if any(printed.has(one, question.kind) for one in question.wanted):
        return "passage"
    if value:
        return "wrong"
    return "denied" if _NOT_FOUND in told else "elsewhere"


def _is_one(question: Question, value: str, *, day_first: bool) -> bool:
    if question.kind is Kind.AMOUNT:
        printed = Printed(value, day_first=day_first)
        return any(printed.has(one, question.kind) for one in question.wanted)
    return any(same(one, value, question.kind, day_first=day_first) for one in question.wanted)


def _shares(counted: Counter[str]) -> dict[str, float]:
    asked = sum(counted[kind] for kind in KINDS)
    shares = {kind: share(counted[kind], asked) for kind in (*KINDS, "said_not_found")}
    return {"questions": asked, **shares}
