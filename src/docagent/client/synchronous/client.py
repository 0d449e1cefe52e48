# Written by `make client` from the asynchronous client: change that one.
"""The door to a docagent server."""

from __future__ import annotations

from types import TracebackType
from typing import Any, Self

from docagent.client import models
from docagent.client.synchronous.account import Account, Tokens
from docagent.client.synchronous.accuracy import Accuracy
from docagent.client.synchronous.agent import Agent
from docagent.client.synchronous.connection import Connection
from docagent.client.synchronous.documents import Documents
from docagent.client.synchronous.extracting import Extracting
from docagent.client.synchronous.extraction import Prompts, Results, Schemas, Sheets
from docagent.client.synchronous.local_models import LocalModels
from docagent.client.synchronous.mcp_servers import McpServers
from docagent.client.synchronous.piles import Review, Runs
from docagent.client.synchronous.projects import Projects
from docagent.client.synchronous.tags import Tags

TIMEOUT_SECONDS = 60


class Client(Extracting):
    """A server, seen with a token: its organisation's documents, data, projects and agent."""

    def __init__(
        self,
        server: str,
        token: str,
        organization_id: str | None = None,
        *,
        timeout: float = TIMEOUT_SECONDS,
        transport: Any = None,
    ) -> None:
        """Without an `organization_id` the token's own is used. `transport` is one of httpx2, for proxies and tests."""
        self._connection = Connection(server, token, organization_id, timeout, transport)
        self.documents = Documents(self._connection)
        self.schemas = Schemas(self._connection)
        self.prompts = Prompts(self._connection)
        self.tags = Tags(self._connection)
        self.results = Results(self._connection)
        self.sheets = Sheets(self._connection)
        self.runs = Runs(self._connection)
        self.review = Review(self._connection)
        self.accuracy = Accuracy(self._connection)
        self.projects = Projects(self._connection)
        self.agent = Agent(self._connection)
        self.account = Account(self._connection)
        self.tokens = Tokens(self._connection)
        self.mcp_servers = McpServers(self._connection)
        self.local_models = LocalModels(self._connection)

    def search(self, words: str, *, limit: int = 20) -> list[models.Found]:
        """Find documents, values, schemas, prompts, tags, projects and living documents."""
        params = {"q": words, "limit": limit}
        return (self._connection.ask(models.FoundAnything, "GET", "search", params=params)).results

    def organization_id(self) -> str:
        """The organisation that everything is in."""
        return self._connection.organization_id()

    def close(self) -> None:
        """Give the connections back. `with` does it too."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
