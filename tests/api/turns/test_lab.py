"""The strategy lab: one task under several strategies, and nothing left of it but what it cost."""

from __future__ import annotations

import asyncio
import fcntl
import os
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from docagent.domain.ids import new_id
from docagent.services.turns.lab import MOST_STRATEGIES, SOURCE, temporary_folder
from docagent.store.tables import credit_entries, metadata
from tests.support.agent import OPENAI, Desk, Json, call, calls, say
from tests.support.models.provider import Answer, Refusal
from tests.support.polling import SECONDS

OFFLINE = "docagent-offline"
STRATEGIES = ["tools", "react", "think-act", "plan-and-execute", "tool-first", "llm-only"]
COSTS = ("credit_accounts", "credit_entries")
MAY_CHANGE = (*COSTS, "credit_holds", "access_tokens")
"""An access token notes when it was used."""


async def compare(desk: Desk, *answers: Answer, **asked: Any) -> Json:
    desk.script(*answers)
    body = {"document_id": desk.document_id, "task": "Go", "strategies": ["tools"], "model": OPENAI}
    found: Json = await desk.api.post("/agent/compare", body | asked)
    return found


async def refused(desk: Desk, status: int, **asked: Any) -> Any:
    body = {"document_id": desk.document_id, "task": "Go", "strategies": ["tools"], "model": OPENAI}
    return await desk.api.refused(status, "POST", "/agent/compare", body | asked)


async def state(desk: Desk) -> dict[str, list[Any]]:
    """Every row of every table, of this organisation where rows have one."""
    found = {}
    async with desk.services.db.read_org(desk.tenant.organization_id) as tx:
        for name, table in metadata.tables.items():
            if name not in MAY_CHANGE:
                found[name] = sorted(map(repr, await tx.rows(sa.select(table))))
    return found


async def until_asked(desk: Desk) -> None:
    async with asyncio.timeout(SECONDS):
        while True:
            if desk.provider.requests:
                return
            await asyncio.sleep(0.01)


async def charges(desk: Desk) -> list[Any]:
    statement = sa.select(credit_entries).where(credit_entries.c.source == SOURCE)
    async with desk.services.db.read_org(desk.tenant.organization_id) as tx:
        return list(await tx.rows(statement.order_by(credit_entries.c.created_at)))


def folder_of(desk: Desk) -> Path:
    return desk.studio.product.settings.data / "comparisons"


@pytest.fixture
async def read_desk(own_desk: Desk) -> Desk:
    """An organisation of the test's own, with a document that is read."""
    await own_desk.studio.product.read_document(own_desk.tenant, own_desk.document_id)
    return own_desk


async def test_runs_stand_side_by_side_and_apart(read_desk: Desk) -> None:
    """Each begins with the same state, whatever the one before did."""
    desk = read_desk
    make = call("c1", "create_tag", name="urgent")
    before = await state(desk)
    answers: list[Answer] = [calls(make), "Made it.", say("First.", make), "Made it, too.", "Only words."]
    compared = await compare(desk, *answers, strategies=["tools", "tool-first", "llm-only"])
    assert await state(desk) == before
    assert {key: compared[key] for key in ("document_id", "document_name", "task", "model")} == {
        "document_id": desk.document_id,
        "document_name": "invoice 4711.pdf",
        "task": "Go",
        "model": OPENAI,
    }
    told = [
        (run["strategy"], run["outcome"], run["answer"], run["steps"], run["model_calls"], run["tool_calls"])
        for run in compared["runs"]
    ]
    assert told == [
        ("tools", "completed", "Made it.", 2, 2, 1),
        ("tool-first", "completed", "Made it, too.", 1, 2, 1),
        ("llm-only", "completed", "Only words.", 1, 1, 0),
    ]
    assert [run["changes"] for run in compared["runs"]] == [
        ["Created tag “urgent”"],
        ["Created tag “urgent”"],
        [],
    ]
    for run in compared["runs"]:
        assert run["input_tokens"] > 0
        assert run["output_tokens"] > 0
        assert run["cost"] > 0
        assert run["seconds"] > 0
    assert list(folder_of(desk).iterdir()) == []


async def test_each_model_call_is_a_charge_on_the_real_account(read_desk: Desk) -> None:
    desk = read_desk
    before = await desk.services.credits.balance(desk.tenant.member)
    compared = await compare(
        desk, calls(call("c1", "list_tags")), "None.", "Words.", strategies=["tools", "llm-only"]
    )
    entries = await charges(desk)
    assert [(entry.operation, entry.model, entry.user_id) for entry in entries] == [
        ("agent_llm", OPENAI, desk.tenant.user_id)
    ] * 3
    assert sum(entry.credits for entry in entries) == sum(run["credits"] for run in compared["runs"]) == 3
    assert sum(entry.input_tokens for entry in entries) == sum(
        run["input_tokens"] for run in compared["runs"]
    )
    assert sum(entry.cost for entry in entries) == pytest.approx(sum(run["cost"] for run in compared["runs"]))
    after = await desk.services.credits.balance(desk.tenant.member)
    assert (after.account.remaining, after.held) == (before.account.remaining - 3, 0)


async def test_an_extraction_inside_a_run_counts(read_desk: Desk) -> None:
    """Its model call is one of the run's calls, charged for real; its result stays in the copy."""
    desk = read_desk
    before = await state(desk)
    (run,) = (await compare(desk, calls(call("x", "run_extraction")), "It is 99.50."))["runs"]
    assert (run["outcome"], run["answer"], run["model_calls"], run["tool_calls"]) == (
        "completed",
        "It is 99.50.",
        3,
        1,
    )
    assert sorted(entry.operation for entry in await charges(desk)) == [
        "agent_llm",
        "agent_llm",
        "document_llm",
    ]
    assert await state(desk) == before


async def enforce(desk: Desk, left: int) -> None:
    """Limits on, and that many credits left."""
    product = desk.studio.product
    await product.services.credits.set_enforced(product.admin, desk.tenant.organization_id, True)
    balance = (await product.services.credits.balance(desk.tenant.member)).account.remaining
    await product.services.credits.record(desk.tenant.member, balance - left, "test", "test")


async def test_without_credits_nothing_runs(read_desk: Desk) -> None:
    desk = read_desk
    await enforce(desk, left=0)
    detail = await refused(desk, 402)
    assert detail.startswith("Insufficient SPU credits")
    assert desk.provider.requests == []
    assert await charges(desk) == []
    offline = await compare(desk, model=OFFLINE, task="what is the total?")
    assert offline["runs"][0]["answer"].startswith("The total is **99.50 EUR**")


async def test_credits_that_end_on_the_way_end_the_runs(read_desk: Desk) -> None:
    """What is left is what the real account has left, not what it had when the copy was made."""
    desk = read_desk
    await enforce(desk, left=1)
    compared = await compare(desk, "One.", strategies=["tools", "llm-only"])
    assert [run["outcome"] for run in compared["runs"]] == ["completed", "failed"]
    assert compared["runs"][1]["answer"].startswith("Insufficient SPU credits")
    assert [run["model_calls"] for run in compared["runs"]] == [1, 0]
    assert len(await charges(desk)) == 1
    assert list(folder_of(desk).iterdir()) == []


async def test_what_cannot_be_compared_is_refused(read_desk: Desk, desk: Desk) -> None:
    mine = read_desk
    detail = await refused(mine, 400, strategies=["tools", "magic"])
    assert detail.startswith("Unknown loop strategy: magic. Choose one of: llm-only, plan-and-execute,")
    assert await refused(mine, 400, strategies=["tools", "tools"]) == (
        "A strategy is named twice. Name each once."
    )
    await refused(mine, 422, strategies=[])
    await refused(mine, 422, strategies=[f"s{number}" for number in range(MOST_STRATEGIES + 1)])
    await refused(mine, 422, task="")
    await refused(mine, 422, max_steps=0)
    await refused(mine, 400, model="no-such-model")
    for unknown in (new_id(), "zz", desk.document_id):
        assert await refused(mine, 404, document_id=unknown) == "Document not found"
    assert mine.provider.requests == []


async def test_a_document_without_text_yet_is_refused(own_desk: Desk) -> None:
    detail = await refused(own_desk, 409)
    assert detail == "The document is still being read. Compare when that is done."


async def test_policy_holds_and_what_asks_is_approved(read_desk: Desk) -> None:
    desk = read_desk
    for tool, effect in (("create_tag", "ask"), ("delete_document", "deny")):
        await desk.api.post("/agent/rules", {"tool": tool, "effect": effect, "scope": "everyone"})
    both = calls(call("a", "create_tag", name="new"), call("b", "delete_document"))
    (run,) = (await compare(desk, both, "Done what I may."))["runs"]
    assert (run["outcome"], run["changes"]) == ("completed", ["Created tag “new”"])
    told = {item["call_id"]: item for item in desk.told()}
    assert "does not allow" in told["b"]["error"]


async def test_a_document_that_is_deleted_in_the_copy_is_still_there(read_desk: Desk) -> None:
    desk = read_desk
    (run,) = (await compare(desk, calls(call("d", "delete_document")), "Gone."))["runs"]
    assert len(run["changes"]) == 1
    found = await desk.api.get(f"/documents/{desk.document_id}", include_content="true")
    assert found["content"]


async def test_a_question_a_limit_and_a_failure(desk: Desk) -> None:
    asks = calls(call("q", "request_input", question="Which one?"))
    (run,) = (await compare(desk, asks))["runs"]
    assert (run["outcome"], run["answer"]) == ("awaiting_input", "Which one?")
    looks = calls(call("l", "list_tags"))
    (run,) = (await compare(desk, looks, "So far.", max_steps=1))["runs"]
    assert (run["outcome"], run["steps"]) == ("limit_reached", 1)
    assert run["answer"].endswith("(Max tool rounds reached.)")
    broken = Refusal(400, {"error": {"message": "broken"}})
    compared = await compare(desk, broken, "Words.", strategies=["tools", "llm-only"])
    assert [run["outcome"] for run in compared["runs"]] == ["failed", "completed"]
    assert compared["runs"][0]["answer"]
    assert list(folder_of(desk).iterdir()) == []


async def test_one_comparison_at_a_time(desk: Desk, own_desk: Desk) -> None:
    desk.provider.hold = asyncio.Event()
    first = asyncio.create_task(compare(desk, "One.", "Two."))
    await until_asked(desk)
    detail = await refused(desk, 409)
    assert detail.startswith("A comparison is running in this organisation already.")
    desk.provider.hold.set()
    assert (await first)["runs"][0]["answer"] == "One."
    assert (await compare(desk))["runs"][0]["answer"] == "Two."


async def test_the_built_in_model_answers_under_every_strategy(desk: Desk) -> None:
    compared = await compare(desk, model=OFFLINE, task="what is the total?", strategies=STRATEGIES)
    assert [run["strategy"] for run in compared["runs"]] == STRATEGIES
    for run in compared["runs"]:
        assert run["outcome"] == "completed"
        assert "99.50 EUR" in run["answer"]
        assert run["credits"] == run["cost"] == 0


async def test_the_built_in_model_acts_under_every_strategy_that_acts(desk: Desk) -> None:
    task = "create a schema for this invoice and run it"
    compared = await compare(desk, model=OFFLINE, task=task, strategies=STRATEGIES)
    changes = {
        run["strategy"]: [change.split(" ")[0] for change in run["changes"]] for run in compared["runs"]
    }
    assert {run["outcome"] for run in compared["runs"]} == {"completed"}
    assert changes == {
        "tools": ["Created", "Created", "Ran"],
        "react": ["Created", "Created", "Ran"],
        "think-act": ["Created", "Created", "Ran"],
        "plan-and-execute": ["Created", "Created", "Ran"],
        "tool-first": [],
        "llm-only": [],
    }


# --- files --------------------------------------------------------------------------------------------------------


def test_the_folder_goes_when_a_run_crashes(tmp_path: Path) -> None:
    def run_that_crashes() -> None:
        with temporary_folder(tmp_path / "comparisons") as folder:
            (folder / "state.db").write_bytes(b"rows")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        run_that_crashes()
    assert list((tmp_path / "comparisons").iterdir()) == []


def test_what_a_killed_process_left_goes_with_the_next(tmp_path: Path) -> None:
    left, used = tmp_path / "left", tmp_path / "used"
    for folder in (left, used):
        folder.mkdir()
        (folder / "in-use").touch()
        (folder / "state.db").write_bytes(b"rows")
    held = os.open(used / "in-use", os.O_RDWR)
    fcntl.flock(held, fcntl.LOCK_EX)
    try:
        with temporary_folder(tmp_path) as folder:
            assert sorted(tmp_path.iterdir()) == sorted([used, folder])
            assert folder.stat().st_mode & 0o077 == 0
    finally:
        os.close(held)
