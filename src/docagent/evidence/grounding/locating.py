"""Chooses among the places of one value, and says how sure the choice is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from docagent.domain.documents.text import WordSource
from docagent.evidence.grounding.find import WEAK, Candidate, Scalar, find_candidates
from docagent.evidence.grounding.index import DocumentIndex
from docagent.evidence.grounding.labels import KnownLabels, Label, Surroundings, likeness
from docagent.evidence.grounding.model import GroundedWord, Grounding, MatchKind, Place, Reason, Signals
from docagent.reading.printed import (
    answer_of,
    answer_words,
    fold,
    mark_of,
    parse_date,
    parse_number,
    squeezed,
)

_BASE = {MatchKind.EXACT: 1.0, MatchKind.NORMALISED: 0.93, MatchKind.FUZZY: 0.6}
_TIE = 0.1
"""If the scores of two places differ by less than this, neither counts as better."""
_TELLING_LENGTH = 8
"""A text of so many letters needs no label to be proven. Numbers and dates always need one."""
_MOST_WEIGHED = 40
_MOST_ALTERNATIVES = 5
_LINES_UNDER_A_LABEL = 25
_FEW = 12
_LEAST_FLAG_LABEL = 0.3
_LEAST_WORD_LABEL = 0.6
_WIDGET = 0.25
"""Added for words in a form field: they are more likely meant than the words printed around it."""
_LEAST_SCORE = 0.7


@dataclass(slots=True)
class Option:
    """A candidate with its score."""

    candidate: Candidate
    label_agreement: float = 0.0
    score: float = 0.0

    @property
    def words(self) -> tuple[int, ...]:
        return self.candidate.words


@dataclass(frozen=True, slots=True)
class Question:
    """A value to be found, and the name of its field."""

    value: Scalar
    label: Label
    is_flag: bool = False


class Locator:
    """Finds values in one document, and remembers what it has looked up."""

    def __init__(self, index: DocumentIndex) -> None:
        self.index = index
        self._surroundings = Surroundings(index)
        self._candidates: dict[tuple[type, Scalar], list[Candidate]] = {}
        self._lines_named: dict[str, set[int]] = {}

    @cached_property
    def _with_hidden(self) -> Locator | None:
        """A locator that also sees hidden words; None if there are none."""
        index = self.index.with_hidden()
        return None if index is None else Locator(index)

    def candidates(self, question: Question) -> list[Candidate]:
        """Return every place of the value."""
        value = question.value
        known = self._candidates.get((type(value), value))
        if known is None:
            known = self._candidates[type(value), value] = find_candidates(self.index, value)
        return known

    def options(self, question: Question, *, near: Callable[[Candidate], bool] | None = None) -> list[Option]:
        """Return the places of the value, scored by the words around them. Of very many, those `near` come first."""
        lines = self._lines_naming(question.label) if len(self.candidates(question)) > _FEW else None
        options = []
        for candidate in self._shortlist(self.candidates(question), lines or set(), near):
            agreement = 0.0
            if lines is None or self.index.line_of[candidate.words[0]] in lines:
                agreement = question.label.agreement(self._surroundings.of(candidate.words))
            options.append(Option(candidate, agreement, self._base_score(candidate) + agreement))
        return options

    def places(self, question: Question) -> list[Option]:
        """Return all places of the value. If there are many, the words around them are not looked at."""
        if len(self.candidates(question)) <= _FEW:
            return self.options(question)
        return [
            Option(candidate, 0.0, self._base_score(candidate)) for candidate in self.candidates(question)
        ]

    def _base_score(self, candidate: Candidate) -> float:
        in_field = self.index.words[candidate.words[0]].source is WordSource.WIDGET
        return _BASE[candidate.form] * candidate.weight + (_WIDGET if in_field else 0.0)

    def answer(
        self,
        question: Question,
        extra: Callable[[Option], float] | None = None,
        *,
        near: Callable[[Candidate], bool] | None = None,
    ) -> tuple[Grounding, Option | None]:
        """Return the grounding, and the option it rests on. `extra` scores an option by its row and neighbours."""
        if question.is_flag:
            return self._flag(question)
        grounding, option = self._decide(question, self.options(question, near=near), extra)
        return (grounding, option) if option is not None else (self._if_hidden(question, grounding), None)

    def answer_within(self, question: Question, words: frozenset[int]) -> tuple[Grounding, Option] | None:
        """Return the grounding among words that a person pointed at; None if they do not say the value."""
        if question.is_flag:
            option: Option | None = Option(Candidate(tuple(sorted(words)), MatchKind.NORMALISED))
        else:
            here = [one for one in self.candidates(question) if words.issuperset(one.words)]
            best = max(here, key=self._base_score, default=None)
            option = None
            if best is not None:
                agreement = question.label.agreement(self._surroundings.of(best.words))
                option = Option(best, agreement, self._base_score(best))
        if option is None:
            return None
        signals = replace(self._signals(option, None), pointed=True)
        return Grounding(option.candidate.form, self._grounded(option.words), 1, (), signals), option

    def _if_hidden(self, question: Question, grounding: Grounding) -> Grounding:
        """Tell where a value that was not found stands in hidden text, or in a model's reading: both prove nothing."""
        if self._with_hidden is None:
            return grounding
        found, option = self._with_hidden.answer(question)
        if not found.located:
            return grounding
        words = self._with_hidden.index.words
        is_hidden = option is None or any(words[at].source is WordSource.HIDDEN for at in option.words)
        places = (Place(found.words[0].page, found.words), *found.alternatives)[:_MOST_ALTERNATIVES]
        signals = replace(found.signals, reason=Reason.HIDDEN if is_hidden else Reason.MODEL)
        return Grounding(
            MatchKind.UNPROVEN, candidates=found.candidates, alternatives=places, signals=signals
        )

    def _decide(
        self, question: Question, options: Sequence[Option], extra: Callable[[Option], float] | None = None
    ) -> tuple[Grounding, Option | None]:
        if not options:
            return unproven(Reason.NOT_FOUND), None
        scores = {id(option): option.score + (extra(option) if extra else 0.0) for option in options}
        ranked = sorted(options, key=lambda option: -scores[id(option)])
        best = ranked[0]
        if best.candidate.weight <= WEAK and scores[id(best)] < _LEAST_SCORE:
            return unproven(Reason.NOT_FOUND), None
        rivals = [
            option
            for option in ranked[1:]
            if scores[id(best)] - scores[id(option)] < _TIE
            and not set(option.words) & set(best.words)
            and not self._say_the_same(best.words, option.words)
        ]
        tied = bool(rivals) and not _is_telling(question.value)
        match = MatchKind.SEVERAL if tied else best.candidate.form
        others = [option for option in ranked[1:] if not set(option.words) & set(best.words)]
        grounding = Grounding(
            match,
            self._grounded(best.words),
            1 + len(others) + max(0, len(self.candidates(question)) - len(options)),
            tuple(self._place(option.words) for option in others[:_MOST_ALTERNATIVES]),
            self._signals(best, Reason.EQUAL_CANDIDATES if tied else None),
        )
        return grounding, best

    def _say_the_same(self, words: Sequence[int], others: Sequence[int]) -> bool:
        """True if the same words stand before both, as in a page's head, which is repeated on every page."""
        before, other_before = self._words_before(words[0]), self._words_before(others[0])
        return before == other_before and any(map(str.isalpha, before))

    def _words_before(self, number: int) -> str:
        start = max(self.index.lines[self.index.line_of[number]].start, number - 2)
        return " ".join(fold(self.index.words[each].text) for each in range(start, number))

    def _shortlist(
        self, candidates: list[Candidate], lines: set[int], near: Callable[[Candidate], bool] | None
    ) -> list[Candidate]:
        """Keep only the first of very many places: near ones, then those on or under a line that names the field."""
        if len(candidates) <= _MOST_WEIGHED:
            return candidates
        line_of = self.index.line_of
        close, named, others = [], [], []
        for candidate in candidates:
            if near is not None and near(candidate):
                close.append(candidate)
            elif line_of[candidate.words[0]] in lines:
                named.append(candidate)
                if near is None and len(named) == _MOST_WEIGHED:
                    return named
            else:
                others.append(candidate)
        return [*close, *named, *others][:_MOST_WEIGHED]

    def _lines_naming(self, label: Label) -> set[int]:
        """Return the lines with a word of the label, and the lines below, since a column may be long."""
        lines: set[int] = set()
        for word in label.weights:
            if word not in self._lines_named:
                self._lines_named[word] = self._lines_with(word)
            lines |= self._lines_named[word]
        return lines

    def _lines_with(self, word: str) -> set[int]:
        index = self.index
        lines = {
            index.line_of[number]
            for token, numbers in index.by_token.items()
            if likeness(word, token)
            for number in numbers
        }
        return {line + below for line in lines for below in range(_LINES_UNDER_A_LABEL)}

    def _flag(self, question: Question) -> tuple[Grounding, Option | None]:
        """Ground a yes or no by the check mark, or else the word, that stands beside its label."""
        said = question.value
        wanted = said if isinstance(said, bool) else answer_of(str(said)) or mark_of(str(said)) or False
        marks = [
            (question.label.agreement(self._surroundings.of((number,), of_mark=True)), number, state)
            for number, state in self.index.marks
        ]
        words = [
            (question.label.agreement(self._surroundings.of((number,))), number, state)
            for state, names in ((True, answer_words("yes")), (False, answer_words("no")))
            for name in names
            for number in self.index.by_token.get(name, ())
            if fold(self.index.words[number].text).strip(",;:()") == name
        ]
        marks.sort(key=lambda mark: -mark[0])
        words.sort(key=lambda word: -word[0])
        for found, least in ((marks, _LEAST_FLAG_LABEL), (words, _LEAST_WORD_LABEL)):
            if not found or found[0][0] < least:
                continue
            agreement, number, state = found[0]
            if state is not wanted:
                return unproven(Reason.CONTRADICTED), None
            rivals = [each for each in found[1:] if agreement - each[0] < _TIE / 2]
            doubt = any(other_state is not wanted for _, _, other_state in rivals)
            option = Option(Candidate((number,), MatchKind.NORMALISED), agreement, agreement)
            return Grounding(
                MatchKind.SEVERAL if doubt else MatchKind.NORMALISED,
                self._grounded((number,)),
                1 + len(rivals),
                tuple(self._place((other,)) for _, other, _ in rivals[:_MOST_ALTERNATIVES]),
                self._signals(option, Reason.EQUAL_CANDIDATES if doubt else None),
            ), option
        return unproven(Reason.NO_LABEL), None

    def _grounded(self, words: Iterable[int]) -> tuple[GroundedWord, ...]:
        index = self.index
        return tuple(
            GroundedWord(
                index.words[number].text, index.pages[index.page_of[number]].number, index.words[number].box
            )
            for number in words
        )

    def _place(self, words: tuple[int, ...]) -> Place:
        grounded = self._grounded(words)
        return Place(grounded[0].page, grounded)

    def _signals(self, option: Option, reason: Reason | None) -> Signals:
        words = [self.index.words[number] for number in option.words]
        recognised = [word.confidence for word in words if word.source is WordSource.OCR]
        return Signals(
            option.candidate.form,
            tuple(sorted({word.source for word in words})),
            min(recognised, default=None),
            option.label_agreement,
            reason,
        )


def unproven(reason: Reason) -> Grounding:
    return Grounding(MatchKind.UNPROVEN, signals=Signals(reason=reason))


def question_of(
    value: Any,
    path: Sequence[str | int] = (),
    schema: Mapping[str, Any] | None = None,
    label: str | None = None,
    shared: Mapping[str, int] | None = None,
    known: KnownLabels | None = None,
) -> Question | None:
    """Return what to look for; None if there is nothing to find: for null, blank text, objects and lists."""
    if value is None or isinstance(value, (dict, list)) or (isinstance(value, str) and not value.strip()):
        return None
    schema = schema or {}
    names = [part for part in path if isinstance(part, str)]
    roles = [("name", names[-1])] if names else []
    roles += [("parent", name) for name in names[-2:-1]]
    roles += [(role, schema[role]) for role in ("title", "description") if isinstance(schema.get(role), str)]
    if label:
        roles.append(("name", label))
    is_flag = isinstance(value, bool) or (isinstance(value, str) and mark_of(value) is not None)
    if schema.get("type") == "boolean" and isinstance(value, str):
        is_flag = is_flag or answer_of(value) is not None
    if is_flag:
        return Question(value, Label(roles, shared), is_flag)
    return Question(value, Label(roles) if known is None else known[tuple(roles)])


def locate(
    index: DocumentIndex,
    value: Scalar | None,
    *,
    label: str | None = None,
    path: Sequence[str | int] = (),
    schema: Mapping[str, Any] | None = None,
) -> Grounding | None:
    """Return where the value stands; None for null and blank text. Label, path and schema help to choose."""
    question = question_of(value, path, schema, label)
    return None if question is None else Locator(index).answer(question)[0]


def _is_telling(value: Scalar) -> bool:
    if not isinstance(value, str):
        return False
    return (
        len(squeezed(value)) >= _TELLING_LENGTH and parse_number(value) is None and parse_date(value) is None
    )
