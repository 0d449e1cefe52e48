"""Patterns for wishes that change anything but a schema: documents, tags, prompts, values."""

from __future__ import annotations

import re

from docagent.builtin_model.agent.phrases import (
    CALLED,
    DOC,
    MAKE,
    THIS_DOC,
    Rule,
    is_name,
    name_in,
    names_in,
)
from docagent.builtin_model.agent.wishes import (
    CallIt,
    CreatePrompt,
    CreateTag,
    Delete,
    RenameDocument,
    RenameThing,
    Run,
    SetUp,
    SetValue,
    TagAlike,
    TagDocument,
    Thing,
    UntagDocument,
    UseNewVersion,
    ValidateExtraction,
    Wish,
)

_DELETE = r"(?:delete|remove|drop|erase|get rid of|throw away|lösche|entferne)"
_THING = r"(?P<thing>schema|prompt|tag|document|file|schemas|prompts|tags)"
_WRONG = re.compile(
    r"(?:wrong|incorrect|missing|not .+|empty|false|unclear|there|here|correct|right|where .*|what .*)$", re.I
)
_NOTHING = re.compile(r"(?:empty|nothing|null|none|blank|leer)", re.IGNORECASE)


def _thing(match: re.Match[str]) -> Thing:
    named: dict[str, Thing] = {"schema": "schema", "prompt": "prompt", "tag": "tag"}
    return named.get(match["thing"].lower().removesuffix("s"), "document")


def _delete(match: re.Match[str]) -> Wish | None:
    thing, name = _thing(match), name_in(match, "name")
    if thing == "tag" and match["verb"].lower() != "delete" and match["verb"].lower() != "lösche":
        return UntagDocument((name,)) if name else None
    return Delete(thing, name)


def _rename_thing(match: re.Match[str]) -> Wish | None:
    thing, old, new = _thing(match), name_in(match, "old"), name_in(match, "new")
    if new is None:
        return None
    if thing == "document":
        return RenameDocument(new)
    return RenameThing(thing, old, new)


def _set(match: re.Match[str]) -> Wish | None:
    name, value = name_in(match, "name"), match["value"].strip()
    if name is None or not is_name(name, 8):
        return None
    return SetValue(name, None if _NOTHING.fullmatch(value) else value)


def _correct(match: re.Match[str]) -> Wish | None:
    return None if _WRONG.fullmatch(match["value"]) else _set(match)


def _clear(match: re.Match[str]) -> Wish | None:
    name = name_in(match, "name")
    return SetValue(name, None) if name and is_name(name, 8) else None


_ON_DOC = rf"(?: (?:to|on|onto|from|off|of|for|in) {DOC})?"
_AGAIN = (
    rf"(?: (?:again|once more|once again|now|anew|over|nochmal|erneut|please|on {DOC}|for {DOC}|with it))*"
)

WHOLE: tuple[Rule, ...] = (
    Rule(
        rf"(?:set|get) (?:(?:{DOC}|everything|all|things|all of this) )?up(?: (?:{DOC}|everything))?"
        rf"(?: for extraction| properly)?(?: (?:as|{CALLED}) (?P<name>.+))?",
        lambda m: SetUp(name_in(m, "name")),
    ),
    Rule(
        r"(?:extract|read out|pull out|pull|get|capture|grab|collect) (?:me )?(?:all )?(?:of )?(?:the "
        r"|its |all )*"
        r"(?:(?:important|relevant|key|main) )?(?:data|information|info|fields|values|everything"
        r"|details|content|facts)"
        rf"(?: (?:from|of|in|out of) {DOC})?",
        lambda _: SetUp(or_run=True),
    ),
    Rule(rf"(?:extract|process|analy[sz]e|handle|parse)(?: (?:from )?{DOC})?", lambda _: SetUp(or_run=True)),
    Rule(r"richte? (?:(?:das|dies|es|alles|dieses|diese)(?: \w+)?) ein", lambda _: SetUp()),
    Rule(
        rf"(?:extrahiere|lies) (?:bitte )?(?:die |alle )?(?:daten|alles|informationen|felder)(?: aus(?:"
        rf" {DOC})?)?(?: aus)?",
        lambda _: SetUp(or_run=True),
    ),
    Rule(
        rf"{MAKE} (?:me )?(?:(?:a|an|the|another|ein|einen) )?(?:new )?(?:extraction )?prompt(?:"
        rf" {CALLED} (?P<name>.+?))?"
        rf"(?: (?:for|with|using|from) (?:(?:{DOC}|(?:the |this )?schema (?P<schema>.+?)|(?:the |this"
        rf" )?schema)))?"
        rf"(?: {CALLED} (?P<name2>.+))?",
        lambda m: CreatePrompt(name_in(m, "name") or name_in(m, "name2"), name_in(m, "schema")),
    ),
    Rule(
        r"(?:create|make|new|erstelle) (?:(?:a|an|the|another|ein|einen) )?(?:new )?(?:tag|label)(?:"
        r" (?:called|named|namens))? (?P<name>.+)",
        lambda m: CreateTag(name_in(m, "name") or ""),
    ),
    Rule(
        r"(?:validate|check|verify|prüfe) (?:the |this |current |my |die )*(?:extraction|results?"
        r"|extracted data|data|values|extraktion|daten)"
        r"(?: against .+| with .+)?",
        lambda _: ValidateExtraction(),
    ),
    Rule(
        r"(?:is|are) (?:the |this )?(?:extraction|results?|data|values) (?:valid|correct|ok|okay|right)",
        lambda _: ValidateExtraction(),
    ),
)


_ALIKE = (
    r"(?:(?:all|every) (?:the )?(?:other )?(?:documents?|files?|papers?|ones?) like (?:this|it|that)(?: one)?"
    r"|all(?: of them| of these)?|them|these|those)"
)

THINGS: tuple[Rule, ...] = (
    Rule(
        rf"(?:tag|label|mark|tagge|markiere) {_ALIKE}(?: (?:as|with|under|als|mit))?(?: the)?(?: tags?)? (?P<names>.+)",
        lambda m: TagAlike(names_in(m, "names")),
    ),
    Rule(
        rf"(?:tag|label|mark|file|tagge|markiere|kennzeichne) {DOC} (?:as|with|under|als|mit)(?:"
        rf" being)? (?:the )?(?:tags? )?(?P<names>.+)",
        lambda m: TagDocument(names_in(m, "names")),
    ),
    Rule(
        rf"(?:add|put|attach|apply|assign|give) (?:the |a )?(?:tags?|labels?)(?: called| named)?"
        rf" (?P<names>.+?){_ON_DOC}",
        lambda m: TagDocument(names_in(m, "names")),
    ),
    Rule(
        rf"(?:add|put|attach|apply|assign) (?:the )?(?P<names>[\w -]+?) (?:as )?(?:a )?(?:tags?"
        rf"|labels?){_ON_DOC}",
        lambda m: TagDocument(names_in(m, "names")),
    ),
    Rule(rf"give {DOC} the (?:tags?|labels?) (?P<names>.+)", lambda m: TagDocument(names_in(m, "names"))),
    Rule(rf"tag {DOC} (?P<names>.+)", lambda m: TagDocument(names_in(m, "names"))),
    Rule(
        rf"(?:remove|delete|drop|take off|detach|clear|take|entferne) (?:the )?(?:tags?|labels?)"
        rf" (?P<names>.+?)"
        rf" (?:from|off|of|on|away from|von) {DOC}",
        lambda m: UntagDocument(names_in(m, "names")),
    ),
    Rule(
        rf"(?:remove|drop|take off|detach|take|entferne) (?:the )?(?P<names>[\w &-]+?) (?:tags?"
        rf"|labels?)(?: (?:from|off|of|on) {DOC})?",
        lambda m: UntagDocument(names_in(m, "names")),
    ),
    Rule(
        r"(?:remove|drop|take off|detach|entferne) (?:the |den |das )?(?:tags?|labels?)(?: called|"
        r" named)? (?P<names>.+)",
        lambda m: UntagDocument(names_in(m, "names")),
    ),
    Rule(rf"untag {DOC}(?: (?:as|from))? (?P<names>.+)", lambda m: UntagDocument(names_in(m, "names"))),
    Rule(r"untag (?P<names>.+)", lambda m: UntagDocument(names_in(m, "names"))),
    Rule(
        r"(?:call|name) (?:it|that|the schema|the tag|the prompt) (?P<name>.+?)(?: instead)?",
        lambda m: CallIt(name_in(m, "name") or ""),
    ),
    Rule(
        rf"(?:call|name) {THIS_DOC} (?P<new>.+?)(?: instead)?",
        lambda m: RenameDocument(name_in(m, "new") or ""),
    ),
    Rule(
        rf"rename {THIS_DOC}(?: itself)? (?:to|as|into) (?P<new>.+)",
        lambda m: RenameDocument(name_in(m, "new") or ""),
    ),
    Rule(
        rf"(?:change|set) (?:the )?(?:name|title|file name) of {DOC} (?:to|into) (?P<new>.+)",
        lambda m: RenameDocument(name_in(m, "new") or ""),
    ),
    Rule(
        r"(?:change|set) (?:the |this )?(?:document|file)(?:'s)? ?(?:name|title) (?:to|into) (?P<new>.+)",
        lambda m: RenameDocument(name_in(m, "new") or ""),
    ),
    Rule(
        rf"(?:benenne|nenne) {THIS_DOC} (?:in|zu) (?P<new>.+?)(?: um)?",
        lambda m: RenameDocument(name_in(m, "new") or ""),
    ),
    Rule(
        rf"rename (?:the )?{_THING}(?: called| named)?(?: (?P<old>.+?))? (?:to|into|as) (?P<new>.+)",
        _rename_thing,
    ),
    Rule(rf"rename (?:the )?(?P<old>.+?) {_THING} (?:to|into|as) (?P<new>.+)", _rename_thing),
    Rule(rf"(?P<verb>{_DELETE}) {THIS_DOC}(?: completely| for good)?", lambda m: _delete_this(m)),
    Rule(
        rf"(?P<verb>{_DELETE}) (?:the |this |our |das |den |die )?{_THING}(?: called| named)?(?:"
        rf" (?P<name>.+))?",
        _delete,
    ),
    Rule(rf"(?P<verb>{_DELETE}) (?:the |this |our )?(?P<name>.+?) {_THING}", _delete),
    Rule(
        r"(?:use|take) (?:the )?(?:new|newest|latest|current) (?:schema )?version(?: (?:in|for|with)"
        r" (?:the )?(?:prompt )?(?P<name>.+?))?",
        lambda m: UseNewVersion(name_in(m, "name")),
    ),
    Rule(r"update (?:the )?prompt(?: (?P<name>.+))?", lambda m: UseNewVersion(name_in(m, "name"))),
)


def _delete_this(match: re.Match[str]) -> Wish:
    words = match[0].lower().split()
    return Delete(None) if words[-1] in ("it", "that", "es", "that one") else Delete("document")


RUNNING: tuple[Rule, ...] = (
    Rule(
        rf"(?:re-?)?(?:run|execute|start|launch|redo|repeat|try|do|extract)(?: (?:it|this|that|(?:the "
        rf"|an |this )?(?:extraction|prompt|run)"
        rf"|the data|everything|{DOC}))?{_AGAIN}",
        lambda _: Run(),
    ),
    Rule(
        r"(?:re-?)?(?:run|execute|start|launch|do|redo|repeat|try|apply|use) (?:the )?(?:prompt"
        r" )(?:called |named )?(?P<name>.+?)"
        rf"{_AGAIN}",
        lambda m: _run(m),
    ),
    Rule(rf"(?:re-?)?(?:run|execute|use|apply) (?:the )?(?P<name>.+?) prompt{_AGAIN}", lambda m: _run(m)),
    Rule(
        r"(?:run|extract|do)(?: it| this)? (?:with|using|by) (?:the )?(?:prompt )?(?P<name>.+?)",
        lambda m: Run(name_in(m, "name")),
    ),
    Rule(
        r"(?:führe|starte) (?:es|das|die extraktion|den prompt)(?: nochmal| erneut)?(?: aus)?",
        lambda _: Run(),
    ),
    Rule(r"(?:nochmal|noch einmal|erneut) (?:auslesen|extrahieren|ausführen)", lambda _: Run()),
    Rule(rf"(?:re-?)?(?:run|execute) (?P<name>[^,;]+?){_AGAIN}", lambda m: Run(name_in(m, "name"))),
)


def _run(match: re.Match[str]) -> Wish:
    name = name_in(match, "name")
    return Run(None if name and name.lower() in ("again", "now", "once more") else name)


VALUES: tuple[Rule, ...] = (
    Rule(
        r"(?:clear|empty|blank out|blank|unset|erase|wipe) (?:the )?(?:value (?:of|for|in) )?(?:the"
        r" )?(?P<name>.+?)(?: field| value)?",
        _clear,
    ),
    Rule(r"(?:remove|delete) the value (?:of|for|in) (?:the )?(?P<name>.+)", _clear),
    Rule(
        r"(?:set|change|correct|update|fix|edit|overwrite|put|make|adjust|modify|setze|ändere"
        r"|korrigiere) (?:the |den |die |das )?"
        r"(?:value (?:of|for) )?(?:the )?(?P<name>.+?)(?: field| value)?"
        r"(?: to be | to | into | as | auf | in | zu | ?= ?|: )(?P<value>\S.*)",
        _set,
    ),
    Rule(r"(?:put|use|enter|write|insert) (?P<value>\S.*?) (?:as|for|into|in) the (?P<name>.+)", _set),
    Rule(r"make (?:the )?(?P<name>.+?) (?P<value>[\d\"'$€£+-]\S*.*)", _set),
    Rule(
        r"(?:the |its |der |die |das )?(?P<name>[\w .'-]+?) (?:should be|must be|should read|should say"
        r"|ought to be|needs to be|muss)"
        r"(?: corrected to)? (?P<value>\S.*)",
        _correct,
        tells=True,
    ),
    Rule(
        r"(?:the |its |der |die |das )(?P<name>[\w .'-]+?) (?:is|are|was|ist|lautet|=)(?: actually|"
        r" really| in fact| wrong, it is| eigentlich)?"
        r" (?P<value>\S.*)",
        _correct,
        tells=True,
    ),
    Rule(r"(?P<name>[^\W\d][\w .-]{1,40}?) ?(?:=|:=) ?(?P<value>\S.*)", _set, tells=True),
)
