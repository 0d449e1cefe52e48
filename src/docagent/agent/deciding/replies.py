"""What an `act` says to the person, case by case. Names of tools are for models, so none is in here."""

from __future__ import annotations

import re
from urllib.parse import quote

from docagent.agent.deciding.aims import SAY_MORE, AimKind
from docagent.agent.deciding.course import NO_CHANGES, Course, Source, error_of
from docagent.agent.shortfalls import NOTES
from docagent.domain.shown import quoted
from docagent.domain.turns.events import RequestedCall, ToolFinished

PREVIEW_CHARACTERS = 200
NOT_UNDERSTOOD = (
    "I could not make out what to do, so I changed nothing. Send the message again, or say it in other words."
)
LEFT_ALONE = "All right, I have left everything as it is."
NOT_SEARCHED = "All right, I have not searched the web, and I have changed nothing."
VOID = "The text has changed since I asked you, so your yes no longer fits and nothing was done."
VOID_REPLY = f"{VOID} Tell me again what you want, and I will look at the text as it is now."
TOO_LONG = (
    "I could not read the whole text of {name} in one go, so I have not rewritten it. Ask for a smaller change in the "
    "project's own chat, or edit it by hand."
)
NOT_WHOLE = "I have not changed {name}: the new text did not arrive whole. {why}"
SEARCH_FOR_NEW = "_I performed a web search to gather initial content._"
SEARCH_FOR_EDIT = "_I performed a web search to ensure accuracy._"
SEARCH_EMPTY = "_I searched the web and found nothing, so this rests on what was known without it._"
SEARCH_OFF = "_Web search is off here, so this rests on what was known without it._"
SEARCH_FAILED = "_I could not search the web ({why}), so this rests on what was known without it._"
_TAKEN = re.compile(r"has a document\b")
"""What a refusal says when the name of a new document is taken."""
_TOOL = re.compile(r"(?<!\s)\s*(?:Call|Use) \w{1,60}_\w{1,60}\b[^.]{0,400}\.")
"""A sentence to the model that names a tool."""
_UNKNOWN_TOOL = re.compile(r"^Unknown tool\b")
_MARKUP = re.compile(r"[\\`*_{}\[\]()<>#!|~]")
_FUTURE = (
    (re.compile(r"^I(?:'|\u2019)ll create\b|^I will create\b|^Create\b", re.IGNORECASE), "I've created"),
    (re.compile(r"^I(?:'|\u2019)ll\s+make\b|^I will make\b", re.IGNORECASE), "I've made"),
)


def final_reply(course: Course) -> str:
    """The last words of a turn whose calls have all been made."""
    if course.refused is not None:
        return NOT_SEARCHED if course.refused is course.searched else LEFT_ALONE
    match course.aim.kind:
        case AimKind.CREATE:
            return _created(course)
        case AimKind.EDIT:
            return _edited(course)
        case AimKind.DELETE:
            return _deleted(course)
        case AimKind.ASK:
            return course.aim.question
        case AimKind.ANSWER:
            return _answered(course)


def confirmation(course: Course, calls: list[RequestedCall]) -> str:
    """The question that stands in the chat while calls wait: it says what would happen and what would go."""
    what = "; ".join(call.summary.rstrip(".") for call in calls)
    asked = course.decision.confirmation_prompt if course.decision else None
    lead = f"{asked}\n\n" if asked else ""
    return f"{lead}This needs your yes: {what}. Should I go ahead? Answer yes or no."


def web_note(course: Course, performed: str) -> str | None:
    """What is said about the web search, if one was wanted."""
    decision = course.decision
    if decision is None or not decision.needs_web_search or not decision.search_query:
        return None
    if course.web_search_performed:
        return performed
    if course.searched is None:
        return None
    if not course.searched.is_error:
        return SEARCH_EMPTY
    error = error_of(course.searched)
    return (
        SEARCH_OFF if _UNKNOWN_TOOL.match(error) else SEARCH_FAILED.format(why=_for_people(error).rstrip("."))
    )


def unreadable(words: str) -> str:
    """The reply when a decision could not be read: what the model said in words, if it said something."""
    words = words.strip()
    return words if words and not set("{}[]<>") & set(words) else NOT_UNDERSTOOD


def _created(course: Course) -> str:
    done = course.done
    if done is None:
        return _not_created(course)
    name = str(done["name"])
    intent = course.decision.intent_statement if course.decision else None
    said = _in_the_past(intent) if intent else None
    first = said or f"I've created the document {quoted(name)} in this project."
    return _joined(first, _summary(course, "**Document Content Summary:**"), web_note(course, SEARCH_FOR_NEW))


def _not_created(course: Course) -> str:
    if (why := _no_content(course)) is not None:
        return why
    assert course.written is not None
    error = error_of(course.written)
    name = quoted(course.aim.name)
    if _TAKEN.search(error):
        return (
            f"A document named {name} already exists in this project, so I created nothing.\n\n"
            "Would you like me to:\n"
            "1. Add this content to the existing document\n"
            "2. Create a new document with a different name"
        )
    return f"I tried to create the document {name}, but it did not work. {_for_people(error)}"


def _edited(course: Course) -> str:
    assert course.aim.document is not None
    name = quoted(course.aim.document.name)
    if course.written is None:
        return _no_content(course) or TOO_LONG.format(name=name)
    done = course.done
    if done is None:
        return _failed(course.written, f"I have not changed {name}.")
    if done.get("message") == NO_CHANGES:
        return f"The document {name} stays as it is: it says this already."
    intent = course.decision.intent_statement if course.decision else None
    first = intent or f"I've changed the document {name}."
    return _joined(first, _summary(course, "**Content Summary:**"), web_note(course, SEARCH_FOR_EDIT))


def _deleted(course: Course) -> str:
    assert course.aim.document is not None
    assert course.written is not None
    name = quoted(course.aim.document.name)
    if course.done is None:
        return _failed(course.written, f"I could not delete the document {name}.")
    return f"I've deleted the document {name}. It can be brought back in the project."


def _answered(course: Course) -> str:
    view, decision = course.view, course.decision
    if course.has_content:
        said = view.acted.text.strip() if view.acted is not None else ""
        lacks = NOTES[view.shortfall] if view.shortfall else None
        return _joined(said, _source_list(course), web_note(course, ""), lacks)
    if decision is None:
        return unreadable(view.reasoned.text if view.reasoned else "")
    return decision.conversational_response or SAY_MORE


def _failed(result: ToolFinished, first: str) -> str:
    error = error_of(result)
    return VOID_REPLY if error == VOID else f"{first} {_for_people(error)}"


def _no_content(course: Course) -> str | None:
    """Why the text that was asked for was not written; None if it arrived whole, or was not asked for."""
    if course.written is not None or course.view.shortfall is None:
        return None
    name = quoted(course.aim.document.name if course.aim.document else course.aim.name)
    return NOT_WHOLE.format(name=name, why=NOTES[course.view.shortfall])


def _summary(course: Course, title: str) -> str | None:
    decision = course.decision
    summary = decision and (decision.content_summary or decision.change_summary)
    if summary:
        return f"{title}\n{summary}"
    content = _given_content(course)
    if not content.strip():
        return None
    cut = content.strip()[:PREVIEW_CHARACTERS]
    return f"{title}\n{cut}{'…' if len(content.strip()) > PREVIEW_CHARACTERS else ''}"


def _given_content(course: Course) -> str:
    """The text of a new document, for a preview where the model gave no summary."""
    if course.aim.kind is not AimKind.CREATE or course.decision is None:
        return ""
    return course.decision.document_content or ""


def _source_list(course: Course) -> str | None:
    if not course.sources:
        return None
    said = course.view.acted.text if course.view.acted else ""
    missing = [one for one in course.sources if one.address not in said]
    return "\n".join(["Sources:", *map(source_line, missing)]) if missing else None


def source_line(source: Source) -> str:
    """A line of a list of sources. The title is another site's text, so nothing of it is markup here."""
    title = _MARKUP.sub(r"\\\g<0>", " ".join(source.title.split()))
    address = quote(source.address, safe=":/?#@!$&*+,;=%~-._")
    return f"- [{title}]({address})" if address.startswith(("https://", "http://")) else f"- {title}"


def _in_the_past(intent: str) -> str | None:
    """The intent as something that is done; None if it does not begin as an intent to create."""
    for future, past in _FUTURE:
        if future.search(intent):
            said = future.sub(past, intent, count=1)
            return said if said.endswith((".", "!")) else f"{said}."
    return None


def _for_people(error: str) -> str:
    return _TOOL.sub("", error).strip() or "It did not work."


def _joined(*parts: str | None) -> str:
    return "\n\n".join(part for part in parts if part)
