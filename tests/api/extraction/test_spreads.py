"""A correction spreads to documents that look alike: shown first, in one transaction, never over a person's word."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Coroutine
from typing import Any

import pytest
import sqlalchemy as sa

from docagent.store import tables as table
from tests.support.made.harbour import Harbour
from tests.support.polling import until
from tests.support.product import Product, Tenant
from tests.support.services.databases import on_each_database
from tests.support.services.locks import waiting_for_a_lock

pytestmark = on_each_database

PAPERS = [("K-17", "Ole Larsen"), ("B-4", "Ida Holm"), ("C-9", "Bo Friis"), ("D-2", "Eva Juhl")]


class Quay(Harbour):
    """Four papers of one layout, whose berth nobody could read, and one of another layout."""

    ids: list[str]

    async def fill(self) -> Quay:
        await self.open()
        self.ids = [(await self.read(*one))[0] for one in PAPERS]
        self.other, _ = await self.read_text("note.txt", "Minutes of the meeting\n\nNothing was decided.\n")
        return self

    def result(self, document_id: str) -> dict[str, Any]:
        return {"url": f"/llm/result/{document_id}", "params": {"prompt_revid": self.prompt["prompt_revid"]}}

    async def correct(self, document_id: str, path: str, value: str) -> None:
        where = self.result(document_id)
        answer = await self.api.call(
            "PATCH", where["url"], params=where["params"], json={"path": path, "value": value}
        )
        assert answer.status_code == 200, answer.text

    async def preview(self, document_id: str, path: str = "berth") -> dict[str, Any]:
        where = self.result(document_id)
        answer = await self.api.call(
            "GET", f"{where['url']}/spread", params={"path": path, **where["params"]}
        )
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    async def apply(self, document_id: str, seen: dict[str, int], status: int = 200) -> Any:
        where = self.result(document_id)
        answer = await self.api.call(
            "POST", f"{where['url']}/spread", params=where["params"], json={"path": "berth", "seen": seen}
        )
        assert answer.status_code == status, answer.text
        return answer.json()

    async def berths(self) -> list[str | None]:
        found = [
            await self.api.get(f"/llm/result/{one}", prompt_revid=self.prompt["prompt_revid"])
            for one in self.ids
        ]
        return [one["updated_llm_result"]["berth"] for one in found]


def seen_in(preview: dict[str, Any]) -> dict[str, int]:
    return {one["document_id"]: one["revision"] for one in preview["changes"]}


@pytest.fixture
async def quay(product: Product, tenant: Tenant) -> Quay:
    return await Quay(product, tenant).fill()


async def test_a_correction_is_shown_applied_counted_and_undone(quay: Quay) -> None:
    first, *rest = quay.ids
    assert await quay.berths() == [None] * 4
    await quay.correct(first, "berth", "K-17")
    preview = await quay.preview(first)
    assert preview["alike"] == 3, "the note looks otherwise"
    shown = {one["document_id"]: (one["path"], one["before"], one["after"]) for one in preview["changes"]}
    assert shown == {
        rest[0]: ("berth", None, "B-4"),
        rest[1]: ("berth", None, "C-9"),
        rest[2]: ("berth", None, "D-2"),
    }
    assert await quay.berths() == ["K-17", None, None, None], "nothing is stored yet"

    spread = await quay.apply(first, seen_in(preview))
    assert len(spread["changes"]) == 3
    assert await quay.berths() == ["K-17", "B-4", "C-9", "D-2"]
    made = await quay.api.get(f"/llm/result/{rest[0]}", prompt_revid=quay.prompt["prompt_revid"])
    assert made["grounding"]["berth"]["voice"] == "memory"
    assert made["is_edited"] is False, "a person did not write it"
    assert made["is_verified"] is False
    revisions = await quay.api.get(
        f"/llm/result/{rest[0]}/revisions", prompt_revid=quay.prompt["prompt_revid"]
    )
    assert [one["origin"] for one in revisions["revisions"]][:2] in (["spread", "model"], ["model", "spread"])
    prompt_id = quay.prompt["prompt_id"]
    earned = await quay.api.get(f"/learning/{prompt_id}/spreads")
    assert (earned["corrections"], earned["values"]) == (1, 3)
    assert earned["spreads"][0]["spread_id"] == spread["spread_id"]
    await quay.learnt()
    assert first in await quay.documents(), "the correction teaches the next documents too"

    undo = f"/learning/spreads/{spread['spread_id']}/undo"
    assert await quay.api.post(undo, {}) == {"restored": 3, "kept": 0}
    assert await quay.berths() == ["K-17", None, None, None]
    assert (await quay.api.get(f"/learning/{prompt_id}/spreads"))["values"] == 0
    await quay.api.refused(409, "POST", undo)


async def test_what_a_person_wrote_or_verified_stays(quay: Quay) -> None:
    first, second, third, fourth = quay.ids
    await quay.correct(second, "berth", "somewhere else")
    await quay.verify(third, "C-9", "Bo Friis")
    await quay.correct(first, "berth", "K-17")
    preview = await quay.preview(first)
    assert [one["document_id"] for one in preview["changes"]] == [fourth]
    await quay.apply(first, seen_in(preview))
    assert await quay.berths() == ["K-17", "somewhere else", "C-9", "D-2"]
    verified = await quay.api.get(f"/llm/result/{third}", prompt_revid=quay.prompt["prompt_revid"])
    assert verified["is_verified"] is True


async def test_a_document_that_changed_since_the_preview_is_left_alone(quay: Quay) -> None:
    first, second, third, _ = quay.ids
    await quay.correct(first, "berth", "K-17")
    seen = seen_in(await quay.preview(first))
    await quay.correct(second, "pilot", "Somebody")
    seen.pop(third)
    spread = await quay.apply(first, seen)
    assert [one["document_id"] for one in spread["changes"]] == [quay.ids[3]]
    await quay.correct(quay.ids[3], "pilot", "Nobody")
    undone = await quay.api.post(f"/learning/spreads/{spread['spread_id']}/undo", {})
    assert undone == {"restored": 0, "kept": 1}
    assert await quay.berths() == ["K-17", None, None, "D-2"]
    await quay.apply(first, {second: 1}, status=409)


async def test_a_document_that_was_deleted_since_is_left_alone(quay: Quay) -> None:
    first, second, third, fourth = quay.ids
    await quay.correct(first, "berth", "K-17")
    seen = seen_in(await quay.preview(first))
    await quay.api.delete(f"/documents/{second}")
    spread = await quay.apply(first, seen)
    assert {one["document_id"] for one in spread["changes"]} == {third, fourth}
    await quay.api.delete(f"/documents/{third}")
    undo = f"/learning/spreads/{spread['spread_id']}/undo"
    answers = await asyncio.gather(*(quay.api.call("POST", undo) for _ in range(2)))
    assert sorted(answer.status_code for answer in answers) == [200, 409], "two at once are one"
    (done,) = [answer.json() for answer in answers if answer.status_code == 200]
    assert done == {"restored": 1, "kept": 1}


async def test_a_token_that_was_revoked_after_the_preview_changes_nothing(quay: Quay) -> None:
    first = quay.ids[0]
    await quay.correct(first, "berth", "K-17")
    made = await quay.api.post("/access_tokens", {"name": "t", "lifetime": 0})
    holder = Quay(quay.product, quay.tenant)
    holder.prompt = quay.prompt
    holder.api = dataclasses.replace(quay.api, headers={"Authorization": f"Bearer {made['token']}"})
    seen = seen_in(await holder.preview(first))
    await quay.api.delete(f"/access_tokens/{made['id']}")
    await holder.apply(first, seen, status=401)
    assert await quay.berths() == ["K-17", None, None, None]


@pytest.mark.databases("postgresql")
async def test_results_are_locked_in_one_order(quay: Quay) -> None:
    """Who waits for the first result holds no other one, so two corrections never wait for each other."""
    first, *_, last = quay.ids
    await quay.correct(last, "berth", "D-2")
    seen = seen_in(await quay.preview(last))
    spread = await _while_held(quay, first, quay.apply(last, seen))
    assert len(spread["changes"]) == 3
    undo = f"/learning/spreads/{spread['spread_id']}/undo"
    assert await _while_held(quay, first, quay.api.post(undo, {})) == {"restored": 3, "kept": 0}


async def _while_held(quay: Quay, document_id: str, doing: Coroutine[Any, Any, Any]) -> Any:
    """Do it while somebody holds the first result, and see that it has taken none of the others by then."""
    db, organization_id = quay.product.services.db, quay.tenant.organization_id
    results = table.extraction_results
    async with db.write_org(organization_id) as tx:
        mine = sa.select(results.c.id).where(results.c.document_id == document_id)
        await tx.rows(mine.with_for_update())
        task = asyncio.create_task(doing)
        await waiting_for_a_lock(db, 1)

        async def others_are_free() -> bool:
            """A job that learns from one of them may hold that one, for a moment."""
            async with db.write_org(organization_id) as other:
                free = await other.rows(sa.select(results.c.document_id).with_for_update(skip_locked=True))
            return {row.document_id for row in free} == {*quay.ids, quay.other} - {document_id}

        await until(others_are_free)
    return await task


async def test_without_learning_nothing_spreads_and_strangers_see_nothing(
    quay: Quay, product: Product
) -> None:
    first = quay.ids[0]
    await quay.correct(first, "berth", "K-17")
    await quay.api.put("/learning", {"enabled": False})
    assert await quay.preview(first) == {"alike": 0, "changes": []}
    await quay.api.put("/learning", {"enabled": True})
    spread = await quay.apply(first, seen_in(await quay.preview(first)))
    stranger = await Harbour(product, await product.new_tenant()).open()
    revid = {"prompt_revid": quay.prompt["prompt_revid"]}
    asked = await stranger.api.call("GET", f"/llm/result/{first}/spread", params={"path": "berth", **revid})
    assert asked.status_code == 404
    await stranger.api.refused(
        404, "POST", f"/llm/result/{first}/spread", {"path": "berth", "seen": {}}, **revid
    )
    await stranger.api.refused(404, "GET", f"/learning/{quay.prompt['prompt_id']}/spreads")
    await stranger.api.refused(404, "POST", f"/learning/spreads/{spread['spread_id']}/undo")
    assert await quay.berths() == ["K-17", "B-4", "C-9", "D-2"]
