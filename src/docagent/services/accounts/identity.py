"""Who is calling: sign-in, sessions, API tokens, one-time links, membership."""

from __future__ import annotations

import hmac
from dataclasses import InitVar, dataclass, field, replace
from datetime import UTC, datetime, timedelta

from docagent.domain.accounts.accounts import AccessToken, Credential, Member, Principal, Role, User
from docagent.domain.accounts.addresses import place_of
from docagent.domain.clock import now
from docagent.domain.errors import Forbidden, NotFound, Unauthenticated
from docagent.domain.ids import is_id, new_id
from docagent.security import (
    Passwords,
    Secrets,
    SecretUnusable,
    SessionClaims,
    SessionTokens,
    random_token,
    token_hash,
)
from docagent.services.accounts.open_streams import OpenStreams
from docagent.services.accounts.sign_in_limits import SignInGate, SignInLimits
from docagent.store.accounts import credentials, organizations, users
from docagent.store.accounts.credentials import Session
from docagent.store.engine.database import Database, Tx

INVALID = "Invalid authentication credentials: invalid token"
WRONG_LOGIN = "The e-mail or the password is wrong."
LOGIN_PURPOSE = "login"
DEVICE = "device"
LAST_USED_PRECISION = timedelta(minutes=1)
NOT_SIGNED_IN = "You are not signed in."
SESSION_ENDED = "Your session has ended. Sign in again."


@dataclass(frozen=True, slots=True)
class Lifetimes:
    access: timedelta
    refresh: timedelta
    signed: timedelta
    login_link: timedelta
    refresh_grace: timedelta = timedelta(seconds=60)
    """How long a replaced refresh secret still works: several tabs may refresh at the same moment."""


@dataclass(frozen=True, slots=True)
class SignedIn:
    """A session that was just opened or renewed."""

    user: User
    access_token: str
    refresh_token: str
    access_lifetime: timedelta
    refresh_lifetime: timedelta
    device_token: str | None = None
    """By which the browser is known again at its next sign-in by password."""


@dataclass(frozen=True, slots=True)
class _Caller:
    principal: Principal
    role_there: Role | None
    """The caller's role in the organisation that was asked about, if any was and they are a member."""
    token: AccessToken | None = None
    """The API token that the caller showed, if any; its use is noted."""


@dataclass(eq=False)
class IdentityService:
    _db: Database
    _secrets: Secrets
    _passwords: Passwords
    _lifetimes: Lifetimes
    limits: InitVar[SignInLimits]
    _streams: OpenStreams
    _gate: SignInGate = field(init=False)

    def __post_init__(self, limits: SignInLimits) -> None:
        self._tokens = SessionTokens(self._secrets.session_key)
        self._gate = SignInGate(limits)

    # --- requests ---------------------------------------------------------------------------------------------

    async def caller(self, bearer: str | None, api_key: str | None) -> Principal:
        """The principal behind a request's credentials. Raises Unauthenticated."""
        async with self._db.read() as tx:
            caller = await self._identify(tx, bearer, api_key)
        await self._note_use(caller.token)
        return caller.principal

    async def member(self, bearer: str | None, api_key: str | None, organization_id: str) -> Member:
        """The principal as a member of the organisation. Raises Forbidden, or Unauthenticated for a foreign token."""
        asked = organization_id if is_id(organization_id) else None
        async with self._db.read() as tx:
            caller = await self._identify(tx, bearer, api_key, asked)
        await self._note_use(caller.token)
        if asked is None:
            raise NotFound("Organization not found")
        if not caller.principal.reaches(asked):
            raise Unauthenticated(INVALID)
        if caller.role_there is None:
            raise Forbidden("You are not a member of this organization")
        return Member(caller.principal, asked, caller.role_there)

    async def own_member(self, bearer: str | None, api_key: str | None) -> Member:
        """The principal in the organisation of their token, else in the one that is their own, else in their first."""
        async with self._db.read() as tx:
            caller = await self._identify(tx, bearer, api_key)
            user_id, organization_id = caller.principal.user_id, caller.principal.organization_id
            if organization_id is None:
                organization_id = await organizations.own(tx, user_id)
            role = await organizations.member_role(tx, organization_id, user_id) if organization_id else None
        await self._note_use(caller.token)
        if organization_id is None or role is None:
            raise Forbidden("You are not a member of any organization. Create one, or accept an invitation.")
        return Member(caller.principal, organization_id, role)

    # --- sessions ---------------------------------------------------------------------------------------------

    async def login(
        self, email: str, password: str, address: str, device_token: str | None = None
    ) -> SignedIn:
        """Open a session by password. Unknown users and wrong passwords look the same.

        The device token is that of an earlier sign-in with the same name.
        """
        name = email.casefold()
        device = self._device(device_token, name)
        async with self._gate.attempt(name, place_of(address), device):
            async with self._db.read() as tx:
                found = await users.with_password(tx, email)
            if not await self._passwords.verify(password, found[1] if found else None) or found is None:
                raise Unauthenticated(WRONG_LOGIN)
        async with self._db.write() as tx:
            signed_in = await self._open_session(tx, found[0])
        token = device_token if device else self._secrets.seal(f"{DEVICE} {new_id()} {name}")
        return replace(signed_in, device_token=token)

    async def use_login_link(self, token: str) -> SignedIn:
        async with self._db.write() as tx:
            user_id = await credentials.use_link(
                tx, token_hash=token_hash(token), purpose=LOGIN_PURPOSE, now=now()
            )
            user = await users.get(tx, user_id) if user_id else None
            if user is None:
                raise Unauthenticated(
                    "This login link was already used or is too old. Create a new one with: docagent login-link"
                )
            return await self._open_session(tx, user)

    async def make_login_link(self, user_id: str) -> str:
        """The secret part of a link that signs this user in once."""
        token = random_token()
        async with self._db.write() as tx:
            await credentials.insert_link(
                tx,
                token_hash=token_hash(token),
                purpose=LOGIN_PURPOSE,
                user_id=user_id,
                expires_at=now() + self._lifetimes.login_link,
            )
        return token

    async def refresh(self, refresh_token: str | None) -> SignedIn:
        """Renew a session. A refresh secret that was replaced long ago has been copied, so it ends the session."""
        moment = now()
        named = self._refresh_secret(refresh_token)
        if refresh_token is None or named is None:
            raise Unauthenticated(NOT_SIGNED_IN)
        session_id, issued_at = named
        shown = token_hash(refresh_token)
        grace = self._lifetimes.refresh_grace
        async with self._db.write() as tx:
            session = await credentials.lock_session(tx, session_id)
            user = await users.get(tx, session.user_id) if session else None
            if session is None or user is None:
                raise Unauthenticated(SESSION_ENDED)
            usable = session.is_current(shown, moment) or issued_at > moment - grace
            if usable and session.expires_at > moment:
                renewed = self._new_refresh_secret(session.id, moment)
                await credentials.rotate_session(
                    tx,
                    session,
                    shown_hash=shown,
                    new_hash=token_hash(renewed),
                    now=moment,
                    expires_at=moment + self._lifetimes.refresh,
                    previous_until=moment + grace,
                )
                return self._signed_in(user, session.id, renewed, moment)
            await self._end_session(tx, session.id)
        raise Unauthenticated(SESSION_ENDED)

    async def logout(self, refresh_token: str | None) -> None:
        if named := self._refresh_secret(refresh_token):
            async with self._db.write() as tx:
                await self._end_session(tx, named[0])

    async def signed_token(self, user_id: str) -> str:
        """A token for a trusted front end that signed its request; see `check_signature`."""
        async with self._db.write() as tx:
            user = await users.get(tx, user_id)
            if user is None:
                raise Unauthenticated("Unknown user: create the account before asking for its token.")
            signed_in = await self._open_session(tx, user, self._lifetimes.signed)
        return self.token_for_a_day(signed_in)[0]

    def token_for_a_day(self, signed_in: SignedIn) -> tuple[str, timedelta]:
        """A token for clients that do not renew theirs. It ends with the session, as others do."""
        claims = self._tokens.read(signed_in.access_token)
        assert claims is not None  # it was just made
        user, lifetime = signed_in.user, self._lifetimes.signed
        return self._tokens.issue(
            user.id, user.name, user.email, claims.session_id, now(), lifetime
        ), lifetime

    def check_signature(self, body: bytes, signature: str | None) -> None:
        if not signature:
            raise Unauthenticated("Missing X-Request-Signature header")
        expected = self._secrets.request_signature(body)
        if not hmac.compare_digest(expected.encode(), signature.encode()):
            raise Unauthenticated("Invalid request signature")

    # --- helpers ----------------------------------------------------------------------------------------------

    async def _end_session(self, tx: Tx, session_id: str) -> None:
        await credentials.delete_session(tx, session_id)
        await self._streams.revoke(tx, [session_id])

    async def _open_session(self, tx: Tx, user: User, lifetime: timedelta | None = None) -> SignedIn:
        session_id, moment = new_id(), now()
        refresh_token = self._new_refresh_secret(session_id, moment)
        until = moment + (lifetime or self._lifetimes.refresh)
        session = Session(session_id, user.id, until, token_hash(refresh_token))
        await credentials.insert_session(tx, session, created_at=moment, last_used_at=moment)
        return self._signed_in(user, session_id, refresh_token, moment)

    def _new_refresh_secret(self, session_id: str, moment: datetime) -> str:
        """A sealed secret, which still names its session when it is no longer stored."""
        return self._secrets.seal(f"{session_id} {moment.timestamp()}")

    def _refresh_secret(self, refresh_token: str | None) -> tuple[str, datetime] | None:
        """The session of a refresh secret, and when the secret was made. None if we did not make it."""
        if not refresh_token:
            return None
        try:
            session_id, issued_at = self._secrets.unseal(refresh_token).split(" ")
        except (SecretUnusable, ValueError):
            return None
        return session_id, datetime.fromtimestamp(float(issued_at), UTC)

    def _device(self, device_token: str | None, name: str) -> str | None:
        """The id of a device that has signed in with the name before. None for any other."""
        if not device_token:
            return None
        try:
            kind, device, known_name = self._secrets.unseal(device_token).split(" ", 2)
        except (SecretUnusable, ValueError):
            return None
        return device if (kind, known_name) == (DEVICE, name) else None

    def _signed_in(self, user: User, session_id: str, refresh_token: str, moment: datetime) -> SignedIn:
        access = self._tokens.issue(
            user.id, user.name, user.email, session_id, moment, self._lifetimes.access
        )
        return SignedIn(user, access, refresh_token, self._lifetimes.access, self._lifetimes.refresh)

    async def _identify(
        self, tx: Tx, bearer: str | None, api_key: str | None, organization_id: str | None = None
    ) -> _Caller:
        secret = bearer or api_key
        if not secret:
            raise Unauthenticated("No authentication credentials provided")
        if bearer and (claims := self._tokens.read(bearer)) is not None:
            return await self._session_caller(tx, claims, organization_id)
        return await self._token_caller(tx, secret, organization_id)

    async def _session_caller(self, tx: Tx, claims: SessionClaims, organization_id: str | None) -> _Caller:
        found = await credentials.session_and_holder(
            tx, claims.session_id, claims.user_id, now(), organization_id
        )
        if found is None:
            raise Unauthenticated(INVALID)
        is_open, user = found
        if not is_open:
            raise Unauthenticated(SESSION_ENDED)
        principal = Principal(
            user.user_id, user.name, user.email, user.role, Credential.SESSION, session_id=claims.session_id
        )
        return _Caller(principal, user.role_there)

    async def _token_caller(self, tx: Tx, secret: str, organization_id: str | None) -> _Caller:
        found = await credentials.token_and_holder(tx, token_hash(secret), organization_id)
        if found is None:
            raise Unauthenticated(INVALID)
        token, user = found
        if token.expires_at is not None and token.expires_at <= now():
            raise Unauthenticated("API token expired")
        credential = Credential.ORGANIZATION_TOKEN if token.organization_id else Credential.ACCOUNT_TOKEN
        principal = Principal(
            user.user_id,
            token.name,
            user.email,
            user.role,
            credential,
            token.organization_id,
            token.id,
            token.scope,
        )
        return _Caller(principal, user.role_there, token)

    async def _note_use(self, token: AccessToken | None) -> None:
        moment = now()
        if token and (token.last_used_at is None or moment - token.last_used_at > LAST_USED_PRECISION):
            async with self._db.write() as tx:
                await credentials.change_token(tx, token.id, {"last_used_at": moment})
