"""The deployment's secret: that it is the right one, and replacing it."""

from __future__ import annotations

from docagent.security import Secrets, SecretUnusable
from docagent.store.engine import Database
from docagent.store.sealed import forget, seal_anew, some_sealed


async def check_secret(db: Database, secrets: Secrets) -> None:
    """Raises SecretUnusable if the secret cannot open what is sealed in the database."""
    async with db.read() as tx:
        for sealed in await some_sealed(tx):
            secrets.unseal(sealed)


async def rotate_secret(db: Database, old: Secrets, new: Secrets) -> int:
    """Seal every stored secret anew, all or none. Returns how many there were. Raises SecretUnusable."""
    async with db.write() as tx:
        return await seal_anew(tx, lambda sealed: new.seal(old.unseal(sealed)))


async def forget_unopened(db: Database, secrets: Secrets) -> int:
    """Remove every sealed value that this secret cannot open. Returns how many there were."""

    def opens(sealed: str) -> bool:
        try:
            secrets.unseal(sealed)
        except SecretUnusable:
            return False
        return True

    async with db.write() as tx:
        return await forget(tx, lambda sealed: not opens(sealed))
