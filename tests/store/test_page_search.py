"""Finding pages by their words, equal on both databases, and in step with what happens to documents."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
import sqlalchemy as sa

from docagent.domain.clock import now
from docagent.domain.documents.text import PackedPage
from docagent.domain.ids import new_id
from docagent.services.turns.context.sources import MOST_PASSAGES, passages
from docagent.store.documents import documents as documents_store
from docagent.store.documents import pages
from docagent.store.engine.database import Database
from docagent.store.search import page_search
from docagent.store.search.page_search import Place
from docagent.store.tables import document_pages, documents, organizations
from tests.support.product import Product

LAYOUT = b""


class Shelf:
    """Documents of one organisation, as readings leave them."""

    def __init__(self, database: Database, organization_id: str) -> None:
        self.database = database
        self.organization_id = organization_id

    async def put(self, *texts: str, name: str = "a.pdf", id: str | None = None) -> str:
        document_id = id or new_id()
        async with self.database.write_org(self.organization_id) as tx:
            await tx.execute(sa.insert(documents).values(**document_row(document_id, name)))
        await self.read_again(document_id, *texts)
        return document_id

    async def read_again(self, document_id: str, *texts: str) -> None:
        run_id = new_id()
        packed = [PackedPage(number, text, LAYOUT, None) for number, text in enumerate(texts, start=1)]
        async with self.database.write_org(self.organization_id) as tx:
            await pages.append(tx, document_id, run_id, packed)
            await tx.execute(
                sa.update(documents).where(documents.c.id == document_id).values(text_run_id=run_id)
            )
            await pages.delete_other_runs(tx, document_id, run_id)

    async def holding(self, word: str, *document_ids: str, most: int = 100) -> list[int]:
        async with self.database.read_org(self.organization_id) as tx:
            found = await page_search.holding(tx, word, document_ids, most)
        return [place.number for place in found]

    async def passages(self, question: str, *document_ids: str) -> list[tuple[str, str]]:
        async with self.database.read_org(self.organization_id) as tx:
            return [(block.source, block.text) for block in await passages(tx, question, document_ids)]


def document_row(document_id: str, name: str) -> dict[str, Any]:
    return {
        "id": document_id,
        "name": name,
        "name_folded": name,
        "extension": ".pdf",
        "mime_type": "application/pdf",
        "size": 1,
        "sha256": "0" * 64,
        "has_pdf": True,
        "state": "ocr_completed",
        "state_updated_at": now(),
        "tag_ids": [],
        "metadata": {},
        "uploaded_by": "ada",
        "uploaded_by_folded": "ada",
        "uploaded_by_id": new_id(),
        "upload_date": now(),
        "pages_read": 1,
    }


async def new_shelf(database: Database) -> Shelf:
    organization_id = new_id()
    row: dict[str, Any] = {
        "id": organization_id,
        "name": organization_id,
        "name_folded": organization_id,
        "type": "team",
    }
    row |= {"default_prompt_enabled": False, "experimental_features": False, "flow_log_level": "ERROR"}
    async with database.write() as tx:
        await tx.execute(
            sa.insert(organizations).values(**row, ocr_config={}, created_at=now(), updated_at=now())
        )
    return Shelf(database, organization_id)


@pytest.fixture
async def shelf(product: Product) -> Shelf:
    return await new_shelf(product.services.db)


TEXT = (
    "Rechnung RE-2024-0815 der Müller & Söhne GmbH, Straße 7\n"
    "Übertrag 1.234,56 EUR, total: 99.50\n"
    "file_name invoice.pdf O'Neill CAFÉ naïve 2024-117 4711/A"
)


@pytest.mark.parametrize(
    "word",
    [
        *(
            "rechnung",
            "rech",
            "re",
            "2024",
            "0815",
            "muller",
            "sohne",
            "straße",
            "ubertrag",
            "1",
            "234",
            "56",
        ),
        *("99", "50", "file", "name", "invoice", "pdf", "neill", "cafe", "naive", "117", "4711", "gmbh"),
    ],
)
async def test_words_numbers_and_umlauts_are_found(shelf: Shelf, word: str) -> None:
    document = await shelf.put("nothing here", TEXT)
    assert await shelf.holding(word, document) == [2]


@pytest.mark.parametrize(
    "word", ["81", "47", "471", "chnung", "rec", "99.50", 'a" OR "b', "a:*", "x & y", "", "-117", "x" * 3000]
)
async def test_pieces_and_syntax_find_nothing(shelf: Shelf, word: str) -> None:
    document = await shelf.put(TEXT)
    assert await shelf.holding(word, document) == []


async def test_only_the_named_documents_of_the_organisation(shelf: Shelf) -> None:
    named, other = await shelf.put("apple"), await shelf.put("apple")
    stranger = await new_shelf(shelf.database)
    foreign = await stranger.put("apple")
    assert await shelf.holding("apple", named) == [1]
    assert await shelf.holding("apple", named, other) == [1, 1]
    assert await shelf.holding("apple", foreign) == []
    assert await shelf.holding("apple") == []
    async with shelf.database.read_org(shelf.organization_id) as tx:
        assert await page_search.read(tx, [Place(foreign, 1)]) == []


async def test_a_reading_replaces_what_was_found_before(shelf: Shelf) -> None:
    document = await shelf.put("apple", "pear")
    await shelf.read_again(document, "plum")
    assert await shelf.holding("apple", document) == await shelf.holding("pear", document) == []
    assert await shelf.holding("plum", document) == [1]


async def test_a_reading_that_is_under_way_is_not_found(shelf: Shelf) -> None:
    document = await shelf.put("apple")
    async with shelf.database.write_org(shelf.organization_id) as tx:
        await pages.append(tx, document, new_id(), [PackedPage(1, "plum", LAYOUT, None)])
    assert await shelf.holding("plum", document) == []
    assert await shelf.holding("apple", document) == [1]


async def test_a_deleted_document_is_not_found(shelf: Shelf) -> None:
    document = await shelf.put("apple")
    async with shelf.database.write_org(shelf.organization_id) as tx:
        await tx.execute(sa.update(documents).where(documents.c.id == document).values(deleted_at=now()))
    assert await shelf.holding("apple", document) == []
    async with shelf.database.read_org(shelf.organization_id) as tx:
        assert await page_search.read(tx, [Place(document, 1)]) == []


async def indexed(database: Database, document_id: str) -> list[int]:
    """Rows of SQLite's index that belong to the document; PostgreSQL keeps its own."""
    if database.dialect != "sqlite":
        return []
    rows = sa.table("page_search_rows", sa.column("id"), sa.column("document_id"))
    async with database.read() as tx:
        found = await tx.rows(sa.select(rows.c.id).where(rows.c.document_id == document_id))
    return [row.id for row in found]


async def kept_in_index(database: Database, rows: list[int]) -> int:
    if database.dialect != "sqlite":
        return 0
    sizes = sa.table("page_search_docsize", sa.column("id"))
    async with database.read() as tx:
        return int(await tx.scalar(sa.select(sa.func.count()).select_from(sizes).where(sizes.c.id.in_(rows))))


@pytest.mark.parametrize("how", ["pages", "document", "organisation", "purge"])
async def test_nothing_is_left_in_the_index(shelf: Shelf, how: str) -> None:
    database = shelf.database
    document = await shelf.put("apple", "apple pie")
    rows = await indexed(database, document)
    assert await kept_in_index(database, rows) == len(rows) == (2 if database.dialect == "sqlite" else 0)
    async with database.write_org(shelf.organization_id) as tx:
        match how:
            case "pages":
                await tx.execute(sa.delete(document_pages))
            case "document":
                await tx.execute(sa.delete(documents).where(documents.c.id == document))
            case "organisation":
                await tx.execute(sa.delete(organizations).where(organizations.c.id == shelf.organization_id))
            case "purge":
                long_ago = now() - timedelta(days=365)
                await tx.execute(sa.update(documents).values(deleted_at=long_ago))
                await documents_store.purge(tx, long_ago + timedelta(days=1), now())
    assert await indexed(database, document) == []
    assert await kept_in_index(database, rows) == 0
    assert await shelf.holding("apple", document) == []


# --- the best pages -----------------------------------------------------------------------------------------------


async def test_the_rare_word_counts_more_than_the_frequent_one(shelf: Shelf) -> None:
    texts = [f"invoice invoice invoice number {number}" for number in range(40)]
    document = await shelf.put(*texts, "about 4711", "invoice number 4711")
    found = await shelf.passages("Which invoice has the number 4711?", document)
    assert [source for source, _ in found[:2]] == [f"document {document}, page {page}" for page in (42, 41)]
    assert len(found) == MOST_PASSAGES


async def test_pages_with_more_of_the_words_come_first(shelf: Shelf) -> None:
    one = await shelf.put("The payment is due.", "The payment of the deposit is due in May.", id="a" * 24)
    two = await shelf.put("Deposit and payment, payment, deposit.", "Something else.", id="b" * 24)
    found = await shelf.passages("When is the payment of the deposit due in May?", one, two)
    assert [source for source, _ in found] == [
        f"document {one}, page 2",
        f"document {two}, page 1",
        f"document {one}, page 1",
    ]


async def test_no_word_in_common_is_no_passage(shelf: Shelf) -> None:
    document = await shelf.put(TEXT)
    for question in ("What is this about?", "Elephants?", "", "?!", "the and der die das"):
        assert await shelf.passages(question, document) == []


async def test_accents_in_either_form_are_the_same(shelf: Shelf) -> None:
    whole, taken_apart = "Müller", "Mu\u0308ller"
    document = await shelf.put(f"Herr {whole}", f"Frau {taken_apart}")
    for question in (whole, taken_apart, "MULLER", "muller"):
        assert len(await shelf.passages(question, document)) == 2


async def test_the_cut_is_made_where_the_words_are(shelf: Shelf) -> None:
    filling = "Lorem ipsum dolor sit amet. " * 200
    document = await shelf.put(f"{filling} Die Kündigungsfrist beträgt drei Monate. {filling}")
    ((_, text),) = await shelf.passages("Wie lang ist die Kündigungsfrist?", document)
    assert "Kündigungsfrist beträgt drei Monate" in text
    assert text.startswith("… ")
    assert text.endswith(" …")
    assert len(text) < 1300


async def test_a_page_of_enormous_length_is_stored_and_found(shelf: Shelf) -> None:
    text = "apple " + " ".join(f"word{number}" for number in range(300_000))
    document = await shelf.put(text)
    assert await shelf.holding("apple", document) == [1]
