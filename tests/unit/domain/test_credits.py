"""What a model call costs, and from which pot it is taken."""

from __future__ import annotations

import pytest

from docagent.domain.models.catalogue import BUILT_IN, ModelInfo
from docagent.domain.models.credits import CreditAccount, Spending, credits_for, page_floor
from docagent.domain.models.llm import Usage
from tests.support.tables import table


@table(
    ("cost", "price", "pages", "credits"),
    [
        (0.0, 0.0, 0, 1),
        (5.0, 0.0, 0, 1),
        (5.0, 0.0, 26, 2),
        (0.0, 0.01, 0, 1),
        (0.005, 0.01, 0, 1),
        (0.0051, 0.01, 0, 2),
        (0.3, 0.2, 0, 3),
        (0.03, 0.01, 500, 20),
        (0.2, 0.01, 500, 40),
        (10.0, 0.01, 0, 50),
        (0.0, 0.0, 10_000, 50),
    ],
)
def test_a_call_costs_twice_its_price_but_at_least_its_pages(
    cost: float, price: float, pages: int, credits: int
) -> None:
    assert credits_for(cost, price, pages) == credits


@table(("pages", "floor"), [(0, 1), (1, 1), (25, 1), (26, 2), (75, 3), (76, 4)])
def test_every_25_pages_cost_a_credit(pages: int, floor: int) -> None:
    assert page_floor(pages) == floor


def test_purchased_credits_go_first_and_what_nobody_gave_is_owed() -> None:
    account = CreditAccount(granted=10, granted_used=4, purchased=3)
    spending = account.spend(12)
    assert spending == Spending(purchased=3, granted=6, paid=3)
    after = account.after(spending)
    assert (after.remaining, after.paid, after.granted_used, after.purchased_used) == (0, 3, 10, 3)
    assert after.spend(2) == Spending(paid=2)


def test_cached_tokens_are_cheaper() -> None:
    model = ModelInfo("m", "p", "m", "P", "", 1000, 1000, input_price=10, output_price=100, cached_price=1)
    usage = Usage(input_tokens=1_000_000, output_tokens=10_000, cached_input_tokens=400_000)
    assert model.cost(usage) == pytest.approx(6 + 0.4 + 1)
    assert BUILT_IN.cost(usage) == 0
