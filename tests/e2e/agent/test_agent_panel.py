"""The agent's tab, the inbox and the activity page: in a browser, with the built-in model and with a scripted one."""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.support.agent import call, calls
from tests.support.agent import say as say_and_call
from tests.support.browser.agent_page import (
    MODEL,
    Caller,
    Stage,
    as_newcomer,
    cards,
    document_of,
    held,
    log,
    message_field,
    new_conversation,
    open_agent,
    say,
)
from tests.support.browser.chrome import browser_page
from tests.support.browser.web import (
    check_accessibility,
    fits_the_window,
    go_to,
    login_link,
    look_into,
    organization_id,
    sign_in,
    turn_wheel,
)
from tests.support.models.provider import Raw, Refusal
from tests.support.services.server import RunningServer


@pytest.fixture
def desk(browser: Browser, stage: Stage) -> Iterator[tuple[Page, Stage]]:
    """A new conversation; nothing may be left on the console at the end."""
    with new_conversation(browser, stage) as (page, problems):
        yield page, stage
        assert problems == []


def tag_names(stage: Stage, page: Page) -> list[str]:
    found = Caller(stage.server).call("GET", f"/v0/orgs/{organization_id(page)}/tags?limit=100")
    return sorted(tag["name"] for tag in found["tags"])


CLICKS = "Number(sessionStorage.clicks ?? 0)"
COUNT_CLICKS = f"""
addEventListener("pointerdown", (event) => {{ if (event.isTrusted) sessionStorage.clicks = {CLICKS} + 1 }}, true);
"""
"""Counted over pages that are reloaded, too."""
READABLE_PX = 200
ICONS_ON_VALUES = """() => [...document.querySelectorAll("button[data-field]")].flatMap((value) => {
  const at = value.getBoundingClientRect();
  return [...value.parentElement.querySelectorAll("svg")].filter((icon) => {
    const its = icon.getBoundingClientRect();
    return its.left < at.right && its.right > at.left && its.top < at.bottom && its.bottom > at.top;
  }).map(() => value.ariaLabel);
})"""
"""The values that a mark or a tool lies on."""


def reach(page: Page, target: Locator, key: str = "Tab") -> None:
    """Go to something by a key alone, as somebody without a mouse does."""
    expect(target).to_be_visible()
    for step in range(150):
        if step % 30 == 0:  # to find it takes long, and it may have been redrawn
            element = target.element_handle()
        if element.evaluate("element => element === document.activeElement"):
            return
        page.keyboard.press(key)
    raise AssertionError(f"the key {key} does not lead to {target}")


def test_a_newcomer_has_values_after_one_click_and_a_checked_export_after_five(
    browser: Browser, server: RunningServer
) -> None:
    """From the login link on, with the built-in model."""
    with browser_page(browser) as (page, problems):
        page.add_init_script(COUNT_CLICKS)
        page.goto(login_link(server))
        expect(page.get_by_role("button", name="Organisation My organisation, change")).to_be_visible()
        page.get_by_role("button", name="An invoice").click()
        banner = page.get_by_role("region", name="Proposal", exact=True)
        expect(banner).to_contain_text(re.compile(r"“Invoice”: \d+ fields, 27 values"))
        results = page.get_by_role("tabpanel")
        expect(results.get_by_role("button", name=re.compile("^Invoice number: 2041"))).to_be_visible()
        assert page.evaluate(CLICKS) == 1
        check_accessibility(page)
        banner.get_by_role("button", name="Keep", exact=True).click()
        expect(banner).to_contain_text("Accepted.")
        expect(
            banner.get_by_role("link", name=re.compile(r"^(Check \d+ values?|Open the sheet)"))
        ).to_be_visible()
        expect(results).to_contain_text("27 values: ")
        check_accessibility(page)
        value = results.get_by_role("button", name=re.compile("^Invoice number: 2041"))
        value.click()
        page.keyboard.press("Enter")
        page.keyboard.type("2041-A")
        page.keyboard.press("Enter")
        corrected = results.get_by_role("button", name=re.compile("^Invoice number: 2041-A"))
        expect(corrected).to_be_visible()
        section = results.get_by_role("region", name="Invoice", exact=True)
        section.get_by_role("button", name="Verify all").click()
        expect(section.get_by_role("button", name="Verify all")).to_have_count(0)
        with page.expect_download() as download:
            section.get_by_role("button", name=re.compile("^Export .* as an Excel workbook")).click()
        assert download.value.suggested_filename.endswith(".xlsx")
        assert b"2041-A" in b"".join(
            zipfile.ZipFile(download.value.path()).read(name)
            for name in zipfile.ZipFile(download.value.path()).namelist()
        )
        assert page.evaluate(CLICKS) <= 5
        expect(page.locator('[data-mark="checked"]').first).to_be_visible()
        assert page.evaluate(ICONS_ON_VALUES) == []
        assert problems == []


def ask_by_keyboard(page: Page) -> None:
    """Take the sample as it is, and ask the agent for the rest."""
    reach(page, page.get_by_role("checkbox", name="Find the values for me"))
    page.keyboard.press("Space")
    reach(page, page.get_by_role("button", name="An invoice"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Find the values")).to_be_visible()
    reach(page, page.get_by_role("tab", name="Extraction"))
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Forms")).to_be_focused()
    page.keyboard.press("ArrowRight")
    reach(page, message_field(page))
    page.keyboard.type("Set this up")
    page.keyboard.press("Enter")


def test_the_whole_path_by_keyboard_alone(browser: Browser, deployment: RunningServer) -> None:
    server = as_newcomer(deployment)
    with browser_page(browser) as (page, problems):
        page.add_init_script(COUNT_CLICKS)
        sign_in(page, server)
        ask_by_keyboard(page)

        schema = page.get_by_role("group", name="Needs your approval: Create schema")
        expect(schema).to_be_focused()
        page.keyboard.press("e")
        expect(schema.get_by_label("Name", exact=True)).to_be_focused()
        reach(page, schema.get_by_label("Description of invoice_number", exact=True))
        page.keyboard.type("Beside the date")
        check_accessibility(page)
        page.keyboard.press("Escape")
        expect(schema).to_be_focused()
        expect(schema.get_by_text("They are kept")).to_be_visible()
        page.keyboard.press("e")
        expect(schema.get_by_label("Description of invoice_number", exact=True)).to_have_value(
            "Beside the date"
        )
        reach(page, schema.get_by_role("button", name="Edit as JSON"))
        page.keyboard.press("Enter")
        expect(schema.get_by_label("Arguments as JSON")).to_be_focused()
        check_accessibility(page)
        reach(page, schema.get_by_role("button", name="Approve with changes"))
        page.keyboard.press("Enter")
        for card in ("Create prompt", "Run prompt"):
            expect(page.get_by_role("group", name=f"Needs your approval: {card}")).to_be_focused()
            page.keyboard.press("a")
        expect(message_field(page)).to_be_focused()
        expect(log(page)).to_contain_text("with changes")
        results = page.get_by_role("tabpanel")
        reach(page, results.get_by_role("button", name=re.compile("^Invoice number: 2041")), "Shift+Tab")
        page.keyboard.press("Enter")
        page.keyboard.type("2041-B")
        page.keyboard.press("Enter")
        corrected = results.get_by_role("button", name=re.compile("^Invoice number: 2041-B"))
        expect(corrected).to_be_focused()
        section = results.get_by_role("region", name="Invoice", exact=True)
        reach(page, section.get_by_role("button", name="Verify all"), "Shift+Tab")
        page.keyboard.press("Enter")
        expect(section.get_by_role("button", name="Verify all")).to_have_count(0)
        with page.expect_download():
            reach(page, section.get_by_role("button", name=re.compile("^Export .* as an Excel workbook")))
            page.keyboard.press("Enter")
        assert page.evaluate(CLICKS) == 0
        assert problems == []


def test_a_message_that_is_being_written_survives_a_reload(desk: tuple[Page, Stage]) -> None:
    page, _ = desk
    message_field(page).fill("Compare the totals with")
    page.reload()
    expect(message_field(page)).to_have_value("Compare the totals with")
    message_field(page).fill("")


def test_approve_reject_edit_and_always_allow(desk: tuple[Page, Stage]) -> None:
    page, stage = desk
    batch = calls(
        call("c1", "create_tag", name="one"),
        call("c2", "create_tag", name="two"),
        call("c3", "create_tag", name="three", color="#aabbcc"),
    )
    stage.provider.add(batch, "All three are settled.")
    say(page, "Make three tags")
    expect(cards(page)).to_have_count(3)
    expect(page.get_by_role("button", name="Approve all 3")).to_be_visible()
    expect(cards(page).first).to_be_focused()
    check_accessibility(page)

    page.keyboard.press("r")
    expect(cards(page).first.get_by_role("textbox")).to_be_focused()
    page.keyboard.type("not this one, please")
    page.keyboard.press("Enter")
    expect(cards(page)).to_have_count(2)
    expect(cards(page).first).to_be_focused()
    page.keyboard.press("e")
    field = page.get_by_label("Name", exact=True)
    expect(field).to_be_focused()
    expect(field).to_have_value("two")
    field.fill("second")
    check_accessibility(page)
    page.get_by_role("button", name="Approve with changes").click()
    expect(cards(page)).to_have_count(1)
    cards(page).get_by_role("button", name="More choices").click()
    page.get_by_role("menuitem", name="On this document").click()
    expect(log(page)).to_contain_text("All three are settled.")
    expect(message_field(page)).to_be_focused()
    expect(log(page)).to_contain_text("Rejected by you")
    expect(log(page)).to_contain_text("not this one, please")
    expect(log(page)).to_contain_text("with changes")
    expect(log(page)).to_contain_text("always from now on")
    assert tag_names(stage, page) == ["second", "three"]

    stage.provider.add(calls(call("c4", "create_tag", name="four")), "It ran at once.")
    say(page, "And a fourth")
    expect(log(page)).to_contain_text("It ran at once.")
    expect(log(page)).to_contain_text("allowed by your rule “always allow”")
    assert "four" in tag_names(stage, page)

    line = (
        log(page)
        .get_by_text("Created tag “four”")
        .locator("xpath=ancestor::div[contains(@class,'border')][1]")
    )
    line.get_by_role("button", name="Undo").click()
    expect(line).to_contain_text("undone")
    assert "four" not in tag_names(stage, page)
    rules = Caller(stage.server).call("GET", f"/v0/orgs/{organization_id(page)}/agent/rules")["rules"]
    for rule in rules:
        Caller(stage.server).call("DELETE", f"/v0/orgs/{organization_id(page)}/agent/rules/{rule['id']}")


def test_allow_all_still_shows_the_cards_and_by_which_rule(desk: tuple[Page, Stage]) -> None:
    page, stage = desk
    page.get_by_role("button", name="Approvals").click()
    page.get_by_role("radio", name="Ask, except for some").check()
    expect(page.get_by_role("checkbox", name="Create tag")).to_be_visible()
    expect(page.get_by_text("Never ask, because they only read")).to_be_visible()
    check_accessibility(page)
    page.get_by_role("radio", name="Allow all changes").check()
    page.keyboard.press("Escape")
    look_into(page, page.get_by_role("button", name="Model"), page.get_by_role("button", name="Tools"))
    stage.provider.add(calls(call("c1", "create_tag", name="unasked")), "Made it.")
    say(page, "Make a tag")
    expect(log(page)).to_contain_text("Made it.")
    expect(log(page)).to_contain_text("Approved: allowed by the mode of this message")
    assert "unasked" in tag_names(stage, page)


def test_a_mention_shows_its_version_and_sends_its_id(desk: tuple[Page, Stage]) -> None:
    page, stage = desk
    made = Caller(stage.server).call(
        "POST", f"/v0/orgs/{organization_id(page)}/tags", {"name": "urgent matters", "color": "#aa0000"}
    )
    page.reload()
    field = message_field(page)
    field.press_sequentially("Put @urg")
    expect(page.get_by_role("option", name="urgent matters tag")).to_be_visible()
    check_accessibility(page)
    page.keyboard.press("Enter")
    expect(field).to_have_value("Put @urgent matters ")
    field.press_sequentially("on this")
    stage.provider.add("I see the tag.")
    page.keyboard.press("Enter")
    expect(log(page)).to_contain_text("I see the tag.")
    asked = json.dumps(stage.provider.requests[-1].body)
    assert "Put @urgent matters on this" in asked
    assert made["id"] in asked, "the model is told which tag is meant"


def test_stop_keeps_what_was_said(desk: tuple[Page, Stage]) -> None:
    page, stage = desk
    stage.provider.add(Raw(held("Once upon a time there was a long answer.")))
    say(page, "Tell me a story")
    expect(log(page)).to_contain_text("Once upon")
    expect(page.get_by_role("status").filter(has_text="Working, step 1 of at most 10")).to_be_visible()
    page.get_by_role("button", name="Stop").click()
    expect(log(page)).to_contain_text("You stopped the agent here.")
    expect(log(page)).to_contain_text("Once upon")
    expect(page.get_by_role("button", name="Stop")).to_have_count(0)
    expect(message_field(page)).to_be_focused()


def test_reload_while_it_speaks_and_while_it_waits_and_a_second_tab(desk: tuple[Page, Stage]) -> None:
    page, stage = desk
    speech = held("The first words, and after many others at last the final ones.")
    stage.provider.add(Raw(speech))
    say(page, "Speak slowly")
    expect(log(page)).to_contain_text("The first words")
    page.reload()
    expect(log(page)).to_contain_text("Speak slowly")
    expect(log(page)).to_contain_text("The first words")
    with page.expect_popup() as popup:
        page.evaluate("() => void window.open(location.href)")
    second = popup.value
    expect(log(second)).to_contain_text("The first words")
    for tab in (page, second):
        expect(tab.get_by_role("button", name="Stop")).to_be_visible()
    speech.go_on()
    for tab in (page, second):
        expect(log(tab)).to_contain_text("at last the final ones.")
        expect(log(tab).get_by_text("The first words")).to_have_count(1)

    stage.provider.add(calls(call("c1", "create_tag", name="from a tab")), "Made by the other tab.")
    say(page, "Make a tag")
    expect(cards(page)).to_have_count(1)
    expect(cards(second)).to_have_count(1)
    page.reload()
    expect(cards(page)).to_have_count(1)
    second.bring_to_front()
    cards(second).get_by_role("button", name="Approve").click()
    for tab in (page, second):
        expect(log(tab)).to_contain_text("Made by the other tab.")
        expect(cards(tab)).to_have_count(0)
    second.close()


def test_a_question_takes_the_focus_and_is_answered_by_a_button(desk: tuple[Page, Stage]) -> None:
    page, stage = desk
    question = call("q1", "request_input", question="Which total do you mean?", choices=["Net", "Gross"])
    stage.provider.add(calls(question), "Gross it is.")
    say(page, "What is the total?")
    card = page.get_by_role("group", name="The agent asks: Which total do you mean?")
    expect(card).to_be_focused()
    check_accessibility(page)
    card.get_by_role("button", name="Gross").click()
    expect(log(page)).to_contain_text("Gross it is.")
    expect(log(page)).to_contain_text("You: Gross")
    expect(message_field(page)).to_be_focused()


def test_a_plan_is_changed_and_followed(desk: tuple[Page, Stage]) -> None:
    page, stage = desk
    page.get_by_role("button", name="Model", exact=False).click()
    page.get_by_label("Strategy", exact=True).select_option("plan-and-execute")
    check_accessibility(page)
    page.keyboard.press("Escape")
    stage.provider.add('{"steps": ["Look at the tags", "Tell"]}', "I looked.", "There are some tags.")
    say(page, "Tell me about the tags")
    plan = page.get_by_role("group", name="Needs your approval: a plan with 2 steps")
    expect(plan).to_be_focused()
    check_accessibility(page)
    page.keyboard.press("e")
    page.get_by_label("One step on each line").fill("Look at the tags\nTell in one sentence")
    page.get_by_role("button", name="Follow these steps").click()
    expect(log(page)).to_contain_text("Tell in one sentence")
    expect(log(page)).to_contain_text("There are some tags.")
    expect(log(page)).to_contain_text("Approved by you")
    page.get_by_role("button", name="Model", exact=False).click()
    page.get_by_label("Strategy", exact=True).select_option("")


def test_an_error_says_what_is_kept_and_an_earlier_message_is_sent_again(desk: tuple[Page, Stage]) -> None:
    page, stage = desk
    stage.provider.add(Refusal(401, {"error": {"message": "Incorrect API key"}}))
    say(page, "First try")
    expect(log(page).get_by_role("alert")).to_contain_text("What was done before is kept.")
    expect(log(page).get_by_role("button", name="Try again")).to_be_visible()
    expect(log(page).get_by_role("link", name="Open the provider")).to_be_visible()
    check_accessibility(page)
    stage.provider.add("Better now.")
    log(page).get_by_text("First try").hover()
    page.get_by_role("button", name="Edit and send again").click()
    expect(message_field(page)).to_have_value("First try")
    message_field(page).fill("Second try")
    page.keyboard.press("Enter")
    expect(log(page)).to_contain_text("Better now.")
    expect(log(page).get_by_text("First try")).to_have_count(0)
    expect(log(page).get_by_role("alert")).to_have_count(0)
    a_failed_extraction_leads_to_what_helps(page, stage)


def a_failed_extraction_leads_to_what_helps(page: Page, stage: Stage) -> None:
    """What is offered fits the failure: at once, and after a reload by what the server keeps of it."""
    stage.provider.add(Refusal(401, {"error": {"message": "Incorrect API key"}}))
    page.get_by_role("tab", name="Extraction").click()
    page.get_by_role("button", name="Run again").click()
    for _ in range(2):
        note = page.get_by_role("alert")
        expect(note.get_by_role("link", name="Open the provider")).to_be_visible()
        expect(note.get_by_role("button", name="Try again")).to_have_count(0)
        assert note.get_by_role("paragraph").evaluate("text => text.clientWidth") > READABLE_PX
        check_accessibility(page)
        page.reload()
    stage.provider.add(
        '{"document_type": "invoice", "document_date": null, "summary": "An invoice of today."}'
    )
    page.get_by_role("button", name="Run again").click()
    expect(page.get_by_role("tabpanel")).to_contain_text("An invoice of today.")
    expect(page.get_by_role("tabpanel").get_by_role("alert")).to_have_count(0)


def test_conversations_are_found_renamed_exported_and_deleted(desk: tuple[Page, Stage]) -> None:
    page, stage = desk
    stage.provider.add(
        say_and_call("**Hello**, see [the tag list](tag:65f0c0ffee65f0c0ffee65f0).", thinking="Let me greet.")
    )
    say(page, "A conversation to find")
    expect(log(page).get_by_role("link", name="the tag list")).to_be_visible()
    log(page).get_by_role("button", name="Thought").click()
    expect(log(page)).to_contain_text("Let me greet.")
    page.get_by_role("button", name="Conversation: A conversation to find").click()
    page.get_by_label("Find a conversation").fill("to find")
    page.get_by_role("button", name="Rename A conversation to find").click()
    page.get_by_label("New title").fill("Found")
    page.keyboard.press("Enter")
    page.get_by_label("Find a conversation").fill("")
    expect(page.get_by_role("button", name="Found", exact=True)).to_be_visible()
    check_accessibility(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="Export Found").click()
    assert download.value.suggested_filename == "Found.json"
    page.get_by_role("button", name="Delete Found").click()
    page.get_by_role("group", name="Delete Found?").get_by_role("button", name="Delete").click()
    expect(page.get_by_role("button", name="Delete Found")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.get_by_role("list", name="Things to try")).to_be_visible()


def test_the_inbox_answers_and_the_activity_tells(desk: tuple[Page, Stage]) -> None:
    page, stage = desk
    document = document_of(page)
    stage.provider.add(calls(call("c1", "create_tag", name="from the inbox")), "Done from afar.")
    say(page, "Make a tag for the inbox")
    expect(cards(page)).to_have_count(1)
    page.get_by_role("link", name=re.compile(r"Inbox\W+\d+ waiting")).click()
    expect(page.get_by_role("heading", name="Inbox", level=1)).to_be_visible()
    expect(page.get_by_text("You asked: Make a tag for the inbox")).to_be_visible()
    expect(cards(page)).to_be_focused()
    check_accessibility(page)
    page.keyboard.press("a")
    expect(page.get_by_text("Nothing waits for you.")).to_be_visible()
    expect(page.get_by_role("link", name="Inbox", exact=True)).to_be_visible()
    check_accessibility(page)

    go_to(page, "activity")
    entry = page.get_by_role("row", name="Created tag “from the inbox”")
    expect(entry).to_contain_text("done")
    entry.get_by_role("button", name="Details").click()
    details = page.get_by_role("table", name="Activity")
    expect(details).to_contain_text("Approved by")
    expect(details).to_contain_text(MODEL)
    check_accessibility(page)
    look_into(page, page.get_by_role("button", name="All documents"))
    go_to(page, f"documents/{document}?tab=agent")
    expect(log(page)).to_contain_text("Done from afar.")


def test_on_a_phone_in_the_dark(desk: tuple[Page, Stage]) -> None:
    """In the light, all of it is looked at by other tests, and a theme changes colours alone."""
    page, stage = desk
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size({"width": 360, "height": 740})
    stage.provider.add(calls(call("c1", "create_tag", name="on a phone")), "Small but whole.")
    open_agent(page)
    say(page, "Make a tag")
    card = cards(page)
    expect(card).to_be_visible()
    expect(card.get_by_role("button", name="Approve")).to_be_in_viewport()
    check_accessibility(page)
    card.get_by_role("button", name="Approve").click()
    expect(log(page)).to_contain_text("Small but whole.")
    check_accessibility(page)
    for path in ("inbox", "activity"):
        go_to(page, path)
        expect(page.get_by_role("heading", name=path.capitalize(), level=1)).to_be_visible()
        expect(page.get_by_text("Loading")).to_have_count(0)
        fits_the_window(page)
        check_accessibility(page)


def test_nothing_moves_while_text_comes(desk: tuple[Page, Stage]) -> None:
    page, stage = desk
    stage.provider.add("# A long answer\n\n" + "\n\n".join(f"Paragraph {number}." for number in range(60)))
    say(page, "Write much")
    expect(log(page)).to_contain_text("Paragraph 59.")
    speech = held("\n\n".join(f"Line {number}." for number in range(40)))
    stage.provider.add(Raw(speech))
    say(page, "More, slowly")
    expect(log(page)).to_contain_text("Line 0.")
    composer = message_field(page).bounding_box()
    log(page).evaluate("element => { element.scrollTop = 40 }")
    newest = page.get_by_role("button", name="To the newest")
    expect(newest).to_have_count(0)
    log(page).hover()
    turn_wheel(page, -10_000, until=newest.is_visible)
    expect(log(page).get_by_text("Write much")).to_be_in_viewport()
    place = log(page).get_by_text("Paragraph 3.").bounding_box()
    speech.go_on()
    expect(log(page)).to_contain_text("Line 39.")
    expect(page.get_by_role("button", name="Stop")).to_have_count(0)
    assert log(page).get_by_text("Paragraph 3.").bounding_box() == place
    assert message_field(page).bounding_box() == composer
    newest.click()
    expect(log(page).get_by_text("Line 39.")).to_be_in_viewport()


def test_a_call_shows_itself_while_it_is_written_and_all_are_approved_below(desk: tuple[Page, Stage]) -> None:
    page, stage = desk
    fields = {f"field_{number}": {"type": "string"} for number in range(30)}
    body = {"type": "object", "properties": fields, "required": [*fields], "additionalProperties": False}
    format = {"type": "json_schema", "json_schema": {"name": "much", "strict": True, "schema": body}}
    writing = held(
        say_and_call(
            "I write.",
            call("c1", "create_schema", name="Much", response_format=format),
            call("c2", "create_tag", name="much"),
            thinking="First the fields.\nThen the tag.",
        )
    )
    stage.provider.add(Raw(writing), "Both are there.")
    say(page, "Make a schema and a tag")
    expect(log(page).get_by_text(re.compile(r"^Writing schema “Much”, \d+ fields$"))).to_be_visible()
    check_accessibility(page)
    writing.go_on()
    expect(cards(page)).to_have_count(2)
    expect(log(page).get_by_text("Writing schema")).to_have_count(0)
    both = page.get_by_role("button", name="Approve all 2")
    expect(both).to_be_in_viewport()
    log(page).evaluate("element => { element.scrollTop = 0 }")
    expect(both).to_be_in_viewport()
    check_accessibility(page)
    both.click()
    expect(log(page)).to_contain_text("Both are there.")
