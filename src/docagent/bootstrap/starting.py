"""What is checked at the start, so that a deployment that cannot work says so in one sentence and ends."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from docagent.bootstrap.ground import Ground, secret_file
from docagent.domain.errors import CannotStart, DocAgentError
from docagent.security import SecretUnusable
from docagent.services.accounts.secret_rotation import check_secret


@contextmanager
def starting() -> Iterator[None]:
    """Turn what may go wrong at the start into CannotStart."""
    try:
        yield
    except CannotStart:
        raise
    except DocAgentError as error:
        raise CannotStart(error.detail) from error
    except OSError as error:
        raise CannotStart(
            f"{error.filename or 'The data folder'} cannot be used: {error.strerror or error}. "
            "Check the setting data, and the space, mount and permissions of that folder."
        ) from error


async def check_ground(ground: Ground) -> None:
    """Raises CannotStart if the secret is not the one that sealed what is stored, and Unavailable if nothing can be
    stored at all.
    """
    await ground.db.check()
    try:
        await check_secret(ground.db, ground.secrets)
    except SecretUnusable as error:
        raise CannotStart(
            "This secret cannot open what is sealed in the database: keys of providers, secrets of webhooks, passwords "
            "of documents, sessions. Copy DOCAGENT_AUTH__SECRET from a process that runs on this database; if none has "
            f"it set, the secret is in {secret_file(ground.settings)} of the machine where it was made. If it is lost, "
            "`docagent forget-sealed` removes what it sealed."
        ) from error


OWNER_ONLY = 0o700


def make_data_folder(folder: Path) -> None:
    """Make the folder if it is missing, and close it to others where that is ours to do and the disk can."""
    folder.mkdir(parents=True, exist_ok=True, mode=OWNER_ONLY)
    with suppress(OSError):
        folder.chmod(OWNER_ONLY)
