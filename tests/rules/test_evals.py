"""A set of labelled documents and a suite that are in a file are also in the list of their folder."""

from __future__ import annotations

import pkgutil
from importlib import import_module
from types import ModuleType

from evals import sets, suites


def modules(package: ModuleType, name: str) -> list[ModuleType]:
    """The modules of a package that declare this name."""
    found = (
        import_module(f"{package.__name__}.{module.name}")
        for module in pkgutil.iter_modules(package.__path__)
    )
    return [module for module in found if hasattr(module, name)]


def test_every_set_is_in_the_list() -> None:
    forgotten = [module.__name__ for module in modules(sets, "SET") if module.SET not in sets.ALL]
    assert not forgotten, f"add to evals/sets/__init__.py: {forgotten}"


def test_every_suite_is_in_the_list() -> None:
    forgotten = [module.__name__ for module in modules(suites, "NAME") if module not in suites.SUITES]
    assert not forgotten, f"add to evals/suites/__init__.py: {forgotten}"
