"""What other packages add by entry points: strategies, tools, parsers and providers of models."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from functools import cache
from importlib.metadata import EntryPoint, EntryPoints, entry_points
from typing import Any, TypeVar, cast

logger = logging.getLogger(__name__)

STRATEGIES = "docagent.strategies"
TOOLS = "docagent.tools"
PARSERS = "docagent.parsers"
PROVIDERS = "docagent.providers"
LEFT_OUT = "The entry point %s = %s of %s was left out: %s. Fix or remove the package that adds it."

Plugin = TypeVar("Plugin")


def points_of(group: str) -> EntryPoints:
    """The entry points of a group. Nothing is loaded."""
    return _points().select(group=group)


def loaded(group: str, made: Callable[[EntryPoint, Any], Plugin]) -> Sequence[Plugin]:
    """What `made` makes of each entry point's object. What cannot be loaded or does not fit is logged and left out."""
    found = []
    for point in points_of(group):
        try:
            found.append(made(point, point.load()))
        except Exception as error:  # noqa: BLE001  code of others must not stop the server
            logger.error(LEFT_OUT, point.name, point.value, group, error)
    return found


@cache
def _points() -> EntryPoints:
    """Looked for once: it takes a look into every installed package."""
    # Python 3.11 gives them grouped; both forms know `select`.
    return cast("EntryPoints", entry_points())
