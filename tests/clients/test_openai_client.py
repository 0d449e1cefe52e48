"""The official `openai` client on the agent: models, answers whole and streamed, what waits, and errors."""

from __future__ import annotations

from collections.abc import Iterator

import openai
import pytest
from openai.types.chat import ChatCompletionUserMessageParam

from docagent.client import Client
from docagent.domain.ids import new_id
from tests.clients.workspace import Workspace, two_page_pdf


@pytest.fixture
def client(workspace: Workspace) -> Iterator[openai.OpenAI]:
    with openai.OpenAI(
        base_url=f"{workspace.base_url}/v1", api_key=workspace.org_token, max_retries=0
    ) as made:
        yield made


@pytest.fixture(scope="module")
def model(workspace: Workspace) -> str:
    """The agent on a document whose text is read."""
    with Client(workspace.base_url, workspace.org_token) as ours:
        document = ours.documents.upload(two_page_pdf(), name="invoice.pdf", auto_create=False)
        ours.documents.wait(document.document_id)
    return f"docagent/document/{document.document_id}"


def user(text: str) -> ChatCompletionUserMessageParam:
    return {"role": "user", "content": text}


def test_the_document_is_a_model(client: openai.OpenAI, model: str) -> None:
    assert model in [listed.id for listed in client.models.list()]
    assert client.models.retrieve(model).object == "model"


def test_an_answer(client: openai.OpenAI, model: str) -> None:
    answer = client.chat.completions.create(model=model, messages=[user("hello")])
    (choice,) = answer.choices
    assert choice.message.content
    assert choice.finish_reason == "stop"
    assert answer.usage is not None
    assert answer.usage.total_tokens == answer.usage.prompt_tokens + answer.usage.completion_tokens


def test_a_stream_says_the_same(client: openai.OpenAI, model: str) -> None:
    whole = client.chat.completions.create(model=model, messages=[user("hello")])
    parts = list(
        client.chat.completions.create(
            model=model, messages=[user("hello")], stream=True, stream_options={"include_usage": True}
        )
    )
    text = "".join(choice.delta.content or "" for part in parts for choice in part.choices)
    assert text == whole.choices[0].message.content
    assert parts[-1].usage is not None


def test_what_waits_is_told_with_the_place_to_decide(
    client: openai.OpenAI, model: str, workspace: Workspace
) -> None:
    name = f"after {new_id()}.pdf"
    answer = client.chat.completions.create(model=model, messages=[user(f"rename this document to {name}")])
    text = answer.choices[0].message.content
    assert text is not None
    assert "waits for your approval" in text
    assert f"/orgs/{workspace.organization_id}/inbox" in text


def test_refusals_are_the_clients_own_errors(client: openai.OpenAI, model: str, workspace: Workspace) -> None:
    stranger = openai.OpenAI(base_url=f"{workspace.base_url}/v1", api_key="wrong", max_retries=0)
    with stranger, pytest.raises(openai.AuthenticationError) as unknown:
        stranger.models.list()
    assert unknown.value.type == "authentication_error"
    with pytest.raises(openai.NotFoundError, match="GET /v1/models lists the newest"):
        client.chat.completions.create(model="gpt-4o", messages=[user("hello")])
    with pytest.raises(openai.BadRequestError, match="must be the user's"):
        client.chat.completions.create(model=model, messages=[{"role": "assistant", "content": "Hi"}])
