"""`client.extract`: a file and a class in, an object with proof out, in both clients."""

from __future__ import annotations

import asyncio
import io
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, Field

from docagent.client import AsyncClient, Client, DoesNotValidate, Outcome
from tests.clients.workspace import Workspace, new_workspace
from tests.support.made.documents import pdf
from tests.support.services.server import RunningServer

LINES = ["ACME Ltd", "Invoice", "Invoice number: INV-7", "Invoice date: 2026-03-01", "Total: 90.50 EUR"]


class Invoice(BaseModel):
    invoice_number: str
    total: float
    invoice_date: date
    colour_of_the_envelope: str = "unknown"


class Large(BaseModel):
    invoice_number: str
    total: float = Field(gt=1000)


@dataclass
class Bill:
    invoice_number: str
    total: float


@pytest.fixture(scope="module")
def workspace(server: RunningServer) -> Workspace:
    return new_workspace(server.url)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "invoice.pdf"
    path.write_bytes(pdf(LINES))
    return path


def test_a_class_gives_an_object_with_proof(workspace: Workspace, file: Path) -> None:
    with Client(workspace.base_url, workspace.org_token) as client:
        found = client.extract(file, Invoice)
        invoice = found.value
        assert isinstance(invoice, Invoice)
        assert (invoice.invoice_number, invoice.total) == ("INV-7", 90.5)
        assert invoice.invoice_date == date(2026, 3, 1)
        assert invoice.colour_of_the_envelope == "unknown"
        assert list(found.unproven) == []
        total = found.evidence("total")
        assert (total.state, total.page) == ("proven", 1)
        assert "90.50" in total.words
        assert total.box is not None
        assert total.confidence is not None
        assert found.evidence("/total") == total
        with pytest.raises(KeyError, match="There are: "):
            found.evidence("tota")
        again = client.extract(str(file), Invoice)
        assert again.answer.job_id is None
        assert again.document_id == found.document_id
        assert len([one for one in client.schemas.list(limit=100).schemas if one.name == "Invoice"]) == 1


def test_bytes_open_files_and_documents_that_are_there(workspace: Workspace, file: Path) -> None:
    content = file.read_bytes()
    with Client(workspace.base_url, workspace.org_token) as client:
        by_bytes = client.extract(content, Bill, name="invoice.pdf")
        assert by_bytes.value == Bill("INV-7", 90.5)
        with file.open("rb") as opened:
            assert client.extract(opened, Bill).value == by_bytes.value
        assert client.extract(by_bytes.document_id, Bill).value == by_bytes.value
        stream = io.BytesIO(content)
        schema = {"title": "Sum", "type": "object", "properties": {"total": {"type": "number"}}}
        plain = client.extract(stream, schema, name="invoice.pdf")
        assert plain.value == {"total": 90.5}
        assert not stream.closed


def test_a_value_that_does_not_fit_says_which_and_keeps_the_rest(workspace: Workspace, file: Path) -> None:
    with (
        Client(workspace.base_url, workspace.org_token) as client,
        pytest.raises(DoesNotValidate, match="total: ") as wrong,
    ):
        client.extract(file, Large)
    assert wrong.value.fields == ["total"]
    raw = wrong.value.extraction
    assert raw.data["total"] == 90.5
    assert raw.evidence("total").page == 1
    assert [(one.path, one.keyword) for one in raw.problems] == [("total", "exclusiveMinimum")]


def pile(folder: Path, size: int) -> list[Path]:
    files = [folder / f"{number}.pdf" for number in range(size)]
    for number, file in enumerate(files):
        file.write_bytes(pdf(["Invoice", f"Invoice number: INV-{number}", f"Total: {number}.50 EUR"]))
    return files


def test_many_files_a_few_at_once(workspace: Workspace, tmp_path: Path) -> None:
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"%PDF-1.7 and nothing else")
    missing = tmp_path / "missing.pdf"
    files: list[Any] = [*pile(tmp_path, 3), broken, missing]
    told: list[tuple[int, int]] = []

    def progress(done: int, of: int, outcome: Outcome[Bill]) -> None:
        assert outcome.source in files
        told.append((done, of))

    with Client(workspace.base_url, workspace.org_token) as client:
        outcomes = client.extract_many(files, Bill, at_once=2, progress=progress)
        numbers = [one.extraction.value.invoice_number for one in outcomes if one.extraction]
        assert numbers == ["INV-0", "INV-1", "INV-2"]
        assert [one.error is None for one in outcomes] == [True, True, True, False, False]
        assert told == [(done, 5) for done in range(1, 6)]
        resumed = client.extract_many(files[:3], Bill)
        assert [one.extraction and one.extraction.answer.job_id for one in resumed] == [None] * 3
        again = client.extract_many(files[:1], Bill, resume=False)
        assert again[0].extraction is not None
        assert again[0].extraction.answer.job_id is not None


def test_the_same_with_asyncio(workspace: Workspace, tmp_path: Path) -> None:
    async def work() -> list[float]:
        async with AsyncClient(workspace.base_url, workspace.org_token) as client:
            first, *rest = pile(tmp_path, 3)
            one = await client.extract(first, Bill)
            more = await client.extract_many(rest, Bill, at_once=2)
            return [one.value.total, *(each.extraction.value.total for each in more if each.extraction)]

    assert asyncio.run(work()) == [0.5, 1.5, 2.5]
