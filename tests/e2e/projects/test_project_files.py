"""Files and words in a project: folders dropped on it, its zip, documents in other projects, and what is found."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from docagent.domain.ids import new_id
from tests.support.browser.agent_page import Caller, say
from tests.support.browser.chrome import browser_page
from tests.support.browser.web import check_accessibility, go_to, open_session
from tests.support.made.markdown_files import BOM, variants
from tests.support.made.zips import files_of
from tests.support.services.server import RunningServer

LONG = "# Guide\n\n" + "".join(f"Paragraph {number} goes on and on.\n\n" for number in range(800))


class Place:
    """A project that no other test knows, and the page that shows it."""

    def __init__(self, page: Page, server: RunningServer) -> None:
        self.page, self.caller = page, Caller(server, open_session(page, server))
        self.projects = f"/v0/orgs/{self.caller.organization()}/projects"
        self.name = f"Files {new_id()}"
        self.api = self.project(self.name)
        self.address = f"{server.url}{self.api.removeprefix('/v0')}"

    def project(self, name: str) -> str:
        return f"{self.projects}/{self.caller.call('POST', self.projects, {'name': name})['id']}"

    def put(self, name: str, content: str) -> str:
        body = {"name": name, "content": content}
        return str(self.caller.call("POST", f"{self.api}/documents", body)["id"])

    def texts(self) -> dict[str, str]:
        listed = self.caller.call("GET", f"{self.api}/documents")["documents"]
        return {item["name"]: self.read(item["id"])["content"] for item in listed}

    def read(self, document: str) -> Any:
        return self.caller.call("GET", f"{self.api}/documents/{document}")

    def open(self, query: str = "") -> None:
        self.page.goto(f"{self.address}{query}")
        expect(self.page.get_by_role("heading", level=1)).to_have_text(self.name)

    @property
    def documents(self) -> Locator:
        return self.page.get_by_role("list", name="Documents", exact=True).get_by_role("listitem")


@pytest.fixture
def place(browser: Browser, server: RunningServer) -> Iterator[Place]:
    with browser_page(browser) as (page, problems):
        yield Place(page, server)
        expected = re.compile(r"request: .*/(events|threads)|status of 40[09]")
        assert [text for text in problems if not expected.search(text)] == []


def drop(page: Page, on: Locator, *paths: Path) -> None:
    """Let files or folders go over an element, as somebody who drags them from elsewhere."""
    box = on.bounding_box()
    assert box is not None
    session = page.context.new_cdp_session(page)
    data = {"items": [], "files": [str(path) for path in paths], "dragOperationsMask": 1}
    at = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2, "data": data}
    for kind in ("dragEnter", "dragOver", "drop"):
        session.send("Input.dispatchDragEvent", {"type": kind, **at})
    session.detach()


def menu(page: Page, of: str, item: str) -> None:
    page.get_by_role("button", name=of, exact=True).click()
    page.get_by_role("menuitem", name=item).click()


def test_a_folder_is_imported_after_a_look_and_the_project_goes_out_as_a_zip(
    place: Place, tmp_path: Path
) -> None:
    page = place.page
    plan = place.put("notes/Plan", "ours")
    folder = tmp_path / "notes"
    (folder / "guides").mkdir(parents=True)
    (folder / ".git").mkdir()
    start = f"{BOM}# Start\r\n\tmixed\rends".encode()
    (folder / "guides" / "Start.md").write_bytes(start)
    (folder / "Plan.md").write_text("theirs")
    (folder / "latin.txt").write_bytes("Größe".encode("latin-1"))
    (folder / "photo.jpg").write_bytes(b"\xff" * 1000)
    (folder / ".git" / "config.md").write_text("hidden")
    place.open()

    drop(page, page.get_by_role("region", name="Documents of the project"), folder)
    dialog = page.get_by_role("dialog", name=f"Import into {place.name}")
    files = dialog.get_by_role("list", name="Files").get_by_role("listitem")
    expect(files).to_have_count(4)
    expect(files.filter(has_text="notes/latin.txt")).to_contain_text("not UTF-8")
    expect(files.filter(has_text="notes/photo.jpg")).to_contain_text("Only markdown")
    expect(files.filter(has_text="notes/guides/Start")).to_contain_text("new")
    expect(files.filter(has_text="notes/Plan")).to_contain_text("left as it is")
    check_accessibility(page)
    assert place.texts() == {"notes/Plan": "ours"}

    dialog.get_by_label("Create a new version").check()
    expect(files.filter(has_text="notes/Plan")).to_contain_text("version 2")
    place.caller.call("PUT", f"{place.api}/documents/{plan}", {"content": "ours, changed meanwhile"})
    dialog.get_by_role("button", name="Import 2 documents").click()
    expect(dialog.get_by_role("alert")).to_contain_text("Nothing was imported")
    dialog.get_by_role("button", name="Try again").click()
    expect(files.filter(has_text="notes/Plan")).to_contain_text("version 3")
    dialog.get_by_role("button", name="Import 2 documents").click()
    expect(page.get_by_text("Imported 2 documents.")).to_be_visible()
    expect(place.documents).to_have_count(2)
    assert place.texts() == {"notes/Plan": "theirs", "notes/guides/Start": start.decode()}

    page.get_by_label("Folder to import").set_input_files(folder / "guides")
    expect(files).to_have_text([re.compile("guides/Start.*new")])
    dialog.get_by_role("button", name="Cancel").click()

    with page.expect_download() as download:
        menu(page, "More for the documents", "Export as zip")
    assert files_of(Path(download.value.path()).read_bytes()) == {
        "notes/Plan.md": b"theirs",
        "notes/guides/Start.md": start,
    }


def test_a_document_goes_to_another_project_and_comes_back(place: Place) -> None:
    page = place.page
    other = f"Other {new_id()}"
    api = place.project(other)
    plan = place.put("Plan", "one")
    place.put("Second", "two")
    place.caller.call("POST", f"{api}/documents", {"name": "plan", "content": "taken"})
    place.open(f"?document={plan}")
    menu(page, "More for Plan", "Move to…")
    dialog = page.get_by_role("dialog", name="Move Plan")
    dialog.get_by_label("Find a project").fill(other)
    dialog.get_by_role("button", name=other, exact=True).click()
    dialog.get_by_role("button", name=f"Move to {other}").click()
    expect(dialog.get_by_role("alert")).to_contain_text("already has a document named")
    check_accessibility(page)
    dialog.get_by_label("Name there").fill("Plan of ours")
    dialog.get_by_role("button", name=f"Move to {other}").click()
    expect(dialog).to_be_hidden()
    expect(place.documents).to_have_count(1)
    expect(page.get_by_role("article", name="Second")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(place.documents.filter(has_text="Plan")).to_be_visible()
    menu(page, "More for Plan", "Copy to…")
    copy = page.get_by_role("dialog", name="Copy Plan")
    copy.get_by_role("button", name=f"{place.name} this project").click()
    copy.get_by_label("Name there").fill("Plan B")
    copy.get_by_role("button", name=f"Copy to {place.name}").click()
    expect(place.documents).to_have_count(3)
    assert place.texts() == {"Plan": "one", "Plan B": "one", "Second": "two"}


def test_texts_and_conversations_are_found_by_words_and_gone_to(place: Place) -> None:
    page = place.page
    word = f"zwetschge{new_id()}"
    place.put("Guide", f"{LONG}The Größe of the {word} is known.\n\n{LONG}")
    place.put("Other", "Nothing.")
    place.open()
    say(page, f"Where is {word}?")
    expect(page.get_by_role("log", name="Conversation")).to_contain_text(f"The Größe of the {word}")
    expect(page.get_by_role("button", name="Stop")).to_have_count(0)

    page.keyboard.press("Escape")
    field = page.get_by_role("searchbox", name="Find in this project")
    field.fill("other")
    expect(place.documents).to_have_text([re.compile("Other")])
    field.fill(f"grosse {word}")
    expect(page.get_by_text("No name has")).to_be_visible()
    expect(page.get_by_text("No text has all of these words.")).to_be_visible()
    field.fill(f"große {word}")
    found = page.get_by_role("region", name="In the texts").get_by_role("link")
    expect(found).to_contain_text(word)
    expect(found.locator("mark")).to_have_text(["Größe", word])
    expect(page.get_by_role("region", name="In your conversations").get_by_role("link")).to_have_count(1)
    check_accessibility(page)
    found.click()
    lit = page.locator(".found")
    expect(lit).to_have_text(f"The Größe of the {word} is known.")
    expect(lit).to_be_in_viewport()
    page.get_by_role("region", name="Text of Guide").evaluate("(region) => region.scrollTo(0, 0)")
    expect(lit).not_to_be_in_viewport()
    found.click()
    expect(lit).to_be_in_viewport()

    go_to(page, "projects")
    expect(page.get_by_role("heading", level=1)).to_have_text("Projects")
    page.keyboard.press("Control+k")
    page.get_by_role("combobox", name="Find a command").fill(word)
    options = page.get_by_role("option")
    expect(options).to_have_count(2)
    expect(options.nth(0)).to_contain_text("Guide")
    expect(options.nth(1)).to_contain_text("Conversation")
    check_accessibility(page)
    page.keyboard.press("Enter")
    expect(lit).to_be_in_viewport()
    page.keyboard.press("Control+k")
    page.get_by_role("combobox", name="Find a command").fill(word)
    options.filter(has_text="Conversation").click()
    expect(page.get_by_role("log", name="Conversation")).to_contain_text(word)


def test_the_strangest_files_are_opened_and_saved_without_a_byte_changed(place: Place) -> None:
    page = place.page
    strange = {kind: texts[0] for kind, texts in variants().items()}
    strange["bom and crlf"] = f"{BOM}one\r\ntwo\r\n"
    documents = {name: place.put(name, text) for name, text in strange.items()}
    place.open()
    project = place.api.rpartition("/")[2]
    for name, text in strange.items():
        document = documents[name]
        go_to(page, f"projects/{project}?document={document}&view=edit")
        editor = page.get_by_role("textbox", name=f"Text of {name} as markdown")
        editor.click()
        page.keyboard.press("Control+Home")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("x")
        page.keyboard.press("Backspace")
        expect(page.get_by_role("button", name="Save", exact=True)).to_have_attribute(
            "title", "Nothing has changed."
        )
        page.keyboard.press("x")
        with page.expect_response(re.compile(document)) as saved:
            page.keyboard.press("Control+s")
        assert saved.value.ok
        expect(editor).to_be_hidden()  # the page goes back to reading by itself
        expect(page.get_by_role("article", name=name, exact=True)).to_contain_text("Version 2,")
        read = place.read(document)
        lines = re.split(r"(?<=\n)|(?<=\r)(?!\n)", text)
        assert read["content"] == "".join([lines[0], f"x{lines[1]}", *lines[2:]]), name
