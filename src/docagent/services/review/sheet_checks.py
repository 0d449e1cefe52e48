"""What does not add up in a sheet: the same paper twice, rows that miss their total, dates that are yet to come."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from docagent import builtin_model
from docagent.domain.extraction.review import failed_sums
from docagent.domain.extraction.sheets import Column, ColumnKind, Remarks, SheetResult
from docagent.domain.field_path import FieldPath
from docagent.store.engine.database import OrgTx
from docagent.store.review import sheets

_NUMBERS = (
    "invoice_number",
    "receipt_number",
    "credit_note_number",
    "delivery_note_number",
    "quote_number",
    "order_number",
    "contract_number",
    "document_number",
)
"""What tells papers of one issuer apart, surest first."""
_ISSUERS = ("supplier", "first_party")
_OF_THE_PAST = frozenset({"invoice_date", "order_date", "birth_date", "signature_date"})
_TYPES = {
    ColumnKind.TEXT: {"type": "string"},
    ColumnKind.DATE: {"type": "string", "format": "date"},
    ColumnKind.NUMBER: {"type": "number"},
    ColumnKind.YES_NO: {"type": "boolean"},
    ColumnKind.LIST: {"type": "array"},
}


@dataclass(frozen=True, slots=True)
class SheetChecks:
    """The columns of a sheet that can be checked."""

    number: Column | None
    issuer: Column | None
    past: Sequence[Column]

    @classmethod
    def of(cls, columns: Sequence[Column]) -> SheetChecks:
        asked = {
            _concept(column.path, column.kind): column for column in reversed(columns) if not column.within
        }
        return cls(
            number=next((asked[key] for key in _NUMBERS if key in asked), None),
            issuer=next((asked[key] for key in _ISSUERS if key in asked), None),
            past=[asked[key] for key in _OF_THE_PAST if key in asked],
        )

    def remarks(
        self, results: Sequence[SheetResult], twice: Mapping[tuple[str, str], int], today: date
    ) -> Mapping[str, Remarks]:
        """For each result by its id, what does not add up, by the path of the value."""
        return {result.id: dict(self._of_one(result, twice, today)) for result in results}

    async def twice(
        self, tx: OrgTx, prompt_id: str, results: Sequence[SheetResult] | None = None
    ) -> Mapping[tuple[str, str], int]:
        """Numbers that several documents have: those of these results, or all of the sheet in one pass over it."""
        if self.number is None:
            return {}
        if results is None:
            return await sheets.repeated(tx, prompt_id, self.number, self.issuer)
        numbers = {_text(result, self.number) for result in results} - {""}
        if not numbers:
            return {}
        return await sheets.repeated(tx, prompt_id, self.number, self.issuer, sorted(numbers))

    def _of_one(
        self, result: SheetResult, twice: Mapping[tuple[str, str], int], today: date
    ) -> Iterator[tuple[FieldPath, str]]:
        if self.number is not None:
            count = twice.get((_text(result, self.number), _text(result, self.issuer)), 1)
            if count > 1:
                same = " of the same issuer" if self.issuer else ""
                yield self.number.path, f"{count} documents{same} have this number."
        for column in self.past:
            value = column.path.get(result.data)
            if isinstance(value, str) and value[:10] > today.isoformat() and _is_date(value):
                yield column.path, "This date is yet to come."
        for problem in failed_sums(result.data):
            yield problem.path, problem.message


def _text(result: SheetResult, column: Column | None) -> str:
    value = column.path.get(result.data) if column is not None else None
    return str(value) if isinstance(value, str | int | float) else ""


def _is_date(text: str) -> bool:
    try:
        date.fromisoformat(text[:10])
    except ValueError:
        return False
    return True


@lru_cache(maxsize=2000)
def _concept(path: FieldPath, kind: ColumnKind) -> str:
    return builtin_model.field_of(path.name, _TYPES[kind], tuple(map(str, path.parent))).key
