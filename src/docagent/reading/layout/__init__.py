"""Views of a page's words: rows, tables, running text, markdown, HTML and Textract blocks. Pure functions."""

from docagent.reading.layout.blocks import textract_blocks
from docagent.reading.layout.flow import Heading, Paragraph, flow_of
from docagent.reading.layout.html import to_html
from docagent.reading.layout.markdown import to_markdown
from docagent.reading.layout.plain import to_plain
from docagent.reading.layout.rows import Piece, line_height, place_words, rows_of
from docagent.reading.layout.tables import Table, find_tables
from docagent.reading.layout.turning import upright

__all__ = [
    "Heading",
    "Paragraph",
    "Piece",
    "Table",
    "find_tables",
    "flow_of",
    "line_height",
    "place_words",
    "rows_of",
    "textract_blocks",
    "to_html",
    "to_markdown",
    "to_plain",
    "upright",
]
