"""What the client sends again, and what it never does."""

from __future__ import annotations

from collections.abc import Callable

import httpx2
import pytest

from docagent.client import Client, ServerTrouble, Unreachable
from tests.support.tables import table

Answer = Callable[[httpx2.Request], httpx2.Response]
NOW = {"Retry-After": "0"}


class Door:
    """Answers as it was told to, one answer after the other; the last one again and again."""

    def __init__(self, *answers: httpx2.Response | Exception) -> None:
        self._answers = list(answers)
        self.requests: list[httpx2.Request] = []

    def client(self) -> Client:
        return Client("http://made", "org_made", "made", transport=httpx2.MockTransport(self._answer))

    def _answer(self, request: httpx2.Request) -> httpx2.Response:
        request.read()
        self.requests.append(request)
        answer = self._answers[0] if len(self._answers) == 1 else self._answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


def tag() -> httpx2.Response:
    made = {"id": "1", "name": "Bills", "color": "#000000", "description": None}
    return httpx2.Response(200, json={**made, "created_at": "2026-01-01T00:00:00Z", "created_by": "me"})


def away() -> httpx2.Response:
    return httpx2.Response(503, json={"detail": "The database does not answer."}, headers=NOW)


def test_reading_waits_for_a_server_that_is_away_for_a_moment() -> None:
    door = Door(away(), away(), tag())
    assert door.client().tags.get("1").name == "Bills"
    assert len(door.requests) == 3


def test_a_change_is_not_sent_again_when_nobody_knows_whether_it_was_made() -> None:
    door = Door(away(), tag())
    with pytest.raises(ServerTrouble, match="does not answer"):
        door.client().tags.create("Bills")
    assert len(door.requests) == 1
    door = Door(httpx2.ReadTimeout("no answer"), tag())
    with pytest.raises(Unreachable, match="http://made cannot be reached: no answer"):
        door.client().tags.create("Bills")
    assert len(door.requests) == 1


@table("first", [httpx2.Response(429, headers=NOW), httpx2.ConnectError("refused")])
def test_a_change_that_never_began_is_sent_again_with_all_of_its_file(
    first: httpx2.Response | Exception,
) -> None:
    uploaded = {
        "document_id": "1",
        "document_name": "a.txt",
        "tag_ids": [],
        "metadata": {},
        "state": "uploaded",
    }
    more = {
        "upload_date": "2026-01-01T00:00:00Z",
        "uploaded_by": "me",
        "type": "text/plain",
        "duplicate_of": [],
    }
    door = Door(first, httpx2.Response(200, json={"document": uploaded | more}))
    assert door.client().documents.upload(b"all of it", name="a.txt").document_id == "1"
    assert [b"all of it" in request.content for request in door.requests] == [True, True]


@table("first", [away(), httpx2.ReadTimeout("no answer"), httpx2.RemoteProtocolError("cut off")])
def test_what_carries_a_key_is_sent_again_with_the_same_key(first: httpx2.Response | Exception) -> None:
    door = Door(first, httpx2.Response(202, json={"turn": "7", "thread_id": None}))
    client = door.client()
    assert client.agent.ask("Hello", document_id="1").id == "7"
    assert client.agent.ask("Hello", document_id="1").id == "7"
    keys = [request.headers["Idempotency-Key"] for request in door.requests]
    assert keys[0] == keys[1] != keys[2]


def test_nothing_is_tried_for_ever() -> None:
    door = Door(away())
    with pytest.raises(ServerTrouble):
        door.client().tags.get("1")
    assert len(door.requests) == 4


def test_ids_cannot_lead_elsewhere() -> None:
    door = Door(tag())
    door.client().tags.get("../../account/users?x=")
    assert door.requests[0].url.raw_path == b"/v0/orgs/made/tags/..%2F..%2Faccount%2Fusers%3Fx%3D"


def test_an_answer_that_is_no_json_is_still_a_refusal() -> None:
    door = Door(httpx2.Response(502, text="<h1>Bad gateway</h1>", headers=NOW))
    with pytest.raises(ServerTrouble, match="status 502"):
        door.client().tags.create("Bills")


def test_what_a_newer_server_adds_is_kept() -> None:
    answer = tag()
    newer = httpx2.Response(200, json={**answer.json(), "icon": "star"})
    assert Door(newer).client().tags.get("1").model_extra == {"icon": "star"}
