"""Workers as processes of their own: killed in the middle of a document, the next one finishes it, once.

On SQLite; on PostgreSQL the scale test does the same.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from docagent.adapters.llm.scripted import make_reply
from docagent.bootstrap import Services
from docagent.domain.accounts.accounts import Member
from docagent.domain.documents.documents import Document
from docagent.domain.ids import new_id
from docagent.domain.models.llm import ModelReply
from docagent.services.documents.documents import NewDocument
from docagent.settings import Settings
from docagent.store.accounts import organizations
from docagent.store.tables import document_pages, extraction_parts
from tests.conftest import SECRET
from tests.kill.process import Process, forked
from tests.support.made.documents import base64_of, scanned_pdf, stamped_pdf
from tests.support.models.provider import running_provider
from tests.support.models.seeing import pictures_in
from tests.support.polling import SECONDS, until
from tests.worker.member import services_with_member

ONE_READER_MB = "700"
"""Too little memory for the second reader: what it reads is not what is tested."""
PAGES = [f"Page number {number} of the scan" for number in range(1, 9)]


@dataclass
class Deployment:
    settings: Settings
    services: Services
    member: Member

    @asynccontextmanager
    async def worker(self, **more: str) -> AsyncIterator[Process]:
        """Forked, because a start by the command takes seconds; test_preparing.py starts one so."""
        environment = {
            **os.environ,
            "DOCAGENT_AUTH__SECRET": SECRET,
            "DOCAGENT_WORKER__LEASE_SECONDS": "2",
            "DOCAGENT_READER__MEMORY_MB": ONE_READER_MB,
            "DOCAGENT_LOG__LEVEL": "warning",
            **more,
        }
        if self.settings.database.url:
            environment["DOCAGENT_DATABASE__URL"] = self.settings.database.url
        log = self.settings.data / f"worker-{new_id()}.log"
        process = await forked(["worker", "--data", str(self.settings.data)], environment, log)
        try:
            yield process
        finally:
            if process.returncode is None:
                process.terminate()
            await process.wait()

    async def upload(self, pages: int = len(PAGES)) -> str:
        return await self.upload_file(scanned_pdf(*PAGES[:pages]))

    async def upload_file(self, content: bytes) -> str:
        new = NewDocument("scan.pdf", base64_of(content))
        (uploaded,) = await self.services.documents.upload(self.member, [new])
        return uploaded.document.id

    async def wait_for(self, document_id: str, *, pages: int | None = None) -> Document:
        """Until so many pages are read, or, without a number, until reading has ended."""
        async with asyncio.timeout(SECONDS):
            while True:
                document = await self.services.documents.get(self.member, document_id)
                if pages is not None and document.pages_read >= pages:
                    return document
                if document.state in ("ocr_completed", "ocr_failed"):
                    return document
                await asyncio.sleep(0.05)

    async def stored_pages(self, document_id: str) -> list[int]:
        async with self.services.db.read_org(self.member.organization_id) as tx:
            rows = await tx.rows(
                sa.select(document_pages.c.number).where(document_pages.c.document_id == document_id)
            )
        return sorted(row.number for row in rows)


@pytest.fixture(params=["sqlite"])
async def deployment(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Deployment]:
    async with services_with_member(request, tmp_path) as (settings, services, member):
        yield Deployment(settings, services, member)


async def test_a_killed_worker_loses_nothing_and_doubles_nothing(deployment: Deployment) -> None:
    document_id = await deployment.upload()
    async with deployment.worker() as first:
        halfway = await deployment.wait_for(document_id, pages=2)
        first.kill()
        await first.wait()
    assert halfway.pages_read < len(PAGES), "the worker was done before it could be killed"
    async with deployment.worker():
        document = await deployment.wait_for(document_id)
    assert document.state == "ocr_completed", document.state_reason
    assert await deployment.stored_pages(document_id) == list(range(1, len(PAGES) + 1))
    text = await deployment.services.text.text(deployment.member, document_id)
    assert text == "\n".join(PAGES)
    (job,) = (await deployment.services.jobs.list(deployment.member, subject_id=None, skip=0, limit=10)).items
    assert (job.state, job.attempts, job.crashes) == ("done", 1, 1)


async def test_a_worker_that_is_asked_to_stop_hands_its_job_on_at_once(deployment: Deployment) -> None:
    document_id = await deployment.upload()
    async with deployment.worker() as first:
        await deployment.wait_for(document_id, pages=2)
        first.terminate()
        await first.wait()
    (job,) = (await deployment.services.jobs.list(deployment.member, subject_id=None, skip=0, limit=10)).items
    assert (job.state, job.attempts) == ("queued", 0)
    async with deployment.worker():
        document = await deployment.wait_for(document_id)
    assert document.state == "ocr_completed"
    assert await deployment.stored_pages(document_id) == list(range(1, len(PAGES) + 1))


async def test_two_workers_share_the_work(deployment: Deployment) -> None:
    ids = [await deployment.upload(pages=2) for _ in range(3)]
    async with deployment.worker(), deployment.worker():
        documents = [await deployment.wait_for(document_id) for document_id in ids]
    assert [document.state for document in documents] == ["ocr_completed"] * 3
    for document_id in ids:
        assert await deployment.stored_pages(document_id) == [1, 2]


STAMP = [500, 340, 900, 430]
PICTURE_CALL, REGION_CALL = 3, 7
"""Points before the commit of a reply: that of the first call of a process, and that of its second."""


async def test_a_worker_that_dies_in_calls_with_pictures_pays_for_each_once(deployment: Deployment) -> None:
    services, member = deployment.services, deployment.member
    async with services.db.write() as tx:
        change = {"default_prompt_enabled": True, "pictures": "always"}
        await organizations.update(tx, member.organization_id, change)
    async with running_provider() as server:
        server.add(*[_sees] * 4)
        endpoint = {"base_url": server.base_url, "models": ["eye"], "seeing": ["eye"]}
        environment = {
            "DOCAGENT_MODELS__ENDPOINTS": json.dumps({"seer": endpoint}),
            "DOCAGENT_MODELS__DEFAULT": "seer/eye",
        }
        document_id = await deployment.upload_file(stamped_pdf(["A bill"], "INV-2041"))
        for point in (PICTURE_CALL, REGION_CALL):
            async with deployment.worker(**environment, DOCAGENT_KILL_POINT=str(point)) as dies:
                async with asyncio.timeout(SECONDS):
                    assert await dies.wait() == -signal.SIGKILL

        async def is_extracted() -> bool:
            return (await services.documents.get(member, document_id)).state == "llm_completed"

        async with deployment.worker(**environment):
            await until(is_extracted)
        kinds = ["where" if "`picture`" in json.dumps(one.body) else "value" for one in server.requests]
        assert kinds == ["value", "value", "where", "where"]
        assert all(len(pictures_in(one.body)) == 1 for one in server.requests)
    calls = await services.credits.calls(member, with_pictures=True, skip=0, limit=10)
    assert len(calls) == 2, "each call is charged once, however often it was made"
    ((_, result),) = (await services.results.all_of(member, document_id))[1]
    assert result.data["document_type"] == "INV-2041"
    assert result.grounding["document_type"]["match"] != "unproven"
    async with services.db.read_org(member.organization_id) as tx:
        assert not await tx.rows(sa.select(extraction_parts.c.number))


def _sees(body: dict[str, Any]) -> ModelReply:
    if "`picture`" in json.dumps(body["messages"]):
        return make_reply(json.dumps({"/document_type": {"picture": 1, "box": STAMP}}))
    return make_reply(json.dumps({"document_type": "INV-2041", "document_date": None, "summary": None}))
