"""Events in the form in which databases hold them."""

from __future__ import annotations

from typing import Any

import orjson

from docagent.domain.turns.events import Mention, TurnStarted, TurnTerms, decode, payload

STORED_BY_0_2_0: dict[str, Any] = {
    "model": "gpt-4o-mini",
    "strategy": "react",
    "max_steps": 7,
    "auto_approve": True,
    "auto_approved_tools": ["create_tag"],
    "selected_tools": ["create_tag", "list_tags"],
    "mentions": [{"type": "tag", "id": "6af8aaaaaaaaaaaaaaaaaaaa"}],
    "data_sources": ["6af8bbbbbbbbbbbbbbbbbbbb"],
    "files": ["invoice.pdf"],
    "agent_mode": False,
    "temperature": 0.5,
    "state": {"schema_revid": "6af8cccccccccccccccccccc"},
    "history": [{"role": "user", "content": "Hello"}],
}


def test_the_beginning_of_a_turn_is_read_as_version_0_2_0_stored_it_and_written_with_what_came_since() -> (
    None
):
    started = TurnStarted(
        "gpt-4o-mini",
        "react",
        7,
        TurnTerms(
            auto_approve=True,
            auto_approved_tools=("create_tag",),
            selected_tools=("create_tag", "list_tags"),
            mentions=(Mention("tag", "6af8aaaaaaaaaaaaaaaaaaaa"),),
            data_sources=("6af8bbbbbbbbbbbbbbbbbbbb",),
            agent_mode=False,
            temperature=0.5,
        ),
        files=("invoice.pdf",),
        state={"schema_revid": "6af8cccccccccccccccccccc"},
        history=({"role": "user", "content": "Hello"},),
    )
    assert decode("turn_started", STORED_BY_0_2_0) == started
    added_since = {"proposes": False, "proposal_id": None, "open_document_id": None, "acts": False}
    assert orjson.loads(orjson.dumps(payload(started))) == STORED_BY_0_2_0 | added_since


def test_what_an_older_version_did_not_store_has_its_default() -> None:
    assert decode("turn_started", {"model": "m", "strategy": "tools", "max_steps": 5}) == TurnStarted(
        "m", "tools", 5
    )
