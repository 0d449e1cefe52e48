"""The one rule for passwords."""

from __future__ import annotations

import pytest

from docagent.domain.accounts.passwords import MIN_PASSWORD_LENGTH, USUAL, check_password
from docagent.domain.errors import InvalidInput
from tests.support.tables import table


@table("password", ["", "nine char", " " * 20, "  nine char  "])
def test_a_short_password_is_refused_and_blanks_around_it_do_not_count(password: str) -> None:
    with pytest.raises(InvalidInput, match="at least 10 characters"):
        check_password(password)


@table(
    "password",
    ["1234567890", "password123", "PASSWORD123", " Password123 ", "qwertyuiop", "aaaaaaaaaa", "Welcome2026"],
)
def test_a_password_that_is_tried_first_is_refused(password: str) -> None:
    with pytest.raises(InvalidInput, match="too common"):
        check_password(password)


@table("password", ["nine chars", "vier Wörter im Wald", "x" * 200, "# of my door: 7"])
def test_other_passwords_will_do(password: str) -> None:
    check_password(password)


def test_the_list_holds_what_can_be_found_in_it() -> None:
    listed = [line for line in USUAL.read_text(encoding="utf-8").splitlines() if not line.startswith("# ")]
    assert len(listed) > 5000
    assert [word for word in listed if word != word.strip().casefold() or word.startswith("#")] == []
    assert min(len(word) for word in listed) >= MIN_PASSWORD_LENGTH
    assert len(set(listed)) == len(listed)
