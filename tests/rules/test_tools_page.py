"""The tables of the manual's page on tools are what the code says."""

from __future__ import annotations

import pytest
from docs.tools_page import PAGE, tools_page


def test_the_tables_of_the_page_are_up_to_date() -> None:
    written = PAGE.read_text()
    assert written == tools_page(written), "run: make tools"


def test_a_tool_that_has_no_place_on_the_page_is_named() -> None:
    written = PAGE.read_text()
    with pytest.raises(
        ValueError, match=r"no place for create_tag: add <!-- writes: tags --> and <!-- end -->"
    ):
        tools_page(written.replace("<!-- writes: tags -->", ""))
    with pytest.raises(ValueError, match=r"no place for help_schemas: add <!-- tools: help -->"):
        tools_page(written.replace("<!-- tools: help -->", ""))
