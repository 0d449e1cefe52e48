"""One extraction: windows, model calls, repairs, merging, checking and grounding."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from typing import Any

from docagent import builtin_model
from docagent.agent.ports import KillPoint
from docagent.domain.accounts.accounts import Member
from docagent.domain.clock import day_in_words, now
from docagent.domain.deliveries.notices import ExtractionCompleted
from docagent.domain.documents.documents import Document
from docagent.domain.documents.text import Page
from docagent.domain.errors import Conflict, DocAgentError, InsufficientCredits, InvalidInput
from docagent.domain.extraction.doubts import certainty_of
from docagent.domain.extraction.examples import Example, room_for_examples, with_examples
from docagent.domain.extraction.instructions import SYSTEM, look_again, question, repair, transcript
from docagent.domain.extraction.ordering import ordered_like
from docagent.domain.extraction.results import BEFORE_MEMORY, Origin, Result, RunInfo, has_values
from docagent.domain.extraction.seeing import (
    Pictures,
    doubtful_pages,
    marked,
    places_schema,
    seen_at,
    where,
)
from docagent.domain.extraction.windows import (
    MergeReport,
    Window,
    WindowReply,
    merge,
    reconcile,
    split,
)
from docagent.domain.field_path import ROOT
from docagent.domain.listing import ListQuery
from docagent.domain.models.catalogue import BUILT_IN_MODEL, ChosenModel
from docagent.domain.models.credits import Operation
from docagent.domain.models.llm import DocumentPart, ImagePart, Message, ModelRequest, OutputSchema, TextPart
from docagent.domain.models.pictures import eyes_of
from docagent.domain.problem import Problem
from docagent.domain.repeats import Repeat
from docagent.reading.layout import to_plain
from docagent.reading.printed import Style, likely_style
from docagent.reply_json import parse_reply
from docagent.services.deliveries.bus import Bus
from docagent.services.documents.documents import DocumentService, find_document
from docagent.services.documents.pictures import PictureService
from docagent.services.documents.text import all_pages
from docagent.services.extraction.checking import Calibrations, field_problems
from docagent.services.extraction.coercing import EMPTY, coerced, lost_values
from docagent.services.extraction.extraction_tasks import Task
from docagent.services.extraction.learning import ExampleService, LearningService
from docagent.services.extraction.lessons import filled_from, notes_on
from docagent.services.extraction.second_look import (
    Judge,
    Proof,
    answered,
    doubts_in,
    missing_in,
    of_window,
    schema_of,
    unproven_in,
    worse_in,
)
from docagent.services.models.model_calls import ModelCall, ModelCalls
from docagent.services.repeats import keep
from docagent.store.accounts import organizations
from docagent.store.documents import documents
from docagent.store.engine.database import Database, OrgTx
from docagent.store.extraction import parts, results
from docagent.store.extraction.prompts import PROMPTS
from docagent.store.extraction.results import NewRevision
from docagent.store.review import straight_through

MOST_REPAIRS = 2
MOST_PEERS = 20
MOST_PDF_BYTES = 20 * 1024 * 1024
REPLIES_PER_WINDOW = 10
REPLIES_PER_PROMPT = 100_000
"""How many numbers of stored replies are reserved for each window with its repairs, and for each prompt."""
WHERE, SECOND_LOOK = REPLIES_PER_PROMPT - 1, REPLIES_PER_PROMPT - 2
"""The numbers of the reply that says where values are on pictures, and of the one about doubtful values of the first
window; those of later windows count down from it."""
MOST_LOCATED = 30


Progress = Callable[[int, int], Awaitable[None]]
"""Called before each window with how many are done, and of how many."""


def run_id_of(*names: str) -> str:
    """The id under which replies are kept, for a run that is known by these names."""
    return hashlib.sha256(" ".join(names).encode()).hexdigest()[:24]


@dataclass(frozen=True, slots=True)
class WindowSize:
    """How much of a document goes into one call when its schema holds lists."""

    characters: int = 60_000
    pages: int = 20


@dataclass(frozen=True, slots=True)
class _Source:
    """A document with the pages that the model sees."""

    document: Document
    pages: list[Page]
    pdf: bytes | None = None
    shown: list[TextPart | ImagePart] = field(default_factory=list)
    """Pictures of pages, each after its caption."""
    unshown: str | None = None
    """Why there are no pictures, where some were wanted."""

    @property
    def pictures(self) -> list[ImagePart]:
        return [part for part in self.shown if isinstance(part, ImagePart)]


@dataclass
class _Work:
    """One extraction under way."""

    run_id: str
    first_reply: int
    """Number of this prompt's first stored reply within the run."""
    member: Member
    task: Task
    model: ChosenModel
    sources: list[_Source]
    mode: Pictures
    system: str = SYSTEM
    examples: list[Example] = field(default_factory=list)
    repairs: int = 0
    mended: list[str] = field(default_factory=list)
    asked_again: list[dict[str, Any]] = field(default_factory=list)
    """Values that were asked for a second time, with the first and the last answer."""
    credits: int = 0

    @cached_property
    def style(self) -> Style:
        """How the document writes numbers and dates."""
        return likely_style("\n".join(page.text for page in self.sources[0].pages))


@dataclass(frozen=True, slots=True)
class Drafted:
    """An extraction that only needs to be stored."""

    document: Document
    task: Task
    new: NewRevision
    run_id: str
    first_reply: int
    credits: int = 0
    """What its model calls cost, without replies that an earlier, interrupted run paid for."""
    recalled: Mapping[str, builtin_model.Recalled] = field(default_factory=dict)
    """What verified documents of the same layout say of its fields."""


@dataclass(eq=False)
class Extractor:
    _db: Database
    _models: ModelCalls
    _documents: DocumentService
    _window: WindowSize
    _kill: KillPoint
    _bus: Bus
    _calibrations: Calibrations
    _learning: LearningService
    _examples: ExampleService
    _pictures: PictureService

    async def extract(
        self,
        member: Member,
        document: Document,
        task: Task,
        *,
        run_id: str,
        place: int = 0,
        job_id: str | None = None,
        progress: Progress | None = None,
        repeat: Repeat | None = None,
    ) -> Result:
        """Run one prompt on one document. `place` is the prompt's position in a run that has several."""
        begun = now()
        drafted = await self.draft(
            member, document, task, run_id=run_id, place=place, job_id=job_id, progress=progress
        )
        return await self.store(member, drafted, unless_since=begun if job_id else None, repeat=repeat)

    async def draft(
        self,
        member: Member,
        document: Document,
        task: Task,
        *,
        run_id: str,
        place: int = 0,
        job_id: str | None = None,
        progress: Progress | None = None,
        blind: bool = False,
    ) -> Drafted:
        """Do the slow part, everything but storing the result. Replies are charged for, and kept until it is stored.

        `blind`: as if nobody had verified anything of this document. Others are learnt from as ever.
        """
        model = await self._models.choose(member.organization_id, task.model)
        match_values, sources = await self._sources(member, document, task, model)
        mode = await self._mode(task, model, member.organization_id)
        sources[0] = await self._seen(sources[0], mode, model)
        work = _Work(run_id, place * REPLIES_PER_PROMPT, member, task, model, sources, mode)
        work.system = await self._system(member.organization_id)
        windows = self._windows(work)
        if len(windows) == 1 and not model.is_built_in:
            work.examples = await self._examples_for(work)
        replies = []
        for number, window in windows:
            if progress is not None:
                await progress(number, len(windows))
            replies.append(await self._window_reply(work, number, window))
        if all(reply.data is None for reply in replies):
            raise InvalidInput(
                f"{model.name} gave no usable answer: {replies[0].failure or 'the reply held no JSON object'}. "
                "Run it again, or choose another model."
            )
        data, report = merge(replies)
        recalled = await self._learning.recall(
            member, task.prompt_id, task.schema, sources[0].pages, without=document.id if blind else None
        )
        given = ordered_like(task.schema, data)
        filled = filled_from(given, recalled if model.is_built_in else {})
        calibration = await self._calibrations.of(member.organization_id)
        judge = Judge(
            [page for source in sources for page in source.pages],
            len(sources[0].pages),
            task.schema,
            model.is_built_in,
            filled,
            recalled,
            calibration,
        )
        proof = await judge.prove(filled.data)
        if not model.is_built_in:
            for number, window in windows:
                given_here = replies[number].data or {}
                proof = await self._second_look(work, judge, proof, number, window, given_here)
        if sources[0].pictures:
            proof = await self._located(work, judge, proof)
        data, problems, grounding = proof.data, proof.problems, proof.grounding
        reconcile(data, report)
        info = RunInfo(
            prompt=transcript(
                work.system, task.content, [source.document.id for source in sources], task.schema
            ),
            model=model.name,
            requested_model=task.model,
            repairs=work.repairs,
            match_values=match_values,
            match_document_ids=[source.document.id for source in sources[1:]] if match_values else None,
            report=_report_json(report, work)
            | {"notes": [*await _notes(work, data), *notes_on(filled, recalled)]}
            | ({BEFORE_MEMORY: given} if filled.changed else {}),
            job_id=job_id,
        )
        new = NewRevision(
            Origin.MODEL, data, data, False, [], _with_gaps(problems, report), grounding, info, member.user_id
        )
        return Drafted(document, task, new, run_id, work.first_reply, work.credits, recalled)

    async def store(
        self,
        member: Member,
        drafted: Drafted,
        *,
        unless_since: datetime | None = None,
        repeat: Repeat | None = None,
    ) -> Result:
        """Write the result and forget the replies that it was made of.

        `unless_since`: what a person or another run has written since then stays, and is returned instead.
        """
        task = drafted.task
        async with self._db.write_as(member) as tx:
            await find_document(tx, drafted.document.id)
            proposed = await self._is_proposed(tx, drafted)
            result = await results.add(
                tx,
                document_id=drafted.document.id,
                prompt_revid=task.prompt_revid,
                prompt_id=task.prompt_id,
                prompt_version=task.prompt_version,
                new=drafted.new if proposed else await _gone_on_if_sure(tx, task.prompt_id, drafted.new),
                now=now(),
                proposed=proposed,
                unless_since=unless_since,
            )
            await self.discard(tx, drafted)
            await keep(tx, repeat, {"prompt_revid": task.prompt_revid})
            if result is None:
                stored = await results.get(tx, drafted.document.id, task.prompt_revid)
                assert stored is not None, "what is there kept it from being written"
                return stored
            if not result.proposed:
                await self._bus.announce(tx, completed(member, result))
        return result

    async def discard(self, tx: OrgTx, drafted: Drafted) -> None:
        """Forget the replies that a draft was made of, in the transaction that keeps what came of it."""
        await parts.forget(tx, drafted.run_id, drafted.first_reply, REPLIES_PER_PROMPT)

    async def _is_proposed(self, tx: OrgTx, drafted: Drafted) -> bool:
        """Whether the result is a part of a proposal. A proposal never adds to a result that is there already."""
        if tx.rehearsal is None:
            return False
        if not tx.rehearsal.headless:
            return await PROMPTS.is_proposed(tx, drafted.task.prompt_id)
        if await results.is_accepted(tx, drafted.document.id, drafted.task.prompt_revid):
            raise Conflict(
                "The document has a result of this prompt already. Look at it instead of making another."
            )
        return True

    def _windows(self, work: _Work) -> list[tuple[int, Window | None]]:
        """One call if everything fits, else windows, which are smaller if the schema holds lists."""
        pages = work.sources[0].pages
        most_characters = work.model.characters // 2
        most_pages = len(pages) + 1
        if not work.model.is_built_in and _holds_lists(work.task.schema):
            most_characters = min(most_characters, self._window.characters)
            most_pages = self._window.pages
        windows = split(pages, most_characters, most_pages)
        if len(windows) <= 1 or work.model.is_built_in:
            return [(0, None)]
        return list(enumerate(windows))

    async def _window_reply(self, work: _Work, number: int, window: Window | None) -> WindowReply:
        """Ask, check, and show the model its mistakes, at most twice. The answer with the fewest mistakes is kept."""
        pages = work.sources[0].pages
        shown = window or Window(pages[0].number if pages else 1, pages[-1].number if pages else 1)
        messages = [Message("user", await asyncio.to_thread(self._question, work, window))]
        schema = work.task.schema
        best: dict[str, Any] | None = None
        best_problems: list[Problem] = []
        for attempt in range(MOST_REPAIRS + 1):
            try:
                reply = await self._ask(work, number * REPLIES_PER_WINDOW + attempt, messages)
            except InsufficientCredits:
                raise
            except DocAgentError as error:
                if window is None or attempt:
                    if best is None:
                        raise
                    break
                return WindowReply(shown, None, error.detail)
            parsed = parse_reply(reply, (schema or {}).get("properties", ()))
            if parsed.mended:
                work.mended.append(f"{shown.pages}: {parsed.mended}")
            problems = [Problem(ROOT, "The reply held no JSON object.")]
            if parsed.data is not None:
                data = await asyncio.to_thread(coerced, schema, parsed.data, work.style)
                problems = await field_problems(schema, data)
                lost = lost_values(schema, best, best_problems, data) if best is not None else 0
                if best is None or len(problems) + lost < len(best_problems):
                    best, best_problems = data, problems
            if not problems or work.model.is_built_in or attempt == MOST_REPAIRS:
                break
            work.repairs += 1
            messages += [
                Message("assistant", (TextPart(reply or "{}"),)),
                Message("user", (TextPart(repair(problems)),)),
            ]
        return WindowReply(shown, best, None if best is not None else "The reply held no JSON object.")

    async def _second_look(
        self,
        work: _Work,
        judge: Judge,
        first: Proof,
        number: int,
        window: Window | None,
        given: dict[str, Any],
    ) -> Proof:
        """Ask for the doubtful values of a window again, all in one call. What does not help changes nothing."""
        doubts = doubts_in(first, judge.heard)
        if window is not None:
            pages = [page for page in judge.pages[: judge.own_pages] if window.shows(page.number)]
            asked = {one["path"] for one in work.asked_again}
            new = [one for one in doubts if str(one.path) not in asked]
            doubts = await asyncio.to_thread(of_window, new, given, pages)
        elif work.mode is not Pictures.NEVER and (missing := missing_in(first, work.task.schema)):
            doubts = [*doubts, *missing]
            await self._show_more(work)
        if work.sources[0].pictures:
            # Where a value stands that only a picture has is asked separately, without the text.
            doubts = [one for one in doubts if one.rivals or not one.is_unproven or one.said in EMPTY]
        if not doubts or work.task.schema is None:
            return first
        schema = schema_of(work.task.schema, doubts)
        shown = await asyncio.to_thread(self._question, work, window)
        message = Message("user", (*shown, TextPart(look_again(doubts))))
        try:
            reply = await self._ask(work, SECOND_LOOK - number, [message], schema)
        except DocAgentError:  # out of credits, or the provider fails: the first answer stands
            return first
        answers = await asyncio.to_thread(
            coerced, schema, parse_reply(reply, schema["properties"]).data or {}, work.style
        )
        judge.confirmed |= {one.path for one in doubts if answers.get(one.path.pointer) == one.said}
        second = await judge.prove(answered(first.data, doubts, answers))
        if worse := worse_in(second, first, doubts):
            better = [one for one in doubts if one.path not in worse]
            second = await judge.prove(answered(first.data, better, answers))
        if len(second.problems) > len(first.problems):
            second = await judge.prove(first.data)
        work.asked_again += [
            {"path": str(one.path), "was": one.said, "now": one.path.get(second.data)} for one in doubts
        ]
        return second

    async def _located(self, work: _Work, judge: Judge, proof: Proof) -> Proof:
        """Ask where the values are that only the pictures have, and read those places again with our own readers.

        What they confirm is proven like any other value. The rest is marked as seen by the model alone.
        """
        source = work.sources[0]
        values = dict(list(unproven_in(proof).items())[:MOST_LOCATED])
        if not values:
            return proof
        message = Message("user", (*source.shown, TextPart(where(values))))
        schema = places_schema(values)
        try:
            reply = await self._ask(work, WHERE, [message], schema)
        except DocAgentError:  # out of credits, or the provider fails: the values stay unproven
            return proof
        answer = parse_reply(reply, schema["properties"]).data or {}
        places = seen_at(answer, values, source.pictures)
        if not places:
            return proof
        regions = [(place.page, place.region) for place in places.values()]
        read = await self._pictures.reread(source.document, source.pages, regions)
        for place, lines in zip(places.values(), read, strict=True):
            judge.reread.setdefault(place.page, []).extend(line for line in lines if line.words)
        second = await judge.prove(proof.data)
        left = unproven_in(second)
        texts = ("\n".join(line.text for line in lines) for lines in read)
        seen = {path: (places[path], text) for path, text in zip(places, texts, strict=True) if path in left}
        return replace(second, grounding=marked(second.grounding, seen))

    async def _show_more(self, work: _Work) -> None:
        """Show the first pages, where the text alone has left out what must be there."""
        source = work.sources[0]
        if (
            source.shown
            or source.pdf
            or await self._models.why_no_pictures(work.member.organization_id, work.model)
        ):
            return
        work.sources[0] = await self._with_pictures(source, source.pages, work.model)

    def _question(
        self, work: _Work, window: Window | None
    ) -> tuple[TextPart | DocumentPart | ImagePart, ...]:
        source = work.sources[0]
        last_page = source.pages[-1].number if source.pages else 0
        shown: list[TextPart | DocumentPart] = [TextPart(question(work.task.content, window, last_page))]
        for position, item in enumerate(work.sources):
            pages = item.pages
            if position == 0 and window is not None:
                pages = [page for page in pages if window.shows(page.number)]
            metadata = {
                key: item.document.metadata[key]
                for key in work.task.metadata_keys
                if key in item.document.metadata
            }
            pdf = item.pdf if window is None else None
            shown.append(DocumentPart(item.document.name, pages, metadata, pdf))
        parts = (shown[0], *with_examples(work.examples, shown[1:]))
        if work.model.is_built_in:
            return parts
        return (*map(_with_layout, parts), *_in_window(source.shown, window))

    async def _system(self, organization_id: str) -> str:
        """Return the system text, with the day where the organisation is: `within 30 days` needs one."""
        async with self._db.read_org(organization_id) as tx:
            zone = await organizations.time_zone(tx, organization_id)
        return f"{SYSTEM}\n\n{day_in_words(now(), zone)}"

    async def _examples_for(self, work: _Work) -> list[Example]:
        """Verified documents to show beside the document, where the whole of it fits into one call with them."""
        used = sum(len(page.text) for source in work.sources for page in source.pages)
        room = room_for_examples(work.model.characters // 2 - used)
        shown = {source.document.id for source in work.sources}
        return await self._examples.find(work.member, work.task, work.sources[0].pages, room, shown)

    async def _ask(
        self, work: _Work, number: int, messages: list[Message], schema: dict[str, Any] | None = None
    ) -> str:
        """Make one model call. Its reply and its charge are stored together, so a repeated job finds the reply."""
        request = ModelRequest(
            model=work.model.name,
            system=work.system,
            messages=tuple(messages),
            output=OutputSchema(work.task.schema_name, schema or work.task.schema),
        )
        call = ModelCall(
            organization_id=work.member.organization_id,
            user_id=work.member.user_id,
            operation=Operation.DOCUMENT_LLM,
            model=work.model,
            request=request,
            pages=sum(len(part.pages) for part in messages[0].parts if isinstance(part, DocumentPart))
            - sum(len(example.pages) for example in work.examples),
        )
        kept = await self._models.kept(call, work.run_id, work.first_reply + number, self._kill.reached)
        work.credits += kept[1]
        return kept[0]

    async def _sources(
        self, member: Member, document: Document, task: Task, model: ChosenModel
    ) -> tuple[dict[str, str] | None, list[_Source]]:
        """The document and its peers: documents with the same metadata under the prompt's keys."""
        match_values = {
            key: document.metadata[key] for key in task.peer_match_keys if key in document.metadata
        }
        peers: list[Document] = []
        if match_values:
            async with self._db.read_as(member) as tx:
                found = await documents.search(
                    tx, ListQuery(limit=MOST_PEERS + 1), metadata=list(match_values.items())
                )
            peers = [peer for peer in found.items if peer.id != document.id and peer.text_run_id][:MOST_PEERS]
        sources = [_Source(item, await all_pages(self._db, item)) for item in (document, *peers)]
        return match_values or None, sources

    async def _mode(self, task: Task, model: ChosenModel, organization_id: str) -> Pictures:
        if model.is_built_in or task.pictures is Pictures.NEVER:
            return Pictures.NEVER
        async with self._db.read_org(organization_id) as tx:
            of_organization, _ = await organizations.pictures(tx, organization_id)
        return task.pictures or Pictures(of_organization or Pictures.DOUBTFUL)

    async def _seen(self, source: _Source, mode: Pictures, model: ChosenModel) -> _Source:
        """The source with what the model sees of it: the PDF, pictures of some pages, or the reason why not."""
        pages = [] if mode is Pictures.NEVER else source.pages
        if mode is Pictures.DOUBTFUL:
            pages = doubtful_pages(source.pages)
        if not pages:
            return source
        if why := await self._models.why_no_pictures(source.document.organization_id, model):
            return replace(source, unshown=why)
        if mode is Pictures.ALWAYS and model.takes_pdf and (pdf := await self._pdf(source.document)):
            return replace(source, pdf=pdf)
        return await self._with_pictures(source, pages, model)

    async def _with_pictures(self, source: _Source, pages: Sequence[Page], model: ChosenModel) -> _Source:
        eyes = eyes_of(model.info, model.connection.kind)
        chosen = eyes.fitting(pages)
        shown = await self._pictures.shown(source.document, chosen, eyes)
        if not any(isinstance(part, ImagePart) for part in shown):
            return replace(source, unshown="The pages of this document cannot be drawn.")
        left_out = len(pages) - len(chosen)
        return replace(
            source, shown=shown, unshown=f"{left_out} more pages did not fit." if left_out else None
        )

    async def _pdf(self, document: Document) -> bytes | None:
        if not document.has_pdf or document.size > MOST_PDF_BYTES or document.private_regions:
            return None
        return b"".join([chunk async for chunk in await self._documents.open_pdf(document)])


def _in_window(shown: Sequence[TextPart | ImagePart], window: Window | None) -> list[TextPart | ImagePart]:
    """The pictures of the window's pages, with their captions."""
    if window is None:
        return list(shown)
    kept: list[TextPart | ImagePart] = []
    for caption, part in zip(shown[::2], shown[1::2], strict=False):
        page = part.view.page if isinstance(part, ImagePart) and part.view else 0
        if window.first_page <= page <= window.last_page:
            kept += [caption, part]
    return kept


def _with_layout(part: TextPart | DocumentPart) -> TextPart | DocumentPart:
    """Return a document with its columns apart and its tables as tables, as models that read text need it."""
    if isinstance(part, TextPart):
        return part
    return replace(part, texts=[to_plain(page) for page in part.pages])


async def _gone_on_if_sure(tx: OrgTx, prompt_id: str, new: NewRevision) -> NewRevision:
    """Mark a result that needs no person, where an administrator allowed that.

    One without values, or with something that breaks the schema, always needs one.
    """
    if new.problems or not has_values(new.data):
        return new
    threshold = await straight_through.auto_threshold(tx, prompt_id)
    return replace(new, auto_verified=threshold is not None and certainty_of(new) >= threshold)


def completed(member: Member, result: Result) -> ExtractionCompleted:
    return ExtractionCompleted(
        organization_id=member.organization_id,
        at=result.updated_at,
        document_id=result.document_id,
        prompt_revid=result.prompt_revid,
        prompt_id=result.prompt_id,
        prompt_version=result.prompt_version,
        revision=result.revision,
        model=result.run.model,
        problems=len(result.problems),
        user_id=member.user_id,
        job_id=result.run.job_id,
    )


def _with_gaps(problems: list[Problem], report: MergeReport) -> list[Problem]:
    return problems + [Problem(ROOT, f"Missing: {gap}") for gap in report.gaps]


def _report_json(report: MergeReport, work: _Work) -> dict[str, Any]:
    examples = [{"document_id": one.document_id, "name": one.name} for one in work.examples]
    asked_again = {"asked_again": work.asked_again} if work.asked_again else {}
    source = work.sources[0]
    pages = sorted({part.view.page for part in source.pictures if part.view})
    pictures = {"pictures": {"pages": pages, "why_not": source.unshown}} if pages or source.unshown else {}
    return {**report.as_json(), "mended": work.mended, "examples": examples, **asked_again, **pictures}


async def _notes(work: _Work, data: dict[str, Any]) -> list[str]:
    """Return what a person should know of the result: above all, what the built-in model cannot read."""
    if work.model.name != BUILT_IN_MODEL:
        return []
    unread = await asyncio.to_thread(builtin_model.unread_note, work.sources[0].pages, data)
    return [note for note in (unread, builtin_model.network_note()) if note]


def _holds_lists(schema: Any) -> bool:
    if isinstance(schema, dict):
        kind = schema.get("type")
        if kind == "array" or (isinstance(kind, list) and "array" in kind):
            return True
        return any(_holds_lists(value) for value in schema.values())
    if isinstance(schema, list):
        return any(_holds_lists(value) for value in schema)
    return False
