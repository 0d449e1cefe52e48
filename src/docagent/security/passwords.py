"""Password hashes: argon2, off the event loop, and as slow for unknown users as for known ones."""

from __future__ import annotations

import asyncio

from pwdlib import PasswordHash
from pwdlib.exceptions import UnknownHashError


class Passwords:
    def __init__(self) -> None:
        self._hasher = PasswordHash.recommended()
        self._nobody: str | None = None
        self._at_once = asyncio.Semaphore(2)

    async def hash(self, password: str) -> str:
        async with self._at_once:
            return await asyncio.to_thread(self._hasher.hash, password)

    async def verify(self, password: str, stored: str | None) -> bool:
        """False for a missing hash too, after the same work, so that time tells nothing."""
        if stored is None:
            if self._nobody is None:
                self._nobody = await self.hash("nobody has this password")
            stored, known = self._nobody, False
        else:
            known = True
        async with self._at_once:
            return await asyncio.to_thread(self._matches, password, stored) and known

    def _matches(self, password: str, stored: str) -> bool:
        try:
            return self._hasher.verify(password, stored)
        except UnknownHashError:
            return False
