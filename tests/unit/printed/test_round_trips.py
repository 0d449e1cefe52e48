"""What is printed in any known form is read back."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from docagent.reading.printed import Style, find_dates, find_numbers, fold, parse_number, squeezed
from docagent.reading.printed.currencies import SIGNS
from docagent.reading.printed.folding import fold_keeping_places
from docagent.words import words

days = st.dates(date(1960, 1, 1), date(2059, 12, 31))
around = st.sampled_from(["", "Total ", "vom ", "(", "\u5408\u8a08: ", "Ma\u0308nner \ufb01nden: "])
behind = st.sampled_from(["", " ", ", paid", ")", ";", " \u2013 ok"])


@given(days, st.integers(0, 99), around, behind)
def test_a_date_with_the_name_of_its_month(day: date, choice: int, before: str, after: str) -> None:
    names = words("months")[str(day.month)]
    name = names[choice % len(names)]
    for printed in (
        f"{day.day} {name} {day.year}",
        f"{day.day}. {name.upper()} {day.year}",
        f"{day.day} de {name} de {day.year}",
        f"{day.day:02}-{name}-{day.year % 100:02}",
        f"{day.day:02}{name.title()}{day.year}",
        f"{name.title()} {day.day}, {day.year}",
        f"{name}. {day.day:02} {day.year}",
        f"{day.year}-{name}-{day.day:02}",
        f"{day.year}. {name} {day.day}",
    ):
        assert_read(before, printed, after, day, Style())


@given(days, st.booleans(), st.sampled_from("/.-"), around, behind)
def test_a_date_in_numbers(day: date, day_first: bool, mark: str, before: str, after: str) -> None:
    first, second = (day.day, day.month) if day_first or mark == "." else (day.month, day.day)
    for printed in (
        f"{first}{mark}{second}{mark}{day.year}",
        f"{first:02}{mark}{second:02}{mark}{day.year % 100:02}",
        f"{day.year}{mark}{day.month:02}{mark}{day.day:02}",
        f"{day.year}\u5e74{day.month}\u6708{day.day}\u65e5",
    ):
        assert_read(before, printed, after, day, Style(day_first=day_first))


def assert_read(before: str, printed: str, after: str, day: date, style: Style) -> None:
    [found] = find_dates(before + printed + after, style)
    assert found.day == day
    assert found.certain
    assert (found.start, found.end) == (len(before), len(before) + len(printed))


amounts = st.decimals(0, 10**9, places=2)


@given(amounts, st.sampled_from(["", ",", ".", "'", " ", "\u00a0", "\u2019"]), st.booleans(), around, behind)
def test_an_amount_with_any_separators(
    amount: Decimal, group: str, negative: bool, before: str, after: str
) -> None:
    mark = "," if group == "." else "."
    printed = f"{amount:,.2f}".translate({ord(","): group, ord("."): mark})
    printed = f"-{printed}" if negative else printed
    before = before.replace("(", "")
    [found] = find_numbers(before + printed + after)
    assert found.value == (-amount if negative else amount)
    assert found.decimals == 2
    whole = parse_number(printed)
    assert whole is not None
    assert whole.values == (found.value,)


@given(amounts, st.sampled_from(sorted(SIGNS)), st.integers(0, 9), st.sampled_from(["", " "]), behind)
def test_an_amount_with_any_sign_of_its_currency(
    amount: Decimal, code: str, choice: int, gap: str, after: str
) -> None:
    signs = SIGNS[code]
    sign = signs[choice % len(signs)]
    for printed in (f"{sign}{gap}{amount:,.2f}", f"{amount:,.2f}{gap}{sign}"):
        [found] = find_numbers(printed + after)
        assert found.value == amount
        assert code in found.currencies
        assert (found.start, found.end) == (0, len(printed))


@given(st.integers(1, 999), st.integers(0, 999), st.sampled_from(".,"))
def test_one_group_of_three_is_read_in_the_documents_style(head: int, tail: int, mark: str) -> None:
    text = f"{head}{mark}{tail:03}"
    [parted] = find_numbers(text, Style(decimal_comma=mark == ","))
    [grouped] = find_numbers(text, Style(decimal_comma=mark != ","))
    [unsure] = find_numbers(text)
    assert parted.values == (Decimal(f"{head}.{tail:03}"),)
    assert grouped.values == (Decimal(head * 1000 + tail),)
    assert set(unsure.values) == {*grouped.values, *(parted.values if tail else ())}


letters = st.text(
    st.characters(min_codepoint=0x20, max_codepoint=0x52F) | st.sampled_from("\ufb01\ufb02\uff11\u2026\u00df")
)


@given(letters)
def test_folding_keeps_every_place(text: str) -> None:
    folded = fold_keeping_places(text)
    for place in range(len(folded.text)):
        start, end = folded.source(place, place + 1)
        assert 0 <= start < end <= len(text)
        assert folded.text[place] in fold(text[start:end])


@given(letters)
def test_folding_twice_changes_nothing_more(text: str) -> None:
    assert squeezed(squeezed(text)) == squeezed(text)
