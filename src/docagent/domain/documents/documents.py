"""Documents: what may be uploaded, the states they pass through, and what is known of each."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import PurePosixPath
from urllib.parse import unquote

from docagent.domain.documents.formats import FORMATS
from docagent.domain.errors import InvalidInput
from docagent.domain.proposals import DocumentProposal

TEXT_VERSION = 2
"""This number goes up when reading changes so much that older texts count as outdated."""

MAX_NAME_LENGTH = 500
MAX_ARCHIVED_BYTES = 200
"""The most bytes of a name before its extension; file systems allow 255 in all."""
_UNSAFE = re.compile(r'[\x00-\x1f\x7f<>:"/\\|?*]')
_DEVICE = re.compile(r"con|prn|aux|nul|(?:com|lpt)[0-9]", re.IGNORECASE)


class DocumentState(StrEnum):
    UPLOADED = "uploaded"
    OCR_PROCESSING = "ocr_processing"
    OCR_COMPLETED = "ocr_completed"
    OCR_FAILED = "ocr_failed"
    LLM_PROCESSING = "llm_processing"
    LLM_COMPLETED = "llm_completed"
    LLM_FAILED = "llm_failed"


@dataclass(frozen=True, slots=True)
class PrivateRegion:
    """A part of a page that no model gets: it is black in pictures, and its words are left out of the text."""

    page: int
    box: list[float]
    """Left, top, right and bottom, as fractions of the page from its top left corner."""


@dataclass(frozen=True, slots=True)
class Document:
    id: str
    organization_id: str
    name: str
    extension: str
    mime_type: str
    size: int
    sha256: str
    has_pdf: bool
    state: DocumentState
    tag_ids: list[str]
    metadata: dict[str, str]
    uploaded_by: str
    upload_date: datetime
    state_reason: str | None = None
    state_reason_code: str | None = None
    sealed_password: str | None = None
    text_run_id: str | None = None
    text_version: int | None = None
    page_count: int | None = None
    pages_read: int = 0
    text_date: datetime | None = None
    private_regions: list[PrivateRegion] | None = None
    """Parts of pages that no model is shown."""
    auto_create: bool = False
    """Whether the agent prepares a schema and a prompt by itself once the document is read."""
    proposal: DocumentProposal | None = None

    @property
    def serves_ocr(self) -> bool:
        return FORMATS[self.extension].serves_ocr

    @property
    def original_key(self) -> str:
        return original_key(self.organization_id, self.id)

    @property
    def pdf_key(self) -> str:
        return self.original_key if self.extension == ".pdf" else rendition_key(self.organization_id, self.id)


def original_key(organization_id: str, document_id: str) -> str:
    return f"{organization_id}/documents/{document_id}/original"


def rendition_key(organization_id: str, document_id: str) -> str:
    return f"{organization_id}/documents/{document_id}/rendition.pdf"


def check_name(name: str) -> str:
    """Check the name of a file to upload and return its extension. Raises InvalidInput."""
    if not name.strip() or len(name) > MAX_NAME_LENGTH:
        raise InvalidInput(f"A document needs a name of 1 to {MAX_NAME_LENGTH} characters.")
    if any(ord(character) < 32 for character in name):
        raise InvalidInput("A document's name cannot hold control characters.")
    extension = PurePosixPath(name.replace("\\", "/")).suffix.lower()
    if extension not in FORMATS:
        raise InvalidInput(f"Unsupported file extension {extension}: {name}")
    return extension


def archive_names(names: Sequence[str]) -> list[str]:
    """Make file names that any system accepts in one folder: all different, without paths and reserved names."""
    taken: set[str] = set()
    found = []
    for name in names:
        safe = PurePosixPath(_UNSAFE.sub("_", name).strip(" .") or "document")
        stem = "_" + safe.stem if _DEVICE.fullmatch(safe.stem) else safe.stem
        stem = stem.encode()[:MAX_ARCHIVED_BYTES].decode(errors="ignore")
        unique, number = f"{stem}{safe.suffix}", 1
        while unique.casefold() in taken:
            number += 1
            unique = f"{stem} ({number}){safe.suffix}"
        taken.add(unique.casefold())
        found.append(unique)
    return found


def safe_part(name: str, most_bytes: int = MAX_ARCHIVED_BYTES) -> str:
    """Make the name of a folder, or of a file without its extension, that any system accepts."""
    safe = _UNSAFE.sub("_", name)
    safe = "_" + safe if _DEVICE.fullmatch(safe.partition(".")[0].strip()) else safe
    return safe.encode()[:most_bytes].decode(errors="ignore").strip(" .") or "_"


def parse_metadata_search(text: str | None) -> list[tuple[str, str]]:
    """Parse `k=v,k2=v2`, in which DocRouter's clients URL-encode each key and value, or each pair, once more."""
    pairs = []
    for part in (text or "").split(","):
        if "=" in part:
            key, value = (unquote(side) for side in part.split("=", 1))
        elif "=" in (decoded := unquote(part)):
            key, value = decoded.split("=", 1)
        else:
            continue
        if "\x00" in key + value:
            raise InvalidInput("metadata_search cannot hold NUL characters.")
        pairs.append((key.strip(), value))
    return pairs
