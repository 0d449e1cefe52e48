"""What a client needs before it can work: a user, an organisation and the tokens that open it."""

from __future__ import annotations

import io
import secrets
from dataclasses import dataclass

from docrouter_sdk import DocRouterClient
from reportlab.pdfgen.canvas import Canvas

from tests.support.services.server import ADMIN_EMAIL, ADMIN_PASSWORD


@dataclass(frozen=True, slots=True)
class Workspace:
    """An organisation of its own, with a plain user as its admin."""

    base_url: str
    organization_id: str
    organization_name: str
    user_id: str
    org_token: str
    account_token: str
    session_token: str
    admin_token: str
    """An account token of the system administrator, who is no member of the organisation."""


def new_workspace(base_url: str) -> Workspace:
    admin_token = _account_token(base_url, ADMIN_EMAIL, ADMIN_PASSWORD)
    email, password = f"{secrets.token_hex(6)}@example.com", "a long password"
    user = DocRouterClient(base_url, admin_token).request(
        "POST", "/v0/account/users", json={"email": email, "name": "Ada", "password": password}
    )
    account_token = _account_token(base_url, email, password)
    account = DocRouterClient(base_url, account_token)
    organization = account.request(
        "POST",
        "/v0/account/organizations",
        json={"name": f"Acme {secrets.token_hex(6)}", "type": "team"},
    )
    org_token = account.request(
        "POST",
        f"/v0/orgs/{organization['id']}/access_tokens",
        json={"name": "client tests", "lifetime": 1},
    )
    return Workspace(
        base_url=base_url,
        organization_id=organization["id"],
        organization_name=organization["name"],
        user_id=user["id"],
        org_token=org_token["token"],
        account_token=account_token,
        session_token=_session_token(base_url, email, password),
        admin_token=admin_token,
    )


def two_page_pdf() -> bytes:
    """An invoice with a text layer."""
    file = io.BytesIO()
    canvas = Canvas(file)
    canvas.drawString(72, 720, "Invoice number 2026-117")
    canvas.showPage()
    canvas.drawString(72, 720, "Total due 1,250.00 EUR")
    canvas.showPage()
    canvas.save()
    return file.getvalue()


def _session_token(base_url: str, email: str, password: str) -> str:
    session = DocRouterClient(base_url).request(
        "POST", "/v0/account/auth/login", json={"email": email, "password": password}
    )
    token: str = session["token"]
    return token


def _account_token(base_url: str, email: str, password: str) -> str:
    token: str = DocRouterClient(base_url, _session_token(base_url, email, password)).request(
        "POST", "/v0/account/access_tokens", json={"name": "account", "lifetime": 0}
    )["token"]
    return token
