"""The tools that MCP clients know from DocRouter, one after the other, and the agent's own beside them."""

from __future__ import annotations

import base64
import secrets
from typing import Any

import mcp_types as types
import pytest
from mcp.client import Client
from mcp.shared.exceptions import MCPError

from docagent.api.mcp.contract import SETS
from docagent.client import Client as OurClient
from tests.clients.mcp_connections import ALLOWED, bridged, done, over_http, over_stdio, rest, text_of
from tests.clients.workspace import Workspace, new_workspace
from tests.support.made.documents import pdf
from tests.support.polling import until
from tests.support.services.server import RunningServer

LINES = ["ACME Ltd", "Invoice", "Invoice number: 4711", "Total: 99.50 EUR"]
CONTRACT = {
    "upload_documents", "list_documents", "get_document", "update_document", "delete_document", "get_ocr_blocks",
    "get_ocr_text", "get_ocr_metadata", "run_llm", "get_llm_result", "update_llm_result", "delete_llm_result",
    "create_tag", "get_tag", "list_tags", "update_tag", "delete_tag", "create_form", "list_forms", "get_form",
    "update_form", "delete_form", "submit_form", "get_form_submission", "delete_form_submission", "create_prompt",
    "list_prompts", "get_prompt", "update_prompt", "delete_prompt", "create_schema", "list_schemas", "get_schema",
    "update_schema", "delete_schema", "validate_against_schema", "validate_schema", "validate_form", "run_llm_chat",
    "get_organization", "list_llm_models", "help", "help_prompts", "help_schemas", "help_forms",
}  # fmt: skip
SCHEMA = {
    "type": "json_schema",
    "json_schema": {
        "name": "invoice",
        "strict": True,
        "schema": {
            "type": "object",
            "properties": {"number": {"type": "string", "description": "The invoice number."}},
            "required": ["number"],
            "additionalProperties": False,
        },
    },
}


@pytest.fixture(scope="module")
def workspace(server: RunningServer) -> Workspace:
    return new_workspace(server.url)


@pytest.fixture(scope="module")
def document_id(workspace: Workspace) -> str:
    with OurClient(workspace.base_url, workspace.org_token) as client:
        uploaded = client.documents.upload(pdf(LINES), name="invoice.pdf", auto_create=False)
        client.documents.wait(uploaded.document_id)
        return uploaded.document_id


async def test_the_tools_of_the_contract_are_there_with_hints_and_schemas(workspace: Workspace) -> None:
    async with over_http(workspace, path="/mcp?tools=all") as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert len(CONTRACT) == 45
    assert set(tools) >= CONTRACT
    assert set(tools) >= {"agent_chat", "agent_approve", "agent_events", "review_next", "run_extraction"}
    assert set(tools) >= {"list_project_documents", "edit_project_document", "cite_source"}
    for tool in tools.values():
        assert tool.description
        assert tool.annotations
        assert tool.input_schema["type"] == "object"
        assert tool.output_schema
        assert tool.output_schema["type"] == "object"
    assert _hints(tools["list_tags"]) == (True, False)
    assert _hints(tools["create_tag"]) == (False, False)
    assert _hints(tools["delete_tag"]) == (False, True)
    assert _hints(tools["edit_project_document"]) == (False, True)


async def test_a_connection_shows_the_sets_that_it_names_and_calls_what_it_knows(
    workspace: Workspace,
) -> None:
    async def shown(**chosen: Any) -> set[str]:
        async with over_http(workspace, **chosen) as client:
            done(await client.call_tool("list_tags"))
            return {tool.name for tool in (await client.list_tools()).tools}

    assert await shown() == SETS["extract"]
    assert await shown(path="/mcp?tools=review,agent") == SETS["review"] | SETS["agent"]
    assert await shown(headers={"X-Docagent-Tools": "agent"}) == SETS["agent"]
    async with over_stdio(bridged(workspace, "--tools", "review")) as client:
        assert {tool.name for tool in (await client.list_tools()).tools} == SETS["review"]


def _hints(tool: types.Tool) -> tuple[bool | None, bool | None]:
    assert tool.annotations is not None
    return tool.annotations.read_only_hint, tool.annotations.destructive_hint


async def test_every_tool_of_the_contract_is_called(workspace: Workspace) -> None:
    """One walk through all of them; what comes back is checked against the schemas by the client itself."""
    async with over_http(workspace, headers=ALLOWED, path="/mcp?tools=all") as client:
        called = Walk(client)
        await called.through_documents()
        await called.through_prompts()
        await called.through_forms()
        await called.through_the_rest()
    assert CONTRACT - called.names == set()


class Walk:
    def __init__(self, client: Client) -> None:
        self._client = client
        self.names: set[str] = set()
        self._document = ""

    async def _call(self, name: str, /, **arguments: Any) -> Any:
        self.names.add(name)
        return done(await self._client.call_tool(name, arguments))

    async def _is_read(self) -> bool:
        document = await self._call("get_document", documentId=self._document)
        return document["state"] in ("llm_completed", "llm_failed", "ocr_failed")

    async def through_documents(self) -> None:
        content = base64.b64encode(pdf(["Invoice number: 17", "Total: 12.00 EUR"])).decode()
        uploaded = await self._call("upload_documents", documents=[{"name": "note.pdf", "content": content}])
        self._document = uploaded["documents"][0]["document_id"]
        changed = await self._call(
            "update_document", documentId=self._document, documentName="bill.pdf", metadata={"k": "v"}
        )
        assert changed == {"message": "Document updated successfully"}
        await until(self._is_read)
        assert (await self._call("list_documents", metadataSearch="k=v"))["total_count"] == 1
        assert "Invoice number: 17" in (await self._call("get_ocr_text", documentId=self._document))["text"]
        assert (await self._call("get_ocr_blocks", documentId=self._document))["blocks"]
        assert (await self._call("get_ocr_metadata", documentId=self._document))["n_pages"] == 1

    async def through_prompts(self) -> None:
        assert (await self._call("validate_schema", schema=SCHEMA))["valid"]
        schema = await self._call(
            "create_schema", name=f"Invoice {secrets.token_hex(3)}", response_format=SCHEMA
        )
        assert (await self._call("get_schema", schemaRevId=schema["schema_revid"])) == schema
        changed = await self._call("update_schema", schemaId=schema["schema_id"], schema={"name": "Bill"})
        assert changed["name"] == "Bill"
        assert (await self._call("list_schemas", nameSearch="Bill"))["total_count"] == 1
        checked = await self._call(
            "validate_against_schema", schemaRevId=schema["schema_revid"], data={"number": "17"}
        )
        assert checked["valid"]
        asked = {"name": "Bills", "content": "Find the number.", "schema_id": schema["schema_id"]}
        prompt = await self._call("create_prompt", prompt=asked)
        assert prompt["schema_id"] == schema["schema_id"]
        prompt = await self._call(
            "update_prompt", promptId=prompt["prompt_id"], content="The invoice number."
        )
        assert prompt["prompt_version"] == 2
        revid = prompt["prompt_revid"]
        assert (await self._call("get_prompt", promptRevId=revid))["content"] == "The invoice number."
        assert (await self._call("list_prompts", nameSearch="Bills"))["total_count"] == 1
        ran = await self._call("run_llm", documentId=self._document, promptRevId=revid)
        assert ran["result"] == {"number": "17"}
        assert await self._call("run_llm", documentId=self._document, promptRevId=revid) == ran
        result = await self._call("get_llm_result", documentId=self._document, promptRevId=revid)
        assert result["updated_llm_result"] == {"number": "17"}
        edited = await self._call(
            "update_llm_result", documentId=self._document, promptId=revid, result={"number": "18"}
        )
        assert edited["is_edited"]
        await self._call("delete_llm_result", documentId=self._document, promptId=revid)
        await self._call("delete_prompt", promptId=prompt["prompt_id"])
        await self._call("delete_schema", schemaId=schema["schema_id"])

    async def through_forms(self) -> None:
        field = {"type": "textfield", "key": "number", "label": "Number", "input": True}
        assert (await self._call("validate_form", form={"json_formio": [field]}))["valid"]
        assert not (await self._call("validate_form", form='{"json_formio": [{"type": "number"}]}'))["valid"]
        form = await self._call("create_form", name="Check", response_format={"json_formio": [field]})
        form = await self._call("update_form", formId=form["form_id"], form={"name": "Checked"})
        assert (await self._call("get_form", formRevId=form["form_revid"]))["name"] == "Checked"
        assert (await self._call("list_forms"))["total_count"] == 1
        place = {"documentId": self._document, "formRevId": form["form_revid"]}
        assert (await self._call("get_form_submission", **place))["submission"] is None
        filled = await self._call("submit_form", **place, submission_data={"number": "17"})
        assert filled["submission_data"] == {"number": "17"}
        assert (await self._call("get_form_submission", **place))["submission"] == filled
        await self._call("delete_form_submission", **place)
        await self._call("delete_form", formId=form["form_id"])

    async def through_the_rest(self) -> None:
        tag = await self._call("create_tag", tag={"name": f"walk {secrets.token_hex(3)}", "color": "#000000"})
        tag = await self._call("update_tag", tagId=tag["id"], tag={"color": "#ffffff"})
        assert (await self._call("get_tag", tagId=tag["id"]))["color"] == "#ffffff"
        assert (await self._call("list_tags", nameSearch="walk"))["total_count"] == 1
        await self._call("delete_tag", tagId=tag["id"])
        await self._call("delete_document", documentId=self._document)
        assert (await self._call("list_llm_models"))["models"]
        assert (await self._call("get_organization"))["organization_type"] == "team"
        for name in ("help", "help_prompts", "help_schemas", "help_forms"):
            assert (await self._call(name))["content"].startswith("# ")
        said = await self._call(
            "run_llm_chat", model="docagent-offline", messages=[{"role": "user", "content": "hi"}]
        )
        assert said["choices"][0]["message"]["content"]


async def test_the_agents_own_tools_about_a_document_and_a_project(
    workspace: Workspace, document_id: str
) -> None:
    project = rest(workspace, "POST", "/projects", json={"name": f"Letters {secrets.token_hex(3)}"})
    async with over_http(workspace, headers=ALLOWED) as client:
        ran = done(await client.call_tool("run_extraction", {"document_id": document_id}))
        assert ran["prompt_revid"] == "default"
        made = done(
            await client.call_tool(
                "create_project_document",
                {"project_id": project["id"], "name": "Reply", "content": "# Reply\n\nThank you."},
            )
        )
        listed = done(await client.call_tool("list_project_documents", {"projectId": project["id"]}))
        assert "Reply" in str(listed)
        addresses, cursor = [], None
        while True:
            page = await client.list_resources(cursor=cursor)
            addresses += [str(item.uri) for item in page.resources]
            cursor = page.next_cursor
            if cursor is None:
                break
        living = [
            address for address in addresses if address.startswith(f"docagent://projects/{project['id']}/")
        ]
        content = (await client.read_resource(living[0])).contents[0]
        assert isinstance(content, types.TextResourceContents)
        assert content.text.startswith("# Reply")
        assert made
        lost = done(
            await client.call_tool(
                "delete_project_document", {"project_id": project["id"], "document": "Reply"}
            )
        )
        assert lost["state"] == "awaiting_approval", (
            "what takes away what somebody wrote is asked for each time"
        )


async def test_what_is_wrong_with_a_call_is_said_in_a_sentence(
    workspace: Workspace, document_id: str
) -> None:
    async with over_http(workspace) as client:
        for name, arguments, said in (
            ("create_tga", {}, "Did you mean create_tag?"),
            ("get_tag", {}, "get_tag needs tagId."),
            ("get_tag", {"tagId": "../documents"}, "There is nothing with the id"),
            ("get_tag", {"tag": "x"}, "get_tag: there is no parameter tag, did you mean tagId?"),
            ("list_documents", {"nameSerch": "x"}, "did you mean nameSearch?"),
            ("update_tag", {"tagId": "1", "colour": "x"}, "did you mean color?"),
            ("help", {"topic": "x"}, "help: there is no parameter topic."),
            ("run_extraction", {"document_id": document_id, "prompt": "1"}, "did you mean prompt_revid?"),
            ("agent_chat", {"mesage": "hello"}, "did you mean message?"),
            (
                "agent_events",
                {"turn_id": "1", "wait_seconds": -1},
                "wait_seconds is a number from 0 to 3600.",
            ),
            ("create_tag", {"tag": {"nam": "x"}}, "name is missing"),
            ("list_documents", {"limit": 0}, "limit: "),
            ("run_extraction", {}, "run_extraction needs document_id."),
            ("validate_form", {"form": "{"}, "form is not valid JSON"),
            ("agent_chat", {"message": "hello"}, "document_id or project_id"),
            ("upload_documents", {"documents": [{"path": "/etc/hostname"}]}, "reads no files of its machine"),
            (
                "upload_documents",
                {"documents": [{"name": "a.txt", "content": ""}]},
                "--approve upload_documents",
            ),
        ):
            refused = await client.call_tool(name, arguments)
            assert refused.is_error, name
            assert said in text_of(refused), name
        with pytest.raises(MCPError, match="There is no resource"):
            await client.read_resource("file:///etc/passwd")


async def test_a_call_that_is_repeated_under_its_key_is_made_once(
    workspace: Workspace, document_id: str
) -> None:
    """`_meta` has the key: of a turn, of the agent's answer, of a verdict, of an upload and of an extraction."""
    tag = f"repeated {secrets.token_hex(3)}"
    fields = {"type": "object", "properties": {"total": {"type": "number"}}}
    sent = {"name": "note.txt", "content": base64.b64encode(tag.encode()).decode()}
    async with over_http(workspace, headers=ALLOWED) as client, over_http(workspace) as asking:

        async def twice(client: Client, tool: str, **arguments: Any) -> Any:
            meta: Any = {"docagent/idempotency-key": secrets.token_hex()}
            first, second = [done(await client.call_tool(tool, arguments, meta=meta)) for _ in range(2)]
            other = await client.call_tool(tool, {**arguments, **CHANGED[tool]}, meta=meta)
            assert other.is_error, tool
            assert "Idempotency-Key was used for another request" in text_of(other), tool
            return first, second

        first, second = await twice(client, "create_tag", tag={"name": tag})
        assert first == second
        first, second = await twice(client, "upload_documents", documents=[sent])
        assert first["documents"][0]["document_id"] == second["documents"][0]["document_id"]
        again = {"json_schema": fields, "document_id": document_id, "again": True, "wait_seconds": 60}
        first, second = await twice(client, "extract", **again)
        assert first["job_id"] == second["job_id"]
        assert first["job_id"]
        first, second = await twice(client, "agent_chat", message="Hello", document_id=document_id)
        assert (first["turn_id"], first["thread_id"]) == (second["turn_id"], second["thread_id"])
        waits = done(await asking.call_tool("create_tag", {"tag": {"name": f"{tag} too"}}))
        first, second = await twice(asking, "agent_approve", turn_id=waits["turn_id"], approved=True)
        assert first == second
        assert first["state"] == "completed"
        wrong = await client.call_tool("create_tag", {}, meta={"docagent/idempotency-key": 7})  # type: ignore[arg-type]
        assert "is a text of 1 to 255 characters" in text_of(wrong)
    assert rest(workspace, "GET", "/tags", params={"name_search": tag})["total_count"] == 2


CHANGED: dict[str, dict[str, Any]] = {
    "create_tag": {"tag": {"name": "another"}},
    "upload_documents": {"documents": [{"name": "other.txt", "content": ""}]},
    "extract": {"instructions": "Another."},
    "agent_chat": {"message": "Goodbye"},
    "agent_approve": {"approved": False},
}
"""What makes each call another one."""
