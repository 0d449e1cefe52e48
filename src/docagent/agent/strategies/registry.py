"""The list of strategies, and those that other packages add by entry point `docagent.strategies`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from docagent.agent.strategies.base import Strategy
from docagent.agent.strategies.call import CallStrategy
from docagent.agent.strategies.decide import DecideStrategy
from docagent.agent.strategies.llm_only import LlmOnlyStrategy
from docagent.agent.strategies.plan_and_execute import PlanAndExecuteStrategy
from docagent.agent.strategies.prompts import Prompts
from docagent.agent.strategies.react import ReactStrategy
from docagent.agent.strategies.think_act import ThinkActStrategy
from docagent.agent.strategies.tool_first import ToolFirstStrategy
from docagent.agent.strategies.tools import ToolsStrategy
from docagent.domain import plugins
from docagent.domain.errors import InvalidInput

OTHER_NAMES = {"agentic": "tools"}
"""What other programs call our strategies."""
DECIDE = DecideStrategy.name
CALL = CallStrategy.name


class Strategies:
    """Strategies by name; case, `_` and `-` do not count. An unknown name is refused with the names that there are.

    Those that are `not_chosen` belong to one kind of request, so nobody is offered them.
    """

    def __init__(self, strategies: Iterable[Strategy], not_chosen: Iterable[Strategy] = ()) -> None:
        self.not_chosen = {strategy.name: strategy for strategy in not_chosen}
        self._by_key: dict[str, Strategy] = {}
        for strategy in strategies:
            self.add(strategy)
        for other, name in OTHER_NAMES.items():
            if name in self._by_key:
                self._by_key.setdefault(other, self._by_key[name])

    def add(self, strategy: Strategy) -> None:
        """Raises InvalidInput."""
        key = _key(strategy.name)
        if key in self._by_key:
            raise InvalidInput(f"Two loop strategies are named {strategy.name}. Rename or remove one.")
        self._by_key[key] = strategy

    def __iter__(self) -> Iterator[Strategy]:
        return iter(dict.fromkeys(self._by_key.values()))

    def __contains__(self, name: str) -> bool:
        return _key(name) in self._by_key

    def running(self, name: str) -> Strategy:
        """The strategy of a turn that has begun."""
        return self.not_chosen.get(name) or self.get(name)

    def get(self, name: str) -> Strategy:
        try:
            return self._by_key[_key(name)]
        except KeyError:
            names = sorted(strategy.name for strategy in self)
            raise InvalidInput(f"Unknown loop strategy: {name}. Choose one of: {', '.join(names)}.") from None


def _key(name: str) -> str:
    return name.strip().lower().replace("_", "").replace("-", "")


def all_strategies(prompts: Prompts | None = None) -> Strategies:
    texts = prompts or Prompts()
    built_in: list[Strategy] = [
        ToolsStrategy(),
        ReactStrategy(texts),
        ThinkActStrategy(texts),
        PlanAndExecuteStrategy(texts),
        ToolFirstStrategy(texts),
        LlmOnlyStrategy(),
    ]
    strategies = Strategies(built_in, not_chosen=[DecideStrategy(texts), CallStrategy()])
    plugins.loaded(plugins.STRATEGIES, lambda _, kind: strategies.add(kind()))
    return strategies
