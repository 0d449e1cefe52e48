"""The deployment's secret and everything derived from it: signatures, sealed values, token hashes."""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
import secrets
from pathlib import Path

from cryptography.fernet import Fernet, InvalidToken
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from docagent.domain.errors import DocAgentError

MIN_SECRET_LENGTH = 16


class SecretUnusable(DocAgentError):
    """The configured secret is too weak, or not the one that sealed a stored value."""


class Secrets:
    """The keys for different purposes, all derived from one secret."""

    def __init__(self, secret: str) -> None:
        if len(secret) < MIN_SECRET_LENGTH:
            raise SecretUnusable(
                f"The secret is too short: use at least {MIN_SECRET_LENGTH} characters in DOCAGENT_AUTH__SECRET."
            )
        self._secret = secret.encode()
        self._fernet = Fernet(base64.urlsafe_b64encode(self._derive(b"docagent sealed values")))
        self.session_key = self._derive(b"docagent sessions")

    def seal(self, text: str) -> str:
        return self._fernet.encrypt(text.encode()).decode()

    def unseal(self, sealed: str) -> str:
        try:
            return self._fernet.decrypt(sealed.encode()).decode()
        except InvalidToken as error:
            raise SecretUnusable(
                "A stored value cannot be opened: the secret is not the one that sealed it."
            ) from error

    def request_signature(self, body: bytes) -> str:
        """Return the signature that a trusted front end puts on a raw request body."""
        return hmac.new(self._secret, body, hashlib.sha256).hexdigest()

    def _derive(self, purpose: bytes) -> bytes:
        return HKDF(algorithm=SHA256(), length=32, salt=None, info=purpose).derive(self._secret)


def token_hash(token: str) -> str:
    """Return the hash of a token, to be stored. Tokens have 256 bits of entropy, so a plain hash is enough."""
    return hashlib.sha256(token.encode()).hexdigest()


def random_token(prefix: str = "") -> str:
    return prefix + secrets.token_urlsafe(32)


def load_or_make_secret(path: Path) -> str:
    """Return the secret in the file, which is made on first use."""
    secret = secrets.token_urlsafe(48)
    try:
        write_secret(path, secret)
    except FileExistsError:
        return path.read_text().strip()
    return secret


def write_secret(path: Path, secret: str) -> None:
    """Write the secret to a new file that only the owner can read. Raises FileExistsError."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(secret + "\n")
