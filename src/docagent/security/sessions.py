"""Session tokens: short-lived JWTs with a pinned algorithm, issuer and audience."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

import jwt

ALGORITHM = "HS256"
ISSUER = "docagent"
AUDIENCE = "docagent-api"


@dataclass(frozen=True, slots=True)
class SessionClaims:
    user_id: str
    session_id: str


class SessionTokens:
    def __init__(self, key: bytes) -> None:
        self._key = key

    def issue(
        self, user_id: str, name: str, email: str, session_id: str, now: datetime, lifetime: timedelta
    ) -> str:
        claims = {
            "userId": user_id,
            "userName": name,
            "email": email,
            "iss": ISSUER,
            "aud": AUDIENCE,
            "iat": now,
            "exp": now + lifetime,
            "sid": session_id,
        }
        return jwt.encode(claims, self._key, algorithm=ALGORITHM)

    def read(self, token: str) -> SessionClaims | None:
        """Return the claims of a valid token, or None for anything else."""
        try:
            claims = jwt.decode(
                token,
                self._key,
                algorithms=[ALGORITHM],
                audience=AUDIENCE,
                issuer=ISSUER,
                options={"require": ["exp", "iat"]},
            )
        except jwt.InvalidTokenError:
            return None
        user_id, session_id = claims.get("userId"), claims.get("sid")
        if not isinstance(user_id, str) or not isinstance(session_id, str):
            return None
        return SessionClaims(user_id, session_id)
