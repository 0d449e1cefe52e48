"""One value is corrected in a sheet, and the same mistake in similar documents goes with it."""

from __future__ import annotations

import time
from typing import Any

import httpx2
import pytest
from playwright.sync_api import Page, expect

from tests.support.browser.web import check_accessibility, open_session
from tests.support.made.documents import base64_of, pdf
from tests.support.polling import SECONDS
from tests.support.services.server import RunningServer

PAPERS = {"K-17": "Ole Larsen", "B-4": "Ida Holm", "C-9": "Bo Friis", "D-2": "Eva Juhl"}
CALL: dict[str, Any] = {
    "type": "object",
    "properties": {"port": {"type": "string"}, "days": {"type": "number"}},
    "required": ["port", "days"],
    "additionalProperties": False,
}
FIELDS: dict[str, Any] = {
    "berth": {"type": ["string", "null"]},
    "pilot": {"type": ["string", "null"]},
    "calls": {"type": "array", "items": CALL},
}


@pytest.fixture(scope="module")
def sheet(server: RunningServer) -> str:
    """The address of a sheet of four papers, on which nobody knows the label of the berth."""
    account = {"email": server.email, "password": server.password}
    with httpx2.Client(base_url=server.url, timeout=SECONDS) as client:
        token = client.post("/v0/account/auth/login", json=account).raise_for_status().json()["token"]
        client.headers["Authorization"] = f"Bearer {token}"
        organization = client.get("/v0/account/organizations").json()["organizations"][0]["id"]
        base = f"/v0/orgs/{organization}"
        schema = {
            "type": "object",
            "properties": FIELDS,
            "required": list(FIELDS),
            "additionalProperties": False,
        }
        form = {"type": "json_schema", "json_schema": {"name": "paper", "schema": schema, "strict": True}}
        saved = client.post(f"{base}/schemas", json={"name": "Harbour paper", "response_format": form}).json()
        body = {
            "name": "Harbour papers",
            "content": "Read",
            "schema_id": saved["schema_id"],
            "model": "docagent-offline",
        }
        prompt_id = client.post(f"{base}/prompts", json=body).json()["prompt_id"]
        documents = [
            {"name": f"{berth}.pdf", "content": base64_of(pdf(lines(berth, pilot)))}
            for berth, pilot in PAPERS.items()
        ]
        made = client.post(f"{base}/documents", json={"documents": documents}).raise_for_status().json()
        ids = [one["document_id"] for one in made["documents"]]
        wait_until(
            lambda: client.post(f"{base}/prompts/{prompt_id}/runs/estimate", json={}).json()["unread"] == 0
        )
        client.post(f"{base}/prompts/{prompt_id}/runs", json={"document_ids": ids}).raise_for_status()
        wait_until(lambda: client.get(f"{base}/sheets/{prompt_id}").json()["total_count"] == len(PAPERS))
        (row,) = [
            one
            for one in client.get(f"{base}/sheets/{prompt_id}").json()["rows"]
            if one["document_name"] == "C-9.pdf"
        ]
        client.patch(
            f"{base}/llm/result/{row['document_id']}",
            params={"prompt_revid": row["prompt_revid"]},
            json={"path": "calls", "value": [{"port": "Skagen", "days": 2}, {"port": "Ribe", "days": 1.5}]},
        ).raise_for_status()
    return f"{server.url}/orgs/{organization}/sheets/{prompt_id}"


def lines(berth: str, pilot: str) -> list[str]:
    return [
        "Harbour of Skagen",
        "All ships keep to the orders of the harbour office",
        f"Skibets liggeplads: {berth}",
        f"Lods om bord: {pilot}",
        "Welcome, and a safe journey home",
    ]


def wait_until(is_so: Any) -> None:
    deadline = time.monotonic() + SECONDS
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.2)


def test_the_rows_of_a_table_are_a_tab_of_the_sheet(
    server: RunningServer, sheet: str, visit: tuple[Page, list[str]]
) -> None:
    page, complaints = visit
    open_session(page, server)
    page.goto(sheet)
    tabs = page.get_by_role("navigation", name="Tabs of the sheet")
    tabs.get_by_role("button", name="Calls").click()
    grid = page.get_by_role("grid", name="Results of Harbour papers")
    expect(grid.get_by_role("columnheader")).to_have_text(["Document", "Port", "Days"])
    expect(grid.get_by_role("row").filter(has_text="Skagen")).to_contain_text("C-9.pdf")
    expect(grid.get_by_role("row").filter(has_text="Ribe")).to_contain_text("1.5")
    check_accessibility(page)
    tabs.get_by_role("button", name="Documents").click()
    expect(grid.get_by_role("columnheader")).to_contain_text(["Document", "Berth", "Pilot", "Calls"])
    assert not complaints


def test_a_correction_in_a_sheet_fixes_similar_documents_and_is_undone(
    server: RunningServer, sheet: str, visit: tuple[Page, list[str]]
) -> None:
    page, complaints = visit
    open_session(page, server)
    page.goto(sheet)
    grid = page.get_by_role("grid", name="Results of Harbour papers")
    rows = grid.get_by_role("row")
    expect(rows).to_have_count(len(PAPERS) + 1)
    first = rows.filter(has_text="K-17.pdf").get_by_role("gridcell").first
    first.click()
    page.keyboard.press("Enter")
    page.keyboard.type("K-17")
    page.keyboard.press("Enter")
    note = page.get_by_role("region", name="Correction for similar documents")
    expect(note).to_contain_text("3 documents look like this one. 3 values of Berth would change.")
    note.get_by_role("button", name="Show").click()
    shown = note.get_by_role("listitem")
    expect(shown).to_have_count(3)
    expect(shown.filter(has_text="B-4.pdf")).to_contain_text("B-4")
    check_accessibility(page)

    note.get_by_role("button", name="Apply").click()
    expect(note).to_contain_text("3 values of Berth changed.")
    for berth in PAPERS:
        expect(rows.filter(has_text=f"{berth}.pdf").get_by_role("gridcell").first).to_contain_text(berth)
    expect(page.get_by_text("1 correction fixed 3 other values")).to_be_visible()
    check_accessibility(page)
    note.get_by_role("button", name="Undo").click()
    expect(note).to_contain_text("3 documents have their former values again.")
    expect(rows.filter(has_text="B-4.pdf").get_by_role("gridcell").first).not_to_contain_text("B-4")
    expect(page.get_by_text("1 correction fixed")).to_have_count(0)
    note.get_by_role("button", name="Close").click()
    expect(note).to_have_count(0)
    assert not complaints
