# Written by `make client` from the asynchronous client: change that one.
"""Data out of documents: schemas and prompts, runs and their results, and the results of many as one sheet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from docagent.client import models
from docagent.client.synchronous.connection import Part

RUN_SECONDS = 600
"""How long the answer of a model is waited for."""
EXPORT_SECONDS = 600


class Schemas(Part):
    def list(self, *, skip: int = 0, limit: int = 10, name: str | None = None) -> models.Schemas:
        params = {"skip": skip, "limit": limit, "name_search": name}
        return self._ask(models.Schemas, "GET", "schemas", params=params)

    def get(self, schema_revid: str) -> models.Schema:
        """One version of a schema."""
        return self._ask(models.Schema, "GET", "schemas", schema_revid)

    def versions(self, schema_id: str) -> models.Schemas:
        return self._ask(models.Schemas, "GET", "schemas", schema_id, "versions")

    def create(self, name: str, json_schema: Mapping[str, Any]) -> models.Schema:
        """Make a schema from a JSON Schema of an object."""
        body = {"name": name, "response_format": _response_format(json_schema)}
        return self._ask(models.Schema, "POST", "schemas", body=body)

    def update(
        self, schema_id: str, *, name: str | None = None, json_schema: Mapping[str, Any] | None = None
    ) -> models.Schema:
        """Make a new version of what is named; the rest stays."""
        body: dict[str, Any] = {} if name is None else {"name": name}
        if json_schema is not None:
            body["response_format"] = _response_format(json_schema)
        return self._ask(models.Schema, "PUT", "schemas", schema_id, body=body)

    def delete(self, schema_id: str) -> None:
        self._ask(models.Message, "DELETE", "schemas", schema_id)

    def validate(self, schema_revid: str, data: Mapping[str, Any]) -> models.Validation:
        """Whether data fits a schema, and where it does not."""
        body = {"data": dict(data)}
        return self._ask(models.Validation, "POST", "schemas", schema_revid, "validate", body=body)


class Prompts(Part):
    def list(
        self, *, skip: int = 0, limit: int = 10, name: str | None = None, document_id: str | None = None
    ) -> models.Prompts:
        """One page of the prompts; with `document_id` those that the document's tags choose."""
        params = {"skip": skip, "limit": limit, "name_search": name, "document_id": document_id}
        return self._ask(models.Prompts, "GET", "prompts", params=params)

    def get(self, prompt_revid: str) -> models.Prompt:
        """One version of a prompt."""
        return self._ask(models.Prompt, "GET", "prompts", prompt_revid)

    def versions(self, prompt_id: str) -> models.Prompts:
        return self._ask(models.Prompts, "GET", "prompts", prompt_id, "versions")

    def create(
        self,
        name: str,
        content: str,
        *,
        schema: models.Schema | None = None,
        tag_ids: Sequence[str] = (),
        model: str | None = None,
    ) -> models.Prompt:
        body = _prompt(name, content, schema, tag_ids, model)
        return self._ask(models.Prompt, "POST", "prompts", body=body)

    def update(
        self,
        prompt_id: str,
        name: str,
        content: str,
        *,
        schema: models.Schema | None = None,
        tag_ids: Sequence[str] = (),
        model: str | None = None,
    ) -> models.Prompt:
        """Make a new version, in which everything is as it is given here."""
        body = _prompt(name, content, schema, tag_ids, model)
        return self._ask(models.Prompt, "PUT", "prompts", prompt_id, body=body)

    def delete(self, prompt_id: str) -> None:
        self._ask(models.Message, "DELETE", "prompts", prompt_id)


class Results(Part):
    def run(self, document_id: str, prompt_revid: str = "default", *, again: bool = False) -> models.Result:
        """Run a prompt on a document, and give its result. One that is there is given unless it is to run `again`.

        `default` is the summary that every organisation has.
        """
        params = {"prompt_revid": prompt_revid, "force": str(again).lower()}
        self._ask(
            models.Run, "POST", "llm", "run", document_id, params=params, seconds=RUN_SECONDS, once=True
        )
        return self.get(document_id, prompt_revid)

    def get(self, document_id: str, prompt_revid: str = "default", *, older: bool = False) -> models.Result:
        """A result with the place of every value in `grounding`; with `older` also one of an earlier version."""
        params = {"prompt_revid": prompt_revid, "fallback": str(older).lower()}
        return self._ask(models.Result, "GET", "llm", "result", document_id, params=params)

    def list(self, document_id: str) -> Sequence[models.NamedResult]:
        """The results of all prompts on a document."""
        return (self._ask(models.Results, "GET", "llm", "results", document_id)).results

    def edit(self, document_id: str, prompt_revid: str, path: str, value: Any) -> models.Result:
        """Change one value. `path` is as in `grounding`: `lines[0].amount`."""
        params, body = {"prompt_revid": prompt_revid}, {"path": path, "value": value}
        return self._ask(models.Result, "PATCH", "llm", "result", document_id, params=params, body=body)

    def verify(
        self, document_id: str, prompt_revid: str, path: str, *, verified: bool = True
    ) -> models.Result:
        """Say that a value was checked by a person, or take that back."""
        params, body = {"prompt_revid": prompt_revid}, {"path": path, "verified": verified}
        return self._ask(
            models.Result, "POST", "llm", "result", document_id, "verify", params=params, body=body
        )

    def export(
        self,
        document_id: str,
        *,
        format: Literal["xlsx", "csv", "json"] = "xlsx",
        prompt_revid: str | None = None,
    ) -> bytes:
        """The results of a document as a file."""
        params = {"format": format, "prompt_revid": prompt_revid}
        return (self._send("GET", "llm", "results", document_id, "export", params=params)).content

    def delete(self, document_id: str, prompt_revid: str) -> None:
        self._send("DELETE", "llm", "result", document_id, params={"prompt_revid": prompt_revid})


class Sheets(Part):
    def get(
        self, prompt_id: str, *, unfold: str | None = None, skip: int = 0, limit: int = 50
    ) -> models.Sheet:
        """The results of a prompt as one table: a row for each document, or for each row of the `unfold`ed field."""
        params = {"unfold": unfold, "skip": skip, "limit": limit}
        return self._ask(models.Sheet, "GET", "sheets", prompt_id, params=params)

    def export(
        self,
        prompt_id: str,
        *,
        format: Literal["csv", "xlsx", "jsonl", "parquet"] = "csv",
        unfold: str | None = None,
        decimal: Literal[".", ","] | None = None,
        pictures: bool = False,
    ) -> bytes:
        """The whole sheet as a file; `decimal` makes a CSV for people, `pictures` shows the words in a workbook."""
        params = {"format": format, "unfold": unfold, "decimal": decimal, "pictures": pictures}
        answer = self._send("GET", "sheets", prompt_id, "export", params=params, seconds=EXPORT_SECONDS)
        return answer.content


def _response_format(json_schema: Mapping[str, Any]) -> dict[str, Any]:
    """A JSON Schema as the API stores it; what already has that form is left alone."""
    if "json_schema" in json_schema:
        return dict(json_schema)
    return {
        "type": "json_schema",
        "json_schema": {"name": "document_extraction", "schema": dict(json_schema), "strict": True},
    }


def _prompt(
    name: str, content: str, schema: models.Schema | None, tag_ids: Sequence[str], model: str | None
) -> dict[str, Any]:
    return {
        "name": name,
        "content": content,
        "schema_id": schema.schema_id if schema else None,
        "schema_version": schema.schema_version if schema else None,
        "tag_ids": list(tag_ids),
        "model": model,
    }
