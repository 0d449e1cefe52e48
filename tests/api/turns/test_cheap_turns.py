"""What a turn asks of the database: few statements, in few transactions, however many steps it takes."""

from __future__ import annotations

import pytest
from benchmarks.counted_postgres import counted_postgres
from benchmarks.server import free_port

from tests.conftest import make_settings
from tests.support.agent import Desk, call, calls, running_studio, say
from tests.support.services.databases import Databases, on_each_database
from tests.support.services.postgres import PostgresServer

pytestmark = on_each_database

TRANSACTIONS = 12
LOOK = [calls(call(f"look {number}", "list_tags", limit=1)) for number in range(3)]


async def test_a_turn_with_three_calls_asks_little_of_postgresql(
    databases: Databases, postgres: PostgresServer, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Statements of whoever looks after turns and jobs pass meanwhile, so only those of the turn are counted."""
    name = (await databases.new("postgresql")).partition("@/")[2].partition("?")[0]
    port = free_port()
    with counted_postgres(postgres.socket_folder, port) as relay:
        url = f"postgresql://postgres@127.0.0.1:{port}/{name}"
        async with running_studio(make_settings(tmp_path_factory.mktemp("data"), url)) as studio:
            desk = await studio.new_desk()
            await studio.product.read_document(desk.tenant, desk.document_id)
            await desk.chat("Which tags?", *LOOK, say("None."))
            before = len(relay.texts)
            await desk.chat("Which tags?", *LOOK, say("None."))
            asked = relay.texts[before:]
    assert sum(text.startswith("BEGIN") for text in asked) <= TRANSACTIONS
    assert not any("transcript_tokens" in text for text in asked if text.startswith("SELECT")), (
        "nothing comes before the first turn of a thread"
    )
    assert len([text for text in asked if "credit_accounts" in text]) == 1 + len(LOOK) + 1, (
        "limit, then charges"
    )
    assert len([text for text in asked if text.startswith("SELECT documents.")]) <= 2, "start, telling"


async def test_the_document_is_told_as_the_turn_has_changed_it(own_desk: Desk) -> None:
    """It is read once, and again after a call that changes something."""
    tag_id = (await own_desk.api.post("/tags", {"name": "urgent"}))["id"]
    await own_desk.chat(
        "Tag it.",
        calls(call("look", "list_tags")),
        calls(call("change", "update_document", tag_ids=[tag_id])),
        say("Done."),
        auto_approved_tools=["update_document"],
    )
    assert "urgent" not in own_desk.system(-2)
    assert "urgent" in own_desk.system(-1)
