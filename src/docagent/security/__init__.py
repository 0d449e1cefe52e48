"""Passwords, sealed values and signed tokens: thin wrappers around audited libraries."""

from docagent.security.passwords import Passwords
from docagent.security.secrets import (
    Secrets,
    SecretUnusable,
    load_or_make_secret,
    random_token,
    token_hash,
    write_secret,
)
from docagent.security.sessions import SessionClaims, SessionTokens

__all__ = [
    "Passwords",
    "SecretUnusable",
    "Secrets",
    "SessionClaims",
    "SessionTokens",
    "load_or_make_secret",
    "random_token",
    "token_hash",
    "write_secret",
]
