"""What a new deployment needs before anyone can sign in."""

from __future__ import annotations

from docagent.domain.accounts.accounts import Role, User
from docagent.domain.accounts.passwords import check_password
from docagent.domain.errors import InvalidInput, NotFound
from docagent.security import Passwords
from docagent.services.accounts.organizations import ACCOUNTS
from docagent.services.accounts.users import check_email, create_user
from docagent.store.accounts import users
from docagent.store.engine.database import Database

FIRST_ORGANIZATION = "My organisation"


class FirstStartService:
    def __init__(self, db: Database, passwords: Passwords) -> None:
        self._db = db
        self._passwords = passwords

    async def ensure_admin(self, email: str, password: str | None) -> User:
        """The first administrator; made now if the deployment has none."""
        async with self._db.read() as tx:
            admin = await users.first_admin(tx)
        if admin is not None:
            return admin
        check_email(email)
        password_hash = await self._passwords.hash(_checked(password)) if password else None
        async with self._db.write() as tx:
            await tx.take_turns(ACCOUNTS)
            admin = await users.first_admin(tx)
            if admin is not None:
                return admin
            return await create_user(
                tx,
                email=email,
                name="Administrator",
                password_hash=password_hash,
                role=Role.ADMIN,
                email_verified=True,
                organization_name=FIRST_ORGANIZATION,
            )

    async def user_by_email(self, email: str) -> User:
        async with self._db.read() as tx:
            found = await users.with_password(tx, email)
        if found is None:
            raise NotFound(f"There is no user with the e-mail {email}.")
        return found[0]


def _checked(password: str) -> str:
    try:
        check_password(password)
    except InvalidInput as error:
        raise InvalidInput(f"DOCAGENT_AUTH__ADMIN_PASSWORD cannot be used. {error.detail}") from error
    return password
