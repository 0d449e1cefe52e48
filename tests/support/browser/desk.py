"""An organisation with one prompt, its documents, and what a person does to their results, through the API."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from tests.support.browser.agent_page import Caller
from tests.support.made.documents import base64_of
from tests.support.polling import SECONDS
from tests.support.services.server import RunningServer

READ = ("ocr_completed", "llm_completed")


class Desk:
    """The built-in model fills the schema."""

    def __init__(self, server: RunningServer, name: str, properties: dict[str, Any]) -> None:
        self._caller = Caller(server)
        self.organization = self._caller.organization()
        self.schema = self.save_schema(name, properties)
        body = {
            "name": name,
            "content": "Read it",
            "schema_id": self.schema["schema_id"],
            "model": "docagent-offline",
        }
        self.prompt = self.call("POST", "/prompts", body)

    def call(self, method: str, path: str, body: Any = None) -> Any:
        return self._caller.call(method, f"/v0/orgs/{self.organization}{path}", body)

    def save_schema(self, name: str, properties: dict[str, Any], schema_id: str | None = None) -> Any:
        """A new schema, or a new version of one."""
        schema = {
            "type": "object",
            "properties": properties,
            "required": list(properties),
            "additionalProperties": False,
        }
        form = {"type": "json_schema", "json_schema": {"name": "made", "schema": schema, "strict": True}}
        method, path = ("PUT", f"/schemas/{schema_id}") if schema_id else ("POST", "/schemas")
        return self.call(method, path, {"name": name, "response_format": form})

    def until(self, look: Callable[[], Any]) -> Any:
        """What is seen as soon as there is something to see."""
        deadline = time.monotonic() + SECONDS
        while not (found := look()):
            assert time.monotonic() < deadline
            time.sleep(0.1)
        return found

    def document(self, name: str, content: bytes) -> str:
        """Upload a document, wait until it is read, and run the prompt on it."""
        document = {"name": name, "content": base64_of(content)}
        stored = self.call("POST", "/documents", {"documents": [document]})
        document_id: str = stored["documents"][0]["document_id"]
        address = f"/documents/{document_id}?include_content=false"
        self.until(lambda: self.call("GET", address)["state"] in READ)
        self.call("POST", f"/llm/run/{document_id}?prompt_revid={self.prompt['prompt_revid']}")
        return document_id

    def result(self, document_id: str) -> Any:
        return self.call("GET", self._path(document_id))

    def edit(self, document_id: str, path: str, value: Any) -> None:
        self.call("PATCH", self._path(document_id), {"path": path, "value": value})

    def verify(self, document_id: str) -> None:
        """Say that the whole result is right as it stands."""
        data = self.result(document_id)["updated_llm_result"]
        self.call("PUT", self._path(document_id), {"updated_llm_result": data, "is_verified": True})

    def _path(self, document_id: str) -> str:
        return f"/llm/result/{document_id}?prompt_revid={self.prompt['prompt_revid']}"
