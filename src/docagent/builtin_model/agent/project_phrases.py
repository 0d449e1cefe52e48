"""Patterns for wishes in a project. In the clauses, signs stand for text that is kept as it is."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from docagent.builtin_model.agent.clauses import unquoted
from docagent.builtin_model.agent.kept_text import Said, holds_sign
from docagent.builtin_model.agent.phrases import CALLED, spaced
from docagent.builtin_model.agent.phrases_questions import TALK
from docagent.builtin_model.agent.project_intent import read_known
from docagent.builtin_model.agent.project_known import Known
from docagent.builtin_model.agent.project_wishes import (
    AddSection,
    AddText,
    AskDocs,
    CreateDoc,
    DeleteDoc,
    ListDocs,
    Outline,
    RemoveSection,
    RenameDoc,
    ReplaceBody,
    ReplaceText,
    RestoreDoc,
    SetInstruction,
    ShowChanges,
    ShowDoc,
    ShowInstruction,
    ShowStale,
    ShowVersions,
    Unsure,
    UpdateStale,
)
from docagent.builtin_model.agent.wishes import CallIt, Wish

_LONGEST = 600
Caught = Callable[[str], str]
"""Returns what a group caught, with the kept text put back; empty if it caught nothing."""
Make = Callable[[Caught], Wish | None]


@dataclass(frozen=True, slots=True)
class Phrase:
    pattern: str
    """See `spaced`."""
    make: Make


_THE = r"(?:(?:the|my|our|this|that|a|an) )?"
_DOC = r"(?:document|doc|file|page|note)"
_X = rf"(?:(?:the|my|our) )?(?:{_DOC} )?(?:{CALLED} )?(?P<x>(?!(?:section|chapter|heading|part)\b).+?)(?: {_DOC})?"
"""Matches a document's name as the user gives it."""
_SECTION = (
    r"(?:the )?(?:section|chapter|heading|part)s?(?: (?:called|named|titled|on|about))? (?P<section>.+?)"
)
_SECTION_AFTER = r"(?:the )?(?P<section2>.+?) (?:section|chapter|heading|part)"
_TEXT = r"(?P<text>.+)"
_SHOW = r"(?:show|read|open|display|print|view|see|give)(?: me| us)?"
_ADD = r"(?:add|append|insert|put|write|include|save|note)"
_DELETE = r"(?:delete|remove|erase|drop|get rid of|throw away)"
_OLD = r"(?:stale|outdated|out of date)"
_PASSAGES = r"(?:passages?|citations?|quotes?|figures?|values?)"
_STALE = rf"{_OLD} {_PASSAGES}"
_INSTRUCTION = r"(?:standing )?instructions?"


def _section(caught: Caught) -> str:
    return caught("section") or caught("section2")


def _show(caught: Caught) -> Wish | None:
    name = caught("x")
    return None if re.search(r"\b(?:about|say|says)\b", name) else ShowDoc(name)


def _replace(caught: Caught) -> Wish | None:
    return ReplaceText(caught("x"), caught("old"), caught("new")) if caught("old") else None


def _restore(caught: Caught) -> Wish:
    return RestoreDoc(caught("x"), int(caught("version")))


def _create(caught: Caught) -> Wish | None:
    name = re.sub(r"^(?:about|on|for)\s+", "", caught("x"), flags=re.IGNORECASE)
    return CreateDoc(name, caught("text") or caught("text2")) if name else None


PHRASES: tuple[Phrase, ...] = (
    Phrase(
        rf"(?:which|what|{_SHOW}|list|how many|are there(?: any)?|do we have(?: any)?)(?: are)? (?:all )?(?:of )?"
        rf"{_THE}(?:other )?(?:documents|docs|files|pages|notes)"
        r"(?: (?:do (?:we|i|you) have|are there|exist|there are|we have|is there|are in .+|in .+|of .+|here))?"
        r"(?: (?:here|there|so far|now|yet|in .+))?",
        lambda _: ListDocs(),
    ),
    Phrase(
        rf"(?:update|refresh|renew|correct|fix) (?:all )?(?:the )?{_STALE}(?: (?:of|in|from) {_X})?",
        lambda caught: UpdateStale(caught("x") or None),
    ),
    Phrase(
        rf"(?:which|what|{_SHOW}|list|check|find|are there(?: any)?)(?: all)?(?: the)? "
        rf"(?:{_STALE}|{_PASSAGES} (?:(?:are|is|have become|became) )?{_OLD})(?: (?:of|in|from) {_X})?(?: are there)?",
        lambda caught: ShowStale(caught("x") or None),
    ),
    Phrase(
        r"what(?:'s| is) (?:in|inside) (?:the|this|our|my) project"
        rf"|(?:{_SHOW}|list) (?:everything|all)"
        r"(?: (?:of it|that is (?:t?here)|there is|(?:we|i)(?: have|'ve)(?: got)?))?|list",
        lambda _: ListDocs(),
    ),
    Phrase(
        rf"(?:what(?:'s| is)|{_SHOW}) (?:the )?{_INSTRUCTION} (?:of|for|in) {_X}",
        lambda caught: ShowInstruction(caught("x")),
    ),
    Phrase(
        rf"(?:which|what|{_SHOW}|list|how many) (?:are )?(?:all )?(?:the )?(?:versions|history|changes)"
        rf"(?: (?:are there|exist|do we have))?(?: (?:of|for|in|to) {_X}| does {_X.replace('<x>', '<y>')} have)"
        r"(?: (?:are there|exist|do we have))?",
        lambda caught: ShowVersions(caught("x") or caught("y")),
    ),
    Phrase(
        rf"(?:restore|bring back|go back to|revert to|return to|roll back to) version (?P<version>\d{{1,6}})"
        rf" (?:of|for|in) {_X}",
        _restore,
    ),
    Phrase(
        rf"(?:restore|revert|reset|set|roll(?: back)?|bring) {_X} (?:back )?to version (?P<version>\d{{1,6}})",
        _restore,
    ),
    Phrase(
        rf"(?:set|change|make|update) (?:the )?{_INSTRUCTION} (?:of|for|in) {_X} (?:to|as|into) ?:? ?{_TEXT}",
        lambda caught: SetInstruction(caught("x"), caught("text")),
    ),
    Phrase(
        rf"(?:set|change|update) (?:the )?{_INSTRUCTION} (?:of|for|in) (?P<x>.+?) (?P<text>\ue000\d+\ue001)",
        lambda caught: SetInstruction(caught("x"), caught("text")),
    ),
    Phrase(
        rf"(?:{_DELETE}|clear) (?:the )?{_INSTRUCTION} (?:of|for|from|in) {_X}",
        lambda caught: SetInstruction(caught("x"), ""),
    ),
    Phrase(
        r"(?:(?:create|make|begin|start)(?: me)? (?:(?:a|an|another|the) )?|(?:add|write) (?:a|another) )"
        rf"(?:new )?(?:empty )?{_DOC}"
        rf" (?:{CALLED}|for|on)? ?(?P<x>.+?)"
        rf"(?: (?:with|about|containing|that says|saying)(?: the)?(?: (?:text|content|words))? ?:? ?{_TEXT}"
        r"| (?P<text2>\ue000\d+\ue001))?",
        _create,
    ),
    Phrase(
        r"(?:create|make|start|new)(?: me)? (?:a |an )?(?:new )?"
        r"(?P<x>\ue000\d+\ue001|(?!(?:an?|the|another|new|empty)\b)\w[\w -]*?)"
        rf" {_DOC}"
        rf"(?: (?:with|about|containing|that says|saying)(?: the)?(?: (?:text|content|words))? ?:? ?{_TEXT}"
        r"| (?P<text2>\ue000\d+\ue001))?",
        _create,
    ),
    Phrase(
        rf"(?:add|create|insert|put|append) (?:a |an |another |the )?(?:new )?(?:section|chapter|heading)"
        rf"(?: {CALLED}| on| about| for)? (?P<section>.+?) (?:to|in|into|at the end of) {_X}"
        rf"(?: (?:with|saying|that says)(?: the)?(?: (?:text|content))? ?:? ?{_TEXT}| (?P<text2>\ue000\d+\ue001))?",
        lambda caught: AddSection(caught("x"), caught("section"), caught("text") or caught("text2")),
    ),
    Phrase(
        rf"(?:replace|rewrite|set|change|update) (?:{_SECTION}|{_SECTION_AFTER}) (?:of|in) {_X}"
        rf"(?: (?:with|by|to)(?: the text)? ?:? ?{_TEXT}| (?P<text2>\ue000\d+\ue001))",
        lambda caught: ReplaceBody(caught("x"), caught("text") or caught("text2"), _section(caught)),
    ),
    Phrase(
        rf"{_DELETE} (?:{_SECTION}|{_SECTION_AFTER}) (?:from|of|in) {_X}",
        lambda caught: RemoveSection(caught("x"), _section(caught)),
    ),
    Phrase(
        rf"{_ADD} (?P<text>.+) (?:to|under|in|into|below) (?:{_SECTION}|{_SECTION_AFTER}) (?:of|in) {_X}",
        lambda caught: AddText(caught("x"), caught("text"), _section(caught)),
    ),
    Phrase(
        rf"{_ADD}(?: this| the following)? (?:to|under|in|into|below) (?:{_SECTION}|{_SECTION_AFTER}) (?:of|in) {_X}"
        r" (?P<text>\ue000\d+\ue001)",
        lambda caught: AddText(caught("x"), caught("text"), _section(caught)),
    ),
    Phrase(
        rf"{_ADD}(?: this| the following)? (?:to|in|into|at the end of) {_X} (?P<text>\ue000\d+\ue001)",
        lambda caught: AddText(caught("x"), caught("text")),
    ),
    Phrase(
        rf"{_ADD} (?P<text>.+) (?:to|in|into|at the end of|on) {_X}",
        lambda caught: AddText(caught("x"), caught("text")),
    ),
    Phrase(
        rf"(?:replace|change|correct) (?P<old>\ue000\d+\ue001|.+?) (?:with|by|to|into) (?P<new>.+) in {_X}",
        _replace,
    ),
    Phrase(
        rf"in {_X},? (?:replace|change|correct) (?P<old>\ue000\d+\ue001|.+?) (?:with|by|to|into) (?P<new>.+)",
        _replace,
    ),
    Phrase(
        rf"(?:rewrite|overwrite|replace(?: the (?:whole )?(?:text|content) of)?|set the text of) {_X}"
        r" (?:(?:with|to|as|by) )?(?P<text>\ue000\d+\ue001)",
        lambda caught: ReplaceBody(caught("x"), caught("text")),
    ),
    Phrase(
        rf"rename {_X} (?:to|as|into) (?P<name>.+)", lambda caught: RenameDoc(caught("x"), caught("name"))
    ),
    Phrase(
        rf"(?:change|set) the (?:name|title) of {_X} (?:to|into) (?P<name>.+)",
        lambda caught: RenameDoc(caught("x"), caught("name")),
    ),
    Phrase(r"(?:call|name) it (?P<name>.+?)(?: instead)?", lambda caught: CallIt(caught("name"))),
    Phrase(
        rf"{_DELETE} (?P<old>\ue000\d+\ue001) (?:from|in) {_X}",
        lambda caught: ReplaceText(caught("x"), caught("old"), ""),
    ),
    Phrase(
        rf"(?:what (?:does|do)|does|where does) {_X} (?:say|tell(?: us| me)?|mention|contain|know)"
        r"(?: (?:something|anything))?(?: (?:about|on|of|regarding))? (?P<words>.+)",
        lambda caught: _ask(caught("words"), caught("x")),
    ),
    Phrase(
        rf"(?:search|look|find)(?: (?:for|up))? (?P<words>.+) in {_X}",
        lambda caught: _ask(caught("words"), caught("x")),
    ),
    Phrase(r"(?:search|look|find)(?: (?:for|up))? (?P<words>.+)", lambda caught: AskDocs(caught("words"))),
    Phrase(
        rf"{_SHOW} (?:the )?(?:text|content|contents) (?:of|in) {_X}", lambda caught: ShowDoc(caught("x"))
    ),
    Phrase(rf"{_SHOW} {_X}", _show),
    Phrase(rf"what(?:'s| is) in {_X}", lambda caught: ShowDoc(caught("x"))),
    Phrase(rf"(?:delete|erase|get rid of|throw away|remove) {_X}", lambda caught: DeleteDoc(caught("x"))),
)
_EVERY = re.compile(
    r"(?:it|they|the project|this project|(?:the |our |my |all )*(?:documents|docs|notes|files))", re.I
)
_HEDGED = re.compile(
    r"(?:maybe|perhaps|possibly|should|shall|might|may|(?:can|could|would|must)(?! you\b| u\b)|is it|are we"
    r"|do you think"
    r"|don't you think|i(?:'m| am| was| have been)? (?:think|thinking|guess|wonder|wondering|feel|unsure|not sure)"
    r"|what (?:about|if)|how about|it (?:should|could|might|would)"
    r"|we (?:should|could|might)|you (?:should|could|might) have|do(?:n't| not)|never|if|unless|why not)\b",
    re.IGNORECASE,
)
_REMARK = re.compile(
    r".+ (?:should have|could (?:have|include)|might (?:have|include)|ought to)\b.*", re.I | re.S
)
_CHANGE = re.compile(
    r"\b(?:add|append|insert|put|writ|includ|sav|creat|mak|start|delet|remov|eras|drop|clear|renam|call|replac|chang"
    r"|correct|set|rewrit|overwrit|restor|rever|updat|edit|modif)(?:e|es|ed|ing|t|s)?\b",
    re.IGNORECASE,
)
_ASKED_FOR = re.compile(
    r"(?:\W|please|so|ok(?:ay)?|and|then|hey|hi|hello)*(?:can|could|would|will) (?:you|u)\b", re.IGNORECASE
)
_READ_ONLY = (ListDocs, ShowDoc, ShowInstruction, ShowStale, ShowVersions, Outline, ShowChanges, AskDocs)
_QUESTION = re.compile(
    r"(?:(?:who|what|when|where|why|how)(?:'?(?:s|re|d|ll|ve))?|whom|whose|which|is|are|was|were|am|do|does|did|has|have"
    r"|had|will|any(?:one|body| idea)?|(?:is|are|was|were|do|does|did|has|have|can|could|would|should|will|wo)n't)\b",
    re.IGNORECASE,
)


def _ask(words: str, document: str) -> Wish:
    return AskDocs(words, None if _EVERY.fullmatch(document) else document)


def hedged(clause: str) -> bool:
    """Return whether the clause speaks of a change without asking for it."""
    start = re.sub(
        r"^(?:(?:well|so|and|or|but|hm+|ok(?:ay)?|also|then|please)[\s,]+)+", "", clause.strip(), flags=re.I
    )
    return bool(_HEDGED.match(start) or _REMARK.fullmatch(start))


def is_question(clause: str) -> bool:
    """Return whether the clause is a question: it is looked up in the documents and never changes anything."""
    return bool(_QUESTION.match(clause.strip()))


def is_asked_for(clause: str) -> bool:
    """Return whether the clause is a request that is put as a question."""
    return _ASKED_FOR.match(clause) is not None


def read_clause(clause: str, bare: str, said: Said, known: Known | None = None) -> Wish | None:
    """Return the wish of one clause. `bare` is the clause without polite words."""
    for rule in TALK:
        match = spaced(rule.pattern).fullmatch(clause.strip(" .!?,") if rule.whole else bare)
        if match is not None:
            return rule.wish(match)
    if not bare:
        return None
    asks = clause.rstrip().endswith("?")
    if hedged(clause):
        is_lookup = (asks or is_question(bare)) and not _CHANGE.search(clause)
        return AskDocs(said.back(bare)) if is_lookup else Unsure(said.back(clause))
    wish = _wish_in(bare, said, known) if len(bare) <= _LONGEST else None
    if isinstance(wish, _READ_ONLY):
        return wish
    if is_question(bare) or (asks and wish is None):
        return AskDocs(said.back(bare))
    return Unsure(said.back(clause)) if asks and wish is not None and not _ASKED_FOR.match(clause) else wish


def _wish_in(bare: str, said: Said, known: Known | None) -> Wish | None:
    wish = read_known(bare, said, known) if known is not None else None
    return wish or _phrase_in(bare, said)


def _phrase_in(bare: str, said: Said) -> Wish | None:
    for phrase in PHRASES:
        match = spaced(phrase.pattern).fullmatch(bare)
        if match is not None:
            wish = phrase.make(_caught(match, said))
            if wish is not None:
                return wish
    return None


def _caught(match: re.Match[str], said: Said) -> Caught:
    groups = match.groupdict()

    def one(name: str) -> str:
        part = (groups.get(name) or "").strip()
        return said.back(part) if holds_sign(part) else unquoted(part)

    return one


def examples(names: Sequence[str]) -> list[str]:
    """Return examples of what can be said here, with the name of a document that exists."""
    name = names[0] if names else "Plan"
    return [
        "which documents are there?",
        f"show {name}",
        "create a document called Minutes with: # Minutes",
        f"add “- call Ada” to {name}",
        f"add “- call Ada” to the section Next steps of {name}",
        f"replace “old words” with “new words” in {name}",
        f"what does {name} say about the budget?",
        f"set the standing instruction of {name} to: Keep it short.",
        f"rename {name} to Road map",
        f"restore version 1 of {name}",
        f"delete {name}",
    ]
