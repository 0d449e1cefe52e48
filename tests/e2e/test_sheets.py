"""The results of a prompt as a sheet: twenty documents seen, filtered, corrected in place, exported and read back."""

from __future__ import annotations

import csv
import re
import time
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest
from playwright.sync_api import Page, expect

from tests.support.made_documents import base64_of, pdf
from tests.support.polling import SECONDS
from tests.support.server import RunningServer
from tests.support.web import check_accessibility, open_session

NUMBERS = range(2041, 2061)
PROPERTIES: dict[str, Any] = {
    "invoice_number": {"type": ["string", "null"]},
    "invoice_date": {"type": ["string", "null"], "format": "date"},
    "seller": {"type": ["string", "null"], "description": "Name of the seller"},
    "total": {"type": ["number", "null"], "description": "Total of the invoice"},
}


@pytest.fixture(scope="module")
def pile(server: RunningServer) -> Iterator[str]:
    """Twenty invoices with their results; the address of the organisation's sheets."""
    account = {"email": server.email, "password": server.password}
    with httpx2.Client(base_url=server.url, timeout=SECONDS) as client:
        token = client.post("/v0/account/auth/login", json=account).raise_for_status().json()["token"]
        client.headers["Authorization"] = f"Bearer {token}"
        organization = client.get("/v0/account/organizations").json()["organizations"][0]["id"]
        base = f"/v0/orgs/{organization}"
        schema = {
            "type": "object",
            "properties": PROPERTIES,
            "required": list(PROPERTIES),
            "additionalProperties": False,
        }
        form = {"type": "json_schema", "json_schema": {"name": "invoice", "schema": schema, "strict": True}}
        schema_id = client.post(f"{base}/schemas", json={"name": "Invoice", "response_format": form}).json()[
            "schema_id"
        ]
        tag = client.post(f"{base}/tags", json={"name": "invoices"}).json()["id"]
        prompt = client.post(
            f"{base}/prompts",
            json={"name": "Invoices", "content": "Read it", "schema_id": schema_id, "tag_ids": [tag]},
        ).json()
        documents = [
            {
                "name": f"inv-{number}.pdf",
                "content": base64_of(
                    pdf(
                        [
                            f"Invoice number: {number}",
                            f"Invoice date: 2026-03-{number - 2040:02}",
                            "Seller: Northwind Ltd" if number % 2 else "Seller: Acme GmbH",
                            f"Total: {number - 1000}.50",
                        ]
                    )
                ),
                "tag_ids": [tag],
            }
            for number in NUMBERS
        ]
        client.post(f"{base}/documents", json={"documents": documents}).raise_for_status()
        sheet = f"{base}/sheets/{prompt['prompt_id']}"
        deadline = time.monotonic() + SECONDS
        while (found := client.get(sheet).json()["total_count"]) < len(NUMBERS):
            assert time.monotonic() < deadline, f"{found} results"
            time.sleep(0.2)
        yield f"{server.url}/orgs/{organization}/sheets"


def test_a_pile_is_seen_filtered_corrected_and_exported(
    server: RunningServer, pile: str, visit: tuple[Page, list[str]]
) -> None:
    page, complaints = visit
    open_session(page, server)
    page.goto(pile)
    page.get_by_role("link", name="Invoices").click()
    grid = page.get_by_role("grid", name="Results of Invoices")
    rows = grid.get_by_role("row")
    expect(rows).to_have_count(len(NUMBERS) + 1)
    check_accessibility(page)

    grid.get_by_role("button", name="Total", exact=True).click()
    expect(rows.nth(1)).to_contain_text("1,041.50")
    grid.get_by_role("button", name="Total", exact=True).click()
    expect(rows.nth(1)).to_contain_text("1,060.50")

    page.get_by_role("button", name="Filter by Total").click()
    page.get_by_label("Value", exact=True).fill("1050")
    page.get_by_role("button", name="Show these").click()
    expect(rows).to_have_count(12)
    page.get_by_role("searchbox", name="Search names and values").fill("acme")
    expect(rows).to_have_count(7)

    first = rows.nth(1).get_by_role("gridcell")
    first.nth(2).click()
    expect(page.locator('[data-mark="lit"]')).to_be_visible()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.keyboard.type("1,910.00")
    page.keyboard.press("Enter")
    expect(first.nth(3)).to_contain_text("1,910.00")
    expect(first.nth(3)).to_be_focused()
    page.keyboard.press("v")
    expect(first.nth(3)).to_contain_text("Verified by a person")
    check_accessibility(page)

    page.get_by_role("button", name="Export").click()
    with page.expect_download() as started:
        page.get_by_role("menuitem", name=re.compile("6 documents as CSV")).click()
    with started.value.path().open(newline="") as file:
        exported = list(csv.DictReader(file))
    assert [row["seller"] for row in exported] == ["Acme GmbH"] * 6
    assert [float(row["total"]) for row in exported] == [1910.0, 1058.5, 1056.5, 1054.5, 1052.5, 1050.5]
    assert not complaints
