"""Replacing the deployment's secret."""

from __future__ import annotations

from docagent.security import Secrets
from docagent.store.engine import Database
from docagent.store.sealed import seal_anew


async def rotate_secret(db: Database, old: Secrets, new: Secrets) -> int:
    """Seal every stored secret anew, all or none. Returns how many there were. Raises SecretUnusable."""
    async with db.write() as tx:
        return await seal_anew(tx, lambda sealed: new.seal(old.unseal(sealed)))
