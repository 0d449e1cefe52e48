"""A turn while it runs, in a browser: steering, phases, sources, tools, limits, questions, and a line that drops."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.agent import call, calls
from tests.support.agent import say as reply
from tests.support.browser.agent_page import (
    Caller,
    Stage,
    cards,
    held,
    log,
    message_field,
    new_conversation,
    say,
)
from tests.support.browser.chrome import browser_page
from tests.support.browser.desk import Desk
from tests.support.browser.web import begin_at, check_accessibility, organization_id
from tests.support.made.documents import base64_of, pdf
from tests.support.models.provider import Raw
from tests.support.product import UNREAD
from tests.support.services.relay import Relay, running_relay

LOOK = call("c1", "list_tags")
CUT = re.compile(r"net::ERR_(?:CONNECTION|CONTENT_LENGTH|EMPTY_RESPONSE|INCOMPLETE|NETWORK|FAILED|SOCKET)")
"""What a browser writes to its console when the line is cut."""
KEEP_TITLES = """() => {
  window.titles = [];
  const note = () => window.titles.push(document.title);
  new MutationObserver(note).observe(document.querySelector("title"), {childList: true});
}"""


@pytest.fixture
def talk(browser: Browser, stage: Stage) -> Iterator[tuple[Page, Stage]]:
    """A new conversation; nothing may be left on the console at the end."""
    with new_conversation(browser, stage) as (page, problems):
        yield page, stage
        assert problems == []


@pytest.fixture
def line(browser: Browser, stage: Stage) -> Iterator[tuple[Page, Relay]]:
    """A new conversation over a line that can be cut."""
    with (
        running_relay(stage.server.url) as relay,
        new_conversation(browser, replace(stage, server=replace(stage.server, url=relay.url))) as (
            page,
            problems,
        ),
    ):
        yield page, relay
        assert [text for text in problems if not CUT.search(text)] == []


def asked(stage: Stage, number: int = -1) -> dict[str, Any]:
    """What the model was asked."""
    body: dict[str, Any] = stage.provider.requests[number].body
    return body


def choose(page: Page, menu: str) -> None:
    page.get_by_role("button", name=f"{menu}:").click()


def test_what_is_said_while_it_works_is_heard_in_the_same_turn(talk: tuple[Page, Stage]) -> None:
    page, stage = talk
    looking = held(reply("Let me look at all of the tags first.", LOOK))
    stage.provider.add(Raw(looking), "Only the newest, as you wish.")
    say(page, "Tell me about the tags")
    expect(log(page)).to_contain_text("Let me look")
    expect(message_field(page)).to_have_attribute("placeholder", "Say something while it works")
    say(page, "Only the newest one, please")
    expect(message_field(page)).to_have_value("")
    expect(log(page)).to_contain_text("Only the newest one, please")
    check_accessibility(page)
    looking.go_on()
    expect(log(page)).to_contain_text("Only the newest, as you wish.")
    expect(log(page).get_by_text("Only the newest one, please")).to_have_count(1)
    expect(log(page)).to_contain_text("said while the agent worked")
    told = [message for message in asked(stage)["messages"] if message["role"] == "user"]
    assert "Only the newest one, please" in json.dumps(told[-1])
    page.reload()
    expect(log(page).get_by_text("Only the newest one, please")).to_have_count(1)
    expect(log(page)).to_contain_text("said while the agent worked")


def test_the_phases_of_react_stand_in_the_margin_with_their_steps(talk: tuple[Page, Stage]) -> None:
    page, stage = talk
    choose(page, "Model")
    way = page.get_by_label("Strategy", exact=True)
    way.select_option(label="Reason and act (ReAct)")
    expect(page.get_by_text("Reasons, acts and observes in every step")).to_be_visible()
    check_accessibility(page)
    page.keyboard.press("Escape")
    stage.provider.add(
        'I should look at the tags. {"plan": "look", "finish": false}',
        calls(LOOK),
        'There are a few. {"observation": "few", "should_continue": true}',
        'Once more. {"plan": "look again", "finish": false}',
        calls(call("c2", "list_tags")),
        'Enough. {"observation": "same", "should_continue": false, "final_answer": "Few tags."}',
    )
    say(page, "Tell me about the tags")
    expect(log(page)).to_contain_text("Few tags.")
    for label in ("Reason 1", "Act 1", "Observe 1", "Reason 2", "Act 2", "Observe 2", "Answer"):
        expect(log(page).get_by_text(label, exact=True)).to_be_visible()
    expect(log(page)).to_contain_text("I should look at the tags.")
    assert "finish" not in log(page).inner_text(), "the block for programs is not shown"
    check_accessibility(page)


def test_a_passage_of_a_chosen_source_is_told_to_the_model(talk: tuple[Page, Stage]) -> None:
    page, stage = talk
    caller, organization = Caller(stage.server), organization_id(page)
    # The model is to be asked by the agent alone, not for a summary of the new document too.
    caller.call("PUT", f"/v0/account/organizations/{organization}", {"default_prompt_enabled": False})
    document = {
        "name": "Frame contract.pdf",
        "content": base64_of(pdf(["The notice period is three months"])),
    }
    uploaded = caller.call("POST", f"/v0/orgs/{organization}/documents", {"documents": [document]})
    address = f"/v0/orgs/{organization}/documents/{uploaded['documents'][0]['document_id']}"
    caller.wait_for(lambda: caller.call("GET", f"{address}?include_content=false")["state"] not in UNREAD)
    choose(page, "Tools")
    page.get_by_label("to look things up in").fill("frame")
    page.get_by_role("button", name="Frame contract.pdf").click()
    expect(page.get_by_role("button", name="Leave out Frame contract.pdf")).to_be_visible()
    check_accessibility(page)
    page.keyboard.press("Escape")
    stage.provider.add("Three months.")
    say(page, "How long is the notice period?")
    expect(log(page)).to_contain_text("Three months.")
    system = json.dumps(asked(stage)["messages"][0])
    assert "Passage from Frame contract.pdf, page 1" in system
    assert "The notice period is three months" in system


def test_only_the_tools_that_are_ticked_are_offered(talk: tuple[Page, Stage]) -> None:
    page, stage = talk
    choose(page, "Tools")
    page.get_by_role("button", name="None", exact=True).click()
    page.get_by_role("checkbox", name="List tags").check()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name=re.compile(r"Tools: 1 of \d+ tools"))).to_be_visible()
    stage.provider.add("I can look at tags only.")
    say(page, "What can you do?")
    expect(log(page)).to_contain_text("I can look at tags only.")
    offered = {tool["function"]["name"] for tool in asked(stage)["tools"]}
    assert "list_tags" in offered
    assert "create_tag" not in offered


def test_the_limit_of_steps_ends_a_turn_with_what_is_done(talk: tuple[Page, Stage]) -> None:
    page, stage = talk
    choose(page, "Model")
    page.get_by_label("Step limit").fill("1")
    page.keyboard.press("Escape")
    stage.provider.add(calls(LOOK), "So far I have seen the tags.")
    say(page, "Look at everything")
    expect(log(page)).to_contain_text("So far I have seen the tags.")
    expect(log(page)).to_contain_text("The agent reached the limit of steps of one message.")
    assert asked(stage)["tool_choice"] == "none", "the closing words are said without tools"
    check_accessibility(page)


def test_a_question_is_answered_in_another_tab_and_both_go_on(talk: tuple[Page, Stage]) -> None:
    page, stage = talk
    stage.provider.add(calls(call("q1", "request_input", question="For which month?")), "March it is.")
    page.emulate_media(reduced_motion="no-preference")
    page.evaluate(KEEP_TITLES)
    say(page, "Sum it up")
    card = page.get_by_role("group", name="The agent asks: For which month?")
    expect(card).to_be_focused()
    expect(page.get_by_role("tab", name="Agent 1 waits")).to_be_visible()
    page.wait_for_function("() => window.titles.includes('The agent asks · docagent')")
    with page.expect_popup() as popup:
        page.evaluate("() => void window.open(location.href)")
    second = popup.value
    same = second.get_by_role("group", name="The agent asks: For which month?")
    expect(same).to_be_visible()
    check_accessibility(second)
    same.get_by_label("Your answer").fill("March")
    second.keyboard.press("Enter")
    for tab in (page, second):
        expect(log(tab)).to_contain_text("March it is.")
        expect(log(tab)).to_contain_text("You: March")
        expect(tab.get_by_role("group", name="The agent asks")).to_have_count(0)
    expect(page).not_to_have_title("The agent asks · docagent")
    second.close()


def test_a_line_that_drops_while_it_speaks_is_taken_up_without_a_reload(
    stage: Stage, line: tuple[Page, Relay]
) -> None:
    page, relay = line
    speech = held("It began well, and after a while it ended well.")
    stage.provider.add(Raw(speech))
    say(page, "Go on")
    expect(log(page)).to_contain_text("It began")
    page.evaluate("() => { window.isTheSamePage = true }")
    relay.cut()
    expect(page.get_by_role("status").filter(has_text="Connection lost. Reconnecting")).to_be_visible()
    check_accessibility(page)
    speech.go_on()
    relay.mend()
    expect(log(page)).to_contain_text("it ended well.")
    expect(log(page).get_by_text("It began well")).to_have_count(1)
    expect(page.get_by_role("button", name="Stop")).to_have_count(0)
    assert page.evaluate("() => window.isTheSamePage")


def test_an_approval_that_comes_while_the_line_is_down_is_there_afterwards(
    stage: Stage, line: tuple[Page, Relay]
) -> None:
    page, relay = line
    wish = held(
        reply("I would make a tag for you, if I may.", call("c1", "create_tag", name="after the gap"))
    )
    stage.provider.add(Raw(wish), "Made it.")
    say(page, "Make a tag")
    expect(log(page)).to_contain_text("I would make")
    relay.cut()
    expect(page.get_by_role("status").filter(has_text="Connection lost")).to_be_visible()
    wish.go_on()
    relay.mend()
    expect(cards(page)).to_be_focused()
    page.keyboard.press("a")
    expect(log(page)).to_contain_text("Made it.")


def test_names_and_numbers_of_a_reply_light_their_words(browser: Browser, stage: Stage) -> None:
    bills = Desk(stage.server, "Bills", {"total": {"type": "number"}, "supplier": {"type": "string"}})
    own = f"/v0/account/organizations/{bills.organization}"
    Caller(stage.server).call("PUT", own, {"default_prompt_enabled": False})
    document_id = bills.document("bill.pdf", pdf(["Supplier: Acme Harbour Ltd", "Total: 1,612.50"]))
    with browser_page(browser) as (page, problems):
        begin_at(page, stage.server, f"documents/{document_id}?tab=agent")
        stage.provider.add("Acme Harbour Ltd asks for:\n\n| what | how much |\n|---|---|\n| all | 1,612.50 |")
        say(page, "What does it say?")
        rows = page.get_by_role("table").filter(has_text="how much")
        chip = rows.get_by_role("link", name="1,612.50")
        expect(chip).to_be_visible()
        expect(page.get_by_role("link", name="Acme Harbour Ltd")).to_be_visible()
        check_accessibility(page)
        chip.click()
        expect(page.locator('[data-mark="lit"]').first).to_be_in_viewport()
        expect(message_field(page)).to_be_visible()
        assert problems == []
