"""Structured outputs of OpenAI's API: a file and a JSON Schema in a message, the object and its evidence out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from docagent.api.rest.extraction.extract import ExtractedOut, extracted_out
from docagent.bootstrap import Services
from docagent.domain.accounts.accounts import Member
from docagent.domain.documents.formats import FORMATS
from docagent.domain.errors import InvalidInput, Unavailable
from docagent.services.documents.contents import DATA_URL, chunks, decoded
from docagent.services.extraction.by_schema import Wanted

DEFAULT = "docagent"
"""The name of the model that leaves the choice to the organisation."""
OF_DOCUMENT = "docagent/document/"
SECONDS = 600
"""How long the result is waited for, as long as OpenAI's clients wait."""
ONE_FILE = (
    "Structured output needs one file: a file part with `file_id` (of /v1/files) or `file_data`, or the model "
    "docagent/document/ID."
)


@dataclass(frozen=True, slots=True)
class Structured:
    """The object that was extracted, as the text of an answer, and the proof of its values."""

    text: str
    file_name: str
    extraction: ExtractedOut

    @property
    def evidence(self) -> dict[str, Any]:
        """What our answers have beside OpenAI's fields."""
        return {"extraction": self.extraction.model_dump(mode="json")}

    @property
    def citations(self) -> list[dict[str, Any]]:
        """The same as citations of the file, which clients hand on that drop fields they do not know."""
        head = {"type": "file_citation", "file_id": self.extraction.document_id, "filename": self.file_name}
        at_end = {**head, "index": len(self.text)}
        return [{**at_end, **one} for one in self.evidence["extraction"]["evidence"]]


async def structured(
    services: Services, member: Member, model: str, schema: Any, messages: Sequence[Any]
) -> Structured:
    """Fill a schema from the file in the messages, or from the document that the model names."""
    if not isinstance(schema, dict):
        raise InvalidInput("The json_schema of the response format is missing.")
    parts = [part for message in messages for part in _parts(message)]
    texts = [part["text"] for part in parts if isinstance(part.get("text"), str)]
    wanted = Wanted.by_schema(
        {"json_schema": schema},
        instructions="\n\n".join(text for text in texts if text.strip()),
        model=None if model == DEFAULT or model.startswith(OF_DOCUMENT) else model,
    )
    ids = [model.removeprefix(OF_DOCUMENT)] if model.startswith(OF_DOCUMENT) else []
    files = [file for part in parts if (file := _file(part)) is not None]
    if len(ids) + len(files) != 1:
        raise InvalidInput(ONE_FILE)
    document_id = ids[0] if ids else await _stored(services, member, files[0])
    found = await services.schema_extraction.extract(member, document_id, wanted, seconds=SECONDS)
    if found.result is None:
        raise Unavailable("The extraction still runs. Send the same request again: it continues.")
    return Structured(orjson.dumps(found.result.data).decode(), found.document.name, extracted_out(found))


async def _stored(services: Services, member: Member, file: dict[str, Any]) -> str:
    """The id of the document that a file part names or holds."""
    file_id, data = file.get("file_id"), file.get("file_data")
    if isinstance(file_id, str):
        return file_id
    if not isinstance(data, str):
        raise InvalidInput("A file part needs `file_id` or `file_data` in base64. Addresses are not fetched.")
    name = str(file.get("filename") or _name(data))
    return await services.documents.with_bytes(member, name, chunks(decoded(data)))


def _parts(message: Any) -> Iterator[dict[str, Any]]:
    content = message.get("content") if isinstance(message, dict) else None
    if isinstance(content, str):
        yield {"type": "text", "text": content}
    for part in content if isinstance(content, list) else ():
        if isinstance(part, dict):
            yield part


def _file(part: dict[str, Any]) -> dict[str, Any] | None:
    """What a part says of a file, in the one form of chat completions; None for a part that holds none."""
    match part:
        case {"type": "file", "file": dict(file)}:
            return file
        case {"type": "image_url", "image_url": {"url": str(url)}}:
            return {"file_data": url if url.startswith(DATA_URL) else None}
        case {"type": "input_image", "image_url": str(url)}:
            return {"file_data": url if url.startswith(DATA_URL) else None}
        case {"type": "input_file" | "input_image"}:
            return part
        case _:
            return None


def _name(data: str) -> str:
    """A name for a file that has none, by the kind that its data URL says; a PDF where it says none."""
    kind = data.removeprefix(DATA_URL).partition(";")[0] if data.startswith(DATA_URL) else ""
    endings = [ending for ending, known in FORMATS.items() if known.mime_type == kind]
    return f"document{endings[0] if endings else '.pdf'}"
