"""Finds every pattern of the code base and how it is used, and measures it on hostile texts.

Run as a program, it prints one line for each pattern whose time grows faster than its text.
"""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import signal
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

import docagent
from docagent.api.fields import MAX_TEXT_LENGTH
from tests.rules.sources import SOURCE, nodes, place, python_files, tree
from tests.unit.evals.papers import page

LENGTHS = (10_000, 20_000)
MOST_GROWTH = 3.0
FLOOR_SECONDS = 0.03
"""What takes less on the longer text is not judged: the clock is too coarse."""
_PATIENCE_SECONDS = 2.0
_TRIES = 4
SHAPES = (" ", "\n", " \n", "a", "A ", "1", "1,", "-", "(", '"a ', "a@a.", "the and of ", "* ", "#", "<a ")
ENDS = ("", "\x00")
USES: dict[str, Callable[[re.Pattern[str], str], object]] = {
    "match": lambda pattern, text: pattern.match(text),
    "fullmatch": lambda pattern, text: pattern.fullmatch(text),
    "search": lambda pattern, text: pattern.search(text),
    "finditer": lambda pattern, text: sum(1 for _ in pattern.finditer(text)),
}
Work = Callable[[str], object]
_EVERYWHERE = ("sub", "subn", "findall", "split")
_WORD = "ab"
"""Stands for text that is only known when the pattern is used."""


@dataclass(frozen=True)
class Found:
    where: str
    pattern: re.Pattern[str]
    uses: frozenset[str]


class TooSlow(Exception):
    pass


def patterns() -> list[Found]:
    """Import all modules, noting what they compile, and read what their functions compile when they run."""
    compiled: list[tuple[str, int, re.Pattern[Any]]] = []
    real = re.compile

    def noting(*arguments: Any, **options: Any) -> re.Pattern[Any]:
        pattern = real(*arguments, **options)
        frame = sys._getframe(1)
        while frame.f_code.co_name != "<module>" and frame.f_back:
            frame = frame.f_back
        compiled.append((frame.f_code.co_filename, frame.f_lineno, pattern))
        return pattern

    vars(re)["compile"] = noting
    modules = [module for module in _modules() if module.__file__]
    vars(re)["compile"] = real
    places = {module.__file__: _place(module) for module in modules}
    uses = _uses()
    found: list[Found] = []
    for file, line, pattern in compiled:
        if file in places and isinstance(pattern.pattern, str):
            where = places[file]
            name = _assigned(where, line)
            known = uses.get((where if name.startswith("_") else "", name))
            found.append(Found(f"{where}:{line}", pattern, known or _uses_in(where) or frozenset(USES)))
    for module in modules:
        found += _inside_functions(module)
    return found


def _modules() -> Iterator[ModuleType]:
    for one in pkgutil.walk_packages(docagent.__path__, "docagent."):
        if "migrations" not in one.name and not one.name.endswith("__main__"):
            yield importlib.import_module(one.name)


def _place(module: ModuleType) -> str:
    return place(Path(module.__file__ or ""))


def _uses() -> dict[tuple[str, str], frozenset[str]]:
    """Return how each name in capitals is used: a private one in its file, a public one in all files together."""
    found: dict[tuple[str, str], set[str]] = defaultdict(set)
    for path in python_files():
        for _, node in nodes(path):
            if isinstance(node, ast.Attribute) and (use := _use(node.attr)):
                for name in _names(node.value):
                    found[place(path) if name.startswith("_") else "", name].add(use)
    return {key: frozenset(uses) for key, uses in found.items()}


def _uses_in(where: str) -> frozenset[str]:
    """Return how a file uses what is in its variables: the patterns of a table that it walks through."""
    used = (
        _use(node.attr)
        for _, node in nodes(SOURCE / where)
        if isinstance(node, ast.Attribute) and not _names(node.value)
    )
    return frozenset(use for use in used if use)


def _names(node: ast.expr) -> list[str]:
    """Return the names of constants in an expression."""
    written = (getattr(one, "id", getattr(one, "attr", "")) for one in ast.walk(node))
    return [name for name in written if name.strip("_").isupper()]


def _use(method: str) -> str | None:
    return "finditer" if method in _EVERYWHERE else method if method in USES else None


def _assigned(where: str, line: int) -> str:
    """Return the name of the constant that a pattern in this line is, or nothing if it is one of several."""
    for node in tree(SOURCE / where).body:
        if isinstance(node, ast.Assign) and node.lineno <= line <= (node.end_lineno or 0):
            target = node.targets[0]
            return target.id if isinstance(target, ast.Name) and isinstance(node.value, ast.Call) else ""
    return ""


def _inside_functions(module: ModuleType) -> Iterator[Found]:
    where = _place(module)
    for function, node in nodes(SOURCE / where):
        called = node.func if isinstance(node, ast.Call) else None
        if not function or not isinstance(called, ast.Attribute) or getattr(called.value, "id", "") != "re":
            continue
        assert isinstance(node, ast.Call)
        use = _use(called.attr)
        written = _written(node.args[0], vars(module)) if use else None
        if use and written is not None:
            yield Found(f"{where}:{node.lineno}", re.compile(written, _flags(node)), frozenset({use}))


def _written(node: ast.expr, names: dict[str, Any]) -> str | None:
    """Return the text of a pattern, with a word in place of what is only known when it is used."""
    if isinstance(node, ast.JoinedStr):
        return "".join(_written(part, names) or _WORD for part in node.values)
    if isinstance(node, ast.FormattedValue):
        node = node.value
    try:
        value = eval(ast.unparse(node), dict(names))
    except (NameError, AttributeError):
        return None
    return value if isinstance(value, str) else None


def _flags(node: ast.Call) -> int:
    given = [one.value for one in node.keywords if one.arg == "flags"]
    given += [one for one in node.args[1:] if "re." in ast.unparse(one) and isinstance(one, ast.Attribute)]
    return int(eval(ast.unparse(given[0]), {"re": re})) if given else 0


def seconds(work: Work, text: str, tries: int = 1) -> float:
    """Return the least processor time of some tries; infinity if one takes too long.

    The clock of the thread, as that of the process goes by ticks of 4 ms while its timer runs.
    """

    def stop(number: int, frame: FrameType | None) -> None:
        raise TooSlow

    signal.signal(signal.SIGPROF, stop)
    best = float("inf")
    for _ in range(tries):
        signal.setitimer(signal.ITIMER_PROF, _PATIENCE_SECONDS)
        began = time.thread_time()
        try:
            work(text)
        except TooSlow:
            return float("inf")
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        best = min(best, time.thread_time() - began)
    return best


def grows(work: Work, unit: str, end: str, lengths: tuple[int, int]) -> bool:
    """Say whether twice the text takes more than three times as long."""
    short, long = ((unit * (length // len(unit) + 1))[:length] + end for length in lengths)
    once = seconds(work, long)
    if once < FLOOR_SECONDS or once <= MOST_GROWTH * seconds(work, short):
        return False
    took = seconds(work, long, _TRIES)
    return took == float("inf") or (
        took >= FLOOR_SECONDS and took > MOST_GROWTH * seconds(work, short, _TRIES)
    )


def _judge(
    what: str, work: Work, shapes: Sequence[str], lengths: tuple[int, int], ends: Sequence[str] = ENDS
) -> None:
    shape = next((unit + end for unit in shapes for end in ends if grows(work, unit, end, lengths)), None)
    if shape is not None:
        sys.stdout.write(f"{lengths[1]} of {shape!r} are too much for {what}\n")
        sys.stdout.flush()


def main() -> None:
    if sys.argv[1:] == ["messages"]:
        works = list(_of_messages())
        for what, work in works:
            _judge(what, work, MESSAGE_SHAPES, LENGTHS, ("",))
            _judge(what, work, LONG_SHAPES, ACCEPTED, ("",))
        sys.stdout.write(f"{len(works)} messages\n")
        return
    found = patterns()
    for one in found:
        for use in sorted(one.uses):
            _judge(
                f"{one.where} {use} {one.pattern.pattern!r}", partial(USES[use], one.pattern), SHAPES, LENGTHS
            )
    sys.stdout.write(f"{len(found)} patterns\n")


LONG_SHAPES = ("a", "A ", "(", '"\n- x" ', "é")
MESSAGE_SHAPES = (
    *LONG_SHAPES,
    " \n",
    "1,",
    "a: ",
    "and ",
    "\u200b",
    "```\n",
    "https://a.b/",
    "'x' ",
    "# T\n\n",
)
ACCEPTED = (MAX_TEXT_LENGTH // 2, MAX_TEXT_LENGTH)


def _of_messages() -> Iterator[tuple[str, Work]]:
    """Yield what the built-in model does with a message as a whole: from the request to the reply."""
    llm, model = (
        importlib.import_module(f"docagent.{name}") for name in ("domain.models.llm", "builtin_model")
    )
    text = "# Plan\n\nThe total is 12.00.\n\n## Terms\n\nPaid in 30 days.\n"
    project = llm.ProjectSituation("p", "Letters", (llm.ProjectDocument("d", "Plan", 1, text),))
    part = llm.DocumentPart("Plan", (page(text.splitlines()),))
    situations = {"document": llm.Situation(document=part), "project": llm.Situation(project=project)}
    for where, situation in situations.items():
        for begin in ("", "what is the total of a "):

            def respond(said: str, begin: str = begin, situation: Any = situation) -> object:
                messages = (llm.Message("user", (llm.TextPart((begin + said)[:MAX_TEXT_LENGTH]),)),)
                return model.respond(llm.ModelRequest("m", messages, situation=situation))

            respond("hello")
            yield f"{begin!r} in a {where}", respond


if __name__ == "__main__":
    main()
