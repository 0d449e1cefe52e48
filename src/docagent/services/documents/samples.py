"""Three documents of our own, for someone who has none at hand."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

from docagent.domain.accounts.accounts import Member
from docagent.domain.errors import NotFound
from docagent.services.documents.documents import DocumentService, Uploaded

FOLDER = Path(__file__).parents[2] / "samples"


@dataclass(frozen=True, slots=True)
class Sample:
    name: str
    title: str
    description: str
    file_name: str


SAMPLES = (
    Sample("invoice", "An invoice", "One page, with a table of items", "Invoice 2041.pdf"),
    Sample("receipt", "A scanned receipt", "A picture, read by text recognition", "Receipt.png"),
    Sample("contract", "A contract", "Two pages of clauses, dates and parties", "Service agreement.pdf"),
)
"""Made by scripts/make_samples.py; every name and number in them is invented."""


async def add_sample(
    documents: DocumentService, member: Member, name: str, *, auto_create: bool | None = None
) -> Uploaded:
    """Upload one of the samples as if the member had chosen the file."""
    sample = next((sample for sample in SAMPLES if sample.name == name), None)
    if sample is None:
        known = ", ".join(sample.name for sample in SAMPLES)
        raise NotFound(f"There is no such sample. Available: {known}.")
    return await documents.upload_stream(
        member, sample.file_name, _content(sample), [], {}, auto_create=auto_create
    )


async def _content(sample: Sample) -> AsyncIterator[bytes]:
    """The sample's bytes in one chunk: the files are small."""
    yield (FOLDER / sample.file_name).read_bytes()
