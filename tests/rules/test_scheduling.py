"""Tests that share something stay together, and only those."""

from __future__ import annotations

import re
from pathlib import Path

from tests.support.scheduling import scope_of

TESTS = Path(__file__).parents[1]
MADE_BY_MODULE = re.compile(r'^@pytest\.fixture\(scope="module"', re.MULTILINE)


def test_what_shares_a_server_or_a_browser_goes_together() -> None:
    assert scope_of("tests/e2e/test_documents.py::test_a") == scope_of(
        "tests/e2e/test_documents.py::test_b[x]"
    )
    assert scope_of("tests/clients/test_a.py::test_a") == scope_of("tests/clients/test_b.py::test_b")
    assert scope_of("tests/store/test_blobs.py::test_a") == scope_of(
        "tests/api/documents/test_on_s3.py::test_b"
    )


def test_everything_else_is_spread() -> None:
    assert scope_of("tests/unit/domain/test_ids.py::test_a") != scope_of(
        "tests/unit/domain/test_ids.py::test_b"
    )
    assert scope_of("tests/e2e/test_a.py::test_a") != scope_of("tests/e2e/test_b.py::test_a")


def test_what_a_module_makes_once_is_made_once() -> None:
    """A fixture of a module is made again by every worker that runs one of its tests."""
    scattered = [
        str(path.relative_to(TESTS))
        for path in TESTS.rglob("test_*.py")
        if MADE_BY_MODULE.search(path.read_text())
        and scope_of(f"{path.relative_to(TESTS.parent)}::a")
        != scope_of(f"{path.relative_to(TESTS.parent)}::b")
    ]
    assert scattered == [], "add them to tests/support/scheduling.py"
