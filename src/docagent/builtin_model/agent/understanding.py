"""Turns a message into wishes: the examples that use every word of it, with their slots filled.

A message is a request only if nothing of it is left over. Else the closest example is a guess, told with what is left.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import lru_cache

from docagent.builtin_model.agent.examples import (
    Example,
    Language,
    joining_and_persons,
    known_words,
    languages,
    naming,
    verbs,
)
from docagent.builtin_model.agent.known import HERE, Known, near_names
from docagent.builtin_model.agent.said import Said, Token, readings
from docagent.reading.printed import squeezed

TALK = frozenset({"hello", "thanks", "no", "yes", "help", "who"})
_READS = (
    "show show_page show_text show_schema show_named_schema show_extraction summary pages about "
    "list_schemas list_prompts list_tags list_documents list changes stale do_for_others"
)
READS = TALK.union(_READS.split())
"""Intents that change nothing."""
_SLIP = 0.82
_LONGEST_WORD = 20
_AND = frozenset({"and", "then", ",", ";", "&", "und", "dann", "et", "puis", "y", "e", "luego", "."})
_FIRST = frozenset({"first", "next", "zuerst", "primero", "ensuite", "después", *_AND})
_LEFT_OVER = 4.0
_STOP = 0.02
_CLAUSE = 0.6
_LONGEST_UNKNOWN = 4
_LONGEST = {"text": 40, "old": 20, "value": 40, "fields": 30, "document": 8, "section": 8}
_LONGEST_NAME = 10
_MOST_CLAUSES = 8
_OF_A_WORD = 8
"""The work of laying a word of an example beside one of the message, measured in examples that are looked at."""
_SAID_OUT = frozenset({"text", "name", "fields", "field", "tag"})
_NAMES = frozenset({"name", "field", "fields", "tag", "schema", "prompt", "value"})
_QUOTABLE = _NAMES | {"text", "old", "quoted", "section", "other", "document"}


@dataclass(frozen=True, slots=True)
class Wish:
    intent: str
    slots: Mapping[str, str] = field(default_factory=dict)
    quoted: frozenset[str] = frozenset()
    """The slots that were given as quoted text or after a colon."""

    def __getitem__(self, slot: str) -> str:
        return self.slots.get(slot, "")


@dataclass(frozen=True, slots=True)
class Understood:
    wishes: tuple[Wish, ...] = ()
    guess: Wish | None = None
    """The request that fits best, if none fits whole."""
    unused: tuple[str, ...] = ()
    """The words that the guess leaves over."""
    cost: float = 0.0


def understand(message: str, place: str, known: Known | None = None) -> Understood:
    """Return what the message asks for."""
    budget = _Budget()
    found = [
        reader.understood()
        for said in readings(message)
        if said.may_be_request
        for language in languages()
        for reader in (_Reader(_joined(said, language), language, place, known or Known(), budget),)
    ]
    whole = [one for one in found if one.wishes]
    if whole:
        wishes = min(whole, key=lambda one: one.cost).wishes
        rest = tuple(wish for wish in wishes if wish.intent not in ("hello", "thanks"))
        return Understood(rest or wishes[:1])
    guesses = [one for one in found if one.guess]
    best = min(guesses, key=lambda one: one.cost, default=None)
    return Understood((), best.guess, best.unused) if best else Understood()


@dataclass(frozen=True, slots=True)
class _Fit:
    """How an example fits: what it costs, what it leaves over, and the places of its slots."""

    cost: float
    unused: tuple[int, ...] = ()
    slots: tuple[tuple[str, int, int], ...] = ()


@dataclass(slots=True)
class _Budget:
    """What may still be done for one message, counted in examples that are looked at.

    When it is used up nothing fits any more, and the message is not taken for a request.
    """

    left: int = 3_000_000

    def spend(self, work: int) -> bool:
        self.left -= work
        return self.left >= 0


_Split = tuple[float, tuple[tuple[_Fit, Example], ...]]
"""What it costs to read a message as one request after another, and the example of each."""


@dataclass(eq=False)
class _Reader:
    """Reads one message by one language's examples."""

    _said: Said
    _language: Language
    _place: str
    _known: Known
    _budget: _Budget
    _possible: dict[bool, list[Example]] = field(default_factory=dict, init=False)
    _spans: dict[tuple[str, int, int], float | None] = field(default_factory=dict, init=False)
    _splits: dict[tuple[int, int, int], _Split | None] = field(default_factory=dict, init=False)
    _clauses: dict[tuple[int, int, int], tuple[_Fit, Example] | None] = field(
        default_factory=dict, init=False
    )

    def understood(self) -> Understood:
        exact = self._read()
        if exact.wishes:
            return exact
        tokens = (replace(one, word=_nearest(one.word)) for one in self._said.tokens)
        corrected = replace(self._said, tokens=tuple(tokens))
        found = exact if corrected == self._said else replace(self, _said=corrected)._read()
        return replace(found, cost=found.cost + 0.5) if found.wishes else exact

    def _read(self) -> Understood:
        count = len(self._said.tokens)
        whole = self._split(0, count, 0) or self._split(0, self._before_reason(), 0)
        if whole is not None:
            cost, parts = whole
            wishes = tuple(self._wish(fit, example) for fit, example in parts)
            if not self._only_asks() or all(wish.intent in READS for wish in wishes):
                return Understood(wishes, cost=cost)
        best = self._best(0, count, 0)
        if best is None:
            return Understood()
        fit, example = best
        unused = tuple(self._said.between(place, place + 1) for place in fit.unused)
        return Understood((), self._wish(fit, example), unused, fit.cost)

    def _before_reason(self) -> int:
        """Return where a clause begins that only says why: after `so that`, with no name or request in it."""
        words = [one.word for one in self._said.tokens]
        for at in range(2, len(words)):
            if any(tuple(words[at : at + len(one)]) == one for one in self._language.reason):
                said = words[at:]
                is_plain = all(said) and verbs().isdisjoint(said) and self._known.name_words.isdisjoint(said)
                return at if is_plain and ":" not in words[:at] else 0
        return 0

    def _only_asks(self) -> bool:
        """Return whether it ends as a question and does not begin as a request, such as `could you`."""
        words = tuple(one.word for one in self._said.tokens)
        begins = range(min(3, len(words)))  # after a greeting, or `please`
        opened = any(words[at : at + len(one)] == one for one in self._language.opening for at in begins)
        return bool(words) and words[-1] == "?" and not opened

    def _split(self, start: int, end: int, verb: int) -> _Split | None:
        """Return the cheapest way to read these tokens as one request after another, each of them whole."""
        key = (start, end, verb)
        if key not in self._splits:
            self._splits[key] = self._cheapest_split(*key) if start < end else None
        return self._splits[key]

    def _cheapest_split(self, start: int, end: int, verb: int) -> _Split | None:
        tokens = self._said.tokens
        cuts = [at for at in range(start + 1, end - 1) if tokens[at].word in _AND and tokens[at].text is None]
        options: list[_Split] = []
        for cut in [end, *cuts[:_MOST_CLAUSES]]:
            first = self._best(start, cut, verb)
            if first is None or first[0].unused:
                continue
            begin = cut
            while begin < end and tokens[begin].word in _AND and tokens[begin].text is None:
                begin += 1
            if begin == end:
                options.append((first[0].cost, (first,)))
                continue
            has_verb = any(token.word in known_words() for token in tokens[start : start + 4])
            rest = self._split(begin, end, start if has_verb else verb) if cut < end else None
            if rest is not None:
                options.append((first[0].cost + _CLAUSE + rest[0], (first, *rest[1])))
        return min(options, key=lambda one: one[0], default=None)

    def _best(self, start: int, end: int, verb: int) -> tuple[_Fit, Example] | None:
        """Return the example that fits best. A later clause may go without its verb, which then is the one before."""
        key = (start, end, verb)
        if key not in self._clauses:
            start, end = self._trimmed(start, end)
            fits = list(self._fits(start, end, None))
            if verb < start and (not fits or all(fit.unused for fit, _ in fits)):
                words = [one.word for one in self._said.tokens]
                says = (at for at in range(verb, start) if words[at] not in self._language.stop)
                borrowed = self._fits(start, end, next(says, verb))
                fits += [(replace(fit, cost=fit.cost + 0.3), one) for fit, one in borrowed]
            self._clauses[key] = min(fits, key=lambda one: one[0].cost, default=None)
        return self._clauses[key]

    def _trimmed(self, start: int, end: int) -> tuple[int, int]:
        """Leave out the polite words at both ends."""
        words = [one.word if one.text is None else None for one in self._said.tokens]
        language = self._language
        again = True
        while again:
            again = False
            while start < end - 1 and (self._said.tokens[start].is_sign or words[start] in _FIRST):
                start += 1
            for phrase in language.opening:
                if tuple(words[start : start + len(phrase)]) == phrase and start + len(phrase) < end:
                    start, again = start + len(phrase), True
                    break
            for phrase in language.closing:
                if tuple(words[end - len(phrase) : end]) == phrase and end - len(phrase) > start:
                    end, again = end - len(phrase), True
                    break
            while end - 1 > start and self._said.tokens[end - 1].is_sign:
                end -= 1
            if words[start] in ("please", "pls", "bitte") and end - start > 1:
                start, again = start + 1, True
        return start, end

    def _fits(self, start: int, end: int, verb: int | None) -> Iterator[tuple[_Fit, Example]]:
        places = [*range(start, end)] if verb is None else [verb, *range(start, end)]
        tokens = [self._said.tokens[place] for place in places]
        words = {one.word for one in tokens if one.word}
        examples = self._examples(any(one.text is not None for one in tokens))
        if not self._budget.spend(len(examples)):
            return
        for example in examples:
            if all(not words.isdisjoint(needed) for needed in example.needed):
                fit = self._aligned(example, places)
                if fit is not None:
                    yield fit, example

    def _examples(self, has_quoted: bool) -> list[Example]:
        """Return those whose slots may be filled."""
        if has_quoted not in self._possible:
            lacking = [] if has_quoted else ["quoted"]
            lacking += [] if self._known.fields else ["known"]
            every = self._language.examples[self._place]
            self._possible[has_quoted] = [one for one in every if not any(map(one.needs, lacking))]
        return self._possible[has_quoted]

    def _aligned(self, example: Example, places: Sequence[int]) -> _Fit | None:
        """Lay the example along the tokens, every word of it in order; return the cheapest way."""
        count = len(places)
        if not self._budget.spend(_OF_A_WORD * count * len(example.elements)):
            return None
        row: list[_Fit | None] = [_Fit(0.0), *[None] * count]
        self._skip(row, places)
        verb = next((at for at, one in enumerate(example.elements) if one.words and not one.optional), 0)
        for number, part in enumerate(example.elements):
            following: list[_Fit | None] = list(row) if part.optional else [None] * (count + 1)
            for at, fit in enumerate(row[:count]):
                if fit is None:
                    continue
                if part.slot:
                    for to in range(at + 1, min(count, at + _LONGEST.get(part.slot, _LONGEST_NAME)) + 1):
                        cost = self._span(part.slot, places[at], places[to - 1] + 1)
                        # Nothing begins with an unknown name.
                        if cost is not None and (number > verb or cost < 1):
                            slots = (*fit.slots, (part.slot, places[at], places[to - 1] + 1))
                            _keep(following, to, _Fit(fit.cost + cost, fit.unused, slots))
                elif self._said.tokens[places[at]].word in part.words:
                    _keep(following, at + 1, fit)
            row = following
            self._skip(row, places)
        return row[count]

    def _skip(self, row: list[_Fit | None], places: Sequence[int]) -> None:
        """Pass over tokens that the example does not use: for little if they say nothing."""
        for at, place in enumerate(places):
            fit, token = row[at], self._said.tokens[place]
            if fit is None:
                continue
            if token.is_sign or token.word in self._language.stop:
                _keep(row, at + 1, replace(fit, cost=fit.cost + _STOP))
            else:
                cost = fit.cost + (2 if token.word in self._known.name_words else 1) * _LEFT_OVER
                _keep(row, at + 1, replace(fit, cost=cost, unused=(*fit.unused, place)))

    # What a slot may hold

    def _span(self, slot: str, start: int, end: int) -> float | None:
        key = (slot, start, end)
        if key not in self._spans:
            self._spans[key] = self._cost(slot, start, end)
        return self._spans[key]

    def _cost(self, slot: str, start: int, end: int) -> float | None:
        """Return what it costs to take these tokens for the slot, or None if they cannot be that."""
        tokens = self._said.tokens[start:end]
        if any(one.text is not None for one in tokens):
            return self._quoted_cost(slot, tokens)
        if slot == "quoted":
            return None
        if slot == "number":
            return 0.0 if len(tokens) == 1 and tokens[0].word.isdigit() else None
        if tokens[-1].is_sign or (tokens[0].is_sign and slot not in ("text", "value")):
            return None
        if slot == "document":
            return self._document_cost(start, end)
        if tokens[0].word in self._language.stop and slot not in ("text", "value"):
            return None
        if slot == "section":
            return self._section_cost(start, end)
        if slot == "known":
            return 0.0 if squeezed(self._said.between(start, end)) in self._known.fields else None
        if slot == "old":
            is_there = self._budget.spend(self._known.work) and self._known.holds(
                self._said.between(start, end)
            )
            return 0.4 if is_there else None
        return self._free_cost(slot, start, end)

    def _free_cost(self, slot: str, start: int, end: int) -> float | None:
        """Return what it costs to take plain words for the slot. Words that may join or place something cost more."""
        tokens = self._said.tokens[start:end]
        groups, stop = self._language.words, self._language.stop
        if slot in _SAID_OUT and all(one.word in self._language.vague or one.word in stop for one in tokens):
            return None
        nouns = groups["schema"] | groups["tag"]
        if slot in ("field", "fields") and any(one.word in nouns for one in tokens):
            return None
        if slot in _NAMES and not self._is_name(slot, tokens):
            return None
        names = self._names_in(start, end)
        if slot == "text" and (names or any(one.word in groups["section"] for one in tokens)):
            return None
        if slot == "text" and self._begins_with_title(start, end):  # `put Norway before Iceland` adds no text
            return None
        if slot == "name" and names and any(one.word in _AND for one in tokens):
            return None
        odd = sum(one.word in groups["delete"] or one.word in groups["rename"] for one in tokens[1:])
        if odd and slot in ("field", "fields", "tag", "name"):
            return None
        joins = 3 * sum(one.word in _AND for one in tokens) if slot not in ("fields", "tag") else 0
        joins += sum(one.word in groups["to"] for one in tokens) if slot not in ("text", "tag") else 0
        joins += sum(one.word in groups["in"] for one in tokens) if slot in ("field", "fields") else 0
        return (0.5 if slot == "text" else 0.3) + 0.1 * len(tokens) + odd + 0.4 * joins + names

    def _begins_with_title(self, start: int, end: int) -> bool:
        begins = (squeezed(self._said.between(start, to)) for to in range(start + 1, min(end, start + 4)))
        return not self._known.titles.isdisjoint(begins)

    def _is_name(self, slot: str, tokens: Sequence[Token]) -> bool:
        """Return whether these may be a new name: not the rest of a sentence, such as `for the client`."""
        # A field's name may itself be a sentence, such as `is paid`.
        is_flag = slot in ("field", "fields") and len(tokens) > 1 and tokens[0].word in ("is", "has", "was")
        words = [one.word for one in (tokens[1:] if is_flag else tokens)]
        joining, persons = joining_and_persons()
        if words[0] in joining or words[-1] in joining or not persons.isdisjoint(words):
            return False
        if slot == "name" and not naming().isdisjoint(words):  # `new with the name Plan` is more than a name
            return False
        if slot == "tag" and not (joining - _AND).isdisjoint(words):
            return False
        if words[0] in self._language.words.get(slot.removesuffix("s"), ()):  # `the label paid` is `paid`
            return False
        return len(words) == 1 or words[-1] not in verbs()

    def _section_cost(self, start: int, end: int) -> float | None:
        words = self._said.between(start, end)
        if squeezed(words) not in self._known.titles:
            return self._unknown(start, end, 2.6)
        return 0.8 if self._known.is_part_of_name(words) else 0.0

    def _unknown(self, start: int, end: int, cost: float) -> float | None:
        """Return what it costs to take the tokens for a name that does not exist. It is asked about, so it is short."""
        tokens, groups = self._said.tokens[start:end], self._language.words
        joins = _AND | groups["section"] | groups["in"]
        if len(tokens) > _LONGEST_UNKNOWN or self._names_in(start, end):
            return None
        return None if any(one.word in joins for one in tokens) else cost + 0.12 * len(tokens)

    def _quoted_cost(self, slot: str, tokens: Sequence[Token]) -> float | None:
        if len(tokens) > 1 or slot not in _QUOTABLE:
            return None
        text = tokens[0].text or ""
        if slot in ("text", "quoted", "value", "old"):
            return 0.0
        if (tokens[0].is_tail and ("\n" in text or len(text) > 100)) or not text.strip():
            return None
        if slot == "document":
            return 0.0 if squeezed(text) in self._known.names else 2.5
        return 0.2 if tokens[0].is_tail else 0.1

    def _document_cost(self, start: int, end: int) -> float | None:
        tokens = self._said.tokens[start:end]
        language, known = self._language, self._known
        if all(one.word in language.here or one.word in language.stop for one in tokens):
            return 0.1 if any(one.word in language.here for one in tokens) else None
        if squeezed(self._said.between(start, end)) in known.names:
            return 0.0
        name = self.document_name(start, end)
        if not name or tokens[0].word in language.stop:
            return None
        if squeezed(name) in known.names:
            return 0.05
        if known.is_part_of_name(name):
            return 0.6 + 0.1 * len(tokens)
        return self._unknown(start, end, 1.2 if near_names(name, list(known.names.values())) else 2.5)

    def document_name(self, start: int, end: int) -> str:
        """Return what is said of a document, without the words for documents around its name."""
        tokens = self._said.tokens
        nouns = self._language.words["document"] | self._language.stop | self._language.words["called"]
        while end > start and tokens[end - 1].text is None and tokens[end - 1].word in nouns:
            end -= 1
        while start < end and tokens[start].text is None and tokens[start].word in nouns:
            start += 1
        return self._said.between(start, end) if start < end else ""

    def _names_in(self, start: int, end: int) -> int:
        """Return how many documents are named in a text that would be kept: more likely they are meant."""
        if self._place != "project":
            return 0
        words = squeezed(self._said.between(start, end))
        whole = words in self._known.names
        return 0 if whole else sum(1 for name in self._known.names if len(name) > 3 and name in words)

    def _wish(self, fit: _Fit, example: Example) -> Wish:
        slots, quoted = {}, set()
        for slot, start, end in fit.slots:
            token = self._said.tokens[start]
            text = self._said.between(start, end)
            if slot == "document" and token.text is None:
                exact = self._known.names.get(squeezed(text))
                here = self._language.here | self._language.stop
                is_here = exact is None and all(one.word in here for one in self._said.tokens[start:end])
                text = HERE if is_here else exact or self.document_name(start, end)
            slots[slot] = text.strip() if slot not in ("text", "quoted", "value", "old") else text
            if token.text is not None:
                quoted.add(slot)
        if "known" in slots:
            slots["fields" if example.intent == "remove_fields" else "field"] = slots.pop("known")
        for kind in ("quoted", "old"):
            if kind in slots:
                slots["text"] = slots.pop(kind)
                quoted |= {"text"} if kind in quoted or kind == "quoted" else set()
        return Wish(example.intent, slots, frozenset(quoted))


def _keep(row: list[_Fit | None], at: int, fit: _Fit) -> None:
    present = row[at]
    if present is None or fit.cost < present.cost:
        row[at] = fit


def _joined(said: Said, language: Language) -> Said:
    """Take words that mean one thing together, such as `get rid of`, for one."""
    tokens: list[Token] = []
    at = 0
    while at < len(said.tokens):
        for length in range(min(4, len(said.tokens) - at), 1, -1):
            word = language.joined.get(tuple(one.word for one in said.tokens[at : at + length]))
            if word is not None:
                tokens.append(Token(word, said.tokens[at].start, said.tokens[at + length - 1].end))
                at += length
                break
        else:
            tokens.append(said.tokens[at])
            at += 1
    return Said(said.text, tuple(tokens))


@lru_cache(maxsize=4096)
def _nearest(word: str) -> str:
    """Return the word of the examples that this is a slip of, or the word. `renamed` is no slip of `rename`."""
    if len(word) <= 3 or not word.isalpha() or word in known_words():
        return word
    near = get_close_matches(word[:_LONGEST_WORD], known_words(), 2, _SLIP)
    return next((one for one in near if not word.startswith(one)), word)
