"""Every line of the table of file formats has what it needs: a parser, a file to test with, and its place on pages."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from itertools import chain

from scripts.formats_page import CLIENT, PAGE, client_formats, formats_page

from docagent.domain.documents.formats import FORMATS, TABLE, Format, Shown
from docagent.store.tables import documents
from tests.support.made.formats import MADE
from tests.support.tables import table


@table("format", TABLE)
def test_a_format_has_its_parser(format: Format) -> None:
    if format.parser is None:
        assert format.shown.is_converted, f"nothing reads {format.extensions[0]}: name its parser"
        return
    name = f"docagent.adapters.parse.{format.parser}"
    file = f"src/docagent/adapters/parse/{format.parser.replace('.', '/')}.py"
    assert find_spec(name), f"{format.extensions[0]} needs {file}"
    parser = import_module(name)
    if hasattr(parser, "lines"):
        return
    assert not format.shown.is_converted, f"{name} needs lines(path, max_characters)"
    assert hasattr(parser, "read"), f"{name} needs lines(path, max_characters) or read(request)"
    assert format.shown is Shown.AS_IT_IS or hasattr(parser, "make_pdf"), f"{name} needs make_pdf(request)"


def test_no_extension_has_two_meanings_and_each_fits_its_column() -> None:
    extensions = list(chain.from_iterable(format.extensions for format in TABLE))
    assert len(extensions) == len(set(extensions))
    longest: int = getattr(documents.c.extension.type, "length")  # noqa: B009
    assert [
        one for one in extensions if len(one) > longest or not one.startswith(".") or not one.islower()
    ] == []


def test_there_is_a_file_of_every_format_to_test_with() -> None:
    assert set(FORMATS) - set(MADE) == set(), "add it to tests/support/made/formats.py"
    assert set(MADE) - set(FORMATS) == set(), "the table of formats does not have it"


def test_the_manual_and_the_client_list_every_format() -> None:
    assert formats_page(PAGE.read_text()) == PAGE.read_text(), "run: .venv/bin/python -m scripts.formats_page"
    assert client_formats() == CLIENT.read_text(), "run: .venv/bin/python -m scripts.formats_page"
    assert all(f"`{extension}`" in PAGE.read_text() for extension in FORMATS)
