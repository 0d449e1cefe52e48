"""Finding living documents by their words, equal on both databases, and in step with what happens to them."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
import sqlalchemy as sa

from docagent.domain.ids import new_id
from docagent.domain.projects.projects import MOST_CONTENT_CHARACTERS, Changes, LivingDocument
from docagent.services.projects.passages import PLACES_LOOKED_AT
from docagent.services.turns.context.sources import (
    MOST_PASSAGES,
    check_sources,
    passages,
)
from docagent.store.engine.database import Database
from docagent.store.search import living_search
from docagent.store.search.living_search import LivingPlace
from docagent.store.tables import (
    documents,
    living_document_revisions,
    living_documents,
    organizations,
    projects,
)
from tests.store.test_page_search import TEXT, document_row
from tests.store.test_page_search import Shelf as Pages
from tests.support.product import Product, Tenant

PIECE = 100_000
"""Characters that PostgreSQL indexes together."""


@dataclass(frozen=True)
class Shelf:
    """A project of an organisation, by way of the services."""

    product: Product
    tenant: Tenant
    project_id: str

    @property
    def database(self) -> Database:
        return self.product.services.db

    async def put(self, content: str, name: str | None = None) -> LivingDocument:
        return await self.product.services.living_documents.create(
            self.tenant.member, self.project_id, name or new_id(), content
        )

    async def change(self, document: LivingDocument, content: str) -> LivingDocument:
        return await self.product.services.living_documents.change(
            self.tenant.member, self.project_id, document.id, Changes(content=content), base_version=None
        )

    async def holding(self, word: str, *project_ids: str, most: int = 100) -> list[tuple[str, int]]:
        """Id and version of each."""
        async with self.database.read_org(self.tenant.organization_id) as tx:
            found = await living_search.holding(tx, word, project_ids or [self.project_id], most)
        return [(place.document_id, place.number) for place in found]

    async def passages(self, question: str, *sources: str) -> list[tuple[str, str]]:
        async with self.database.read_org(self.tenant.organization_id) as tx:
            blocks = await passages(tx, question, sources or [self.project_id])
        return [(block.source, block.text) for block in blocks]


async def new_shelf(product: Product, tenant: Tenant) -> Shelf:
    project = await product.services.projects.create(tenant.member, f"Project {new_id()}")
    return Shelf(product, tenant, project.id)


@pytest.fixture
async def shelf(product: Product, tenant: Tenant) -> Shelf:
    return await new_shelf(product, tenant)


@pytest.fixture
def pages(shelf: Shelf) -> Pages:
    """Uploaded documents of the same organisation."""
    return Pages(shelf.database, shelf.tenant.organization_id)


async def test_words_numbers_and_umlauts_are_found(shelf: Shelf) -> None:
    await shelf.put("nothing here")
    document = await shelf.put(TEXT)
    for word in (
        "rechnung",
        "rech",
        "re",
        "0815",
        "muller",
        "sohne",
        "ubertrag",
        "99",
        "cafe",
        "117",
        "name",
    ):
        assert await shelf.holding(word) == [(document.id, 1)], word
    for word in ("81", "chnung", "rec", "99.50", 'a" OR "b', "a:*", "x & y", "", "-117"):
        assert await shelf.holding(word) == [], word


async def test_only_the_newest_version_is_found(shelf: Shelf) -> None:
    document = await shelf.put("apple")
    await shelf.change(document, "plum and pear")
    await shelf.change(document, "plum")
    assert await shelf.holding("apple") == await shelf.holding("pear") == []
    assert await shelf.holding("plum") == [(document.id, 3)]
    restored = await shelf.product.services.living_documents.restore(
        shelf.tenant.member, shelf.project_id, document.id, 1
    )
    assert await shelf.holding("apple") == [(document.id, restored.version)]
    assert await shelf.holding("plum") == []


async def test_a_rename_keeps_the_text_found(shelf: Shelf) -> None:
    document = await shelf.put("apple")
    await shelf.product.services.living_documents.change(
        shelf.tenant.member, shelf.project_id, document.id, Changes(name="Other"), base_version=1
    )
    assert await shelf.holding("apple") == [(document.id, 2)]


async def test_only_the_named_projects_of_the_organisation(shelf: Shelf, other: Tenant) -> None:
    named = await shelf.put("apple")
    second = await new_shelf(shelf.product, shelf.tenant)
    in_second = await second.put("apple")
    stranger = await new_shelf(shelf.product, other)
    foreign = await stranger.put("apple")
    assert await shelf.holding("apple") == [(named.id, 1)]
    both = sorted([(named.id, 1), (in_second.id, 1)])
    assert await shelf.holding("apple", shelf.project_id, second.project_id) == both
    assert await shelf.holding("apple", shelf.project_id, second.project_id, most=1) == both[:1]
    assert await shelf.holding("apple", stranger.project_id) == []
    async with shelf.database.read_org(shelf.tenant.organization_id) as tx:
        assert await living_search.read(tx, [LivingPlace(foreign.id, 1)]) == []
        assert await living_search.holding(tx, "apple", [], 10) == []


@pytest.mark.parametrize("what", ["document", "project"])
async def test_what_is_deleted_is_not_found_until_it_is_back(shelf: Shelf, what: str) -> None:
    document = await shelf.put("apple")
    services, member = shelf.product.services, shelf.tenant.member
    if what == "document":
        await services.living_documents.delete(member, shelf.project_id, document.id)
    else:
        await services.projects.delete(member, shelf.project_id)
    assert await shelf.holding("apple") == []
    async with shelf.database.read_org(shelf.tenant.organization_id) as tx:
        assert await living_search.read(tx, [LivingPlace(document.id, 1)]) == []
    if what == "document":
        await services.living_documents.undelete(member, shelf.project_id, document.id)
    else:
        await services.projects.bring_back(member, shelf.project_id)
    assert await shelf.holding("apple") == [(document.id, 1)]


async def indexed(database: Database, document_id: str) -> list[int]:
    """Rows of the index that belong to the document."""
    name, key = ("living_search_rows", "id") if database.dialect == "sqlite" else ("living_search", "piece")
    rows = sa.table(name, sa.column(key), sa.column("document_id"))
    async with database.read() as tx:
        found = await tx.rows(sa.select(rows.c[key]).where(rows.c.document_id == document_id))
    return [row[0] for row in found]


async def kept_in_index(database: Database, rows: list[int]) -> int:
    """What FTS5 itself keeps of them."""
    sizes = sa.table("living_search_docsize", sa.column("id"))
    async with database.read() as tx:
        statement = sa.select(sa.func.count()).select_from(sizes).where(sizes.c.id.in_(rows))
        return int(await tx.scalar(statement))


@pytest.mark.parametrize("how", ["versions", "document", "project", "organisation"])
async def test_nothing_is_left_in_the_index(shelf: Shelf, how: str) -> None:
    database = shelf.database
    document = await shelf.put("apple")
    await shelf.change(document, "apple pie")
    rows = await indexed(database, document.id)
    assert len(rows) == 1
    if database.dialect == "sqlite":
        assert await kept_in_index(database, rows) == 1
    async with database.write_org(shelf.tenant.organization_id) as tx:
        match how:
            case "versions":
                await tx.execute(sa.delete(living_document_revisions))
            case "document":
                await tx.execute(sa.delete(living_documents))
            case "project":
                await tx.execute(sa.delete(projects))
            case "organisation":
                organization_id = shelf.tenant.organization_id
                await tx.execute(sa.delete(organizations).where(organizations.c.id == organization_id))
    assert await indexed(database, document.id) == []
    if database.dialect == "sqlite":
        assert await kept_in_index(database, rows) == 0
    assert await shelf.holding("apple") == await shelf.holding("pie") == []


async def test_the_whole_of_a_long_document_is_found(shelf: Shelf) -> None:
    """Also a word on the border of what PostgreSQL indexes in one piece, and when all words differ."""
    many = " ".join(f"word{number:06}" for number in range(PIECE))
    text = f"{many[: PIECE - 12]} giraffe {many[PIECE:]}"
    text = f"walrus {text[: MOST_CONTENT_CHARACTERS - 20]} elephant"
    document = await shelf.put(text)
    assert PIECE > text.index("giraffe") > PIECE - len("giraffe")
    assert len(text) > 9 * PIECE
    for word in ("walrus", "giraffe", "elephant"):
        assert await shelf.holding(word) == [(document.id, 1)], word


async def test_a_long_document_in_a_script_that_grows_when_taken_apart(shelf: Shelf) -> None:
    syllables = [chr(code) for code in range(0xAC00, 0xD7A4)]
    step = 37
    words = [one + syllables[number * step % len(syllables)] for number, one in enumerate(syllables)]
    more = [word[::-1] + syllables[number // 2] for number, word in enumerate(words)]
    text = " ".join(words + more)
    text = (text * (MOST_CONTENT_CHARACTERS // len(text) + 1))[: MOST_CONTENT_CHARACTERS - 10] + " walrus"
    document = await shelf.put(text)
    assert await shelf.holding("walrus") == [(document.id, 1)]


# --- as data sources ----------------------------------------------------------------------------------------------


async def test_passages_say_where_they_stand(shelf: Shelf) -> None:
    project = await shelf.product.services.projects.update(
        shelf.tenant.member, shelf.project_id, name="The move"
    )
    document = await shelf.put("The van comes on 4 May.", name="Plan")
    newest = await shelf.change(document, "The van comes on 5 May.")
    async with shelf.database.read_org(shelf.tenant.organization_id) as tx:
        (block,) = await passages(tx, "When does the van come?", [project.id])
    assert block.title == "Passage from Plan (project The move)"
    assert block.source == f"document {document.id} of project {project.id}, version {newest.version}"
    assert block.text == "The van comes on 5 May."
    assert block.note == "Found in a data source that the user chose."


async def test_documents_and_projects_compete(shelf: Shelf, pages: Pages) -> None:
    page = await pages.put("The payment is due.", "Nothing.", "The payment of the deposit is due in May.")
    note = await shelf.put("Deposit and payment, payment, deposit.")
    await shelf.put("Something else.")
    found = await shelf.passages("When is the payment of the deposit due in May?", page, shelf.project_id)
    assert [source for source, _ in found] == [
        f"document {page}, page 3",
        f"document {note.id} of project {shelf.project_id}, version 1",
        f"document {page}, page 1",
    ]
    rare = await shelf.passages("elephants, something, nothing", shelf.project_id, page)
    assert len(rare) == 2


async def test_at_most_so_many_passages_of_both(shelf: Shelf, pages: Pages) -> None:
    page = await pages.put(*(f"apple {number}" for number in range(6)))
    for number in range(6):
        await shelf.put(f"apple {number}")
    assert len(await shelf.passages("apple", page, shelf.project_id)) == MOST_PASSAGES


async def test_a_long_document_is_cut_where_the_words_are(shelf: Shelf) -> None:
    filling = "Lorem ipsum dolor sit amet, größer. " * 8_000
    await shelf.put(f"{filling} Die Kündigungsfrist beträgt drei Monate. {filling}")
    ((_, text),) = await shelf.passages("Wie lang ist die Kündigungsfrist?")
    assert "Kündigungsfrist beträgt drei Monate" in text
    assert len(text) < 1300


async def test_the_project_that_was_named_is_searched_and_no_other(shelf: Shelf) -> None:
    await shelf.put("The van comes on 4 May.", name="Plan")
    await shelf.put("A van is a car.", name="Words")
    second = await new_shelf(shelf.product, shelf.tenant)
    await second.put("The van comes on 6 May.")
    found = await shelf.passages("When does the van come in May?")
    assert [text for _, text in found] == ["The van comes on 4 May.", "A van is a car."]
    assert await shelf.passages("Elephants?") == []


async def test_sources_are_named_in_their_order(shelf: Shelf) -> None:
    project = await shelf.product.services.projects.get(shelf.tenant.member, shelf.project_id)
    document_ids = [new_id(), new_id()]
    async with shelf.database.write_org(shelf.tenant.organization_id) as tx:
        for number, document_id in enumerate(document_ids):
            await tx.execute(sa.insert(documents).values(**document_row(document_id, f"{number}.pdf")))
        sources = [document_ids[1], project.id, document_ids[0], project.id]
        assert await check_sources(tx, sources) == ["1.pdf", project.name, "0.pdf"]


@pytest.mark.parametrize("product", ["postgresql"], indirect=True)
async def test_the_likeliest_documents_are_read_with_one_statement(shelf: Shelf) -> None:
    rare = await shelf.put("plum and pear")
    for _ in range(PLACES_LOOKED_AT + 4):
        await shelf.put("plum")
    asked: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        asked.append(statement)

    sa.event.listen(sa.Engine, "before_cursor_execute", note)
    try:
        found = await shelf.product.services.living_documents.likely(
            shelf.tenant.member, shelf.project_id, ["plum", "pear"]
        )
    finally:
        sa.event.remove(sa.Engine, "before_cursor_execute", note)
    assert len(found) == PLACES_LOOKED_AT
    assert found[0] == rare
    assert len([statement for statement in asked if "living_document_revisions" in statement]) == 1
