"""Whether a message is a plain yes or a plain no to what waits."""

from __future__ import annotations

import re

_YES = (
    "yes|y|yep|yeah|yup|ok|okay|sure|sure thing|go ahead|go for it|proceed|do it|do that|please do|confirm|confirmed|"
    "i confirm|approve|approved|of course|certainly|absolutely|definitely|agreed|alright|all right|fine|sounds good|"
    "that is fine|that's fine|continue|ja|gerne|einverstanden|in ordnung|mach das|"
    "oui|d'accord|sí|si|vale|de acuerdo|👍|✅"
)
_NO = (
    "no|n|nope|nah|cancel|cancel it|cancel that|stop|don't|dont|do not|don't do it|do not do it|never mind|nevermind|"
    "abort|reject|leave it|leave it as it is|keep it|better not|not now|no way|nein|lieber nicht|abbrechen|non|annuler|"
    "cancelar|👎"
)
_FILLER = (
    "please|then|thanks|thank you|and|now|with it|that|it|danke|vielen dank|bitte|merci|s'il vous plaît|gracias|"
    "por favor"
)


def _whole(phrases: str) -> re.Pattern[str]:
    return re.compile(rf"(?:{phrases})(?:[\s,.;!]+(?:{phrases}|{_FILLER}))*")


_IS_YES, _IS_NO = _whole(_YES), _whole(_NO)


def verdict_in(message: str) -> bool | None:
    """True for a yes, False for a no. None for everything else: a yes with a wish, a question, a doubt."""
    said = " ".join(message.replace("\u2019", "'").casefold().split()).strip(" .!,;")
    if _IS_NO.fullmatch(said):
        return False
    return True if _IS_YES.fullmatch(said) else None
