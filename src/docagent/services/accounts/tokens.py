"""API tokens: made once, shown once, stored as a hash."""

from __future__ import annotations

from datetime import timedelta

from docagent.domain.accounts.accounts import AccessToken, Organization, Principal, TokenScope
from docagent.domain.clock import now
from docagent.domain.errors import Forbidden, InvalidInput, NotFound, Unauthenticated, existing
from docagent.domain.ids import is_id, new_id
from docagent.security import random_token, token_hash
from docagent.services.accounts.identity import INVALID
from docagent.services.accounts.open_streams import OpenStreams, Stopped
from docagent.store.accounts import credentials, organizations
from docagent.store.engine.database import Database, Tx

START_LENGTH = 10
MAX_LIFETIME_DAYS = 100_000


class TokenService:
    def __init__(self, db: Database, streams: OpenStreams) -> None:
        self._db = db
        self._streams = streams

    async def create(
        self,
        principal: Principal,
        name: str,
        lifetime: int,
        organization_id: str | None = None,
        scope: TokenScope = TokenScope.ASK,
    ) -> tuple[AccessToken, str]:
        """Make a token. Returns it with its secret, which is not kept. `lifetime` is in days; 0 means for ever.

        A token that is made with a token ends with it: no later, and when it is revoked. It may do no more either.
        """
        if not 0 <= lifetime <= MAX_LIFETIME_DAYS:
            raise InvalidInput(f"lifetime is a number of days from 0 (for ever) to {MAX_LIFETIME_DAYS}.")
        if principal.token_id and scope is TokenScope.WRITE and principal.scope is not TokenScope.WRITE:
            raise Forbidden("Only a token with the scope write can create another one. Sign in to create it.")
        moment = now()
        secret = random_token("org_" if organization_id else "acc_")
        token = AccessToken(
            id=new_id(),
            user_id=principal.user_id,
            organization_id=organization_id,
            name=name,
            start=secret[:START_LENGTH],
            lifetime=lifetime,
            created_at=moment,
            expires_at=moment + timedelta(days=lifetime) if lifetime else None,
            last_used_at=None,
            made_by_token_id=principal.token_id,
            scope=scope,
        )
        async with self._db.write() as tx:
            await self._check_reach(tx, principal, organization_id)
            await self._check_maker(tx, token)
            await credentials.insert_token(tx, token, token_hash=token_hash(secret))
        return token, secret

    async def list(self, principal: Principal, organization_id: str | None = None) -> list[AccessToken]:
        """The caller's own tokens."""
        async with self._db.read() as tx:
            await self._check_reach(tx, principal, organization_id)
            return await credentials.list_tokens(tx, principal.user_id, organization_id)

    async def delete(
        self, principal: Principal, token_id: str, organization_id: str | None = None
    ) -> Stopped:
        """Revoke a token and those that were made with it. Their turns and streams end at once."""
        async with self._db.write() as tx:
            await self._check_reach(tx, principal, organization_id)
            reached = is_id(token_id)
            gone = (
                await credentials.delete_token(tx, token_id, principal.user_id, organization_id)
                if reached
                else []
            )
            if not gone:
                raise NotFound("Token not found")
            revocation = await self._streams.revoke(tx, gone)
        return await self._streams.stopped(revocation)

    async def organization_of(self, secret: str) -> Organization | None:
        """The organisation that a token gives access to; None for an account token. Raises Unauthenticated."""
        async with self._db.read() as tx:
            token = await credentials.find_token(tx, token_hash(secret))
            if token is None or (token.expires_at is not None and token.expires_at <= now()):
                raise Unauthenticated("Invalid token")
            if token.organization_id is None:
                return None
            return await organizations.get(tx, token.organization_id)

    async def _check_maker(self, tx: Tx, token: AccessToken) -> None:
        if token.made_by_token_id is None:
            return
        maker = await credentials.get_token(tx, token.made_by_token_id)
        if maker is None:
            raise Unauthenticated(INVALID)
        if token.outlives(maker):
            raise InvalidInput(
                f"The token that you use expires on {maker.expires_at:%Y-%m-%d}, and one that it creates cannot last "
                "longer. Choose a shorter lifetime, or create the token after signing in with your password."
            )

    async def _check_reach(self, tx: Tx, principal: Principal, organization_id: str | None) -> None:
        if organization_id is None:
            return
        if not principal.reaches(organization_id):
            raise Unauthenticated(INVALID)
        role = None
        if is_id(organization_id):
            role = await organizations.member_role(tx, organization_id, principal.user_id)
        if role is not None:
            return
        if not principal.is_system_admin:
            raise Forbidden("You are not a member of this organization")
        existing(await organizations.get(tx, organization_id), "Organization not found")
