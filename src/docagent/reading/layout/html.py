"""Pages as one self-contained HTML file: no script, nothing loaded from elsewhere, all text escaped."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Iterator
from html import escape

from docagent.domain.documents.text import Page
from docagent.reading.layout.flow import Heading, ListItem, Paragraph, Part, flow_of, printable
from docagent.reading.layout.tables import Cell, Table

_STYLE = """
:root { color-scheme: light dark; --text: #1d2430; --paper: #fff; --rule: #c9d0da; --soft: #f3f5f8; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e3e7ee; --paper: #14181f; --rule: #3c4656; --soft: #1d232d; }
}
body { margin: 0; background: var(--paper); color: var(--text); font: 1rem/1.55 system-ui, sans-serif; }
main { max-width: 50rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; }
h1, h2, h3, h4 { line-height: 1.25; margin: 1.6em 0 .5em; }
section + section { border-top: 1px solid var(--rule); margin-top: 2.5rem; padding-top: .5rem; }
.page { font-size: .8rem; opacity: .7; margin: .5rem 0; }
.note { border-left: 3px solid var(--rule); padding-left: .8rem; }
.table { overflow-x: auto; }
table { border-collapse: collapse; font-size: .9rem; margin: 1rem 0; }
th, td { border: 1px solid var(--rule); padding: .3rem .55rem; text-align: left; vertical-align: top; }
th { background: var(--soft); }
ul.boxes { list-style: none; padding-left: 1.2rem; }
"""
_STYLE_HASH = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
_POLICY = f"default-src 'none'; style-src 'sha256-{_STYLE_HASH}'; base-uri 'none'; form-action 'none'"


def to_html(pages: Iterable[Page], title: str) -> str:
    """Return a complete HTML page with one section for each page of the document."""
    name = _text(title)
    head = (
        '<!doctype html>\n<html>\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{name}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{name}</h1>\n"
    )
    return head + "\n".join(map(_section, pages)) + "\n</main>\n</body>\n</html>\n"


def _section(page: Page) -> str:
    note = [f'<p class="note">{_text(page.note)}</p>'] if page.note else []
    opening = f'<section aria-label="Page {page.number}">\n<p class="page">Page {page.number}</p>'
    return "\n".join([opening, *note, *_elements(flow_of(page)), "</section>"])


def _text(text: str) -> str:
    return escape(printable(text), quote=True)


def _elements(parts: list[Part]) -> Iterator[str]:
    open_list = ""
    for part in parts:
        wanted = _list_tag(part)
        if wanted != open_list or (isinstance(part, ListItem) and part.number == 1):
            if open_list:
                yield f"</{open_list.split()[0]}>"
            if wanted:
                yield f"<{wanted}>"
            open_list = wanted
        match part:
            case Heading(level, text):
                yield f"<h{level + 1}>{_text(text)}</h{level + 1}>"
            case Paragraph(lines):
                yield f"<p>{'<br>'.join(_text(line) for line in lines if line)}</p>"
            case ListItem():
                yield _item(part)
            case Table():
                yield _table(part)
    if open_list:
        yield f"</{open_list.split()[0]}>"


def _list_tag(part: Part) -> str:
    if not isinstance(part, ListItem):
        return ""
    if part.checked is not None:
        return 'ul class="boxes"'
    return "ul" if part.number is None else "ol"


def _item(item: ListItem) -> str:
    if item.checked is not None:
        box = "\u2611" if item.checked else "\u2610"
        return f"<li>{box} {_text(item.text)}</li>"
    number = "" if item.number is None else f' value="{item.number}"'
    return f"<li{number}>{_text(item.text)}</li>"


def _table(table: Table) -> str:
    rows = "\n".join(
        f"<tr>{''.join(_cell(cell, 'th' if cell.row == 0 else 'td') for cell in row)}</tr>"
        for row in table.rows
    )
    return f'<div class="table"><table>\n{rows}\n</table></div>'


def _cell(cell: Cell, tag: str) -> str:
    row_span = f' rowspan="{cell.row_span}"' if cell.row_span > 1 else ""
    column_span = f' colspan="{cell.column_span}"' if cell.column_span > 1 else ""
    return f"<{tag}{row_span}{column_span}>{_text(cell.text)}</{tag}>"
