"""Joins the built-in model's voices: rules, and the network that was taught with made documents.

Where rules are silent, or clearly more on the page speaks for another value, the evidence chooses;
the network's word is part of it. Else what rules found is given, except names of which the network is very sure, and
what the other voice reads is kept as a rival.
How it came to each value is told with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from docagent import reader_model
from docagent.builtin_model import prose
from docagent.builtin_model.asked.concepts import Kind
from docagent.builtin_model.asked.fields import Schema
from docagent.builtin_model.page.sheet import Sheet
from docagent.builtin_model.tables.network_rows import are_whole, cells_for, empty_columns, network_rows
from docagent.builtin_model.values.candidates import Candidate
from docagent.builtin_model.values.choosing import Json
from docagent.builtin_model.values.evidence import Evidence, Proposals, scalars_in
from docagent.builtin_model.values.mentions import Mentions
from docagent.builtin_model.values.network import Asked, AskedRows, Path, Said, fields_of, said_by, same
from docagent.domain.documents.text import Page
from docagent.domain.extraction.voices import Heard, Voice, Voices
from docagent.domain.field_path import FieldPath
from docagent.jsonschema import resolved

_SURE = 0.99
"""Below this chance, as the network gives it, a list stays empty."""
_LIKELY = 0.5
"""Enough to agree with rules, or to doubt them."""
_CORRECTS = frozenset({Kind.NAME, Kind.ADDRESS, Kind.PHONE})
_SURE_AGAINST_RULES = 0.999
"""What the network must be sure of to speak against rules, and how sure, as the zoo's building half tells."""
_SURE_ALONE = 0.999
"""What fills a field by itself. Dates need more than that: every paper has one, and few questions tell which."""
_ENOUGH = 2.2
"""What the page must speak for a value that neither rules nor the network alone give: nine of ten such were right on
families that the score was not fitted on. What contracts say in sentences, rules find, or it is not there."""
_CLEARLY_MORE = 3.0
"""How much more the page must speak for another value than for the one that was found: seven of eight such were right
on families that the score was not fitted on."""
_NEVER_BY_EVIDENCE = frozenset({Kind.AMOUNT, Kind.NUMBER, Kind.PERCENT})
"""Where rules find no amount under a name, the paper seldom has it: others would be taken for it. Those that they find
they weigh against one another."""
_ONLY_RULES = Heard(Voice.RULES, Voices.ONLY_ONE)
_ONLY_NETWORK = Heard(Voice.NETWORK, Voices.ONLY_ONE)


@dataclass
class Joined:
    """What the voices say together, and by its path how each value was come to."""

    data: dict[str, Any]
    heard: dict[FieldPath, Heard] = field(default_factory=dict)
    evidence: Evidence | None = None


def joined(
    pages: Sequence[Page],
    sheet: Sheet,
    schema: Schema,
    filled: dict[str, Any],
    candidates: Mapping[Path, Sequence[Candidate]] | None = None,
) -> Joined:
    """Join what rules filled with what the network says. Without the network rules speak alone."""
    fields = list(fields_of(resolved(schema, schema), schema, filled))
    found = Joined(filled)
    for one in fields:
        found.heard |= dict.fromkeys(_paths_of_values(one), _ONLY_RULES)
    asked = {one.path: one for one in fields if isinstance(one, Asked) and one.has_words and not one.is_list}
    said_by_rules = Proposals(candidates or {}, {path: one.value for path, one in asked.items()})
    found.evidence = Evidence(
        Mentions(sheet), {path: one.field for path, one in asked.items()}, said_by_rules
    )
    if not reader_model.is_available():
        return found
    single = [one for one in fields if isinstance(one, Asked) and one.has_words]
    answers = reader_model.answer(pages, [one.question for one in single])
    network: dict[Path, Sequence[Said]] = {}
    by_rules = [one.value for one in single if not one.is_list]
    for one, spans in zip(single, answers, strict=True):
        said = said_by(spans, one.field, sheet)
        if not one.is_list:
            network[one.path] = said
        if one.is_open:
            if one.is_list:
                _hear_list(found, one, said)
            else:
                _hear_one(found, one, said[:1], by_rules)
    found.evidence = found.evidence.with_proposals(replace(said_by_rules, network=network))
    _veto_twice(found, single)
    choose_by_evidence(found, found.evidence)
    lists = [one for one in fields if isinstance(one, AskedRows)]
    for rows in lists:
        _hear_rows(found, rows, pages, sheet, is_only_list=len(lists) == 1)
    return found


def _hear_one(found: Joined, one: Asked, said: Sequence[Said], by_rules: Sequence[Json]) -> None:
    """Tell whether the network reads the same as rules, and take its word for names of which it is very sure.

    What rules found for another field it may not take: they know better who sells and who buys.
    """
    path = FieldPath(one.path)
    likely = next((best for best in said if best.chance >= _LIKELY), None)
    if likely is None:
        return
    if one.is_empty:
        if likely.chance >= _SURE_ALONE and one.field.kind is not Kind.DATE:
            _put(found.data, one.path, likely.value)
            found.heard[path] = _ONLY_NETWORK
    elif same(one.value, likely.value):
        found.heard[path] = Heard(Voice.BOTH, Voices.AGREE)
    elif _corrects(one, likely) and not any(same(likely.value, other) for other in by_rules):
        _put(found.data, one.path, likely.value)
        found.heard[path] = Heard(Voice.NETWORK, Voices.DIFFER, (one.value,))
    else:
        found.heard[path] = Heard(Voice.RULES, Voices.DIFFER, (likely.value,))


def _corrects(one: Asked, said: Said) -> bool:
    return one.field.kind in _CORRECTS and said.chance >= _SURE_AGAINST_RULES


def choose_by_evidence(found: Joined, evidence: Evidence) -> None:
    """Give what the page speaks for where nothing or clearly less was found, the surest first.

    One value answers one field. Where an address begins and ends, rules know best.
    """
    given = scalars_in(found.data, evidence.fields)
    before = dict(given)
    scored: list[tuple[float, Path, Json]] = []
    for path, asked in evidence.fields.items():
        left_alone = asked.kind in _NEVER_BY_EVIDENCE or asked.key in prose.KEYS
        if left_alone or (path in given and asked.kind is Kind.ADDRESS):
            continue
        least = evidence.score(path, given[path], given) + _CLEARLY_MORE if path in given else _ENOUGH
        weighed = ((evidence.score(path, one, given), path, one) for one in evidence.candidates(path))
        scored += [one for one in weighed if one[0] >= least]
    for _, path, value in sorted(scored, key=lambda one: -one[0]):
        if given.get(path) == before.get(path) and not any(same(value, other) for other in given.values()):
            given[path] = value
            _put(found.data, path, value)
            said = (evidence.proposals.network or {}).get(path, ())
            only = _ONLY_NETWORK if any(same(value, one.value) for one in said) else _ONLY_RULES
            rivals = (before[path],) if path in before else ()
            found.heard[FieldPath(path)] = Heard(only.voice, Voices.DIFFER, rivals) if rivals else only


def _hear_list(found: Joined, one: Asked, said: Sequence[Said]) -> None:
    path = FieldPath(one.path)
    if one.is_empty:
        values = list(dict.fromkeys(best.value for best in said if best.chance >= _SURE))
        _put(found.data, one.path, values)
        found.heard |= {path / number: _ONLY_NETWORK for number in range(len(values))}
        return
    likely = [best.value for best in said if best.chance >= _LIKELY]
    for number, value in enumerate(one.value if likely else ()):
        both = any(same(value, other) for other in likely)
        found.heard[path / number] = (
            Heard(Voice.BOTH, Voices.AGREE) if both else Heard(Voice.RULES, Voices.DIFFER)
        )


def _hear_rows(
    found: Joined, rows: AskedRows, pages: Sequence[Page], sheet: Sheet, *, is_only_list: bool
) -> None:
    """Take the network's cells for columns that rules left empty, and its rows for the only list that is asked for."""
    path = FieldPath(rows.path)
    empty = empty_columns(rows)
    if (rows.rows and not empty) or not (rows.rows or is_only_list):
        return
    seen = network_rows(pages, sheet, rows)
    if rows.rows:
        cells = cells_for(rows, seen, empty)
    else:
        seen = seen if are_whole(seen) else []
        _put(found.data, rows.path, seen)
        cells = [(number, name, value) for number, row in enumerate(seen) for name, value in row.items()]
    for number, name, value in cells:
        if value is not None:
            path.get(found.data)[number][name] = value
            found.heard[path / number / name] = _ONLY_NETWORK


def _veto_twice(found: Joined, fields: Sequence[Asked]) -> None:
    """Take back names of the network that another field has: who sells is not who buys."""
    names = [one for one in fields if one.field.kind is Kind.NAME and not one.is_list]
    for one in names:
        path = FieldPath(one.path)
        value = path.get(found.data)
        twice = any(same(value, FieldPath(other.path).get(found.data)) for other in names if other is not one)
        if twice and path in found.heard and found.heard[path].voice is Voice.NETWORK:
            _put(found.data, one.path, one.value)
            if one.is_empty:
                del found.heard[path]
            else:
                found.heard[path] = Heard(Voice.RULES, Voices.DIFFER, (value,))


def _paths_of_values(one: Asked | AskedRows) -> Iterator[FieldPath]:
    path = FieldPath(one.path)
    if isinstance(one, AskedRows):
        for number, row in enumerate(one.rows):
            yield from (path / number / name for name, value in row.items() if value is not None)
    elif one.is_list:
        yield from (path / number for number in range(len(one.value or ())))
    elif not one.is_empty:
        yield path


def _put(data: dict[str, Any], path: Path, value: Any) -> None:
    for name in path[:-1]:
        data = data[name]
    data[path[-1]] = value
