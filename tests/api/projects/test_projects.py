"""Projects and their living documents: versions without gaps, names, refusals, and who wins when two write at once."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from typing import Any

import pytest

from docagent.domain.accounts.accounts import Membership, Role
from docagent.domain.errors import Conflict, InvalidInput, NotFound
from docagent.domain.ids import new_id
from docagent.domain.projects.projects import (
    MOST_CONTENT_CHARACTERS,
    MOST_DESCRIPTION_CHARACTERS,
    MOST_INSTRUCTION_CHARACTERS,
    MOST_NAME_CHARACTERS,
    MOST_REASON_CHARACTERS,
    Author,
    Changes,
    Written,
)
from docagent.services.projects.living_documents import LivingDocumentService
from docagent.services.projects.projects import ProjectService
from docagent.store.engine.database import Database
from tests.support.accounts import new_person
from tests.support.org_api import OrgApi
from tests.support.product import Product, Tenant

Json = dict[str, Any]
UNKNOWN = "0123456789abcdef01234567"
ODD_IDS = [UNKNOWN, "zz", "x" * 300, "%00"]
HALF_A_PAIR = "half \ud800 pair"


@dataclass(frozen=True)
class Shelf:
    """A project over HTTP."""

    api: OrgApi
    id: str

    @property
    def path(self) -> str:
        return f"/projects/{self.id}"

    async def put(self, name: str = "Plan", content: str = "# Plan", **more: Any) -> Json:
        made: Json = await self.api.post(f"{self.path}/documents", {"name": name, "content": content, **more})
        return made

    def of(self, document: Json) -> str:
        return f"{self.path}/documents/{document['id']}"


@pytest.fixture
async def shelf(api: OrgApi) -> Shelf:
    return Shelf(api, (await api.post("/projects", {"name": "Move"}))["id"])


@pytest.fixture
def projects(product: Product) -> ProjectService:
    return product.services.projects


@pytest.fixture
def documents(product: Product) -> LivingDocumentService:
    return product.services.living_documents


@pytest.fixture
def db(product: Product) -> Database:
    return product.services.db


# --- projects -----------------------------------------------------------------------------------------------------


async def test_a_project_is_made_read_changed_and_deleted(api: OrgApi, tenant: Tenant) -> None:
    made = await api.post(
        "/projects", {"name": " The \n move ", "description": "To Bern", "standing_instruction": "Be brief."}
    )
    assert made["name"] == "The move"
    assert (made["description"], made["standing_instruction"]) == ("To Bern", "Be brief.")
    assert (made["document_count"], made["created_by"]) == (0, tenant.user_id)
    assert made["created_at"] == made["updated_at"]
    path = f"/projects/{made['id']}"
    assert await api.get(path) == made
    changed = await api.put(path, {"description": ""})
    assert changed == made | {"description": "", "updated_at": changed["updated_at"]}
    assert changed["updated_at"] > made["updated_at"]
    assert await api.put(path, {"description": "", "name": "The move"}) == changed
    assert await api.put(path, {}) == changed
    assert (await api.put(path, {"name": "the MOVE"}))["name"] == "the MOVE"
    assert await api.delete(path) == {"message": "Project deleted successfully"}
    for method in ("GET", "DELETE"):
        assert await api.refused(404, method, path) == "Project not found"
    assert await api.refused(404, "PUT", path, {"name": "x"}) == "Project not found"


async def test_names_that_differ_in_case_or_spacing_are_one_name(api: OrgApi, stranger: OrgApi) -> None:
    await api.post("/projects", {"name": "The Move"})
    other = await api.post("/projects", {"name": "Other"})
    taken = "A project named 'The Move' already exists. Choose another name, or use that project."
    assert await api.refused(400, "POST", "/projects", {"name": " the  MOVE"}) == taken
    assert await api.refused(400, "PUT", f"/projects/{other['id']}", {"name": "the move"}) == taken
    await stranger.post("/projects", {"name": "The Move"})


async def test_a_name_is_free_again_after_deleting(
    api: OrgApi, tenant: Tenant, projects: ProjectService
) -> None:
    first = await api.post("/projects", {"name": "Move"})
    await api.delete(f"/projects/{first['id']}")
    second = await api.post("/projects", {"name": "MOVE"})
    with pytest.raises(Conflict, match="Another project is named “Move” now"):
        await projects.bring_back(tenant.member, first["id"])
    await api.delete(f"/projects/{second['id']}")
    assert (await projects.bring_back(tenant.member, first["id"])).name == "Move"
    assert (await projects.bring_back(tenant.member, first["id"])).name == "Move"
    for project_id in (UNKNOWN, "zz"):
        with pytest.raises(NotFound, match="Project not found"):
            await projects.bring_back(tenant.member, project_id)


async def test_one_of_many_gets_the_name(api: OrgApi) -> None:
    answers = await asyncio.gather(
        *(api.call("POST", "/projects", json={"name": f"Move{' ' * number}"}) for number in range(5))
    )
    assert sorted(answer.status_code for answer in answers) == [200, 400, 400, 400, 400]


async def test_lists_are_searched_paged_and_by_the_last_change(api: OrgApi) -> None:
    made = [await api.post("/projects", {"name": name}) for name in ("Move", "Remove 100%", "Tax")]
    await api.post(f"/projects/{made[0]['id']}/documents", {"name": "Plan"})
    listed = await api.get("/projects")
    assert [project["name"] for project in listed["projects"]] == ["Move", "Tax", "Remove 100%"]
    assert [project["document_count"] for project in listed["projects"]] == [1, 0, 0]
    assert (listed["total_count"], listed["skip"]) == (3, 0)
    page = await api.get("/projects", skip=1, limit=1)
    assert [project["name"] for project in page["projects"]] == ["Tax"]
    assert (page["total_count"], page["skip"]) == (3, 1)
    found = await api.get("/projects", search="MOVE")
    assert [project["name"] for project in found["projects"]] == ["Move", "Remove 100%"]
    assert (await api.get("/projects", search="0%"))["total_count"] == 1
    assert (await api.get("/projects", search="_"))["total_count"] == 0


@pytest.mark.parametrize("params", [{"limit": 0}, {"limit": 101}, {"skip": -1}])
async def test_odd_pages_are_refused(api: OrgApi, params: Json) -> None:
    await api.refused(422, "GET", "/projects", **params)


async def test_odd_searches_are_refused(api: OrgApi) -> None:
    assert "too long" in await api.refused(400, "GET", "/projects", search="x" * 300)
    assert "NUL" in await api.refused(400, "GET", "/projects", search="a\x00b")


PROJECT_FIELDS = [
    ("name", ""),
    ("name", "x" * (MOST_NAME_CHARACTERS + 1)),
    ("name", "nul\x00"),
    ("name", HALF_A_PAIR),
    ("description", "x" * (MOST_DESCRIPTION_CHARACTERS + 1)),
    ("description", "nul\x00"),
    ("standing_instruction", "x" * (MOST_INSTRUCTION_CHARACTERS + 1)),
    ("standing_instruction", HALF_A_PAIR),
]
DOCUMENT_FIELDS = [
    *(item for item in PROJECT_FIELDS if item[0] != "description"),
    ("content", "x" * (MOST_CONTENT_CHARACTERS + 1)),
    ("content", "nul\x00"),
    ("content", HALF_A_PAIR),
    ("reason", "x" * (MOST_REASON_CHARACTERS + 1)),
    ("reason", "nul\x00"),
]


def called(value: object) -> str:
    return str(value)[:8].encode("ascii", "backslashreplace").decode()


@pytest.mark.parametrize(("field", "value"), PROJECT_FIELDS, ids=called)
async def test_texts_of_projects_that_cannot_be_kept(
    api: OrgApi, tenant: Tenant, projects: ProjectService, field: str, value: str
) -> None:
    """By the API, and by the service, which the agent calls."""
    response = await api.post_text("/projects", json.dumps({"name": "Move", field: value}))
    assert response.status_code == 422, response.text
    assert response.json()["detail"][0]["loc"] == ["body", field]
    project = await projects.create(tenant.member, "Move")
    with pytest.raises(InvalidInput):
        await projects.create(tenant.member, **{"name": "Other", field: value})
    with pytest.raises(InvalidInput):
        await projects.update(tenant.member, project.id, **{field: value})
    assert await projects.get(tenant.member, project.id) == project


async def test_a_name_of_nothing_but_spaces_is_empty(shelf: Shelf) -> None:
    for path in ("/projects", f"{shelf.path}/documents"):
        assert (
            await shelf.api.refused(400, "POST", path, {"name": " \n "}) == "The name is empty. Give a name."
        )


# --- documents ----------------------------------------------------------------------------------------------------


async def test_a_document_is_made_and_read(shelf: Shelf, tenant: Tenant) -> None:
    made = await shelf.put(" The  plan", "# Plan\n", standing_instruction="In points.", reason="To begin")
    assert made == {
        "id": made["id"],
        "project_id": shelf.id,
        "name": "The plan",
        "version": 1,
        "content": "# Plan\n",
        "standing_instruction": "In points.",
        "author": "user",
        "reason": "To begin",
        "turn_id": None,
        "created_by": tenant.user_id,
        "created_at": made["created_at"],
    }
    assert await shelf.api.get(shelf.of(made)) == made
    project = await shelf.api.get(shelf.path)
    assert (project["document_count"], project["updated_at"]) == (1, made["created_at"])


async def test_the_list_is_by_name_and_without_texts(shelf: Shelf) -> None:
    assert await shelf.api.get(f"{shelf.path}/documents") == {"documents": [], "total_count": 0}
    made = [await shelf.put(name, "ä\U0001f600b") for name in ("b", "A", "C")]
    listed = await shelf.api.get(f"{shelf.path}/documents")
    assert listed["total_count"] == 3
    assert [item["name"] for item in listed["documents"]] == ["A", "b", "C"]
    expected = {key: value for key, value in made[1].items() if key != "content"}
    assert listed["documents"][0] == expected | {"characters": 3}


async def test_each_change_is_a_version(shelf: Shelf) -> None:
    first = await shelf.put(content="one", standing_instruction="Be brief.")
    path = shelf.of(first)
    second = await shelf.api.put(path, {"content": "two", "reason": "Better"})
    assert second == first | {
        "version": 2,
        "content": "two",
        "reason": "Better",
        "created_at": second["created_at"],
    }
    third = await shelf.api.put(path, {"standing_instruction": "", "base_version": 2})
    assert (third["version"], third["content"], third["standing_instruction"]) == (3, "two", "")
    fourth = await shelf.api.put(path, {"content": "", "base_version": 3})
    assert (fourth["version"], fourth["content"]) == (4, "")
    assert await shelf.api.get(path) == fourth
    for version, expected in ((1, first), (2, second), (3, third), (4, fourth)):
        assert await shelf.api.get(path, version=version) == expected
    versions = await shelf.api.get(f"{path}/versions")
    assert [item["version"] for item in versions["versions"]] == [4, 3, 2, 1]
    assert [item["characters"] for item in versions["versions"]] == [0, 3, 3, 3]
    assert versions["total_count"] == 4
    assert "content" not in versions["versions"][0]
    assert (await shelf.api.get(shelf.path))["updated_at"] == fourth["created_at"]


async def test_nothing_new_when_nothing_changes(shelf: Shelf) -> None:
    made = await shelf.put(content="one")
    path = shelf.of(made)
    before = await shelf.api.get(shelf.path)
    for body in ({}, {"content": "one"}, {"name": " Plan ", "reason": "none"}, {"base_version": 1}):
        assert await shelf.api.put(path, body) == made
    assert await shelf.api.post(f"{path}/restore", {"version": 1}) == made
    assert await shelf.api.get(shelf.path) == before


async def test_a_rename_is_a_version_and_says_so(shelf: Shelf) -> None:
    made = await shelf.put("Plan")
    renamed = await shelf.api.put(shelf.of(made), {"name": "PLAN"})
    assert (renamed["name"], renamed["version"], renamed["reason"]) == ("PLAN", 2, "Renamed from “Plan”")
    assert renamed["content"] == made["content"]


async def test_a_stale_change_is_refused(shelf: Shelf) -> None:
    made = await shelf.put(content="one")
    path = shelf.of(made)
    newest = await shelf.api.put(path, {"content": "two", "base_version": 1})
    told = (
        "“Plan” is at version 2, and this change is based on version 1. "
        "Nothing was changed. Read the newest version and make the change on top of it."
    )
    assert await shelf.api.refused(409, "PUT", path, {"content": "x", "base_version": 1}) == told
    body = {"version": 1, "base_version": 1}
    assert await shelf.api.refused(409, "POST", f"{path}/restore", body) == told
    await shelf.api.refused(409, "PUT", path, {"content": "x", "base_version": 7})
    await shelf.api.refused(409, "PUT", path, {"content": "two", "base_version": 1})
    assert await shelf.api.get(path) == newest


async def test_two_changes_on_the_same_version_have_one_winner(shelf: Shelf) -> None:
    made = await shelf.put(content="one")
    path = shelf.of(made)
    for base in (1, 2, 3):
        answers = await asyncio.gather(
            *(
                shelf.api.call("PUT", path, json={"content": f"{base} {who}", "base_version": base})
                for who in ("ada", "bob")
            )
        )
        assert sorted(answer.status_code for answer in answers) == [200, 409]
        (won,) = (answer.json() for answer in answers if answer.status_code == 200)
        assert await shelf.api.get(path) == won
    assert (await shelf.api.get(f"{path}/versions"))["total_count"] == 4


async def test_versions_have_no_gaps_however_many_write(shelf: Shelf) -> None:
    made = await shelf.put()
    await asyncio.gather(*(shelf.api.put(shelf.of(made), {"content": str(number)}) for number in range(8)))
    versions = (await shelf.api.get(f"{shelf.of(made)}/versions"))["versions"]
    assert [item["version"] for item in versions] == list(range(9, 0, -1))


async def test_restoring_makes_a_new_version(shelf: Shelf) -> None:
    first = await shelf.put(content="one", standing_instruction="Be brief.")
    path = shelf.of(first)
    await shelf.api.put(path, {"content": "two", "standing_instruction": "", "name": "Draft"})
    back = await shelf.api.post(f"{path}/restore", {"version": 1, "base_version": 2})
    assert (back["version"], back["content"], back["standing_instruction"]) == (3, "one", "Be brief.")
    assert (back["name"], back["reason"]) == ("Draft", "Back to version 1")
    again = await shelf.api.post(f"{path}/restore", {"version": 2, "reason": "I was wrong"})
    assert (again["version"], again["content"], again["reason"]) == (4, "two", "I was wrong")


@pytest.mark.parametrize("version", [0, 2, 2**31 - 1])
async def test_versions_that_are_not_there(shelf: Shelf, version: int) -> None:
    made = await shelf.put()
    path, told = shelf.of(made), "Version not found: “Plan” has the versions 1 to 1."
    assert await shelf.api.refused(404, "GET", path, version=version) == told
    assert await shelf.api.refused(404, "GET", f"{path}/download", version=version) == told
    assert await shelf.api.refused(404, "POST", f"{path}/restore", {"version": version}) == told


@pytest.mark.parametrize("version", [-1, 2**31, "x"])
async def test_versions_that_cannot_be(shelf: Shelf, version: object) -> None:
    made = await shelf.put()
    path = shelf.of(made)
    await shelf.api.refused(422, "GET", path, version=version)
    await shelf.api.refused(422, "POST", f"{path}/restore", {"version": version})
    await shelf.api.refused(422, "PUT", path, {"base_version": version})


async def test_a_name_belongs_to_one_document_of_a_project(shelf: Shelf) -> None:
    await shelf.put("The Plan")
    other = await shelf.put("Other")
    told = (
        "The project already has a document named 'The Plan'. Choose another name, or change that document."
    )
    documents = f"{shelf.path}/documents"
    assert await shelf.api.refused(400, "POST", documents, {"name": "the  PLAN "}) == told
    assert await shelf.api.refused(400, "PUT", shelf.of(other), {"name": "THE PLAN", "content": "x"}) == told
    assert await shelf.api.get(shelf.of(other)) == other
    second = Shelf(shelf.api, (await shelf.api.post("/projects", {"name": "Second"}))["id"])
    await second.put("The Plan")


async def test_one_of_many_documents_gets_the_name(shelf: Shelf) -> None:
    documents = f"{shelf.path}/documents"
    answers = await asyncio.gather(
        *(shelf.api.call("POST", documents, json={"name": "Plan"}) for _ in range(5))
    )
    assert sorted(answer.status_code for answer in answers) == [200, 400, 400, 400, 400]


@pytest.mark.parametrize(("field", "value"), DOCUMENT_FIELDS, ids=called)
async def test_texts_of_documents_that_cannot_be_kept(
    shelf: Shelf, tenant: Tenant, documents: LivingDocumentService, field: str, value: str
) -> None:
    path = f"{shelf.path}/documents"
    response = await shelf.api.post_text(path, json.dumps({"name": "Plan", field: value}))
    assert response.status_code == 422, response.text
    assert response.json()["detail"][0]["loc"] == ["body", field]
    made = await documents.create(tenant.member, shelf.id, "Plan")
    written = Written(reason=value if field == "reason" else "")
    texts: Json = {} if field == "reason" else {field: value}
    with pytest.raises(InvalidInput):
        await documents.create(tenant.member, shelf.id, **{"name": "Other", **texts}, written=written)
    with pytest.raises(InvalidInput):
        await documents.change(
            tenant.member, shelf.id, made.id, Changes(**texts), base_version=1, written=written
        )
    assert await documents.list(tenant.member, shelf.id) == [made]


async def test_a_document_of_the_greatest_length(shelf: Shelf) -> None:
    text = ("Größe " * (MOST_CONTENT_CHARACTERS // 6 + 1))[:MOST_CONTENT_CHARACTERS]
    made = await shelf.put(content=text)
    assert (await shelf.api.get(shelf.of(made)))["content"] == text
    (listed,) = (await shelf.api.get(f"{shelf.path}/documents"))["documents"]
    assert listed["characters"] == MOST_CONTENT_CHARACTERS


async def test_deleted_documents_are_gone_and_come_back_whole(
    shelf: Shelf, tenant: Tenant, documents: LivingDocumentService
) -> None:
    made = await shelf.put(content="one")
    newest = await shelf.api.put(shelf.of(made), {"content": "two"})
    assert await shelf.api.delete(shelf.of(made)) == {"message": "Document deleted successfully"}
    assert (await shelf.api.get(shelf.path))["document_count"] == 0
    assert (await shelf.api.get(f"{shelf.path}/documents"))["documents"] == []
    await check_not_found(shelf.api, shelf.of(made), "Document not found")
    replacement = await shelf.put()
    with pytest.raises(Conflict, match="Another document of the project is named “Plan” now"):
        await documents.undelete(tenant.member, shelf.id, made["id"])
    await shelf.api.delete(shelf.of(replacement))
    assert (await documents.undelete(tenant.member, shelf.id, made["id"])).version == 2
    assert await shelf.api.get(shelf.of(made)) == newest
    assert await shelf.api.get(shelf.of(made), version=1) == made
    for document_id in (made["id"], UNKNOWN, "zz"):
        with pytest.raises(Conflict, match="is no longer deleted"):
            await documents.undelete(tenant.member, shelf.id, document_id)


async def test_deleting_only_what_one_has_seen(
    shelf: Shelf, tenant: Tenant, documents: LivingDocumentService
) -> None:
    made = await shelf.put()
    await shelf.api.put(shelf.of(made), {"content": "two"})
    with pytest.raises(Conflict):
        await documents.delete(tenant.member, shelf.id, made["id"], base_version=1)
    await documents.delete(tenant.member, shelf.id, made["id"], base_version=2)
    await check_not_found(shelf.api, shelf.of(made), "Document not found")


async def test_a_deleted_project_takes_its_documents_along_and_brings_them_back(
    shelf: Shelf, tenant: Tenant, projects: ProjectService, documents: LivingDocumentService
) -> None:
    kept, gone = await shelf.put("kept"), await shelf.put("gone")
    await shelf.api.delete(shelf.of(gone))
    await shelf.api.delete(shelf.path)
    await check_not_found(shelf.api, shelf.of(kept), "Project not found")
    await shelf.api.refused(404, "GET", f"{shelf.path}/documents")
    await shelf.api.refused(404, "POST", f"{shelf.path}/documents", {"name": "new"})
    with pytest.raises(NotFound):
        await documents.undelete(tenant.member, shelf.id, gone["id"])
    assert (await projects.bring_back(tenant.member, shelf.id)).document_count == 1
    assert await shelf.api.get(shelf.of(kept)) == kept
    await check_not_found(shelf.api, shelf.of(gone), "Document not found")


async def check_not_found(api: OrgApi, path: str, told: str) -> None:
    for method, below, body in (
        ("GET", "", None),
        ("PUT", "", {"content": "x"}),
        ("DELETE", "", None),
        ("GET", "/versions", None),
        ("GET", "/download", None),
        ("POST", "/restore", {"version": 1}),
    ):
        assert await api.refused(404, method, path + below, body) == told, (method, below)


@pytest.mark.parametrize("odd", ODD_IDS)
async def test_odd_ids_are_not_found(shelf: Shelf, odd: str) -> None:
    made = await shelf.put()
    await check_not_found(shelf.api, f"{shelf.path}/documents/{odd}", "Document not found")
    await check_not_found(shelf.api, f"/projects/{odd}/documents/{made['id']}", "Project not found")
    assert await shelf.api.refused(404, "GET", f"/projects/{odd}") == "Project not found"
    assert await shelf.api.refused(404, "GET", f"/projects/{odd}/documents") == "Project not found"


async def test_a_document_of_another_project_is_not_found(shelf: Shelf) -> None:
    other = Shelf(shelf.api, (await shelf.api.post("/projects", {"name": "Other"}))["id"])
    made = await other.put()
    await check_not_found(shelf.api, shelf.of(made), "Document not found")
    assert await shelf.api.get(other.of(made)) == made


async def test_a_document_of_another_organisation_is_not_found(shelf: Shelf, stranger: OrgApi) -> None:
    made = await shelf.put()
    await check_not_found(stranger, shelf.of(made), "Project not found")
    own = Shelf(stranger, (await stranger.post("/projects", {"name": "Own"}))["id"])
    await check_not_found(stranger, own.of(made), "Document not found")
    assert (await stranger.get("/projects", search="Move"))["total_count"] == 0
    assert await shelf.api.get(shelf.of(made)) == made


async def test_members_share_projects(shelf: Shelf, product: Product, tenant: Tenant) -> None:
    """Whoever of the organisation it is; a version says who made it."""
    made = await shelf.put()
    colleague = await new_person(product)
    members = [Membership(tenant.user_id, Role.ADMIN), Membership(colleague.id, Role.USER)]
    await product.services.organizations.update(
        product.admin,
        tenant.organization_id,
        name=None,
        type=None,
        members=members,
        flags={},
        ocr_config=None,
    )
    theirs = OrgApi(product.client, tenant.organization_id, colleague.headers)
    changed = await theirs.put(shelf.of(made), {"content": "by a colleague"})
    assert changed["created_by"] == colleague.id
    assert await shelf.api.get(shelf.of(made)) == changed


@pytest.mark.parametrize(
    ("name", "file"), [("Plan", "Plan.md"), ("notes.MD", "notes.MD"), ('a"/b', "a__b.md")], ids=str
)
async def test_a_download_is_a_file_of_markdown(shelf: Shelf, name: str, file: str) -> None:
    made = await shelf.put(name, "# Größe\n")
    await shelf.api.put(shelf.of(made), {"content": "newer"})
    answer = await shelf.api.call("GET", f"{shelf.of(made)}/download", params={"version": 1})
    assert answer.content == "# Größe\n".encode()
    assert answer.headers["content-type"] == "text/markdown; charset=utf-8"
    assert answer.headers["content-disposition"].startswith(f'attachment; filename="{file}"')
    assert (await shelf.api.call("GET", f"{shelf.of(made)}/download")).text == "newer"


# --- what the agent's tools call ----------------------------------------------------------------------------------


async def test_a_document_is_found_by_its_name(
    shelf: Shelf, tenant: Tenant, documents: LivingDocumentService
) -> None:
    made = await shelf.put("The Plan")
    found = await documents.named(tenant.member, shelf.id, "  the plan")
    assert found is not None
    assert found.id == made["id"]
    for name in ("The", "The Plan B", "", "nul\x00", HALF_A_PAIR):
        assert await documents.named(tenant.member, shelf.id, name) is None


async def test_a_version_says_that_the_agent_wrote_it(
    shelf: Shelf, tenant: Tenant, documents: LivingDocumentService
) -> None:
    turn_id = new_id()
    written = Written(Author.AGENT, "Added the dates", turn_id)
    made = await documents.create(tenant.member, shelf.id, "Plan", "one", written=written)
    changed = await documents.change(
        tenant.member, shelf.id, made.id, Changes(content="two"), base_version=1, written=written
    )
    for entry in (made, changed):
        assert (entry.author, entry.reason, entry.turn_id) == (Author.AGENT, "Added the dates", turn_id)
    shown = await shelf.api.get(f"{shelf.path}/documents/{made.id}")
    assert (shown["author"], shown["reason"], shown["turn_id"]) == ("agent", "Added the dates", turn_id)


class Killed(Exception):
    pass


async def test_what_is_written_inside_a_call_goes_with_it(
    shelf: Shelf, tenant: Tenant, db: Database, projects: ProjectService, documents: LivingDocumentService
) -> None:
    """A use case takes part in the transaction that it is called in, also after one that refused."""
    made = await shelf.put(content="one")
    member = tenant.member

    async def work(*, killed: bool) -> None:
        async with db.write_org(tenant.organization_id) as tx:
            with tx.joined():
                for refused in (
                    documents.create(member, shelf.id, "PLAN"),
                    projects.create(member, "move"),
                ):
                    with pytest.raises(InvalidInput):
                        await refused
                await projects.create(member, "Second")
                await documents.create(member, shelf.id, "Other")
                changes = Changes(content="two")
                await documents.change(member, shelf.id, made["id"], changes, base_version=1)
            if killed:
                raise Killed

    with pytest.raises(Killed):
        await work(killed=True)
    assert (await shelf.api.get("/projects"))["total_count"] == 1
    assert (await shelf.api.get(shelf.path))["document_count"] == 1
    assert await shelf.api.get(shelf.of(made)) == made
    await work(killed=False)
    assert (await shelf.api.get("/projects"))["total_count"] == 2
    assert (await shelf.api.get(shelf.of(made)))["version"] == 2
