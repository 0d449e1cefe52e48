"""Patterns for questions and small talk."""

from __future__ import annotations

import re

from docagent.builtin_model.agent.phrases import DOC, Rule, is_name, name_in, names_in
from docagent.builtin_model.agent.wishes import (
    About,
    Ask,
    Chat,
    CountPages,
    DocumentTags,
    Help,
    ListThings,
    ShowExtraction,
    ShowPrompt,
    ShowSchema,
    ShowText,
    Thing,
    WhoAreYou,
    Wish,
)

_SHOW = r"(?:show|list|display|print|give|tell|see|view|name|open|zeige?|liste)(?: me| us| mir)?"
_THINGS = r"(?P<thing>schemas|schemata|schemes|prompts|tags|labels|documents|files|models|dokumente|modelle)"
_OF_DOC = rf"(?: (?:of|in|on|from|for|does|is|to|von|in) {DOC}(?: have| has| show| say| contain)?)?"
_MOST_WORDS = 7
_ASKING = (
    r"how|what|which|why|who|where|when|is|are|was|were|do|does|did|can|could|will|would|should|may|has|have"
)


def _list(match: re.Match[str]) -> Wish:
    word = match["thing"].lower()
    things: dict[str, Thing] = {
        "t": "tag",
        "l": "tag",
        "p": "prompt",
        "d": "document",
        "f": "document",
        "m": "model",
    }
    return ListThings(things.get(word[0], "schema"))


def _ask(match: re.Match[str]) -> Wish | None:
    names = tuple(
        re.sub(rf"(?<!\s)\s+(?:of|in|on|from|for)\s+{DOC}$", "", name, flags=re.I)
        for name in names_in(match, "names")
    )
    return Ask(names) if names and all(is_name(name, _MOST_WORDS) for name in names) else None


def _asks(name: str) -> Wish:
    return Ask((name,))


def _page(match: re.Match[str]) -> Wish:
    return ShowText(int(match["page"]) if match["page"] else None)


TALK: tuple[Rule, ...] = (
    Rule(
        r"(?:hello|hi|hey|good (?:morning|afternoon|evening|day)|hallo|guten (?:tag|morgen|abend)|moin"
        r"|greetings)(?: there| you)?",
        lambda _: Chat("hello"),
        whole=True,
    ),
    Rule(
        r"(?:(?:many )?thanks(?: a lot| so much)?|thank you(?: very much| so much)?|great|perfect|nice"
        r"|cool|good|well done|danke|super|ok(?:ay)?)",
        lambda _: Chat("thanks"),
        whole=True,
    ),
    Rule(
        r"(?:no|nope|stop|cancel|never ?mind|forget it|leave it|do nothing|abort|nein|halt|no,?"
        r" thanks?(?: you)?)",
        lambda _: Chat("no"),
        whole=True,
    ),
    Rule(
        r"(?:yes|yep|yeah|sure|go|go ahead|do it|do that|continue|go on|proceed|ja|mach das"
        r"|weiter)(?:,? please)?",
        lambda _: Chat("yes"),
        whole=True,
    ),
    Rule(
        r"(?:what|who) are you|what(?:'s| is) your name|are you (?:an? )?(?:ai|llm|chatgpt|gpt|bot"
        r"|human|robot|(?:large )?language model|real|person).*"
        r"|which model are you|what model (?:is this|are you)|wer bist du|was bist du|introduce yourself",
        lambda _: WhoAreYou(),
    ),
    Rule(
        r"help(?: me)?|what can (?:you|i) (?:do|say|ask)(?: here| with this| for me)?|what can i"
        r" (?:tell|ask) you|how (?:does this|do you) work"
        r"|how do i (?:use (?:this|you)|start|begin)|what do you (?:do|understand)|commands|examples"
        r"|show (?:me )?(?:some )?examples"
        r"|hilfe|was kannst du|\?",
        lambda _: Help(),
    ),
)

SHOWING: tuple[Rule, ...] = (
    Rule(
        rf"(?:which|what|{_SHOW}) (?:the )?(?:tags|labels) (?:does|do|are|of|on|is|has|for)(?: on| set"
        rf" on)? {DOC}(?: have| has| carry)?",
        lambda _: DocumentTags(),
    ),
    Rule(rf"how is {DOC} tagged", lambda _: DocumentTags()),
    Rule(
        rf"(?:which|what|{_SHOW}|are there(?: any)?|do we have(?: any)?|have we(?: any)?|welche|how"
        rf" many) (?:all )?(?:of )?"
        rf"(?:(?:the|our|my|all|available|existing|other|are the|are our|different|llm|language) )*{_THINGS}"
        r"(?: (?:do (?:we|i|you) have|are there|exist|have we|there are|we have|is there|can (?:i|we"
        r"|you) use|i have|are available|available"
        r"|do you know|haben wir|gibt es|do you see|are there here))?(?: (?:here|there|so far|now|at"
        r" the moment|yet))?",
        _list,
    ),
    Rule(_THINGS, _list),
    Rule(
        rf"(?:what|which|{_SHOW}|welche) (?:all )?(?:are )?(?:the |its |all |of )*(?:fields|columns"
        rf"|felder)(?: (?:are )?(?:of|in|for) (?:the |this |our )?(?:schema )?(?P<name>.+?)"
        r"(?: schema)?)?(?: (?:does|do|are|has|have|is|will|hat|gibt) .*)?",
        lambda m: ShowSchema(_schema_name(m)),
    ),
    Rule(
        rf"(?:{_SHOW}|describe|explain|what(?:'s| is)|what does) (?:in )?(?:the |this |our |my |current"
        rf" |das )*schema(?: (?P<name>.+?))?"
        r"(?: (?:look like|contain|have|again|like|hold))?",
        lambda m: ShowSchema(_schema_name(m)),
    ),
    Rule(r"(?:what|which) schema(?: .+)?", lambda _: ShowSchema()),
    Rule(rf"{_SHOW} (?:the |our )?(?P<name>.+?) schema", lambda m: ShowSchema(name_in(m, "name"))),
    Rule(
        rf"(?:{_SHOW}|describe|explain|what(?:'s| is)) (?:the |this |our |my |current |den )*prompt(?:"
        rf" (?P<name>.+?))?",
        lambda m: ShowPrompt(name_in(m, "name")),
    ),
    Rule(rf"{_SHOW} (?:the |our )?(?P<name>.+?) prompt", lambda m: ShowPrompt(name_in(m, "name"))),
    Rule(
        rf"(?:{_SHOW}|what(?:'s| is| are| were)) (?:the |this |current |latest |extracted |all |its "
        rf"|our |die )*"
        rf"(?:extraction|extraction results?|results?|extracted (?:data|values|fields)|data|values"
        rf"|extraktion|ergebnisse?)"
        rf"(?: (?:again|so far|now|of {DOC}|for {DOC}|from {DOC}))?",
        lambda _: ShowExtraction(),
    ),
    Rule(
        r"what (?:did you|was|were|has been|have you) (?:extract(?:ed)?|f(?:i|ou)nd)(?: here| so far)?"
        r"|what do you have so far",
        lambda _: ShowExtraction(),
    ),
    Rule(
        r"how many pages(?: .+)?|(?:what is the )?(?:number of pages|page count)(?: .+)?|how long is"
        r" (?:it|this|the document)|wie viele seiten(?: .+)?",
        lambda _: CountPages(),
    ),
    Rule(
        rf"(?:{_SHOW}|read|get|what(?:'s| is)) (?:the )?(?:(?:whole |full )?text|content|words)?(?:"
        rf" ?(?:of|on|from))?(?: the)? ?page (?P<page>\d+)",
        _page,
    ),
    Rule(
        rf"(?:{_SHOW}|read|get) (?:the )?(?P<page>)(?:(?:whole |full |ocr )?text|content)(?: (?:of"
        rf"|from) {DOC})?",
        _page,
    ),
    Rule(
        rf"is (?:this|it|that) an? .+|what(?:'s| is| does) (?:{DOC}|in {DOC}|in here)(?: (?:about|for|say|contain))?"
        rf"|what (?:kind|type|sort) of (?:document|file|paper|thing) is (?:this|it|that)|what am i looking at"
        rf"|(?:summari[sz]e|describe|explain|sum up|outline)(?: {DOC})?|(?:give|write|show)(?: me)?"
        rf" (?:a |an )?(?:short |brief )?(?:summary|overview|outline)"
        rf"(?: (?:of|about) {DOC})?|tell me (?:something |more )?about {DOC}|(?:summary|overview)"
        rf"|what(?:'s| is) (?:this |the )?document about"
        r"|worum geht es(?: hier| in .+)?|was ist das(?: für ein dokument)?|fasse? (?:das|es|dieses"
        r" dokument) zusammen",
        lambda _: About(),
    ),
)


def _schema_name(match: re.Match[str]) -> str | None:
    name = name_in(match, "name")
    vague = re.fullmatch(
        rf"{DOC}|schema|again|look like|contain|have|like|we have|it has", name or "", re.IGNORECASE
    )
    return None if vague else name


QUESTIONS: tuple[Rule, ...] = (
    Rule(
        r"when (?:is|was|must|does|do|should|will|has)(?: (?:it|this|that|the (?:invoice|payment|bill"
        r"|amount|total)|we|i|payment))+"
        r" (?:be |to be |have to )?(?:due|payable|paid|pay|be paid)(?: .+)?|how long do (?:we|i)"
        r" have(?: to pay)?|by when .+ (?:pay|paid|due)"
        r"|wann (?:ist|muss) .*(?:fällig|bezahlt|zahlen).*",
        lambda _: _asks("due date"),
    ),
    Rule(
        r"(?:when (?:is|was) (?:it|this|this document|the (?:document|invoice|order|contract)) (?:from"
        r"|dated|issued|written|made|sent|created)"
        r"|what date (?:is|does) (?:it|this)(?: document)?(?: have| dated| from)?|von wann ist .+|how"
        r" old is (?:it|this)(?: document)?)",
        lambda _: _asks("date"),
    ),
    Rule(
        rf"(?:who (?:is|was) {DOC} (?:from|by|sent by|issued by|written by)|who (?:has )?(?:sent|issued"
        rf"|wrote|made|billed|invoiced|charges?|charged)"
        rf"(?: us| me)?(?: {DOC})?(?: us| me)?|from whom (?:is|was) {DOC}|whose (?:invoice|bill"
        rf"|document|receipt) is (?:this|it)"
        rf"|where does {DOC} come from|who (?:do|must) (?:we|i) pay|von wem (?:ist|kommt|stammt) .+)",
        lambda _: _asks("supplier name"),
    ),
    Rule(
        rf"(?:who (?:is|was) {DOC} (?:to|for|addressed to|sent to|made out to|meant for)|to whom (?:is"
        rf"|was) {DOC}(?: .+)?"
        rf"|who (?:has to|must|should) pay(?: .+)?|an wen (?:ist|geht) .+)",
        lambda _: _asks("customer name"),
    ),
    Rule(
        rf"how (?:much|high|expensive) (?:is|was) {DOC}(?: altogether| in total| all together)?|how"
        rf" much (?:do|must|should) (?:we|i) (?:owe|pay|have to pay)"
        rf"(?: .+)?|how much does {DOC} (?:cost|come to|total|ask for)|what does {DOC} cost|wie viel"
        rf" (?:kostet|ist) .+",
        lambda _: _asks("total"),
    ),
    Rule(
        rf"(?:how many) (?P<names>(?:line )?items|lines|positions|rows|articles){_OF_DOC}(?: .+)?",
        lambda _: _asks("line items"),
    ),
    Rule(
        rf"(?:what|which|who|where|how much|how high|how many|was|wer|wie hoch|wie)(?:'s| is| are| was|"
        rf" were| ist| sind| lautet) "
        rf"(?:the |its |an? |das |die |der |den |their |our )?(?P<names>.+?){_OF_DOC}",
        _ask,
    ),
    Rule(rf"(?:whats|wheres|whos) (?:the )?(?P<names>.+?){_OF_DOC}", _ask),
    Rule(r"(?:what|which|who|where|how much) (?:the |its )(?P<names>.+?) (?:is|are)", _ask),
    Rule(rf"when (?:is|was) (?:the |its )?(?P<names>.+?){_OF_DOC}", _ask),
    Rule(
        rf"(?:is there|are there|does {DOC} (?:have|mention|contain|show|say|give|name)|do you (?:see"
        rf"|find)|can you (?:see|find)|has {DOC}(?: got)?|gibt es)"
        rf" (?:an? |any |the |eine? |einen )?(?P<names>.+?)(?: (?:on|in) {DOC})?",
        _ask,
        asks=True,
    ),
    Rule(
        rf"(?:which|what) (?P<names>.+?) (?:does|is|has|do) {DOC}(?: have| has| show| on| in| say| give"
        rf"| mention)?",
        _ask,
    ),
    Rule(
        rf"(?:{_SHOW}|find|read|look up|get|fetch|check|search(?: for)?|i need|i want|what about|how"
        rf" about|and|nenne|suche)(?: me| mir)? "
        rf"(?:the |its |das |die |den )(?P<names>.+?){_OF_DOC}",
        _ask,
    ),
    Rule(rf"(?:find|look up|search for|search) (?:an? )?(?P<names>[\w .-]+?){_OF_DOC}", _ask),
    Rule(r"how much (?P<names>[\w -]+?)(?: (?:is|was) (?:it|there|this))?", _ask),
    Rule(rf"(?:the |its )?(?!(?:{_ASKING})\b)(?P<names>[\w./'-]+(?: [\w./'-]+){{0,3}})", _ask, asks=True),
)
