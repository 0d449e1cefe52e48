"""Lets the built-in model propose a schema for each labelled document, and fits each document to earlier schemas.

A proposal is usable if its schema passes the product's strict check, at least half of the document's labels are
answered, and no value is invented. A label is answered by a proposed field that is called so that everybody would
look for the value there (`_ANSWERS`) and that is filled with the labelled value, compared as the extraction suite
does. One field answers one label. The lines of an invoice are one label, answered if half of their cells are right.
A value is invented if it is not printed in the document. Of papers of other kinds, the share of labelled values counts
that any field has.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any

from docagent.builtin_model import fill, fits, propose_schema
from docagent.domain.documents.text import Page
from docagent.jsonschema import check_strict
from docagent.reading.printed import Style, find_numbers
from evals.judging import Kind, Printed, compare, same
from evals.judging.values import kind_of
from evals.matching import share
from evals.reading import read
from evals.sets import SETS, LabelledSet, Task, TaskSet, labelled_rows, other_papers
from evals.suite import Results

NAME = "proposals"
FOLDER = "documents"

OF_ONE_KIND = 20
"""How many documents are fitted one after the other."""
_MIXED = "invoices_mixed"
_KINDS = {"invoices_zugferd": _MIXED, "invoices_invoice2data": _MIXED}
"""Sets that are of one kind, whoever made their documents."""
_ALSO_INVOICES = {"adbuy_deepform"}
_ANSWERS = {
    "invoice_number": r"(?:invoice|bill|document)_(?:number|no|id)",
    "issue_date|date": r"(?:(?:invoice|issue|document|receipt|bill)_)?date",
    "date_due": r"(?:payment_)?due_date",
    "seller_name|issuer|company": r"(?:supplier|seller|vendor|issuer|merchant|company)(?:_name)?",
    "buyer_name": r"(?:customer|buyer|client|recipient)(?:_name)?",
    "currency": r"currency(?:_code)?",
    "line_total|tax_basis|amount_untaxed": r"(?:net|untaxed)(?:_amount|_total)|sub_?total|line_total",
    "tax_total|amount_tax": r"(?:tax|vat)(?:_amount|_total)?",
    "grand_total|amount|total": r"(?:grand_|gross_)?total(?:_amount)?|gross_amount",
    "gross_amount": r"gross_(?:amount|total)|total(?:_amount)?",
    "due_payable": r"(?:amount|balance)_due|due_payable|total(?:_amount)?",
    "iban": r"iban",
    "bic": r"bic",
    "vat": r"(?:supplier_)?(?:vat|tax)_(?:id|number)",
    "telephone": r"(?:tele)?phone(?:_number)?",
    "partner_email": r"email",
    "partner_website": r"website",
    "contract_num": r"(?:contract|order|invoice)_number",
    "advertiser": r"advertiser(?:_name)?",
    "flight_from": r"flight_(?:start|from)(?:_date)?",
    "flight_to": r"flight_(?:end|to)(?:_date)?",
    "address": r"(?:(?:supplier|merchant|company)_)?address",
    "registrant_name": r"registrant(?:_name)?|name_of_registrant",
    "form_type": r"(?:form|document)_type|(?:document_)?title",
    "effective_date": r"effective_date",
    "jurisdiction": r"governing_law|jurisdiction",
    "party": r"(?:first|second)_party",
    "term": r"term|duration",
}
_COLUMNS = {
    "name": r"(?:item_|product_)?(?:description|name)|item|product",
    "quantity": r"quantity",
    "unit_price": r"(?:unit_)?price",
    "line_total": r"(?:line_)?(?:amount|total)",
}


@dataclass(frozen=True)
class Judged:
    """What became of one proposal."""

    valid: bool
    right: int
    labels: int
    invented: tuple[str, ...]

    @property
    def usable(self) -> bool:
        return self.valid and 2 * self.right >= self.labels > 0 and not self.invented


@dataclass
class _Made:
    """The schemas of one kind, and how many documents use each."""

    schemas: list[dict[str, Any]] = field(default_factory=list)
    users: list[int] = field(default_factory=list)

    def add(self, pages: list[Page]) -> None:
        """Let a document use the schema that fits best, or make one for it."""
        found = fits(pages, self.schemas)
        fitting = [number for number, one in enumerate(found) if one.fits]
        if fitting:
            self.users[max(fitting, key=lambda number: (found[number].alike, found[number].filled))] += 1
        else:
            self.schemas.append(_schema(propose_schema(pages)))
            self.users.append(1)

    @property
    def main(self) -> dict[str, Any]:
        """The schema that most documents use."""
        return self.schemas[self.users.index(max(self.users))]


def run(folder: Path) -> Results:
    """Return the usable proposals of each set, the schemas that its documents end with, and false fits."""
    results: Results = {}
    documents: dict[str, list[list[Page]]] = {}
    for labelled in SETS:
        if not (folder / labelled.folder).is_dir():
            continue
        judged = []
        for row in labelled_rows(folder / labelled.folder):
            reading = read(folder / labelled.folder / row["file"])
            documents.setdefault(labelled.folder, []).append(reading.pages)
            judged.append(judge(labelled, row["fields"], reading.pages, reading.text))
        results[labelled.folder] = _figures(judged)
    documents[_MIXED] = _in_turn(*(documents[name] for name in _KINDS if name in documents))
    made = {name: _made(pages) for name, pages in documents.items()}
    for name, of_set in made.items():
        figures = results.setdefault(name, {})
        assert isinstance(figures, dict)
        figures["schemas"] = len(of_set.schemas)
        figures["fitted"] = min(len(documents[name]), OF_ONE_KIND)
    results["false_fits"] = _false_fits(documents, made)
    if (folder / other_papers.SET.folder).is_dir():
        results[other_papers.SET.folder] = {"facts": _facts(other_papers.SET, folder)}
    return results


def _facts(labelled: TaskSet, folder: Path) -> float:
    """Return the share of single labelled values that come out where nobody says what to look for."""
    right = wanted = 0
    for task in labelled.tasks(folder):
        pages = read(task.path).pages
        data = fill(pages, _schema(propose_schema(pages)))
        found = facts_in(task, data)
        right, wanted = right + sum(found), wanted + len(found)
    return share(right, wanted)


def facts_in(task: Task, data: dict[str, Any]) -> list[bool]:
    """Tell of each single labelled value whether a field has it. One value answers one label."""
    left = [value for _, value in _values({n: v for n, v in data.items() if not isinstance(v, list)})]
    found = []
    for name, value in task.labels.values.items():
        if value is None or isinstance(value, list | dict):
            continue
        kind = task.labels.kinds.get(name) or kind_of(task.schema["properties"].get(name, {}), value)
        equal = (one for one in left if same(value, one, kind, day_first=task.labels.day_first))
        answer = next(equal, None)
        found.append(answer is not None)
        if answer is not None:
            left.remove(answer)
    return found


def judge(labelled: LabelledSet, wanted: dict[str, Any], pages: list[Page], text: str) -> Judged:
    """Propose a schema for a document, fill it, and compare it with the document's labels."""
    proposed = propose_schema(pages)
    return compared(labelled, wanted, proposed, fill(pages, _schema(proposed)), text)


def compared(
    labelled: LabelledSet, wanted: dict[str, Any], proposed: dict[str, Any], data: dict[str, Any], text: str
) -> Judged:
    page = Printed(text, day_first=labelled.day_first)
    left = dict(data)
    right = labels = 0
    for name, (kind, _) in labelled.properties.items():
        for value in _several(wanted.get(name)):
            if labelled.only_printed and not page.may_have(value, Kind(kind)):
                continue
            labels += 1
            answer = _answer(labelled, name, value, left)
            if answer is not None:
                del left[answer]
                right += 1
    if wanted.get("lines"):
        labels += 1
        right += _lines_right(labelled, wanted["lines"], left, page)
    invented = tuple(path for path, value in _values(data) if not _is_printed(value, page, text))
    return Judged(check_strict(proposed).valid, right, labels, invented)


def _several(value: Any) -> list[Any]:
    values = value if isinstance(value, list) else [value]
    return [one for one in values if one is not None]


def _answer(labelled: LabelledSet, name: str, value: Any, left: dict[str, Any]) -> str | None:
    kind = Kind(labelled.properties[name][0])
    pattern = next(pattern for names, pattern in _ANSWERS.items() if name in names.split("|"))
    for field_name, given in left.items():
        scalar = given is not None and not isinstance(given, list | dict)
        called = scalar and re.fullmatch(pattern, field_name)
        if called and same(value, given, kind, day_first=labelled.day_first):
            return field_name
    return None


def _lines_right(
    labelled: LabelledSet, wanted: list[dict[str, Any]], data: dict[str, Any], page: Printed
) -> bool:
    lists = [value for value in data.values() if isinstance(value, list)]
    for rows in lists:
        given = [_by_label(row) for row in rows]
        cells = compare(labelled.schema, labelled.labels({"lines": wanted}), {"lines": given}, page)
        asked = sum(cell.wanted is not None for cell in cells)
        if asked and 2 * sum(cell.right for cell in cells) >= asked:
            return True
    return False


def _by_label(row: dict[str, Any]) -> dict[str, Any]:
    """Return the row with the labels' names for its columns."""
    return {
        label: next((value for name, value in row.items() if re.fullmatch(pattern, name)), None)
        for label, pattern in _COLUMNS.items()
    }


def _values(data: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(data, dict):
        for name, part in data.items():
            yield from _values(part, f"{path}.{name}".strip("."))
    elif isinstance(data, list):
        for number, part in enumerate(data):
            yield from _values(part, f"{path}[{number}]")
    elif data is not None:
        yield path, data


def _is_printed(value: Any, page: Printed, text: str) -> bool:
    if isinstance(value, int | float):
        return page.has(value, Kind.AMOUNT) or any(
            abs(found.value) == abs(Decimal(str(value)))
            for comma in (True, False)
            for piece in (text, *text.split())
            for found in find_numbers(piece, Style(decimal_comma=comma))
        )
    if re.fullmatch(r"\d{4}-\d\d-\d\d", value) and page.has(value, Kind.DATE):
        return True
    return page.has(value, Kind.CODE)


def _figures(judged: list[Judged]) -> dict[str, float]:
    count = len(judged)
    return {
        "documents": count,
        "usable": share(sum(one.usable for one in judged), count),
        "valid": share(sum(one.valid for one in judged), count),
        "half_right": share(sum(2 * one.right >= one.labels > 0 for one in judged), count),
        "documents_invented": share(sum(bool(one.invented) for one in judged), count),
    }


def _made(documents: Iterable[list[Page]]) -> _Made:
    made = _Made()
    for pages in list(documents)[:OF_ONE_KIND]:
        made.add(pages)
    return made


def _false_fits(documents: dict[str, list[list[Page]]], made: dict[str, _Made]) -> float:
    """Return the share of documents that the main schema of another kind fits."""
    tried = wrong = 0
    for name, of_set in documents.items():
        if name in _KINDS:
            continue
        others = [made[other].main for other in made if _is_other_kind(name, other)]
        for pages in of_set:
            found = fits(pages, others)
            tried += len(found)
            wrong += sum(one.fits for one in found)
    return share(wrong, tried)


def _is_other_kind(name: str, other: str) -> bool:
    invoices = {_MIXED, *_ALSO_INVOICES}
    return other not in _KINDS and other != name and not {name, other} <= invoices


def _in_turn(*sets: list[list[Page]]) -> list[list[Page]]:
    return [pages for pages in chain.from_iterable(zip_longest(*sets)) if pages is not None]


def _schema(proposed: dict[str, Any]) -> dict[str, Any]:
    schema: dict[str, Any] = proposed["json_schema"]["schema"]
    return schema
