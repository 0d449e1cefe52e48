"""The list of all benchmarks. A benchmark is a module with `NAME` and `run(quick) -> {metric: value}`.

Metrics that end in `_x` are ratios of cost to the floor: 1 is as cheap as the floor, 2 costs twice as much.
They are compared with the accepted baseline. All others are raw figures, for a sense of scale.
"""

from __future__ import annotations

from typing import Protocol

from benchmarks import (
    agent,
    document_page,
    documents_list,
    extraction,
    find_anything,
    floods,
    growth,
    http,
    learning,
    locator,
    mcp,
    memory,
    model_stream,
    pages,
    pictures,
    pile,
    project_page,
    project_search,
    proposals,
    reader_network,
    recognition,
    review_page,
    scaling,
    search,
    sheets,
    start,
    statements,
    terminal,
)


class Suite(Protocol):
    """What a benchmark module provides."""

    NAME: str

    def run(self, quick: bool) -> dict[str, float]: ...


SUITES: tuple[Suite, ...] = (
    start,
    mcp,
    terminal,
    pages,
    recognition,
    pictures,
    reader_network,
    pile,
    locator,
    extraction,
    learning,
    memory,
    documents_list,
    growth,
    scaling,
    search,
    find_anything,
    sheets,
    http,
    floods,
    model_stream,
    agent,
    statements,
    proposals,
    document_page,
    review_page,
    project_page,
    project_search,
)
