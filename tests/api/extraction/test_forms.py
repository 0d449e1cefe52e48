"""Forms: versions, tags, and what is filled in for a document."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from tests.support.org_api import OrgApi

UNKNOWN = "0123456789abcdef01234567"
FORMAT = {"json_formio": [{"type": "textfield", "key": "n"}], "json_formio_mapping": {"n": {"sources": []}}}


async def make_form(api: OrgApi, name: str = "F", **extra: Any) -> Any:
    return await api.post("/forms", {"name": name, "response_format": FORMAT} | extra)


async def test_a_form_is_kept_as_sent(api: OrgApi) -> None:
    made = await make_form(api)
    assert made["response_format"] == FORMAT
    assert (made["tag_ids"], made["form_version"]) == ([], 1)
    assert made["created_at"].endswith("Z")
    assert await api.get(f"/forms/{made['form_revid']}") == made
    empty = await api.post("/forms", {"name": "empty", "response_format": {}})
    assert empty["response_format"] == {"json_formio": None, "json_formio_mapping": None}


async def test_an_existing_name_in_any_case_makes_a_new_version(api: OrgApi) -> None:
    answers = await asyncio.gather(*(make_form(api, name) for name in ("f", "F", "f", "F")))
    assert sorted(answer["form_version"] for answer in answers) == [1, 2, 3, 4]
    found = await api.get(f"/forms/{answers[0]['form_id']}/versions")
    assert [form["form_version"] for form in found["forms"]] == [4, 3, 2, 1]
    assert (found["total_count"], found["skip"]) == (4, 0)
    assert (await api.get("/forms"))["total_count"] == 1


async def test_a_change_is_partial(api: OrgApi) -> None:
    tag = (await api.post("/tags", {"name": "t"}))["id"]
    made = await make_form(api, tag_ids=[tag])
    path = f"/forms/{made['form_id']}"
    assert await api.put(path, {"name": "renamed"}) == made | {"name": "renamed"}
    changed = await api.put(path, {"response_format": {"json_formio": []}})
    assert (changed["form_version"], changed["name"], changed["tag_ids"]) == (2, "renamed", [tag])
    untagged = await api.put(path, {"tag_ids": []})
    assert (untagged["form_version"], untagged["tag_ids"]) == (3, [])
    assert untagged["response_format"] == {"json_formio": [], "json_formio_mapping": None}
    (problem,) = await api.refused(422, "PUT", path, {})
    assert (problem["type"], problem["loc"]) == ("value_error", ["body"])
    await make_form(api, "taken")
    detail = await api.refused(400, "PUT", path, {"name": "TAKEN"})
    assert detail.startswith("A form named 'TAKEN' already exists.")


async def test_wrong_forms_are_refused(api: OrgApi, stranger: OrgApi) -> None:
    foreign = (await stranger.post("/tags", {"name": "t"}))["id"]
    body = {"name": "F", "response_format": FORMAT, "tag_ids": [foreign]}
    assert await api.refused(400, "POST", "/forms", body) == f"Invalid tag IDs: ['{foreign}']"
    formats: list[Any] = [{"json_formio": {}}, {"json_formio": ["\x00"]}, {"json_formio_mapping": []}, None]
    for wrong in formats:
        await api.refused(422, "POST", "/forms", {"name": "F", "response_format": wrong})


@pytest.mark.parametrize("wrong_id", [UNKNOWN, "zz"])
async def test_unknown_and_malformed_ids_are_not_found(api: OrgApi, wrong_id: str) -> None:
    path = f"/forms/{wrong_id}"
    assert await api.refused(404, "GET", path) == "Form not found"
    assert await api.refused(404, "GET", f"{path}/versions") == "Form not found"
    assert await api.refused(404, "PUT", path, {"name": "x"}) == "Form not found"
    assert await api.refused(404, "DELETE", path) == "Form not found"


async def test_deep_json_is_refused(api: OrgApi) -> None:
    def nested(depth: int) -> str:
        return '{"name": "F", "response_format": {"json_formio": ' + "[" * depth + "]" * depth + "}}"

    assert (await api.post_text("/forms", nested(90))).status_code == 200
    response = await api.post_text("/forms", nested(200))
    assert response.status_code == 422, response.text
    assert response.json()["detail"][0]["msg"] == "Value error, The value is nested deeper than 100 levels"
    assert (await api.post_text("/forms", nested(100_000))).status_code in (400, 422)


async def test_another_organisations_form_is_not_found(api: OrgApi, stranger: OrgApi) -> None:
    made = await make_form(api)
    await stranger.refused(404, "GET", f"/forms/{made['form_revid']}")
    await stranger.refused(404, "PUT", f"/forms/{made['form_id']}", {"name": "x"})
    await stranger.refused(404, "DELETE", f"/forms/{made['form_id']}")
    assert (await stranger.get("/forms"))["total_count"] == 0


async def test_a_deleted_form_is_gone(api: OrgApi) -> None:
    made = await make_form(api)
    document_id = await api.add_document()
    assert await api.delete(f"/forms/{made['form_id']}") == {"message": "Form deleted successfully"}
    await api.refused(404, "GET", f"/forms/{made['form_revid']}")
    body = {"form_revid": made["form_revid"], "submission_data": {}}
    assert await api.refused(404, "POST", f"/forms/submissions/{document_id}", body) == "Form not found"


async def test_a_second_submission_replaces_the_first(api: OrgApi) -> None:
    form = await make_form(api)
    path = f"/forms/submissions/{await api.add_document()}"
    revid = form["form_revid"]
    assert await api.get(path, form_revid=revid) is None
    first = await api.post(path, {"form_revid": revid, "submission_data": {"n": 1}, "submitted_by": "Ann"})
    assert first["submission_data"] == {"n": 1}
    assert (first["submitted_by"], first["organization_id"]) == ("Ann", api.organization_id)
    second = await api.post(path, {"form_revid": revid, "submission_data": {"n": 2}, "submitted_by": "Bob"})
    kept = {key: first[key] for key in ("id", "created_at", "form_revid", "organization_id")}
    assert second == kept | {
        "submission_data": {"n": 2},
        "submitted_by": "Bob",
        "updated_at": second["updated_at"],
    }
    assert second["updated_at"] > first["updated_at"]
    assert await api.get(path, form_revid=revid) == second
    assert await api.delete(path, form_revid=revid) == {"message": "Form submission deleted successfully"}
    assert await api.get(path, form_revid=revid) is None
    assert await api.refused(404, "DELETE", path, form_revid=revid) == "Form submission not found"


async def test_submissions_at_once_leave_one(api: OrgApi) -> None:
    form = await make_form(api)
    path = f"/forms/submissions/{await api.add_document()}"
    answers = await asyncio.gather(
        *(
            api.post(path, {"form_revid": form["form_revid"], "submission_data": {"n": number}})
            for number in range(6)
        )
    )
    assert len({answer["id"] for answer in answers}) == 1
    assert (await api.get(path, form_revid=form["form_revid"]))["submission_data"] in [
        answer["submission_data"] for answer in answers
    ]


async def test_submissions_need_a_document_and_a_form(api: OrgApi, stranger: OrgApi) -> None:
    form = await make_form(api)
    foreign = await make_form(stranger)
    document_id = await api.add_document()
    body = {"form_revid": form["form_revid"], "submission_data": {}}
    for wrong in (UNKNOWN, "zz"):
        path = f"/forms/submissions/{wrong}"
        assert await api.refused(404, "POST", path, body) == "Document not found"
        assert await api.refused(404, "GET", path, form_revid=form["form_revid"]) == "Document not found"
        assert await api.refused(404, "DELETE", path, form_revid=form["form_revid"]) == "Document not found"
    path = f"/forms/submissions/{document_id}"
    assert await stranger.refused(404, "POST", path, body) == "Document not found"
    for wrong in (UNKNOWN, foreign["form_revid"]):
        detail = await api.refused(404, "POST", path, {"form_revid": wrong, "submission_data": {}})
        assert detail == "Form not found"
        assert await api.refused(404, "GET", path, form_revid=wrong) == "Form not found"
    malformed = {"form_revid": "zz", "submission_data": {}}
    assert await api.refused(400, "POST", path, malformed) == "Invalid form revision ID: zz"
    await api.refused(422, "GET", path)
    await api.refused(422, "POST", path, {"form_revid": form["form_revid"]})


async def test_lists_are_searched_sorted_and_filtered(api: OrgApi) -> None:
    tag = (await api.post("/tags", {"name": "Red"}))["id"]
    made = {name: await make_form(api, name, tag_ids=tags) for name, tags in (("b", [tag]), ("A", []))}

    async def names(**query: Any) -> list[str]:
        encoded = {
            key: value if isinstance(value, str) else json.dumps(value) for key, value in query.items()
        }
        return [form["name"] for form in (await api.get("/forms", **encoded))["forms"]]

    def filters(field: str, operator: str, value: Any = None) -> dict[str, Any]:
        return {"items": [{"field": field, "operator": operator, "value": value}]}

    assert await names() == ["A", "b"]
    assert await names(sort=[{"field": "name", "sort": "desc"}]) == ["b", "A"]
    assert await names(name_search="B") == ["b"]
    assert await names(filters=filters("tag_ids", "isAnyOf", ["red"])) == ["b"]
    assert await names(filters=filters("tag_ids", "isEmpty")) == ["A"]
    assert await names(filters=filters("form_id", "equals", made["b"]["form_id"])) == ["b"]
