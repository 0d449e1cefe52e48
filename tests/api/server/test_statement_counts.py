"""However much there is to show, a request to read asks the database the same number of times."""

from __future__ import annotations

import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from docagent.domain.clock import now
from docagent.domain.ids import new_id
from docagent.services.review.sheets import BATCH
from docagent.store import batches, tables
from tests.conftest import product_on
from tests.support.made.filled import Filled, add_results, blank, fill
from tests.support.operations import operations
from tests.support.org_api import OrgApi
from tests.support.product import Product
from tests.support.services.databases import EACH_DATABASE, Databases
from tests.support.statements import Asked, asked

FEW, MANY = 2, 7
LISTEN = {"/v0/orgs/{organization_id}/changes": "goes on for as long as somebody listens"}
GROWS: dict[str, str] = {}
"""Routes whose statements grow with the page that they give back, O(page), and why. All others declare O(1)."""
REFUSED = {
    "/v0/account/aws_config": "for system administrators",
    "/v0/account/email/invitations/{token}": "a link that nobody has",
    "/v0/account/llm/providers": "for system administrators",
    "/v0/account/token/organization": "wants a token in the address",
    "/v0/orgs/{organization_id}/extract/{job_id}": "a job that extracts nothing",
    "/v0/orgs/{organization_id}/sheet_merges/preview": "of a sheet with itself",
    "/v1/models/{model}": "a model that nobody has set up",
}
"""Routes that are about one thing, and are asked about one that is not there."""
NO_FILES = re.compile(
    r"/(pictures/|file$|files/\{file_id\}/content$|ocr/|grounding/|documents/\{document_id\}$)"
)
"""Routes about bytes and pages of one document, which the rows of these tests have not got."""


@dataclass
class Pair:
    product: Product
    few: Filled
    many: Filled


@asynccontextmanager
async def filled_on(database: str, databases: Databases, folder: Path) -> AsyncIterator[Pair]:
    async with product_on(database, databases, folder) as product:
        few, many = [await fill(product, await product.new_tenant(), size) for size in (FEW, MANY)]
        yield Pair(product, few, many)


@pytest.fixture(scope="module", params=EACH_DATABASE)
async def pair(
    request: pytest.FixtureRequest, databases: Databases, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Pair]:
    async with filled_on(request.param, databases, tmp_path_factory.mktemp("data")) as pair:
        yield pair


def address(path: str, filled: Filled) -> str:
    ids = filled.ids
    of_subject = "project" if "/projects/" in path else "document"
    known = {
        "organization_id": filled.tenant.organization_id,
        "document_id": ids["document"],
        "project_id": ids["project"],
        "living_document_id": ids["living_document"],
        "thread_id": ids[f"{of_subject}_thread"],
        "chat_id": ids["project_thread"],
        "turn_id": ids["completed_turn"],
        "tag_id": ids["tag"],
        "prompt_id": ids["prompt"],
        "prompt_revid": ids["prompt_revid"],
        "schema_id": ids["schema"],
        "schema_revid": ids["schema_revid"],
        "form_id": ids["form"],
        "form_revid": ids["form_revid"],
        "run_id": ids["accuracy_run"] if "/accuracy/" in path else ids["run"],
        "other_id": ids["accuracy_run"],
        "job_id": ids["job"],
        "file_id": ids["document"],
        "webhook_id": ids["webhook"],
        "delivery_id": ids["delivery"],
        "server_id": ids["server"],
        "provider": "openai",
        "number": "1",
        "page": "1",
        "part": "1",
        "model": "docagent-offline",
        "token": "unknown",
    }
    return re.sub(r"\{(\w+)\}", lambda name: known[name[1]], path)


def query(path: str, filled: Filled) -> dict[str, str]:
    wanted: dict[str, str] = {}
    if path.endswith(("/search", "projects/search")):
        wanted["q"] = "made"
    if "/llm/result/" in path:
        wanted["prompt_revid"] = filled.ids["prompt_revid"]
    if path.endswith("/spread"):
        wanted["path"] = "total"
    if path.endswith("/sheets/{prompt_id}/markdown"):
        wanted["column"] = "total"
    if "/sheet_merges" in path:
        wanted |= dict.fromkeys(("prompt_id", "source_prompt_id"), filled.ids["prompt"])
    if path.endswith("/llm/highlights"):
        wanted["document_ids"] = filled.ids["document"]
    if path.startswith("/v0/account/") and path.endswith(("/users", "/organizations", "/invitations")):
        wanted["organization_id"] = filled.tenant.organization_id
    if "/forms/submissions" in path:
        wanted["form_revid"] = filled.ids["form_revid"]
    return wanted


async def ask(pair: Pair, path: str, filled: Filled) -> tuple[int, Asked]:
    headers = filled.tenant.account_headers if "/account/" in path else filled.tenant.headers
    if path == "/v0/account/users":
        headers = await pair.product.admin_headers()
    for _ in range(2):  # the first time, things are loaded and kept
        with asked() as noted:
            answer = await pair.product.client.get(
                address(path, filled), params=query(path, filled), headers=headers
            )
    return answer.status_code, noted


def routes() -> list[str]:
    return sorted({operation.path for operation in operations() if operation.method == "GET"} - set(LISTEN))


async def test_what_a_request_asks_does_not_grow_with_what_there_is(
    pair: Pair, capsys: pytest.CaptureFixture[str]
) -> None:
    table, wrong, refused = [], [], []
    for path in routes():
        status, few = await ask(pair, path, pair.few)
        _, many = await ask(pair, path, pair.many)
        if len(many) > len(few):  # what is due once a minute, such as a token's last use, is not due again
            _, many = await ask(pair, path, pair.many)
        table.append(f"{len(few):4} {len(many):4}  {status}  {path}")
        if status >= 400 and path not in REFUSED and not NO_FILES.search(path):
            refused.append(f"{status} {path}")
        if len(many) > len(few) and path not in GROWS:
            wrong.append(f"{path}: {len(few)} -> {len(many)}, most of all {many.repeated()}")
    with capsys.disabled():
        sys.stdout.write("\n".join([f"\nstatements for {FEW}, for {MANY} of everything", *table, ""]))
    assert refused == []
    assert wrong == []


async def test_an_export_of_a_sheet_asks_once_for_a_batch_and_once_for_what_is_repeated(pair: Pair) -> None:
    path, counts = "/v0/orgs/{organization_id}/sheets/{prompt_id}/export", []
    for more in (BATCH, BATCH):
        await add_results(pair.product, pair.few, more)
        _, noted = await ask(pair, path, pair.few)
        counts.append(len(noted))
        assert sum("HAVING" in sql for sql, _ in noted.statements) == 1
    assert counts[1] - counts[0] == 1


async def test_what_is_out_of_date_is_removed_in_batches(pair: Pair) -> None:
    services, tenant = pair.product.services, pair.few.tenant
    past = now() - timedelta(days=100)
    old = {
        **blank(tables.jobs),
        "organization_id": tenant.organization_id,
        "state": "done",
        "finished_at": past,
    }
    async with services.db.write_org(tenant.organization_id) as tx:
        await tx.execute(sa.insert(tables.jobs), [{**old, "id": new_id()} for _ in range(2 * batches.BATCH)])
    with asked() as noted:
        await services.housekeeping.sweep()
    assert sum(sql.startswith("DELETE FROM jobs") for sql, _ in noted.statements) == 3
    async with services.db.read_org(tenant.organization_id) as tx:
        left = sa.select(sa.func.count()).where(tables.jobs.c.finished_at == past)
        assert await tx.scalar(left) == 0


async def test_a_long_conversation_comes_in_pages(pair: Pair) -> None:
    api = OrgApi(pair.product.client, pair.many.tenant.organization_id, pair.many.tenant.headers)
    thread = f"/documents/{pair.many.ids['document']}/chat/threads/{pair.many.ids['document_thread']}"
    whole = await api.get(thread)
    assert (len(whole["turns"]), whole["has_earlier"]) == (MANY, False)
    seen: list[str] = []
    options: dict[str, object] = {"limit": 3}
    while True:
        page = await api.get(thread, **options)
        assert {message["turn_id"] for message in page["messages"]} == {turn["id"] for turn in page["turns"]}
        seen[:0] = [turn["id"] for turn in page["turns"]]
        if not page["has_earlier"]:
            break
        options["before"] = page["turns"][0]["id"]
    assert seen == [turn["id"] for turn in whole["turns"]]
    await api.refused(404, "GET", thread, before=pair.many.ids["awaiting_approval_turn"])
