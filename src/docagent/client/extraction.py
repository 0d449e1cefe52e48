"""What comes out of a file: an object of the caller's own class, with the proof of every value."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any, Generic, TypedDict, TypeVar

from pydantic import TypeAdapter, ValidationError

from docagent.client import models
from docagent.client.errors import ClientError
from docagent.domain.field_path import FieldPath, leaves
from docagent.domain.ids import is_id

T = TypeVar("T")
Source = str | Path | bytes | IO[bytes]
"""A path, bytes, an open file, or the id of a document that is there."""
Asked = Mapping[str, Any] | models.Prompt
"""What gives plain data: a JSON Schema, or a prompt that is there."""
CHUNK = 1024 * 1024
UNPROVEN = "unproven"
ABSENT = "absent"


@dataclass(frozen=True, slots=True)
class Evidence:
    """What proves one value. `box` is left, top, right and bottom as fractions of the page."""

    path: str
    value: Any
    state: str
    """`proven` by words on a page, `verified` by a person, `unproven`, or `absent` for a value that is empty."""
    confidence: float | None = None
    page: int | None = None
    box: tuple[float, ...] | None = None
    words: str = ""


@dataclass(frozen=True, slots=True)
class Extraction(Generic[T]):
    """What came out of one file. `value` is of the class that was asked for."""

    value: T
    answer: models.Extracted

    @property
    def document_id(self) -> str:
        return self.answer.document_id

    @property
    def data(self) -> dict[str, Any]:
        """The values as JSON has them."""
        return self.answer.data or {}

    @property
    def unproven(self) -> Sequence[str]:
        """Paths of the values that neither a page nor a person proves."""
        return self.answer.unproven or ()

    @property
    def problems(self) -> Sequence[models.ProblemOut]:
        """What breaks the schema, is missing or does not add up."""
        return self.answer.problems or ()

    def evidence(self, path: str) -> Evidence:
        """The proof of a value by its path: `total`, `lines.0.price`, or a JSON Pointer (`/lines/0/price`).

        Raises KeyError if there is no such value; a list or an object has none itself, its parts have.
        """
        wanted = FieldPath.stored(path, self.data)
        for one in self.answer.evidence or ():
            if wanted.is_written(one.path):
                words = " ".join(word.text for word in one.words)
                box = None if one.box is None else tuple(one.box)
                return Evidence(one.path, one.value, one.state, one.confidence, one.page, box, words)
        values = [place for place, _ in leaves(self.data)]
        if wanted in values:
            return Evidence(str(wanted), wanted.get(self.data), ABSENT)
        raise KeyError(f"There is no value at {path}. There are: {', '.join(map(str, values))}.")


class DoesNotValidate(ClientError):
    """The data is not what the class asks for. `fields` says where, `extraction` has the raw data with its proof."""

    def __init__(self, error: ValidationError, extraction: Extraction[dict[str, Any]]) -> None:
        said = [(str(FieldPath(entry["loc"])), entry["msg"]) for entry in error.errors(include_url=False)]
        super().__init__("\n".join(f"{field or 'the whole'}: {message}" for field, message in said))
        self.fields: list[str] = [field for field, _ in said]
        self.extraction = extraction


@dataclass(frozen=True, slots=True)
class Outcome(Generic[T]):
    """What became of one of many files: an extraction, or an error."""

    source: Source
    extraction: Extraction[T] | None = None
    error: ClientError | None = None


class Options(TypedDict, total=False):
    """What may be said of an extraction beside the schema."""

    instructions: str | None
    """What the prompt says; else the one that asks for this schema already, else the usual sentence."""
    model: str | None
    again: bool


class Shape(Generic[T]):
    """What is asked for: a pydantic model, a dataclass, a `TypedDict`; or a JSON Schema or a prompt: plain data."""

    def __init__(self, wanted: type[T] | Asked) -> None:
        self._adapter = TypeAdapter(wanted) if isinstance(wanted, type) else None
        self.asked: dict[str, Any] = (
            {"prompt_id": wanted.prompt_revid}
            if isinstance(wanted, models.Prompt)
            else {"schema": self._adapter.json_schema() if self._adapter else wanted}
        )

    def of(self, answer: models.Extracted) -> Extraction[T]:
        """The answer as an object. Raises DoesNotValidate."""
        raw: Extraction[Any] = Extraction(answer.data or {}, answer)
        if self._adapter is None:
            return raw
        try:
            return replace(raw, value=self._read(raw.data))
        except ValidationError as error:
            raise DoesNotValidate(error, raw) from error

    def _read(self, data: dict[str, Any]) -> T:
        assert self._adapter is not None
        try:
            return self._adapter.validate_json(json.dumps(data))
        except ValidationError as error:
            empty = [entry["loc"] for entry in error.errors() if entry["input"] is None]
            left = _without(data, empty)
            if left == data:
                raise
            # What the document does not say has the default of its field, where the field has one.
            try:
                return self._adapter.validate_json(json.dumps(left))
            except ValidationError:
                raise error from None


@contextmanager
def opened(source: Source) -> Iterator[IO[bytes]]:
    """The bytes to read. A file that the caller opened is left open."""
    if isinstance(source, str | Path):
        with Path(source).open("rb") as content:
            yield content
    else:
        yield io.BytesIO(source) if isinstance(source, bytes) else source


def name_of(content: IO[bytes]) -> str:
    return Path(str(getattr(content, "name", "document"))).name


def document_id_of(source: Source) -> str | None:
    """The id of a document, if it is one and no file has that name."""
    is_one = isinstance(source, str) and is_id(source) and not Path(source).exists()
    return str(source) if is_one else None


def digest_of(source: Source) -> str:
    """The SHA-256 of a file's bytes, by which a server knows it."""
    digest = hashlib.sha256()
    with opened(source) as content:
        while chunk := content.read(CHUNK):
            digest.update(chunk)
        content.seek(0)
    return digest.hexdigest()


def _without(data: Any, places: Sequence[tuple[int | str, ...]], path: tuple[int | str, ...] = ()) -> Any:
    """The data without the members of objects that stand at these places."""
    if isinstance(data, dict):
        return {
            key: _without(value, places, (*path, key))
            for key, value in data.items()
            if (*path, key) not in places
        }
    if isinstance(data, list):
        return [_without(value, places, (*path, at)) for at, value in enumerate(data)]
    return data
