"""Reads the answer to an extraction: one JSON object in a model's reply, and what had to be repaired."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from docagent.reply_json.reading import broken_off_object, objects_in, plain_object

_THINKING = re.compile(r"\A(?:(?>[^{]*?<(think|thinking|reasoning)>).*?</\1>)+", re.DOTALL | re.IGNORECASE)
"""The thinking before the JSON. Inside the JSON the same words are text."""
_UNCLOSED_THINKING = re.compile(r"\A\s*<(think|thinking|reasoning)>.*?(?=\{)", re.DOTALL | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ParsedReply:
    """What was found in a reply. `data` is None if the reply has no object at all."""

    data: dict[str, Any] | None
    mended: str | None = None
    """What was wrong with the form of the reply; None if it was plain JSON."""


def parse_reply(text: str, names: Collection[str] = ()) -> ParsedReply:
    """Return the reply's JSON object: as it stands, found in a fence or prose, mended, or closed where it breaks off.

    Of several objects, the last one that has one of the names is taken: models write an example or the schema before
    their answer, and corrections after it. An object that breaks off is taken only if no other has one of the names.
    """
    if (data := plain_object(text)) is not None:
        return ParsedReply(data)
    answer = _UNCLOSED_THINKING.sub("", _THINKING.sub("", text))
    if (data := plain_object(answer)) is not None:
        return ParsedReply(data)
    found = [
        ParsedReply(
            one.value,
            "The reply's JSON was malformed and was repaired."
            if one.is_mended
            else "The reply held text around its JSON.",
        )
        for one in objects_in(answer)
    ]
    if (data := broken_off_object(answer)) is not None:
        found.append(ParsedReply(data, "The reply broke off before its end; what had arrived was kept."))
    fitting = (one for one in found if one.data and (not names or not one.data.keys().isdisjoint(names)))
    return next(fitting, found[0] if found else ParsedReply(None))
