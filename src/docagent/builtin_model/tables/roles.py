"""Tells what the columns of a table hold by their cells, whatever their heads say.

Quantity times price is the amount; the rest is told by its looks: days, percentages, codes, words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from itertools import pairwise, permutations

from docagent.builtin_model.page.meant import counted_in, dates_in
from docagent.builtin_model.page.shapes import letters_share
from docagent.builtin_model.tables.by_product import holds
from docagent.reading.printed import Style, find_numbers, parse_number

Line = Mapping[int, str]
"""The texts of a row by the number of their column."""
_MOSTLY = 0.6
_NEARLY_ALL = 0.8
_CENT = Decimal("0.02")
_CODE = re.compile(r"(?=.*\d)[A-Z0-9][A-Z0-9./_-]{2,}")
_LONG = re.compile(r"\d{8}")
_CLEARLY_LONGER = 1.5
_MOST_COLUMNS = 12
_LONGEST_CODE = 16


@dataclass(frozen=True)
class _Cells:
    """The cells of one column, one for each row of the table; empty where the row has none."""

    texts: tuple[str, ...]
    style: Style

    @cached_property
    def filled(self) -> list[str]:
        return [text for text in self.texts if text]

    @cached_property
    def numbers(self) -> list[Decimal | None]:
        return [_number(text, self.style) for text in self.texts]

    @property
    def is_numeric(self) -> bool:
        return self._share(lambda text: _number(text, self.style) is not None) >= _NEARLY_ALL

    @property
    def is_dated(self) -> bool:
        return self._share(lambda text: bool(dates_in(text, self.style))) >= _MOSTLY

    @property
    def is_percentage(self) -> bool:
        return self._share(lambda text: any(one.percent for one in find_numbers(text, self.style))) >= _MOSTLY

    @property
    def is_code(self) -> bool:
        share = self._share(lambda text: _CODE.fullmatch(text) is not None and len(text) <= _LONGEST_CODE)
        return share >= _NEARLY_ALL

    @property
    def is_long(self) -> bool:
        """Whether the cells have more digits in one piece than counts and amounts have."""
        return self._share(lambda text: _LONG.search(text) is not None) >= _MOSTLY

    @property
    def has_digits(self) -> bool:
        return self._share(lambda text: any(map(str.isdigit, text))) > 1 - _NEARLY_ALL

    @property
    def is_words(self) -> bool:
        return self._share(lambda text: letters_share(text) > _MOSTLY) >= _MOSTLY

    @property
    def letters(self) -> float:
        return sum(sum(map(str.isalpha, text)) for text in self.filled) / max(len(self.filled), 1)

    @property
    def in_cents(self) -> float:
        """The share of the numbers that have two decimals."""
        return self._share(lambda text: any(one.decimals == 2 for one in find_numbers(text, self.style)))

    @property
    def whole(self) -> float:
        return self._share(lambda text: (value := _number(text, self.style)) is not None and value % 1 == 0)

    @property
    def counts_rows(self) -> bool:
        numbers = [value for value in self.numbers if value is not None]
        return (
            len(numbers) == len(self.texts) > 1
            and numbers[0] == 1
            and all(after == before + 1 for before, after in pairwise(numbers))
        )

    def _share(self, test: Callable[[str], bool]) -> float:
        return sum(map(test, self.filled)) / len(self.filled) if self.filled else 0.0


def _number(text: str, style: Style) -> Decimal | None:
    found = parse_number(text, style) or counted_in(text, style)
    if found is not None and not found.percent:
        return found.value
    parts = find_numbers(text, style)
    lone = len(parts) == 1 and not parts[0].percent and len(text) - (parts[0].end - parts[0].start) <= 5
    return parts[0].value if lone else None


def roles_of(lines: Sequence[Line], columns: int, style: Style, heads: Mapping[int, str]) -> dict[str, int]:
    """Return the columns by the keys of the concepts that their cells stand for. `heads` are those that heads name."""
    if not lines or columns > _MOST_COLUMNS:
        return {}
    cells = [_Cells(tuple(line.get(number, "") for line in lines), style) for number in range(columns)]
    roles: dict[str, int] = {}
    dated = [number for number, column in enumerate(cells) if column.is_dated]
    if dated:
        roles["row_date"] = dated[0]
    numeric = [
        number
        for number, column in enumerate(cells)
        if number not in dated
        and column.is_numeric
        and not (column.is_percentage or column.counts_rows or column.is_long)
    ]
    roles |= _product(cells, numeric, heads)
    return roles | _texts(cells, {*dated, *roles.values()}, heads, with_codes=not dated)


def looks_of(lines: Sequence[Line], columns: int, style: Style) -> list[str]:
    """Return what the cells of each column look like; nothing where they differ."""
    looks = []
    for number in range(columns):
        cells = _Cells(tuple(line.get(number, "") for line in lines), style)
        tests = {
            "date": cells.is_dated,
            "percentage": cells.is_percentage,
            "counter": cells.counts_rows,
            "number": cells.is_numeric and not cells.is_long,
            "code": cells.is_code,
            "plain words": cells.is_words and not cells.has_digits,
            "words": cells.is_words,
        }
        looks.append(next((look for look, applies in tests.items() if applies), ""))
    return looks


def _product(cells: Sequence[_Cells], numeric: Sequence[int], heads: Mapping[int, str]) -> dict[str, int]:
    """Return the columns of which two multiply to the third, less a discount that a fourth may tell."""
    found = []
    rates = [None, *(column for column in cells if column.is_percentage)]
    for quantity, price, amount in permutations(numeric, 3):
        named = (
            (heads.get(quantity) == "quantity")
            + (heads.get(price) == "unit_price")
            + (heads.get(amount) == "line_amount")
        )
        looks = cells[quantity].whole - cells[price].whole + cells[price].in_cents - cells[quantity].in_cents
        for rate in rates:
            rows = list(_triples(cells[quantity], cells[price], cells[amount], rate))
            good = [telling for multiplies, telling in rows if multiplies]
            if rows and len(good) >= _NEARLY_ALL * len(rows):
                found.append(
                    (any(good), named, looks, rate is None, -quantity - amount, (quantity, price, amount))
                )
    if not found:
        return {}
    telling, named, *_, (quantity, price, amount) = max(found)
    if not telling and named < 2 and not (price < amount and cells[quantity].whole == 1):
        return {}
    return {"quantity": quantity, "unit_price": price, "line_amount": amount}


def _triples(
    quantity: _Cells, price: _Cells, amount: _Cells, rate: _Cells | None
) -> Iterator[tuple[bool, bool]]:
    """Yield for each whole row whether it is a product, and whether that tells anything: once nothing is itself."""
    for place, three in enumerate(zip(quantity.numbers, price.numbers, amount.numbers, strict=True)):
        count, each, all_ = three
        if count is not None and each is not None and all_ is not None:
            found = find_numbers(rate.texts[place], rate.style) if rate else ()
            yield holds(count, each, all_, [one.value for one in found]), not {count, each} & {0, 1}


def _texts(
    cells: Sequence[_Cells], taken: set[int], heads: Mapping[int, str], *, with_codes: bool
) -> dict[str, int]:
    """Return the column of words, which is clearly the longest, and the column of codes."""
    found: dict[str, int] = {}
    words = sorted(
        (number for number, column in enumerate(cells) if number not in taken and column.is_words),
        key=lambda number: -cells[number].letters,
    )
    clear = words and (len(words) == 1 or cells[words[0]].letters > _CLEARLY_LONGER * cells[words[1]].letters)
    if clear:
        found["item_name"] = words[0]
    codes = [
        number
        for number, column in enumerate(cells)
        if number not in taken and number not in heads and number not in words and column.is_code
    ]
    if len(codes) == 1 and with_codes:
        found["item_code"] = codes[0]
    return found
