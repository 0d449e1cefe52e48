"""A pile becomes a sheet: twenty documents run, seen, filtered, corrected, exported, and ten of them reviewed."""

from __future__ import annotations

import csv
import io
import re
import time
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import httpx2
import openpyxl
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.support.browser.agent_page import Caller, as_newcomer
from tests.support.browser.chrome import browser_page
from tests.support.browser.web import check_accessibility, look_into, open_session
from tests.support.made.documents import base64_of, pdf
from tests.support.polling import SECONDS
from tests.support.services.server import RunningServer

NUMBERS = range(2041, 2061)
PROPERTIES: dict[str, Any] = {
    "invoice_number": {"type": ["string", "null"]},
    "invoice_date": {"type": ["string", "null"], "format": "date"},
    "seller": {"type": ["string", "null"], "description": "Name of the seller"},
    "total": {"type": ["number", "null"], "description": "Total of the invoice"},
}


@dataclass(frozen=True)
class Pile:
    client: httpx2.Client
    organization: str
    prompt_id: str

    def call(self, method: str, path: str, body: Any = None) -> Any:
        answer = self.client.request(method, f"/v0/orgs/{self.organization}{path}", json=body)
        return answer.raise_for_status().json()

    def has_results(self) -> None:
        """Run the prompt on what it was not run on yet, and wait until it is done."""
        sheet = f"/sheets/{self.prompt_id}"
        if self.call("GET", sheet)["total_count"] < len(NUMBERS):
            self.call("POST", f"/prompts/{self.prompt_id}/runs", {})
        deadline = time.monotonic() + SECONDS
        while (found := self.call("GET", sheet)["total_count"]) < len(NUMBERS):
            assert time.monotonic() < deadline, f"{found} results"
            time.sleep(0.2)


@pytest.fixture(scope="module")
def pile(server: RunningServer) -> Iterator[Pile]:
    """Twenty invoices that were read, and a prompt that has no results yet."""
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
        body = {"name": "Invoices", "content": "Read it", "schema_id": schema_id, "model": "docagent-offline"}
        prompt = client.post(f"{base}/prompts", json=body).json()
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
            }
            for number in NUMBERS
        ]
        client.post(f"{base}/documents", json={"documents": documents}).raise_for_status()
        runs = f"{base}/prompts/{prompt['prompt_id']}/runs/estimate"
        deadline = time.monotonic() + SECONDS
        while (unread := client.post(runs, json={}).json()["unread"]) > 0:
            assert time.monotonic() < deadline, f"{unread} documents are not read"
            time.sleep(0.2)
        yield Pile(client, organization, prompt["prompt_id"])


def test_a_pile_is_run_seen_filtered_corrected_and_exported(
    server: RunningServer, pile: Pile, visit: tuple[Page, list[str]]
) -> None:
    page, complaints = visit
    open_session(page, server)
    page.goto(f"{server.url}/orgs/{pile.organization}/sheets")
    page.get_by_role("link", name="Invoices").click()
    page.get_by_role("button", name="Run on new").click()
    expect(page.get_by_text("20 documents without a result, 20 pages, no credits")).to_be_visible()
    check_accessibility(page)
    page.get_by_role("button", name="Run on 20 documents").click()
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
    look_into(
        page,
        page.get_by_role("button", name="Filter by Seller"),
        page.get_by_role("button", name="Columns"),
        page.get_by_role("button", name="Export"),
    )

    page.get_by_role("button", name="Export").click()
    with page.expect_download() as started:
        page.get_by_role("menuitem", name=re.compile("CSV with commas")).click()
    with started.value.path().open(newline="", encoding="utf-8-sig") as file:
        exported = list(csv.DictReader(file))
    assert [row["Seller"] for row in exported] == ["Acme GmbH"] * 6
    assert [float(row["Total"]) for row in exported] == [1910.0, 1058.5, 1056.5, 1054.5, 1052.5, 1050.5]
    assert not complaints


def test_columns_are_ordered_named_and_kept_for_the_workbook(
    server: RunningServer, pile: Pile, visit: tuple[Page, list[str]]
) -> None:
    page, complaints = visit
    pile.has_results()
    open_session(page, server)
    page.goto(f"{server.url}/orgs/{pile.organization}/sheets/{pile.prompt_id}")
    headings = page.get_by_role("grid", name="Results of Invoices").get_by_role("columnheader")
    page.get_by_role("button", name="Columns").click()
    page.get_by_label("Heading of total").fill("Amount due")
    page.get_by_label("Heading of total").press("Enter")
    page.get_by_role("button", name="Move Amount due").focus()
    for _ in range(3):
        page.keyboard.press("ArrowUp")
    page.get_by_label("Show Seller").uncheck()
    check_accessibility(page)
    page.keyboard.press("Escape")
    expect(headings).to_contain_text(["Document", "Amount due", "Invoice number", "Invoice date"])
    expect(headings).to_have_count(4)
    page.reload()
    expect(headings).to_contain_text(["Document", "Amount due", "Invoice number", "Invoice date"])

    page.get_by_role("button", name="Export").click()
    with page.expect_download() as started:
        page.get_by_role("menuitem", name="Workbook with pictures of the words").click()
    book = openpyxl.load_workbook(io.BytesIO(started.value.path().read_bytes()))
    sheet = book["Invoices"]
    assert [cell.value for cell in sheet[1]][:4] == [
        "Document",
        "Amount due",
        "Invoice number",
        "Invoice date",
    ]
    assert isinstance(sheet["D2"].value, datetime)
    with zipfile.ZipFile(started.value.path()) as parts:
        pictures = [name for name in parts.namelist() if name.startswith("xl/media/")]
    assert len(pictures) >= 3 * len(NUMBERS) - 5
    assert "Proof" in book.sheetnames
    link = sheet["C2"].hyperlink.target
    page.goto(link)
    expect(page.locator('[data-mark="lit"]').first).to_be_visible()
    page.goto(f"{server.url}/orgs/{pile.organization}/sheets/{pile.prompt_id}")
    page.get_by_role("button", name="Columns").click()
    page.get_by_role("button", name="Reset columns").click()
    expect(headings).to_have_count(5)
    assert not complaints


def test_two_people_review_ten_documents_by_keyboard(
    server: RunningServer, deployment: RunningServer, pile: Pile, browser: Browser
) -> None:
    other = as_newcomer(deployment)
    members = [
        {"user_id": member_id(who), "role": role} for who, role in ((server, "admin"), (other, "user"))
    ]
    Caller(deployment).call(
        "PUT", f"/v0/account/organizations/{pile.organization}", {"type": "team", "members": members}
    )
    policy = {"mode": "doubtful", "threshold": 1.0}  # no value is as sure as that
    pile.has_results()
    pile.call("PUT", f"/review/{pile.prompt_id}", policy)
    with browser_page(browser) as (mine, my_complaints), browser_page(browser) as (theirs, their_complaints):
        for page, who in ((mine, server), (theirs, other)):
            open_session(page, who)
            page.goto(f"{server.url}/orgs/{pile.organization}/inbox")
            page.get_by_role("link", name=re.compile("documents to review: Invoices")).click()
            expect(where(page)).to_contain_text("1 of 20, 4 values left")
        expect(mine.get_by_role("region", name="Doubtful value")).to_be_visible()
        expect(mine.locator('[data-mark="lit"]').first).to_be_visible()
        check_accessibility(mine)
        heading = mine.get_by_role("heading", level=1)
        first = heading.inner_text()

        mine.keyboard.press("n")
        mine.keyboard.press("Enter")
        mine.keyboard.type("2026-03-30")
        mine.keyboard.press("Enter")
        expect(where(mine)).to_contain_text("1 of 20, 3 values left")
        mine.keyboard.press("u")
        expect(where(mine)).to_contain_text("1 of 20, 4 values left")
        for left in ("3 values left", "2 values left", "1 value left", "nothing doubtful"):
            mine.keyboard.press("a")
            expect(where(mine)).to_contain_text(left)
        for number in range(2, 7):
            for page in (mine, theirs):
                page.keyboard.press("r" if number == 6 else "d")
                expect(where(page)).to_contain_text(f"{number} of ")
        mine.keyboard.press("u")
        expect(where(mine)).to_contain_text("5 of ")
        mine.keyboard.press("d")
        expect(where(mine)).to_contain_text("6 of ")
        assert heading.inner_text() != first
        assert not my_complaints
        assert not their_complaints
    rows = pile.call("GET", f"/sheets/{pile.prompt_id}?limit=100")["rows"]
    states = [row["state"] for row in rows]
    assert (states.count("verified"), states.count("rejected")) == (9, 1)
    seen = sorted(row["revision"] for row in rows if row["state"] in ("verified", "rejected"))
    assert seen[:8] == [2] * 8, "nobody did again what another had done"


def where(page: Page) -> Locator:
    """How far a reviewer is: 7 of 32, 3 values left."""
    return page.get_by_role("status").filter(has_text=re.compile(r"\d+ of \d+, "))


def member_id(who: RunningServer) -> str:
    path = f"/v0/account/organizations?member_search={who.email}"
    (organization,) = Caller(who).call("GET", path)["organizations"]
    (member,) = organization["members"]
    return str(member["user_id"])
