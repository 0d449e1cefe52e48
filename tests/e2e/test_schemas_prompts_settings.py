"""Schemas, prompts and settings in the browser: fields and JSON in step, versions, tokens, policy, providers."""

from __future__ import annotations

import json
import re
import urllib.error
import urllib.request
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from docagent.adapters.llm.scripted import make_reply
from docagent.domain.models.llm import ToolCall
from tests.support.browser.agent_page import Caller, provider_beside
from tests.support.browser.web import (
    begin_at,
    changes_at_the_click,
    check_accessibility,
    fits_the_window,
    go_to,
    organization_id,
    sign_in,
)
from tests.support.models.provider import Refusal
from tests.support.services.server import RunningServer, running_server

MODEL = "scripted/model"
"""A model of a server that was added is called by the server's name and its own."""
INNER = "items \N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK}"
"""How a field inside of another is told."""
SECTIONS = (
    "organisation",
    "members",
    "providers",
    "models",
    "agent",
    "usage",
    "tokens",
    "account",
    "appearance",
)
FORMAT = {
    "type": "json_schema",
    "json_schema": {
        "name": "invoice",
        "strict": True,
        "schema": {
            "type": "object",
            "properties": {
                "invoice_number": {"type": "string", "description": "The number of the invoice"},
                "total": {"type": ["number", "null"], "description": "The gross total"},
            },
            "required": ["invoice_number", "total"],
            "additionalProperties": False,
        },
    },
}


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    with running_server() as running:
        yield running


def sample(caller: Caller, organization: str) -> str:
    """The invoice that ships with the product, as a document of the organisation; the same one for all tests."""
    listed = caller.call(
        "GET", f"/v0/orgs/{organization}/documents?name_search=Invoice 2041".replace(" ", "%20")
    )
    if not listed["documents"]:
        caller.call("POST", f"/v0/orgs/{organization}/samples/invoice")
        return sample(caller, organization)
    return str(listed["documents"][0]["id"])


def name_of(page: Page, field: str) -> Locator:
    return page.get_by_role("textbox", name=f"Name of {field}", exact=True)


def shown_json(page: Page) -> Locator:
    return page.get_by_role("textbox", name="Response format as JSON")


def expect_fields(page: Page, names: list[str]) -> None:
    inputs = page.get_by_role("textbox", name=re.compile("^Name of (?!the schema)"))
    expect(inputs).to_have_count(len(names))
    for place, name in enumerate(names):
        expect(inputs.nth(place)).to_have_value(name)


def save(page: Page, *, begin: str, action: str) -> None:
    page.get_by_role("button", name=begin).first.click()
    page.get_by_role("region", name="Before saving").get_by_role("button", name=action).click()


def test_a_schema_is_made_with_fields_and_json_in_step(
    server: RunningServer, visit: tuple[Page, list[str]]
) -> None:
    page, problems = visit
    begin_at(page, server, "schemas")
    expect(page.get_by_text("There are no schemas yet.")).to_be_visible()
    check_accessibility(page)
    page.keyboard.press("n")
    page.get_by_label("Name of the schema").fill("Delivery note")
    page.get_by_role("button", name="Add field").click()
    expect(name_of(page, "field_1")).to_be_focused()
    page.keyboard.type("number")
    page.get_by_label("Description of number").fill("The number at the top")
    name_of(page, "number").press("Enter")
    page.keyboard.type("items")
    page.get_by_label("Type of items").select_option(label="Table")
    page.get_by_role("button", name="Add a field to items").click()
    page.keyboard.type("article")
    page.keyboard.press("Enter")
    page.keyboard.type("kind")
    page.get_by_label(f"Type of {INNER} kind").select_option(label="One of several")
    page.get_by_label(f"New value of {INNER} kind").fill("third")
    page.keyboard.press("Enter")
    expect(shown_json(page)).to_contain_text('"description": "The number at the top"')
    expect(shown_json(page)).to_contain_text('"delivery_note"')
    check_accessibility(page)

    name_of(page, f"{INNER} kind").fill("article")
    expect(page.get_by_role("alert")).to_contain_text("There is a field “article” already.")
    expect(page.get_by_role("button", name="Create schema")).to_have_attribute("title", re.compile("already"))
    name_of(page, f"{INNER} kind").fill("sort")
    expect(page.get_by_role("alert")).to_have_count(0)

    shown_json(page).press("Control+End")
    page.keyboard.type("x")
    expect(page.get_by_text("not readable")).to_be_visible()
    expect(name_of(page, "number")).not_to_be_editable()
    check_accessibility(page)
    page.reload()
    expect(page.get_by_text("not readable")).to_be_visible()
    expect(page.get_by_text("Your unsaved changes from")).to_be_visible()
    shown_json(page).press("Control+End")
    page.keyboard.press("Backspace")
    expect(name_of(page, "number")).to_be_editable()
    expect_fields(page, ["number", "items", "article", "sort"])

    page.get_by_role("button", name="Create schema").click()
    before = page.get_by_role("region", name="Before saving")
    expect(before.get_by_role("list", name="What changes")).to_contain_text(f"{INNER} sort")
    check_accessibility(page)
    before.get_by_role("button", name="Create schema").click()
    expect(page.get_by_text("version 1", exact=True)).to_be_visible()
    go_to(page, "schemas/new")
    expect(page.get_by_label("Name of the schema")).to_have_value("")
    assert problems == []


def test_versions_are_saved_compared_and_reordered(
    server: RunningServer, visit: tuple[Page, list[str]]
) -> None:
    page, problems = visit
    caller = Caller(server)
    organization = caller.organization()
    made = caller.call(
        "POST", f"/v0/orgs/{organization}/schemas", {"name": "Order", "response_format": FORMAT}
    )
    begin_at(page, server, f"schemas/{made['schema_id']}")
    name_of(page, "total").press("Alt+ArrowUp")
    expect_fields(page, ["total", "invoice_number"])
    expect(name_of(page, "total")).to_be_focused()
    page.get_by_role("button", name="Undo").click()
    expect_fields(page, ["invoice_number", "total"])
    page.get_by_role("button", name="Move total", exact=True).drag_to(
        name_of(page, "invoice_number"), target_position={"x": 20, "y": 2}
    )
    expect_fields(page, ["total", "invoice_number"])
    page.get_by_role("checkbox", name="total is required").check()
    page.get_by_role("button", name="Remove invoice_number").click()
    page.get_by_role("button", name="Save version").click()
    changes = page.get_by_role("list", name="What changes")
    expect(changes).to_contain_text("total required now")
    expect(changes).to_contain_text("invoice_number")
    page.get_by_role("region", name="Before saving").get_by_role("button", name="Save version").click()
    expect(page.get_by_text("version 2", exact=True)).to_be_visible()

    page.get_by_role("tab", name="Versions").click()
    expect(page.get_by_role("heading", name="From version 1 to version 2")).to_be_visible()
    compared = page.get_by_role("list", name="Version 1 and version 2")
    expect(compared).to_contain_text("invoice_number text")
    page.get_by_text("The JSON, line by line").click()
    expect(page.get_by_role("region", name="Version 1 and version 2, as JSON")).to_contain_text("number")
    check_accessibility(page)
    page.get_by_role("radio", name="After: version 1").check()
    expect(page.get_by_text("No differences.")).to_be_visible()

    page.get_by_role("tab", name="JSON").click()
    shown_json(page).press("Control+a")
    page.keyboard.insert_text('{"type": "object", "properties": {"pasted": {"type": "string"}}}')
    page.get_by_role("button", name="Use it as the schema").click()
    expect_fields(page, ["pasted"])
    expect(page.get_by_text("A provider cannot enforce this schema yet")).to_be_visible()
    expect(page.get_by_role("region", name="Fields")).to_contain_text("Set 'additionalProperties' to false")
    check_accessibility(page)
    page.get_by_role("button", name="Discard changes").click()
    expect_fields(page, ["total"])

    stored = caller.call("GET", f"/v0/orgs/{organization}/schemas/{made['schema_id']}/versions")["schemas"]
    assert [item["schema_version"] for item in stored] == [2, 1]
    assert stored[0]["response_format"]["json_schema"]["schema"]["required"] == ["total"]
    assert problems == []


def test_a_prompt_links_a_schema_runs_and_keeps_it_from_being_deleted(
    server: RunningServer, visit: tuple[Page, list[str]]
) -> None:
    page, problems = visit
    caller = Caller(server)
    organization = caller.organization()
    sample(caller, organization)
    schema = caller.call(
        "POST", f"/v0/orgs/{organization}/schemas", {"name": "Bill", "response_format": FORMAT}
    )
    begin_at(page, server, "prompts")
    expect(page.get_by_text("There are no prompts yet.")).to_be_visible()
    check_accessibility(page)
    page.get_by_role("button", name="Create prompt").click()
    page.get_by_label("Name of the prompt").fill("Read bills")
    page.get_by_label("What to look for").fill("Extract the data of this bill.")
    page.get_by_label("Schema", exact=True).select_option(label="Bill")
    expect(page.get_by_label("Version")).to_have_value("1")
    page.get_by_role("button", name="Choose tags").click()
    page.get_by_role("textbox", name="Find or name a tag").fill("bills")
    page.keyboard.press("Enter")
    expect(page.get_by_role("checkbox", name="bills")).to_be_checked()
    check_accessibility(page)
    page.keyboard.press("Escape")
    check_accessibility(page)
    save(page, begin="Create prompt", action="Create prompt")
    expect(page.get_by_text("version 1", exact=True)).to_be_visible()

    page.get_by_role("button", name="Invoice 2041.pdf").click()
    page.get_by_role("button", name="Run on Invoice 2041.pdf").click()
    expect(page.get_by_role("region", name="Extracted data")).to_contain_text('"invoice_number": "2041"')
    check_accessibility(page)
    page.get_by_label("What to look for").fill("Extract the data of this bill.\nTotals without currency.")
    save(page, begin="Save version", action="Save version")
    expect(page.get_by_text("version 2", exact=True)).to_be_visible()
    page.get_by_role("tab", name="Versions").click()
    expect(page.get_by_role("region", name="Version 1 and version 2, the text")).to_contain_text(
        "Totals without"
    )
    check_accessibility(page)

    go_to(page, f"schemas/{schema['schema_id']}")
    page.get_by_role("tab", name="Try it on a document").click()
    page.get_by_role("button", name="Invoice 2041.pdf").click()
    tried = page.get_by_role("region", name="What was extracted")
    expect(tried.get_by_text("fits the schema")).to_be_visible()
    check_accessibility(page)
    assert problems == []
    page.get_by_role("button", name="More actions").click()
    check_accessibility(page)
    page.get_by_role("menuitem", name="Delete schema").click()
    page.get_by_role("button", name="Delete schema").click()
    expect(page.get_by_role("alert")).to_contain_text("The schema is still here.")
    page.get_by_role("list", name="Prompts that use the schema").get_by_role(
        "link", name="Read bills"
    ).first.click()
    page.get_by_role("button", name="More actions").click()
    page.get_by_role("menuitem", name="Delete prompt").click()
    page.get_by_role("button", name="Delete prompt").click()
    expect(page.get_by_role("heading", name="Prompts", level=1)).to_be_visible()
    assert all("status of 400" in text for text in problems), problems


def test_a_token_is_shown_once_and_revoked(server: RunningServer, visit: tuple[Page, list[str]]) -> None:
    page, problems = visit
    sign_in(page, server)
    organization = organization_id(page)
    page.keyboard.press("Control+k")
    expect(page.get_by_role("combobox", name="Find a command")).to_be_focused()
    page.keyboard.type("settings api tokens")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="API tokens", level=1)).to_be_visible()
    page.get_by_role("button", name="Create token").click()
    page.get_by_label("Name").fill("the night job")
    check_accessibility(page)
    page.get_by_role("button", name="Create token").click()
    secret = page.get_by_role("textbox", name="The token").input_value()
    assert secret.startswith("org_")
    check_accessibility(page)

    def status() -> int:
        asked = urllib.request.Request(
            f"{server.url}/v0/orgs/{organization}/tags", headers={"Authorization": f"Bearer {secret}"}
        )
        try:
            with urllib.request.urlopen(asked, timeout=30) as answer:
                return int(answer.status)
        except urllib.error.HTTPError as refused:
            return refused.code

    assert status() == 200
    page.get_by_role("button", name="I have it").click()
    page.reload()
    row = page.get_by_role("row", name="the night job")
    expect(row).to_contain_text(secret[:10])
    assert secret not in page.content()
    row.get_by_role("button", name="Revoke the night job").click()
    row.get_by_role("button", name="Revoke token").click()
    expect(row).to_have_count(0)
    assert status() == 401
    assert problems == []


def test_policy_and_provider_do_what_the_settings_say(
    server: RunningServer, visit: tuple[Page, list[str]]
) -> None:
    page, problems = visit
    caller = Caller(server, begin_at(page, server, "settings/providers"))
    organization = organization_id(page)
    chat = f"/v0/orgs/{organization}/documents/{sample(caller, organization)}/chat"
    with provider_beside() as provider:
        page.get_by_role("button", name="Add a server of your own").click()
        page.get_by_label("Name").fill("Scripted")
        page.get_by_label("Address").fill(provider.base_url)
        page.get_by_label("Models").fill("model")
        page.get_by_role("button", name="Add server").click()
        page.get_by_role("button", name=re.compile("^Scripted")).click()
        provider.add("ready", Refusal(401, {"error": {"message": "Wrong key."}}))
        tested = page.get_by_role("group", name="Test Scripted")
        tested.get_by_role("button", name="Test").click()
        expect(tested).to_contain_text(f"{MODEL} answered “ready”")
        check_accessibility(page)
        tested.get_by_role("button", name="Test").click()
        expect(tested).to_contain_text(f"{MODEL} did not answer.")
        assert len(provider.requests) == 2

        page.get_by_role("button", name=f"Use {MODEL} by default").click()
        expect(page.get_by_text(f"Default model: {MODEL}.")).to_be_visible()
        caller.call("PUT", f"/v0/orgs/{organization}/llm/default_model", {"model": None})

        page.get_by_role("navigation", name="Settings").get_by_role("link", name="Agent").click()
        page.get_by_label("When the agent wants to").select_option(label="Create tag")
        page.get_by_label("then").select_option(label="Refuse it")
        page.get_by_role("button", name="Add rule").click()
        policy = page.get_by_role("table", name="Policy for everyone")
        expect(policy.get_by_role("row", name="Create tag")).to_contain_text("Is refused")
        check_accessibility(page)

        wish = make_reply(tool_calls=[ToolCall("c1", "create_tag", json.dumps({"name": "forbidden"}))])
        message = {"messages": [{"role": "user", "content": "Make a tag"}], "model": MODEL}
        provider.add(wish, "I may not.")
        answer = caller.call("POST", chat, {**message, "auto_approved_tools": ["create_tag"]})
        assert answer["text"] == "I may not."
        told = json.dumps(provider.requests[-1].body["messages"][-1], ensure_ascii=False)
        assert "The organisation does not allow" in told

        page.get_by_role("button", name="Revoke: Create tag is refused").click()
        expect(page.get_by_text("There is no rule yet.")).to_be_visible()
        page.get_by_label("When the agent wants to").select_option(label="List tags")
        page.get_by_label("then").select_option(label="Always ask")
        page.get_by_role("button", name="Add rule").click()
        expect(policy.get_by_role("row", name="List tags")).to_contain_text("Always asks")
        provider.add(make_reply(tool_calls=[ToolCall("c2", "list_tags", "{}")]))
        waiting = caller.call("POST", chat, message)
        assert [call["name"] for call in waiting["tool_calls"]] == ["list_tags"]
        page.get_by_role("button", name="Revoke: List tags always asks").click()
        expect(page.get_by_text("There is no rule yet.")).to_be_visible()
    assert problems == []


def test_a_rule_is_kept_to_a_document_and_to_values(
    server: RunningServer, visit: tuple[Page, list[str]]
) -> None:
    page, problems = visit
    caller = Caller(server)
    organization = caller.organization()
    chat = f"/v0/orgs/{organization}/documents/{sample(caller, organization)}/chat"
    message = {"messages": [{"role": "user", "content": "Make a tag"}], "model": "narrow/model"}
    with provider_beside() as provider:
        added = {"name": "narrow", "base_url": provider.base_url, "models": ["model"], "token": "sk-test"}
        caller.call("POST", "/v0/account/llm/providers", added)
        begin_at(page, server, "settings/agent")
        page.get_by_label("When the agent wants to").select_option(label="Create tag")
        page.get_by_label("then").select_option(label="Run without asking")
        page.get_by_role("button", name="Only for one document or certain values").click()
        where = page.get_by_role("group", name="Where the rule applies")
        where.get_by_role("button", name="Only on one document").click()
        where.get_by_role("button", name="Invoice 2041.pdf").click()
        where.get_by_label("Only when").select_option(label="Name")
        expect(page.get_by_role("button", name="Add rule")).to_have_attribute(
            "title", "Write the value of name first."
        )
        where.get_by_role("textbox", name="Name").fill("harmless")
        check_accessibility(page)
        page.get_by_role("button", name="Add rule").click()
        policy = page.get_by_role("table", name="Policy for everyone")
        narrowed = policy.get_by_role("row", name="Create tag")
        expect(narrowed).to_contain_text("Invoice 2041.pdf")
        expect(narrowed).to_contain_text('where name is "harmless"')
        check_accessibility(page)
        for name, waits in (("harmful", True), ("harmless", False)):
            wish = make_reply(tool_calls=[ToolCall(name, "create_tag", json.dumps({"name": name}))])
            provider.add(wish, *([] if waits else ["Made it."]))
            answer = caller.call("POST", chat, message)
            assert [call["name"] for call in answer.get("tool_calls") or []] == ["create_tag"] * waits
        page.get_by_role("button", name="Revoke: Create tag runs without asking").click()
        expect(page.get_by_text("There is no rule yet.")).to_be_visible()
    assert problems == []


def test_people_models_and_credits_are_managed(server: RunningServer, visit: tuple[Page, list[str]]) -> None:
    page, problems = visit
    caller = Caller(server, begin_at(page, server, "settings/members"))
    organization = organization_id(page)
    page.get_by_role("button", name="Add member").click()
    expect(
        page.get_by_role("radio", name="By invitation").and_(page.get_by_role("radio").first)
    ).to_be_checked()
    page.get_by_role("radio", name="Somebody new").check()
    page.get_by_label("Name").fill("Ada Byron")
    page.get_by_label("E-mail").fill("ada@example.com")
    page.get_by_label("First password").fill("a long enough password")
    page.get_by_role("button", name="Create user and add").click()
    ada = page.get_by_role("row", name="Ada Byron")
    expect(ada).to_be_visible()
    a_member_is_offered_what_is_theirs(page, f"{server.url}/orgs/{organization}/activity")
    with page.expect_response(lambda answer: answer.request.method == "PUT") as changed_role:
        ada.get_by_label("Role of Ada Byron").select_option(label="Administrator")
    assert changed_role.value.ok
    expect(ada.get_by_label("Role of Ada Byron")).to_be_enabled()
    members = caller.call("GET", f"/v0/account/organizations?organization_id={organization}")["organizations"]
    assert [member["role"] for member in members[0]["members"]] == ["admin", "admin"]
    ada.get_by_role("button", name="Remove Ada Byron").click()
    ada.get_by_role("button", name="Remove from organisation").click()
    expect(ada).to_have_count(0)

    go_to(page, "settings/models")
    with page.expect_response(lambda answer: answer.request.method == "PUT") as chosen:
        page.get_by_label("For extraction").select_option("docagent-offline")
    assert chosen.value.ok
    expect(page.get_by_role("row", name="docagent-offline")).to_contain_text("free")
    page.reload()
    expect(page.get_by_label("For extraction")).to_have_value("docagent-offline")
    expect(page.get_by_label("For the agent")).to_have_value("")

    caller.call("POST", f"/v0/orgs/{organization}/payments/usage", {"spus": 7, "operation": "document_llm"})
    go_to(page, "settings/usage")
    expect(page.get_by_role("img", name=re.compile(r"Credits by day: \d+ in 30 days"))).to_be_visible()
    page.get_by_role("button", name="Show as a table").click()
    expect(page.get_by_role("table", name="Credits by day")).to_be_visible()
    expect(page.get_by_role("table", name="Usage by operation")).to_contain_text("Extraction")
    page.get_by_role("tab", name="By person").click()
    expect(page.get_by_role("table", name="Usage by user")).to_contain_text("Administrator")
    check_accessibility(page)

    go_to(page, "settings/organisation")
    changes_at_the_click(page.get_by_role("checkbox", name="Summarise every new document"), to=False)
    page.get_by_role("textbox", name="Name").fill("Acme papers")
    page.get_by_role("button", name="Save organisation").click()
    expect(page.get_by_role("button", name="Organisation Acme papers, change")).to_be_visible()
    changed = caller.call("GET", f"/v0/account/organizations?organization_id={organization}")[
        "organizations"
    ][0]
    assert (changed["name"], changed["default_prompt_enabled"]) == ("Acme papers", False)
    a_name_is_changed(page)
    assert problems == []


def a_name_is_changed(page: Page) -> None:
    go_to(page, "settings/account")
    page.get_by_role("textbox", name="Name").fill("Grace")
    page.get_by_role("button", name="Save name").click()
    expect(page.get_by_text("Saved your name.")).to_be_visible()


def a_member_is_offered_what_is_theirs(admins: Page, activity: str) -> None:
    """In a browser that knows nothing of the administrator's session."""
    assert admins.context.browser
    with admins.context.browser.new_context() as context:
        page = context.new_page()
        page.goto(activity)
        page.get_by_label("E-mail").fill("ada@example.com")
        page.get_by_label("Password").fill("a long enough password")
        page.get_by_role("button", name="Sign in").click()
        expect(page.get_by_text("Only administrators of the organisation see")).to_be_visible()
        offered = page.get_by_role("navigation", name="Settings")
        expect(offered.get_by_role("link", name="Members")).to_be_visible()
        expect(offered.get_by_role("link", name="Activity")).to_have_count(0)
        check_accessibility(page)


def test_every_page_is_sound_in_the_dark_and_on_a_phone(
    server: RunningServer, visit: tuple[Page, list[str]]
) -> None:
    page, problems = visit
    caller = Caller(server, begin_at(page, server, "settings/appearance"))
    organization = organization_id(page)
    body = {"name": "Everywhere", "response_format": FORMAT}
    schema = caller.call("POST", f"/v0/orgs/{organization}/schemas", body)
    prompt = {"name": "Asked everywhere", "content": "Read it.", "schema_id": schema["schema_id"]}
    prompt = caller.call("POST", f"/v0/orgs/{organization}/prompts", prompt)
    page.get_by_role("radio", name="Dark").check()
    page.get_by_role("radio", name="Compact").check()
    title = page.get_by_role("heading", level=1)
    paths = ["schemas", "prompts", f"schemas/{schema['schema_id']}", f"prompts/{prompt['prompt_id']}"]
    for path in [*paths, "schemas/new", "prompts/new", *(f"settings/{section}" for section in SECTIONS)]:
        former = title.inner_text()
        go_to(page, path)
        expect(title).not_to_have_text(former, use_inner_text=True)
        expect(title).to_be_attached()
        expect(page.get_by_text(re.compile("^Loading "))).to_have_count(0)
        assert page.evaluate("document.documentElement.dataset.theme") == "dark"
        assert page.evaluate("document.documentElement.dataset.density") == "compact"
        # Settings have one column at any width, and in a window the frame around them is that of the other pages.
        for width in (360,) if path.startswith("settings/") else (1280, 360):
            page.set_viewport_size({"width": width, "height": 740})
            fits_the_window(page)
            check_accessibility(page)
    assert problems == []
