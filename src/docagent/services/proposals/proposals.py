"""What people do with proposals: look at them, accept, reject, take a rejection back, try again; one or many."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import astuple, dataclass, replace

from docagent.domain.accounts.accounts import Member
from docagent.domain.clock import now
from docagent.domain.documents.documents import Document
from docagent.domain.errors import Conflict, DocAgentError, InvalidInput, NotFound, Noun
from docagent.domain.extraction.artefacts import NameTaken, Prompt, Schema
from docagent.domain.extraction.doubts import ReviewMode, ReviewPolicy
from docagent.domain.extraction.review import Reviewable
from docagent.domain.ids import new_id
from docagent.domain.jobs import JobKind
from docagent.domain.listing import Found
from docagent.domain.proposals import DocumentProposal, ProposalStatus, Rehearsal
from docagent.domain.repeats import Repeat
from docagent.domain.shown import quoted
from docagent.domain.turns.events import Recorded
from docagent.services.deliveries.bus import Bus
from docagent.services.documents.documents import find_document
from docagent.services.documents.tags import TagService, check_tag_ids
from docagent.services.extraction.extractor import completed
from docagent.services.extraction.prompts import PromptService, config_of
from docagent.services.extraction.proposed import Proposed, proposed_now
from docagent.services.jobs import JobService
from docagent.services.repeats import Made, keep, once
from docagent.store import proposals
from docagent.store.documents import documents, tags
from docagent.store.engine.database import Database, OrgTx
from docagent.store.extraction.prompts import PROMPTS
from docagent.store.extraction.schemas import SCHEMAS, asked_by_each
from docagent.store.review import review
from docagent.store.turns import turns

MOST_IN_A_GROUP = 200
SEVERAL_GROUPS = (
    "These documents have different schemas, and a tag would run each of their prompts on all of them. Accept one "
    "group at a time with a tag of its own, or accept all of them without a tag."
)


@dataclass(frozen=True, slots=True)
class ProposalInFull:
    """A document's proposal with everything that accepting it would bring about."""

    document: Document
    proposal: DocumentProposal
    proposed: Proposed
    tag_names: Sequence[str]
    """The tags of the prompt: documents that carry one are processed by it."""
    thread_id: str | None
    documents_waiting: int
    """How many documents wait for a verdict on the same schema and prompt."""


@dataclass(frozen=True, slots=True)
class ProposalGroup:
    """Documents that wait for a verdict on the same schema and prompt."""

    proposal_id: str
    is_new: bool
    """Whether the prompt waits for the verdict too."""
    reason: str | None
    documents_waiting: int
    schema: Schema | None
    prompt: Prompt | None
    documents: Sequence[tuple[Document, Reviewable | None]]
    """The first of them, each with what was found in it."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of one document of many."""

    document_id: str
    status: ProposalStatus | None
    error: str | None


@dataclass(eq=False)
class ProposalService:
    _db: Database
    _jobs: JobService
    _prompts: PromptService
    _tags: TagService
    _bus: Bus

    # --- looking ----------------------------------------------------------------------------------------------

    async def get(self, member: Member, document_id: str) -> ProposalInFull:
        async with self._db.read_org(member.organization_id) as tx:
            return await _in_full(tx, await find_document(tx, document_id))

    async def waiting(self, member: Member, *, skip: int, limit: int) -> Found[ProposalGroup]:
        """The proposals that wait for a verdict, in groups that share a schema and a prompt."""
        async with self._db.read_org(member.organization_id, long=True) as tx:
            ids, total = await proposals.waiting_groups(tx, skip=skip, limit=limit)
            return Found(await _groups(tx, ids) if ids else [], total, skip)

    async def counts(self, member: Member) -> dict[ProposalStatus, int]:
        async with self._db.read_org(member.organization_id) as tx:
            return await proposals.counts(tx)

    async def log(self, member: Member, document: Document) -> Sequence[Recorded]:
        """Every event of the turn that prepared the proposal; none if something that exists was found to fit."""
        turn_id = document.proposal.turn_id if document.proposal else None
        if turn_id is None:
            return []
        async with self._db.read_org(member.organization_id) as tx:
            return await turns.events(tx, turn_id)

    async def seeing(self, member: Member, document_id: str) -> Member:
        """The member as one who also sees what is proposed for this document."""
        async with self._db.read_org(member.organization_id) as tx:
            proposal = await proposals.get(tx, document_id)
        if proposal is None or proposal.status is not ProposalStatus.PROPOSED:
            return member
        return replace(member, rehearsal=Rehearsal(proposal.proposal_id))

    # --- verdicts on one document -------------------------------------------------------------------------------

    async def accept(
        self,
        member: Member,
        document_id: str,
        tag_ids: Sequence[str] = (),
        tag_name: str | None = None,
        repeat: Repeat | None = None,
    ) -> ProposalStatus:
        """Make everything of the proposal real. With tags, the prompt runs by itself on documents that carry them."""
        return await once(
            self._db,
            member,
            repeat,
            lambda: self._accepted(member, document_id, tag_ids, tag_name, repeat),
            _accepted_before,
        )

    async def _accepted(
        self,
        member: Member,
        document_id: str,
        tag_ids: Sequence[str],
        tag_name: str | None,
        repeat: Repeat | None = None,
    ) -> ProposalStatus:
        async with self._db.write_org(member.organization_id) as tx:
            document, proposal = await _locked(tx, document_id)
            again = proposal.status is ProposalStatus.ACCEPTED
            if not again:
                _require(proposal, ProposalStatus.PROPOSED, "accepted")
            with tx.joined():
                wanted = await self._wanted_tags(member, tag_ids, tag_name)
            if not again:
                await self._accept(tx, member, document, proposal, wanted)
            elif wanted and (prompt := (await proposed_now(tx, proposal)).prompt) is not None:
                await self._tag(tx, member, document, prompt, wanted)
            await keep(tx, repeat, {"document_id": document_id})
        return ProposalStatus.ACCEPTED

    async def reject(self, member: Member, document_id: str) -> ProposalStatus:
        """Discard the result, and the schema and the prompt too, unless another document still needs them."""
        async with self._db.write_org(member.organization_id) as tx:
            _, proposal = await _locked(tx, document_id)
            if proposal.status is not ProposalStatus.REJECTED:
                _require(proposal, ProposalStatus.PROPOSED, "rejected")
                await proposals.put(tx, replace(proposal, status=ProposalStatus.REJECTED))
                if not await proposals.others_in(tx, proposal):
                    await proposals.hide_heads(tx, proposal.proposal_id, now())
        return ProposalStatus.REJECTED

    async def restore(self, member: Member, document_id: str) -> ProposalStatus:
        """Take a rejection back."""
        async with self._db.write_org(member.organization_id) as tx:
            _, proposal = await _locked(tx, document_id)
            if proposal.status is not ProposalStatus.PROPOSED:
                _require(proposal, ProposalStatus.REJECTED, "restored")
                await proposals.hide_heads(tx, proposal.proposal_id, None)
                await proposals.put(tx, replace(proposal, status=ProposalStatus.PROPOSED))
        return ProposalStatus.PROPOSED

    async def retry(self, member: Member, document_id: str) -> ProposalStatus:
        """Prepare the document again, or for the first time. What was rejected is removed permanently."""
        async with self._db.write_org(member.organization_id) as tx:
            document = await find_document(tx, document_id)
            if document.text_run_id is None:
                raise Conflict("The document has no text yet, so there is nothing to prepare it from.")
            before = await proposals.get(tx, document_id, lock=True)
            if before is not None and before.status is ProposalStatus.RUNNING:
                return before.status
            if before is not None and before.status in (ProposalStatus.PROPOSED, ProposalStatus.ACCEPTED):
                raise Conflict(f"The proposal is {before.status.value} already.")
            arguments = {"user_id": member.user_id}
            if before is not None:
                unwanted = await PROMPTS.get_even_proposed(tx, before.prompt_revid or "")
                if unwanted is not None:
                    arguments["without"] = unwanted.id
                await proposals.drop_result(tx, document_id)
                if not await proposals.others_in(tx, before):
                    await proposals.drop_heads(tx, before.proposal_id)
            await proposals.put(tx, DocumentProposal(document_id, ProposalStatus.RUNNING, new_id()))
            await self._jobs.enqueue(tx, JobKind.SET_UP, document_id, arguments)
        return ProposalStatus.RUNNING

    # --- verdicts on many ---------------------------------------------------------------------------------------

    async def accept_many(
        self,
        member: Member,
        document_ids: Sequence[str],
        tag_ids: Sequence[str],
        tag_name: str | None,
        repeat: Repeat | None = None,
    ) -> list[Verdict]:
        """Accept each by itself. The key is stored with the last: until then a repetition accepts what is left."""

        async def accept() -> list[Verdict]:
            if tag_ids or tag_name is not None:
                await self._check_one_group(member, document_ids)
            wanted = await self._wanted_tags(member, tag_ids, tag_name)
            verdicts = await self._each(
                document_ids, lambda document_id: self._accepted(member, document_id, wanted, None)
            )
            if repeat is not None:
                async with self._db.write_org(member.organization_id) as tx:
                    await keep(tx, repeat, {"verdicts": [astuple(verdict) for verdict in verdicts]})
            return verdicts

        return await once(self._db, member, repeat, accept, _verdicts_before)

    async def reject_many(self, member: Member, document_ids: Sequence[str]) -> list[Verdict]:
        return await self._each(document_ids, lambda document_id: self.reject(member, document_id))

    async def restore_many(self, member: Member, document_ids: Sequence[str]) -> list[Verdict]:
        return await self._each(document_ids, lambda document_id: self.restore(member, document_id))

    async def retry_many(self, member: Member, document_ids: Sequence[str]) -> list[Verdict]:
        return await self._each(document_ids, lambda document_id: self.retry(member, document_id))

    async def _each(
        self, document_ids: Sequence[str], decide: Callable[[str], Awaitable[ProposalStatus]]
    ) -> list[Verdict]:
        """Decide about each document by itself: one that cannot be decided about does not hold up the others."""
        verdicts = []
        for document_id in dict.fromkeys(document_ids):
            try:
                verdicts.append(Verdict(document_id, await decide(document_id), None))
            except DocAgentError as error:
                verdicts.append(Verdict(document_id, None, error.detail))
        return verdicts

    async def _check_one_group(self, member: Member, document_ids: Sequence[str]) -> None:
        """A tag runs the prompts that carry it: on several prompts, each would run on documents of the others."""
        async with self._db.read_org(member.organization_id) as tx:
            if await proposals.groups_of(tx, document_ids) > 1:
                raise InvalidInput(SEVERAL_GROUPS)

    # --- parts of accepting -------------------------------------------------------------------------------------

    async def _wanted_tags(self, member: Member, tag_ids: Sequence[str], tag_name: str | None) -> list[str]:
        """The tags by id and the one by name, which is made if there is none of that name."""
        async with self._db.write_org(member.organization_id) as tx:
            wanted = await check_tag_ids(tx, tag_ids)
            if tag_name is not None:
                tag = await tags.named_in_any_case(tx, tag_name)
                if tag is None:
                    with tx.joined():
                        tag = await self._tags.create(member, name=tag_name)
                wanted = list(dict.fromkeys([*wanted, tag.id]))
        return wanted

    async def _accept(
        self,
        tx: OrgTx,
        member: Member,
        document: Document,
        proposal: DocumentProposal,
        tag_ids: Sequence[str],
    ) -> None:
        found = await proposed_now(tx, proposal)
        prompt, result = found.prompt, found.result
        if prompt is None or result is None or (prompt.schema_id is not None and found.schema is None):
            raise Conflict("What was proposed is gone. Reject it, and prepare the document again.")
        try:
            await SCHEMAS.adopt(tx, proposal.proposal_id)
            await PROMPTS.adopt(tx, proposal.proposal_id)
        except NameTaken as error:
            raise Conflict("Somebody just created something with the same name. Accept it again.") from error
        await proposals.accept_result(tx, document.id)
        accepted = replace(
            proposal,
            status=ProposalStatus.ACCEPTED,
            prompt_revid=prompt.revid,
            schema_revid=found.schema.revid if found.schema else None,
        )
        await proposals.put(tx, accepted)
        if found.is_new:
            await proposals.move_group(tx, accepted, prompt.id)
        if result.proposed:
            await self._bus.announce(tx, completed(member, result))
        if result.prompt_version < prompt.version:
            arguments = {"prompt_revids": [prompt.revid], "user_id": member.user_id}
            await self._jobs.enqueue(tx, JobKind.EXTRACT, document.id, arguments)
        if found.is_new:
            there = await tags.existing(tx, prompt.tag_ids)
            kept = [tag_id for tag_id in prompt.tag_ids if tag_id in there]
            await PROMPTS.retag(tx, prompt.revid, list(dict.fromkeys([*kept, *tag_ids])))
            await review.set_policy(tx, prompt.id, ReviewPolicy(ReviewMode.DOUBTFUL))
        if tag_ids:
            await self._tag(tx, member, document, prompt, tag_ids)

    async def _tag(
        self, tx: OrgTx, member: Member, document: Document, prompt: Prompt, tag_ids: Sequence[str]
    ) -> None:
        """Give the tags to the document and the prompt. If the prompt lacks one, its next version carries it."""
        newest = await PROMPTS.latest(tx, prompt.id) or prompt
        missing = [tag_id for tag_id in tag_ids if tag_id not in newest.tag_ids]
        if missing:
            config = replace(config_of(newest), tag_ids=[*newest.tag_ids, *missing])
            with tx.joined():
                await self._prompts.update(member, prompt.id, config)
        tagged = list(dict.fromkeys([*document.tag_ids, *tag_ids]))
        await documents.update(tx, document.id, tag_ids=tagged)


async def _accepted_before(made: Made) -> ProposalStatus:
    del made
    return ProposalStatus.ACCEPTED


async def _verdicts_before(made: Made) -> list[Verdict]:
    return [
        Verdict(document_id, ProposalStatus(status) if status else None, error)
        for document_id, status, error in made["verdicts"]
    ]


async def _locked(tx: OrgTx, document_id: str) -> tuple[Document, DocumentProposal]:
    """The document and its proposal, about which nobody else decides until the transaction ends."""
    document = await find_document(tx, document_id)
    if document.proposal is None:
        raise _nothing_prepared(document)
    await tx.take_turns(document.proposal.proposal_id)
    proposal = await proposals.get(tx, document_id, lock=True)
    if proposal is None:
        raise _nothing_prepared(document)
    return document, proposal


def _nothing_prepared(document: Document) -> NotFound:
    return NotFound(f"Nothing was prepared for {quoted(document.name)}.", Noun.DOCUMENT)


def _require(proposal: DocumentProposal, status: ProposalStatus, what: str) -> None:
    if proposal.status is not status:
        raise Conflict(f"The proposal is {proposal.status.value}, so it cannot be {what}.")


async def _in_full(tx: OrgTx, document: Document) -> ProposalInFull:
    proposal = document.proposal
    if proposal is None:
        raise _nothing_prepared(document)
    turn = await turns.get(tx, proposal.turn_id) if proposal.turn_id else None
    proposed = await proposed_now(tx, proposal)
    tag_ids = proposed.prompt.tag_ids if proposed.prompt else []
    names = await tags.names(tx, tag_ids) if tag_ids else {}
    return ProposalInFull(
        document,
        proposal,
        proposed,
        [names.get(tag_id, tag_id) for tag_id in tag_ids],
        turn.thread_id if turn else None,
        documents_waiting=await proposals.number_waiting(tx, proposal.proposal_id),
    )


async def _groups(tx: OrgTx, proposal_ids: Sequence[str]) -> list[ProposalGroup]:
    """The groups with what their documents share, each kind read for all of them at once."""
    groups: dict[str, list[proposals.Waiting]] = {}
    for waiting in await proposals.waiting_in(tx, proposal_ids, MOST_IN_A_GROUP):
        assert waiting.document.proposal is not None
        groups.setdefault(waiting.document.proposal.proposal_id, []).append(waiting)
    named = [_proposal(group).prompt_revid for group in groups.values()]
    found = await proposals.proposed_prompts(tx, [revid for revid in named if revid is not None])
    prompts = {
        group: found[revid]
        for group, revid in zip(groups, named, strict=True)
        if revid in found and found[revid][1] in (None, group)
    }
    schemas = await asked_by_each(tx, [prompt for prompt, _ in prompts.values()])
    prompt_ids = [prompt.id for prompt, _ in prompts.values()]
    found_in = await proposals.found_in(tx, proposal_ids, prompt_ids, MOST_IN_A_GROUP)
    items = []
    for proposal_id, group in groups.items():
        prompt, part_of = prompts.get(proposal_id, (None, None))
        items.append(
            ProposalGroup(
                proposal_id,
                is_new=part_of is not None,
                reason=_proposal(group).reason,
                documents_waiting=group[0].in_group,
                schema=schemas.get(prompt.revid) if prompt else None,
                prompt=prompt,
                documents=[
                    (one.document, found_in.get((one.document.id, prompt.id)) if prompt else None)
                    for one in group
                ],
            )
        )
    return items


def _proposal(group: Sequence[proposals.Waiting]) -> DocumentProposal:
    """What is proposed for the first document of a group, and so for all."""
    proposal = group[0].document.proposal
    assert proposal is not None
    return proposal
