"""Gives the deployment a new secret, or removes what a lost one sealed."""

from __future__ import annotations

from pathlib import Path

import typer

from docagent.bootstrap import database_url, deployment_secret, secret_file, starting
from docagent.security import Secrets, write_secret
from docagent.services.secret_rotation import forget_unopened, rotate_secret
from docagent.settings import Settings
from docagent.store.engine import open_database
from docagent.store.schema import migrate


async def rotate(settings: Settings, new_secret: str) -> None:
    """Seal everything with the new secret. If the secret is kept in a file, the file then holds the new one."""
    new = Secrets(new_secret)
    with starting():
        old = Secrets(deployment_secret(settings))
        url = database_url(settings)
        await migrate(url)
    waiting = _waiting_file(settings, new_secret)
    db = open_database(url, pool_size=1)
    try:
        count = await rotate_secret(db, old, new)
    finally:
        await db.close()
    typer.echo(f"Sealed {count} stored values with the new secret. Everybody has to sign in again.")
    if waiting is None:
        typer.echo("Now set DOCAGENT_AUTH__SECRET to the new secret and start the server.")
    else:
        waiting.replace(secret_file(settings))
        typer.echo(f"The new secret is in {secret_file(settings)}. Start the server again.")


async def forget_sealed(settings: Settings) -> None:
    """Remove every sealed value that the present secret cannot open."""
    with starting():
        secrets = Secrets(deployment_secret(settings))
        url = database_url(settings)
        await migrate(url)
    db = open_database(url, pool_size=1)
    try:
        count = await forget_unopened(db, secrets)
    finally:
        await db.close()
    typer.echo(f"Removed {count} values that this secret cannot open. Enter keys and webhooks again.")


def _waiting_file(settings: Settings, new_secret: str) -> Path | None:
    """Write the new secret to disk before it seals anything. Return None if the secret comes from the settings."""
    if settings.auth.secret is not None:
        return None
    path = secret_file(settings).with_suffix(".new")
    path.unlink(missing_ok=True)
    write_secret(path, new_secret)
    return path
