"""Hashes passwords with argon2, off the event loop. An unknown user takes as long to check as a known one."""

from __future__ import annotations

import asyncio

from pwdlib import PasswordHash
from pwdlib.exceptions import UnknownHashError
from pwdlib.hashers.argon2 import Argon2Hasher


class Passwords:
    def __init__(self, memory_mb: int = 64) -> None:
        self._hasher = PasswordHash((Argon2Hasher(memory_cost=memory_mb * 1024),))
        self._nobody: str | None = None
        self._at_once = asyncio.Semaphore(2)

    async def hash(self, password: str) -> str:
        async with self._at_once:
            return await asyncio.to_thread(self._hasher.hash, password)

    async def verify(self, password: str, stored: str | None) -> bool:
        """Check a password. A missing hash gives False after the same work, so that the time reveals nothing."""
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
