"""The present product works with the data of every released version, on both databases.

The tests of one release share a deployment, and run in any order. So each test uses its own part of it.
"""

from __future__ import annotations

import json
import tarfile
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest

from docagent import __version__
from tests.conftest import make_settings, running_product
from tests.releases import story
from tests.releases.make import DUMP, HERE, KNOWN
from tests.releases.story import Json
from tests.support.agent import blocks, decision, no, yes
from tests.support.models.provider import ScriptedProvider, running_provider
from tests.support.org_api import OrgApi
from tests.support.proposals import settled
from tests.support.services.postgres import PostgresServer

RELEASES = sorted(path.name for path in HERE.iterdir() if (path / "sqlite.tar.xz").exists())
WITH_AGENT = [release for release in RELEASES if release != "0.1.0"]
DATABASES = ("sqlite", "postgresql")
AT_EVERY_CHANGE = [(release, "sqlite") for release in RELEASES[-2:]]
"""The others are opened before a release: `make release-test`."""

needs_the_agent = pytest.mark.usefixtures("release_with_agent")


@dataclass(frozen=True)
class Deployment:
    """The data of a release, opened by the present product."""

    known: Json
    ada: OrgApi
    eve: OrgApi
    provider: ScriptedProvider

    @property
    def chat(self) -> str:
        return f"/documents/{self.known['document_id']}/chat"

    @property
    def project(self) -> str:
        return f"/projects/{self.known['project_id']}"

    async def living_document(self, key: str) -> Json:
        found: Json = await self.ada.get(f"{self.project}/documents/{self.known[key]}")
        return found

    async def waiting_calls(self, turn_id: str) -> dict[str, Json]:
        inbox = (await self.ada.get("/approvals", limit=100))["approvals"]
        (entry,) = [entry for entry in inbox if entry["turn_id"] == turn_id]
        return {call["id"]: call for call in entry["calls"]}

    async def decided(self, path: str, turn_id: str, *verdicts: Json, says: str) -> Json:
        """Give the verdicts. The turn then ends with what the model says, which is `says`."""
        self.provider.add(says)
        answer: Json = await self.ada.post(f"{path}/approve", decision({"turn_id": turn_id}, *verdicts))
        assert (answer["state"], answer["text"]) == ("completed", says)
        return answer

    async def is_decided(self, path: str, turn_id: str, *verdicts: Json) -> None:
        """Check that the turn is decided: another decision is refused."""
        await self.ada.refused(400, "POST", f"{path}/approve", decision({"turn_id": turn_id}, *verdicts))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "deployment" in metafunc.fixturenames:
        releases = WITH_AGENT if "release_with_agent" in metafunc.fixturenames else RELEASES
        places = [
            pytest.param(
                (release, kind),
                id=f"{release}-{kind}",
                marks=[] if (release, kind) in AT_EVERY_CHANGE else [pytest.mark.release],
            )
            for release in releases
            for kind in DATABASES
        ]
        metafunc.parametrize("deployment", places, indirect=True, scope="module")


@pytest.fixture(scope="module")
async def deployment(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Deployment]:
    release, kind = request.param
    folder = tmp_path_factory.mktemp("release")
    with tarfile.open(HERE / release / f"{kind}.tar.xz") as packed:
        packed.extraction_filter = getattr(tarfile, "data_filter", None)  # Python 3.11.2 has none
        packed.extractall(folder)
    known = json.loads((folder / KNOWN).read_text())
    assert known["version"] == release
    url = None
    if kind == "postgresql":
        server: PostgresServer = request.getfixturevalue("postgres")
        url = loaded(server, folder / DUMP)
    async with running_provider() as provider:
        endpoints = {story.ENDPOINT: {"base_url": provider.base_url, "models": ["teller"]}}
        settings = make_settings(folder / "data", url, models={"endpoints": endpoints})
        async with running_product(settings) as product:
            ada = OrgApi(product.client, known["organization_id"], bearer(known["token"]))
            eve = OrgApi(product.client, known["other_organization_id"], bearer(known["other_token"]))
            yield Deployment(known, ada, eve, provider)


@pytest.fixture
def release_with_agent() -> None:
    """Marks the tests that do not run for releases without the agent."""


def loaded(server: PostgresServer, dump: Path) -> str:
    database = server.create_database()
    with psycopg.connect(database.conninfo, autocommit=True) as connection:
        connection.execute(dump.read_bytes())
    return database.url


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def test_every_release_but_this_one_left_its_data() -> None:
    changelog = (HERE.parents[1] / "CHANGELOG.md").read_text()
    released = {line.removeprefix("## ") for line in changelog.splitlines() if line.startswith("## ")}
    assert set(RELEASES) - {__version__} == released - {__version__}, (
        "A released version has no data here: see tests/releases/make.py."
    )


# --- people and documents --------------------------------------------------------------------------------------------


async def test_people_get_in_and_see_their_own_organisation_only(deployment: Deployment) -> None:
    known, client = deployment.known, deployment.ada.client
    login = await client.post("/v0/account/auth/login", json={"email": story.BOB, "password": story.PASSWORD})
    assert login.status_code == 200, login.text
    session = bearer(login.json()["token"])
    listed = (await client.get("/v0/account/organizations", headers=session)).json()["organizations"]
    members = {organization["id"]: len(organization["members"]) for organization in listed}
    assert members[known["organization_id"]] == 2
    assert known["other_organization_id"] not in members
    assert (await deployment.eve.get("/documents"))["documents"] == []
    refused = await client.get(
        f"/v0/orgs/{known['organization_id']}/documents", headers=bearer(known["other_token"])
    )
    assert refused.status_code in (401, 403, 404)


async def test_what_there_was_is_found_by_its_words_and_has_pictures(deployment: Deployment) -> None:
    known, ada = deployment.known, deployment.ada
    found = (await ada.get("/search", q="invoice"))["results"]
    kinds = {one["kind"]: one for one in found}
    assert {"document", "schema", "prompt", "tag"} <= set(kinds)
    assert kinds["tag"]["id"] == known["tag_id"]
    [by_text] = (await ada.get("/search", q="2041 northwind", kinds="document"))["results"]
    assert by_text["name"] == story.INVOICE
    assert by_text["hits"] != []
    assert (await deployment.eve.get("/search", q="invoice"))["results"] == []
    picture = await ada.call("GET", f"/documents/{by_text['id']}/pictures/thumbnail")
    assert (picture.status_code, picture.headers["content-type"]) == (200, "image/jpeg")


async def test_documents_have_their_files_texts_tags_and_results(deployment: Deployment) -> None:
    known, ada = deployment.known, deployment.ada
    listed = {item["document_name"]: item for item in (await ada.get("/documents"))["documents"]}
    assert set(listed) == {story.INVOICE, story.AGREEMENT}
    assert listed[story.INVOICE]["tag_ids"] == [known["tag_id"]]
    assert listed[story.INVOICE]["metadata"] == {"case": "A-1"}
    file = await ada.call("GET", f"/documents/{known['document_id']}/file")
    assert file.content == (story.SAMPLES / story.INVOICE).read_bytes()
    text = await ada.call("GET", f"/ocr/download/text/{known['document_id']}")
    assert "2041" in text.text
    result = await ada.get(f"/llm/result/{known['document_id']}", prompt_revid=known["prompt_revid"])
    assert result["updated_llm_result"]["invoice_number"] == story.EDITED_NUMBER
    assert result["llm_result"]["invoice_number"] != story.EDITED_NUMBER
    revisions = await ada.get(
        f"/llm/result/{known['document_id']}/revisions", prompt_revid=known["prompt_revid"]
    )
    assert len(revisions["revisions"]) == 2


async def test_schemas_prompts_and_forms_have_their_versions(deployment: Deployment) -> None:
    known, ada = deployment.known, deployment.ada
    first, second = (await ada.get(f"/schemas/{known['schema_id']}/versions"))["schemas"][-2:]
    formats = {item["schema_version"]: item["response_format"] for item in (first, second)}
    assert formats == {1: story.FIRST_FORMAT, 2: story.SECOND_FORMAT}
    prompt = await ada.get(f"/prompts/{known['prompt_revid']}")
    assert (prompt["prompt_version"], prompt["schema_id"]) == (2, known["schema_id"])
    assert prompt["tag_ids"] == [known["tag_id"]]
    filled = await ada.get(f"/forms/submissions/{known['document_id']}", form_revid=known["form_revid"])
    assert filled["submission_data"] == {"paid_by": "Ada"}


async def test_credits_are_as_they_were(deployment: Deployment) -> None:
    usage = (await deployment.ada.get("/payments/usage"))["data"]
    assert usage["purchased_credits"] + usage["granted_credits"] == 150


# --- the agent -------------------------------------------------------------------------------------------------------


@needs_the_agent
async def test_rules_and_webhooks_are_there(deployment: Deployment) -> None:
    rules = (await deployment.ada.get("/agent/rules"))["rules"]
    assert {(rule["tool"], rule["effect"]) for rule in rules} == {
        ("delete_tag", "deny"),
        ("create_tag", "allow"),
    }
    (hook,) = (await deployment.ada.get("/webhooks"))["webhooks"]
    assert (hook["id"], hook["active"]) == (deployment.known["webhook_id"], False)


@needs_the_agent
@pytest.mark.parametrize("strategy", story.STRATEGIES)
async def test_old_turns_are_read_and_streamed(deployment: Deployment, strategy: str) -> None:
    turn_id = deployment.known["finished"][strategy]
    turn = await deployment.ada.get(f"/turns/{turn_id}")
    assert (turn["state"], turn["strategy"]) == ("completed", strategy)
    events = (await deployment.ada.get(f"/turns/{turn_id}/events"))["events"]
    assert [event["seq"] for event in events] == list(range(1, turn["last_seq"] + 1))
    streamed = deployment.ada.headers | {"Accept": "text/event-stream"}
    url = f"/v0/orgs/{deployment.known['organization_id']}/turns/{turn_id}/events"
    async with deployment.ada.client.stream("GET", url, headers=streamed) as response:
        seen = [event async for event in blocks(response) if event["type"] != ":"]
    assert [(event["id"], event["type"]) for event in seen] == [
        (event["seq"], event["type"]) for event in events
    ]
    thread = await deployment.ada.get(f"{deployment.chat}/threads/{turn['thread_id']}")
    assert story.HOW_LONG in json.dumps(thread["messages"])


@needs_the_agent
async def test_an_old_conversation_goes_on(deployment: Deployment) -> None:
    thread_id = deployment.known["changed_thread_id"]
    deployment.provider.add("As I said.")
    body = {"messages": [{"role": "user", "content": "And?"}], "model": story.MODEL, "thread_id": thread_id}
    answer = await deployment.ada.post(deployment.chat, body)
    assert answer["text"] == "As I said."
    sent = json.dumps(deployment.provider.requests[-1].body["messages"])
    assert "Make a tag paid" in sent
    assert "There is a tag now." in sent


@needs_the_agent
async def test_an_old_change_is_taken_back_once(deployment: Deployment) -> None:
    path = f"/turns/{deployment.known['changed_turn_id']}/undo"
    assert "paid" in await tags(deployment)
    await deployment.ada.post(path, {"call_id": "tag"})
    assert "paid" not in await tags(deployment)
    await deployment.ada.refused(409, "POST", path, {"call_id": "tag"})


@needs_the_agent
async def test_calls_that_waited_are_shown_edited_approved_and_rejected(deployment: Deployment) -> None:
    known, ada = deployment.known, deployment.ada
    turn_id = known["waiting_turn_id"]
    waiting = await deployment.waiting_calls(turn_id)
    assert list(waiting) == ["new_schema", "old_schema", "new_name"]
    assert all(call["summary"] for call in waiting.values())
    assert "due_date" in json.dumps(waiting["old_schema"]["preview"])
    edited = {"name": "Contract", "response_format": story.format_with("party", "date")}
    verdicts = [yes("new_schema", arguments=edited), yes("old_schema"), no("new_name", "It has a name")]
    await deployment.decided(deployment.chat, turn_id, *verdicts, says="Two schemas.")
    schemas = {item["name"]: item for item in (await ada.get("/schemas"))["schemas"]}
    assert set(schemas) == {"Contract", "Invoice"}
    assert schemas["Contract"]["response_format"] == edited["response_format"]
    assert (schemas["Invoice"]["schema_version"], schemas["Invoice"]["response_format"]) == (
        3,
        story.THIRD_FORMAT,
    )
    named = await ada.get(f"/documents/{known['document_id']}", include_content="false")
    assert named["document_name"] == story.INVOICE
    await deployment.is_decided(deployment.chat, turn_id, *verdicts)
    versions = (await ada.get(f"/schemas/{known['schema_id']}/versions"))["schemas"]
    assert len(versions) == 3


@needs_the_agent
async def test_calls_that_waited_are_rejected_as_a_whole(deployment: Deployment) -> None:
    turn_id = deployment.known["unwanted_turn_id"]
    await deployment.decided(deployment.chat, turn_id, no("unwanted", "Not now"), says="Then not.")
    assert "Not now" in json.dumps(deployment.provider.requests[-1].body["messages"])
    assert "unwanted" not in await tags(deployment)


@needs_the_agent
async def test_a_question_that_waited_is_answered(deployment: Deployment) -> None:
    turn_id = deployment.known["asking_turn_id"]
    asked = (await deployment.ada.get(f"/turns/{turn_id}/events"))["events"][-1]
    assert (asked["type"], asked["question"]) == ("input_requested", story.QUESTION)
    deployment.provider.add("June it is.")
    answered = await deployment.ada.call("POST", f"/turns/{turn_id}/answer", json={"text": "June"})
    assert answered.status_code == 202, answered.text
    await story.ended(deployment.ada, turn_id)
    assert "June" in json.dumps(deployment.provider.requests[-1].body["messages"])


@needs_the_agent
async def test_a_plan_that_waited_is_followed(deployment: Deployment) -> None:
    turn_id = deployment.known["planning_turn_id"]
    await story.approve_plan(deployment.ada, turn_id)
    await story.ended(deployment.ada, turn_id)


# --- projects --------------------------------------------------------------------------------------------------------


@needs_the_agent
async def test_a_living_document_has_its_versions_and_its_old_change_is_taken_back(
    deployment: Deployment,
) -> None:
    """After the undo, the waiting change is about another text. Nobody can approve it without seeing it again."""
    path, turn_id = deployment.project, deployment.known["plan_waiting_turn_id"]
    plan = await deployment.living_document("plan_id")
    assert (plan["content"], plan["version"], plan["author"]) == (story.PLAN_BY_AGENT, 3, "agent")
    contents = [
        (await deployment.ada.get(f"{path}/documents/{plan['id']}", version=version))["content"]
        for version in (1, 2, 3)
    ]
    assert contents == [story.PLAN, story.PLAN_BY_HAND, story.PLAN_BY_AGENT]
    await deployment.ada.post(f"/turns/{deployment.known['plan_changed_turn_id']}/undo", {"call_id": "edit"})
    assert (await deployment.living_document("plan_id"))["content"] == story.PLAN_BY_HAND

    verdict = decision({"turn_id": turn_id}, yes("edit"))
    stale = await deployment.ada.refused(409, "POST", f"{path}/chat/approve", verdict)
    assert "changed after you opened it" in stale
    assert (await deployment.living_document("plan_id"))["content"] == story.PLAN_BY_HAND
    await deployment.decided(f"{path}/chat", turn_id, yes("edit"), says="950.")
    changed = await deployment.living_document("plan_id")
    assert changed["content"] == story.PLAN_BY_HAND.replace("About 900", "Exactly 950")
    assert changed["version"] == 5


@needs_the_agent
async def test_a_change_of_a_living_document_that_waited_is_seen_and_made_once(
    deployment: Deployment,
) -> None:
    turn_id = deployment.known["notes_waiting_turn_id"]
    (call,) = (await deployment.waiting_calls(turn_id)).values()
    assert "Call Ada and Bob" in json.dumps(call["preview"])
    await deployment.decided(f"{deployment.project}/chat", turn_id, yes("edit"), says="Both.")
    await deployment.is_decided(f"{deployment.project}/chat", turn_id, yes("edit"))
    notes = await deployment.living_document("notes_id")
    assert (notes["content"], notes["version"]) == (story.NOTES_THAT_WAIT, 2)


@needs_the_agent
async def test_what_is_in_a_project_is_found(deployment: Deployment) -> None:
    (project,) = (await deployment.ada.get("/projects", search="launch"))["projects"]
    assert (project["id"], project["document_count"]) == (deployment.known["project_id"], 2)


async def test_a_document_of_that_time_is_prepared_now(deployment: Deployment) -> None:
    """It was uploaded before there were proposals. What is made for it is seen nowhere until it is accepted."""
    ada = deployment.ada
    schemas = (await ada.get("/schemas"))["total_count"]
    listed = {item["document_name"]: item for item in (await ada.get("/documents"))["documents"]}
    assert {item["auto_create_status"] for item in listed.values()} <= {None, "proposed"}
    document_id = listed[story.AGREEMENT]["id"]
    await ada.put("/llm/default_model", {"model": story.BUILT_IN})
    await ada.post(f"/documents/{document_id}/auto_create/retry", {})
    assert (await settled(ada, document_id))["auto_create_status"] == "proposed"
    assert (await ada.get("/schemas"))["total_count"] == schemas
    rejected = await ada.post(f"/documents/{document_id}/auto_create/reject", {})
    assert rejected["status"] == "rejected"


async def tags(deployment: Deployment) -> list[str]:
    return [tag["name"] for tag in (await deployment.ada.get("/tags", limit=100))["tags"]]
