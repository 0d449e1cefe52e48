"""Tables of cases as one test: every row runs, and all that fail are reported."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from typing import Any

import pytest

Test = Callable[..., Any]


def table(names: str | Sequence[str], rows: Iterable[Any]) -> Callable[[Test], Test]:
    """Run a test for each row, as `pytest.mark.parametrize` does, but as subtests of one test.

    Collecting thousands of tests costs more than running most of them. All rows share the fixtures, so a test that
    changes what its fixtures give must be parametrised instead.
    """
    wanted = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    cases = [dict(zip(wanted, row if len(wanted) > 1 else (row,), strict=True)) for row in rows]
    assert cases, "a table without rows tests nothing"

    def decorate(test: Test) -> Test:
        of_test = dict(inspect.signature(test).parameters)
        is_nested = "subtests" in of_test  # a table of another dimension

        @wraps(test)
        def run(subtests: pytest.Subtests, **fixtures: Any) -> None:
            for case in cases:
                with subtests.test(**case):
                    test(**({"subtests": subtests} if is_nested else {}), **fixtures, **case)

        @wraps(test)
        async def run_async(subtests: pytest.Subtests, **fixtures: Any) -> None:
            for case in cases:
                with subtests.test(**case):
                    await test(**({"subtests": subtests} if is_nested else {}), **fixtures, **case)

        made: Any = run_async if inspect.iscoroutinefunction(test) else run
        of_test.setdefault("subtests", inspect.Parameter("subtests", inspect.Parameter.KEYWORD_ONLY))
        made.__signature__ = inspect.Signature([each for name, each in of_test.items() if name not in wanted])
        del made.__wrapped__
        return made  # type: ignore[no-any-return]

    return decorate
