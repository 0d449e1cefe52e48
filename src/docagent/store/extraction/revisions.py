"""Named things with versions: a head that holds the name and the counter, and one row for each version.

Version numbers have no gaps and no repeats, however many versions are made at once: the statement that finds or
makes the head also raises the counter, and holds the head's row until the transaction ends.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from datetime import datetime
from typing import Any, Generic, TypeVar

import sqlalchemy as sa
from sqlalchemy.engine import Row
from sqlalchemy.exc import IntegrityError

from docagent.domain.clock import now
from docagent.domain.extraction.artefacts import NameTaken
from docagent.domain.ids import is_id, new_id
from docagent.domain.listing import Found, ListQuery
from docagent.store.engine.database import OrgTx
from docagent.store.engine.upsert import insert_or
from docagent.store.listing import Condition, Field, name_search, one_page, order, where
from docagent.store.mapping import Mapped

Item = TypeVar("Item")
Values = Mapping[str, Any]
_OF_EACH = ("id", "head_id", "version", "created_at", "created_by")


def version_of(
    kind: Callable[..., Item],
    revisions: sa.Table,
    *,
    columns: Mapping[str, str] | None = None,
    joined: Sequence[str] = (),
    given: Sequence[str] = (),
    besides: Sequence[str] = (),
) -> Mapped[Item]:
    """How a version is stored: its own id is the `revid`, and its name stands in the head."""
    named = {"id": "head_id", "revid": "id", **(columns or {})}
    return Mapped(kind, revisions, columns=named, joined=("name", *joined), given=given, besides=besides)


@dataclass(eq=False)
class Revisions(Generic[Item]):
    """The queries of one versioned noun.

    `name_key` says which names are the same name; `mapped` is made by `version_of`; `tag_links` is the table
    that repeats the revision's `tag_ids` row by row, where the noun has tags; `of_head` are columns of the head
    that the noun has beside the name; `derived` are columns that are computed from the values of a version.
    """

    heads: sa.Table
    revisions: sa.Table
    _: KW_ONLY
    name_key: Callable[[str], str]
    mapped: Mapped[Item]
    tag_links: sa.Table | None = None
    of_head: Sequence[sa.ColumnElement[Any]] = ()
    derived: Callable[[Values], Values] = lambda _: {}

    @property
    def _proposal(self) -> sa.Column[Any] | None:
        return self.heads.c.get("proposal_id")

    async def save(self, tx: OrgTx, name: str, values: Values, created_by: str) -> Item:
        """Make the first version under a new name, or the next version of the live thing that has the name."""
        revid = new_id()
        heads = self.heads
        unique, among, proposed = self._namespace(tx)
        statement = (
            insert_or(tx, heads)
            .values(id=new_id(), version=1, latest_revid=revid, **self._naming(name), **proposed)
            .on_conflict_do_update(
                index_elements=unique,
                index_where=among,
                set_={"version": heads.c.version + 1, "latest_revid": revid},
            )
            .returning(heads.c.id, heads.c.version)
        )
        head = (await tx.execute(statement)).one()
        return await self._add(tx, head, revid, values, created_by)

    async def next_version(self, tx: OrgTx, head_id: str, name: str, values: Values, created_by: str) -> Item:
        """Make a new version of a locked head, under the given name. Raises NameTaken."""
        revid = new_id()
        changes = {"version": self.heads.c.version + 1, "latest_revid": revid} | self._naming(name)
        head = await self._change(tx, head_id, name, changes)
        return await self._add(tx, head, revid, values, created_by)

    async def rename(self, tx: OrgTx, head_id: str, name: str) -> None:
        """Raises NameTaken."""
        await self._change(tx, head_id, name, self._naming(name))

    async def lock(self, tx: OrgTx, head_id: str, *, shared: bool = False) -> bool:
        """Lock a live head until the transaction ends. False if there is none."""
        if not is_id(head_id):
            return False
        statement = sa.select(self.heads.c.id).where(self.heads.c.id == head_id, self._live(tx))
        return await tx.first(statement.with_for_update(read=shared)) is not None

    async def delete(self, tx: OrgTx, head_id: str, moment: datetime) -> None:
        await tx.execute(sa.update(self.heads).where(self.heads.c.id == head_id).values(deleted_at=moment))

    async def undelete(self, tx: OrgTx, head_id: str) -> Item | None:
        """Bring back a deleted head with all its versions; None if there is none. Raises NameTaken."""
        heads = self.heads
        row = await tx.first(
            sa.select(heads.c.name).where(heads.c.id == head_id, heads.c.deleted_at.is_not(None))
        )
        if row is None:
            return None
        await self._change(tx, head_id, row.name, {"deleted_at": None})
        return await self.latest(tx, head_id)

    async def named(self, tx: OrgTx, name: str) -> Item | None:
        """The newest version of the live thing that has this name."""
        named = self._latest(tx).where(self.heads.c.name_key == self.name_key(name))
        return self.mapped.found(await tx.first(named))

    async def get(self, tx: OrgTx, revid: str) -> Item | None:
        return await self._first(tx, revid, self._every(tx).where(self.revisions.c.id == revid))

    async def get_even_proposed(self, tx: OrgTx, revid: str) -> Item | None:
        """A version, to be looked at: it may be a part of any proposal."""
        return await self._first(tx, revid, self._all().where(self.revisions.c.id == revid))

    async def latest(self, tx: OrgTx, head_id: str) -> Item | None:
        return await self._first(tx, head_id, self._latest(tx).where(self.heads.c.id == head_id))

    async def version(self, tx: OrgTx, head_id: str, version: int) -> Item | None:
        numbered = self._every(tx).where(self.heads.c.id == head_id, self.revisions.c.version == version)
        return await self._first(tx, head_id, numbered)

    async def versions(self, tx: OrgTx, head_id: str) -> list[Item]:
        """All versions of a live head, newest first; empty when there is none."""
        if not is_id(head_id):
            return []
        statement = self._every(tx).where(self.heads.c.id == head_id)
        rows = await tx.rows(statement.order_by(self.revisions.c.version.desc()))
        return self.mapped.each(rows)

    async def newest_where(self, tx: OrgTx, *conditions: Condition) -> list[Item]:
        """The versions of live heads that meet the conditions, newest first."""
        rows = await tx.rows(self._every(tx).where(*conditions).order_by(self.revisions.c.id.desc()))
        return self.mapped.each(rows)

    async def free_name(self, tx: OrgTx, wanted: str) -> str:
        """The name, with a number behind it if something that is accepted has it already."""
        name, number = wanted, 1
        while await self._is_taken(tx, name):
            number += 1
            name = f"{wanted} {number}"
        return name

    async def several(self, tx: OrgTx, head_ids: Sequence[str]) -> list[Item]:
        """The newest version of each of these that lives, in the order of the ids."""
        rows = await tx.rows(self._latest(tx).where(self.heads.c.id.in_(head_ids)))
        found = {row.head_id: self.mapped.of(row) for row in rows}
        return [found[head_id] for head_id in head_ids if head_id in found]

    async def several_revisions(self, tx: OrgTx, revids: Sequence[str]) -> dict[str, Item]:
        """Those of the versions that there are, by their ids."""
        rows = await tx.rows(self._every(tx).where(self.revisions.c.id.in_(revids)))
        return {row.id: self.mapped.of(row) for row in rows}

    async def several_versions(
        self, tx: OrgTx, wanted: Collection[tuple[str, int]]
    ) -> dict[tuple[str, int], Item]:
        """Versions by their head's id and their number, whichever proposal they may be a part of."""
        if not wanted:
            return {}
        is_wanted = sa.tuple_(self.revisions.c.head_id, self.revisions.c.version).in_(set(wanted))
        rows = await tx.rows(self._all().where(is_wanted))
        return {(row.head_id, row.version): self.mapped.of(row) for row in rows}

    async def search(
        self,
        tx: OrgTx,
        query: ListQuery,
        fields: Mapping[str, Field],
        conditions: Sequence[Condition] = (),
    ) -> Found[Item]:
        """The newest versions of all live heads."""
        statement = self._latest(tx).where(*conditions)
        ordering = order(query, fields, [self.heads.c.latest_revid])
        if (condition := where(query.filters, fields)) is not None:
            statement = statement.where(condition)
        if query.name_search:
            matches, rank = name_search(self.heads.c.name_folded, query.name_search)
            statement = statement.where(matches)
            ordering = [rank, *ordering]
        rows, total = await one_page(tx, statement, ordering, query)
        return Found(self.mapped.each(rows), total, query.skip)

    def carrying(self, tx: OrgTx, tag_ids: Sequence[str]) -> Condition:
        """A condition for `search`: the thing carries all of these tags."""
        assert self.tag_links is not None
        links, wanted = self.tag_links.c, set(tag_ids)
        if not all(is_id(tag_id) for tag_id in wanted):
            return sa.false()
        carriers = (
            sa.select(links.revision_id)
            .where(links.organization_id == tx.organization_id, links.tag_id.in_(wanted))
            .group_by(links.revision_id)
            .having(sa.func.count() == len(wanted))
        )
        return self.revisions.c.id.in_(carriers)

    async def adopt(self, tx: OrgTx, proposal_id: str) -> dict[str, str]:
        """Accept the things of a proposal. One whose name is taken by now gets a number behind it.

        Returns the name of each by its id. Raises NameTaken if somebody was quicker.
        """
        heads, adopted = self.heads, dict[str, str]()
        mine = sa.select(heads.c.id, heads.c.name).where(
            heads.c.proposal_id == proposal_id, heads.c.deleted_at.is_(None)
        )
        for row in await tx.rows(mine.order_by(heads.c.id).with_for_update()):
            name = await self.free_name(tx, row.name)
            await self._change(tx, row.id, name, {"proposal_id": None} | self._naming(name))
            adopted[row.id] = name
        return adopted

    async def _is_taken(self, tx: OrgTx, name: str) -> bool:
        heads = self.heads.c
        accepted = heads.deleted_at.is_(None) & heads.proposal_id.is_(None)
        return (
            await tx.first(sa.select(heads.id).where(heads.name_key == self.name_key(name), accepted))
            is not None
        )

    async def retag(self, tx: OrgTx, revid: str, tag_ids: Sequence[str]) -> None:
        """Give a version that nobody uses yet other tags."""
        assert self.tag_links is not None
        links = self.tag_links
        await tx.execute(
            sa.update(self.revisions).where(self.revisions.c.id == revid).values(tag_ids=list(tag_ids))
        )
        await tx.execute(sa.delete(links).where(links.c.revision_id == revid))
        await self._link(tx, revid, tag_ids)

    async def is_proposed(self, tx: OrgTx, head_id: str) -> bool:
        """Whether the head is a part of the proposal that the transaction works on."""
        if self._proposal is None or tx.rehearsal is None:
            return False
        mine = sa.select(self.heads.c.id).where(
            self.heads.c.id == head_id, self._proposal == tx.rehearsal.proposal_id
        )
        return await tx.first(mine) is not None

    def values_of(self, item: Item) -> dict[str, Any]:
        """What a version holds beside its number, its time and its author: enough to make another one like it."""
        return {name: value for name, value in self.mapped.values(item).items() if name not in _OF_EACH}

    async def _add(self, tx: OrgTx, head: Row[Any], revid: str, values: Values, created_by: str) -> Item:
        await tx.execute(
            sa.insert(self.revisions).values(
                id=revid,
                head_id=head.id,
                version=head.version,
                created_at=now(),
                created_by=created_by,
                **values,
                **self.derived(values),
            )
        )
        if self.tag_links is not None:
            await self._link(tx, revid, values["tag_ids"])
        row = await tx.first(self._every(tx).where(self.revisions.c.id == revid))
        assert row is not None
        return self.mapped.of(row)

    async def _link(self, tx: OrgTx, revid: str, tag_ids: Sequence[str]) -> None:
        assert self.tag_links is not None
        if tag_ids:
            links = [
                {"organization_id": tx.organization_id, "revision_id": revid, "tag_id": tag_id}
                for tag_id in tag_ids
            ]
            await tx.execute(sa.insert(self.tag_links), links)

    async def _change(self, tx: OrgTx, head_id: str, name: str, changes: Values) -> Row[Any]:
        statement = (
            sa.update(self.heads)
            .where(self.heads.c.id == head_id)
            .values(**changes)
            .returning(self.heads.c.id, self.heads.c.version)
        )
        try:
            return (await tx.execute(statement)).one()
        except IntegrityError as error:
            raise NameTaken(name) from error

    async def _first(self, tx: OrgTx, id: str, statement: sa.Select[Any]) -> Item | None:
        """What the statement finds by the id; None for what is no id."""
        return self.mapped.found(await tx.first(statement)) if is_id(id) else None

    def _naming(self, name: str) -> dict[str, Any]:
        return {"name": name, "name_key": self.name_key(name), "name_folded": name.casefold()}

    def _latest(self, tx: OrgTx) -> sa.Select[Any]:
        newest = self.revisions.c.id == self.heads.c.latest_revid
        return self._joined(newest).where(self._live(tx))

    def _every(self, tx: OrgTx) -> sa.Select[Any]:
        return self._all().where(self._live(tx))

    def _all(self) -> sa.Select[Any]:
        every = self.revisions.c.head_id == self.heads.c.id
        return self._joined(every).where(self.heads.c.deleted_at.is_(None))

    def _joined(self, condition: Condition) -> sa.Select[Any]:
        return sa.select(self.heads.c.name, *self.of_head, self.revisions).join_from(
            self.heads, self.revisions, condition
        )

    def _live(self, tx: OrgTx) -> Condition:
        """Not deleted, and not proposed, unless the transaction works on that proposal."""
        alive = self.heads.c.deleted_at.is_(None)
        if self._proposal is None:
            return alive
        if tx.rehearsal is None:
            return alive & self._proposal.is_(None)
        return alive & sa.or_(self._proposal.is_(None), self._proposal == tx.rehearsal.proposal_id)

    def _namespace(self, tx: OrgTx) -> tuple[list[sa.Column[Any]], Condition, dict[str, str]]:
        """Among which heads a name is unique: the columns, the condition, and what marks a new head as one of them."""
        heads = self.heads.c
        alive = heads.deleted_at.is_(None)
        if self._proposal is None:
            return [heads.organization_id, heads.name_key], alive, {}
        if tx.rehearsal is None or not tx.rehearsal.headless:
            return [heads.organization_id, heads.name_key], alive & self._proposal.is_(None), {}
        columns = [heads.organization_id, self._proposal, heads.name_key]
        return columns, alive & self._proposal.is_not(None), {"proposal_id": tx.rehearsal.proposal_id}
