"""Links of a markdown text: which there are, where they stand, and exactly how they are written."""

from __future__ import annotations

from docagent.domain.projects.citations import CitedValue, CitedWords, as_link, cited_at, in_title, is_value
from docagent.markdown import find_links
from tests.support.tables import table

DOCUMENT = "66f0aaaaaaaaaaaaaaaaaaaa"


def test_links_are_found_with_their_lines_in_paragraphs_lists_and_tables() -> None:
    text = (
        '---\ntitle: Costs\n---\n\n# Costs\n\nIn all [EUR 5](doc:1 "5") and\nmore [x *y*](doc:2 \'say "hi"\').\n\n'
        '- item\n- [six](doc:3)\n\n| a | b |\n|---|---|\n| [c](doc:4 "q") | d |\n'
    )
    for written in (text, text.replace("\n", "\r\n")):
        found = find_links(written, "doc:")
        assert [(one.text, one.address, one.title, one.line) for one in found] == [
            ("EUR 5", "doc:1", "5", 7),
            ("x y", "doc:2", 'say "hi"', 8),
            ("six", "doc:3", "", 11),
            ("c", "doc:4", "q", 15),
        ]
        assert [one.source in written for one in found if one.source] == [True] * 4


@table(
    "text",
    [
        "```\n[no](doc:1)\n```\n",
        "    [no](doc:1)\n",
        "`[no](doc:1)`\n",
        "<pre>\n[no](doc:1)\n</pre>\n",
        "\\[no](doc:1)\n",
        "[elsewhere](https://example.org/doc:1)\n",
    ],
)
def test_what_is_no_link_is_not_found(text: str) -> None:
    assert find_links(text, "doc:") == []


def test_the_same_link_twice_is_found_twice_and_a_reference_has_no_source() -> None:
    text = "[a](doc:1) [b][ref] [a](doc:1)\n\n[ref]: doc:2\n"
    assert [(one.text, one.source) for one in find_links(text, "doc:")] == [
        ("a", "[a](doc:1)"),
        ("b", None),
        ("a", "[a](doc:1)"),
    ]


@table("cited", [CitedValue(DOCUMENT, "default", "lines.0.a/b (net) é"), CitedWords(DOCUMENT, 12)])
@table("title", ['say "hi" \\ there', "1909.4", "plain"])
def test_a_citation_is_read_back_as_it_was_made(cited: CitedValue | CitedWords, title: str) -> None:
    made = as_link("EUR [1] *net* a_b", cited, title)
    (link,) = find_links(f"The total is {made}.\n", "doc:")
    assert (cited_at(link.address), link.title, link.text) == (cited, title, "EUR [1] *net* a_b")
    assert link.source == made


@table(
    "address",
    ["doc:1", f"doc:{DOCUMENT}", f"doc:{DOCUMENT}/page/0", f"doc:{DOCUMENT}/nonsense/total", "doc:x/y/z"],
)
def test_other_addresses_cite_nothing(address: str) -> None:
    assert cited_at(address) is None


@table("value", ["two  words", 1909.4, 5, 1.0, True, None, ["a", 1]])
def test_a_value_is_the_one_that_its_title_says(value: object) -> None:
    assert is_value(in_title(value), value)
    assert not is_value("something else", value)


def test_numbers_are_the_same_however_they_are_written_and_truth_is_no_number() -> None:
    assert is_value("1", 1.0)
    assert is_value("1909.40", 1909.4)
    assert not is_value("1", True)
    assert not is_value("true", 1)
