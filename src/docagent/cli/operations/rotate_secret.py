"""Gives the deployment a new secret, or removes what a lost one sealed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from docagent.bootstrap import database_url, deployment_secret, secret_file, starting
from docagent.cli.launching import run, settings_of
from docagent.cli.options import AsJson, Data
from docagent.cli.output import print_json
from docagent.security import Secrets, write_secret
from docagent.services.accounts import secret_rotation
from docagent.settings import Settings
from docagent.store.engine.database import open_database
from docagent.store.engine.schema import migrate


def rotate_secret(
    new: Annotated[
        str,
        typer.Option(
            envvar="DOCAGENT_NEW_SECRET", prompt="The new secret", hide_input=True, help="The new secret."
        ),
    ],
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Replace the secret that seals stored keys and signs sessions. Stop the server first."""
    run(_rotate(settings_of(data), new, as_json=as_json))


def forget_sealed(data: Data = None, as_json: AsJson = False) -> None:
    """Remove stored keys that the present secret cannot open. Passwords too; for when the secret that sealed them is
    lost. Stop the server first."""
    run(_forget(settings_of(data), as_json=as_json))


async def _rotate(settings: Settings, new_secret: str, *, as_json: bool) -> None:
    """Seal everything with the new secret. If the secret is kept in a file, the file then holds the new one."""
    new = Secrets(new_secret)
    with starting():
        old = Secrets(deployment_secret(settings))
        url = database_url(settings)
        await migrate(url)
    waiting = _waiting_file(settings, new_secret)
    db = open_database(url, pool_size=1)
    try:
        count = await secret_rotation.rotate_secret(db, old, new)
    finally:
        await db.close()
    if waiting is not None:
        waiting.replace(secret_file(settings))
    if as_json:
        print_json({"sealed": count, "secret_file": secret_file(settings) if waiting else None})
        return
    typer.echo(f"Sealed {count} stored values with the new secret. Everybody has to sign in again.")
    if waiting is None:
        typer.echo("Now set DOCAGENT_AUTH__SECRET to the new secret and start the server.")
    else:
        typer.echo(f"The new secret is in {secret_file(settings)}. Start the server again.")


async def _forget(settings: Settings, *, as_json: bool) -> None:
    """Remove every sealed value that the present secret cannot open."""
    with starting():
        secrets = Secrets(deployment_secret(settings))
        url = database_url(settings)
        await migrate(url)
    db = open_database(url, pool_size=1)
    try:
        count = await secret_rotation.forget_unopened(db, secrets)
    finally:
        await db.close()
    if as_json:
        print_json({"removed": count})
        return
    typer.echo(f"Removed {count} values that this secret cannot open. Enter keys and webhooks again.")


def _waiting_file(settings: Settings, new_secret: str) -> Path | None:
    """Write the new secret to disk before it seals anything. Return None if the secret comes from the settings."""
    if settings.auth.secret is not None:
        return None
    path = secret_file(settings).with_suffix(".new")
    path.unlink(missing_ok=True)
    write_secret(path, new_secret)
    return path
