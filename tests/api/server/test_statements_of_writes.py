"""However much there is, and however much a request names, a request to write asks the database the same number of
times; routes that do the same to each of many things declare it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from docagent.domain.ids import new_id
from docagent.store import tables
from tests.api.server.test_statement_counts import FEW, MANY, Pair, filled_on
from tests.support.made.filled import Filled
from tests.support.operations import EVERY_ID, ORG_PREFIX, Operation, operations, request_for
from tests.support.services.databases import Databases
from tests.support.statements import Asked, asked

EACH_BY_ITSELF = "a transaction for each document that is named"
GROWS = {
    f"POST {ORG_PREFIX}/documents": "stores each file that is sent in a transaction of its own",
    f"POST {ORG_PREFIX}/auto_create/accept": EACH_BY_ITSELF,
    f"POST {ORG_PREFIX}/auto_create/reject": EACH_BY_ITSELF,
    f"POST {ORG_PREFIX}/auto_create/restore": EACH_BY_ITSELF,
    f"POST {ORG_PREFIX}/auto_create/retry": EACH_BY_ITSELF,
    f"POST {ORG_PREFIX}/projects/{{project_id}}/documents/{{living_document_id}}/copy": "long texts, one by one",
    f"POST {ORG_PREFIX}/agent/compare": "copies the organisation for each run",
    f"DELETE {ORG_PREFIX}/projects/{{project_id}}": "tells webhooks of each living document",
}
"""Operations that declare O(page): their statements grow with what they name. All others declare O(1)."""
TURNS = ("/chat", "/ag-ui", "/api/agent/act", "/api/chats/{chat_id}/messages")
"""These begin turns, whose own statements come at any time: `test_cheap_turns` counts them."""
FEWEST_DONE = 75
"""So many operations are carried out. The others are refused: their samples are about things that are not there."""


def ids_of(filled: Filled) -> dict[str, str]:
    ids = dict.fromkeys((*EVERY_ID, "user_id", "invitation_id", "file_id"), new_id())
    ids |= {f"{noun}_id": id for noun, id in filled.ids.items()}
    ids |= {noun: id for noun, id in filled.ids.items() if noun.endswith("_revid")}
    turn, thread = filled.ids["completed_turn"], filled.ids["document_thread"]
    return ids | {
        "thread_id": thread,
        "turn_id": turn,
        "project_turn_id": turn,
        "chat_id": filled.ids["project_thread"],
        "other_id": filled.ids["accuracy_run"],
        "file_id": filled.ids["document"],
    }


async def many_ids(pair: Pair, filled: Filled) -> dict[str, list[str]]:
    """As many ids as there are things, for what takes a list of them."""
    async with pair.product.services.db.read_org(filled.tenant.organization_id) as tx:
        documents = [row.id for row in await tx.rows(sa.select(tables.documents.c.id).limit(filled.size))]
        tags = [row.id for row in await tx.rows(sa.select(tables.tags.c.id))]
    return {"document_ids": documents, "data_sources": documents, "tag_ids": tags}


async def send(pair: Pair, operation: Operation, filled: Filled) -> tuple[int, Asked]:
    request = request_for(operation, filled.tenant.organization_id, ids_of(filled))
    body: Any = request.options.get("json")
    if isinstance(body, dict):
        body |= {name: ids for name, ids in (await many_ids(pair, filled)).items() if name in body}
        if isinstance(body.get("documents"), list):
            (one,) = body["documents"]
            body["documents"] = [{**one, "name": f"{new_id()}.pdf"} for _ in range(filled.size)]
    headers = filled.tenant.account_headers if "/account/" in operation.path else filled.tenant.headers
    with asked() as noted:
        answer = await pair.product.client.request(
            request.method, request.path, params=request.params, headers=headers, **request.options
        )
    return answer.status_code, noted


async def test_what_a_write_asks_does_not_grow_with_what_there_is(
    databases: Databases, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """On PostgreSQL, where many rows that are written at once are one statement; SQLite tells of each."""
    writes = [one for one in operations() if one.method != "GET" and not one.path.endswith(TURNS)]
    table, wrong, done = [], [], 0
    async with filled_on("postgresql", databases, tmp_path) as pair:
        for operation in writes:
            _, few = await send(pair, operation, pair.few)
            status, many = await send(pair, operation, pair.many)
            name = f"{operation.method} {operation.path}"
            table.append(f"{len(few):4} {len(many):4}  {status}  {name}")
            done += status < 400
            if many.repeated()[1] >= MANY > few.repeated()[1] and name not in GROWS:
                wrong.append(f"{name}: {len(few)} -> {len(many)}, most of all {many.repeated()}")
    with capsys.disabled():
        sys.stdout.write("\n".join([f"\nstatements for {FEW}, for {MANY} of everything", *table, ""]))
    assert wrong == []
    assert done >= FEWEST_DONE
    assert {*GROWS} <= {f"{one.method} {one.path}" for one in writes}
