"""Makes invitations and sends their links. Nobody joins by one before they accept it: see `invitations`.

Only the hash of a link is kept. The link itself is sent to the invited where there is a mail server, and then shown to
nobody else. Otherwise whoever invites gets it once, unless they named an account by its id: a link shows the address of
the account, so such an invitation is only answered after a sign-in.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from docagent.domain.accounts.accounts import Invitation, Organization, Principal, Role, User
from docagent.domain.clock import now
from docagent.domain.errors import DocAgentError, InvalidInput, Unavailable
from docagent.domain.ids import new_id
from docagent.domain.ports import Mail, Mailer
from docagent.security import random_token, token_hash
from docagent.services.accounts.sign_in_limits import Tries
from docagent.store.accounts import invitations, users
from docagent.store.engine.database import Tx

logger = logging.getLogger(__name__)

MOST_OPEN = 200
MOST_IN_AN_HOUR = 60
LONGEST_NAME = 80


@dataclass(frozen=True, slots=True)
class Invited:
    """An invitation that was just made. `link` is None if only the invited may have it."""

    invitation: Invitation
    link: str | None
    mail: Mail | None


@dataclass(frozen=True, slots=True)
class InvitationTerms:
    lifetime: timedelta
    address: str
    """Where the deployment is reached, as it was configured; empty makes links without a host."""
    newcomers: bool
    """Whether invitations of an organisation's administrator make accounts."""


class Inviting:
    def __init__(self, mailer: Mailer | None, terms: InvitationTerms) -> None:
        self._mailer = mailer
        self._terms = terms
        self._tries = Tries(most=MOST_IN_AN_HOUR, minutes=60)

    async def invite(
        self, tx: Tx, by: Principal, organization: Organization | None, invited: str | User, role: Role
    ) -> Invited:
        """Ask an address, or an account that was named by its id. Send the mail after the commit."""
        await self._tries.count(by.user_id, "You have invited many people within an hour.")
        moment = now()
        organization_id = organization.id if organization else None
        if await invitations.count_open(tx, organization_id, moment) >= MOST_OPEN:
            raise InvalidInput(f"{MOST_OPEN} invitations wait for an answer. Revoke some first.")
        account = invited if isinstance(invited, User) else None
        invitation = Invitation(
            id=new_id(),
            organization_id=organization_id,
            user_id=account.id if account else None,
            email=invited if isinstance(invited, str) else None,
            role=role,
            mailed=self._mailer is not None,
            created_by=by.user_id,
            created_at=moment,
            expires_at=moment + self._terms.lifetime,
        )
        token = random_token()
        await invitations.insert(tx, invitation, token_hash=token_hash(token))
        link = f"{self._terms.address}/invitation#{token}"
        if self._mailer is None:
            return Invited(invitation, None if account else link, None)
        inviter = await users.get(tx, by.user_id)
        to = invited.email if isinstance(invited, User) else invited
        return Invited(
            invitation, None, _letter(to, inviter, organization, role, link, invitation.expires_at)
        )

    async def send(self, invited: Invited) -> None:
        """Send the mail of an invitation, if there is one. Raises what `Mailer.send` raises."""
        if self._mailer is not None and invited.mail is not None:
            await self._mailer.send(invited.mail)

    async def send_what_can_be_sent(self, invited: Sequence[Invited]) -> None:
        """Accounts find their invitations after a sign-in, so mail that is not sent does no harm."""
        for each in invited:
            try:
                await self.send(each)
            except DocAgentError as error:
                logger.warning(
                    "invitation was not mailed",
                    extra={"invitation": each.invitation.id, "error": error.detail},
                )
                if isinstance(error, Unavailable):
                    return


def _letter(
    to: str, by: User | None, organization: Organization | None, role: Role, link: str, until: datetime
) -> Mail:
    inviter = _one_line(by.name or by.email) if by else "Somebody"
    where = _one_line(organization.name) if organization else "docagent"
    kind = "an administrator" if role is Role.ADMIN else "a member"
    asked = f"{inviter} invites you to join {where} as {kind}." if organization else f"{inviter} invites you."
    text = (
        f"{asked}\n\n"
        f"To accept or to decline, open this link. It works once, until {until:%d %B %Y %H:%M} UTC:\n\n"
        f"{link}\n\n"
        "If you do not expect this, do nothing: without your yes nothing happens.\n"
    )
    return Mail(to, f"{inviter} invites you to {where}", text)


def _one_line(name: str) -> str:
    """A name that somebody chose, as it may stand in a letter: printable, short, without line breaks."""
    words = "".join(character if character.isprintable() else " " for character in name).split()
    return " ".join(words)[:LONGEST_NAME]
