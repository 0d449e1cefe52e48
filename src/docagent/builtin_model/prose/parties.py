"""Finds the parties of a contract: after `between`, and where it says what it calls them from then on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import takewhile

from docagent.builtin_model.prose.names import called, has_form, is_party, name_at
from docagent.reading.printed import fold, squeezed
from docagent.words import any_word, languages

_OPENING = 4000
"""How many characters the opening of a contract has at most."""
_LONGEST_DESCRIPTION = 500
"""What may stand between two parties: form, address, the name used from then on."""
_MOST = 8
_PARTIES = re.compile(r"\bPARTIES\s*:")
_QUOTED = re.compile(r"[\u201c\"\u201e\u00ab]\s?([^\u201c\u201d\"\u00bb]{2,40}?)\s?[\u201d\"\u201c\u00bb]")
_BRACKETED = re.compile(
    r"\((?:(?:the|hereinafter|der|die|das|le|la|el|il|lo|o|a|de|den)\s+(?=\w)|(?=[A-Z\u00c0-\u017d]))([\w&-]+)\)"
)
_ENDS = re.compile(
    r"(?:(?<=\w{4})|(?<=[\d)\u201d\"]))(?<![A-Z])(?<!\bCorp)\.\s+[A-Z]"
    r"|\bWHEREAS\b|\bRECITALS?\b|\bEffective\b|\bTABLE OF\b"
)
"""Behind a word of a few letters, a point shortens it: of a street, of a firm."""
_NAME_STARTS = re.compile(r"(?<![\w\u2019'-])(?<!\ba )(?<!\ban )[A-Z0-9]")
_CALLED = re.compile(
    r"[^()\u201c\"]{0,160}[(-][^()]{0,120}?[\u201c\"\u201e\u00ab](?P<role>[^\u201d\"\u00bb]{2,40})[\u201d\"\u201c\u00bb]"
)
_CALLED_AT_ONCE = re.compile(
    r"\s*+[-\u2013(,]?\s*+(?:(?:the|hereinafter|hereafter|im Folgenden|ci-apr\u00e8s|en adelante|di seguito)\s+)?"
    r"[\u201c\"\u201e\u00ab](?P<role>[^\u201d\"\u00bb]{2,40})[\u201d\"\u201c\u00bb]"
)
_SIGNED = re.compile(r"/s/\s*")
_SIGNED_FOR_A_FIRM = re.compile(r"\bBy\s?:?\s*$")
_ONE_SPEAKS = re.compile(
    r"\b(?:I|you)\s+(?:\w+\s+)?(?:agree|acknowledge|will)\b|\b(?:my|your) employment\b", re.IGNORECASE
)
_BESIDE_SIGNATURES = ("Print", "Name", "Title", "Date", "Dated", "Signature", "Witness")
_FEWEST_NAMES = 2


def parties_in(text: str, addressee: str | None = None) -> list[str]:
    """Return the names of the contract's parties, in the order of the text. A letter's other party is its addressee."""
    opening = text[:_OPENING]
    defined = {squeezed(match[1]) for regex in (_QUOTED, _BRACKETED) for match in regex.finditer(opening)}
    found: list[str] = []
    listed = _listed(opening, defined)
    for name in listed if len(listed) >= _FEWEST_NAMES else [*listed, *_with_a_role(opening)]:
        if is_party(name, defined) and not any(_same(name, other) for other in found):
            found.append(name)
    if len(found) == 1 and _ONE_SPEAKS.search(text):
        others = [addressee] if addressee and is_party(addressee, defined) else _signatories(text)
        found += [name for name in others if not _same(name, found[0])][:1]
    return found[:_MOST]


def _listed(opening: str, defined: set[str]) -> list[str]:
    """Return the names after the first `between` that names several, else any."""
    few: list[str] = []
    starts: list[tuple[re.Match[str], tuple[str, ...]]] = [
        (match, ("and",)) for match in _PARTIES.finditer(opening)
    ]
    for between, joints in _betweens().items():
        starts += [(match, joints) for match in any_word(between).finditer(opening)]
    for start, joints in starts:
        names = takewhile(
            lambda name: squeezed(name) not in defined, _names_from(opening, start.end(), joints)
        )
        parties = [name for name in names if is_party(name, defined)]
        if len(parties) >= _FEWEST_NAMES:
            return parties
        few = few or parties
    return few


@cache
def _betweens() -> dict[tuple[str, ...], tuple[str, ...]]:
    """Return what stands before the parties, with what stands between two of them in the languages that say so."""
    found: dict[tuple[str, ...], tuple[str, ...]] = {}
    for language in languages():
        contract = language.sections.get("contract", {})
        if "between" in contract:
            found[contract["between"]] = (*found.get(contract["between"], ()), *contract["and"])
    return found


def _names_from(opening: str, place: int, joints: tuple[str, ...]) -> Iterator[str]:
    """Yield the names of a list of parties, each with its description behind it."""
    joint = _joint(joints)
    place += len(opening[place:]) - len(opening[place:].lstrip(" :("))
    first = True
    while (match := name_at(opening, place)) is not None:
        end = _ENDS.search(opening, match.end(), match.end() + _LONGEST_DESCRIPTION)
        last = end.start() + 1 if end else match.end() + _LONGEST_DESCRIPTION
        start, stop = match.span("name")
        following = joint.search(opening, stop, last)
        if (
            following is not None
            and not has_form(opening[start:stop])
            and not opening[stop : following.start()].strip()
        ):
            whole = name_at(opening, following.end())
            next_joint = joint.search(opening, whole.end(), last) if whole else None
            if whole is not None and has_form(whole["name"]) and (next_joint is not None or not first):
                stop, following = whole.end(), next_joint
        yield opening[start:stop]
        if following is None:
            return
        place, first = following.end(), False


@cache
def _joint(joints: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(
        rf"(?:(?<=[\s,;)\u201d\"]))(?i:{'|'.join(joints)})\s+"
        r"(?=(?:the\s+)?(?:undersigned\s+)?(?:\(\d\)\s+)?[A-Z\u00c0-\u017d])"
    )


def _with_a_role(opening: str) -> Iterator[str]:
    """Yield who gets a name for the rest of the contract: `Acme Inc. of Ohio (the "Company")`, `Jo Roe ("Lessee")`."""
    place = 0
    while (start := _NAME_STARTS.search(opening, place)) is not None:
        match = name_at(opening, start.start())
        place = match.end() if match else start.end()
        if match is None:
            continue
        named = (_CALLED if has_form(match["name"]) else _CALLED_AT_ONCE).match(opening, match.end())
        if named is not None and set(re.findall(r"\w+", fold(named["role"]))) & called("roles"):
            yield match["name"]


def _signatories(text: str) -> Iterator[str]:
    """Yield the people who signed for themselves."""
    for mark in _SIGNED.finditer(text):
        match = name_at(text, mark.end())
        if match is not None and not _SIGNED_FOR_A_FIRM.search(text, 0, mark.start()):
            parts: list[str] = []
            for part in match["name"].split():
                if part in parts or part in _BESIDE_SIGNATURES:
                    break
                parts.append(part)
            if len(parts) > 1:
                yield " ".join(parts)


def _same(name: str, other: str) -> bool:
    """Return whether both are one party: a firm and its short form, or the same letters."""
    one, two = squeezed(name), squeezed(other)
    return one.startswith(two) or two.startswith(one)
