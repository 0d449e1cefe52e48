# Written by `make client` from the asynchronous client: change that one.
"""Accounts: users, organisations and API tokens. Most of it needs an account token."""

from __future__ import annotations

from docagent.client import models
from docagent.client.synchronous.connection import Part


class Account(Part):
    def organizations(
        self, *, skip: int = 0, limit: int = 10, name: str | None = None
    ) -> models.Organizations:
        """The organisations of the token's owner; all of them for a system administrator."""
        params = {"skip": skip, "limit": limit, "name_search": name}
        return self._connection.ask_account(models.Organizations, "GET", "organizations", params=params)

    def users(self, *, skip: int = 0, limit: int = 10, search: str | None = None) -> models.Users:
        """Users whom the token's owner may see."""
        params = {"skip": skip, "limit": limit, "search_name": search}
        return self._connection.ask_account(models.Users, "GET", "users", params=params)

    def create_user(self, email: str, name: str, password: str) -> models.User:
        """Make a user with an organisation of their own. System administrators may."""
        body = {"email": email, "name": name, "password": password}
        return self._connection.ask_account(models.User, "POST", "users", body=body)

    def delete_user(self, user_id: str) -> None:
        """Delete a user, and the organisations that have no other member."""
        self._connection.ask_account(models.Message, "DELETE", "users", user_id)


class Tokens(Part):
    """The caller's API tokens of the organisation."""

    def list(self) -> models.Tokens:
        return self._ask(models.Tokens, "GET", "access_tokens")

    def create(self, name: str, *, days: int = 0, scope: models.TokenScope = "ask") -> models.Token:
        """Make a token, which is shown this once; it ends after `days`, or never."""
        body = {"name": name, "lifetime": days, "scope": scope}
        return self._ask(models.Token, "POST", "access_tokens", body=body)

    def delete(self, token_id: str) -> models.Revoked:
        """Revoke a token. The answer says what was stopped with it."""
        return self._ask(models.Revoked, "DELETE", "access_tokens", token_id)
