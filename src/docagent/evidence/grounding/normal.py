"""Makes texts comparable: words as runs of folded letters and digits, one kind of quote, dash and space."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from docagent.reading.printed import fold

_WRITTEN_WITHOUT_SPACES = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff"
)
_TOKEN = re.compile(rf"[{_WRITTEN_WITHOUT_SPACES}]|[^\W_{_WRITTEN_WITHOUT_SPACES}]+")
_CONFUSED = str.maketrans("oliszbga", "01152864")
_TYPOGRAPHY = str.maketrans(
    "\u2010\u2011\u2012\u2013\u2014\u2212\u2018\u2019\u02bc\u201c\u201d\u201e\xa0\u202f\u2009",
    "------'''\"\"\"   ",
)
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[A-Za-z])(?=\d)")


@lru_cache(maxsize=65536)
def tokens(text: str) -> tuple[str, ...]:
    """Return the folded runs of letters and digits. In scripts without spaces each character is a run."""
    return tuple(_TOKEN.findall(fold(text)))


def plain(text: str) -> str:
    """Return the same letters, but only one kind of quote, dash and space."""
    return " ".join(unicodedata.normalize("NFC", text).translate(_TYPOGRAPHY).split())


def confused(folded: str) -> str:
    """Replace the letters of a folded text that recognition confuses with digits by these digits."""
    return folded.translate(_CONFUSED)


@lru_cache(maxsize=4096)
def words_of_name(name: str) -> tuple[str, ...]:
    """Return the words in the name of a field, the same for `flightFrom`, `flight_from` and `Flight from`."""
    return tokens(_CAMEL.sub(" ", name.replace("_", " ")))
