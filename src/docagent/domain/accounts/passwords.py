"""The one rule for new passwords: whoever sets one, and wherever."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from docagent.domain.errors import InvalidInput

MIN_PASSWORD_LENGTH = 10
USUAL = Path(__file__).with_name("usual_passwords.txt")


def check_password(password: str) -> None:
    """Raise InvalidInput if this may not become a password. Passwords from before the rule keep working."""
    without_margins = password.strip()
    if len(without_margins) < MIN_PASSWORD_LENGTH:
        raise InvalidInput(f"The password is too short: use at least {MIN_PASSWORD_LENGTH} characters.")
    if without_margins.casefold() in _usual():
        raise InvalidInput("This password is too common: choose another.")


@cache
def _usual() -> frozenset[str]:
    lines = USUAL.read_text(encoding="utf-8").splitlines()
    return frozenset(line for line in lines if not line.startswith("#"))
