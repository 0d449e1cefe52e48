"""Extraction without the model: everything around a model that answers at once, against reading the document.

The subject is the whole use case: pages from the database, the request, parsing, validation, grounding and
the stored revision. The floor is reading the document's text with our reader, which every document needs
once.
"""

from __future__ import annotations

import asyncio
import base64
import json
import tempfile
from pathlib import Path

from benchmarks.made_pdfs import make_pdf
from benchmarks.measure import interleaved, processor_seconds
from docagent.adapters.llm.scripted import ScriptedModel
from docagent.adapters.parse.reader import ChildProcessReader
from docagent.bootstrap import Services, running_services
from docagent.domain.accounts.accounts import Credential, Member, Principal, Role
from docagent.services.documents.documents import NewDocument
from docagent.services.extraction.prompts import PromptConfig
from docagent.settings import Settings
from docagent.worker.service import run_worker

NAME = "extraction"
FIELDS = [f"field_{number}" for number in range(20)]


def run(quick: bool) -> dict[str, float]:
    pages = 20 if quick else 100
    with tempfile.TemporaryDirectory(prefix="docagent-bench-") as folder:
        source = Path(folder) / "made.pdf"
        make_pdf(source, pages)
        return asyncio.run(_measured(Path(folder), source, pages, repetitions=2 if quick else 4))


async def _measured(folder: Path, source: Path, pages: int, repetitions: int) -> dict[str, float]:
    model = ScriptedModel(lambda _: json.dumps(dict.fromkeys(FIELDS, "Total")))
    settings = Settings(data=folder / "data")
    async with running_services(settings, {"OPENAI_API_KEY": "none"}, lambda _: model) as services:
        member = await _member(services)
        document_id, prompt_revid = await _prepared(services, member, source)
        loop = asyncio.get_running_loop()

        def extract() -> None:
            work = services.extraction.run(member, document_id, prompt_revid, force=True)
            asyncio.run_coroutine_threadsafe(work, loop).result()

        costs = await asyncio.to_thread(
            interleaved,
            repetitions,
            {
                "reading": lambda: processor_seconds(lambda: asyncio.run(_read(source))),
                "extraction": lambda: processor_seconds(extract),
            },
        )
    return {
        "overhead_x": costs.ratio("extraction", "reading"),
        "overhead_ms_a_page": costs.median("extraction") * 1000 / pages,
        "reading_ms_a_page": costs.median("reading") * 1000 / pages,
    }


async def _read(source: Path) -> None:
    async for _ in ChildProcessReader().read(source, ".pdf"):
        pass


async def _member(services: Services) -> Member:
    admin = await services.first_start.ensure_admin("bench@example.com", None)
    principal = Principal(admin.id, admin.name, admin.email, admin.role, Credential.SESSION)
    found = await services.organizations.list(
        principal,
        user_id=admin.id,
        organization_id=None,
        name_search=None,
        member_search=None,
        skip=0,
        limit=1,
    )
    return Member(principal, found.items[0].id, Role.ADMIN)


async def _prepared(services: Services, member: Member, source: Path) -> tuple[str, str]:
    """Upload and read a document, and make a prompt with twenty fields. Return the ids of both."""
    schema = {
        "type": "object",
        "properties": {name: {"type": "string"} for name in FIELDS},
        "required": FIELDS,
        "additionalProperties": False,
    }
    response_format = {
        "type": "json_schema",
        "json_schema": {"name": "made", "schema": schema, "strict": True},
    }
    made = await services.schemas.create(member, name="Made", response_format=response_format)
    config = PromptConfig(name="Made", content="Extract", schema_id=made.id, model="gpt-4o-mini")
    prompt = await services.prompts.create(member, config)

    content = base64.b64encode(await asyncio.to_thread(source.read_bytes)).decode()
    (uploaded,) = await services.documents.upload(member, [NewDocument("made.pdf", content)])
    worker = asyncio.create_task(run_worker(services))
    await _until_read(services, member, uploaded.document.id)
    worker.cancel()
    await asyncio.gather(worker, return_exceptions=True)
    return uploaded.document.id, prompt.revid


async def _until_read(services: Services, member: Member, document_id: str) -> None:
    while True:
        if (await services.documents.get(member, document_id)).text_run_id is not None:
            return
        await asyncio.sleep(0.1)
