"""The text of a living document as it reads, while it is written."""

from __future__ import annotations

from playwright.sync_api import ViewportSize, expect

from tests.support.browser.desk import Desk
from tests.support.browser.project_page import Place, edit, editor, save, text_of
from tests.support.browser.web import check_accessibility, fits_the_window
from tests.support.made.documents import pdf
from tests.support.services.server import RunningServer

TEXT = """# Plan

We begin in **May**, see [the site](https://example.com/a) and \\*note\\*.

- [x] Van
- Desks

| Item | Price |
| --- | ---: |
| Van | 118.00 |
"""


def test_markdown_is_drawn_in_place_and_its_marks_are_seen_on_the_line_with_the_cursor(place: Place) -> None:
    page = place.page
    place.change_elsewhere(TEXT, "")
    place.open()
    text = edit(page)
    line = text.locator(".cm-line").filter(has_text="We begin in")
    expect(line).to_have_text("We begin in May, see the site and *note*.")
    expect(text.get_by_role("table").get_by_role("row")).to_have_text(["ItemPrice", "Van118.00"])
    expect(text.get_by_role("checkbox", name="Van")).to_be_checked()
    for scheme, width in (("light", 1280), ("dark", 1280), ("light", 390)):
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        page.set_viewport_size(ViewportSize(width=width, height=800))
        fits_the_window(page)
        check_accessibility(page)
    page.set_viewport_size(ViewportSize(width=1280, height=800))

    line.click()
    expect(line).to_contain_text("**May**, see [the site](https://example.com/a) and \\*note\\*.")
    page.keyboard.press("ArrowUp")
    expect(line).to_have_text("We begin in May, see the site and *note*.")
    text.get_by_role("cell", name="118.00").click()
    expect(text.get_by_role("table")).to_have_count(0)
    page.keyboard.type("2")
    text.get_by_role("checkbox", name="Van").click()
    expect(text.get_by_role("checkbox", name="Van")).not_to_be_checked()
    text.locator(".cm-line").filter(has_text="Desks").click()
    page.keyboard.press("End")
    page.keyboard.press("Enter")
    page.keyboard.type("Chairs")
    save(page)
    expect(text_of(page)).to_contain_text("Chairs")
    assert place.stored()["content"] == TEXT.replace("[x]", "[ ]").replace("118.00", "2118.00").replace(
        "- Desks", "- Desks\n- Chairs"
    )


def test_a_cited_value_is_a_chip_that_goes_as_a_whole(server: RunningServer, place: Place) -> None:
    desk = Desk(server, f"Bills of {place.plan}", {"total": {"type": "number"}})
    source = desk.document(f"Bill {place.plan}.pdf", pdf(["Total: 118.00", "Thank you"]))
    address = f"doc:{source}/{desk.prompt['prompt_id']}/total"
    first, second, third = (
        f'[{shown}]({written} "{said}")'
        for shown, written, said in (
            ("EUR 118", address, "118.0"),
            ("118", f"<{address}>", "118.0"),
            ("99", address, "99"),
        )
    )
    text = f"# Plan\n\nIt costs {first} or {second}, less {third}.\n"
    place.change_elsewhere(text, "")
    page = place.page
    place.open()
    shown = edit(page)
    line = shown.locator(".cm-line").filter(has_text="It costs")
    chips = line.locator(".chip")
    expect(chips).to_have_text(["EUR 118", "118", "99 (now 118.0)"])
    expect(chips.first).to_have_attribute(
        "title", f"From Bill {place.plan}.pdf, total. Ctrl and click opens it."
    )
    line.click()
    page.keyboard.press("End")
    expect(line).not_to_contain_text(source)
    check_accessibility(page)
    page.keyboard.press("Backspace")
    page.keyboard.press("Backspace")
    expect(chips).to_have_count(2)
    save(page)
    expect(text_of(page).locator(".citation")).to_have_count(2)
    assert place.stored()["content"] == text.replace(f"{third}.", "")
    page.get_by_role("button", name="History").click()
    changes = page.get_by_role("region", name="What version 3 changed")
    expect(changes.locator("del")).to_contain_text(["99"])
    expect(changes).not_to_contain_text(source)
    check_accessibility(page)
    edit(page)
    chips.first.click(modifiers=["ControlOrMeta"])
    expect(page.get_by_role("heading", name=f"Bill {place.plan}.pdf")).to_be_visible()
    assert editor(page).count() == 0


def bills(server: RunningServer, place: Place) -> tuple[Desk, str]:
    """A sheet of two bills, and the first of them."""
    fields = {"supplier": {"type": "string"}, "invoice_date": {"type": "string", "format": "date"}}
    desk = Desk(server, f"Bills of {place.plan}", {**fields, "total": {"type": "number"}})
    may, _ = [
        desk.document(
            f"{month} {place.plan}.pdf",
            pdf([f"Supplier: {supplier}", f"Invoice date: {day}", f"Total: {total}", "Thank you"]),
        )
        for month, supplier, day, total in (
            ("May", "Ole Larsen", "2026-05-14", "118.00"),
            ("July", "Ida Holm", "2026-07-02", "80.50"),
        )
    ]
    return desk, may


def test_a_value_and_a_table_of_a_sheet_are_inserted_with_a_slash(
    server: RunningServer, place: Place
) -> None:
    desk, _ = bills(server, place)
    name, prompt_id = f"Bills of {place.plan}", desk.prompt["prompt_id"]
    place.change_elsewhere("# Plan\n\nIt costs \n", "")
    page = place.page
    place.open()
    text = edit(page)
    text.locator(".cm-line").filter(has_text="It costs").click()
    page.keyboard.press("End")
    page.keyboard.type("/")
    offered = page.get_by_role("listbox", name="Completions").get_by_role("option")
    expect(offered).to_have_text(["A value of a document", "A table of a sheet", "A chart of a sheet"])
    check_accessibility(page)
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="Insert a value")
    dialog.get_by_label("Sheet", exact=True).select_option(name)
    dialog.get_by_label("Document", exact=True).select_option(f"May {place.plan}.pdf")
    check_accessibility(page)
    dialog.get_by_role("button", name="Total 118").click()
    expect(text.locator(".chip")).to_have_text(["118"])

    page.keyboard.press("Control+End")
    page.keyboard.type("\n/table")
    expect(offered).to_have_text(["A table of a sheet"])
    offered.click()
    dialog = page.get_by_role("dialog", name="Insert a table")
    dialog.get_by_label("Sheet", exact=True).select_option(name)
    check_accessibility(page)
    dialog.get_by_role("button", name="Insert", exact=True).click()
    expect(text.get_by_role("table", name=name).get_by_role("row")).to_have_count(3)
    expect(text).not_to_contain_text(prompt_id)
    save(page)
    expect(text_of(page).get_by_role("table", name=name).get_by_role("row")).to_have_count(3)
    stored = place.stored()["content"]
    assert f"](sheet:{prompt_id}/rows/supplier,invoice_date,total)\n\n| Supplier |" in stored


def test_a_chart_shows_the_sheet_as_it_is_and_the_text_is_updated(
    server: RunningServer, place: Place
) -> None:
    desk, may = bills(server, place)
    query = "form=sum&column=invoice_date&column=total&caption=By+month"
    chart = desk.call("GET", f"/sheets/{desk.prompt['prompt_id']}/markdown?{query}")["markdown"]
    place.change_elsewhere(f"# Plan\n\n{chart}\n", "")
    page = place.page
    place.open()
    drawn = text_of(page).get_by_role("region", name="By month").get_by_role("img")
    expect(drawn).to_have_accessible_name("By month. May 26: 118.00; Jul 26: 80.50")
    desk.edit(may, "total", 120.25)
    page.reload()
    expect(drawn).to_have_accessible_name("By month. May 26: 120.25; Jul 26: 80.50")
    for scheme, width in (("dark", 1280), ("light", 390), ("light", 1280)):
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        page.set_viewport_size(ViewportSize(width=width, height=800))
        fits_the_window(page)
        check_accessibility(page)
    page.get_by_role("button", name="Update the text").click()
    expect(page.get_by_text("The source of one passage has changed")).to_have_count(0)
    assert "| 2026-05 | 120.25 |\n| 2026-07 | 80.50 |" in place.stored()["content"]
    shown = edit(page).get_by_role("region", name="By month")
    check_accessibility(page)
    shown.get_by_role("button", name="Remove By month").click()
    expect(shown).to_have_count(0)
