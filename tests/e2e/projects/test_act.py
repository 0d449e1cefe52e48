"""What `POST /api/agent/act` asks is a card in the inbox, and what came of it is in the project's conversation."""

from __future__ import annotations

import re

from playwright.sync_api import Browser, expect

from tests.support.browser.agent_page import Caller, cards
from tests.support.browser.chrome import browser_page
from tests.support.browser.web import check_accessibility, go_to, open_session
from tests.support.services.server import RunningServer

PLAN = "# Plan\n\nWe begin in May, when the lease ends.\n\n## Costs\n\nA van, and desks for all of us.\n"
REMOVE = "Remove the section Costs from Plan"


def test_a_confirmation_from_act_is_decided_in_the_inbox(browser: Browser, server: RunningServer) -> None:
    with browser_page(browser) as (page, problems):
        caller = Caller(server, open_session(page, server))
        org = caller.organization()
        project = caller.call("POST", "/api/projects", {"name": "Decided in the inbox"})["id"]
        documents = f"/api/projects/{project}/documents"
        plan = caller.call("POST", documents, {"name": "Plan", "content": PLAN})["id"]
        acted = caller.call("POST", "/api/agent/act", {"message": REMOVE, "project_id": project})
        assert acted["agent_decision"]["pending_confirmation"] is True
        assert caller.call("GET", f"{documents}/{plan}")["content"] == PLAN

        page.goto(f"{server.url}/orgs/{org}/inbox")
        expect(page.get_by_role("link", name=re.compile(r"Inbox\W+1 waiting"))).to_be_visible()
        expect(page.get_by_text(f"You asked: {REMOVE}")).to_be_visible()
        expect(cards(page)).to_contain_text("drops the section “Costs”")
        check_accessibility(page)
        cards(page).get_by_role("button", name="Approve").click()
        expect(page.get_by_text("Nothing waits for you.")).to_be_visible()
        caller.wait_for(lambda: "Costs" not in caller.call("GET", f"{documents}/{plan}")["content"])
        chat = acted["chat_message"]["chat_id"]
        caller.wait_for(lambda: len(caller.call("GET", f"/api/chats/{chat}/messages")) == 3)

        go_to(page, f"projects/{project}")
        conversation = page.get_by_role("log", name="Conversation")
        expect(conversation).to_contain_text(REMOVE)
        expect(conversation).to_contain_text("Approved by you")
        assert problems == []
