"""Projects of living documents in a browser: written by hand and by the built-in model."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.support.agent import call, calls
from tests.support.browser.agent_page import Caller, Stage, as_newcomer, cards, message_field, say
from tests.support.browser.chrome import browser_page
from tests.support.browser.project_page import PLAN, Place, edit, editor, save, text_of
from tests.support.browser.web import (
    check_accessibility,
    fits_the_window,
    go_to,
    look_into,
    open_session,
    sign_in,
)
from tests.support.made.documents import base64_of, pdf
from tests.support.services.server import RunningServer

REPLACE = "Replace 'May' with 'June' in Plan"


def log(page: Page) -> Locator:
    return page.get_by_role("log", name="Conversation")


def expect_done(page: Page) -> None:
    """What is said before that is said while the agent works, to the turn that is about to end."""
    expect(page.get_by_role("button", name="Stop")).to_have_count(0)


def test_a_newcomer_writes_a_document_and_the_agent_changes_it(
    browser: Browser, deployment: RunningServer
) -> None:
    with browser_page(browser) as (page, problems):
        sign_in(page, as_newcomer(deployment))
        page.get_by_role("link", name="Projects").click()
        expect(page.get_by_text("A project keeps documents")).to_be_visible()
        check_accessibility(page)
        page.get_by_role("button", name="Create project").click()
        page.get_by_label("Name").fill("The move")
        page.get_by_label("Description").fill("To Harbour Street")
        check_accessibility(page)
        page.get_by_role("button", name="Create project").click()

        expect(page.get_by_role("heading", name="The move", level=1)).to_be_visible()
        expect(page.get_by_role("list", name="Things to try")).to_contain_text("Which documents are there?")
        check_accessibility(page)
        page.get_by_label("Name of the first document").fill("Plan")
        page.get_by_role("button", name="Create document").click()
        expect(editor(page)).to_be_focused()
        editor(page).fill(PLAN)
        page.get_by_label("Reason, for the history").fill("The first draft")
        check_accessibility(page)
        save(page)
        expect(text_of(page)).to_contain_text("We begin in May")
        expect(text_of(page).get_by_role("img", name="done")).to_be_visible()
        expect(text_of(page).get_by_role("heading", name="Costs")).to_be_visible()
        check_accessibility(page)

        say(page, REPLACE)
        card = cards(page)
        expect(card).to_be_focused()
        expect(card.get_by_role("region", name="The text", exact=True)).to_contain_text("June")
        expect(page.locator(".suggested")).to_have_text("We begin in May, when the lease ends.")
        check_accessibility(page)
        page.keyboard.press("a")
        expect(text_of(page)).to_contain_text("We begin in June")
        expect(page.locator(".suggested")).to_have_count(0)
        expect(message_field(page)).to_be_focused()

        page.get_by_role("button", name="History").click()
        versions = page.get_by_role("list", name="Versions")
        expect(versions.get_by_role("listitem")).to_have_count(3)
        newest, second = versions.get_by_role("listitem").nth(0), versions.get_by_role("listitem").nth(1)
        expect(newest).to_contain_text("by the agent")
        expect(newest.get_by_role("region", name="What version 3 changed")).to_contain_text("June")
        expect(second).to_contain_text("by you")
        expect(second).to_contain_text("The first draft")
        check_accessibility(page)
        page.get_by_role("button", name="Restore version 2").click()
        expect(versions.get_by_role("listitem")).to_have_count(4)
        expect(versions.get_by_role("listitem").nth(0)).to_contain_text("Back to version 2")
        page.get_by_role("button", name="History").click()
        expect(text_of(page)).to_contain_text("We begin in May")
        assert problems == []


def test_a_change_is_rejected_then_undone_and_then_always_allowed(place: Place) -> None:
    page = place.page
    say(page, REPLACE)
    expect(cards(page)).to_be_focused()
    page.keyboard.press("r")
    expect(cards(page).get_by_role("textbox")).to_be_focused()
    page.keyboard.type("It stays in May")
    page.keyboard.press("Enter")
    expect(log(page)).to_contain_text("Rejected by you")
    expect(log(page)).to_contain_text("It stays in May")
    expect(text_of(page)).to_contain_text("We begin in May")
    expect(message_field(page)).to_be_focused()
    assert place.stored()["version"] == 1

    expect_done(page)
    say(page, REPLACE)
    cards(page).get_by_role("button", name="Approve").click()
    expect(text_of(page)).to_contain_text("We begin in June")
    log(page).get_by_role("button", name="Undo").click()
    expect(text_of(page)).to_contain_text("We begin in May")
    expect(log(page)).to_contain_text("undone")

    expect_done(page)
    say(page, REPLACE)
    cards(page).get_by_role("button", name="More choices").click()
    page.get_by_role("menuitem", name="In this project").click()
    expect(text_of(page)).to_contain_text("We begin in June")
    expect(message_field(page)).to_be_focused()
    expect_done(page)
    say(page, "Replace 'June' with 'July' in Plan")
    expect(text_of(page)).to_contain_text("We begin in July")
    expect(log(page)).to_contain_text("allowed by your rule “always allow”")


def test_what_is_meant_is_the_open_document_and_yes_or_no_in_words_decides(place: Place) -> None:
    page = place.page
    place.caller.call(
        "POST", f"{place.api}/documents", {"name": "acorn", "content": "# acorn\n\n## Costs\n\nAll.\n"}
    )
    place.open(f"?document={place.plan}")
    expect(text_of(page)).to_contain_text("We begin in May")
    send = page.get_by_role("button", name="Send", exact=True)

    say(page, "remove the Costs section from this document")
    expect(cards(page)).to_contain_text("Plan")
    message_field(page).fill("yes, but only the van")
    expect(send).to_be_disabled()
    expect(page.get_by_text("Only yes or no decides here.")).to_be_visible()
    page.keyboard.press("Enter")
    expect(cards(page)).to_have_count(1)
    check_accessibility(page)
    message_field(page).fill("Yes!")
    page.keyboard.press("Enter")
    expect(text_of(page).get_by_role("heading", name="Costs")).to_have_count(0)
    expect(message_field(page)).to_have_value("")

    say(page, "delete acron")
    question = page.get_by_role("group", name=re.compile("Did you mean “acorn”"))
    question.get_by_role("button", name="acorn").click()
    expect(cards(page)).to_contain_text("Delete document “acorn”")
    message_field(page).fill("nein")
    page.keyboard.press("Enter")
    expect(log(page)).to_contain_text("I did not delete the document")
    expect(send).to_be_visible()
    expect(page.get_by_role("list", name="Documents", exact=True)).to_contain_text("acorn")

    message_field(page).fill("outline of ")
    message_field(page).press_sequentially("@aco")
    page.get_by_role("option", name="acorn").click()
    page.keyboard.press("Enter")
    expect(log(page)).to_contain_text("“acorn” has 2 headings")


def test_another_document_that_the_agent_makes_is_linked(place: Place) -> None:
    page = place.page
    expect(text_of(page)).to_contain_text("We begin")
    say(page, "Create a document called Letter with: We stay until June.")
    cards(page).get_by_role("button", name="Approve").click()
    expect(page.get_by_role("list", name="Documents", exact=True)).to_contain_text("Letter")
    expect(text_of(page)).to_contain_text("We begin")
    log(page).get_by_role("link", name="Open Letter").click()
    expect(text_of(page, "Letter")).to_contain_text("We stay until June")
    expect(log(page).get_by_role("link", name="Open Letter")).to_have_count(0)
    page.reload()
    expect(text_of(page, "Letter")).to_contain_text("We stay until June")


def test_what_somebody_else_saved_meanwhile_is_not_overwritten(place: Place) -> None:
    page = place.page
    edit(page).fill("Mine.\n")
    place.change_elsewhere("Theirs.\n", "A shorter text")
    save(page)
    behind = page.get_by_role("alert", name="Changed meanwhile")
    expect(behind).to_contain_text("version 2 meanwhile: A shorter text")
    expect(editor(page)).to_contain_text("Mine.")
    behind.get_by_role("button", name="Show its changes").click()
    expect(behind.get_by_role("region", name="From version 1 to version 2")).to_contain_text("Theirs.")
    check_accessibility(page)
    behind.get_by_role("button", name="Save mine on top").click()
    expect(text_of(page)).to_contain_text("Mine.")
    assert (place.stored()["version"], place.stored()["content"]) == (3, "Mine.\n")

    edit(page).fill("Mine again.\n")
    place.change_elsewhere("Theirs again.\n", "")
    save(page)
    behind.get_by_role("button", name="Take version 4").click()
    expect(editor(page)).to_contain_text("Theirs again.")
    page.get_by_role("button", name="Bring mine back").click()
    expect(editor(page)).to_contain_text("Mine again.")
    behind.get_by_role("button", name="Take version 4").click()
    page.get_by_role("button", name="Cancel").click()
    expect(text_of(page)).to_contain_text("Theirs again.")
    assert place.stored()["version"] == 4


def test_what_is_typed_stays_until_it_is_saved_or_dropped(place: Place) -> None:
    page = place.page
    edit(page).fill("Half a thought\n")
    page.get_by_role("button", name="History").click()
    expect(page.get_by_role("list", name="Versions")).to_be_visible()
    page.reload()
    page.get_by_role("button", name="History").click()
    expect(page.get_by_text("You left changes unsaved")).to_be_visible()
    expect(text_of(page)).to_contain_text("We begin in May")
    check_accessibility(page)
    page.get_by_role("button", name="Keep editing").click()
    expect(editor(page)).to_contain_text("Half a thought")
    page.get_by_role("button", name="Cancel").click()
    page.get_by_role("group", name="Drop your changes?").get_by_role("button", name="Drop them").click()
    expect(text_of(page)).to_contain_text("We begin in May")
    expect(page.get_by_text("You left changes unsaved")).to_have_count(0)
    page.reload()
    expect(text_of(page)).to_contain_text("We begin in May")
    expect(page.get_by_text("You left changes unsaved")).to_have_count(0)


def test_documents_are_made_renamed_and_deleted_in_the_list(place: Place) -> None:
    page = place.page
    documents = page.get_by_role("list", name="Documents", exact=True)
    page.get_by_role("button", name="Create a document", exact=True).click()
    page.get_by_label("Name of the new document").fill("plan")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("Plan")
    page.get_by_label("Name of the new document").fill("Costs")
    page.keyboard.press("Enter")
    expect(editor(page, "Costs")).to_be_focused()
    expect(documents.get_by_role("link", name="Costs")).to_have_attribute("aria-current", "page")

    look_into(
        page,
        page.get_by_role("button", name="More for Costs"),
        page.get_by_role("button", name="More for the documents"),
    )
    page.get_by_role("button", name="More for Costs").click()
    page.get_by_role("menuitem", name="Rename").click()
    page.get_by_label("New name").fill("Budget")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Budget", level=2)).to_be_visible()
    page.get_by_role("button", name="More for Budget").click()
    page.get_by_role("menuitem", name="Delete").click()
    question = page.get_by_role("group", name="Delete Budget with all its versions?")
    check_accessibility(page)
    question.get_by_role("button", name="Delete document").click()
    expect(documents.get_by_role("link")).to_have_count(1)
    expect(text_of(page)).to_contain_text("We begin in May")

    with page.expect_download() as download:
        page.get_by_role("button", name="Download as markdown").click()
    assert download.value.suggested_filename == "Plan.md"
    assert download.value.path().read_text() == PLAN


def test_standing_instructions_are_written_in_their_place(place: Place) -> None:
    page = place.page
    page.get_by_role("button", name="Standing instruction").click()
    page.get_by_role("button", name="Write it").click()
    page.get_by_role("textbox", name="Standing instruction").fill("Keep it short.")
    check_accessibility(page)
    page.reload()
    field = page.get_by_role("textbox", name="Standing instruction")
    expect(field).to_have_value("Keep it short.")
    save(page)
    expect(field).to_have_count(0)
    expect(page.get_by_role("article")).to_contain_text("Keep it short.")
    assert place.stored()["standing_instruction"] == "Keep it short."
    page.get_by_role("button", name="Instruction none").click()
    page.get_by_role("button", name="Write it").click()
    page.get_by_role("textbox", name="Instruction").fill("British spelling.")
    save(page)
    expect(page.get_by_role("region", name="Documents of the project")).to_contain_text("British spelling.")


def test_projects_are_found_renamed_and_deleted(place: Place, request: pytest.FixtureRequest) -> None:
    page, name = place.page, request.node.name
    page.get_by_role("heading", level=1).get_by_role("button").click()
    page.get_by_label("Name of the project").fill(f"{name}, renamed")
    page.get_by_role("button", name="Rename").click()
    expect(page.get_by_role("heading", name=f"{name}, renamed", level=1)).to_be_visible()
    page.get_by_role("link", name="Projects", exact=True).last.click()
    page.get_by_label("Search projects").fill(f"{name}, ren")
    rows = page.get_by_role("row").filter(has=page.get_by_role("link"))
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("1")
    check_accessibility(page)
    page.get_by_role("button", name=f"Delete {name}, renamed").click()
    question = page.get_by_role("group", name=f"Delete {name}, renamed with 1 document?")
    question.get_by_role("button", name="Keep").click()
    page.get_by_role("button", name=f"Delete {name}, renamed").click()
    question.get_by_role("button", name="Delete project").click()
    expect(page.get_by_text("No project matches.")).to_be_visible()


def test_the_inbox_leads_to_the_project_and_the_activity_names_it(
    place: Place, request: pytest.FixtureRequest
) -> None:
    page, name = place.page, request.node.name
    say(page, REPLACE)
    expect(cards(page)).to_be_visible()
    page.get_by_role("link", name=re.compile(r"Inbox\W+\d+ waiting")).click()
    item = page.get_by_role("region", name=name)
    expect(item).to_contain_text(f"You asked: {REPLACE}")
    check_accessibility(page)
    item.get_by_role("link", name=name).click()
    expect(page.get_by_role("heading", name=name, level=1)).to_be_visible()
    expect(cards(page)).to_be_visible()
    page.get_by_role("link", name=re.compile(r"Inbox\W+\d+ waiting")).click()
    item.get_by_role("button", name="Approve").click()
    expect(item).to_have_count(0)
    go_to(page, "activity")
    page.get_by_role("table", name="Activity").get_by_role("link", name=name).first.click()
    expect(text_of(page)).to_contain_text("We begin in June")


def test_in_the_dark_and_on_a_phone_one_pane_at_a_time(place: Place) -> None:
    """In the light, all of it is looked at by other tests, and a theme changes colours alone."""
    page = place.page
    page.emulate_media(color_scheme="dark")
    say(page, REPLACE)
    expect(cards(page)).to_be_visible()
    expect(page.locator(".suggested")).to_be_visible()
    check_accessibility(page)
    page.set_viewport_size({"width": 360, "height": 740})
    place.open()
    expect(page.get_by_role("tab", name="Documents")).to_have_attribute("aria-selected", "true")
    check_accessibility(page)
    page.get_by_role("link", name="Plan").click()
    expect(text_of(page)).to_contain_text("We begin in May")
    check_accessibility(page)
    page.get_by_role("tab", name="Agent").click()
    card = cards(page)
    expect(card.get_by_role("button", name="Approve")).to_be_in_viewport()
    check_accessibility(page)
    card.get_by_role("button", name="Approve").click()
    expect(cards(page)).to_have_count(0)
    page.get_by_role("tab", name="Text").click()
    expect(text_of(page)).to_contain_text("We begin in June")
    page.get_by_role("button", name="History").click()
    expect(page.get_by_role("region", name="What version 2 changed")).to_be_visible()
    check_accessibility(page)
    edit(page)
    check_accessibility(page)
    go_to(page, "projects")
    expect(page.get_by_role("table", name="Projects")).to_be_visible()
    check_accessibility(page)
    fits_the_window(page)


def test_a_document_deleted_by_hand_is_brought_back(place: Place) -> None:
    page = place.page
    expect(text_of(page)).to_contain_text("We begin in May")
    delete_plan(page)
    expect(page.get_by_text("There are none yet.")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(text_of(page)).to_contain_text("We begin in May")
    expect(page.get_by_role("status").get_by_text("Plan is back.")).to_be_visible()

    delete_plan(page)
    page.get_by_role("button", name="More for the documents").click()
    page.get_by_role("menuitem", name="Show deleted documents").click()
    deleted = page.get_by_role("region", name="Deleted documents")
    expect(deleted.get_by_role("listitem")).to_contain_text(
        re.compile(r"Plan.*deleted just now, \d days left")
    )
    check_accessibility(page)
    taken = place.caller.call("POST", f"{place.api}/documents", {"name": "Plan"})["id"]
    deleted.get_by_role("button", name="Bring back Plan").click()
    expect(page.get_by_role("alert")).to_contain_text("Another document of the project is named “Plan” now.")
    check_accessibility(page)
    place.caller.call("PUT", f"{place.api}/documents/{taken}", {"name": "Another"})
    deleted.get_by_role("button", name="Bring back Plan").click()
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(deleted).to_contain_text("Nothing here.")
    page.get_by_role("link", name="Plan").click()
    expect(text_of(page)).to_contain_text("We begin in May")
    assert place.stored()["version"] == 1
    deleted.get_by_role("button", name="Close the deleted documents").click()
    expect(deleted).to_have_count(0)


def delete_plan(page: Page) -> None:
    page.get_by_role("button", name="More for Plan").click()
    page.get_by_role("menuitem", name="Delete").click()
    page.get_by_role("button", name="Delete document").click()
    expect(page.get_by_role("link", name="Plan")).to_have_count(0)


def test_a_project_deleted_by_hand_is_brought_back(place: Place, request: pytest.FixtureRequest) -> None:
    page, name = place.page, request.node.name
    go_to(page, "projects")
    row = page.get_by_role("row").filter(has_text=name)
    for way in ("Undo", f"Bring back {name}"):
        page.get_by_role("button", name=f"Delete {name}").click()
        page.get_by_role("button", name="Delete project").click()
        expect(row).to_have_count(0)
        if way != "Undo":
            page.get_by_role("button", name="Show deleted projects").click()
            expect(page.get_by_role("region", name="Deleted projects")).to_contain_text("days left")
            check_accessibility(page)
        page.get_by_role("button", name=way, exact=True).click()
        expect(row).to_be_visible()
    place.open()
    expect(text_of(page)).to_contain_text("We begin in May")


def test_one_letter_typed_is_all_that_differs(place: Place) -> None:
    text = "# Plan\n\r\nWe begin in May.\r- van\r\n- desks"
    page = place.page
    place.change_elsewhere(text, "")
    place.open()
    edit(page).press("Control+Home")
    page.keyboard.type("§")
    page.keyboard.press("Backspace")
    expect(page.get_by_role("button", name="Save", exact=True)).to_have_attribute(
        "title", "Nothing has changed."
    )
    page.keyboard.type("§")
    save(page)
    expect(text_of(page)).to_contain_text("§")
    assert place.stored()["content"] == f"§{text}"


def test_the_card_of_a_rewrite_names_what_it_drops_and_says_how_much_more_there_is(
    browser: Browser, stage: Stage
) -> None:
    titles = ["Goals", "Costs", "People", "Risks", "Dates", "Rooms", "Tools", "End"]
    whole, half = (
        "\n".join(f"## {title}\n\nAll about it.\n\nAnd more.\n\nAnd this.\n" for title in kept)
        for kept in (titles, titles[:2] + titles[6:])
    )
    with browser_page(browser) as (page, problems):
        caller = Caller(stage.server, open_session(page, stage.server))
        projects = f"/v0/orgs/{caller.organization()}/projects"
        project = caller.call("POST", projects, {"name": "A rewrite"})["id"]
        caller.call("POST", f"{projects}/{project}/documents", {"name": "Plan", "content": whole})
        page.goto(f"{stage.server.url}{projects.removeprefix('/v0')}/{project}")
        stage.provider.forget()
        stage.provider.add(
            calls(call("c1", "rewrite_project_document", document="Plan", content=half, base_version=1))
        )
        say(page, "Shorten it")
        card = cards(page)
        expect(card).to_contain_text("drops the sections “People”, “Risks”, “Dates” and “Rooms”")
        expect(card).to_contain_text("32 lines removed, 0 added")
        expect(card).to_contain_text("More follows below this line.")
        check_accessibility(page)
        last = card.get_by_text("Rooms", exact=True)
        expect(last).not_to_be_in_viewport()
        card.get_by_role("button", name="Show all of it").click()
        expect(last).to_be_in_viewport()
        expect(card).to_contain_text("That is all of it.")
        check_accessibility(page)
        assert problems == []


def test_of_many_documents_only_those_in_view_are_drawn(place: Place) -> None:
    page = place.page
    for number in range(60):
        place.caller.call("POST", f"{place.api}/documents", {"name": f"Note {number}", "content": "x"})
    place.open(f"?document={place.plan}")
    documents = page.get_by_role("list", name="Documents", exact=True)
    last = documents.get_by_role("listitem").filter(has_text="Plan")
    menu = last.get_by_role("button", name="More for Plan")
    expect(last).to_have_text("Plan")
    expect(menu).to_have_count(0)
    check_accessibility(page)
    last.scroll_into_view_if_needed()
    menu.click()
    expect(page.get_by_role("menuitem", name="Rename")).to_be_visible()


def test_a_long_text_is_drawn_as_it_comes_into_view(place: Place) -> None:
    page = place.page
    filling = "Some words that go on. " * 200
    parts = "\n\n".join(f"## Part {number}\n\n{filling}" for number in range(20))
    place.change_elsewhere(f"{parts}\n\n## The end\n\nDone.\n", "")
    place.open()
    text = text_of(page)
    expect(text.get_by_role("heading", name="Part 0", exact=True)).to_be_visible()
    end = text.get_by_role("heading", name="The end")
    expect(end).to_have_count(0)
    expect(text).to_contain_text("## The end")
    check_accessibility(page)
    text.press("End")
    expect(end).to_be_in_viewport()


def test_a_passage_whose_value_changed_is_marked_and_brought_up_to_date(place: Place) -> None:
    page, org = place.page, place.api.partition("/projects")[0]
    upload = {"documents": [{"name": "offer.pdf", "content": base64_of(pdf(["Offer 42 of ACME"]))}]}
    source = place.caller.call("POST", f"{org}/documents", upload)["documents"][0]["document_id"]
    result = f"{org}/llm/result/{source}?prompt_revid=default"
    state = f"{org}/documents/{source}?include_content=false"
    place.caller.wait_for(
        lambda: place.caller.call("GET", state)["state"] in ("ocr_completed", "llm_completed")
    )
    place.caller.call("POST", f"{org}/llm/run/{source}?prompt_revid=default&force=true")
    place.caller.call("PATCH", result, {"path": "title", "value": "Offer 42"})
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"{place.address.partition('/projects')[0]}/documents/{source}?prompt=default&field=title")
    chosen = page.get_by_role("button", name=re.compile("^Title: Offer 42"))
    expect(chosen).to_have_attribute("aria-pressed", "true")
    chosen.focus()
    page.get_by_role("button", name="Copy Title as a citation").click()
    expect(page.get_by_text("Copied.")).to_be_visible()
    citation = page.evaluate("navigator.clipboard.readText()")
    place.change_elsewhere(f"# Plan\n\nWe take [{citation.partition('[')[2]}.\n", "cites the offer")
    place.open()
    link = text_of(page).get_by_role("link", name="Offer 42", exact=True)
    expect(link).to_have_attribute("title", "From offer.pdf, title")
    place.caller.call("PATCH", result, {"path": "title", "value": "Offer 43"})
    place.open()
    expect(text_of(page).get_by_role("link", name="Offer 42 (now Offer 43)")).to_be_visible()
    expect(page.get_by_role("list", name="Documents", exact=True)).to_contain_text("1 passage is stale")
    check_accessibility(page)
    page.get_by_role("button", name="Update the text").click()
    expect(text_of(page).get_by_role("link", name="Offer 43", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Update the text")).to_have_count(0)
    text_of(page).get_by_role("link", name="Offer 43", exact=True).click()
    expect(page.get_by_role("button", name=re.compile("^Title: Offer 43"))).to_have_attribute(
        "aria-pressed", "true"
    )


def test_some_hunks_are_accepted_and_some_are_not(browser: Browser, stage: Stage) -> None:
    edits = [
        {"find": "May", "replace": "June"},
        {"find": "Van", "replace": "Lorry"},
        {"append": "Ada comes along."},
    ]
    with browser_page(browser) as (page, problems):
        caller = Caller(stage.server, open_session(page, stage.server))
        projects = f"/v0/orgs/{caller.organization()}/projects"
        project = caller.call("POST", projects, {"name": "In parts"})["id"]
        plan = caller.call("POST", f"{projects}/{project}/documents", {"name": "Plan", "content": PLAN})["id"]
        stored = f"{projects}/{project}/documents/{plan}"
        page.goto(f"{stage.server.url}{projects.removeprefix('/v0')}/{project}")
        stage.provider.forget()
        stage.provider.add(
            calls(call("c1", "edit_project_document", document="Plan", edits=edits)), "Done in part."
        )
        say(page, "Improve it")
        card, text = cards(page), text_of(page)
        expect(card.get_by_role("list", name="Changes").get_by_role("listitem")).to_have_count(3)
        expect(text.get_by_role("group", name="Change 2 of 3")).to_contain_text("Lorry")
        check_accessibility(page)

        text.get_by_role("group", name="Change 2 of 3").get_by_role("button", name="Reject").click()
        in_card = card.get_by_role("group", name="Change 2 of 3")
        expect(in_card.get_by_role("button", name="Reject")).to_have_attribute("aria-pressed", "true")
        expect(in_card).to_contain_text("left out")
        expect(
            text.get_by_role("group", name="Proposed change").get_by_role("button", name="Approve 2 of 3")
        ).to_be_visible()
        check_accessibility(page)
        card.get_by_role("button", name="Approve 2 of 3").click()
        expect(log(page)).to_contain_text("Approved by you")
        expect(log(page)).to_contain_text("2 of 3 changes")
        expect(log(page)).to_contain_text("Done in part.")
        expect(text.get_by_role("group", name="Change 2 of 3")).to_have_count(0)
        expect(text).to_contain_text("We begin in June")
        expect(text).to_contain_text("Van")
        made = caller.call("GET", stored)
        assert made["content"] == PLAN.replace("May", "June") + "\nAda comes along.\n"
        assert made["version"] == 2
        told = str(stage.provider.requests[-1].body["messages"][-1])
        assert "not_accepted" in told
        assert "Lorry" in told

        # From the text alone, on a change that was shown again meanwhile.
        more = [{"find": "June", "replace": "July"}, {"find": "Desks", "replace": "Tables"}]
        stage.provider.add(calls(call("c2", "edit_project_document", document="Plan", edits=more)), "Good.")
        say(page, "More")
        bar = text.get_by_role("group", name="Proposed change")
        expect(bar).to_contain_text("in 2 places")
        caller.call("PUT", stored, {"content": f"By hand.\n\n{made['content']}"})
        bar.get_by_role("button", name="Approve", exact=True).click()
        expect(card).to_contain_text("This changed after you opened it")
        expect(text).to_contain_text("By hand.")
        text.get_by_role("group", name="Change 1 of 2").get_by_role("button", name="Reject").click()
        bar.get_by_role("button", name="Approve 1 of 2").click()
        expect(card).to_have_count(0)
        expect(text).to_contain_text("Tables")
        assert caller.call("GET", stored)["content"] == f"By hand.\n\n{made['content']}".replace(
            "Desks", "Tables"
        )
        assert [one for one in problems if "status of 409" not in one] == []


def test_a_save_on_an_old_version_is_merged_and_what_clashes_is_chosen(place: Place) -> None:
    page = place.page
    edit(page).press("Control+End")
    # Enter begins the next task, which stays empty.
    page.keyboard.type("- [ ] Chairs\n")
    theirs = PLAN.replace("May", "June")
    place.change_elsewhere(theirs, "A later start")
    save(page)
    merged = page.get_by_role("status", name="Merged")
    expect(merged).to_contain_text("Merged with version 2 by you: look and save.")
    expect(editor(page)).to_contain_text("We begin in June")
    expect(editor(page)).to_contain_text("Chairs")
    shown = merged.get_by_role("region", name="What saving would change in version 2")
    expect(shown).to_contain_text("Chairs")
    expect(shown).not_to_contain_text("May")
    assert place.stored()["version"] == 2
    check_accessibility(page)
    merged.get_by_role("button", name="Back to mine alone").click()
    expect(editor(page)).to_contain_text("We begin in May")
    behind = page.get_by_role("alert", name="Changed meanwhile")
    behind.get_by_role("button", name="Merge both").click()
    expect(merged).to_be_visible()
    save(page)
    expect(text_of(page)).to_contain_text("Chairs")
    both = f"{theirs}- [ ] Chairs\n- [ ] "
    assert (place.stored()["version"], place.stored()["content"]) == (3, both)

    edit(page).fill(both.replace("June", "July").replace("Chairs", "Stools"))
    place.change_elsewhere(both.replace("June", "August").replace("Van", "Lorry"), "")
    save(page)
    expect(behind).to_contain_text("Both changed the same lines in 1 place.")
    clash = behind.get_by_role("group", name="Place 1 of 1")
    expect(clash).to_contain_text("We begin in July")
    expect(clash).to_contain_text("We begin in August")
    expect(editor(page)).to_contain_text("We begin in July")
    check_accessibility(page)
    merge = behind.get_by_role("button", name="Merge", exact=True)
    expect(merge).to_have_attribute("title", "Choose in every place first.")
    clash.get_by_label("Keep both, yours first").check()
    clash.get_by_label("Take version 4").check()
    check_accessibility(page)
    merge.click()
    expect(merged).to_contain_text("version 4 by you: look and save")
    save(page)
    expect(text_of(page)).to_contain_text("We begin in August")
    expected = both.replace("June", "August").replace("Van", "Lorry").replace("Chairs", "Stools")
    assert (place.stored()["version"], place.stored()["content"]) == (5, expected)
