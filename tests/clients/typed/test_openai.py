"""Structured outputs with the official `openai` client: files, `parse()` of completions and of responses."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from typing import Any

import openai
import pytest
from pydantic import BaseModel

from tests.clients.workspace import Workspace, new_workspace
from tests.support.made.documents import pdf
from tests.support.services.server import RunningServer

FILE = pdf(["ACME Ltd", "Invoice", "Invoice number: INV-7", "Total: 90.50 EUR"])


class Invoice(BaseModel):
    invoice_number: str
    total: float


WANTED = Invoice(invoice_number="INV-7", total=90.5)


@pytest.fixture(scope="module")
def workspace(server: RunningServer) -> Workspace:
    return new_workspace(server.url)


@pytest.fixture
def client(workspace: Workspace) -> Iterator[openai.OpenAI]:
    with opened(workspace) as made:
        yield made


def opened(workspace: Workspace) -> openai.OpenAI:
    return openai.OpenAI(base_url=f"{workspace.base_url}/v1", api_key=workspace.org_token, max_retries=0)


def message(**file: str) -> Any:
    text = {"type": "text", "text": "Read the invoice."}
    return {"role": "user", "content": [text, {"type": "file", "file": file}]}


def check_evidence(answer: Any) -> None:
    """The proof of the values stands in a field of its own."""
    (total,) = [one for one in answer.extraction["evidence"] if one["path"] == "total"]
    assert (total["state"], total["page"]) == ("proven", 1)


def test_files_are_documents(client: openai.OpenAI) -> None:
    made = client.files.create(file=("bill.pdf", FILE), purpose="user_data")
    assert (made.filename, made.bytes, made.purpose) == ("bill.pdf", len(FILE), "user_data")
    assert made.id in [file.id for file in client.files.list()]
    assert client.files.retrieve(made.id).object == "file"
    assert client.files.content(made.id).read() == FILE
    assert client.files.delete(made.id).deleted
    with pytest.raises(openai.NotFoundError):
        client.files.retrieve(made.id)


def test_parse_gives_the_object_of_a_file(client: openai.OpenAI) -> None:
    file = client.files.create(file=("bill.pdf", FILE), purpose="user_data")
    answer = client.chat.completions.parse(
        model="docagent", messages=[message(file_id=file.id)], response_format=Invoice
    )
    assert answer.choices[0].message.parsed == WANTED
    check_evidence(answer)
    by_model = client.chat.completions.parse(
        model=f"docagent/document/{file.id}",
        messages=[{"role": "user", "content": "Read the invoice."}],
        response_format=Invoice,
    )
    assert by_model.choices[0].message.parsed == WANTED


def test_a_file_in_the_message_and_a_stream(client: openai.OpenAI) -> None:
    data = f"data:application/pdf;base64,{base64.b64encode(FILE).decode()}"
    asked = [message(filename="bill.pdf", file_data=data)]
    answer = client.chat.completions.parse(model="docagent", messages=asked, response_format=Invoice)
    assert answer.choices[0].message.parsed == WANTED
    with client.chat.completions.stream(model="docagent", messages=asked, response_format=Invoice) as stream:
        assert stream.get_final_completion().choices[0].message.parsed == WANTED


def test_responses_whole_and_as_a_stream(client: openai.OpenAI) -> None:
    file = client.files.create(file=("bill.pdf", FILE), purpose="user_data")
    content = [
        {"type": "input_text", "text": "Read the invoice."},
        {"type": "input_file", "file_id": file.id},
    ]
    asked: Any = [{"role": "user", "content": content}]
    answer = client.responses.parse(model="docagent", input=asked, text_format=Invoice)
    assert answer.output_parsed == WANTED
    check_evidence(answer)
    with client.responses.stream(model="docagent", input=asked, text_format=Invoice) as stream:
        events = [(event.type, event.sequence_number) for event in stream]
        streamed = stream.get_final_response()
    assert streamed.output_parsed == WANTED
    check_evidence(streamed)
    assert [number for _, number in events] == [*range(len(events))]
    assert (events[0][0], events[-1][0]) == ("response.created", "response.completed")
    assert "response.output_text.delta" in [name for name, _ in events]


def test_what_cannot_work_is_said(client: openai.OpenAI) -> None:
    with pytest.raises(openai.BadRequestError, match="needs one file"):
        client.chat.completions.parse(
            model="docagent", messages=[{"role": "user", "content": "Hi"}], response_format=Invoice
        )
    with pytest.raises(openai.BadRequestError, match="Invalid model"):
        client.chat.completions.parse(
            model="gpt-unknown", messages=[message(file_data="QUJD")], response_format=Invoice
        )
    broken = base64.b64encode(b"%PDF-1.7 and nothing else").decode()
    with pytest.raises(openai.UnprocessableEntityError):
        client.chat.completions.parse(
            model="docagent", messages=[message(file_data=broken)], response_format=Invoice
        )
    with pytest.raises(openai.BadRequestError, match="/v1/chat/completions"):
        client.responses.create(model="docagent", input="Hello")


def test_files_of_others_are_not_there(
    client: openai.OpenAI, workspace: Workspace, server: RunningServer
) -> None:
    file = client.files.create(file=("bill.pdf", FILE), purpose="user_data")
    with opened(new_workspace(server.url)) as other:
        assert file.id not in [one.id for one in other.files.list()]
        for attempt in (other.files.retrieve, other.files.content, other.files.delete):
            with pytest.raises(openai.NotFoundError):
                attempt(file.id)
        with pytest.raises(openai.NotFoundError):
            other.chat.completions.parse(
                model="docagent", messages=[message(file_id=file.id)], response_format=Invoice
            )
    assert client.files.retrieve(file.id).id == file.id
