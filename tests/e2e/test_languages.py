"""The client in German: chosen by the browser or in the settings, and no English left on any page."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.browser.agent_page import Caller, as_newcomer
from tests.support.browser.chrome import PATIENCE_MS
from tests.support.browser.web import check_accessibility, go_to, open_session, sign_in
from tests.support.made.documents import base64_of, pdf
from tests.support.services.server import RunningServer

MESSAGES = Path(__file__).parents[2] / "web" / "src" / "messages"
LOADING = re.compile("^Wird geladen")
PAGES = {
    "home": "Start",
    "documents": "Dokumente",
    "proposals": "Vorschläge",
    "sheets": "Tabellen",
    "review": "Prüfung",
    "projects": "Projekte",
    "inbox": "Eingang",
    "schemas": "Schemas",
    "prompts": "Prompts",
    "tags": "Schlagwörter",
    "forms": "Formulare",
    "activity": "Aktivität",
    "settings/organisation": "Organisation",
    "settings/members": "Mitglieder",
    "settings/providers": "Anbieter und Schlüssel",
    "settings/models": "Modelle",
    "settings/agent": "Agent",
    "settings/servers": "MCP-Server",
    "settings/usage": "Verbrauch und Credits",
    "settings/tokens": "API-Token",
    "settings/account": "Konto",
    "settings/appearance": "Darstellung",
    "nowhere": "Unter dieser Adresse gibt es keine Seite.",
}
NAMES = {"Description", "Document Summary", "English", "Invoice"}
"""Names that the built-in model and the server gave, and that a language has for itself."""
_TEXTS = """() => {
  const found = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!node.parentElement.closest("script, style, noscript, body [lang]")) found.add(node.data.trim());
  }
  for (const element of document.querySelectorAll("*:not(body [lang])")) {
    for (const name of ["aria-label", "aria-description", "placeholder", "title", "alt"]) {
      found.add(element.getAttribute(name)?.trim() ?? "");
    }
  }
  found.add(document.title);
  return [...found].filter((text) => /[A-Za-z]{2}/.test(text));
}"""
"""All texts of the page, and what screen readers say of it, but for what is marked as of another language: names of
tools come from the server, in English."""


def catalogue(language: str) -> dict[str, str]:
    """Return the messages of a language by their keys, as the catalogues have them, one on each line."""
    return {
        f"{file.stem}.{key}": json.loads(text)
        for file in sorted((MESSAGES / language).glob("*.ts"))
        for key, text in re.findall(r'^  (\w+): (".*"),$', file.read_text(), re.MULTILINE)
    }


def pattern(message: str) -> re.Pattern[str] | None:
    """Return what a message looks like with any values; None for one with plurals or choices, or with hardly a word."""
    words = re.split(r"\{\w+(?:, number)?\}", message.strip())
    told = re.findall("[A-Za-z]{2,}", " ".join(words))
    if any("{" in part for part in words) or len(told) < min(2, len(words)):
        return None
    return re.compile(".+".join(map(re.escape, words)), re.DOTALL)


@pytest.fixture(scope="module")
def is_english() -> Callable[[str], bool]:
    """Say whether a text is one of the English catalogue and none of the German one."""
    english, german = catalogue("en"), catalogue("de")
    assert len(english) > 2000
    only = [found for key, text in english.items() if german[key] != text and (found := pattern(text))]
    also = [found for text in german.values() if (found := pattern(text))]

    def said(text: str) -> bool:
        if text in NAMES:
            return False
        return any(one.fullmatch(text) for one in only) and not any(one.fullmatch(text) for one in also)

    return said


@pytest.fixture
def german(browser: Browser) -> Iterator[Page]:
    """A page of a browser whose language is German."""
    profile = browser.new_context(
        locale="de-DE", viewport={"width": 1280, "height": 800}, reduced_motion="reduce"
    )
    page = profile.new_page()
    page.set_default_timeout(PATIENCE_MS)
    expect.set_options(timeout=PATIENCE_MS)
    yield page
    profile.close()


@pytest.fixture
def server(deployment: RunningServer) -> RunningServer:
    return as_newcomer(deployment)


def kept_invoice(server: RunningServer) -> str:
    """Upload an invoice, accept what the agent prepares for it, and return the id of the document."""
    caller = Caller(server)
    root = f"/v0/orgs/{caller.organization()}"
    paper = pdf(
        [
            "INVOICE",
            "Invoice number: H-1",
            "Invoice date: 2026-03-14",
            "Customer: Lindqvist",
            "Total: 1.50 EUR",
        ]
    )
    sent = {"name": "Harbour.pdf", "content": base64_of(paper), "auto_create": True}
    caller.call("POST", f"{root}/documents", {"documents": [sent]})

    def documents() -> list[dict[str, str]]:
        found: list[dict[str, str]] = caller.call("GET", f"{root}/documents?limit=10")["documents"]
        return found

    caller.wait_for(lambda: all(one["auto_create_status"] not in (None, "running") for one in documents()))
    (document,) = documents()
    caller.call("POST", f"{root}/documents/{document['id']}/auto_create/accept", {})
    caller.call("POST", f"{root}/tags", {"name": "Hafen", "color": "#3B82F6", "description": ""})
    return document["id"]


def test_no_page_has_english_left(
    server: RunningServer, german: Page, is_english: Callable[[str], bool]
) -> None:
    document = kept_invoice(server)
    left: dict[str, list[str]] = {}

    def look(place: str) -> None:
        expect(german.get_by_text(LOADING)).to_have_count(0)
        if found := sorted(filter(is_english, german.evaluate(_TEXTS))):
            left[place] = found

    german.goto(server.url)
    expect(german.get_by_role("heading", name="Anmelden", level=1)).to_be_visible()
    assert german.evaluate("document.documentElement.lang") == "de"
    look("sign-in")
    open_session(german, server)
    german.goto(server.url)
    expect(german.get_by_role("heading", name="Start", level=1)).to_be_visible()
    for path, heading in PAGES.items():
        go_to(german, path)
        expect(german.get_by_role("heading", name=heading, level=1)).to_be_visible()
        look(path)
    for path, button in {"schemas/new": "Schema anlegen", "prompts/new": "Prompt anlegen"}.items():
        go_to(german, path)
        expect(german.get_by_role("button", name=button)).to_be_visible()
        look(path)
    go_to(german, f"documents/{document}")
    expect(german.get_by_role("heading", name="Harbour.pdf", level=1)).to_be_visible()
    for tab in ("Extraktion", "Formulare", "Agent"):
        german.get_by_role("tab", name=tab).click()
        look(f"document, {tab}")
    german.keyboard.press("Control+k")
    expect(german.get_by_role("combobox")).to_be_focused()
    look("palette")
    assert left == {}


def test_the_language_is_chosen_in_the_settings_and_remembered(
    server: RunningServer, visit: tuple[Page, list[str]]
) -> None:
    page, problems = visit
    sign_in(page, server)
    go_to(page, "settings/appearance")
    page.get_by_role("radio", name="Deutsch").check()
    expect(page.get_by_role("heading", name="Darstellung", level=1)).to_be_visible()
    expect(page.get_by_role("radio", name="Deutsch")).to_be_checked()
    expect(page.get_by_role("link", name="Schlagwörter")).to_be_visible()
    check_accessibility(page)

    page.reload()
    expect(page.get_by_role("heading", name="Darstellung", level=1)).to_be_visible()
    assert page.evaluate("document.documentElement.lang") == "de"
    page.get_by_role("radio", name="English").check()
    expect(page.get_by_role("heading", name="Appearance", level=1)).to_be_visible()
    assert page.evaluate("document.documentElement.lang") == "en"
    page.get_by_role("radiogroup", name="Language").get_by_role("radio", name="System").check()
    assert page.evaluate("localStorage.getItem('docagent.language')") == '"system"'
    assert problems == []
