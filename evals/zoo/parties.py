"""Makes up people, firms, addresses, codes and bank accounts."""

from __future__ import annotations

import string
import unicodedata
from dataclasses import dataclass

from evals.zoo.halves import Dice
from evals.zoo.words import Words
from evals.zoo.writing import COUNTRIES, Country

_SYLLABLES = (
    "al an ar ba be bo ca co da del do el en er fa fi ga gra ha ho in ka ko la le li lo ma mer mi mo na no nor o or "
    "pa per po ra ren ri ro sa sel si so ta tel ti tor u va vel vi vo wa wen zi"
)
_CODE_FORMS = (
    "999999", "99999", "A-99999", "AA-99999", "Y-9999", "AA99999", "99-9999", "Y/9999", "AAY-999", "9999999999",
    "A9999/Y", "99.999.99", "AA/99/9999",
)  # fmt: skip


@dataclass(frozen=True)
class Party:
    """A firm or a person with everything that papers print about it."""

    name: str
    street: str
    city: str
    phone: str
    email: str
    website: str
    vat: str
    iban: str
    bic: str
    bank: str
    person: str

    @property
    def address(self) -> tuple[str, str]:
        return self.street, self.city


class Maker:
    """Makes things up in one language and country."""

    def __init__(self, dice: Dice, words: Words, country: Country) -> None:
        self.dice = dice
        self.words = words
        self.country = country

    def coined(self) -> str:
        syllables = self.dice.choices(_SYLLABLES.split(), k=self.dice.choice((2, 3, 3)))
        return "".join(syllables).capitalize()

    def pick(self, section: str, name: str) -> str:
        return self.dice.choice(self.words(section, name))

    def person(self) -> str:
        return f"{self.pick('names', 'given')} {self.pick('names', 'family')}"

    def firm(self, forms: str = "firms") -> str:
        return self._filled(self.pick("names", forms))

    def party(self, *, firm: bool = True, shop: bool = False) -> Party:
        person = self.person()
        name = self.firm("shops" if shop else "firms") if firm else person
        if firm and self.dice.likely(0.12):
            name = name.upper()
        host = "".join(letter for letter in _plain(name.split()[0]) if letter.isalnum()) or "info"
        domain = f"{host}{self.dice.choice((self.country.domain, '.com'))}"
        mailbox = self.dice.choice(("info", "office", _plain(person.split()[0])))
        return Party(
            name,
            self._filled(self.pick("names", "streets")),
            self.city(),
            self.phone(),
            f"{mailbox}@{domain}",
            f"www.{domain}",
            self.shaped(self.country.vat),
            self.iban(),
            self.shaped("AAAA") + self.country.code + self.dice.choice(("2A", "33", "XX")),
            self.pick("names", "banks"),
            person,
        )

    def city(self) -> str:
        cities = self.words("names", "cities")
        return self.dice.choice(cities)

    def phone(self) -> str:
        return self.shaped(
            self.dice.choice(
                ("+49 999 999999", "0999 / 999999", "(999) 999-9999", "999-999-9999", "+39 99 9999 9999")
            )
        )

    def code(self, year: int) -> str:
        form = self.dice.wording(_CODE_FORMS)
        return self.shaped(form.replace("Y", str(year)))

    def shaped(self, form: str) -> str:
        """Return the form with chance digits for nines and chance letters for `A`. A country's letters stay."""
        prefix = form[:2] if form[:2] in COUNTRIES else ""
        rest = form[len(prefix) :]
        made = [
            self.dice.choice("123456789")
            if sign == "9"
            else self.dice.choice(string.ascii_uppercase)
            if sign == "A"
            else sign
            for sign in rest
        ]
        return prefix + "".join(made)

    def iban(self) -> str:
        """Return an IBAN with valid check digits, in groups of four or in one piece."""
        country = self.country if self.country.bban else COUNTRIES["GB"]
        account = self.shaped(country.bban)
        digits = "".join(str(int(sign, 36)) for sign in f"{account}{country.code}00")
        iban = f"{country.code}{98 - int(digits) % 97:02d}{account}"
        if self.dice.likely(0.7):
            return " ".join(iban[start : start + 4] for start in range(0, len(iban), 4))
        return iban

    def _filled(self, form: str) -> str:
        family, other = self.dice.sample(self.words("names", "family"), 2)
        return form.format(
            x=self.coined(),
            family=family,
            family2=other,
            trade=self.pick("names", "trades"),
            n=self.dice.randint(1, 199),
        )


def _plain(text: str) -> str:
    letters = unicodedata.normalize("NFD", text.casefold().replace("ł", "l"))
    return "".join(letter for letter in letters if letter.isascii())
