"""What schemas, prompts and forms have in common: reading versions, making the next one, undoing it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

import orjson

from docagent.domain.accounts.accounts import Member
from docagent.domain.clock import now
from docagent.domain.errors import Conflict, Forbidden, InvalidInput, NotFound, Noun, existing
from docagent.domain.extraction.artefacts import NameTaken, Revision
from docagent.domain.listing import Found
from docagent.domain.shown import quoted
from docagent.store.engine.database import Database, OrgTx
from docagent.store.extraction.revisions import Revisions

Item = TypeVar("Item", bound=Revision)
Thing = TypeVar("Thing")


@dataclass(frozen=True, slots=True)
class Mark:
    """A version and its name, to see later whether anything has changed."""

    id: str
    revid: str
    name: str

    @classmethod
    def of(cls, item: Revision) -> Mark:
        return cls(item.id, item.revid, item.name)


@dataclass(frozen=True)
class Versions(Generic[Item]):
    """The rules of one versioned noun, inside the transaction of a use case."""

    noun: Noun
    store: Revisions[Item]

    async def get(self, tx: OrgTx, revid: str) -> Item:
        return self._existing(await self.store.get(tx, revid))

    async def look_at(self, tx: OrgTx, revid: str) -> Item:
        """A version, even if it is only proposed."""
        return self._existing(await self.store.get_even_proposed(tx, revid))

    async def all_of(self, tx: OrgTx, head_id: str) -> Found[Item]:
        """All versions, newest first."""
        items = self._existing(await self.store.versions(tx, head_id) or None)
        return Found(items, len(items), 0)

    async def locked(self, tx: OrgTx, head_id: str) -> Item:
        """The newest version, locked so that it stays the newest until the transaction ends."""
        if (
            tx.rehearsal is not None
            and tx.rehearsal.headless
            and not await self.store.is_proposed(tx, head_id)
        ):
            raise Forbidden(
                f"A proposal changes nothing that exists. Use the {self.noun} as it is, or create one of your own."
            )
        is_there = await self.store.lock(tx, head_id)
        return self._existing(await self.store.latest(tx, head_id) if is_there else None)

    async def newest(self, tx: OrgTx, head_id: str) -> Item:
        return self._existing(await self.store.latest(tx, head_id))

    async def find(self, tx: OrgTx, any_id: str) -> Item:
        """A version by its own id, or the newest version by the id that all versions share."""
        return await self.store.get(tx, any_id) or await self.newest(tx, any_id)

    async def still(self, tx: OrgTx, mark: Mark) -> Item:
        """The newest version, locked. Raises Conflict if anything has changed since the mark was made."""
        try:
            current = await self.locked(tx, mark.id)
        except NotFound as error:
            raise Conflict(f"The {self.noun} {quoted(mark.name)} was deleted since.") from error
        if current.revid != mark.revid:
            raise Conflict(
                f"The {self.noun} {quoted(current.name)} has changed since: version {current.version} is newer. "
                "Undo that first, or make the change by hand."
            )
        if current.name != mark.name:
            raise Conflict(
                f"The {self.noun} {quoted(mark.name)} was renamed to {quoted(current.name)} since."
            )
        return current

    async def put_back(
        self, tx: OrgTx, member: Member, made: Item, former: Mark, values: Mapping[str, Any]
    ) -> Item:
        """Restore the former state: the former name, or a new version with the former values. Raises Conflict."""
        try:
            if former.revid != made.revid:
                return await self.store.next_version(tx, made.id, former.name, values, member.user_id)
            await self.store.rename(tx, made.id, former.name)
        except NameTaken as error:
            raise self._name_taken_since(former.name) from error
        return await self.get(tx, made.revid)

    async def undelete(self, tx: OrgTx, head_id: str) -> Item:
        """Bring back a deleted thing with all versions. Raises Conflict if its name is taken or it is not deleted."""
        try:
            item = await self.store.undelete(tx, head_id)
        except NameTaken as error:
            raise self._name_taken_since(str(error)) from error
        if item is None:
            raise Conflict(f"The {self.noun} is no longer deleted.")
        return item

    def _name_taken_since(self, name: str) -> Conflict:
        return Conflict(f"Another {self.noun} is named {quoted(name)} now. Rename or delete that one first.")

    async def replace(
        self,
        tx: OrgTx,
        member: Member,
        current: Item,
        name: str,
        values: Mapping[str, Any],
        *,
        changed: bool,
    ) -> Item:
        """Make a new version. If only the name differs, it just changes the name."""
        try:
            if changed or name == current.name:
                return await self.store.next_version(tx, current.id, name, values, member.user_id)
            await self.store.rename(tx, current.id, name)
        except NameTaken as error:
            raise InvalidInput(
                f"A {self.noun} named '{name}' already exists. Choose another name, or delete that {self.noun} first."
            ) from error
        return await self.get(tx, current.revid)

    async def delete(self, tx: OrgTx, current: Item) -> None:
        """Delete the thing with all its versions."""
        await self.store.delete(tx, current.id, now())

    def _existing(self, found: Thing | None) -> Thing:
        return existing(found, f"{self.noun.capitalize()} not found", self.noun)


class VersionService(Generic[Item]):
    """The use cases of a versioned noun."""

    def __init__(self, db: Database, versions: Versions[Item]) -> None:
        self._db = db
        self._versions = versions

    async def get(self, member: Member, revid: str) -> Item:
        async with self._db.read_as(member) as tx:
            return await self._one_shown(tx, await self._versions.look_at(tx, revid))

    async def find(self, member: Member, any_id: str) -> Item:
        """A version by its own id, or the newest by the id that all versions share."""
        async with self._db.read_as(member) as tx:
            return await self._one_shown(tx, await self._versions.find(tx, any_id))

    async def newest(self, member: Member, head_id: str) -> Item:
        async with self._db.read_as(member) as tx:
            return await self._one_shown(tx, await self._versions.newest(tx, head_id))

    async def named(self, member: Member, name: str) -> Item | None:
        """What `create` would make a new version of."""
        async with self._db.read_as(member) as tx:
            return await self._versions.store.named(tx, name)

    async def versions(self, member: Member, head_id: str) -> Found[Item]:
        async with self._db.read_as(member) as tx:
            found = await self._versions.all_of(tx, head_id)
            return replace(found, items=await self._shown(tx, found.items))

    async def delete(self, member: Member, head_id: str) -> None:
        """Delete the thing with all its versions."""
        async with self._db.write_as(member) as tx:
            await self._versions.delete(tx, await self._versions.locked(tx, head_id))

    async def undelete(self, member: Member, head_id: str) -> Item:
        """Bring it back. Raises Conflict if its name is taken or something that it refers to is gone."""
        async with self._db.write_as(member) as tx:
            item = await self._versions.undelete(tx, head_id)
            await self._check_still_right(tx, item)
            return await self._one_shown(tx, item)

    async def take_back(self, member: Member, made: Mark, former: Mark | None) -> Item | None:
        """Undo the change that made this version: go back to the former one, or delete the thing. Raises Conflict."""
        async with self._db.write_as(member) as tx:
            current = await self._versions.still(tx, made)
            if former is not None:
                before = await self._versions.get(tx, former.revid)
                await self._check_still_right(tx, before)
                values = self._versions.store.values_of(before)
                return await self._versions.put_back(tx, member, current, former, values)
            await self._check_unused(tx, made)
            await self._versions.delete(tx, current)
        return None

    async def _shown(self, tx: OrgTx, items: Sequence[Item]) -> Sequence[Item]:
        """Add what is not stored with a version."""
        return items

    async def _one_shown(self, tx: OrgTx, item: Item) -> Item:
        return (await self._shown(tx, [item]))[0]

    async def _check_unused(self, tx: OrgTx, made: Mark) -> None:
        """Raise Conflict if something uses by now what was made, so that its making cannot be undone."""

    async def _check_still_right(self, tx: OrgTx, item: Item) -> None:
        """Raise Conflict if a version refers to something that is gone."""


def same_json(one: Any, other: Any) -> bool:
    """Equal as JSON texts: the order of keys counts, and `true` is not 1."""
    return orjson.dumps(one) == orjson.dumps(other)
