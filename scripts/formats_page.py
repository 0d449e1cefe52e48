"""Writes the list of file formats into the manual and into the web client, from the table of the code: `make docs`."""

from __future__ import annotations

import re
from pathlib import Path

from docagent.domain.documents.formats import FORMATS, TABLE

_ROOT = Path(__file__).parents[1]
PAGE = _ROOT / "docs/documents.md"
CLIENT = _ROOT / "web/src/features/documents/formats.ts"
_PLACE = re.compile(r"(<!-- formats -->\n).*?(<!-- end -->)", re.DOTALL)


def formats_page(written: str) -> str:
    """Return the page with a new table."""
    rows = [
        f"| {' '.join(f'`{extension}`' for extension in one.extensions)} | `{one.mime_type}` | {one.shown} |"
        for one in TABLE
    ]
    table = "\n".join(("| file | media type | shown as a PDF |", "|---|---|---|", *rows, ""))
    return _PLACE.sub(lambda found: found[1] + table + found[2], written)


def client_formats() -> str:
    groups = list(dict.fromkeys(one.group for one in TABLE))
    said = f"{', '.join(sorted(groups, key=str.islower)[:-1])} and {groups[-1]}"
    return (
        "/** Written by `make docs` from src/docagent/domain/documents/formats.py. */\n"
        f'export const READABLE = "{",".join(FORMATS)}";\n'
        f'export const READABLE_SAID = "{said}";\n'
    )


if __name__ == "__main__":
    PAGE.write_text(formats_page(PAGE.read_text()))
    CLIENT.write_text(client_formats())
