"""Photographed receipts and old scans of forms with a model that sees: text alone, doubtful pages, all pages.

The model is scripted. It knows the text of a request, and what a recogniser reads of its pictures; nothing else.
"""

from __future__ import annotations

import asyncio
import base64
import io
import json
import tempfile
from collections import defaultdict
from collections.abc import AsyncGenerator, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

import pypdfium2
from PIL import Image

from docagent import builtin_model
from docagent.adapters.llm.scripted import make_reply
from docagent.adapters.parse.recognition.recogniser import Recogniser
from docagent.adapters.parse.tokens import TokenPage, token_lines
from docagent.bootstrap import Services, running_services
from docagent.domain.accounts.accounts import Credential, Member, Principal, Role
from docagent.domain.documents.text import Page
from docagent.domain.extraction.review import UNPROVEN, places_in
from docagent.domain.models.catalogue import BUILT_IN
from docagent.domain.models.llm import DocumentPart, ModelEvent, ModelRequest, TextPart
from docagent.domain.models.pictures import pictures_in
from docagent.evidence.grounding import DocumentIndex, MatchKind, locate
from docagent.reading.page_codec import decode_page, pack_words
from docagent.services.documents.documents import NewDocument
from docagent.services.documents.text import all_pages
from docagent.services.extraction.by_schema import Wanted
from docagent.services.models.model_calls import expected_usage
from docagent.settings import Settings
from docagent.store.accounts import organizations
from docagent.worker.service import run_worker
from evals.judging import Printed, Tally, compare
from evals.matching import share
from evals.sets import fara, sroie
from evals.sets.labelled import Task
from evals.suite import Results

NAME = "seeing"
SETS = (sroie.SET, fara.SET)
FOLDER = "documents"
DOCUMENTS = 12
MODES = ("never", "doubtful", "always")
MODEL = "eye/eye"
DPI = 150
SECONDS = 900.0
_NOWHERE = {"base_url": "http://127.0.0.1:9/v1", "models": ["eye"], "seeing": ["eye"]}
_recogniser = Recogniser()


class Seer:
    """Fills schemas from what it is shown, and says where it saw a value."""

    def __init__(self) -> None:
        self.requests: list[ModelRequest] = []
        self._schema: dict[str, Any] = {}
        self._said: dict[str, Any] = {}

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelEvent]:
        self.requests.append(request)
        yield make_reply(json.dumps(await asyncio.to_thread(self._answer, request)))

    def _answer(self, request: ModelRequest) -> dict[str, Any]:
        parts = [part for message in request.messages for part in message.parts]
        seen = [_page(part.data) for part in pictures_in(request.messages)]
        assert request.output is not None
        asked = request.output.schema or {}
        if any("`picture`" in part.text for part in parts if isinstance(part, TextPart)):
            return {name: self._place(name, seen) for name in asked["properties"]}
        again = any(name.startswith("/") for name in asked["properties"])
        if not again:
            self._schema = asked
        text = [page for part in parts if isinstance(part, DocumentPart) for page in part.pages]
        by_text = builtin_model.fill_heard(text, self._schema).data
        by_eye = builtin_model.fill_heard(seen, self._schema).data if seen else {}
        self._said = {name: by_eye.get(name) or said for name, said in by_text.items()}
        return {f"/{name}": said for name, said in self._said.items()} if again else self._said

    def _place(self, pointer: str, seen: Sequence[Page]) -> dict[str, Any] | None:
        for number, page in enumerate(seen, start=1):
            found = locate(DocumentIndex.of([page]), self._said.get(pointer[1:]))
            if found is not None and found.words:
                box = found.words[0].box
                for word in found.words[1:]:
                    box = box.union(word.box)
                return {"picture": number, "box": [1000 * side for side in box.rounded(4)]}
        return None


@lru_cache(maxsize=256)
def _page(data: str) -> Page:
    """What a recogniser reads of a picture."""
    image = Image.open(io.BytesIO(base64.b64decode(data))).convert("RGB")
    lines = token_lines(_recogniser.read(image, dpi=DPI).lines)
    page = TokenPage(1, float(image.width), float(image.height), lines)
    return decode_page(pack_words(page.number, page.width, page.height, page.lines).layout)


def run(folder: Path, documents: int = DOCUMENTS) -> Results:
    """Return for each set and setting the fields found, the pictures with their share of tokens, and false proofs."""
    results: Results = {}
    for one in SETS:
        figures = asyncio.run(_run(list(islice(one.tasks(folder), documents))))
        results |= {f"{one.folder} {mode}": found for mode, found in figures.items()}
    return results


async def _run(tasks: Sequence[Task]) -> dict[str, dict[str, float]]:
    seer, tallies = Seer(), {mode: Tally() for mode in MODES}
    counts: dict[str, dict[str, int]] = {mode: defaultdict(int) for mode in MODES}
    with tempfile.TemporaryDirectory(prefix="docagent-eval-") as data:
        groups: dict[str, Any] = {"models": {"find_local": False, "endpoints": {"eye": _NOWHERE}}}
        async with running_services(Settings(data=Path(data), **groups), {}, lambda _: seer) as services:
            working = asyncio.create_task(run_worker(services))
            member = await _member(services)
            for task in tasks:
                content = base64.b64encode(task.path.read_bytes()).decode()
                (uploaded,) = await services.documents.upload(member, [NewDocument(task.path.name, content)])
                for mode in MODES:
                    await _look(
                        services, member, uploaded.document.id, task, mode, tallies[mode], counts[mode]
                    )
                    _count(seer, counts[mode])
            working.cancel()
            with suppress(asyncio.CancelledError):
                await working
    return {mode: _figures(tallies[mode], counts[mode]) for mode in MODES}


async def _member(services: Services) -> Member:
    admin = await services.first_start.ensure_admin("eval@example.com", None)
    async with services.db.write() as tx:
        (organization_id,) = await organizations.of_user(tx, admin.id)
        await organizations.update(tx, organization_id, {"default_prompt_enabled": False})
    principal = Principal(admin.id, admin.name, admin.email, admin.role, Credential.SESSION)
    return Member(principal, organization_id, Role.ADMIN)


async def _look(
    services: Services,
    member: Member,
    document_id: str,
    task: Task,
    mode: str,
    tally: Tally,
    count: dict[str, int],
) -> None:
    """Extract with this setting, compare, and count what is called proven although no reader has it."""
    async with services.db.write() as tx:
        await organizations.update(tx, member.organization_id, {"pictures": mode})
    wanted = Wanted.by_schema(task.schema, model=MODEL)
    done = await services.schema_extraction.extract(member, document_id, wanted, seconds=SECONDS, again=True)
    assert done.result is not None
    pages = await all_pages(services.db, done.document)
    data = done.result.data
    tally.add_document(compare(task.schema, task.labels, data, Printed.on(pages)))
    index = DocumentIndex.of(pages)
    for path, place in places_in(done.result.grounding):
        if place["match"] != UNPROVEN:
            value, number = path.get(data), int(place["page"] or 1)
            count["proven"] += 1
            count["false_proofs"] += not (
                _has(index, value) or _has(DocumentIndex.of([_closely(task.path, number)]), value)
            )


def _has(index: DocumentIndex, value: Any) -> bool:
    found = locate(index, value)
    return found is not None and found.match is not MatchKind.UNPROVEN


def _closely(path: Path, number: int) -> Page:
    """What a recogniser reads of a page of the file itself."""
    if path.suffix != ".pdf":
        return _page(base64.b64encode(path.read_bytes()).decode())
    target = io.BytesIO()
    pypdfium2.PdfDocument(path)[number - 1].render(scale=300 / 72).to_pil().convert("RGB").save(target, "PNG")
    return _page(base64.b64encode(target.getvalue()).decode())


def _count(seer: Seer, count: dict[str, int]) -> None:
    """Add what the requests of one extraction sent."""
    for request in seer.requests:
        parts = pictures_in(request.messages)
        count["calls"] += 1
        count["pictures"] += len(parts)
        count["picture_tokens"] += sum(part.tokens for part in parts)
        count["tokens"] += expected_usage(BUILT_IN, request).input_tokens
    seer.requests.clear()


def _figures(tally: Tally, count: dict[str, int]) -> dict[str, float]:
    return {
        "wanted": tally.wanted,
        "found": tally.recall,
        "precision": tally.precision,
        "proven": count["proven"],
        "false_proofs": count["false_proofs"],
        "calls": count["calls"],
        "pictures": count["pictures"],
        "share_of_tokens": share(count["picture_tokens"], count["tokens"]),
    }
