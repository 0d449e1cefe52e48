"""What is sold, and sums that reconcile."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

from evals.zoo.paper import Paper

_CENT = Decimal("0.01")


@dataclass(frozen=True)
class Item:
    sku: str
    description: str
    note: str | None
    quantity: Decimal
    unit: str
    unit_price: Decimal
    discount: Decimal
    rate: Decimal
    weight: Decimal

    @property
    def amount(self) -> Decimal:
        return cents(self.quantity * self.unit_price * (1 - self.discount / 100))


@dataclass(frozen=True)
class Sums:
    """total = lines - discount + shipping + tax; due = total - prepaid."""

    lines: Decimal
    discount: Decimal
    shipping: Decimal
    bases: dict[Decimal, Decimal]
    """For each tax rate the amount that is taxed."""
    prepaid: Decimal = Decimal(0)

    @property
    def net(self) -> Decimal:
        return self.lines - self.discount + self.shipping

    def tax_at(self, rate: Decimal) -> Decimal:
        return cents(self.bases[rate] * rate / 100)

    @property
    def tax(self) -> Decimal:
        return sum((self.tax_at(rate) for rate in self.bases), Decimal(0))

    @property
    def total(self) -> Decimal:
        return self.net + self.tax

    @property
    def due(self) -> Decimal:
        return self.total - self.prepaid


def cents(value: Decimal) -> Decimal:
    return value.quantize(_CENT, ROUND_HALF_UP)


def make_items(paper: Paper, count: int, *, discounts: bool, services: float) -> list[Item]:
    rates = [Decimal(rate) for rate in paper.writing.country.rates]
    several = paper.dice.likely(0.35)
    return [
        _make_item(paper, paper.dice.choice(rates[:2]) if several else rates[0], discounts, services)
        for _ in range(count)
    ]


def _make_item(paper: Paper, rate: Decimal, discounts: bool, services: float) -> Item:
    dice, maker = paper.dice, paper.maker
    service = dice.likely(services)
    price = dice.choice((dice.randint(50, 900), dice.randint(500, 9000), dice.randint(5000, 150000)))
    quantity = Decimal(dice.choice((1, 1, 2, 3, 5, 10, dice.randint(2, 60))))
    if service and dice.likely(0.4):
        quantity += Decimal("0.5")
    return Item(
        sku=maker.shaped(dice.choice(("99999", "AA-999", "9999-99", "A9999"))),
        description=maker.pick("names", "services" if service else "goods"),
        note=f"{maker.pick('columns', 'batch')} {maker.shaped('AA9999')}" if dice.likely(0.15) else None,
        quantity=quantity,
        unit=maker.pick("names", "units"),
        unit_price=Decimal(price) / 100,
        discount=Decimal(dice.choice((5, 10, 15))) if discounts and dice.likely(0.4) else Decimal(0),
        rate=rate,
        weight=Decimal(dice.randint(2, 400)) / 10,
    )


def make_sums(paper: Paper, items: list[Item]) -> Sums:
    """Return the sums of the items. A discount or a freight is there only with one tax rate, as it has to be taxed."""
    dice = paper.dice
    lines = sum((item.amount for item in items), Decimal(0))
    bases: dict[Decimal, Decimal] = {}
    for item in items:
        bases[item.rate] = bases.get(item.rate, Decimal(0)) + item.amount
    discount = shipping = Decimal(0)
    if len(bases) == 1:
        discount = cents(lines * dice.choice((2, 5, 10)) / 100) if dice.likely(0.2) else Decimal(0)
        shipping = Decimal(dice.randint(390, 8900)) / 100 if dice.likely(0.25) else Decimal(0)
        bases = {rate: base - discount + shipping for rate, base in bases.items()}
    total = Sums(lines, discount, shipping, bases).total
    prepaid = cents(total * dice.choice((10, 25, 50)) / 100) if dice.likely(0.2) else Decimal(0)
    return Sums(lines, discount, shipping, bases, prepaid)
