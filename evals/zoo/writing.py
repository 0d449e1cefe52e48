"""How a paper writes numbers, amounts and dates."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from evals.zoo.halves import Dice
from evals.zoo.words import Words

_SPACE = " "


@dataclass(frozen=True)
class Country:
    """What a country's papers have in common."""

    code: str
    currency: str
    signs: tuple[str, ...]
    rates: tuple[str, ...]
    """Tax rates in percent; the first is the usual one."""
    vat: str
    """The form of its tax numbers: `9` for a digit, `A` for a letter."""
    bban: str
    """The form of its bank accounts after the IBAN's check digits."""
    domain: str


COUNTRIES = {
    country.code: country
    for country in (
        Country("US", "USD", ("$", "USD"), ("7.25", "8.25", "6"), "99-9999999", "", ".com"),
        Country("GB", "GBP", ("£", "GBP"), ("20", "5"), "GB999999999", "AAAA99999999999999", ".co.uk"),
        Country("IE", "EUR", ("€", "EUR"), ("23", "13.5"), "IE9999999A", "AAAA99999999999999", ".ie"),
        Country("DE", "EUR", ("€", "EUR"), ("19", "7"), "DE999999999", "9" * 18, ".de"),
        Country("AT", "EUR", ("€", "EUR"), ("20", "10"), "ATU99999999", "9" * 16, ".at"),
        Country("FR", "EUR", ("€", "EUR"), ("20", "5.5", "10"), "FR99999999999", "9" * 23, ".fr"),
        Country("ES", "EUR", ("€", "EUR"), ("21", "10", "4"), "ESB99999999", "9" * 20, ".es"),
        Country("IT", "EUR", ("€", "EUR"), ("22", "10", "4"), "IT99999999999", "A" + "9" * 22, ".it"),
        Country("PT", "EUR", ("€", "EUR"), ("23", "13", "6"), "PT999999999", "9" * 21, ".pt"),
        Country("NL", "EUR", ("€", "EUR"), ("21", "9"), "NL999999999B99", "AAAA9999999999", ".nl"),
        Country("PL", "PLN", ("zł", "PLN"), ("23", "8", "5"), "PL9999999999", "9" * 24, ".pl"),
        Country("CZ", "CZK", ("Kč", "CZK"), ("21", "12"), "CZ99999999", "9" * 20, ".cz"),
        Country("SE", "SEK", ("kr", "SEK"), ("25", "12", "6"), "SE999999999901", "9" * 20, ".se"),
    )
}


@dataclass(frozen=True)
class Writing:
    """The choices of one paper. The same number is written the same way all over it."""

    country: Country
    months: tuple[str, ...]
    date_pattern: str
    decimals: str
    thousands: str
    sign: str
    sign_place: str
    minus: str
    percent_space: str

    @classmethod
    def draw(cls, dice: Dice, words: Words) -> Writing:
        country = COUNTRIES[dice.choice(words("style", "countries"))]
        dates = [pattern for pattern in words("style", "dates") if _fits(pattern, country)]
        thousands = dice.choice(words("style", "thousands"))
        sign = dice.choice(country.signs)
        before = (len(sign) == 1 and sign in "$£") or dice.likely(0.3)
        places = ("before", "before spaced") if before else ("after",)
        return cls(
            country,
            words("style", "months"),
            dice.wording(dates),
            words("style", "decimals")[0],
            {"none": "", "space": _SPACE}.get(thousands, thousands),
            sign,
            dice.choice(places) if len(sign) == 1 else places[-1],
            dice.layout(("-{}",), ("({})",), ("{}-",)),
            dice.choice(("", " ")),
        )

    @property
    def day_first(self) -> bool:
        return not self.date_pattern.startswith("{M}")

    def number(self, value: Decimal, places: int = 2) -> str:
        whole, _, fraction = f"{abs(value):,.{places}f}".partition(".")
        text = whole.replace(",", self.thousands) + (self.decimals + fraction if fraction else "")
        return self.minus.format(text) if value < 0 else text

    def amount(self, value: Decimal, *, signed: bool) -> str:
        text = self.number(value)
        if not signed:
            return text
        match self.sign_place:
            case "before":
                return f"{self.sign}{text}"
            case "before spaced":
                return f"{self.sign} {text}"
            case _:
                return f"{text} {self.sign}"

    def quantity(self, value: Decimal) -> str:
        whole = value == value.to_integral_value()
        return self.number(value, 0 if whole else 2)

    def percent(self, value: Decimal) -> str:
        places = 0 if value == value.to_integral_value() else len(str(value).partition(".")[2])
        return f"{self.number(value, places)}{self.percent_space}%"

    def date(self, day: date, pattern: str | None = None) -> str:
        month = self.months[day.month - 1]
        return (pattern or self.date_pattern).format(
            d=day.day,
            D=f"{day.day:02d}",
            m=day.month,
            M=f"{day.month:02d}",
            Y=day.year,
            y=f"{day.year % 100:02d}",
            month=month,
            mon=month[:3],
        )


def _fits(pattern: str, country: Country) -> bool:
    """American papers write the month first, all others the day."""
    if country.code == "US":
        return not pattern.startswith("{D}/")
    return not pattern.startswith("{M}/")
