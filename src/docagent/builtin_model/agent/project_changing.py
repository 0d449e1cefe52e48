"""Reads requests that change, move, rename or remove something that exists."""

from __future__ import annotations

import re
from typing import Literal

from docagent.builtin_model.agent import project_intent_text as texts
from docagent.builtin_model.agent.clauses import listed
from docagent.builtin_model.agent.kept_text import holds_sign
from docagent.builtin_model.agent.project_clause import EVERY, IN_PLACE, LINE, Clause
from docagent.builtin_model.agent.project_known import HERE
from docagent.builtin_model.agent.project_places import Place, names_section, splits
from docagent.builtin_model.agent.project_wishes import (
    DeleteDoc,
    MoveSection,
    RemoveSection,
    RenameDoc,
    RenameSection,
    ReplaceBody,
    ReplaceText,
    Vague,
)
from docagent.builtin_model.agent.wishes import CallIt, Wish

REMOVE = (
    r"(?:delete|remove|erase|drop|get rid of|throw (?:away|out)|scrap|discard|cut|strike|bin|kick out|take out|trash"
    r"|wipe|purge|ditch|dump)"
)
CHANGE = r"(?:replace|change|correct|swap|exchange|switch|update|fix|turn|convert|adjust|modify|edit|set|alter|amend)"
_FROM_PLACE = re.compile(r"\s(?:from|out of|off|in|inside|within|of)\s", re.I)
_EVERYTHING = re.compile(
    r"(?:everything|all|all (?:the )?text|(?:the )?(?:whole |entire )?(?:text|contents?))", re.I
)
_SOME_PART = re.compile(r"(?:the |this |that |an? )?(?:section|chapter|heading|part|line|text)s?", re.I)
_EVERYWHERE = re.compile(
    r"(?P<new>.*?)(?<!\s)(?:\s*,)?\s*\b(?:everywhere|throughout|each time|wherever it (?:stands|occurs|appears))",
    re.I | re.S,
)
_ALL_OVER = r"\s(?:everywhere in|throughout|all over|across)\s"
_SAID_TO_BE_TEXT = re.compile(
    r"^(?:the |every |all )?(?:word|term|phrase|text|number|string|line|sentence)s? (?=\S)", re.I
)
_WHOLE_LINE = re.compile(
    r"(?:the |this |that )?(?:line|row|bullet(?: point)?|item|entry|point|todo|task|reminder)"
    r" (?:about|with|on|for|saying|mentioning|(?:that|which) (?:says|mentions)) (?P<text>\S.*)",
    re.I | re.S,
)
_SEVERAL_SECTIONS = re.compile(
    r"(?:the )?(?:(?:section|chapter|heading)s (?P<after>.+)|(?P<before>.+) (?:section|chapter|heading)s)",
    re.I | re.S,
)
_SETTING = re.compile(r"(?:the )?(?:name|title|standing instructions?|instructions?)\b", re.I)
_FIRST = re.compile(r"top|beginning|start|front|first", re.I)
_BEFORE = re.compile(r"before|above|in front of|ahead of|over", re.I)


# --- removing ------------------------------------------------------------------------------------------------------


def remove(clause: Clause) -> Wish | None:
    rest = clause.words("rest")
    document = clause.places.document(rest)
    if document is not None and not names_section(rest):
        return DeleteDoc("it" if document == HERE else clause.known.said_name(clause.text(rest)))
    for thing, where in splits(_FROM_PLACE, rest):
        place = clause.places.place(where)
        wish = None if place is None else _removal(clause, thing, place)
        if wish is not None:
            return wish
    lone = clause.places.lone_section(rest)
    if lone is not None and lone.section:
        return RemoveSection(lone.document, lone.section)
    if _SOME_PART.fullmatch(rest):
        return Vague(HERE)
    holder = clause.places.holding(clause.text(rest)) if holds_sign(rest) else None
    return None if holder is None else _text_removal(clause, holder, rest, every=False)


def empty(clause: Clause) -> Wish | None:
    place = clause.places.place(clause.words("what"))
    return None if place is None else ReplaceBody(place.document, "", place.section)


def _removal(clause: Clause, thing: str, place: Place) -> Wish | None:
    if place.section is None:
        several = _several_sections(clause, thing, place.document)
        if several:
            return RemoveSection(place.document, several[0], several[1:])
        title = clause.places.section(thing, place.document)
        if title:
            return RemoveSection(place.document, title)
        if _EVERYTHING.fullmatch(thing):
            return ReplaceBody(place.document, "")
    content, about = clause.known.content(place.document), _WHOLE_LINE.fullmatch(thing)
    line_about = texts.line_with(content, clause.text(about["text"])) if about and content else None
    if content and line_about:
        return ReplaceText(place.document, texts.with_its_end(content, line_about), "")
    every = re.match(rf"{EVERY}\s+(?=\S)", thing, re.I)
    words = thing[every.end() :] if every else thing
    line = LINE.fullmatch(words)
    words = line["text"] if line and line["text"] else words
    return _text_removal(clause, place.document, words, every=every is not None)


def _several_sections(clause: Clause, thing: str, document: str) -> tuple[str, ...]:
    """Read `the sections A and B`, if there are such."""
    match = _SEVERAL_SECTIONS.fullmatch(thing)
    names = listed(clause.said.back(match["after"] or match["before"])) if match else []
    titles = [clause.known.section(name, document) for name in names]
    return tuple(title for title in titles if title) if all(titles) else ()


def _text_removal(clause: Clause, document: str, words: str, *, every: bool) -> Wish | None:
    content, text = clause.known.content(document), clause.text(words)
    found = texts.as_it_stands(content, text)
    if found is None and not holds_sign(words):
        return None
    return ReplaceText(document, texts.whole_point(content, found or text), "", every)


# --- changing text -------------------------------------------------------------------------------------------------


def change(clause: Clause) -> Wish | None:
    """`change a to b in Plan`. The shortest place is tried first, and no place last: the new words may hold an `in`."""
    old, new = clause.words("old"), clause.words("new")
    if _SETTING.match(old):
        return None
    for words, where in [*reversed([*splits(IN_PLACE, f" {new}")]), (new, "")]:
        document = clause.places.document(where) if where else None
        if where and document is None:
            continue
        everywhere = _EVERYWHERE.fullmatch(words)
        every = bool(clause.words("every") or everywhere or _is_all_over(new, where))
        wish = _replacement(clause, document, old, everywhere["new"] if everywhere else words, every=every)
        if wish is not None:
            return wish
    return None


def _is_all_over(new: str, where: str) -> bool:
    found = re.search(rf"{_ALL_OVER}{re.escape(where)}$", f" {new}", re.I) if where else None
    return found is not None


def substitute(clause: Clause) -> Wish | None:
    """`substitute new for old in Plan`, where the new words come first."""
    old, every = clause.words("old"), bool(clause.words("every"))
    for before, where in splits(IN_PLACE, f" {old}"):
        document = clause.places.document(where)
        if document is not None:
            return _replacement(clause, document, before, clause.words("new"), every=every)
    return _replacement(clause, None, old, clause.words("new"), every=every)


def _replacement(clause: Clause, document: str | None, old: str, new: str, *, every: bool) -> Wish | None:
    if document is None:
        old, document = _in_document(clause, old)
    old = _SAID_TO_BE_TEXT.sub("", old)
    wanted, written = clause.text(old), clause.text(new)
    if not wanted or not written:
        return None
    here = HERE if document is None else document
    value = None if holds_sign(old) else texts.with_value(clause.known.content(here), wanted, written)
    if value:
        return ReplaceText(here, *value)
    target = document if document is not None else clause.places.holding(wanted)
    content = None if target is None else clause.known.content(target)
    found = texts.as_it_stands(content, wanted)
    if target is not None and (found is not None or (holds_sign(old) and document is not None)):
        return ReplaceText(target, found or wanted, written, every)
    return None


def change_from(clause: Clause) -> Wish | None:
    """`update the rent in Budget from 1200 to 1300`: the number beside the word, wherever the place is named."""
    old = clause.text(clause.words("old"))
    new, document = _in_document(clause, clause.words("new"))
    thing, named = _in_document(clause, clause.words("thing"))
    target = document if document is not None else named
    target = target if target is not None else clause.places.holding(old)
    content = None if target is None else clause.known.content(target)
    found = texts.as_it_stands(content, old)
    if target is None or content is None or found is None:
        return None
    line = texts.line_with(content, thing, old) if content.count(found) > 1 else None
    if line is not None:
        return ReplaceText(target, line, line.replace(found, clause.text(new)))
    return ReplaceText(target, found, clause.text(new))


def _in_document(clause: Clause, words: str) -> tuple[str, str | None]:
    """Return the words before the document that they end with, and that document."""
    for before, after in splits(IN_PLACE, f" {words}"):
        document = clause.places.document(after)
        if document is not None:
            return before, document
    return words, None


def body(clause: Clause) -> Wish | None:
    """Replace the text below a heading."""
    place = clause.places.place(clause.words("place"))
    text = clause.text(clause.words("text"))
    return ReplaceBody(place.document, text, place.section) if place is not None and place.section else None


# --- names and order -----------------------------------------------------------------------------------------------


def rename(clause: Clause) -> Wish | None:
    old, new = clause.words("old"), clause.words("name")
    for name, where in splits(IN_PLACE, f" {new}"):
        document = clause.places.document(where)
        if document is not None and (section := clause.places.section(old, document)):
            return RenameSection(document, section, clause.text(name))
    document = clause.places.document(old) if old else HERE
    if document is not None and not names_section(old):
        return RenameDoc(document or "it", clause.text(new)) if new else Vague(document)
    place = clause.places.place(old)
    if place is None or place.section is None or not new:
        return None
    return RenameSection(place.document, place.section, clause.text(new))


def call_so(clause: Clause) -> Wish | None:
    """`call the budget Household`: the longest beginning that names a document is what is renamed."""
    words = clause.words("rest").split(" ")
    for end in range(len(words) - 1, 0, -1):
        document = clause.places.document(" ".join(words[:end]))
        name = clause.text(" ".join(words[end:]))
        if document is not None:
            return CallIt(name) if document == HERE else RenameDoc(document, name)
    return None


def move(clause: Clause) -> Wish | None:
    found = _moved(clause)
    if found is None:
        return None
    document, title, other = found
    if not other:
        return MoveSection(document, title, "top" if _FIRST.fullmatch(clause.words("where")) else "end")
    beside = clause.places.section(other, document)
    side: Literal["before", "after"] = "before" if _BEFORE.fullmatch(clause.words("where")) else "after"
    return MoveSection(document, title, side, beside) if beside else None


def _moved(clause: Clause) -> tuple[str, str, str] | None:
    """Return the document, the title of the section that is moved, and the words for the other section."""
    other, document = _in_document(clause, clause.words("other"))
    section, named = _in_document(clause, clause.words("section"))
    if clause.words("document"):
        document = clause.places.document(clause.words("document"))
        if document is None:
            return None
    document = document if document is not None else named
    lone = clause.places.lone_section(section) if document is None else None
    document = lone.document if lone else document
    title = None if document is None else clause.places.section(section, document)
    return (document, title, other) if document is not None and title is not None else None
