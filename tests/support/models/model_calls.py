"""The gateway for model calls on a real database, with a scripted model behind every provider."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

from docagent.adapters.llm.limits import CallLimits
from docagent.adapters.llm.scripted import ScriptedModel
from docagent.domain.accounts.accounts import Credential, Member, Principal, Role
from docagent.domain.ids import new_id
from docagent.domain.models.llm import Message, Model, ModelRequest, TextPart
from docagent.domain.models.providers import Connection
from docagent.security.secrets import Secrets
from docagent.services.models.credits import CreditService
from docagent.services.models.model_calls import ModelCall, ModelCalls
from docagent.services.models.provider_directory import ProviderDirectory
from docagent.store.engine.database import Database

SECRETS = Secrets("the secret of tests of model calls")
ROOT = Principal(new_id(), "Root", "root@example.com", Role.ADMIN, Credential.SESSION)
HELLO = ModelRequest("m", (Message("user", (TextPart("Hello"),)),))


class Gateway:
    """A database with credits, and calls that all go to one scripted model."""

    def __init__(
        self,
        db: Database,
        model: ScriptedModel,
        *,
        keys: Mapping[str, str] | None = None,
        price_per_credit: float = 0,
        at_once: int = 100,
        longest_call: timedelta = timedelta(minutes=5),
    ) -> None:
        self.db = db
        self.model = model
        self.opened: list[Connection] = []
        self.credits = CreditService(db, price_per_credit)
        self.directory = ProviderDirectory(SECRETS, {"openai": "sk-test"} if keys is None else keys)
        self.calls = ModelCalls(
            db, self.directory, self.credits, self._open, CallLimits(at_once, at_once), longest_call
        )

    def _open(self, connection: Connection) -> Model:
        self.opened.append(connection)
        return self.model

    async def call(
        self,
        organization_id: str,
        model: str | None = "gpt-4o-mini",
        pages: int = 0,
        request: ModelRequest = HELLO,
        user_id: str | None = None,
    ) -> ModelCall:
        chosen = await self.calls.choose(organization_id, model)
        return ModelCall(organization_id, user_id, "document_llm", chosen, request, pages)

    async def run(self, call: ModelCall) -> int:
        """Make the call, charge it in a transaction of its own, and return the credits taken."""
        reply = await self.calls.complete(call)
        async with self.db.write_org(call.organization_id) as tx:
            return (await self.calls.charge(tx, call, reply)).credits


def admin_of(organization_id: str) -> Member:
    return Member(ROOT, organization_id, Role.ADMIN)
