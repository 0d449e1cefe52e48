"""Names, places, dates, codes and amounts beyond those of the zoo."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal

from evals.zoo.halves import Dice
from evals.zoo.parties import Maker
from evals.zoo.words import LANGUAGES, words_of
from evals.zoo.writing import COUNTRIES

STATES = (
    "Alabama|Alaska|Arizona|Arkansas|California|Colorado|Connecticut|Delaware|Florida|Georgia|Hawaii|Idaho|Illinois|"
    "Indiana|Iowa|Kansas|Kentucky|Louisiana|Maine|Maryland|Massachusetts|Michigan|Minnesota|Mississippi|Missouri|"
    "Montana|Nebraska|Nevada|New Hampshire|New Jersey|New Mexico|New York|North Carolina|North Dakota|Ohio|Oklahoma|"
    "Oregon|Pennsylvania|Rhode Island|South Carolina|South Dakota|Tennessee|Texas|Utah|Vermont|Virginia|Washington|"
    "West Virginia|Wisconsin|Wyoming"
).split("|")
COUNTRIES_SAID = (
    "Germany|France|Spain|Italy|Japan|Israel|Canada|Mexico|Brazil|India|China|Singapore|Hong Kong|England|Scotland|"
    "England and Wales|Ireland|Switzerland|Austria|Sweden|Norway|Denmark|Poland|Australia|New Zealand|Ontario|Quebec|"
    "British Columbia|Bermuda|the Netherlands|Belgium|Luxembourg|South Africa|Kenya|Nigeria|Turkey|Malaysia|Thailand"
).split("|")
_WORDS = (
    "American|National|First|United|Pacific|Atlantic|General|Global|Central|Northern|Southern|Western|Eastern|Royal|"
    "Golden|Silver|Blue|Green|Red|White|Summit|Valley|River|Harbor|Bridge|Lake|Mountain|Ocean|Island|Forest|Stone|"
    "Iron|Steel|Copper|Crystal|Diamond|Eagle|Falcon|Lion|Bear|Wolf|Star|Sun|Moon|Heritage|Liberty|Freedom|Unity|"
    "Progress|Future|Modern|Classic|Premier|Select|Prime|Capital|Trust|Alliance|Union|Federal|Metro|Urban|Rural|"
    "Digital|Data|Cyber|Smart|Quantum|Bio|Medical|Health|Family|Community|People|Citizen|Public|Private|Free|New"
).split("|")
_TRADES = (
    "Media|Broadcasting|Television|Radio|Technologies|Systems|Software|Networks|Trading|Foods|Industries|Holdings|"
    "Services|Bank|Hotel|Restaurant|Market|Store|Books|Medical|Energy|Oil|Gas|Power|Logistics|Partners|Foundation|"
    "Insurance|Electronics|Hardware|Bakery|Pharmaceuticals|Therapeutics|Consulting|Construction|Motors|Airlines|"
    "Shipping|Steel|Mining|Securities|Ventures|Capital|Financial|Realty|Properties|Entertainment|Studios|Records|"
    "Stationery|Enterprise|Supermarket|Trading|Auto Parts|Furniture|Seafood|Cafe|Kitchen|Pharmacy|Opticians"
).split("|")
_FORMS = (
    "Inc.|, Inc.|LLC|, LLC|Ltd.|Limited|Corp.|Corporation|Co.|Company|PLC|L.P.|LLP|N.A.|S.A.|GmbH|AG|B.V.|SARL|S.p.A.|"
    "Sdn Bhd|SDN. BHD.|Pty Ltd|Pte. Ltd.|K.K.|AB|Oy|Group|& Co.||||"
).split("|")
_ONES = "one two three four five six seven eight nine ten eleven twelve".split()
_COUNTED = {15: "fifteen", 18: "eighteen", 20: "twenty", 24: "twenty-four", 30: "thirty", 36: "thirty-six",
            45: "forty-five", 60: "sixty", 90: "ninety", 120: "one hundred twenty"}  # fmt: skip
_MONTHS = "January February March April May June July August September October November December".split()
_SHAPES = (
    "99999", "999999", "9999999", "999", "9999", "A9999", "AA99999", "99-99999", "9999-99", "AA-9999-99", "A-999",
    "999/9999", "99.999", "AAA-99999", "99A999", "A99-9999-A", "9999999999", "AA 9999", "#9999", "999-99-9999",
)  # fmt: skip


class Pool:
    """Makes things up. What one paper has in common, such as how it writes dates, is drawn once."""

    def __init__(self, dice: Dice, language: str = "en") -> None:
        self.dice = dice
        self.language = language
        self.date_form = dice.choice(
            ("mdy", "mdy", "dmy", "iso", "long", "long", "short", "dlong", "mdy2", "dmy.")
        )
        if language != "en":
            self.date_form = dice.choice(("dmy", "dmy.", "iso", "dmy.", "dmy-"))
        self.sign = dice.choice(("$", "$", "", "", "€", "£", "USD ", "EUR ", "RM ", "US$"))
        self.comma = language != "en"

    def _maker(self) -> Maker:
        language = self.language if self.dice.likely(0.6) else self.dice.choice(LANGUAGES)
        return Maker(self.dice, words_of(language), COUNTRIES[self.dice.choice(("US", "GB", "DE", "FR"))])

    def person(self) -> str:
        maker = self._maker()
        name = maker.person()
        chance = self.dice.random()
        if chance < 0.15:
            given, family = name.split(" ", 1)
            return f"{given} {self.dice.choice('ABCDEFGHJKLMRSTW')}. {family}"
        if chance < 0.2:
            return f"{self.dice.choice(('Mr.', 'Ms.', 'Dr.', 'Mrs.'))} {name}"
        return name.upper() if chance < 0.27 else name

    def firm(self) -> str:
        dice, chance = self.dice, self.dice.random()
        if chance < 0.3:
            return self._maker().firm()
        if chance < 0.42:
            return self._body()
        words = dice.sample(_WORDS, dice.choice((1, 1, 2))) if chance < 0.8 else [self._maker().coined()]
        if dice.likely(0.15):
            words = [dice.choice(words), dice.choice(("&", "and", "of")), dice.choice(_WORDS)]
        if dice.likely(0.7):
            words.append(dice.choice(_TRADES))
        form = dice.choice(_FORMS)
        name = " ".join(words) + (form if form.startswith(",") else f" {form}".rstrip())
        return name.upper() if dice.likely(0.2) else name

    def _body(self) -> str:
        """Return an association, a committee, an office of a state."""
        dice, family = self.dice, self._maker().pick("names", "family")
        word = dice.choice
        return word((
            f"Friends of {self.person()}", f"{family} for {word(('Senate', 'Congress', 'Governor', 'Mayor', 'President'))}",
            f"{word(_WORDS)} {word(_WORDS)} PAC", f"Committee to Elect {family}", f"Embassy of {word(COUNTRIES_SAID)}",
            f"{word(COUNTRIES_SAID)} {word(('Tourist Office', 'Trade Commission', 'Tourism Board', 'Chamber of Commerce'))}",
            f"{word(_WORDS)} Association of {word(_TRADES)}", f"Government of {word(COUNTRIES_SAID)}",
            f"{word(_WORDS)} {word(_TRADES)} Council", f"University of {word(STATES)}", f"{word(STATES)} Department of {word(_TRADES)}",
            f"{family}, {self._maker().pick('names', 'family')} & {self._maker().pick('names', 'family')}",
            f"Citizens for {word(_WORDS)} {word(_TRADES)}", f"The {word(_WORDS)} {word(_WORDS)} Fund",
        ))  # fmt: skip

    def day(self) -> date:
        return date(1960, 1, 1) + timedelta(days=self.dice.randint(0, 25_000))

    def date(self, day: date | None = None, form: str | None = None) -> str:
        day = day or self.day()
        month, loose = _MONTHS[day.month - 1], self.dice.likely(0.4)
        d, m = (str(day.day), str(day.month)) if loose else (f"{day.day:02d}", f"{day.month:02d}")
        return {
            "mdy": f"{m}/{d}/{day.year}", "dmy": f"{d}/{m}/{day.year}", "iso": day.isoformat(),
            "long": f"{month} {day.day}, {day.year}", "short": f"{month[:3]} {day.day}, {day.year}",
            "dlong": f"{day.day} {month} {day.year}", "mdy2": f"{m}/{d}/{day.year % 100:02d}",
            "dmy.": f"{d}.{m}.{day.year}", "dmy-": f"{d}-{m}-{day.year}",
        }[form or self.date_form]  # fmt: skip

    def spoken_date(self, day: date) -> str:
        """Return a date as contracts write it."""
        month = _MONTHS[day.month - 1]
        nth = f"{day.day}{'th' if 10 < day.day < 14 else {1: 'st', 2: 'nd', 3: 'rd'}.get(day.day % 10, 'th')}"
        return self.dice.choice((
            f"{month} {day.day}, {day.year}", f"{month} {day.day}, {day.year}", f"{month} {day.day}, {day.year}",
            f"{nth} day of {month}, {day.year}", f"{nth} day of {month} {day.year}", f"{day.day} {month} {day.year}",
            f"{month} {nth}, {day.year}", f"{day.month}/{day.day}/{day.year}", f"{day.day} day of {month}, {day.year}",
        ))  # fmt: skip

    def duration(self) -> str:
        dice = self.dice
        unit, counts = dice.choice((
            ("year", (1, 2, 3, 4, 5, 7, 10)), ("year", (1, 2, 3, 5)), ("month", (3, 6, 9, 12, 18, 24, 36)),
        ))  # fmt: skip
        return self.counted(dice.choice(counts), unit)

    def days(self) -> str:
        return self.counted(self.dice.choice((5, 7, 10, 15, 20, 30, 45, 60, 90, 120)), "day")

    def counted(self, count: int, unit: str) -> str:
        word = _ONES[count - 1] if count <= 12 else _COUNTED[count]
        units = unit if count == 1 else f"{unit}s"
        return self.dice.choice((
            f"{word} ({count}) {units}", f"{word} ({count}) {units}", f"{count} {units}", f"{word} {units}",
            f"{word.capitalize()} ({count}) {units}",
        ))  # fmt: skip

    def amount(self) -> str:
        dice = self.dice
        value = (
            Decimal(
                dice.choice(
                    (dice.randint(1, 9_999), dice.randint(100, 999_999), dice.randint(1_000, 99_999_999))
                )
            )
            / 100
        )
        text = (
            f"{value:,.2f}" if dice.likely(0.8) else f"{value:.2f}" if dice.likely(0.6) else f"{value:,.0f}"
        )
        if self.comma:
            text = text.translate(str.maketrans(",.", ".,"))
        return f"{self.sign}{text}"

    def code(self) -> str:
        shape = self.dice.choice(_SHAPES)
        return "".join(
            self.dice.choice("0123456789")
            if sign == "9"
            else self.dice.choice("ABCDEFGHKLMNPRSTVWXZ")
            if sign == "A"
            else sign
            for sign in shape
        )

    def address(self) -> str:
        party = self._maker().party()
        return f"{party.street}, {party.city}"

    def phone(self) -> str:
        return self._maker().phone()

    def email(self) -> str:
        return self._maker().party().email

    def place(self) -> str:
        return self.dice.choice((*STATES, *COUNTRIES_SAID, self._maker().pick("contract", "courts")))

    def job(self) -> str:
        return self._maker().pick("names", "jobs")

    def words(self) -> str:
        dice = self.dice
        return " ".join(dice.sample((*_WORDS, *_TRADES), dice.randint(1, 4)))
