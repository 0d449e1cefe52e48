"""Reads requests that add something: text, a section, a document."""

from __future__ import annotations

import re

from docagent.builtin_model.agent.clauses import listed, unquoted
from docagent.builtin_model.agent.kept_text import SIGN, Said, holds_sign
from docagent.builtin_model.agent.phrases import CALLED
from docagent.builtin_model.agent.project_clause import LINE, NEW, TO_PLACE, Clause, without_tail
from docagent.builtin_model.agent.project_known import HERE, NOUN
from docagent.builtin_model.agent.project_places import Place, splits
from docagent.builtin_model.agent.project_wishes import AddSection, AddText, CreateDoc, Vague
from docagent.builtin_model.agent.wishes import Wish

ADD = r"(?:add|append|insert|put|write(?: down)?|include|save|note(?: down)?|jot down|enter|stick|attach)"
MAKE = r"(?:create|make|start|begin|draft|open|generate|prepare|set up|write|add|put together)"
_CONTAINER = re.compile(
    rf"(?P<object>.*?)(?<!\s)\s*\b(?:in|into|to|as|inside|on)\s+{NEW}\s+{NOUN}s?(?:\s+{CALLED}\s+(?P<name>.+?))?",
    re.I | re.S,
)
_WITH = (
    r"(?:\s+(?:with|saying|that says|containing)(?:\s+the)?(?:\s+(?:text|content|words))?\s+(?P<text>.+))?"
)
_NEW_SECTION = re.compile(
    r"(?:(?:an?|another|the|one more)\s+)?(?:(?:new|short|empty)\s+)*(?:section|chapter|heading)"
    r"(?:\s+(?:called|named|titled|on|about|for|with the (?:title|name|heading)))?(?:\s+(?P<title>.+?))?"
    + _WITH,
    re.I | re.S,
)
_SECTION_LAST = re.compile(
    r"(?:(?:an?|another|the|one more)\s+)?(?:(?:new|short|empty)\s+)*(?P<title>\S.*?)(?<!\s)"
    r"\s+(?:section|chapter|heading)" + _WITH,
    re.I | re.S,
)
_SEVERAL = re.compile(
    rf"{MAKE}\s+(?:me\s+|us\s+)?(?:\w+\s+)?(?:new\s+|empty\s+)?(?:document|doc|file|page|note)s"
    rf"(?:\s+(?:{CALLED}|for))?\s+(?P<names>\S.*)",
    re.I | re.S,
)
_ONLY_A_DOCUMENT = re.compile(rf"(?:me |us )?(?:{NEW} |the )?(?:(?:new|empty|blank) )*{NOUN}", re.I)
_SOME_THING = re.compile(rf"(?:me |us )?(?:{NEW}|my|our|new)\s+\S", re.I)
_NOTHING_SAID = re.compile(r"(?:it|this|that|these|something|more|stuff|things?|the following)", re.I)
_AT_THE_END = re.compile(r"(?<!\s)\s+(?:(?:in |to )?here|(?:at|to) the (?:end|bottom))$", re.I)
_OWN_THINGS = re.compile(r"(?:my|our)\s+\S", re.I)
_ARTICLE = re.compile(r"(?:an?|some|another|the)\s", re.I)


def add(clause: Clause) -> Wish | None:
    rest = clause.words("rest")
    words, tail = without_tail(rest)
    ways = [(rest, ""), (words, tail)] if tail else [(rest, "")]
    for thing, text in reversed(ways):
        made = _CONTAINER.fullmatch(thing)
        if made is not None:
            return _kept_in_new(clause, made, text)
    for thing, text in ways:
        for added, where in [*_placed_first(thing), *splits(TO_PLACE, f" {thing}")]:
            place = clause.places.place(where)
            wish = None if place is None else _addition(clause, added, place, text)
            if wish is not None:
                return wish
    return _addition_here(clause, words, tail)


def _placed_first(words: str) -> list[tuple[str, str]]:
    """Read `to Plan` in `add to Plan: …`, where the text comes after the place."""
    match = TO_PLACE.match(f" {words} ")
    return [("", words[match.end() - 1 :].strip())] if match else []


def _kept_in_new(clause: Clause, made: re.Match[str], text: str) -> Wish:
    """`put x in a document` makes one."""
    thing, name = (made["object"] or "").strip(), clause.text(made["name"] or "")
    content = clause.text(text) if text else clause.text(thing) if holds_sign(thing) else ""
    about = "" if holds_sign(thing) or _NOTHING_SAID.fullmatch(thing) else thing
    return CreateDoc(name, content, f"create {about}" if about else "")


def _addition(clause: Clause, thing: str, place: Place, tail: str) -> Wish | None:
    section = _NEW_SECTION.fullmatch(thing) or _SECTION_LAST.fullmatch(thing)
    if section is not None:
        return _new_section(clause, section, place, tail)
    line = LINE.fullmatch(thing)
    words = (line["text"] or "") if line else "" if _NOTHING_SAID.fullmatch(thing) else thing
    if words and tail:
        return None
    written = words or tail
    if not written:
        return Vague(place.document)
    return AddText(place.document, clause.text(written), place.section, holds_sign(written))


def _new_section(clause: Clause, match: re.Match[str], place: Place, tail: str) -> Wish:
    title, text = clause.text(match["title"] or ""), clause.text(match["text"] or tail)
    if not title and tail:
        title, text = clause.text(tail), ""
    return AddSection(place.document, title, text) if title else Vague(place.document)


def _addition_here(clause: Clause, words: str, tail: str) -> Wish | None:
    """Read an addition for which no place is named."""
    thing = _AT_THE_END.sub("", f" {words}").strip()
    if _NOTHING_SAID.fullmatch(thing) and not tail:
        return Vague(HERE)
    is_section = _NEW_SECTION.fullmatch(thing) is not None
    names_place = TO_PLACE.search(f" {thing} ") is not None
    if is_section or (
        not names_place and (holds_sign(thing) or LINE.fullmatch(thing) or _SECTION_LAST.fullmatch(thing))
    ):
        return _addition(clause, thing, Place(HERE), tail)
    if names_place:
        return None
    if clause.known.opened is None and _OWN_THINGS.match(thing):
        return CreateDoc("", clause.text(tail), clause.bare)
    if _ARTICLE.match(thing):
        return Vague(HERE)
    return AddText(HERE, clause.text(thing), None, False) if thing and not tail else None


def create(clause: Clause) -> Wish | None:
    """Create a document for which no name is given after a word such as called."""
    words, tail = without_tail(clause.words("rest"))
    content = clause.text(tail)
    if _ONLY_A_DOCUMENT.fullmatch(words):
        return CreateDoc("", content, "" if content else clause.bare)
    if _NEW_SECTION.fullmatch(words) or _SECTION_LAST.fullmatch(words) or not _SOME_THING.match(words):
        return None
    if clause.words("verb").lower() in ("add", "open", "put together"):
        return None
    if any(clause.places.place(where) for _, where in splits(TO_PLACE, words)):
        return None
    return CreateDoc("", content, clause.bare)


def create_named(clause: Clause) -> Wish | None:
    return CreateDoc(clause.text(clause.words("name")), clause.text(clause.words("text", "tail")))


def several_documents(text: str, said: Said) -> tuple[CreateDoc, ...]:
    """Read `create two documents: A and B`."""
    match = _SEVERAL.fullmatch(text.strip(" .!"))
    names = listed(said.back(match["names"])) if match else []
    if names and names[-1].endswith("?"):
        return ()
    return tuple(CreateDoc(unquoted(name)) for name in names) if len(names) > 1 else ()


NAMED = (
    rf"(?:{MAKE} (?:me |us )?(?:(?:{NEW}|new|the) )*|(?:a |another )?new ){NOUN} (?:{CALLED} )?"
    rf"(?P<name>{SIGN}|(?!(?:for|on|about|with|in|to|of|that|and)\b)[^\ue000]+?)"
    rf"(?: (?:with(?: the)?(?: (?:text|content|words))?|containing|that says|saying) (?P<text>.+)| (?P<tail>{SIGN}))?"
)
"""A new document with its name, and perhaps its text."""
