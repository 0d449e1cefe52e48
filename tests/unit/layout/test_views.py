from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser

from hypothesis import given, settings
from hypothesis import strategies as st

from docagent.domain.documents.text import Line, Page, WordSource
from docagent.reading.layout.html import to_html
from docagent.reading.layout.markdown import escape_markdown, to_markdown
from tests.unit.layout.made_pages import PageMaker, right_aligned

LONG = "These words fill the whole line of a paragraph so that the next one has to go below it and"
hostile = st.text(st.sampled_from("<>&\"'`*_[]()|\\#-+=~!.:1a \n\t\x00$"), min_size=1, max_size=30)


def _price_table() -> Page:
    maker = PageMaker()
    for index, (name, amount) in enumerate(
        [("a|b", "Price"), ("<b>x</b>", "12.00"), ("*y*", "3.50"), ("z", "7.25")]
    ):
        maker.row(100 + 15 * index, {72: name, right_aligned(300, amount): amount})
    return maker.page()


def test_wrapped_lines_become_one_paragraph_and_broken_words_are_mended() -> None:
    page = PageMaker().write(72, 100, LONG + " for ex-").write(72, 112, "ample this one. The end.").page()

    assert to_markdown([page]) == f"{LONG} for example this one. The end.\n"


def test_a_hyphen_before_a_capital_or_in_the_middle_stays() -> None:
    page = PageMaker().write(72, 100, LONG + " Anglo-").write(72, 112, "Saxon well-known things").page()

    assert "Anglo- Saxon well-known" in to_markdown([page])


def test_short_lines_of_an_address_stay_apart() -> None:
    page = (
        PageMaker()
        .write(72, 100, "Example Trading Company Limited")
        .write(72, 112, "1 High St")
        .write(72, 124, "York")
        .page()
    )

    assert to_markdown([page]) == "Example Trading Company Limited\\\n1 High St\\\nYork\n"


def test_a_wide_gap_starts_a_new_paragraph() -> None:
    page = PageMaker().write(72, 100, "One.").write(72, 130, "Two.").page()

    assert to_markdown([page]) == "One.\n\nTwo.\n"


def test_only_clearly_larger_lines_are_headings() -> None:
    page = (
        PageMaker()
        .write(72, 60, "Annual report", size=20)
        .write(72, 100, "Slightly larger words", size=11)
        .write(72, 120, LONG)
        .write(72, 160, LONG)
        .page()
    )

    markdown = to_markdown([page])
    assert markdown.startswith("# Annual report\n\nSlightly larger words\n")
    assert "<h2>Annual report</h2>" in to_html([page], "t")


def test_a_heading_of_two_lines_is_one() -> None:
    page = (
        PageMaker()
        .write(72, 60, "A report on the state", size=20)
        .write(72, 82, "of the roads", size=20)
        .write(72, 130, LONG)
        .write(72, 160, LONG)
        .page()
    )

    assert to_markdown([page]).startswith("# A report on the state of the roads\n\n")


def test_lettered_items_keep_their_letters() -> None:
    page = PageMaker().write(72, 100, "a) first").write(72, 112, "b) second").page()

    assert to_markdown([page]) == "- a) first\n- b) second\n"


def test_figures_alone_are_no_heading() -> None:
    page = PageMaker().write(72, 60, "12.50", size=30).write(72, 120, LONG).page()

    assert to_markdown([page]).startswith("12.50\n")


def test_lists_keep_their_items_numbers_and_boxes() -> None:
    page = (
        PageMaker()
        .write(72, 100, "\u2022 first point that is")
        .write(78, 112, "long")
        .write(72, 124, "\u2022 second")
        .write(72, 150, "3. third")
        .box(180, 72, checked=True, label="Agreed")
        .box(195, 72, checked=False, label="Refused")
        .page()
    )

    assert to_markdown([page]) == (
        "- first point that is long\n- second\n3. third\n- [x] Agreed\n- [ ] Refused\n"
    )
    html = to_html([page], "t")
    assert "<ul>\n<li>first point that is long</li>\n<li>second</li>\n</ul>" in html
    assert '<ol>\n<li value="3">third</li>\n</ol>' in html
    assert '<ul class="boxes">\n<li>\u2611 Agreed</li>\n<li>\u2610 Refused</li>\n</ul>' in html


def test_a_drawn_box_is_shown_like_a_field() -> None:
    field = PageMaker().box(100, 72, checked=True, label="Yes").page().lines[0]
    drawn = replace(field.words[0], source=WordSource.OCR)

    assert to_markdown([Page(1, 612, 792, (Line((drawn, *field.words[1:])),))]) == "- [x] Yes\n"


def test_a_box_in_the_middle_of_a_line_is_shown() -> None:
    left = PageMaker().box(100, 72, checked=True, label="Yes").page().lines[0]
    page = Page(1, 612, 792, (type(left)((*left.words[1:], left.words[0])),))

    assert to_markdown([page]) == "Yes \u2611\n"


def test_a_table_is_a_pipe_table_with_its_text_escaped() -> None:
    assert to_markdown([_price_table()]) == (
        "| a\\|b | Price |\n| --- | --- |\n| \\<b\\>x\\</b\\> | 12.00 |\n| \\*y\\* | 3.50 |\n| z | 7.25 |\n"
    )


def test_a_table_is_an_html_table_with_its_text_escaped() -> None:
    html = to_html([_price_table()], "t")

    assert "<tr><th>a|b</th><th>Price</th></tr>" in html
    assert "<tr><td>&lt;b&gt;x&lt;/b&gt;</td><td>12.00</td></tr>" in html


def test_text_around_a_table_keeps_its_place() -> None:
    maker = PageMaker().write(72, 60, "Before the table.")
    for index, amount in enumerate(["Amount", "1", "2", "3"]):
        maker.row(100 + 15 * index, {72: f"Row{index}", right_aligned(300, amount): amount})
    markdown = to_markdown([maker.write(72, 220, "After the table.").page()])

    assert markdown.index("Before") < markdown.index("| Row0 | Amount |") < markdown.index("After")


def test_pages_are_parted_and_notes_shown() -> None:
    pages = [
        PageMaker(1).write(72, 100, "One").page(),
        PageMaker(2).page(note="This page <could> not be read."),
    ]

    assert to_markdown(pages) == "One\n\n<!-- page 2 -->\n\n> This page \\<could\\> not be read.\n"
    html = to_html(pages, "t")
    assert '<section aria-label="Page 2">' in html
    assert '<p class="note">This page &lt;could&gt; not be read.</p>' in html


def test_nothing_gives_nothing() -> None:
    assert to_markdown([]) == ""
    assert to_markdown([PageMaker().page()]) == ""


def test_known_attacks_stay_text() -> None:
    page = (
        PageMaker()
        .write(72, 100, "<script>alert(1)</script> [x](javascript:alert(1)) ![i](http://h/p)")
        .page()
    )

    assert to_markdown([page]) == (
        "\\<script\\>alert(1)\\</script\\> \\[x\\](javascript:alert(1)) !\\[i\\](http://h/p)\n"
    )
    assert "<script" not in to_html([page], "</title><script>")


def test_text_that_looks_like_block_markup_is_escaped_at_the_start() -> None:
    assert [
        escape_markdown(text) for text in ("# a", "---", "- a", "+ a", "1. a", "2) a", "===", "> a", ":-: x")
    ] == [
        "\\# a",
        "\\---",
        "\\- a",
        "\\+ a",
        "1\\. a",
        "2\\) a",
        "\\===",
        "\\> a",
        "\\:-: x",
    ]
    assert escape_markdown("-12.50 at 3.5% #4 AT&T &amp; a") == "-12.50 at 3.5% #4 AT&T \\&amp; a"


@settings(max_examples=60)
@given(hostile)
def test_escaped_markdown_has_no_bare_special_character(text: str) -> None:
    escaped = escape_markdown(text)

    without_escapes = re.sub(r"\\[!-/:-@\[-`{-~]", "", escaped)
    assert not re.search(r"[\\`*_\[\]<>|~$\n\x00]", without_escapes)
    assert not re.match(r"#{1,6}(\s|$)|[-+](\s|$)|-{3,}|={3,}|\d+[.)](\s|$)", escaped)


class _Reading(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        self.text += data


@settings(max_examples=60)
@given(hostile, hostile)
def test_html_has_only_our_own_tags_and_all_the_text(title: str, text: str) -> None:
    page = PageMaker().write(72, 100, f"x {text}").page()
    reading = _Reading()
    reading.feed(to_html([page], title))

    assert reading.tags <= {
        "html", "head", "meta", "title", "style", "body", "main", "section", "h1", "p", "ul", "ol", "li",
    }  # fmt: skip
    assert reading.attributes <= {"charset", "http-equiv", "content", "name", "aria-label", "class", "value"}
    assert "".join(text.replace("\x00", " ").split()) in "".join(reading.text.split())


def test_the_html_page_loads_and_runs_nothing() -> None:
    html = to_html([_price_table()], "Prices")

    assert "default-src 'none'" in html
    assert "<script" not in html
    assert not re.search(r"""\b(?:src|href|on\w+)=""", html)
    assert "prefers-color-scheme: dark" in html
    assert "<title>Prices</title>" in html
