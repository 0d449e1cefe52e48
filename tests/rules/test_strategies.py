"""A strategy that is in a file is also in the list, on its page of the manual and in the client."""

from __future__ import annotations

import pkgutil
import re
from importlib import import_module

from docagent.agent import strategies
from docagent.agent.strategies.base import Strategy
from docagent.agent.strategies.registry import all_strategies
from tests.rules.sources import ROOT

IN_THE_LIST = [strategy.name for strategy in all_strategies()]


def test_every_strategy_is_in_the_list() -> None:
    modules = [
        import_module(f"{strategies.__name__}.{module.name}")
        for module in pkgutil.iter_modules(strategies.__path__)
    ]
    written = {
        kind
        for module in modules
        for kind in vars(module).values()
        if isinstance(kind, type)
        and kind.__module__ == module.__name__
        and kind.__name__.endswith("Strategy")
    }
    forgotten = (
        written
        - {Strategy}
        - {type(strategy) for strategy in (*all_strategies(), *all_strategies().not_chosen.values())}
    )
    assert not forgotten, f"add to strategies/registry.py: {forgotten}"


def test_every_strategy_has_its_row_on_the_page_and_no_row_is_left_over() -> None:
    page = (ROOT / "docs" / "strategies.md").read_text()
    table = page.partition("| name |")[2].partition("\n\n")[0]
    rows = re.findall(r"^\| `([a-z-]+)` \|", table, re.MULTILINE)
    assert rows == IN_THE_LIST, "fix the table of docs/strategies.md"


def test_the_client_has_a_name_for_every_strategy_and_for_no_other() -> None:
    source = (ROOT / "web" / "src" / "lib" / "agent" / "strategies.ts").read_text()
    names = re.search(r"const NAMES: Record<string, string> = \{(.*?)\n\};", source, re.DOTALL)
    assert names
    named = set(re.findall(r'^  get "?([a-z-]+)"?\(\)', names[1], re.MULTILINE))
    assert named == set(IN_THE_LIST), "fix NAMES in web/src/lib/agent/strategies.ts"
