"""What clients know of accounts and this server answers in a small way: verified addresses, AWS keys."""

from __future__ import annotations

from typing import Any

import httpx2
import pytest

from docagent.store.accounts import config
from tests.support.accounts import Person, new_person, secrets_of
from tests.support.product import Product, Tenant

AWS = "/v0/account/aws_config"
KEYS = {
    "access_key_id": "AKIAIOSFODNN7EXAMPLE",
    "secret_access_key": "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    "s3_bucket_name": "my-bucket",
}


@pytest.fixture
async def root(product: Product) -> dict[str, str]:
    return await product.admin_headers()


@pytest.fixture
async def person(product: Product) -> Person:
    return await new_person(product)


# --- e-mail -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("step", ["send", "register"])
async def test_verification_is_refused_with_a_reason(
    product: Product, client: httpx2.AsyncClient, root: dict[str, str], person: Person, step: str
) -> None:
    path = f"/v0/account/email/verification/{step}/{person.id}"
    answer = await client.post(path, headers=person.headers)
    assert answer.status_code == 400
    assert answer.json()["detail"].startswith("This server does not verify addresses by e-mail.")
    await product.services.users.update(product.admin, person.id, {"email_verified": True})
    answer = await client.post(path, headers=person.headers)
    assert (answer.status_code, answer.json()["detail"]) == (400, "Email already verified")
    assert (await client.post(path)).status_code == 401
    for odd in ("zz", "%00"):
        answer = await client.post(f"/v0/account/email/verification/{step}/{odd}", headers=root)
        assert answer.status_code == 404


async def test_verification_of_others_is_not_for_users(
    client: httpx2.AsyncClient, person: Person, tenant: Tenant
) -> None:
    path = f"/v0/account/email/verification/send/{tenant.user_id}"
    assert (await client.post(path, headers=person.headers)).status_code == 403


async def test_no_verification_token_is_valid(client: httpx2.AsyncClient) -> None:
    answer = await client.post("/v0/account/email/verification/some-token")
    assert (answer.status_code, answer.json()["detail"]) == (400, "Invalid verification token")


# --- AWS keys ---------------------------------------------------------------------------------------------------


async def stored(product: Product) -> str | None:
    async with product.services.db.read() as tx:
        return await config.get(tx, "aws")


async def test_keys_are_kept_and_shown_masked_and_forgotten(
    product: Product, client: httpx2.AsyncClient, root: dict[str, str]
) -> None:
    answer = await client.post(AWS, json=KEYS, headers=root)
    assert answer.json() == {"message": "AWS configuration saved successfully"}
    sealed = await stored(product)
    assert sealed is not None
    opened = secrets_of(product).unseal(sealed)
    assert not any(value in opened for value in (KEYS["access_key_id"], KEYS["secret_access_key"]))
    shown = (await client.get(AWS, headers=root)).json()
    assert shown == {
        "access_key_id": "AKIA************",
        "secret_access_key": "wJal************",
        "s3_bucket_name": "my-bucket",
    }
    other = KEYS | {"s3_bucket_name": "another-bucket"}
    assert (await client.post(AWS, json=other, headers=root)).status_code == 200
    assert (await client.get(AWS, headers=root)).json()["s3_bucket_name"] == "another-bucket"
    for _ in range(2):
        answer = await client.delete(AWS, headers=root)
        assert answer.json() == {"message": "AWS configuration deleted successfully"}
    assert await stored(product) is None
    answer = await client.get(AWS, headers=root)
    assert (answer.status_code, answer.json()) == (200, dict.fromkeys(KEYS, ""))


@pytest.mark.parametrize(
    "changes",
    [
        {"access_key_id": ""},
        {"access_key_id": "invalid"},
        {"access_key_id": "AKIA" + "x" * 16},
        {"access_key_id": "AKIA" + "X" * 17},
        {"secret_access_key": ""},
        {"secret_access_key": "too short"},
        {"secret_access_key": "x" * 41},
        {"s3_bucket_name": ""},
        {"s3_bucket_name": "Upper"},
        {"s3_bucket_name": "-x-"},
    ],
)
async def test_bad_keys_are_refused_and_nothing_is_kept(
    product: Product, client: httpx2.AsyncClient, root: dict[str, str], changes: dict[str, Any]
) -> None:
    answer = await client.post(AWS, json=KEYS | changes, headers=root)
    assert answer.status_code == 400
    assert answer.json()["detail"].startswith("Invalid ")
    secret = changes.get("secret_access_key")
    assert not secret or secret not in answer.text
    assert await stored(product) is None


async def test_missing_keys_are_told(client: httpx2.AsyncClient, root: dict[str, str]) -> None:
    answer = await client.post(AWS, json={}, headers=root)
    assert [entry["loc"][1] for entry in answer.json()["detail"]] == list(KEYS)


async def test_keys_are_for_system_admins(client: httpx2.AsyncClient, person: Person) -> None:
    for method, options in (("POST", {"json": KEYS}), ("GET", {}), ("DELETE", {})):
        answer = await client.request(method, AWS, headers=person.headers, **options)  # type: ignore[arg-type]
        assert (answer.status_code, answer.json()["detail"]) == (403, "Admin access required")
