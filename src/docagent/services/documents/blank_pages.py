"""Tells beside a document's state which of its pages have no text."""

from __future__ import annotations

from docagent.domain.documents.documents import Document
from docagent.store.documents import pages
from docagent.store.engine.database import OrgTx

_MOST_NAMED = 8


async def blank_pages_reason(tx: OrgTx, document: Document, run_id: str) -> str | None:
    """A sentence that names the pages without text, and says what to do about them; None if there are none."""
    blank = await pages.without_text(tx, document.id, run_id)
    if not blank:
        return None
    named = [str(number) for number in blank[:_MOST_NAMED]]
    more = len(blank) - len(named)
    last = f"{more} more" if more else named.pop()
    where = f"pages {', '.join(named)} and {last}" if named else f"page {last}"
    return f"No text was found on {where}. If there is something to read, {_advice(document)}."


def _advice(document: Document) -> str:
    if document.extension == ".pdf":
        return "upload a sharper scan"
    if document.mime_type.startswith("image/"):
        return "upload a sharper picture"
    return "print the file to a PDF and upload that"
