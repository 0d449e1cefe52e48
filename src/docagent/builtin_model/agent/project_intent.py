"""Understands requests in a project by what exists there: a verb, its object, and a place that is known.

The phrases of `project_phrases` go by form alone; they read what this module leaves.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from docagent.builtin_model.agent import project_adding as adding
from docagent.builtin_model.agent import project_changing as changing
from docagent.builtin_model.agent.kept_text import SIGN, Said
from docagent.builtin_model.agent.project_clause import EVERY, Clause
from docagent.builtin_model.agent.project_known import HERE, Known
from docagent.builtin_model.agent.project_order import in_plain_order
from docagent.builtin_model.agent.project_places import Places
from docagent.builtin_model.agent.project_wishes import (
    AddText,
    InDocument,
    Outline,
    Remark,
    SetInstruction,
    ShowChanges,
    ShowVersions,
    UndoLast,
    Vague,
)
from docagent.builtin_model.agent.slips import is_slip, mended
from docagent.builtin_model.agent.wishes import Wish

Read = Callable[[Clause], Wish | None]

_VERBS = (
    *("add", "append", "insert", "put", "write", "include", "save", "create", "make", "start", "begin"),
    *(
        "draft",
        "delete",
        "remove",
        "erase",
        "drop",
        "clear",
        "replace",
        "change",
        "correct",
        "swap",
        "update",
    ),
    *("rename", "move", "rewrite", "restore", "undo", "revert", "show", "read", "open", "list", "summarize"),
    *("summarise", "outline"),
)
_NOUNS = ("document", "documents", "section", "sections", "chapter", "heading")
_ABOUT = re.compile(
    r"(?:(?:in|under|below|for|on|to|at|from)\s+(?P<place>.+?)(?<!\s)(?:\s*[,:])?"
    r"|(?:(?:update|change|edit|modify)\s+)?(?P<document>[^,:]+?)(?<!\s)\s*:)"
    rf"\s+(?:please\s+)?(?P<rest>(?:{'|'.join(_VERBS)}|get|take|set|put)\b.*\S.*)",
    re.I | re.S,
)
_SUBJECT = re.compile(r"(?:i|we|it|there|this|that|they|my|our|the)\b", re.I)
_ENDINGS = re.compile(
    r"(?<![\s,])[\s,]+(?:completely|entirely|altogether|for good|now|again|too|as well|also|immediately|asap|quickly"
    r"|if possible|when you can|for now|at once|today|thx|ty)$",
    re.I,
)
_IN_BRIEF = re.compile(
    r"(?<!\s)\s+(?:in (?:a few|few|short|brief|one|two|three|some).*|briefly|shortly|quickly)$", re.I
)


def read_known(bare: str, said: Said, known: Known) -> Wish | None:
    """Return the wish of a clause about things that exist, or None."""
    text = in_plain_order(mended(_without_slipped_please(_ENDINGS.sub("", bare)), _VERBS, _NOUNS))
    inside = _said_of(text, said, known)
    if inside is not None:
        return inside
    for pattern, read in _RULES:
        match = pattern.fullmatch(text)
        wish = None if match is None else read(Clause(match.groupdict(), said, Places(said, known), text))
        if wish is not None:
            return wish
    return _remark(text, known)


def _remark(text: str, known: Known) -> Wish | None:
    named = known.named_in(text) if _SUBJECT.match(text) else []
    return Remark(named[0]) if len(named) == 1 else None


def _said_of(text: str, said: Said, known: Known) -> Wish | None:
    """Read `in Plan, add x` and `Plan: add x` as if that document were open."""
    match = _ABOUT.fullmatch(text)
    place = Places(said, known).place(match["place"] or match["document"]) if match else None
    found = next((one for one in known.documents if place and one.name == place.document), None)
    if place and place.document == HERE:
        found = known.opened
    if match is None or place is None or found is None:
        return None
    wish = read_known(match["rest"].strip(), said, replace(known, open_id=found.id))
    if isinstance(wish, AddText) and wish.section is None:
        wish = replace(wish, section=place.section)
    return (
        replace(wish, document=found.name)
        if isinstance(wish, InDocument) and wish.document in (HERE, "it")
        else wish
    )


def _without_slipped_please(bare: str) -> str:
    first, _, rest = bare.partition(" ")
    return rest if rest and is_slip(first.lower(), "please") else bare


def _undo(clause: Clause) -> Wish | None:
    document = clause.words("document")
    return UndoLast(clause.places.document(document) if document else None)


def _outline(clause: Clause) -> Wish | None:
    words = _IN_BRIEF.sub("", clause.words("document", "owner"))
    document = clause.places.document(words) if words else HERE
    return None if document is None else Outline(document, with_text="summary" in clause.groups)


def _instruct(clause: Clause) -> Wish | None:
    document = clause.places.document(clause.words("document"))
    return SetInstruction(document, clause.text(clause.words("text"))) if document else None


def _vague(clause: Clause) -> Wish | None:
    place = clause.places.place(clause.words("what"))
    return None if place is None else Vague(place.document)


def _versions(clause: Clause) -> Wish | None:
    named = clause.known.named_in(clause.bare)
    return ShowVersions(named[0]) if len(named) == 1 else None


def _rule(pattern: str, read: Read) -> tuple[re.Pattern[str], Read]:
    return re.compile(pattern.replace(" ", r"\s"), re.IGNORECASE | re.DOTALL), read


_SHOW = r"(?:show|give|list|tell|write|see|get)(?: me| us)?"
_MOVE = r"(?:move|shift|bring|put|place|drag|push)"
_RULES: tuple[tuple[re.Pattern[str], Read], ...] = (
    _rule(
        r"(?:undo|revert|take back|roll back|reverse)(?: (?:it|that|this|everything|(?:(?:the|my|your|its) )?"
        r"(?:(?:last|latest|previous|recent|most recent) )?(?:change|edit|step|one|thing|action|version)?))?"
        r"(?: (?:in|to|of|on) (?P<document>.+?))?(?: again)?",
        _undo,
    ),
    _rule(
        r"(?:restore|bring back|go back to|return to) (?:the )?(?:previous|last|former|earlier|old)"
        r" (?:version|text|state)(?: (?:of|for|in) (?P<document>.+))?",
        _undo,
    ),
    _rule(
        r"(?:(?:what|which|where|how much)(?: things| changes| edits)? (?:did|have|had) you"
        r"|(?:what|which changes) (?:was|were|has been|have been)|tell me what you|list (?:all )?your"
        r"|show(?: me)? your|what are your) ?(?:make|made|just |already )*(?:the |any )?"
        r"(?:chang\w*|edit\w*|do|done|did|updat\w*|modif\w*|make|made)(?: (?:the |your )?(?:changes?|edits?))?"
        r"(?: (?:so far|here|until now|up to now|today|in this (?:chat|conversation)|last|just now))?",
        lambda _: ShowChanges(),
    ),
    _rule(
        rf"(?:{_SHOW} |what(?:'?s| is| are) |which (?:are )?|how many |create |make )?(?:an |the |a )?"
        r"(?:short |quick |brief )?"
        r"(?:outline|structure|table of contents|toc|headings|headlines|sections|chapters)"
        r"(?: (?:are |are there |there are |do we have )?(?:of|in|for|from) (?P<document>.+?)"
        r"| (?:does|do|has) (?P<owner>.+?)(?: have| contain)?)?",
        _outline,
    ),
    _rule(r"outline (?P<document>.+)", _outline),
    _rule(
        rf"(?P<summary>summari[sz]e|sum up|recap|digest|tl;?dr(?: of| for)?|(?:{_SHOW} )?(?:an? |the )?"
        r"(?:short |quick |brief )?(?:summary|overview|gist|digest|recap) (?:of|for|about)) (?P<document>.+)",
        _outline,
    ),
    _rule(r"(?P<summary>what)(?:'?s| is| are) (?P<document>.+?)(?: all)? about", _outline),
    _rule(
        r"(?:who|when|has|have|was|were|did|how often)\b.*"
        r"\b(?:chang\w+|wrote|written|edit\w*|updat\w*|modif\w*|touched)\b.*",
        _versions,
    ),
    _rule(
        rf"{_MOVE} (?P<section>.+?) (?:right |directly )?(?P<where>before|above|in front of|ahead of|over|after|below"
        r"|behind|beneath|underneath|under|following) (?P<other>.+)",
        changing.move,
    ),
    _rule(
        rf"{_MOVE} (?P<section>.+?) (?:to|at|on) the (?:very )?(?P<where>top|beginning|start|front|end|bottom|back)"
        r"(?: (?:of|in) (?P<document>.+))?",
        changing.move,
    ),
    _rule(rf"{_MOVE} (?P<section>.+?) (?P<where>first|last)(?: (?:of|in) (?P<document>.+))?", changing.move),
    _rule(
        r"make (?P<section>.+?) the (?:very )?(?P<where>first|last)(?: (?:section|chapter|one|part))?"
        r"(?: (?:of|in) (?P<document>.+))?",
        changing.move,
    ),
    _rule(r"(?:rename|retitle)(?: (?P<old>.+?))? (?:to|as|into|->|=>|→) (?P<name>.+)", changing.rename),
    _rule(r"(?:rename|retitle) (?P<old>.+)", changing.rename),
    _rule(r"give (?P<old>.+?) (?:the|a) (?:new )?(?:name|title) (?:of )?(?P<name>.+)", changing.rename),
    _rule(
        r"change (?:the )?(?:name|title|heading) of (?P<old>.+?) (?:to|into) (?P<name>.+)", changing.rename
    ),
    _rule(r"(?:call|name) (?P<rest>.+)", changing.call_so),
    _rule(adding.NAMED, adding.create_named),
    _rule(rf"(?P<verb>{adding.MAKE}) (?P<rest>.+)", adding.create),
    _rule(
        r"(?:from now on|in (?:the )?future|going forward|henceforth),? (?P<text>.+?)"
        r" (?:in|for|when (?:you )?(?:write|writing|edit|editing)) (?P<document>.+)",
        _instruct,
    ),
    _rule(
        r"(?:replace|rewrite|overwrite|set|change|update) (?P<place>.+?)"
        rf"(?: (?:with|by|to|as|so that it says|to say|to read)(?: the text)?)? (?P<text>{SIGN})",
        changing.body,
    ),
    _rule(
        r"(?:change|update|correct|adjust|set|edit|modify|alter) (?P<thing>.+?) from (?P<old>.+?)"
        r" (?:to|into) (?P<new>.+)",
        changing.change_from,
    ),
    _rule(rf"substitute (?P<every>{EVERY} )?(?P<new>\S.*?) for (?P<old>\S.*)", changing.substitute),
    _rule(
        rf"(?:{changing.CHANGE}) (?P<every>{EVERY} )?(?P<old>\S.*?) (?:with|by|to|into|for|->|=>|→) (?P<new>\S.*)",
        changing.change,
    ),
    _rule(rf"(?:{changing.REMOVE}) (?P<rest>.+)", changing.remove),
    _rule(r"(?:take|strip|pull|cut) (?P<rest>.+? (?:out of|from|off) .+)", changing.remove),
    _rule(r"(?:clear|empty)(?: out)? (?P<what>.+)", changing.empty),
    _rule(rf"(?:{adding.ADD}) (?P<rest>.+)", adding.add),
    _rule(r"(?P<rest>(?:an? )?new (?:section|chapter|heading) .+)", adding.add),
    _rule(
        r"(?:improve|fix|correct|update|change|edit|modify|rewrite|rephrase|shorten|lengthen|expand|polish"
        r"|tidy(?: up)?|clean(?: up)?|revise|translate|format|reformat|make|simplify|restructure) (?P<what>.+?)"
        r"(?: (?:better|nicer|shorter|longer|clearer|up|a (?:bit|little)|more \w+|less \w+|again))*",
        _vague,
    ),
)
