"""Reads what contracts say in clauses: since when they count, for how long, with what notice, under whose law."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from docagent.builtin_model.page.durations import Duration, durations_in
from docagent.builtin_model.page.meant import dates_in
from docagent.builtin_model.prose.sentences import sentences_of
from docagent.reading.printed import Style
from docagent.words import any_of

_OPENING = 4000
_AFTER = 60
_NEXT_SENTENCE = re.compile(r"[.;]\s")
_DAY_OF = re.compile(r"\b(\d{1,2})\s?(?:st|nd|rd|th)?\s+day\s+of\s+([A-Z][a-z]+)")
_EFFECTIVE_DATE_IS = re.compile(r"\beffective date\b[^.]{0,80}?\b(?:is|shall be|means)\b", re.IGNORECASE)
_CLOSING = re.compile(r"\b(?:IN WITNESS|[Ii]n witness|[Ee]xecuted)\b[^.]{0,200}?\b(?:as of|this|on|dated)\b")
_SIGNED_ON = re.compile(r"\b(?:Dated?|DATED?|Datum|Data|Fecha|Le)\b\s?:?\s*(?=\d|[A-Z][a-z]{2,8} \d)")
_SIGNATURES = 900
"""How many characters the end of a contract has, with its signatures."""
_OF_ANOTHER = re.compile(r"\b(?:with|under|pursuant to|that certain|an?)\b[^.;]{0,60}$")
_PLACE = r"(?P<place>[A-Z][\w\u00c0-\u017f'-]+(?:\s+(?:and\s+|of\s+)?[A-Z][\w\u00c0-\u017f'-]+){0,2})"
_STATE = (
    r"(?:the\s+)?(?:(?:[Ss]tate|[Cc]ommonwealth|[Pp]rovince|[Cc]ountry|[Rr]epublic|[Kk]ingdom|[Cc]anton)\s+of\s+"
    r"(?:the\s+)?)?"
)
_LAWS_OF = re.compile(
    rf"\b(?:[Ll]aws?|LAWS?)\s+(?:of|in|OF)\s+{_STATE}{_PLACE}"
    rf"|\b(?P<before>[A-Z][a-z]+(?:\s+[A-Z][a-z]+)?)\s+law\b"
    r"|\bRechts?\s+der\s+(?P<land>(?:(?:Bundesr|R)epublik\s+)?[A-Z\u00c4\u00d6\u00dc]\w+)"
    r"|\b(?:lois|leyes|leggi|leis|recht)\s+(?:de\s+la|de\s+l['\u2019]|de|del|della|dell['\u2019]|di|do|da|van)\s*"
    r"(?P<pays>[A-Z\u00c0-\u00de][\w\u00c0-\u017f-]+(?:\s+[A-Z][\w\u00c0-\u017f-]+)?)"
)
_NATIONAL_LAW = re.compile(
    r"\b(?:droit|loi|ley|legislación|derecho|legge|legislazione|diritto|lei|legislação|direito)\s+"
    r"(?P<romance>(?!applicable|aplicable|applicabile|aplicável|compétent)[a-zà-ž]{5,})"
    r"|\b(?P<dutch>[A-Z][a-z]+s)\s+recht\b|\b(?P<german>[a-zäöü]+es)\s+Recht\b"
    r"|\bpraw\w+\s+(?P<polish>\w+(?:iemu|kie|kim|kiego))\b|\b(?P<swedish>[a-zåäö]+sk)\s+(?:lag|rätt)\b"
    r"|\b(?P<czech>\w+ým)\s+právem\b|\bprávem\s+(?P<land>[A-ZČŠŘŽ]\w+(?:\s\w+)?)"
)
"""Where a contract names a law by its nation: `droit français`."""
_PLACE_BEFORE = re.compile(
    rf"\b(?:[Ss]tate|[Cc]ommonwealth|[Pp]rovince)\s+of\s+{_PLACE}[^.]{{0,90}}\blaws\s+of\s+(?:said|such|that)\b"
)
_GOVERNS = re.compile(
    r"\b(?:apply|applies|made\s+under|findet|anwendung|govern|constru|interpret|unterlieg|unterliegt|gilt|anwendbar|r\u00e9gi|soumis|regir|rige|regol|disciplinat"
    r"|reg[ie]d|beheerst|toepassing|podlega|\u0159\u00edd\u00ed|till\u00e4mp)\w*",
    re.IGNORECASE,
)
_NO_PLACE = re.compile(
    r"^(?:Governing|Applicable|Choice|Federal|Such|Any|Conflict|The|This|Common|Said|Local|International|Internal"
    r"|Employment|Securities|Criminal|Mandatory)\b"
)
_NEAR = 200
_CLOSE = 25
_OF_EACH = re.compile(
    r"(?i)\bdate\s+of\s+(?:such|each|any|the)?\s*(?:written\s+)?(?:notice|disclosure|receipt)\b"
)
_PERIOD_OF = re.compile(
    r"(?i)\b(?:for\s+(?:a|the)\s+)?(?:period|term|zeitraum|p\u00e9riode|periodo|per\u00edodo)\s+(?:of|von|de|di)\b"
)
_STRONG = re.compile(
    r"\bterm\s+of\s+(?:this|the)\s+(?:\w+\s+)?(?:agreement|contract|letter)|\bhave\s+a\s+term\s+of\b",
    re.IGNORECASE,
)


def effective_date_in(text: str, style: Style) -> tuple[date, str] | None:
    """Return the day from which the contract counts, and how it is printed: of its opening, else of its end."""
    text = _DAY_OF.sub(r"\1 \2", text)
    opening, end = text[:_OPENING], text[-_SIGNATURES:]
    starts = [match.end() for match in _EFFECTIVE_DATE_IS.finditer(opening)]
    named = len(starts)
    starts += [
        match.end()
        for match in any_of("contract", "in_effect").finditer(opening)
        if not _OF_ANOTHER.search(opening, 0, match.start())
        and not any_of("contract", "another").search(opening, max(match.start() - _AFTER, 0), match.start())
    ]
    found = next(
        (
            day
            for start in [*starts[:named], *sorted(starts[named:])]
            if (day := _date_after(opening, start, style))
        ),
        None,
    )
    if found is not None:
        return found
    closing = next(
        (day for match in _CLOSING.finditer(text) if (day := _date_after(text, match.end(), style))), None
    )
    signed = [day for match in _SIGNED_ON.finditer(end) if (day := _date_after(end, match.end(), style))]
    return closing or (signed[0] if len({day for day, _ in signed}) == 1 else None)


def _date_after(text: str, start: int, style: Style) -> tuple[date, str] | None:
    after = text[start : start + _AFTER]
    found = next(iter(dates_in(after, style)), None)
    if found is None or _NEXT_SENTENCE.search(after[: found.start]):
        return None
    return found.value, after[found.start : found.end]


def governing_law_in(text: str) -> str | None:
    """Return the place whose law governs the contract."""
    said_before = _PLACE_BEFORE.search(text)
    if said_before is not None:
        return str(said_before["place"])
    for match in _LAWS_OF.finditer(text):
        place = str(next(filter(None, match.groups())))
        around = text[max(match.start() - _NEAR, 0) : match.end() + _NEAR]
        if _GOVERNS.search(around) and not _NO_PLACE.match(place):
            return place
    for match in _NATIONAL_LAW.finditer(text):
        around = text[max(match.start() - _NEAR, 0) : match.end() + _NEAR]
        if _GOVERNS.search(around):
            return str(next(filter(None, match.groups())))
    return None


def term_in(text: str) -> Duration | None:
    """Return how long the contract lasts: the sentence that says it most clearly, the first of several."""
    found = list(_terms(text))
    return max(found, key=lambda pair: pair[0])[1] if found else None


def _terms(text: str) -> Iterator[tuple[int, Duration]]:
    for sentence in sentences_of(text):
        durations = [one for one in durations_in(sentence) if one.unit != "day"]
        if any_of("contract", "notice").search(sentence):
            continue
        if not durations or any_of("contract", "not_the_term").search(sentence) or _OF_EACH.search(sentence):
            continue
        subject = any_of("contract", "agreement").search(sentence)
        lasts = any_of("contract", "lasts").search(sentence)
        term = any_of("contract", "term").search(sentence)
        if _STRONG.search(sentence) or (term and 0 <= durations[0].start - term.end() <= _CLOSE):
            yield 4, durations[0]
        elif subject and (lasts or term):
            of_contract = re.search(r"(?i)\b(?:this|the)\s+(?:letter\s+)?(?:agreement|contract)\b", sentence)
            yield 3 if of_contract and lasts else 2, durations[0]
        elif any_of("contract", "secret").search(sentence) and _PERIOD_OF.search(
            sentence, 0, durations[0].start + 1
        ):
            yield 1, durations[0]


def notice_in(text: str) -> Duration | None:
    """Return how long before the end a party must give notice."""
    for sentence in sentences_of(text):
        notice = any_of("contract", "notice").search(sentence)
        if notice is None:
            continue
        near = [
            one
            for one in durations_in(sentence)
            if one.start - notice.end() < _AFTER and notice.start() - one.end < _AFTER
        ]
        if near:
            return min(
                near, key=lambda one: min(abs(one.start - notice.end()), abs(notice.start() - one.end))
            )
    return None
