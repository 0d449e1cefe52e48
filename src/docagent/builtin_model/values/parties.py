"""Finds who sent a document and who received it: sections, letterheads, address blocks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from docagent.builtin_model.asked.fields import Field
from docagent.builtin_model.page import shapes
from docagent.builtin_model.page.labels import find_labels
from docagent.builtin_model.page.reading import NUMBERED, clean_text, is_label, is_sentence
from docagent.builtin_model.page.sheet import Segment, Sheet
from docagent.builtin_model.values.candidates import Candidate
from docagent.reading.printed import atoms_of, fold
from docagent.words import any_of

_SECTION_ROWS = 7
# Gaps and reaches are in line heights.
_SAME_CELL = 0.75
_TIGHT = 0.3
_LABEL_REACH = 12
_SECTION_GAP = 3.2
_ADDRESS_SCORE = 0.6
_NO_SIGN = 0.2
_LEAST_MONEY = 2
"""A document with fewer amounts is not about trade, so a large first line in it need not be a firm."""
_OF_ONE_LINE = frozenset({"birth_place", "nationality", "occupation", "first_name", "last_name"})
"""Answers in a form, under whose labels no section of lines stands."""
_CONTACT = frozenset({"phone", "fax", "tax", "vatin"})
_CONTACT_ROWS = 5
_HOUSE = re.compile(r"^\d{1,4}[a-z]?,? \D+$|^\D+,? \d{1,4} ?[a-z]?$", re.IGNORECASE)
_TOP_OF_PAGE = 0.4
_FOOT_OF_PAGE = 0.85
_EDGE_TITLES = re.compile(
    r"(?i)^(?:tax invoice|invoice|receipt|rechnung|facture)\b|\b(?:tax invoice|invoice|receipt|rechnung|facture)$"
)
_REGISTERED = re.compile(r"\(\s*[\w-]{0,12}\d{4,14}[\w-]{0,12}\s*\)")
"""The registration number of a firm, beside its name."""
_SEPARATED = re.compile(r"(?<!\s)\s+[-\u2013\u2022\u25cf\u00b7|*]\s+")
_UNFINISHED = re.compile(r"(?i)(?:\bfor|\bof|\band|\bthe|&|,|\bund|\bfür|\bto)$")


def section_names(sheet: Sheet, field: Field) -> Iterator[Candidate]:
    """Yield names under a heading that names the party and stands alone: `Seller`, then its lines."""
    if field.key in _OF_ONE_LINE:
        return
    for label in find_labels(sheet, field):
        beside = sheet.after(label.segment)[:1]
        is_answered = any(one.left - label.segment.right < 4 * sheet.height for one in beside)
        if label.rest.strip(" :.") or label.strength < 0.5 or is_answered:
            continue
        found = _name_in_section(list(_lines_below(sheet, label.segment)))
        if found is not None:
            text, segment, sure = found
            yield Candidate(text, text, label.strength * sure, segment, label)


def _name_in_section(lines: list[Segment]) -> tuple[str, Segment, float] | None:
    """Return the line that is a name, with the form of address before it and the firm's legal form after it."""
    salutation = ""
    for step, segment in enumerate(lines):
        name = _named(segment)
        if name is None and (
            segment.dates or NUMBERED.match(segment.text) or ":" in segment.text or is_label(segment.text)
        ):
            continue
        text = name or clean_text(segment.text)
        if any_of("papers", "salutations").fullmatch(text.rstrip(".")):
            salutation = f"{text} "
            continue
        if shapes.letters_share(text) < 0.5 or (name is None and shapes.is_address_line(text)):
            continue
        following = clean_text(lines[step + 1].text) if step + 1 < len(lines) else ""
        goes_on = shapes.has_hard_legal_form(following) and not shapes.has_hard_legal_form(text)
        if goes_on and not shapes.is_address_line(following) and ":" not in lines[step + 1].text:
            text = f"{text} {following}"
        return salutation + text, segment, 0.95 if name else max(0.9 - 0.03 * step, 0.6)
    return None


def whole_name(sheet: Sheet, candidate: Candidate) -> str:
    """Return the name with the other lines of its cell: those close above or below that have no label."""
    label, segment = candidate.label, candidate.segment
    if label is None or (label.segment is not segment and segment.left < label.segment.right):
        return candidate.text
    inline = label.segment is segment
    left = segment.left_at(len(segment.text) - len(label.rest.lstrip(" :="))) if inline else segment.left
    parts = [candidate.text]
    for step in (1,) if inline else (-1, 1):
        edge = segment
        for number in range(segment.row + step, segment.row + 3 * step, step):
            unfinished = step > 0 and _UNFINISHED.search(parts[-1]) is not None
            line = _cell_line(sheet, number, segment, left, with_digits=unfinished)
            if line is None:
                break
            gap = edge.top - line.bottom if step < 0 else line.top - edge.bottom
            if gap > (_TIGHT if inline else _SAME_CELL) * segment.height:
                break
            parts = [line.text, *parts] if step < 0 else [*parts, line.text]
            edge = line
    return " ".join(parts)


def _cell_line(
    sheet: Sheet, number: int, segment: Segment, left: float, *, with_digits: bool
) -> Segment | None:
    """Return the segment of a row that begins right under or over the name, if nothing stands before it."""
    if not 0 <= number < len(sheet.rows) or sheet.rows[number][0].page != segment.page:
        return None
    row = sheet.rows[number]
    lines = [one for one in row if abs(one.left - left) < 0.4 * segment.height]
    if not lines or is_label(lines[0].text) or ":" in lines[0].text:
        return None
    following = row[lines[0].place + 1 :]
    heads = following and following[0].left - lines[0].right < 8 * sheet.height
    beside = lines[0].place and left - row[lines[0].place - 1].right < _LABEL_REACH * sheet.height
    text = lines[0].text
    has_digits = not with_digits and any(character.isdigit() for character in text)
    return None if beside or heads or has_digits or shapes.is_address_line(text) else lines[0]


def _named(segment: Segment) -> str | None:
    """Return the value in `Name: ...`."""
    atoms = segment.atoms
    if atoms and atoms[0].meaning == "name" and ":" in segment.text:
        value = segment.text.split(":", 1)[1].strip()
        return value or None
    return None


def _lines_below(sheet: Sheet, heading: Segment) -> Iterator[Segment]:
    bottom = heading.bottom
    for row in sheet.rows_below(heading, _SECTION_ROWS):
        under = [
            one
            for one in row
            if one.left > heading.left - 2 * sheet.height and one.left < heading.right + 2 * sheet.height
        ]
        named = row[0] if abs(row[0].left - heading.left) < 2 * sheet.height else None
        if row[0].top - bottom > _SECTION_GAP * sheet.height:
            return
        if (
            named is not None
            and named.atoms
            and named.atoms[0].meaning == "name"
            and len(row) > 1
            and is_label(named.text)
        ):
            yield row[1]
            bottom = row[1].bottom
        elif under:
            yield under[0]
            bottom = under[0].bottom


def letterhead_names(sheet: Sheet) -> Iterator[Candidate]:
    """Yield firms in the head or foot of the first page, with the evidence for each."""
    first_page = [segment for segment in sheet.segments if segment.page == 0]
    if not first_page:
        return
    page_height = sheet.page_sizes[0][1]
    top = min(segment.top for segment in first_page)
    bottom = max(segment.bottom for segment in first_page)
    money = sum(amount.looks_like_money for segment in first_page for amount in segment.amounts)
    trades = money >= _LEAST_MONEY
    place = 0
    for segment in first_page:
        if (
            segment.place
            and segment.left - sheet.rows[segment.row][segment.place - 1].right <= 2 * sheet.height
        ):
            continue
        run = _run(sheet.rows[segment.row], segment, sheet.height)
        text = _without_address(clean_text(run))
        text = _EDGE_TITLES.sub("", text).strip()
        in_head = segment.top - top <= _TOP_OF_PAGE * (bottom - top)
        in_foot = segment.top > _FOOT_OF_PAGE * page_height
        if not (in_head or in_foot) or not _may_be_firm(text):
            continue
        place += 1
        score = 0.42 if in_head else 0.3
        signs = _signs_of_a_firm(sheet, segment, text)
        score += signs if signs or trades else -_NO_SIGN
        score += 0.14 if place == 1 else 0.06 if place == 2 else 0.0
        score += 0.08 if segment.height > 1.3 * sheet.height else 0.0
        score += 0.15 if _REGISTERED.search(run) else 0.0
        score += 0.1 if sheet.text.count(text) > 1 else 0.0
        score -= 0.15 if segment.confidence < 0.5 else 0.0
        score -= 0.15 if text.split()[0].islower() else 0.0
        score -= 0.25 if _address_precedes(sheet, segment) else 0.0
        yield Candidate(text, text, min(score, 0.95), segment)


def _signs_of_a_firm(sheet: Sheet, segment: Segment, text: str) -> float:
    """Weigh the signs of a firm: a legal form, an address right below, a phone or tax number there."""
    form = 0.3 if shapes.has_hard_legal_form(text) else 0.12 if shapes.has_legal_form(text) else 0.0
    address = 0.12 if _address_follows(sheet, segment) else 0.0
    contact = 0.25 if _contact_follows(sheet, segment) else 0.0
    return form + address + contact


def _without_address(text: str) -> str:
    """Return the name in a sender's line such as `Firm - Street 5 - 12345 Town`."""
    name, *rest = _SEPARATED.split(text)
    return name if rest and any(shapes.is_address_line(part) for part in rest) else text


def _may_be_firm(text: str) -> bool:
    letters = sum(character.isalpha() for character in text)
    return (
        letters >= 4
        and text[0].isalpha()
        and shapes.letters_share(text) > 0.7
        and len(text) <= 60
        and not is_label(text)
        and not is_sentence(text)
        and not _says_no_name(text)
        and (any_of("papers", "titles").search(text) is None or shapes.has_hard_legal_form(text))
        and not (shapes.is_address_line(text) and not shapes.has_legal_form(text))
        and shapes.EMAIL.search(text) is None
        and shapes.URL.search(text) is None
        and len(text.split()) <= 9
    )


def _address_follows(sheet: Sheet, segment: Segment) -> bool:
    return any(shapes.is_address_line(below.text) for below in _column_below(sheet, segment, 3))


def _says_no_name(text: str) -> bool:
    """Return whether every word is one that papers have in common: `Póliza de seguro`."""
    return all(atom.is_known or atom.is_term for atom in atoms_of(text))


def _contact_follows(sheet: Sheet, segment: Segment) -> bool:
    """Return whether address and phone or tax number follow below, as senders print them and recipients do not."""
    below = _column_below(sheet, segment, _CONTACT_ROWS)
    told = any(shapes.PHONE.search(one.text) and one.meanings & _CONTACT for one in below)
    return told and any(map(str.isdigit, below[0].text))


def _address_precedes(sheet: Sheet, segment: Segment) -> bool:
    above = sheet.rows[segment.row - 1] if segment.row else []
    return any(shapes.is_address_line(one.text) and one.stands_over(segment) for one in above)


def _column_below(sheet: Sheet, segment: Segment, rows: int) -> list[Segment]:
    """Return the lines that follow in the same column without a wide gap."""
    found = []
    bottom = segment.bottom
    for row in sheet.rows_below(segment, rows):
        under = [one for one in row if one.stands_over(segment)]
        if not under:
            continue
        if under[0].top - bottom > 2.2 * sheet.height:
            break
        found.append(under[0])
        bottom = under[0].bottom
    return found


def recipient_names(sheet: Sheet, supplier: str | None) -> Iterator[Candidate]:
    """Yield the first lines of address blocks in the upper half that are not the sender's."""
    page_height = sheet.page_sizes[0][1] if sheet.page_sizes else 0.0
    for segment in sheet.segments:
        if segment.page != 0 or segment.top > 0.5 * page_height:
            continue
        text = clean_text(segment.text)
        if not _may_be_name(text) or (supplier and fold(supplier) in fold(text)):
            continue
        above = sheet.rows[segment.row - 1] if segment.row else []
        follows = [
            line for line in _column_below(sheet, segment, 5) if abs(line.left - segment.left) < sheet.height
        ]
        of_sender = bool(supplier) and any(fold(supplier or "") in fold(line.text) for line in follows[:1])
        if of_sender or not _is_address([line.text for line in follows[:4]]):
            continue
        under_supplier = bool(supplier) and len(above) == 1 and fold(above[0].text) == fold(supplier or "")
        yield Candidate(text, text, 0.3 if under_supplier else 0.5, segment)


def _is_address(lines: list[str]) -> bool:
    """Return whether two lines are of an address, or a town follows a line that begins or ends with a house number."""
    if sum(map(shapes.is_address_line, lines)) > 1:
        return True
    return any(_HOUSE.search(line) and shapes.is_town_line(town) for line, town in pairwise(lines))


def _may_be_name(text: str) -> bool:
    return (
        sum(character.isalpha() for character in text) >= 4
        and shapes.letters_share(text) > 0.8
        and len(text.split()) <= 7
        and not shapes.is_address_line(text)
        and not is_label(text)
        and not is_sentence(text)
        and any_of("papers", "titles").search(text) is None
        and not any_of("papers", "salutations").fullmatch(text.rstrip("."))
    )


def address_after(sheet: Sheet, name: Segment) -> Candidate | None:
    """Return the address lines that follow a name, joined into one line."""
    lines: list[str] = []
    pending: list[str] = []
    complete = False
    first, bottom = name, name.bottom
    for line, text in _lines_under(sheet, name):
        if lines and line.top - bottom > 3.0 * sheet.height:
            break
        bottom = line.bottom
        if complete and not shapes.is_country(text):
            break
        if shapes.is_address_line(text) and not (any_of("papers", "no_address").search(text) and ":" in text):
            first = first if lines else line
            lines += [*pending, text]
            pending = []
            complete = complete or shapes.is_town_line(text)
        elif lines and (any_of("papers", "no_address").search(text) or pending or complete):
            break
        elif lines and not line.dates:
            pending.append(text)
    address = " ".join(lines)
    grounded = complete or any(map(shapes.has_street_or_postal_code, lines))
    return Candidate(address, address, _ADDRESS_SCORE, first) if grounded else None


def _lines_under(sheet: Sheet, name: Segment) -> Iterator[tuple[Segment, str]]:
    for row in sheet.rows_below(name, 10):
        for one in row:
            if one.left < name.right + sheet.height and one.right > name.left - sheet.height:
                yield one, _run(row, one, sheet.height)
                break


def _run(row: list[Segment], first: Segment, height: float) -> str:
    """Return the segment's text with that of segments to its right that are only a word's width away."""
    text, edge = first.text, first.right
    for segment in row[first.place + 1 :]:
        if segment.left - edge > 2 * height:
            break
        text, edge = f"{text} {segment.text}", segment.right
    return text
