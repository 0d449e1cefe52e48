"""Patterns for schemas and their fields."""

from __future__ import annotations

import re

from docagent.builtin_model.agent.clauses import listed, unquoted
from docagent.builtin_model.agent.phrases import (
    ART,
    CALLED,
    DOC,
    MAKE,
    Rule,
    is_name,
    name_in,
    names_in,
)
from docagent.builtin_model.agent.typewords import CHOICE, TYPE, rows_of, type_in_words, type_of_name
from docagent.builtin_model.agent.wishes import (
    AddFields,
    CreateSchema,
    NewField,
    RemoveFields,
    RenameField,
    RetypeField,
    Wish,
)

_FIELD = r"(?:fields?|columns?|propert(?:y|ies)|attributes?|felder|feld)"
_WHERE = (
    r"(?: (?:to|in|into|from|of|on|for|zu|zum|aus) "
    r"(?P<where>(?:(?:the|each|every|this|our|my|all) )+.+|@.+|schema .+|it))?"
)
_TYPED = re.compile(
    rf"(?P<name>.+?)(?<!\s)(?:\s*\(\s*(?P<bracket>{TYPE}|{CHOICE})\s*\)"
    rf"|(?:\s+as|\s*:|\s+of\s+type|\s+being|\s+which\s+is|\s+with\s+type)\s+(?:an?\s+)?(?P<type>{TYPE}"
    rf"|{CHOICE}))",
    re.IGNORECASE,
)
_TYPE_FIRST = re.compile(
    rf"(?:a\s+|an\s+|the\s+)?(?P<type>{TYPE})\s+{_FIELD}\s+(?:called\s+|named\s+|for\s+)?(?P<name>.+)", re.I
)
_LIST_WITH = re.compile(
    r"(?:a\s+|the\s+)?(?:(?:list|table)\s+(?:of\s+|called\s+)?)?(?P<name>[\w -]+?)(?<!\s)\s+(?:with|having"
    r"|containing)"
    r"\s+(?:the\s+)?(?:columns?\s+|fields?\s+)?(?P<columns>.+)",
    re.IGNORECASE,
)
_NEW_FIELD = re.compile(
    rf"(?:(?:ein|eine|das|die|an?|the|one|another|more|new|some|these|two|three|extra|optional"
    rf"|also)\s+)*(?:{_FIELD}\s+)?"
    r"(?:called\s+|named\s+|for\s+|:\s*)?(?:(?:the|an?)\s+)?",
    re.IGNORECASE,
)


def new_fields(text: str) -> tuple[NewField, ...]:
    """Return the fields in a text such as `due date and vat id as text`; none if a part cannot be a name."""
    if (rows := _LIST_WITH.fullmatch(text)) and len(listed(rows["columns"])) > 1:
        columns = [
            (field.name, field.type or type_of_name(field.name))
            for field in map(_field, listed(rows["columns"]))
            if field
        ]
        return (NewField(rows["name"].strip(), rows_of(columns)),)
    if re.search(r"\b(?:one of|either|choice)\b", text, re.IGNORECASE):
        found = [_field(text)]
    else:
        found = [_field(part) for part in listed(text)]
    return tuple(field for field in found if field) if found and all(found) else ()


def _field(text: str) -> NewField | None:
    typed = _TYPE_FIRST.fullmatch(text) or _TYPED.fullmatch(text)
    kind = None
    name = text
    if typed is not None:
        words = typed.groupdict()
        kind = type_in_words(words.get("type") or words.get("bracket") or "")
        name = typed["name"]
    name = _NEW_FIELD.sub("", name, count=1)
    name = re.sub(rf"(?<!\s)\s+{_FIELD}$", "", name, flags=re.IGNORECASE)
    name = unquoted(name)
    return NewField(name, kind) if is_name(name) else None


def _add(match: re.Match[str]) -> Wish | None:
    fields = new_fields(match["names"])
    return AddFields(fields, name_in(match, "where")) if fields else None


def _create_schema(match: re.Match[str]) -> Wish | None:
    fields: tuple[NewField, ...] = ()
    if match["fields"]:
        fields = new_fields(match["fields"])
        if not fields:
            return None
    kind = name_in(match, "kind")
    name = name_in(match, "name") or (kind[:1].upper() + kind[1:] if kind else None)
    return CreateSchema(name, fields)


def _rename_field(match: re.Match[str]) -> Wish | None:
    old, new = name_in(match, "old"), name_in(match, "new")
    if old is None or new is None or not is_name(old):
        return None
    return RenameField(old, new, name_in(match, "where")) if is_name(new) else None


def _remove(match: re.Match[str]) -> Wish | None:
    names = names_in(match, "names")
    return RemoveFields(names, name_in(match, "where")) if names and all(map(is_name, names)) else None


def _retype(match: re.Match[str]) -> Wish | None:
    name, kind = name_in(match, "name"), type_in_words(match["type"])
    return RetypeField(name, kind) if name and kind and is_name(name) else None


def _create_schema_named(match: re.Match[str]) -> Wish | None:
    wish = _create_schema(match)
    early = name_in(match, "name2")
    return CreateSchema(early, wish.fields) if early and isinstance(wish, CreateSchema) else wish


CREATING: tuple[Rule, ...] = (
    Rule(
        rf"{MAKE} (?:me |us )?(?:(?:a|an|the|another|one|ein|das) )?(?:new |neues )?(?:suitable "
        rf"|fitting |good )?"
        r"(?:(?!json|extraction|schema)(?P<kind>[\w-]+(?: [\w-]+)?) )?(?:json |extraction )?schema"
        rf"(?: {CALLED} (?P<name2>.+?))?"
        rf"(?: (?:for|from|of|based on|out of|that fits|für|aus) (?:an? |the )?(?:{DOC}|[\w-]+(?: [\w-]+)?))?"
        rf"(?: (?:with|having|containing|that has|mit) (?:the |these |only )?(?:following"
        rf" )?(?:{_FIELD}:? )?(?P<fields>.+?))?"
        rf"(?: {CALLED} (?P<name>.+?))?(?: an)?",
        lambda m: _create_schema_named(m),
    ),
)

FIELDS: tuple[Rule, ...] = (
    Rule(
        rf"(?:change|set) (?:the )?(?:type of |kind of )(?:the )?(?:field )?(?P<name>.+?) (?:to|into"
        rf"|as) (?P<type>(?:an? )?(?:{TYPE}|{CHOICE}))",
        _retype,
    ),
    Rule(
        rf"(?:make|turn|convert|change|treat|set) {ART}(?:field )?(?P<name>.+?)(?: field)?(?: into| to"
        rf" be| to| as| be)?"
        rf" (?P<type>(?:an? )?(?:{TYPE}|{CHOICE}))",
        _retype,
    ),
    Rule(
        rf"{ART}(?P<name>.+?)(?: field)? (?:should be|must be|has to be|ought to be|needs to be|is)"
        rf" (?P<type>(?:an? |of type )(?:{TYPE})|{CHOICE})",
        _retype,
        tells=True,
    ),
    Rule(
        rf"(?:rename|change) (?:the )?(?:name of (?:the )?)?{_FIELD}(?: name)?(?: of| called| named)?"
        rf" (?P<old>.+?) (?:to|into|as|=>|->|→) "
        rf"(?P<new>.+?){_WHERE}",
        _rename_field,
    ),
    Rule(
        rf"rename {ART}(?P<old>.+?)(?: {_FIELD})? (?:to|into|as|=>|->|→) (?:the )?(?P<new>.+?){_WHERE}",
        _rename_field,
    ),
    Rule(rf"benenne {ART}(?:feld )?(?P<old>.+?) (?:in|zu) (?P<new>.+?)(?: um)?", _rename_field),
    Rule(
        rf"(?:remove|delete|drop|take out|get rid of|leave out|strip|erase|entferne|lösche|streiche)"
        rf" {ART}{_FIELD}:? (?P<names>.+?){_WHERE}",
        _remove,
    ),
    Rule(
        rf"(?:remove|delete|drop|take out|get rid of|leave out|strip|erase|entferne|lösche|streiche)"
        rf" {ART}(?P<names>.+?) {_FIELD}{_WHERE}",
        _remove,
    ),
    Rule(rf"(?:remove|drop|take out|leave out|strip|entferne|streiche) {ART}(?P<names>.+?){_WHERE}", _remove),
    Rule(rf"(?:füge|ergänze) (?P<names>.+?){_WHERE}(?: hinzu)?", _add),
    Rule(
        rf"(?:add|include|insert|append|introduce|create|make|also add|put in)(?: also| me)?"
        rf" (?P<names>(?:[\w/-]+ ){{0,4}}{_FIELD}:?(?: \S.*?)?){_WHERE}",
        _add,
    ),
    Rule(rf"(?:add|include|insert|append|introduce|put in)(?: also| in)? (?P<names>\S.*?){_WHERE}", _add),
    Rule(rf"new {_FIELD}:? (?P<names>\S.*?){_WHERE}", _add),
)
