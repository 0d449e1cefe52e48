"""The one way to a model: chooses it, checks credits, waits for a place, streams, and charges.

chosen = await calls.choose(organization_id, "gpt-4o-mini")
call = ModelCall(organization_id, user_id, Operation.DOCUMENT_LLM, chosen, request, pages=12)
reply = await calls.complete(call)          # or: async for event in calls.stream(call)
async with db.write_org(organization_id) as tx:
    ...                                     # store the reply
    await calls.charge(tx, call, reply)
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, aclosing
from dataclasses import InitVar, dataclass, field, replace
from datetime import timedelta
from typing import Protocol

from docagent.domain.clock import now
from docagent.domain.deliveries.notices import ModelCalled
from docagent.domain.errors import InvalidInput
from docagent.domain.ids import new_id
from docagent.domain.models import llm
from docagent.domain.models.catalogue import ChosenModel, ModelInfo
from docagent.domain.models.credits import Charge, EntryKind, LedgerEntry, Spending, credits_for
from docagent.domain.models.pictures import holds_pictures, sent_pictures, without_pictures
from docagent.domain.models.providers import Connection
from docagent.services.deliveries.bus import Bus
from docagent.services.models.credits import CreditService
from docagent.services.models.provider_directory import ProviderDirectory
from docagent.store.accounts import organizations
from docagent.store.engine.database import Database, OrgTx
from docagent.store.extraction import parts

SOURCE = "backend"
USUAL_OUTPUT = 4096


class OpenModel(Protocol):
    """Opens the model behind a connection."""

    def __call__(self, connection: Connection) -> llm.Model: ...


class Places(Protocol):
    """Bounds how many calls run at once, for each provider and for each organisation."""

    def place(self, provider: str, organization_id: str) -> AbstractAsyncContextManager[object]: ...


@dataclass(frozen=True, slots=True)
class ModelCall:
    """One call for one organisation. `pages`, the number of pages it is about, sets the least charge."""

    organization_id: str
    user_id: str | None
    operation: str
    """A member of Operation, or another word for the ledger."""
    model: ChosenModel
    request: llm.ModelRequest
    pages: int = 0
    unlimited: bool = False
    """True if the organisation was just found to have no limits, so that nothing needs to be held."""
    id: str = field(default_factory=new_id)


@dataclass(eq=False)
class ModelCalls:
    _db: Database
    _directory: ProviderDirectory
    _credits: CreditService
    _open_model: OpenModel
    _places: Places
    _longest_call: timedelta
    bus: InitVar[Bus | None] = None

    def __post_init__(self, bus: Bus | None) -> None:
        self._bus = bus or Bus()

    async def choose(
        self, organization_id: str, requested: str | None, *, strict: bool = False, for_chat: bool = False
    ) -> ChosenModel:
        """The model that runs. Raises InvalidInput for a name that nobody knows.

        A known model that cannot be called, or with `for_chat` is not listed for the chat agent, gives way to the
        organisation's default, then the deployment's, then the built-in one; with `strict` it is refused with the
        reason.
        """
        await self._directory.look_around()
        async with self._db.read_org(organization_id) as tx:
            catalogue = await self._directory.of_organization(tx)
            asked_for = catalogue.find(requested) if requested else None
            model = catalogue.resolve(requested, None, for_chat=for_chat)
            if asked_for is None or asked_for is not model:
                chosen = await organizations.default_models(tx, organization_id)
                default = chosen.agent if for_chat else chosen.extraction
                model = catalogue.resolve(requested, default, for_chat=for_chat)
        catalogue.check(requested)
        if strict and asked_for is not None and asked_for is not model:
            raise InvalidInput(catalogue.why_not(asked_for, for_chat=for_chat))
        nearby = [one for one in catalogue.local() if catalogue.chats(one)] if model.is_built_in else ()
        connection = self._directory.connection(catalogue.providers[model.provider])
        return ChosenModel(model, connection, requested, tuple(nearby))

    async def stream(self, call: ModelCall) -> AsyncGenerator[llm.ModelEvent]:
        """Yield deltas, then one ModelReply. Raises InsufficientCredits before anything is sent, and ModelError.

        If the call fails or is given up, its hold is released here; once there is a reply, `charge` releases it.
        """
        chosen = call.model
        replied = False
        try:
            if not (chosen.is_built_in or call.unlimited):
                needed = self._price(call, expected_usage(chosen.info, call.request))
                await self._credits.hold(call.organization_id, call.id, needed, self._longest_call)
            async with self._places.place(chosen.provider, call.organization_id):
                model = self._open_model(chosen.connection)
                request = await self._allowed(call)
                async with aclosing(model.stream(request)) as events:
                    async for event in events:
                        replied = isinstance(event, llm.ModelReply)
                        yield event
            if not replied:
                raise _no_reply(call)
        finally:
            if not replied:
                await self.release(call)

    async def why_no_pictures(self, organization_id: str, model: ChosenModel) -> str | None:
        """Why the model may not be sent pictures of pages; None if it may."""
        if not model.info.sees_images:
            return f"{model.name} does not take pictures. Choose a model that does."
        if not model.connection.is_inside:
            async with self._db.read_org(organization_id) as tx:
                _, may_leave = await organizations.pictures(tx, organization_id)
            if not may_leave:
                return "This organisation sends no pictures to models outside of its network."
        return None

    async def _allowed(self, call: ModelCall) -> llm.ModelRequest:
        """The request as the model may see it. This is the one place where pictures are kept from leaving."""
        request = call.request
        if holds_pictures(request):
            why = await self.why_no_pictures(call.organization_id, call.model)
            request = without_pictures(request, why) if why else request
        return replace(request, model=call.model.info.wire_name)

    async def complete(self, call: ModelCall) -> llm.ModelReply:
        """Make the call and return its whole reply."""
        async with aclosing(self.stream(call)) as events:
            async for event in events:
                if isinstance(event, llm.ModelReply):
                    return event
        raise _no_reply(call)

    async def kept(
        self, call: ModelCall, run_id: str, number: int, reached: Callable[[str], None] = lambda _: None
    ) -> tuple[str, int]:
        """The reply's text and the credits charged, none if the run has it already.

        Reply and charge are stored together under the run's id, so that a repeated job finds them.
        """
        async with self._db.read_org(call.organization_id) as tx:
            stored = await parts.get(tx, run_id, number)
        if stored is not None:
            return stored, 0
        reached("before model call of an extraction")
        reply = await self.complete(call)
        reached("after model call of an extraction")
        text = reply.text.replace("\x00", "")
        async with self._db.write_org(call.organization_id) as tx:
            charge = await self.charge(tx, call, reply)
            await parts.insert(tx, run_id, number, text, now())
            reached("before commit of an extraction's reply")
        reached("after commit of an extraction's reply")
        return text, charge.credits

    async def charge(self, tx: OrgTx, call: ModelCall, reply: llm.ModelReply) -> Charge:
        """Enter the call in the ledger, in the transaction that stores the reply, if possible as its last statement."""
        info = call.model.info
        entry = LedgerEntry(
            kind=EntryKind.CHARGE,
            credits=self._price(call, reply.usage),
            operation=call.operation,
            source=SOURCE,
            created_at=now(),
            user_id=call.user_id,
            provider=info.provider,
            model=info.name,
            input_tokens=reply.usage.input_tokens,
            output_tokens=reply.usage.output_tokens,
            cost=info.cost(reply.usage),
            pictures=(sent_pictures(call.request) if info.sees_images else ()) or None,
        )
        charge = await self._credits.charge(tx, call.id, entry)
        await self._bus.announce(tx, _called(call, reply, charge))
        return charge

    def price(self, call: ModelCall, reply: llm.ModelReply) -> Charge:
        """What `charge` will charge if nothing limits it."""
        return Charge(self._price(call, reply.usage), call.model.info.cost(reply.usage), Spending())

    def estimate(self, model: ChosenModel, characters: int, pages: int) -> int:
        """About how many credits a call about so much text would cost, rather too many than too few."""
        if model.is_built_in:
            return 0
        usage = llm.Usage(
            input_tokens=min(characters // llm.CHARACTERS_PER_TOKEN, model.info.max_input_tokens),
            output_tokens=min(USUAL_OUTPUT, model.info.max_output_tokens),
        )
        return credits_for(model.info.cost(usage), self._credits.price_per_credit, pages)

    async def release(self, call: ModelCall) -> None:
        """Release what was held for a call whose reply is not stored."""
        if not (call.model.is_built_in or call.unlimited):
            await self._credits.release(call.organization_id, call.id)

    def _price(self, call: ModelCall, usage: llm.Usage) -> int:
        if call.model.is_built_in:
            return 0
        return credits_for(call.model.info.cost(usage), self._credits.price_per_credit, call.pages)


def expected_usage(model: ModelInfo, request: llm.ModelRequest) -> llm.Usage:
    """Estimate what a call will use, rather too much than too little."""
    characters = len(request.system or "") + sum(tool.size for tool in request.tools)
    characters += sum(turn.characters for turn in request.past)
    for message in request.messages:
        characters += sum(map(llm.characters_of, message.parts))
    wanted = min(request.max_output_tokens or USUAL_OUTPUT, model.max_output_tokens)
    return llm.Usage(
        input_tokens=min(characters // llm.CHARACTERS_PER_TOKEN, model.max_input_tokens),
        output_tokens=wanted + (request.thinking_tokens or 0),
    )


def _called(call: ModelCall, reply: llm.ModelReply, charge: Charge) -> ModelCalled:
    return ModelCalled(
        organization_id=call.organization_id,
        at=now(),
        operation=str(call.operation),
        provider=call.model.info.provider,
        model=call.model.name,
        input_tokens=reply.usage.input_tokens,
        output_tokens=reply.usage.output_tokens,
        credits=charge.credits,
    )


def _no_reply(call: ModelCall) -> llm.ModelError:
    return llm.ModelError(
        llm.ModelFailure.ENDED_EARLY,
        f"{call.model.name} ended without an answer. Try again.",
        provider=call.model.provider,
    )
