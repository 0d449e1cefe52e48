"""A proposal whose preparation is cut short: by time, by a person, by what is deleted meanwhile."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from docagent.domain.accounts.accounts import Membership, Role
from tests.conftest import make_settings
from tests.support.agent import OPENAI, Desk, Json, add_member, running_studio
from tests.support.models.provider import Silent
from tests.support.polling import true_soon
from tests.support.proposals import (
    NOTHING,
    ONE_OF_EACH,
    PREPARES,
    prepared,
    proposal,
    rows,
    settled,
    upload,
    verdict,
)


async def held_at(desk: Desk, replies: int) -> Json:
    """The proposal of a new upload, whose model has given so many replies and is silent now."""
    desk.script(*PREPARES[:replies], Silent())
    document_id = await upload(desk.api)
    await true_soon(lambda: len(desk.provider.requests) > replies)
    found = await proposal(desk.api, document_id)
    assert (found["status"], found["turn_id"] is not None) == ("running", True)
    return found


async def stop(desk: Desk, found: Json) -> None:
    stopped = await desk.api.call("POST", f"/turns/{found['turn_id']}/stop")
    assert stopped.status_code in (200, 202), stopped.text


async def test_it_may_not_take_for_ever(tmp_path: Path) -> None:
    async with running_studio(make_settings(tmp_path, agent={"proposal_seconds": 0.5})) as studio:
        desk = await studio.new_desk()
        await desk.api.put("/llm/default_model", {"model": OPENAI})
        found = await prepared(desk, Silent())
        assert (found["status"], found["error"]) == ("failed", "It was not done after 0.5 seconds.")
        assert await rows(desk) == NOTHING
        log = await desk.api.get(f"/documents/{found['document_id']}/auto_create/agent_log")
        assert (log["events"][-1]["type"], log["events"][-1]["code"]) == ("failed", "timeout")


async def test_an_extraction_with_a_prompt_that_fits_may_not_either(tmp_path: Path) -> None:
    async with running_studio(make_settings(tmp_path)) as studio:
        unhurried = await studio.new_desk()
        first = await settled(unhurried.api, await upload(unhurried.api))
        assert first["auto_create_status"] == "proposed"
        await verdict(unhurried.api, first["id"], "accept")
        await unhurried.api.put("/llm/default_model", {"model": OPENAI})
    async with running_studio(make_settings(tmp_path, agent={"proposal_seconds": 2})) as studio:
        desk = replace(unhurried, studio=studio, api=replace(unhurried.api, client=studio.product.client))
        found = await prepared(desk, Silent())
        assert (found["status"], found["error"]) == ("failed", "It was not done after 2 seconds.")
        assert found["turn_id"] is None


@pytest.mark.parametrize(("replies", "status"), [(2, "failed"), (4, "proposed")])
async def test_a_person_stops_it(scripted_desk: Desk, replies: int, status: str) -> None:
    """What has a result already is proposed, and nothing is left of the rest."""
    found = await held_at(scripted_desk, replies)
    await scripted_desk.api.refused(409, "POST", f"/documents/{found['document_id']}/auto_create/accept")
    assert (await verdict(scripted_desk.api, found["document_id"], "retry"))["status"] == "running"
    await stop(scripted_desk, found)
    document = await settled(scripted_desk.api, found["document_id"])
    assert document["auto_create_status"] == status
    if status == "failed":
        assert document["auto_create_error"] == "Somebody stopped the agent."
    assert await rows(scripted_desk) == (NOTHING if status == "failed" else ONE_OF_EACH)


@pytest.mark.parametrize("replies", [1, 4])
async def test_the_document_is_deleted_meanwhile(scripted_desk: Desk, replies: int) -> None:
    desk = scripted_desk
    found = await held_at(desk, replies)
    await desk.api.delete(f"/documents/{found['document_id']}")
    await desk.api.refused(404, "GET", f"/documents/{found['document_id']}/auto_create")
    await stop(desk, found)
    await desk.until(found["turn_id"], "stopped")
    assert (await desk.api.get("/auto_create"))["groups"] == []
    after = await prepared(desk, *PREPARES)
    assert (after["status"], after["proposal_id"] != found["proposal_id"]) == ("proposed", True)


async def test_the_uploader_is_removed_meanwhile(scripted_desk: Desk) -> None:
    desk = scripted_desk
    colleague = await add_member(desk)
    product = desk.studio.product
    desk.provider.hold = asyncio.Event()
    desk.script(*PREPARES)
    document_id = await upload(colleague.api)
    await true_soon(lambda: bool(desk.provider.requests))
    await product.services.organizations.update(
        product.admin,
        desk.tenant.organization_id,
        name=None,
        type=None,
        members=[Membership(desk.tenant.user_id, Role.ADMIN)],
        flags={},
        ocr_config=None,
    )
    desk.provider.hold.set()
    document = await settled(desk.api, document_id)
    assert document["auto_create_status"] == "failed"
    assert "no longer a member" in document["auto_create_error"]
    assert await rows(desk) == NOTHING
    desk.provider.forget()
    desk.script(*PREPARES)
    await verdict(desk.api, document_id, "retry")
    assert (await settled(desk.api, document_id))["auto_create_status"] == "proposed", "others can go on"
