"""Decides without the product's locator whether a value is printed in a text, and makes values that are not."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from decimal import Decimal, InvalidOperation

from evals.matching import normalise

_DATE_INPUTS = (
    "%Y-%m-%d", "%m/%d/%y", "%m/%d/%Y", "%d/%m/%Y", "%d/%m/%y", "%d %b %Y", "%d %B %Y", "%b %d, %Y", "%d-%m-%Y",
    "%d-%m-%y", "%d.%m.%Y", "%d-%b-%Y", "%d-%b-%y", "%d-%b-%Y", "%d %b %y",
)  # fmt: skip
_DATE_OUTPUTS = (
    "Y-m-d", "Y/m/d", "m/d/Y", "m/d/y", "d/m/Y", "d/m/y", "d.m.Y", "d.m.y", "d-m-Y", "m-d-Y", "d-m-y", "m-d-y",
    "d b Y", "d b y", "b d Y", "d - b - Y", "d - b - y", "b / d / y", "b d y",
)  # fmt: skip
"""Y and y: the year with four and two digits; m and d: with and without a leading zero; b: any name of the month."""
_OTHER_NAMES = (
    "januar februar märz april mai juni juli august september oktober november dezember",
    "januari februari maart april mei juni juli augustus september oktober november december",
    "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
)
SIGNS = {
    "EUR": ("€",),
    "USD": ("$", "us dollar", "us dollars"),
    "GBP": ("£",),
    "INR": ("rs", "₹"),
    "PLN": ("zł",),
    "MYR": ("rm",),
    "JPY": ("¥",),
}
"""How a currency is printed besides its code."""
_SMALL = 3
_LINES_BELOW = 2
_AMOUNT = re.compile(r"[^\d.,()%-]{0,4}\(?-?\d[\d.,']*\)?\s*[^\d\s]{0,3}")


def as_amount(value: object) -> Decimal | None:
    """Return a gold value as an amount, percentage or small number, else None. Long runs of digits are names."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return Decimal(str(value))
    text = str(value).strip()
    if not _AMOUNT.fullmatch(text) or not (re.search(r"[.,%]", text) or len(text) <= _SMALL):
        return None
    digits = re.sub(r"[^\d.,-]", "", text)
    if re.fullmatch(r"-?\d{1,3}([.,])\d{3}", digits) or digits.count(",") > 1:
        digits = re.sub(r"[.,]", "", digits)
    elif "," in digits and "." in digits:
        digits = digits.replace(",", "") if digits.rfind(".") > digits.rfind(",") else digits.replace(".", "")
    try:
        return Decimal(digits.replace(",", "."))
    except InvalidOperation:
        return None


def as_dates(value: object) -> set[date]:
    """Return the days that a gold value may mean."""
    found = set()
    for form in _DATE_INPUTS:
        try:
            found.add(datetime.strptime(str(value).strip().title(), form).date())
        except ValueError:
            continue
    return found


class PrintedText:
    """The words of a text, line by line, to look up what is spelled in them."""

    def __init__(self, text: str) -> None:
        self.raw = normalise(text)
        self._lines = [_words(line) for line in text.splitlines()]
        self._starts: dict[str, list[tuple[int, int]]] = {}
        for number, line in enumerate(self._lines):
            for place, word in enumerate(line):
                self._starts.setdefault(word, []).append((number, place))
        self._longest = max(map(len, self._starts), default=0)

    def spells(self, value: str) -> bool:
        """Return whether whole words spell the value, in order, however it is divided and punctuated.

        A value may go on in one of the next lines, as in a narrow column.
        """
        wanted = "".join(_words(value))
        if not wanted:
            return value.strip() != "" and normalise(value) in self.raw
        heads = (wanted[:length] for length in range(1, min(self._longest, len(wanted)) + 1))
        open_ends = [(wanted, *start) for head in heads for start in self._starts.get(head, ())]
        seen = set()
        while open_ends:
            rest, number, place = open_ends.pop()
            rest = self._rest(rest, number, place)
            if not rest:
                return True
            if (len(rest), number) not in seen:
                seen.add((len(rest), number))
                open_ends += ((rest, *start) for start in self._below(rest, number))
        return False

    def has_word(self, word: str) -> bool:
        return word in self._starts

    def _rest(self, wanted: str, number: int, place: int) -> str:
        """Return what is left of the text after the words of a line from a place on."""
        for word in self._lines[number][place:]:
            if not wanted.startswith(word):
                break
            wanted = wanted[len(word) :]
        return wanted

    def _below(self, wanted: str, number: int) -> Iterator[tuple[int, int]]:
        """Yield the places in the next lines where a text may go on."""
        for below in range(number + 1, min(number + 1 + _LINES_BELOW, len(self._lines))):
            for place, word in enumerate(self._lines[below]):
                if wanted.startswith(word):
                    yield below, place


def is_printed(value: object, text: str | PrintedText) -> bool:
    """Return whether the value stands in the text in one of its usual forms, as whole words."""
    printed = text if isinstance(text, PrintedText) else PrintedText(text)
    days = as_dates(value)
    if days:
        return any(re.search(_pattern_of_day(day), printed.raw) for day in days)
    amount = as_amount(value)
    if amount is not None:
        return any(_stands_alone(writing, printed.raw) for writing in _writings_of_amount(amount))
    if str(value) in SIGNS:
        return has_currency(str(value), printed)
    return is_spelled(str(value), printed)


def is_spelled(value: str, printed: PrintedText) -> bool:
    """Return whether the value stands there in one piece, line by line, or as a name with the family name last."""
    return any(all(printed.spells(part) for part in parts) for parts in _ways_to_part(value))


def has_currency(code: str, printed: PrintedText) -> bool:
    """Return whether a currency's code, name or sign is printed. Letters must be whole words."""
    names = (code.casefold(), *SIGNS[code])
    return any(printed.spells(name) if name[0].isalpha() else name in printed.raw for name in names)


def words_are_there(value: object, printed: PrintedText) -> bool:
    """Return whether every word of the value is there. If so, it may be printed in pieces, not absent."""
    if as_dates(value) or as_amount(value) is not None:
        return False
    return all(printed.has_word(word) for word in _words(str(value)))


def _ways_to_part(value: str) -> Iterator[list[str]]:
    """Yield the value as one piece, line by line, and as a name with the family name last."""
    yield [value]
    yield [line for line in value.splitlines() if line.strip()] or [value]
    if value.count(",") == 1:
        family, given = value.split(",")
        yield [f"{given} {family}"]


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", normalise(text))


def _stands_alone(writing: str, text: str) -> bool:
    before = r"(?<!\d)(?<!\d[.,])" if writing[0].isdigit() else ""
    after = r"(?!\d)(?![.,]\d)" if writing[-1].isdigit() else ""
    return writing in text and re.search(before + re.escape(writing) + after, text) is not None


def _pattern_of_day(day: date) -> str:
    names = {
        f"{day:%b}".casefold(),
        f"{day:%B}".casefold(),
        *(line.split()[day.month - 1] for line in _OTHER_NAMES),
    }
    parts = {
        "Y": f"{day:%Y}",
        "y": f"{day:%y}",
        "m": f"0?{day.month}",
        "d": f"0?{day.day}",
        "b": f"(?:{'|'.join(sorted(names, key=len, reverse=True))})",
        " ": r"[\s.,]*",
    }
    forms = (r"\s?".join(parts.get(sign, re.escape(sign)) for sign in form) for form in _DATE_OUTPUTS)
    return rf"(?<!\d)(?:{'|'.join(forms)})(?!\d)"


def _writings_of_amount(amount: Decimal) -> set[str]:
    size = abs(amount)
    exact = f"{size.normalize():f}"
    decimals = len(exact.partition(".")[2])
    forms = {f"{size:.{places}f}" for places in range(decimals, 5)}
    grouped = {f"{size:,.{places}f}" for places in range(decimals, 5)}
    forms |= grouped
    swap = str.maketrans(".,", ",.")
    forms |= {form.translate(swap) for form in forms}
    forms |= {form.replace(",", space) for form in grouped for space in (" ", "'")}
    forms |= {form.replace(",", " ").replace(".", ",") for form in grouped}
    return forms


def absent_variants(value: object, dice: random.Random) -> Iterator[object]:
    """Yield values of the same kind that differ a little: another day, another digit."""
    days = as_dates(value)
    if days:
        day = max(days) + timedelta(days=dice.choice((1, 3, 17, 40, 365)))
        yield day.isoformat()
        yield f"{day:%d/%m/%Y}"
        return
    if isinstance(value, (int, float)):
        yield type(value)(value) + dice.choice((1, 10, 100, 7))
        return
    text = str(value)
    places = [place for place, character in enumerate(text) if character.isdigit()]
    if places:
        place = dice.choice(places)
        digit = str((int(text[place]) + dice.randint(1, 9)) % 10)
        yield text[:place] + digit + text[place + 1 :]
