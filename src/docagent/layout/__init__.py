"""Views of a page's words: rows, tables, running text, markdown, HTML and Textract blocks. Pure functions."""

from docagent.layout.blocks import textract_blocks
from docagent.layout.flow import Heading, Paragraph, flow_of
from docagent.layout.html import to_html
from docagent.layout.markdown import to_markdown
from docagent.layout.rows import Piece, line_height, place_words, rows_of
from docagent.layout.tables import Table, find_tables
from docagent.layout.turning import upright

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
    "upright",
]
