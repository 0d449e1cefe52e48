"""Tests that share something stay together, and only those."""

from __future__ import annotations

from tests.support.scheduling import scope_of


def test_what_shares_a_server_or_a_browser_goes_together() -> None:
    assert scope_of("tests/e2e/test_documents.py::test_a") == scope_of(
        "tests/e2e/test_documents.py::test_b[x]"
    )
    assert scope_of("tests/clients/test_a.py::test_a") == scope_of("tests/clients/test_b.py::test_b")
    assert scope_of("tests/store/test_blobs.py::test_a") == scope_of("tests/api/test_on_s3.py::test_b")


def test_everything_else_is_spread() -> None:
    assert scope_of("tests/unit/test_ids.py::test_a") != scope_of("tests/unit/test_ids.py::test_b")
    assert scope_of("tests/e2e/test_a.py::test_a") != scope_of("tests/e2e/test_b.py::test_a")
