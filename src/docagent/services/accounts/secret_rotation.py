"""The deployment's secret: that it is the right one, and replacing it."""

from __future__ import annotations

from docagent.domain.clock import now
from docagent.security import Secrets, SecretUnusable
from docagent.store.accounts import config
from docagent.store.accounts.sealed import forget, reseal_all, some_sealed
from docagent.store.engine.database import Database

PROOF = "proof of the secret"


async def check_secret(db: Database, secrets: Secrets) -> None:
    """Raises SecretUnusable if the secret cannot open what is sealed in the database.

    The first process that starts seals something, so that one with another secret is found out at once.
    """
    async with db.read() as tx:
        for sealed in await some_sealed(tx):
            secrets.unseal(sealed)
        proof = await config.get(tx, PROOF)
    if proof is None:
        async with db.write() as tx:
            await tx.take_turns(PROOF)
            proof = await config.get(tx, PROOF)
            if proof is None:
                proof = secrets.seal(PROOF)
                await config.put(tx, PROOF, proof, now())
    secrets.unseal(proof)


async def rotate_secret(db: Database, old: Secrets, new: Secrets) -> int:
    """Reseal every stored secret, all or none. Returns how many there were. Raises SecretUnusable."""
    async with db.write() as tx:
        return await reseal_all(tx, lambda sealed: new.seal(old.unseal(sealed)))


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
