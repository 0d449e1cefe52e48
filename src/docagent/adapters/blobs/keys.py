"""Which keys a blob may have: only those that both a file system and S3 accept."""

from __future__ import annotations

LONGEST_KEY_BYTES = 900
LONGEST_PART_BYTES = 200


def checked_key(key: str) -> str:
    """Return the key. Raises ValueError if it could leave the store, or if not every store takes it."""
    if "\\" in key or not key.isprintable():
        raise ValueError(f"Blob key {key!r} has a backslash or an unprintable character.")
    parts = key.split("/")
    if any(part in ("", ".", "..") for part in parts):
        raise ValueError(f"Blob key {key!r} must be a relative path without empty, '.' or '..' parts.")
    if parts[0].startswith("."):
        raise ValueError(f"Blob key {key!r} must not begin with a dot.")
    if len(key.encode()) > LONGEST_KEY_BYTES or any(
        len(part.encode()) > LONGEST_PART_BYTES for part in parts
    ):
        raise ValueError(f"Blob key {key[:60]!r}... is too long.")
    return key
