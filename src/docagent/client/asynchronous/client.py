"""The door to a docagent server."""

from __future__ import annotations

from types import TracebackType
from typing import Any, Self

from docagent.client import models
from docagent.client.asynchronous.account import AsyncAccount, AsyncTokens
from docagent.client.asynchronous.accuracy import AsyncAccuracy
from docagent.client.asynchronous.agent import AsyncAgent
from docagent.client.asynchronous.connection import AsyncConnection
from docagent.client.asynchronous.documents import AsyncDocuments
from docagent.client.asynchronous.extracting import AsyncExtracting
from docagent.client.asynchronous.extraction import AsyncPrompts, AsyncResults, AsyncSchemas, AsyncSheets
from docagent.client.asynchronous.local_models import AsyncLocalModels
from docagent.client.asynchronous.mcp_servers import AsyncMcpServers
from docagent.client.asynchronous.piles import AsyncReview, AsyncRuns
from docagent.client.asynchronous.projects import AsyncProjects
from docagent.client.asynchronous.tags import AsyncTags

TIMEOUT_SECONDS = 60


class AsyncClient(AsyncExtracting):
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
        self._connection = AsyncConnection(server, token, organization_id, timeout, transport)
        self.documents = AsyncDocuments(self._connection)
        self.schemas = AsyncSchemas(self._connection)
        self.prompts = AsyncPrompts(self._connection)
        self.tags = AsyncTags(self._connection)
        self.results = AsyncResults(self._connection)
        self.sheets = AsyncSheets(self._connection)
        self.runs = AsyncRuns(self._connection)
        self.review = AsyncReview(self._connection)
        self.accuracy = AsyncAccuracy(self._connection)
        self.projects = AsyncProjects(self._connection)
        self.agent = AsyncAgent(self._connection)
        self.account = AsyncAccount(self._connection)
        self.tokens = AsyncTokens(self._connection)
        self.mcp_servers = AsyncMcpServers(self._connection)
        self.local_models = AsyncLocalModels(self._connection)

    async def search(self, words: str, *, limit: int = 20) -> list[models.Found]:
        """Find documents, values, schemas, prompts, tags, projects and living documents."""
        params = {"q": words, "limit": limit}
        return (await self._connection.ask(models.FoundAnything, "GET", "search", params=params)).results

    async def organization_id(self) -> str:
        """The organisation that everything is in."""
        return await self._connection.organization_id()

    async def aclose(self) -> None:
        """Give the connections back. `async with` does it too."""
        await self._connection.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()
