"""The Python client `docrouter-sdk` 0.1.5 from PyPI: every method that the server has an answer for."""

from __future__ import annotations

import base64
import re
import secrets
import time
from importlib.metadata import version
from typing import Any

import pytest
from docrouter_sdk import DocRouterClient

from tests.clients.workspace import Workspace, two_page_pdf
from tests.support.polling import SECONDS

UNKNOWN = "0123456789abcdef01234567"
ODD_METADATA = {
    "plain": "value",
    "comma": "a,b,,c",
    "equals": "a=b==c",
    "key=with=equals": "v",
    "key, with comma": "v",
    "spaces inside": "  padded value ",
    "Straße": "Grüße an 東京 🙂",
    "percent": "100%25 %2C &amp; + # ? /",
    "empty": "",
}


def response_format(field: str = "invoice_date") -> dict[str, Any]:
    """The schema of the client's own README."""
    return {
        "type": "json_schema",
        "json_schema": {
            "name": "invoice_extraction",
            "schema": {
                "type": "object",
                "properties": {field: {"type": "string", "description": "invoice date"}},
                "required": [field],
                "additionalProperties": False,
            },
            "strict": True,
        },
    }


def in_base64(content: bytes) -> str:
    return base64.b64encode(content).decode()


def api_error(status: int, detail: str) -> str:
    """A pattern for the one exception that the client raises."""
    return f"^{re.escape(f'API Error ({status}): {detail}')}"


@pytest.fixture
def sdk(workspace: Workspace) -> DocRouterClient:
    return DocRouterClient(workspace.base_url, workspace.org_token)


@pytest.fixture
def organization_id(workspace: Workspace) -> str:
    return workspace.organization_id


@pytest.fixture
def tag_ids(sdk: DocRouterClient, organization_id: str) -> list[str]:
    """Two new tags."""
    return [sdk.tags.create(organization_id, {"name": secrets.token_hex(6)}).id for _ in range(2)]


@pytest.fixture(scope="module")
def read_document(workspace: Workspace) -> str:
    """A document whose text is read."""
    sdk = DocRouterClient(workspace.base_url, workspace.org_token)
    document_id = upload(sdk, workspace.organization_id, "invoice.pdf", two_page_pdf())
    deadline = time.monotonic() + SECONDS
    unread = ("uploaded", "ocr_processing", "ocr_failed")
    while (state := sdk.documents.get(workspace.organization_id, document_id).state) in unread:
        assert state != "ocr_failed"
        assert time.monotonic() < deadline, f"the document is still {state}"
        time.sleep(0.1)
    return document_id


def upload(sdk: DocRouterClient, organization_id: str, name: str, content: bytes, **more: Any) -> str:
    answer = sdk.documents.upload(organization_id, [{"name": name, "content": in_base64(content), **more}])
    document_id: str = answer["documents"][0]["document_id"]
    return document_id


def test_the_client_is_the_published_one() -> None:
    assert version("docrouter-sdk") == "0.1.5"


def test_a_trailing_slash_of_the_address_does_not_matter(workspace: Workspace) -> None:
    sdk = DocRouterClient(workspace.base_url + "/", workspace.org_token)
    assert sdk.tags.list(workspace.organization_id).skip == 0


def test_ocr_text_and_metadata(sdk: DocRouterClient, organization_id: str, read_document: str) -> None:
    whole = sdk.ocr.get_text(organization_id, read_document)
    assert isinstance(whole, str)
    assert whole.split("\n") == ["Invoice number 2026-117", "Total due 1,250.00 EUR"]
    assert sdk.ocr.get_text(organization_id, read_document, page_num=2) == "Total due 1,250.00 EUR"
    with pytest.raises(Exception, match=api_error(404, "OCR text not found")):
        sdk.ocr.get_text(organization_id, read_document, page_num=3)
    metadata = sdk.ocr.get_metadata(organization_id, read_document)
    assert metadata["n_pages"] == 2
    assert metadata["ocr_date"].endswith("Z")


def test_ocr_blocks_which_the_original_no_longer_serves(
    sdk: DocRouterClient, organization_id: str, read_document: str
) -> None:
    blocks: Any = sdk.ocr.get_blocks(organization_id, read_document)
    words = [block["Text"] for block in blocks if block["BlockType"] == "WORD" and block["Page"] == 1]
    assert words == ["Invoice", "number", "2026-117"]
    assert sum(block["BlockType"] == "PAGE" for block in blocks) == 2


def test_ocr_of_a_file_without_pages_is_refused(sdk: DocRouterClient, organization_id: str) -> None:
    document_id = upload(sdk, organization_id, "note.txt", b"x")
    for call in (sdk.ocr.get_text, sdk.ocr.get_blocks, sdk.ocr.get_metadata):
        with pytest.raises(Exception, match=api_error(404, "OCR not supported")):
            call(organization_id, document_id)


def test_documents_upload_and_get(sdk: DocRouterClient, organization_id: str, tag_ids: list[str]) -> None:
    pdf = two_page_pdf()
    answer = sdk.documents.upload(
        organization_id,
        [
            {
                "name": "plain.pdf",
                "content": in_base64(pdf),
                "tag_ids": tag_ids,
                "metadata": {"source": "mail"},
            },
            {"name": "data url.txt", "content": f"data:text/plain;base64,{in_base64(b'Hello')}"},
        ],
    )
    first, second = answer["documents"]
    assert first["document_name"] == "plain.pdf"
    assert first["tag_ids"] == tag_ids
    assert first["metadata"] == {"source": "mail"}

    plain = sdk.documents.get(organization_id, first["document_id"])
    assert plain.id == first["document_id"]
    assert plain.pdf_id
    assert plain.document_name == "plain.pdf"
    assert plain.uploaded_by == "client tests"
    assert plain.upload_date.tzinfo is not None
    assert plain.type == "application/pdf"
    assert sorted(plain.tag_ids) == sorted(tag_ids)
    assert plain.metadata == {"source": "mail"}
    assert base64.b64decode(plain.content) == pdf

    text = sdk.documents.get(organization_id, second["document_id"])
    assert text.type == "text/plain"
    assert base64.b64decode(text.content) == b"Hello"
    assert (text.tag_ids, text.metadata) == ([], {})


def test_documents_list_by_tags_and_name(
    sdk: DocRouterClient, organization_id: str, tag_ids: list[str]
) -> None:
    both = upload(sdk, organization_id, "both tags.txt", b"b", tag_ids=tag_ids)
    one = upload(sdk, organization_id, "One Tag.txt", b"o", tag_ids=tag_ids[:1])

    tagged = sdk.documents.list(organization_id, tag_ids=tag_ids[:1])
    assert [document.id for document in tagged.documents] == [one, both]
    assert (tagged.total_count, tagged.skip) == (2, 0)
    tagged = sdk.documents.list(organization_id, tag_ids=tag_ids)
    assert [document.id for document in tagged.documents] == [both]
    page = sdk.documents.list(organization_id, skip=1, limit=1, tag_ids=tag_ids[:1])
    assert [document.id for document in page.documents] == [both]
    assert (page.total_count, page.skip) == (2, 1)
    named = sdk.documents.list(organization_id, name_search="one tag", tag_ids=tag_ids[:1])
    assert [document.document_name for document in named.documents] == ["One Tag.txt"]


@pytest.fixture(scope="module")
def described_document(workspace: Workspace) -> str:
    """A document with odd metadata, beside one that has other values for the same keys."""
    sdk = DocRouterClient(workspace.base_url, workspace.org_token)
    other = dict.fromkeys(ODD_METADATA, "something else")
    upload(sdk, workspace.organization_id, "other.txt", b"x", metadata=other)
    return upload(sdk, workspace.organization_id, "described.txt", b"x", metadata=ODD_METADATA)


@pytest.mark.parametrize("key", ODD_METADATA)
def test_documents_list_by_metadata(
    sdk: DocRouterClient, organization_id: str, described_document: str, key: str
) -> None:
    for wanted in ({key: ODD_METADATA[key]}, ODD_METADATA):
        found = sdk.documents.list(organization_id, metadata_search=wanted)
        assert [document.id for document in found.documents] == [described_document]
        assert found.documents[0].metadata == ODD_METADATA


def test_documents_update(sdk: DocRouterClient, organization_id: str, tag_ids: list[str]) -> None:
    document_id = upload(sdk, organization_id, "old.txt", b"x", metadata={"kept": "no"})
    answer = sdk.documents.update(
        organization_id, document_id, document_name="new.txt", tag_ids=tag_ids, metadata={"kept": "yes"}
    )
    assert answer == {"message": "Document updated successfully"}
    document = sdk.documents.get(organization_id, document_id)
    assert document.document_name == "new.txt"
    assert sorted(document.tag_ids) == sorted(tag_ids)
    assert document.metadata == {"kept": "yes"}
    assert sdk.documents.update(organization_id, document_id, tag_ids=[], metadata={}) == answer
    document = sdk.documents.get(organization_id, document_id)
    assert (document.document_name, document.tag_ids, document.metadata) == ("new.txt", [], {})
    assert sdk.documents.update(organization_id, document_id) == {"message": "No updates provided"}


def test_documents_delete(sdk: DocRouterClient, organization_id: str) -> None:
    document_id = upload(sdk, organization_id, "short-lived.txt", b"x")
    assert sdk.documents.delete(organization_id, document_id) == {"message": "Document deleted successfully"}
    with pytest.raises(Exception, match=api_error(404, "Document not found")):
        sdk.documents.get(organization_id, document_id)


@pytest.mark.parametrize("token", ["account_token", "org_token"])
def test_llm_list_models_with_either_token_though_the_original_fails(
    workspace: Workspace, token: str
) -> None:
    sdk = DocRouterClient(workspace.base_url, getattr(workspace, token))
    models = sdk.llm.list_models().models
    assert "docagent-offline" in [model.id for model in models]
    assert all(model.description and model.max_tokens > 0 for model in models)


def test_schemas(sdk: DocRouterClient, organization_id: str) -> None:
    name = f"Invoice Schema {secrets.token_hex(6)}"
    first = sdk.schemas.create(organization_id, {"name": name, "response_format": response_format()})
    assert (first.name, first.schema_version) == (name, 1)
    assert first.response_format.json_schema == response_format()["json_schema"]
    assert first.created_at.tzinfo is not None
    assert sdk.schemas.get(organization_id, first.schema_revid) == first

    changed = {"name": name, "response_format": response_format("due_date")}
    second = sdk.schemas.update(organization_id, first.schema_id, changed)
    assert (second.schema_id, second.schema_version) == (first.schema_id, 2)
    assert second.schema_revid != first.schema_revid
    assert sdk.schemas.get(organization_id, first.schema_revid) == first

    listed = sdk.schemas.list(organization_id, skip=0, limit=100)
    assert [schema for schema in listed.schemas if schema.name == name] == [second]
    assert listed.total_count >= 1

    gone = sdk.schemas.delete(organization_id, first.schema_id)
    assert gone == {"message": "Schema deleted successfully"}
    with pytest.raises(Exception, match=api_error(404, "Schema not found")):
        sdk.schemas.get(organization_id, second.schema_revid)


def test_schemas_validate_as_the_readme_shows_it_and_wrapped(
    sdk: DocRouterClient, organization_id: str
) -> None:
    schema = sdk.schemas.create(
        organization_id, {"name": secrets.token_hex(6), "response_format": response_format()}
    )
    for right in ({"invoice_date": "2023-01-01"}, {"data": {"invoice_date": "2023-01-01"}}):
        assert sdk.schemas.validate(organization_id, schema.schema_revid, right) == {"valid": True}
    for wrong in ({"invoice_date": 1}, {"data": {"invoice_date": 1}}):
        answer = sdk.schemas.validate(organization_id, schema.schema_revid, wrong)
        assert answer["valid"] is False
        assert [error["path"] for error in answer["errors"]] == ["invoice_date"]
    answer = sdk.schemas.validate(organization_id, schema.schema_revid, {})
    assert [error["path"] for error in answer["errors"]] == [""]


def test_prompts(sdk: DocRouterClient, organization_id: str, tag_ids: list[str]) -> None:
    schema = sdk.schemas.create(
        organization_id, {"name": secrets.token_hex(6), "response_format": response_format()}
    )
    config = {
        "name": f"Invoice Extractor {secrets.token_hex(6)}",
        "content": "Extract the following fields from the invoice...",
        "schema_id": schema.schema_id,
        "schema_version": 1,
        "tag_ids": tag_ids,
        "model": "gpt-4o-mini",
    }
    first = sdk.prompts.create(organization_id, config)
    assert first.prompt_version == 1
    assert first.model_dump(include=set(config)) == config
    assert sdk.prompts.get(organization_id, first.prompt_revid) == first

    second = sdk.prompts.update(
        organization_id, first.prompt_id, config | {"content": "Shorter.", "tag_ids": tag_ids[:1]}
    )
    assert (second.prompt_id, second.prompt_version) == (first.prompt_id, 2)
    assert (second.content, second.tag_ids) == ("Shorter.", tag_ids[:1])

    listed = sdk.prompts.list(organization_id, limit=100)
    assert [prompt for prompt in listed.prompts if prompt.prompt_id == first.prompt_id] == [second]
    assert sdk.prompts.delete(organization_id, first.prompt_id) == {"message": "Prompt deleted successfully"}
    with pytest.raises(Exception, match=api_error(404, "Prompt not found")):
        sdk.prompts.get(organization_id, second.prompt_revid)


def test_prompts_list_for_a_document_and_by_tags(
    sdk: DocRouterClient, organization_id: str, tag_ids: list[str]
) -> None:
    def new_prompt(tags: list[str]) -> str:
        config = {"name": secrets.token_hex(6), "content": "Extract", "tag_ids": tags}
        prompt_id: str = sdk.prompts.create(organization_id, config).prompt_id
        return prompt_id

    def listed(**filters: Any) -> list[str]:
        return [prompt.prompt_id for prompt in sdk.prompts.list(organization_id, **filters).prompts]

    first, second = tag_ids
    with_both, with_first, untagged = new_prompt(tag_ids), new_prompt([first]), new_prompt([])
    assert listed(tag_ids=[first]) == [with_first, with_both]
    assert listed(tag_ids=tag_ids) == [with_both]
    document_id = upload(sdk, organization_id, "tagged.txt", b"t", tag_ids=[second])
    assert listed(document_id=document_id) == [with_both]
    plain = upload(sdk, organization_id, "untagged.txt", b"u")
    assert listed(document_id=plain) == []
    assert untagged in listed(limit=100)
    with pytest.raises(Exception, match=api_error(404, "Document not found")):
        listed(document_id=UNKNOWN)


def test_tags(sdk: DocRouterClient, organization_id: str) -> None:
    config = {"name": f"Invoices {secrets.token_hex(6)}", "color": "#FF5733", "description": "All invoices"}
    tag = sdk.tags.create(organization_id, config)
    assert tag.model_dump(include=set(config)) == config
    listed = sdk.tags.list(organization_id, skip=0, limit=1)
    assert listed.tags == [tag]
    assert listed.total_count >= 1
    renamed = sdk.tags.update(organization_id, tag.id, {"name": config["name"] + "!"})
    assert (renamed.name, renamed.color, renamed.description) == (config["name"] + "!", "#FF5733", None)
    with pytest.raises(Exception, match=api_error(400, f"Tag with name '{renamed.name}' already exists")):
        sdk.tags.create(organization_id, {"name": renamed.name})
    assert sdk.tags.delete(organization_id, tag.id) == {"message": "Tag deleted successfully"}
    with pytest.raises(Exception, match=api_error(404, "Tag not found")):
        sdk.tags.delete(organization_id, tag.id)


def test_errors_come_out_as_the_client_words_them(sdk: DocRouterClient, organization_id: str) -> None:
    with pytest.raises(Exception, match=api_error(404, "Document not found")):
        sdk.documents.get(organization_id, "invalid_id")
    with pytest.raises(Exception, match=api_error(400, "Unsupported file extension .exe: a.exe")):
        upload(sdk, organization_id, "a.exe", b"x")
    with pytest.raises(Exception, match=api_error(400, "Invalid base64 content")):
        sdk.documents.upload(organization_id, [{"name": "a.pdf", "content": "not*base64"}])
    with pytest.raises(Exception, match=api_error(400, f"Invalid tag IDs: ['{UNKNOWN}']")):
        upload(sdk, organization_id, "a.txt", b"x", tag_ids=[UNKNOWN])
    with pytest.raises(Exception, match=r"^API Error \(422\): \[\{'type': 'missing'"):
        sdk.tags.create(organization_id, {})


def test_wrong_tokens_are_refused(workspace: Workspace) -> None:
    refused = (
        ("", 401, "No authentication credentials provided"),
        ("org_unknown", 401, "Invalid authentication credentials: invalid token"),
        (workspace.admin_token, 403, "You are not a member of this organization"),
    )
    for token, status, detail in refused:
        with pytest.raises(Exception, match=api_error(status, detail)):
            DocRouterClient(workspace.base_url, token).tags.list(workspace.organization_id)


def test_extraction(workspace: Workspace, read_document: str) -> None:
    sdk = DocRouterClient(workspace.base_url, workspace.org_token)
    org = workspace.organization_id
    ran = sdk.llm.run(org, read_document, force=True)
    assert ran.status == "success"
    assert set(ran.result) == {"document_type", "document_date", "summary"}
    result = sdk.llm.get_result(org, read_document)
    assert (result.llm_result, result.is_edited) == (ran.result, False)
    changed = {**ran.result, "document_type": "letter"}
    updated = sdk.llm.update_result(org, read_document, changed, "default", is_verified=True)
    assert (updated.updated_llm_result, updated.is_edited, updated.is_verified) == (changed, True, True)
    assert sdk.llm.delete_result(org, read_document, "default")["status"] == "success"
    with pytest.raises(Exception, match=r"API Error \(404\): LLM result not found for document_id:"):
        sdk.llm.get_result(org, read_document)
