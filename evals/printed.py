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
_SYMBOLS = {"EUR": "€", "USD": "$", "GBP": "£", "INR": ("rs", "₹"), "PLN": ("zł",)}
_SMALL = 3
_AMOUNT = re.compile(r"[^\d.,()%-]*\(?-?\d[\d.,']*\)?\s*[^\d\s]{0,3}")


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


def is_printed(value: object, text: str) -> bool:
    """Return whether the value stands in the text in one of its usual forms."""
    raw = normalise(text)
    days = as_dates(value)
    if days:
        return any(re.search(_pattern_of_day(day), raw) for day in days)
    amount = as_amount(value)
    if amount is not None:
        return any(_stands_alone(writing, raw) for writing in _writings_of_amount(amount))
    if str(value) in _SYMBOLS:
        return any(name in raw for name in (str(value).casefold(), *_SYMBOLS[str(value)]))
    letters = _letters(raw)
    return any(all(_spelled(part, raw, letters) for part in parts) for parts in _ways_to_part(str(value)))


def words_are_there(value: object, text: str) -> bool:
    """Return whether the text has every word of the value. If so, it may be printed in pieces, not absent."""
    if as_dates(value) or as_amount(value) is not None:
        return False
    there = set(re.findall(r"\w+", normalise(text)))
    return all(word in there for word in re.findall(r"\w+", normalise(str(value))))


def _ways_to_part(value: str) -> Iterator[list[str]]:
    """Yield the value as one piece, line by line, and as a name with the family name last."""
    yield [value]
    yield value.splitlines()
    if value.count(",") == 1:
        family, given = value.split(",")
        yield [f"{given} {family}"]


def _spelled(part: str, raw: str, letters: str) -> bool:
    wanted = _letters(part)
    if len(wanted) <= _SMALL:
        return wanted in {_letters(word) for word in raw.split()}
    return wanted in letters


def _letters(text: str) -> str:
    return "".join(character for character in normalise(text) if character.isalnum())


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
