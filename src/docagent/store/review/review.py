"""Queries on the review queue: results that wait for a person, and who looks at which."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa

from docagent.domain.extraction.doubts import ReviewMode, ReviewPolicy, Standing
from docagent.store.engine.database import OrgTx
from docagent.store.engine.upsert import put
from docagent.store.mapping import Mapped
from docagent.store.review.sheets import JOINED, newest_results, with_documents, with_values
from docagent.store.tables import extraction_results, review_policies

_heads = extraction_results.c
_LAST_DIGITS = 3
"""The end of an id is random, so it says whether a result is in the sample: always the same one."""


@dataclass(frozen=True, slots=True)
class Taken:
    """A result that a person looks at."""

    result_id: str
    document_id: str
    prompt_revid: str


@dataclass(frozen=True, slots=True)
class Counts:
    """Results of a prompt, one for each document."""

    total: int = 0
    waiting: int = 0
    """In the queue."""
    values: int = 0
    """Of these, the values that a person should look at."""
    taken: int = 0
    """Of these, those that somebody else looks at now."""
    rejected: int = 0


_POLICY = Mapped(ReviewPolicy, review_policies, besides=("prompt_id",))


async def policies(tx: OrgTx) -> dict[str, ReviewPolicy]:
    """What is wanted of each prompt for which somebody has said it."""
    return {row.prompt_id: _POLICY.of(row) for row in await tx.rows(sa.select(review_policies))}


async def policy(tx: OrgTx, prompt_id: str) -> ReviewPolicy:
    return await _POLICY.first(tx, review_policies.c.prompt_id == prompt_id) or ReviewPolicy()


async def set_policy(tx: OrgTx, prompt_id: str, wanted: ReviewPolicy) -> None:
    await put(tx, review_policies, _POLICY.values(wanted, prompt_id=prompt_id))


async def prompts_with_results(tx: OrgTx) -> list[str]:
    rows = await tx.rows(sa.select(_heads.prompt_id).where(~_heads.proposed).distinct())
    return sorted(row.prompt_id for row in rows)


async def counts_of(tx: OrgTx, prompt_id: str, wanted: ReviewPolicy, user_id: str, now: datetime) -> Counts:
    return (await counts(tx, {prompt_id: wanted}, user_id, now)).get(prompt_id, Counts())


async def counts(
    tx: OrgTx, policies: Mapping[str, ReviewPolicy], user_id: str, now: datetime
) -> dict[str, Counts]:
    """The counts of each of these prompts that has results."""
    if not policies:
        return {}
    by_policy: dict[ReviewPolicy, list[str]] = {}
    for prompt_id, policy in policies.items():
        by_policy.setdefault(policy, []).append(prompt_id)
    of_policy = [(_heads.prompt_id.in_(ids) & waiting(one), one) for one, ids in by_policy.items()]
    waits = sa.or_(*(is_in for is_in, _ in of_policy))
    doubts = sa.case(*((is_in, _doubts(tx, one.threshold)) for is_in, one in of_policy), else_=0)
    by_others = sa.and_(waits, _heads.reviewer_id != user_id, _heads.reviewing_until > now)
    rows = await tx.rows(
        sa.select(
            _heads.prompt_id,
            sa.func.count().label("total"),
            sa.func.count(sa.case((waits, 1))).label("waiting"),
            sa.func.sum(doubts).label("doubts"),
            sa.func.count(sa.case((by_others, 1))).label("taken"),
            sa.func.count(sa.case((_heads.standing == Standing.REJECTED, 1))).label("rejected"),
        )
        .select_from(with_documents())
        .where(*newest_results(tx, *policies))
        .group_by(_heads.prompt_id)
    )
    return {
        row.prompt_id: Counts(row.total, row.waiting, int(row.doubts), row.taken, row.rejected)
        for row in rows
    }


async def settled(tx: OrgTx, prompt_id: str, wanted: ReviewPolicy, is_odd: sa.ColumnElement[bool]) -> int:
    """How many results are verified, or sure enough that nobody has to look at them, and not odd."""
    verified = _heads.standing == Standing.VERIFIED
    sure = sa.and_(
        _heads.standing != Standing.REJECTED, ~waiting(wanted), _heads.certainty >= wanted.threshold, ~is_odd
    )
    judged = sa.select(sa.or_(verified, sure).label("settled")).select_from(with_values())
    ours = [table.c.organization_id == tx.organization_id for table in JOINED]
    inner = judged.where(*ours, *newest_results(tx, prompt_id)).subquery()
    row = await tx.first(sa.select(sa.func.count().label("settled")).where(inner.c.settled))
    return int(row.settled) if row else 0


async def take(
    tx: OrgTx,
    prompt_id: str,
    wanted: ReviewPolicy,
    *,
    user_id: str,
    now: datetime,
    until: datetime,
    without: Sequence[str] = (),
) -> Taken | None:
    """Take the next result for a person: one that they hold already, else the oldest that nobody holds."""
    mine = sa.and_(_heads.reviewer_id == user_id, _heads.reviewing_until > now)
    found = await tx.first(
        sa.select(_heads.id, _heads.document_id, _heads.prompt_revid)
        .select_from(with_documents())
        .where(
            *newest_results(tx, prompt_id),
            waiting(wanted),
            _heads.document_id.not_in(without),
            sa.or_(mine, _is_free(now)),
        )
        .order_by(sa.case((mine, 0), else_=1), _heads.document_id)
        .limit(1)
        .with_for_update(of=extraction_results, skip_locked=True)
    )
    if found is None:
        return None
    held = sa.update(extraction_results).where(_heads.id == found.id)
    await tx.execute(held.values(reviewer_id=user_id, reviewing_until=until))
    return Taken(found.id, found.document_id, found.prompt_revid)


async def newest(tx: OrgTx, prompt_id: str, document_id: str) -> Taken | None:
    row = await tx.first(
        sa.select(_heads.id, _heads.document_id, _heads.prompt_revid)
        .select_from(with_documents())
        .where(*newest_results(tx, prompt_id), _heads.document_id == document_id)
    )
    return Taken(row.id, row.document_id, row.prompt_revid) if row else None


async def hold(tx: OrgTx, result_id: str, *, user_id: str, now: datetime, until: datetime) -> bool:
    """Take a certain result, or keep it for longer. False if somebody else has it."""
    statement = (
        sa.update(extraction_results)
        .where(_heads.id == result_id, sa.or_(_heads.reviewer_id == user_id, _is_free(now)))
        .values(reviewer_id=user_id, reviewing_until=until)
    )
    return (await tx.execute(statement)).rowcount == 1


async def let_go(tx: OrgTx, result_id: str, user_id: str) -> None:
    await tx.execute(
        sa.update(extraction_results)
        .where(_heads.id == result_id, _heads.reviewer_id == user_id)
        .values(reviewer_id=None, reviewing_until=None)
    )


def waiting(wanted: ReviewPolicy) -> sa.ColumnElement[bool]:
    """Whether a result is in the queue. Of those that skipped review, only the sample is."""
    if wanted.mode is ReviewMode.NOTHING:
        return sa.false()
    is_open, went_on = _heads.standing == Standing.OPEN, _heads.standing == Standing.AUTO
    drawn = _is_drawn(wanted.sample_percent)
    doubtful = sa.true() if wanted.mode is ReviewMode.EVERYTHING else _heads.certainty < wanted.threshold
    return sa.or_(sa.and_(is_open, sa.or_(doubtful, drawn)), sa.and_(went_on, drawn))


def _doubts(tx: OrgTx, threshold: float) -> sa.ScalarSelect[int]:
    """How many values of a result are less sure than this."""
    each = sa.func.json_each if tx.dialect == "sqlite" else sa.func.json_each_text
    found = each(_heads.unsure).table_valued("key", "value").c
    number = sa.select(sa.func.coalesce(sa.func.sum(sa.cast(found.value, sa.Integer)), 0))
    return number.where(sa.cast(found.key, sa.Integer) < round(threshold * 100, 6)).scalar_subquery()


def _is_drawn(percent: int) -> sa.ColumnElement[bool]:
    """Whether a result is in the sample."""
    if percent in (0, 100):
        return sa.true() if percent else sa.false()
    drawn = sa.func.substr(_heads.id, 25 - _LAST_DIGITS, _LAST_DIGITS)
    return drawn < f"{percent * 16**_LAST_DIGITS // 100:0{_LAST_DIGITS}x}"


def _is_free(now: datetime) -> sa.ColumnElement[bool]:
    return sa.or_(_heads.reviewing_until.is_(None), _heads.reviewing_until <= now)
