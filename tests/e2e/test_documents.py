"""A newcomer's first minutes: the printed link, a sample, files of their own, tags, search, delete."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.support.browser.web import (
    add_sample,
    check_accessibility,
    fits_the_window,
    go_to,
    look_into,
    printed_link,
    sign_in,
    turn_wheel,
    upload,
)
from tests.support.made.documents import pdf
from tests.support.services.server import RunningServer, running_server

RUNS_EXTRACTION = re.compile(r"/llm/run/")

BELOW_TOASTS = """() => {
  scrollTo(0, document.documentElement.scrollHeight);
  const strip = document.querySelector("button[aria-label=Dismiss]").closest("[role=status]").getBoundingClientRect();
  return [...document.querySelectorAll("main :is(a, button, input)")].filter((control) => {
    const its = control.getBoundingClientRect();
    return its.height > 0 && its.bottom > strip.top;
  }).map((control) => control.outerHTML.slice(0, 120));
}"""
"""The controls that cannot be seen for the toasts, however far one scrolls."""


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    with running_server() as running:
        yield running


def test_a_newcomer_sees_a_result_in_a_minute(
    server: RunningServer, visit: tuple[Page, list[str]], tmp_path: Path
) -> None:
    page, problems = visit
    page.goto(printed_link(server))
    expect(page.get_by_role("heading", name="Home", level=1)).to_be_visible()
    assert "once" not in page.url
    expect(page.get_by_text("Drop documents here")).to_be_visible()
    check_accessibility(page)

    add_sample(page, "An invoice")
    invoice = page.get_by_role("row", name="Invoice 2041.pdf")
    expect(invoice.get_by_text("Summarised")).to_be_visible()
    expect(invoice.get_by_text("14 Mar 2026")).to_be_visible()
    assert problems == []

    good = tmp_path / "Offer of Lindqvist.pdf"
    good.write_bytes(pdf(["An offer", "Total 12.50"]))
    bad = tmp_path / "setup.exe"
    bad.write_bytes(b"MZ")
    upload(page, bad, good)
    offer = page.get_by_role("row", name=good.name)
    expect(offer).to_be_visible()
    an_unreadable_file_is_told_and_dismissed(page, bad.name)

    offer.get_by_role("button", name=f"Tag {good.name}").click()
    page.get_by_role("textbox", name="Find or name a tag").fill("offers")
    page.keyboard.press("Enter")
    expect(page.get_by_role("checkbox", name="offers")).to_be_checked()
    page.keyboard.press("Escape")
    expect(offer.get_by_text("offers")).to_be_visible()

    page.keyboard.press("/")
    expect(page.get_by_role("searchbox")).to_be_focused()
    page.keyboard.type("lindq")
    expect(page.get_by_role("row", name="Invoice 2041.pdf")).to_have_count(0)
    expect(offer).to_be_visible()
    page.reload()
    expect(offer.get_by_text("offers")).to_be_visible()
    expect(page.get_by_role("row", name="Invoice 2041.pdf")).to_have_count(0)
    words_are_found_inside(page, good.name)
    expect(page.get_by_role("row", name="Invoice 2041.pdf")).to_be_visible()

    offer.get_by_role("button", name=f"Actions for {good.name}").click()
    page.get_by_role("menuitem", name="Rename").click()
    page.get_by_label("New name").fill("Offer 7.pdf")
    page.keyboard.press("Enter")
    renamed = page.get_by_role("row", name="Offer 7.pdf")
    expect(renamed).to_be_visible()
    renamed.get_by_role("button", name="Actions for Offer 7.pdf").click()
    page.get_by_role("menuitem", name="Delete").click()
    renamed.get_by_role("button", name="Delete", exact=True).click()
    expect(renamed).to_have_count(0)
    assert problems == []


def an_unreadable_file_is_told_and_dismissed(page: Page, name: str) -> None:
    uploads = page.get_by_role("region", name="Uploads")
    expect(uploads.get_by_role("alert")).to_contain_text(".exe cannot be read. What can be read: PDF, Word")
    expect(uploads.get_by_role("button", name=f"Try {name} again")).to_have_count(0)
    check_accessibility(page)
    uploads.get_by_role("button", name=f"Dismiss {name}").click()
    expect(uploads).to_have_count(0)


def words_are_found_inside(page: Page, name: str) -> None:
    page.get_by_role("searchbox").fill("total 12.50")
    expect(page.get_by_role("row", name=name)).to_have_count(0)
    inside = page.get_by_role("region", name="In texts and values").get_by_role("link", name=name)
    expect(inside.locator("mark").first).to_have_text("Total")
    check_accessibility(page)
    page.get_by_role("button", name="Show all").click()
    expect(page.get_by_role("row", name=name).locator("img")).to_be_visible()
    look_into(
        page,
        page.get_by_role("button", name="Tags", exact=True),
        page.get_by_role("button", name=f"Actions for {name}"),
    )


def test_the_link_works_once_and_says_so(server: RunningServer, visit: tuple[Page, list[str]]) -> None:
    page, problems = visit
    page.goto(printed_link(server))
    used_before = page.get_by_role("alert")
    expect(page.get_by_role("heading", name="Home", level=1).or_(used_before)).to_be_visible()
    page.context.clear_cookies()
    page.goto(printed_link(server))
    expect(page.get_by_role("alert")).to_contain_text("already used or is too old")
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
    assert "once" not in page.url
    check_accessibility(page)
    assert problems == []


def test_several_documents_at_once_and_files_that_are_dropped(
    server: RunningServer, visit: tuple[Page, list[str]]
) -> None:
    page, problems = visit
    sign_in(page, server)
    sample, invoice = (
        page.get_by_role("button", name="An invoice"),
        page.get_by_role("row", name="Invoice 2041.pdf"),
    )
    expect(sample.or_(invoice).first).to_be_visible()
    if sample.is_visible():
        add_sample(page, "An invoice")
    expect(invoice).to_be_visible()
    page.evaluate(
        """() => {
          const files = new DataTransfer();
          for (const name of ["one.txt", "two.txt"]) files.items.add(new File(["Some text of " + name], name));
          window.dragged = files;
          window.dispatchEvent(new DragEvent("dragenter", {dataTransfer: files, cancelable: true}));
        }"""
    )
    expect(page.get_by_text("Let go to upload 2 files")).to_be_visible()
    page.evaluate(
        "() => window.dispatchEvent(new DragEvent('drop', {dataTransfer: window.dragged, cancelable: true}))"
    )
    for name in ("one.txt", "two.txt"):
        row = page.get_by_role("row", name=name)
        expect(row.get_by_text("Summarised")).to_be_visible()
        row.get_by_role("checkbox").check()
    bulk = page.get_by_role("group", name="Selected documents")
    expect(bulk).to_contain_text("2 selected")
    check_accessibility(page)
    tag_while_little_is_seen(page, bulk)
    for name in ("one.txt", "two.txt"):
        expect(page.get_by_role("row", name=name).get_by_text("batch")).to_be_visible()

    with page.expect_response(RUNS_EXTRACTION) as first:
        bulk.get_by_role("button", name="Run extraction again").click()
    assert first.value.ok
    expect(bulk).to_contain_text("2 selected")
    for name in ("one.txt", "two.txt"):
        row = page.get_by_role("row", name=name)
        expect(row.get_by_text("Summarised")).to_be_visible()
    with page.expect_download() as download:
        bulk.get_by_role("button", name="Download").click()
    assert download.value.suggested_filename == "2 documents.zip"
    with zipfile.ZipFile(download.value.path()) as archive:
        contents = {name: archive.read(name).decode() for name in archive.namelist()}
    assert contents == {name: f"Some text of {name}" for name in ("one.txt", "two.txt")}

    expect(bulk).to_contain_text("2 selected")
    bulk.get_by_role("button", name="Delete").click()
    question = page.get_by_role("group", name="Delete 2 documents with their text and results?")
    question.get_by_role("button", name="Delete").click()
    expect(page.get_by_role("row", name="one.txt")).to_have_count(0)
    expect(page.get_by_role("row", name="two.txt")).to_have_count(0)

    page.get_by_role("button", name="More documents to add").click()
    page.get_by_role("menuitem", name="A scanned receipt").click()
    expect(page.get_by_role("row", name="Receipt.png").first).to_be_visible()
    assert problems == []


def tag_while_little_is_seen(page: Page, bulk: Locator) -> None:
    """In a low window the bar stays in view while one scrolls, and what is said below lies on nothing."""
    look_into(
        page,
        bulk.get_by_role("button", name="Add tags"),
        page.get_by_role("button", name="More documents to add"),
    )
    page.set_viewport_size({"width": 1280, "height": 300})
    turn_wheel(page, 4000, until=lambda: page.evaluate("scrollY > 0"))
    expect(page.get_by_role("heading", name="Documents", level=1)).not_to_be_in_viewport()
    expect(bulk).to_be_in_viewport(ratio=1)

    bulk.get_by_role("button", name="Add tags").click()
    page.get_by_role("textbox", name="Find or name a tag").fill("batch")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Add to 2 documents").click()
    expect(page.get_by_text("Tagged 2 documents.")).to_be_visible()
    assert page.evaluate(BELOW_TOASTS) == []
    page.set_viewport_size({"width": 1280, "height": 800})


def test_every_page_is_accessible_in_the_dark_and_on_a_phone(
    server: RunningServer, visit: tuple[Page, list[str]]
) -> None:
    page, problems = visit
    page.emulate_media(color_scheme="dark")
    page.goto(server.url)
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    check_in_both_widths(page)
    sign_in(page, server)
    for path, heading in (("documents", "Documents"), ("tags", "Tags")):
        go_to(page, path)
        expect(page.get_by_role("heading", name=heading, level=1)).to_be_visible()
        expect(page.get_by_text("Loading")).to_have_count(0)
        check_in_both_widths(page)
    assert problems == []


def check_in_both_widths(page: Page) -> None:
    for width in (1280, 360):
        page.set_viewport_size({"width": width, "height": 740})
        fits_the_window(page)
        check_accessibility(page)
