"""What evaluations keep on disk."""

from __future__ import annotations

from pathlib import Path

import pytest
from evals.kept import kept_of


def test_what_was_made_is_made_once_and_all_source_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    numbers = iter((7, 8))
    assert kept_of(("a", "name"), lambda: next(numbers)) == 7
    assert kept_of(("a", "name"), lambda: next(numbers)) == 7
