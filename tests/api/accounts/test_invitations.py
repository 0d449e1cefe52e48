"""Invitations: nobody is in an organisation without a yes, and a link is worth nothing in wrong hands."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx2
import pytest
import sqlalchemy as sa

from docagent.domain.accounts.accounts import Membership, Role
from docagent.domain.clock import now
from docagent.domain.ids import new_id
from docagent.security.secrets import token_hash
from docagent.store.tables import invitations, members
from tests.conftest import make_settings, running_product
from tests.support.accounts import PASSWORD, Person, browser, new_person
from tests.support.product import Product, Tenant
from tests.support.services.databases import Databases
from tests.support.services.mail import MailServer, running_mail_server, text_of

PATH = "/v0/account/email/invitations"
MINE = "/v0/account/invitations"
NOT_FOUND = (404, "Invitation not found")
EXPIRED = (400, "This invitation has expired. Ask for a new one.")
CONTRACT = {
    "id",
    "email",
    "organization_id",
    "organization_name",
    "role",
    "user_exists",
    "created_at",
    "expires_at",
}


@pytest.fixture
async def person(product: Product) -> Person:
    return await new_person(product)


@dataclass(frozen=True)
class Inviter:
    """An administrator of an organisation who invites people."""

    product: Product
    tenant: Tenant

    async def call(self, method: str, path: str, **options: Any) -> httpx2.Response:
        return await self.product.client.request(method, path, headers=self.tenant.account_headers, **options)

    async def try_to_invite(self, email: str, **body: Any) -> httpx2.Response:
        invitation = {"email": email, "organization_id": self.tenant.organization_id, "role": "user"} | body
        return await self.call("POST", PATH, json=invitation)

    async def invite(self, email: str, **body: Any) -> dict[str, Any]:
        answer = await self.try_to_invite(email, **body)
        assert answer.status_code == 200, answer.text
        made: dict[str, Any] = answer.json()
        return made

    async def add(self, *user_ids: str, role: str = "user") -> httpx2.Response:
        """Add members as DocRouter's clients do: with the whole list."""
        mine = {"user_id": self.tenant.user_id, "role": "admin"}
        added = [{"user_id": user_id, "role": role} for user_id in user_ids]
        return await self.call(
            "PUT",
            f"/v0/account/organizations/{self.tenant.organization_id}",
            json={"members": [mine, *added]},
        )

    async def open_ones(self) -> list[dict[str, Any]]:
        answer = await self.call("GET", PATH, params={"organization_id": self.tenant.organization_id})
        assert answer.status_code == 200, answer.text
        found: list[dict[str, Any]] = answer.json()["invitations"]
        return found


@pytest.fixture
def inviter(product: Product, tenant: Tenant) -> Inviter:
    return Inviter(product, tenant)


def secret_of(invitation: dict[str, Any]) -> str:
    return str(invitation["link"]).partition("#")[2]


async def accept(
    client: httpx2.AsyncClient, secret: str, headers: dict[str, str] | None = None, **body: Any
) -> httpx2.Response:
    options: dict[str, Any] = {"json": body} if body else {}
    return await client.post(f"{PATH}/{secret}/accept", headers=headers, **options)


def told(answer: httpx2.Response) -> tuple[int, Any]:
    return int(answer.status_code), answer.json()["detail"]


async def roles_in(product: Product, organization_id: str) -> dict[str, str]:
    async with product.services.db.read() as tx:
        rows = await tx.across(sa.select(members).where(members.c.organization_id == organization_id))
        return {row.user_id: row.role for row in rows}


async def change_row(product: Product, invitation_id: str, **values: Any) -> None:
    async with product.services.db.write() as tx:
        await tx.execute(sa.update(invitations).where(invitations.c.id == invitation_id).values(**values))


async def sign_in(product: Product, email: str) -> tuple[dict[str, Any], dict[str, str]]:
    """The user, and the headers of a session that was opened in a browser of its own."""
    async with browser(product) as visitor:
        body = {"email": email, "password": PASSWORD}
        answer = (await visitor.post("/v0/account/auth/login", json=body)).json()
    return answer["user"], {"Authorization": f"Bearer {answer['token']}"}


def new_address() -> str:
    return f"{new_id()}@Example.com"


# --- nobody without a yes -----------------------------------------------------------------------------------------


async def test_whom_an_administrator_adds_is_asked_and_has_and_shows_nothing_before(
    product: Product, client: httpx2.AsyncClient, inviter: Inviter, person: Person
) -> None:
    answer = await inviter.add(person.id)
    assert answer.status_code == 200
    assert answer.json()["members"] == [{"user_id": inviter.tenant.user_id, "role": "admin"}]
    assert await roles_in(product, inviter.tenant.organization_id) == {inviter.tenant.user_id: "admin"}
    (shown,) = await inviter.open_ones()
    assert set(shown) >= CONTRACT
    assert (shown["email"], shown["user_id"], shown["role"]) == ("", person.id, "user")
    assert person.email.casefold() not in answer.text.casefold()
    for path in (f"{inviter.tenant.base}/tags", f"{inviter.tenant.base}/documents"):
        assert (await client.get(path, headers=person.headers)).status_code == 403
    mine = (await client.get("/v0/account/organizations", headers=person.headers)).json()["organizations"]
    assert inviter.tenant.organization_id not in [organization["id"] for organization in mine]
    seen = await inviter.call("GET", "/v0/account/users", params={"user_id": person.id})
    assert told(seen) == (403, "Not authorized to view this user")
    listed = await inviter.call("GET", "/v0/account/users")
    assert person.email.casefold() not in listed.text.casefold()


async def test_who_is_asked_sees_it_after_a_sign_in_and_joins_by_saying_yes(
    product: Product, client: httpx2.AsyncClient, inviter: Inviter, person: Person
) -> None:
    await inviter.add(person.id, role="admin")
    waiting = (await client.get(MINE, headers=person.headers)).json()
    (asked,) = waiting["invitations"]
    assert asked["organization_id"] == inviter.tenant.organization_id
    assert asked["organization_name"].startswith("Acme ")
    assert (asked["invited_by"], asked["role"]) == ("Ada", "admin")
    answer = await client.post(f"{MINE}/{asked['id']}/accept", headers=person.headers)
    assert answer.status_code == 200
    joined = await roles_in(product, inviter.tenant.organization_id)
    assert joined == {inviter.tenant.user_id: "admin", person.id: "admin"}
    assert (await client.get(f"{inviter.tenant.base}/tags", headers=person.headers)).status_code == 200
    assert await inviter.open_ones() == []
    again = await client.post(f"{MINE}/{asked['id']}/accept", headers=person.headers)
    assert told(again) == NOT_FOUND


async def test_a_no_leaves_nothing(client: httpx2.AsyncClient, inviter: Inviter, person: Person) -> None:
    await inviter.add(person.id)
    (asked,) = (await client.get(MINE, headers=person.headers)).json()["invitations"]
    assert (await client.post(f"{MINE}/{asked['id']}/decline", headers=person.headers)).status_code == 200
    assert await inviter.open_ones() == []
    assert (await client.get(MINE, headers=person.headers)).json()["total_count"] == 0


async def test_the_whole_list_sent_again_asks_nobody_twice(
    client: httpx2.AsyncClient, inviter: Inviter, person: Person
) -> None:
    await inviter.add(person.id)
    (first,) = await inviter.open_ones()
    await inviter.add(person.id, role="admin")
    (second,) = await inviter.open_ones()
    assert (second["id"], second["role"]) == (first["id"], "admin")
    await inviter.add()
    assert [each["id"] for each in await inviter.open_ones()] == [first["id"]]


async def test_an_organisation_keeps_an_admin_who_said_yes(inviter: Inviter, person: Person) -> None:
    answer = await inviter.call(
        "PUT",
        f"/v0/account/organizations/{inviter.tenant.organization_id}",
        json={"members": [{"user_id": person.id, "role": "admin"}]},
    )
    assert told(answer) == (400, "Organization must have at least one admin")
    assert await inviter.open_ones() == []


async def test_system_admins_add_directly_and_end_what_was_asked(
    product: Product, client: httpx2.AsyncClient, inviter: Inviter, person: Person
) -> None:
    await inviter.add(person.id)
    answer = await client.put(
        f"/v0/account/organizations/{inviter.tenant.organization_id}",
        json={
            "members": [
                {"user_id": inviter.tenant.user_id, "role": "admin"},
                {"user_id": person.id, "role": "user"},
            ]
        },
        headers=await product.admin_headers(),
    )
    assert [member["user_id"] for member in answer.json()["members"]] == [inviter.tenant.user_id, person.id]
    assert await inviter.open_ones() == []


# --- links --------------------------------------------------------------------------------------------------------


async def test_a_newcomer_makes_an_account_and_joins(
    product: Product, client: httpx2.AsyncClient, inviter: Inviter
) -> None:
    email = new_address()
    made = await inviter.invite(email)
    assert set(made) >= CONTRACT
    assert (made["mailed"], made["email"], made["user_exists"]) == (False, email, None)
    assert made["link"].startswith("/invitation#")
    seen = await client.get(f"{PATH}/{secret_of(made)}")
    assert (seen.status_code, seen.headers["Cache-Control"]) == (200, "no-store")
    assert seen.json() == {key: value for key, value in made.items() if key not in ("mailed", "link")}
    short = await accept(client, secret_of(made), name="Grace", password="nine char")
    assert short.status_code == 400
    assert (await accept(client, secret_of(made), name="Grace", password=PASSWORD)).status_code == 200
    user, _ = await sign_in(product, email)
    assert (user["name"], user["role"], user["email_verified"]) == ("Grace", "user", False)
    assert (await roles_in(product, inviter.tenant.organization_id))[user["id"]] == "user"
    for answer in (
        await client.get(f"{PATH}/{secret_of(made)}"),
        await accept(client, secret_of(made), name="Grace", password=PASSWORD),
    ):
        assert told(answer) == NOT_FOUND


async def test_who_has_an_account_signs_in_and_accepts(
    product: Product, client: httpx2.AsyncClient, inviter: Inviter, person: Person
) -> None:
    made = await inviter.invite(person.email.upper(), role="admin")
    assert made["user_exists"] is None
    nobody = await accept(client, secret_of(made))
    assert nobody.status_code == 401
    second = await accept(client, secret_of(made), name="Second", password=PASSWORD)
    assert told(second) == (400, "There is an account with this address already. Sign in to accept.")
    assert (await accept(client, secret_of(made), person.headers)).status_code == 200
    assert (await roles_in(product, inviter.tenant.organization_id))[person.id] == "admin"


async def test_an_invitation_is_for_nobody_else(
    product: Product, client: httpx2.AsyncClient, inviter: Inviter, person: Person
) -> None:
    made = await inviter.invite(new_address())
    wrong = await accept(client, secret_of(made), person.headers)
    assert wrong.status_code == 403
    assert "for another account" in wrong.json()["detail"]
    assert (await client.get(MINE, headers=person.headers)).json()["invitations"] == []
    for verb in ("accept", "decline"):
        answer = await client.post(f"{MINE}/{made['id']}/{verb}", headers=person.headers)
        assert told(answer) == NOT_FOUND
    assert person.id not in await roles_in(product, inviter.tenant.organization_id)
    assert len(await inviter.open_ones()) == 1


async def test_an_unverified_address_is_asked_by_link_alone(
    product: Product, client: httpx2.AsyncClient, inviter: Inviter, person: Person
) -> None:
    """Somebody may have made an account with an address that is not theirs."""
    made = await inviter.invite(person.email)
    assert (await client.get(MINE, headers=person.headers)).json()["invitations"] == []
    assert told(await client.post(f"{MINE}/{made['id']}/accept", headers=person.headers)) == NOT_FOUND
    await product.services.users.update(product.admin, person.id, {"email_verified": True})
    (asked,) = (await client.get(MINE, headers=person.headers)).json()["invitations"]
    assert asked["id"] == made["id"]
    assert (await client.post(f"{MINE}/{made['id']}/accept", headers=person.headers)).status_code == 200


async def test_an_api_token_gives_no_yes(
    client: httpx2.AsyncClient, inviter: Inviter, person: Person
) -> None:
    made = await inviter.invite(person.email)
    await inviter.add(person.id)
    answer = await client.post(
        "/v0/account/access_tokens", json={"name": "t", "lifetime": 0}, headers=person.headers
    )
    token = {"Authorization": f"Bearer {answer.json()['token']}"}
    (asked,) = (await client.get(MINE, headers=token)).json()["invitations"]
    for refused in (
        await accept(client, secret_of(made), token),
        await client.post(f"{MINE}/{asked['id']}/accept", headers=token),
    ):
        assert refused.status_code == 403
        assert refused.json()["detail"].startswith("An API token cannot")


async def test_of_many_who_use_a_link_at_once_one_gets_in(
    client: httpx2.AsyncClient, inviter: Inviter
) -> None:
    secret = secret_of(await inviter.invite(new_address()))
    answers = await asyncio.gather(
        *(accept(client, secret, name=f"Nr {number}", password=PASSWORD) for number in range(4))
    )
    assert sorted(answer.status_code for answer in answers)[0] == 200
    assert [answer.status_code for answer in answers].count(200) == 1


async def test_a_declined_link_is_worth_nothing(client: httpx2.AsyncClient, inviter: Inviter) -> None:
    secret = secret_of(await inviter.invite(new_address()))
    assert (await client.post(f"{PATH}/{secret}/decline")).status_code == 200
    assert told(await accept(client, secret, name="Late", password=PASSWORD)) == NOT_FOUND
    assert told(await client.post(f"{PATH}/{secret}/decline")) == NOT_FOUND
    assert await inviter.open_ones() == []


async def test_only_a_hash_of_the_link_is_stored_and_no_log_has_it(
    product: Product, client: httpx2.AsyncClient, inviter: Inviter, caplog: pytest.LogCaptureFixture
) -> None:
    made = await inviter.invite(new_address())
    async with product.services.db.read() as tx:
        row = await tx.first(sa.select(invitations).where(invitations.c.id == made["id"]))
    assert row is not None
    assert row.token_hash == token_hash(secret_of(made))
    assert secret_of(made) not in str(row)
    listed = await inviter.call("GET", PATH)
    assert secret_of(made) not in listed.text
    with caplog.at_level(logging.INFO, "docagent.access"):
        await client.get(f"{PATH}/{secret_of(made)}")
        await client.post(f"/fastapi{PATH}/{secret_of(made)}/decline")
        await client.post(f"/v0/account/email/verification/{secret_of(made)}")
    assert secret_of(made) not in caplog.text
    paths = [record.path for record in caplog.records if record.name == "docagent.access"]  # type: ignore[attr-defined]
    assert [path for path in paths if "invitations" in path] == [
        f"{PATH}/...",
        f"{PATH}/.../decline",
    ]
    assert "/v0/account/email/verification/..." in paths


@pytest.mark.parametrize("secret", ["x", "unknown", "%00", "é"])
async def test_an_unknown_link_opens_nothing(client: httpx2.AsyncClient, secret: str) -> None:
    assert told(await client.get(f"{PATH}/{secret}")) == NOT_FOUND
    assert told(await client.post(f"{PATH}/{secret}/accept")) == NOT_FOUND
    assert told(await client.post(f"{PATH}/{secret}/decline")) == NOT_FOUND


# --- what ends an invitation --------------------------------------------------------------------------------------


async def test_an_old_invitation_is_told_so_and_swept_away(
    product: Product, client: httpx2.AsyncClient, inviter: Inviter, person: Person
) -> None:
    by_link = await inviter.invite(person.email)
    await inviter.add(person.id)
    by_id = next(each for each in await inviter.open_ones() if each["user_id"] == person.id)
    for each in (by_link, by_id):
        await change_row(product, each["id"], expires_at=now() - timedelta(seconds=1))
    assert told(await client.get(f"{PATH}/{secret_of(by_link)}")) == EXPIRED
    assert told(await accept(client, secret_of(by_link), person.headers)) == EXPIRED
    assert told(await client.post(f"{MINE}/{by_id['id']}/accept", headers=person.headers)) == EXPIRED
    assert (await client.get(MINE, headers=person.headers)).json()["invitations"] == []
    assert await inviter.open_ones() == []
    await product.services.housekeeping.sweep()
    assert told(await client.get(f"{PATH}/{secret_of(by_link)}")) == NOT_FOUND


async def test_who_invited_may_take_it_back(
    client: httpx2.AsyncClient, inviter: Inviter, person: Person
) -> None:
    made = await inviter.invite(new_address())
    foreign = await client.delete(f"{MINE}/{made['id']}", headers=person.headers)
    assert told(foreign) == NOT_FOUND
    for unknown in (new_id(), "zz", "%00"):
        assert told(await inviter.call("DELETE", f"{MINE}/{unknown}")) == NOT_FOUND
    assert (await inviter.call("DELETE", f"{MINE}/{made['id']}")).status_code == 200
    assert told(await accept(client, secret_of(made), name="Late", password=PASSWORD)) == NOT_FOUND


async def test_a_second_invitation_replaces_the_first(client: httpx2.AsyncClient, inviter: Inviter) -> None:
    email = new_address()
    first = await inviter.invite(email)
    second = await inviter.invite(email.upper())
    assert told(await client.get(f"{PATH}/{secret_of(first)}")) == NOT_FOUND
    assert [each["id"] for each in await inviter.open_ones()] == [second["id"]]


@pytest.mark.parametrize("now_is", [None, Role.USER])
async def test_it_ends_when_whoever_invited_is_no_admin_any_more(
    product: Product, client: httpx2.AsyncClient, inviter: Inviter, person: Person, now_is: Role | None
) -> None:
    tenant = inviter.tenant
    other = await new_person(product)
    made = await inviter.invite(person.email)
    left = [Membership(other.id, Role.ADMIN)]
    if now_is is not None:
        left.append(Membership(tenant.user_id, now_is))
    await product.services.organizations.update(
        product.admin, tenant.organization_id, name=None, type=None, members=left, flags={}, ocr_config=None
    )
    assert told(await accept(client, secret_of(made), person.headers)) == NOT_FOUND
    assert person.id not in await roles_in(product, tenant.organization_id)


async def test_it_ends_when_a_system_admin_who_invited_is_none_any_more(
    product: Product, client: httpx2.AsyncClient, inviter: Inviter, person: Person
) -> None:
    second = await new_person(product)
    await product.services.users.update(product.admin, second.id, {"role": Role.ADMIN})
    body = {"email": person.email, "organization_id": inviter.tenant.organization_id}
    made = (await client.post(PATH, json=body, headers=second.headers)).json()
    await product.services.users.update(product.admin, second.id, {"role": Role.USER})
    answer = await accept(client, secret_of(made), person.headers)
    assert answer.status_code == 400
    assert "no longer holds" in answer.json()["detail"]
    assert person.id not in await roles_in(product, inviter.tenant.organization_id)


async def test_it_ends_with_the_organisation_and_with_whoever_invited(
    product: Product, client: httpx2.AsyncClient, inviter: Inviter, person: Person
) -> None:
    of_organization = await inviter.invite(person.email)
    organization = f"/v0/account/organizations/{inviter.tenant.organization_id}"
    assert (await inviter.call("DELETE", organization)).status_code == 200
    assert told(await accept(client, secret_of(of_organization), person.headers)) == NOT_FOUND
    guest = await product.new_tenant()
    of_person = await Inviter(product, guest).invite(person.email)
    await product.services.users.delete(product.admin, guest.user_id)
    assert told(await accept(client, secret_of(of_person), person.headers)) == NOT_FOUND


# --- who may invite -----------------------------------------------------------------------------------------------


async def test_only_admins_invite_and_see_what_is_open(
    product: Product, client: httpx2.AsyncClient, inviter: Inviter, person: Person, other: Tenant
) -> None:
    tenant = inviter.tenant
    await product.services.organizations.update(
        product.admin,
        tenant.organization_id,
        name=None,
        type=None,
        members=[Membership(tenant.user_id, Role.ADMIN), Membership(person.id, Role.USER)],
        flags={},
        ocr_config=None,
    )
    made = await inviter.invite(new_address())
    body = {"email": new_address(), "organization_id": tenant.organization_id}
    for headers in (person.headers, other.account_headers):
        answer = await client.post(PATH, json=body, headers=headers)
        assert told(answer) == (403, "You are not an admin of this organization")
        params = {"organization_id": tenant.organization_id}
        assert (await client.get(PATH, params=params, headers=headers)).status_code == 403
        assert made["id"] not in (await client.get(PATH, headers=headers)).text
        assert told(await client.delete(f"{MINE}/{made['id']}", headers=headers)) == NOT_FOUND
    assert (await client.post(PATH, json=body)).status_code == 401
    assert (await client.post(PATH, json=body, headers=tenant.headers)).status_code == 401


async def test_system_admins_invite_to_the_server_alone(
    product: Product, client: httpx2.AsyncClient, inviter: Inviter, person: Person
) -> None:
    root = await product.admin_headers()
    email = new_address()
    assert told(await inviter.try_to_invite(email, organization_id=None)) == (403, "Admin access required")
    made = (await client.post(PATH, json={"email": email, "role": "admin"}, headers=root)).json()
    assert (made["organization_id"], made["organization_name"], made["role"]) == (None, None, "user")
    assert (await accept(client, secret_of(made), name="Grace", password=PASSWORD)).status_code == 200
    user, headers = await sign_in(product, email)
    assert user["role"] == "user"
    (own,) = (await client.get("/v0/account/organizations", headers=headers)).json()["organizations"]
    assert own["name"] == email
    known = await client.post(PATH, json={"email": person.email}, headers=root)
    assert told(known) == (400, "Email already registered")


async def test_a_member_is_not_invited(product: Product, inviter: Inviter) -> None:
    answer = await inviter.try_to_invite(inviter.tenant.email)
    assert told(answer) == (400, f"{inviter.tenant.email} is a member of this organization already.")


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"email": "no address"}, 400),
        ({"email": "a@b\r\nBcc: c@d"}, 400),
        ({"email": "a@b,c@d"}, 400),
        ({"email": "a,b@c"}, 400),
        ({"email": "a@b\u202ec"}, 400),
        ({"email": '"a"@b'}, 400),
        ({"email": ""}, 422),
        ({"role": "owner"}, 422),
        ({"organization_id": "zz"}, 404),
    ],
)
async def test_an_invitation_that_cannot_be_is_refused(
    inviter: Inviter, body: dict[str, Any], status: int
) -> None:
    answer = await inviter.try_to_invite(**{"email": new_address()} | body)
    assert answer.status_code == status
    assert await inviter.open_ones() == []


async def test_inviting_is_slowed_down(product: Product, inviter: Inviter) -> None:
    answers = [await inviter.try_to_invite(new_address()) for _ in range(61)]
    assert [answer.status_code for answer in answers] == [200] * 60 + [429]
    assert int(answers[-1].headers["Retry-After"]) >= 1


# --- mail and settings --------------------------------------------------------------------------------------------


@pytest.fixture
async def with_mail(databases: Databases, tmp_path: Path) -> AsyncIterator[tuple[Product, MailServer]]:
    """A deployment with a mail server, where only system administrators' invitations make accounts."""
    with running_mail_server() as mail:
        settings = make_settings(
            tmp_path,
            await databases.new("sqlite"),
            auth={"invite_newcomers": False},
            server={"public_url": "https://docs.example.com/"},
            mail={
                "host": "127.0.0.1",
                "port": mail.port,
                "security": "none",
                "sender": "Docagent <docagent@example.com>",
            },
        )
        async with running_product(settings) as product:
            yield product, mail


async def test_the_link_is_mailed_and_shown_to_nobody_else(with_mail: tuple[Product, MailServer]) -> None:
    product, mail = with_mail
    inviter = Inviter(product, await product.new_tenant())
    person = await new_person(product)
    answer = await product.client.post(
        PATH,
        json={"email": person.email, "organization_id": inviter.tenant.organization_id},
        headers=inviter.tenant.account_headers | {"Host": "evil.example", "X-Forwarded-Host": "evil.example"},
    )
    made = answer.json()
    assert (made["mailed"], made["link"]) == (True, None)
    letter = mail.next_letter()
    assert (letter["To"], letter["From"]) == (person.email, "Docagent <docagent@example.com>")
    assert letter["Subject"].startswith("Ada invites you to Acme ")
    assert "evil.example" not in letter.as_string()
    (link,) = [line for line in text_of(letter).splitlines() if line.startswith("http")]
    assert link.startswith("https://docs.example.com/invitation#")
    secret = link.partition("#")[2]
    assert secret not in answer.text
    seen = (await product.client.get(f"{PATH}/{secret}")).json()
    assert (seen["email"], seen["user_exists"]) == (person.email, True)
    assert (await accept(product.client, secret, person.headers)).status_code == 200


async def test_an_account_that_was_named_by_its_id_gets_mail_and_keeps_its_address(
    with_mail: tuple[Product, MailServer],
) -> None:
    product, mail = with_mail
    inviter = Inviter(product, await product.new_tenant())
    person = await new_person(product)
    answer = await inviter.add(person.id)
    assert person.email not in answer.text
    letter = mail.next_letter()
    assert letter["To"] == person.email
    await inviter.add(person.id)
    assert mail.letters.empty()
    secret = text_of(letter).partition("#")[2].split()[0]
    assert (await accept(product.client, secret, person.headers)).status_code == 200
    assert person.id in await roles_in(product, inviter.tenant.organization_id)


async def test_a_name_cannot_break_out_of_a_letter(with_mail: tuple[Product, MailServer]) -> None:
    product, mail = with_mail
    tenant = await product.new_tenant()
    name = f"Acme\r\nBcc: all@example.com\r\n\r\n\u202eWin {new_id()} " + "x" * 150
    await product.services.organizations.update(
        product.admin, tenant.organization_id, name=name, type=None, members=None, flags={}, ocr_config=None
    )
    await Inviter(product, tenant).invite(new_address())
    letter = mail.next_letter()
    assert letter["Bcc"] is None
    assert "\u202e" not in text_of(letter)
    assert text_of(letter).splitlines()[0].startswith("Ada invites you to join Acme Bcc: all@example.com Win")
    assert len(letter["Subject"]) < 120


async def test_a_letter_that_does_not_arrive_leaves_no_invitation(
    with_mail: tuple[Product, MailServer],
) -> None:
    product, mail = with_mail
    inviter = Inviter(product, await product.new_tenant())
    refused = await inviter.try_to_invite("nobody@example.com")
    assert told(refused) == (400, "The mail server does not take mail for nobody@example.com.")
    assert await inviter.open_ones() == []
    assert mail.letters.empty()


async def test_while_the_mail_server_is_away_accounts_are_asked_and_addresses_are_not(
    databases: Databases, tmp_path: Path
) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        mail = {"host": "127.0.0.1", "port": taken.getsockname()[1], "security": "none", "sender": "a@b"}
        settings = make_settings(
            tmp_path,
            await databases.new("sqlite"),
            mail=mail,
            server={"public_url": "https://docs.example.com"},
        )
        async with running_product(settings) as product:
            inviter = Inviter(product, await product.new_tenant())
            person = await new_person(product)
            answer = await inviter.try_to_invite(new_address())
            assert answer.status_code == 503
            assert await inviter.open_ones() == []
            assert (await inviter.add(person.id)).status_code == 200
            (asked,) = (await product.client.get(MINE, headers=person.headers)).json()["invitations"]
            yes = await product.client.post(f"{MINE}/{asked['id']}/accept", headers=person.headers)
            assert yes.status_code == 200


async def test_only_system_admins_bring_newcomers_where_the_settings_say_so(
    with_mail: tuple[Product, MailServer],
) -> None:
    product, mail = with_mail
    inviter = Inviter(product, await product.new_tenant())
    known = await new_person(product)
    answers = []
    for email in (new_address(), known.email):
        await inviter.invite(email)
        secret = text_of(mail.next_letter()).partition("#")[2].split()[0]
        answers.append(told(await accept(product.client, secret, name="New", password=PASSWORD)))
    assert answers[0] == answers[1]
    assert answers[0][0] == 403
    email = new_address()
    body = {"email": email, "organization_id": inviter.tenant.organization_id}
    await product.client.post(PATH, json=body, headers=await product.admin_headers())
    secret = text_of(mail.next_letter()).partition("#")[2].split()[0]
    assert (await accept(product.client, secret, name="New", password=PASSWORD)).status_code == 200
    user, _ = await sign_in(product, email)
    assert user["email_verified"] is True


async def test_a_configured_address_builds_the_link(databases: Databases, tmp_path: Path) -> None:
    settings = make_settings(
        tmp_path, await databases.new("sqlite"), server={"public_url": "https://docs.example.com"}
    )
    async with running_product(settings) as product:
        inviter = Inviter(product, await product.new_tenant())
        made = await inviter.invite(new_address())
        assert made["link"].startswith("https://docs.example.com/invitation#")


@pytest.mark.parametrize("missing", ["sender", "public_url"])
def test_mail_without_a_sender_or_an_address_is_no_setting(tmp_path: Path, missing: str) -> None:
    mail = {"host": "127.0.0.1", "sender": "docagent@example.com"}
    server = {"public_url": "https://docs.example.com"}
    (mail if missing == "sender" else server).pop(missing)
    with pytest.raises(ValueError, match=r"Mail needs mail\.sender, and server\.public_url"):
        make_settings(tmp_path, mail=mail, server=server)  # type: ignore[arg-type]
