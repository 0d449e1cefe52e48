"""Structured output with the official `langchain-openai`, unmodified: the object of a file, and its evidence."""

from __future__ import annotations

import base64
from typing import Any

import openai
import pytest
from langchain_core.messages import HumanMessage
from langchain_openai import ChatOpenAI
from pydantic import BaseModel, SecretStr

from tests.clients.workspace import Workspace, new_workspace
from tests.support.made.documents import pdf
from tests.support.services.server import RunningServer

FILE = pdf(["ACME Ltd", "Invoice", "Invoice number: INV-7", "Total: 90.50 EUR"])


class Invoice(BaseModel):
    invoice_number: str
    total: float


WANTED = Invoice(invoice_number="INV-7", total=90.5)
BOTH = pytest.mark.parametrize("responses", [False, True], ids=["completions", "responses"])


@pytest.fixture(scope="module")
def workspace(server: RunningServer) -> Workspace:
    return new_workspace(server.url)


def chat(workspace: Workspace, **more: Any) -> ChatOpenAI:
    return ChatOpenAI(
        model="docagent",
        base_url=f"{workspace.base_url}/v1",
        api_key=SecretStr(workspace.org_token),
        max_retries=0,
        **more,
    )


def asked(**file: str) -> list[HumanMessage]:
    return [HumanMessage([{"type": "text", "text": "Read the invoice."}, {"type": "file", **file}])]


SENT = asked(base64=base64.b64encode(FILE).decode(), mime_type="application/pdf", filename="bill.pdf")


@BOTH
async def test_a_file_in_the_message_becomes_an_object(workspace: Workspace, responses: bool) -> None:
    model = chat(workspace, use_responses_api=responses).with_structured_output(Invoice)
    assert await model.ainvoke(SENT) == WANTED


@BOTH
def test_a_file_that_is_there_and_a_plain_schema(workspace: Workspace, responses: bool) -> None:
    with openai.OpenAI(base_url=f"{workspace.base_url}/v1", api_key=workspace.org_token) as client:
        file = client.files.create(file=("bill.pdf", FILE), purpose="user_data")
    schema = Invoice.model_json_schema()
    model = chat(workspace, use_responses_api=responses).with_structured_output(schema, method="json_schema")
    assert model.invoke(asked(file_id=file.id)) == WANTED.model_dump()


def test_the_evidence_comes_as_citations_of_the_file(workspace: Workspace) -> None:
    model = chat(workspace, use_responses_api=True).with_structured_output(Invoice, include_raw=True)
    found: Any = model.invoke(SENT)
    assert found["parsed"] == WANTED
    (content,) = found["raw"].content
    (total,) = [one for one in content["annotations"] if one["path"] == "total"]
    assert (total["type"], total["filename"]) == ("file_citation", "bill.pdf")
    assert (total["state"], total["page"], len(total["box"])) == ("proven", 1, 4)


def test_what_cannot_work_is_said(workspace: Workspace) -> None:
    calling = chat(workspace).with_structured_output(Invoice, method="function_calling")
    with pytest.raises(openai.BadRequestError, match="json_schema"):
        calling.invoke(SENT)
