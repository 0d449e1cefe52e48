"""The Python client of a docagent server, for programs with and without asyncio.

with Client("http://127.0.0.1:8000", token) as client:
    invoice = client.extract("invoice.pdf", Invoice)  # a pydantic model or a dataclass
    print(invoice.value.total, invoice.evidence("total").page)
    document = client.documents.upload("invoice.pdf")
    client.documents.wait(document.document_id)
    for event in client.agent.ask("What is the total?", document_id=document.document_id):
        print(event)
"""

from __future__ import annotations

from docagent.client.asynchronous.agent import AsyncTurn
from docagent.client.asynchronous.client import AsyncClient
from docagent.client.errors import (
    BadRequest,
    ClientError,
    Conflict,
    Forbidden,
    NoCredits,
    NotFound,
    Refused,
    ServerTrouble,
    SignInNeeded,
    TooManyRequests,
    Unreachable,
)
from docagent.client.extraction import DoesNotValidate, Evidence, Extraction, Outcome
from docagent.client.synchronous.agent import Turn
from docagent.client.synchronous.client import Client

__all__ = [
    "AsyncClient",
    "AsyncTurn",
    "BadRequest",
    "Client",
    "ClientError",
    "Conflict",
    "DoesNotValidate",
    "Evidence",
    "Extraction",
    "Forbidden",
    "NoCredits",
    "NotFound",
    "Outcome",
    "Refused",
    "ServerTrouble",
    "SignInNeeded",
    "TooManyRequests",
    "Turn",
    "Unreachable",
]
