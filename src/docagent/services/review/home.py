"""Home: each kind of document with its newest papers and its sums, how accurate prompts are, pages and credits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from docagent.domain.accounts.accounts import Member
from docagent.domain.clock import now
from docagent.domain.extraction.artefacts import Schema
from docagent.domain.extraction.doubts import ReviewPolicy
from docagent.domain.models.credits import UsageGroup, UsageKey
from docagent.services.review.sheet_columns import by_concept, columns_of
from docagent.store.engine.database import Database, OrgTx
from docagent.store.extraction.prompts import PROMPTS
from docagent.store.extraction.schemas import asked_by_each
from docagent.store.models import credits
from docagent.store.review import accuracy, home, review
from docagent.store.review.accuracy import AccuracyRun
from docagent.store.review.home import Arrival, Measure, Month, ReadDay
from docagent.store.review.review import Counts

MOST_KINDS = 12
MOST_RUNS = 50
PICTURES = 4
MONTHS = 12
DAYS = 30
_AMOUNTS = ("total", "due_payable", "net", "fee")
_DATES = ("invoice_date", "order_date", "delivery_date", "signature_date", "effective_date")


@dataclass(frozen=True, slots=True)
class KindOfPaper:
    """The documents of one prompt. `months` has the amounts of the currency that most of them are in."""

    prompt_id: str
    name: str
    counts: Counts
    newest: Sequence[Arrival]
    amount: str | None
    currency: str | None
    months: Sequence[Month]


@dataclass(frozen=True, slots=True)
class Home:
    kinds: Sequence[KindOfPaper]
    accuracy: Sequence[AccuracyRun]
    pages: Sequence[ReadDay]
    credits: Sequence[UsageGroup] | None
    """By day; None for members who may not see the usage."""


class HomeService:
    def __init__(self, db: Database) -> None:
        self._db = db

    async def home(self, member: Member) -> Home:
        today = now().date()
        first = today - timedelta(days=DAYS - 1)
        async with self._db.read_as(member, long=True) as tx:
            runs = (await accuracy.recent(tx, None, skip=0, limit=MOST_RUNS)).items
            return Home(
                await _kinds(tx, member, today),
                [run for run in reversed(runs) if run.done and not run.is_open and not run.is_draft],
                await home.pages_by_day(tx, datetime.combine(first, time(), UTC)),
                await credits.broken_down(tx, UsageKey.DAY, first, None) if member.is_admin else None,
            )


async def _kinds(tx: OrgTx, member: Member, today: date) -> list[KindOfPaper]:
    """The kinds to which something was added last, the newest first."""
    prompts = {one.id: one for one in await PROMPTS.several(tx, await review.prompts_with_results(tx))}
    arrivals = await home.newest_documents(tx, list(prompts), PICTURES)
    shown = list(dict.fromkeys(one.prompt_id for one in arrivals))[:MOST_KINDS]
    schemas = await asked_by_each(tx, [prompts[one] for one in shown])
    measures = {one: _measure(one, schemas.get(prompts[one].revid)) for one in shown}
    policies = await review.policies(tx)
    judged = {one: policies.get(one, ReviewPolicy()).told for one in shown}
    counts = await review.counts(tx, judged, member.user_id, now())
    months = await home.by_month(tx, list(measures.values()), today)
    return [
        _kind(
            measures[one],
            prompts[one].name,
            counts.get(one, Counts()),
            [arrival for arrival in arrivals if arrival.prompt_id == one],
            [month for month in months if month.prompt_id == one],
        )
        for one in shown
    ]


def _kind(
    measure: Measure, name: str, counts: Counts, newest: Sequence[Arrival], months: Sequence[Month]
) -> KindOfPaper:
    papers: Counter[str] = Counter()
    for month in months:
        papers[month.currency] += month.documents
    main = papers.most_common(1)[0][0] if papers else ""
    return KindOfPaper(
        measure.prompt_id,
        name,
        counts,
        newest,
        measure.amount.title if measure.amount else None,
        main or None,
        [month for month in months if month.currency == main][-MONTHS:],
    )


def _measure(prompt_id: str, schema: Schema | None) -> Measure:
    asked = by_concept(columns_of(schema.json_schema, None)) if schema else {}
    return Measure(
        prompt_id,
        amount=next((asked[key] for key in _AMOUNTS if key in asked), None),
        dated=next((asked[key] for key in _DATES if key in asked), None),
        currency=asked.get("currency"),
    )
