"""A proposal that is refined in the chat before a person accepts it: verdicts are on what it has become."""

from __future__ import annotations

import copy
from dataclasses import replace

import pytest

from tests.support.agent import Desk, Json, call, calls, yes
from tests.support.proposals import (
    ANOTHER_ORDER,
    BUILT_IN,
    extracted,
    names,
    prepared,
    proposal,
    verdict,
)


@pytest.fixture
async def first(own_desk: Desk) -> Json:
    """What the built-in model prepared."""
    await own_desk.api.put("/llm/default_model", {"model": BUILT_IN})
    return await prepared(own_desk)


def at(desk: Desk, found: Json) -> Desk:
    return replace(desk, document_id=found["document_id"])


def with_field(found: Json) -> Json:
    changed: Json = copy.deepcopy(found["schema"]["response_format"])
    schema = changed["json_schema"]["schema"]
    schema["properties"]["carrier"] = {"type": ["string", "null"]}
    schema["required"].append("carrier")
    return changed


async def refine(desk: Desk, found: Json) -> None:
    """Have the agent add a field to the schema and move the prompt to it, and approve both."""
    schema_id, prompt_id = found["schema"]["schema_id"], found["prompt"]["prompt_id"]
    grows = call("schema", "update_schema", schema_id=schema_id, response_format=with_field(found))
    moves = call("prompt", "update_prompt", prompt_id=prompt_id, schema_id=schema_id)
    turn = await at(desk, found).chat("Add the carrier", calls(grows))
    assert turn["state"] == "awaiting_approval"
    turn = await at(desk, found).approve(turn, yes("schema"), answers=[calls(moves)])
    answer = await at(desk, found).approve(turn, yes("prompt"), answers=["Done."])
    assert answer["state"] == "completed"
    assert not [told for told in desk.told() if "error" in told]


async def test_a_new_chat_starts_from_the_proposal(own_desk: Desk, first: Json) -> None:
    answer = await at(own_desk, first).chat("What is it?", "An order.")
    started = (await own_desk.events(answer["turn"]))[0]
    assert started["state"]["schema_revid"] == first["schema"]["schema_revid"]
    assert started["state"]["prompt_revid"] == first["prompt"]["prompt_revid"]
    assert "PO-2291" in started["state"]["extraction"].values()
    elsewhere = await own_desk.chat("And this?", "Nothing.")
    assert (await own_desk.events(elsewhere["turn"]))[0]["state"]["prompt_revid"] is None


async def test_tools_see_what_is_proposed_for_their_document_only(own_desk: Desk, first: Json) -> None:
    looks = calls(call("s", "list_schemas"), call("p", "list_prompts"))
    await at(own_desk, first).chat("Look", looks, "Seen.")
    assert [told["total_count"] for told in own_desk.told()] == [1, 1]
    await own_desk.chat("Look", looks, "Seen.")
    assert [told["total_count"] for told in own_desk.told()] == [0, 0]


async def test_what_was_refined_is_accepted_for_all_documents_of_the_group(
    own_desk: Desk, first: Json
) -> None:
    api = own_desk.api
    second = await prepared(own_desk, lines=ANOTHER_ORDER)
    assert second["proposal_id"] == first["proposal_id"]
    await refine(own_desk, first)
    assert await names(api, "schemas") == await names(api, "prompts") == []
    refined = await proposal(api, first["document_id"])
    assert (refined["schema"]["schema_version"], refined["prompt"]["prompt_version"]) == (2, 2)
    assert "carrier" in refined["schema"]["response_format"]["json_schema"]["schema"]["properties"]
    ids = [item["document_id"] for item in (first, second)]
    told = await api.post("/auto_create/accept", {"document_ids": ids})
    assert [item["status"] for item in told["documents"]] == ["accepted", "accepted"]
    for document_id in ids:
        result = await extracted(api, document_id, refined["prompt"]["prompt_revid"])
        assert "carrier" in result["llm_result"]
        document = await api.get(f"/documents/{document_id}", include_content=False)
        assert document["auto_create_prompt_revid"] == refined["prompt"]["prompt_revid"]
        assert document["auto_create_schema_revid"] == refined["schema"]["schema_revid"]
    assert len(await names(api, "schemas")) == 1


async def test_a_result_that_the_chat_made_again_is_proposed_too(own_desk: Desk, first: Json) -> None:
    await refine(own_desk, first)
    run = calls(call("run", "run_extraction"))
    turn = await at(own_desk, first).chat("Run it", run)
    await at(own_desk, first).approve(turn, yes("run"), answers=["Done."])
    path = f"/llm/results/{first['document_id']}/export"
    await own_desk.api.refused(404, "GET", path)
    refined = await proposal(own_desk.api, first["document_id"])
    assert refined["summary"]["fields"] == first["summary"]["fields"] + 1
    await verdict(own_desk.api, first["document_id"], "accept")
    assert (await own_desk.api.call("GET", path)).status_code == 200
    jobs = (await own_desk.api.get("/jobs", document_id=first["document_id"]))["jobs"]
    assert "extract" not in [job["kind"] for job in jobs], "the newest version has its result already"


@pytest.mark.parametrize(("decision", "version"), [("accept", 2), ("reject", None)])
async def test_a_card_that_waits_while_others_decide(
    own_desk: Desk, first: Json, decision: str, version: int | None
) -> None:
    """It changes what was accepted, and nothing that was rejected."""
    schema_id = first["schema"]["schema_id"]
    grows = call("schema", "update_schema", schema_id=schema_id, response_format=with_field(first))
    turn = await at(own_desk, first).chat("Add the carrier", calls(grows))
    await verdict(own_desk.api, first["document_id"], decision)
    body = {"turn_id": turn["turn_id"], "approvals": [yes("schema")]}
    own_desk.script("Done.")
    approved = await own_desk.api.call("POST", f"{at(own_desk, first).path}/approve", json=body)
    if version is None:
        assert approved.status_code == 409 or "error" in own_desk.told()[0]
        restored = await verdict(own_desk.api, first["document_id"], "restore")
        assert restored["schema"] == first["schema"]
    else:
        assert approved.status_code == 200, approved.text
        listed = (await own_desk.api.get("/schemas"))["schemas"]
        assert [item["schema_version"] for item in listed] == [version]
    own_desk.provider.forget()


async def test_what_the_chat_makes_beside_it_is_real(own_desk: Desk, first: Json) -> None:
    """A schema that a person approved is no part of the proposal: it stays when that is rejected."""
    form = first["schema"]["response_format"]
    turn = await at(own_desk, first).chat(
        "Another", calls(call("new", "create_schema", name="Mine", response_format=form))
    )
    await at(own_desk, first).approve(turn, yes("new"), answers=["Done."])
    assert await names(own_desk.api, "schemas") == ["Mine"]
    uses = call("bad", "create_prompt", name="X", content="X", schema_id=first["schema"]["schema_id"])
    turn = await at(own_desk, first).chat("A prompt", calls(uses))
    await at(own_desk, first).approve(turn, yes("bad"), answers=["Refused."])
    assert "only proposed so far" in own_desk.told()[-1]["error"]
    await verdict(own_desk.api, first["document_id"], "reject")
    assert await names(own_desk.api, "schemas") == ["Mine"]
    assert await names(own_desk.api, "prompts") == []
