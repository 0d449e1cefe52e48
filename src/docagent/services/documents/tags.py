"""Tags: labels that bind documents to prompts and forms."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from docagent.domain.accounts.accounts import Member
from docagent.domain.clock import now
from docagent.domain.errors import Conflict, InvalidInput, Kind, Noun, existing
from docagent.domain.extraction.artefacts import DEFAULT_COLOR, NameTaken, Tag
from docagent.domain.ids import is_id, new_id
from docagent.domain.listing import Found, ListQuery
from docagent.domain.shown import quoted
from docagent.store.documents import tags
from docagent.store.engine.database import Database, OrgTx

MAX_TAGS = 1000


class TagService:
    def __init__(self, db: Database) -> None:
        self._db = db

    async def list(self, member: Member, query: ListQuery) -> Found[Tag]:
        async with self._db.read_org(member.organization_id) as tx:
            return await tags.search(tx, query)

    async def get(self, member: Member, tag_id: str) -> Tag:
        async with self._db.read_org(member.organization_id) as tx:
            return await _find(tx, tag_id)

    async def named(self, member: Member, name: str) -> Tag | None:
        async with self._db.read_org(member.organization_id) as tx:
            return await tags.named(tx, name)

    async def names(self, member: Member, tag_ids: Sequence[str]) -> Sequence[str]:
        """The names of these tags, in order. Raises InvalidInput for an id that is no tag here."""
        async with self._db.read_org(member.organization_id) as tx:
            wanted = await check_tag_ids(tx, tag_ids)
            found = await tags.names(tx, wanted)
        return [found[tag_id] for tag_id in wanted]

    async def users(self, member: Member, tag_id: str) -> str | None:
        """What kind of thing carries the tag, if any does."""
        async with self._db.read_org(member.organization_id) as tx:
            return await tags.users_of(tx, tag_id)

    async def take_back(self, member: Member, made: Tag, former: Tag | None) -> Tag | None:
        """Undo the change that made the tag what it is: restore the former tag, or delete it. Raises Conflict."""
        try:
            async with self._db.write_org(member.organization_id) as tx:
                current = await tags.get(tx, made.id, lock=True)
                if current is None:
                    raise Conflict(f"The tag {quoted(made.name)} was deleted since.")
                if current != made:
                    raise Conflict(f"The tag {quoted(current.name)} has changed since.")
                if former is not None:
                    return await tags.update(
                        tx, made.id, name=former.name, color=former.color, description=former.description
                    )
                if users := await tags.users_of(tx, made.id):
                    raise Conflict(f"The tag {quoted(made.name)} is assigned to one or more {users}.")
                await tags.delete(tx, made.id)
        except NameTaken as error:
            raise _taken_since(former or made) from error
        return None

    async def undelete(self, member: Member, tag: Tag) -> None:
        """Put a deleted tag back under its id. Raises Conflict if its name is taken."""
        async with self._db.write_org(member.organization_id) as tx:
            if await tags.get(tx, tag.id) is not None:
                raise Conflict(f"The tag {quoted(tag.name)} is no longer deleted.")
            try:
                await tags.insert(tx, tag)
            except NameTaken as error:
                raise _taken_since(tag) from error

    async def create(
        self, member: Member, *, name: str, color: str | None = None, description: str | None = None
    ) -> Tag:
        tag = Tag(new_id(), name, color or DEFAULT_COLOR, description, now(), member.user_id)
        try:
            async with self._db.write_org(member.organization_id) as tx:
                await tags.insert(tx, tag)
        except NameTaken as error:
            raise _name_taken(name) from error
        return tag

    async def update(
        self, member: Member, tag_id: str, *, name: str, color: str | None, description: str | None
    ) -> Tag:
        """Change a tag. Without a colour, its colour stays; without a description, its description is removed."""
        try:
            async with self._db.write_org(member.organization_id) as tx:
                tag = await tags.update(tx, tag_id, name=name, color=color or None, description=description)
        except NameTaken as error:
            raise _name_taken(name) from error
        return existing(tag, "Tag not found", Noun.TAG)

    async def delete(self, member: Member, tag_id: str) -> None:
        async with self._db.write_org(member.organization_id) as tx:
            tag = await _find(tx, tag_id, lock=True)
            if users := await tags.users_of(tx, tag_id):
                raise InvalidInput(
                    f"Cannot delete tag '{tag.name}' because it is assigned to one or more {users}",
                    Kind.IN_USE,
                    Noun.TAG,
                )
            await tags.delete(tx, tag_id)


async def _find(tx: OrgTx, tag_id: str, *, lock: bool = False) -> Tag:
    return existing(await tags.get(tx, tag_id, lock=lock), "Tag not found", Noun.TAG)


async def check_tag_ids(tx: OrgTx, tag_ids: Iterable[str]) -> list[str]:
    """The ids without repeats, in order. Raises InvalidInput for an id that is no tag here."""
    wanted = list(dict.fromkeys(tag_ids))
    if len(wanted) > MAX_TAGS:
        raise InvalidInput(f"Too many tag IDs: {len(wanted)}. Use at most {MAX_TAGS}.")
    well_formed = [tag_id for tag_id in wanted if is_id(tag_id)]
    known = await tags.existing(tx, well_formed) if well_formed else set()
    if unknown := [tag_id for tag_id in wanted if tag_id not in known]:
        raise InvalidInput(f"Invalid tag IDs: {[tag_id[:40] for tag_id in unknown]}", Kind.UNKNOWN, Noun.TAG)
    return wanted


def _name_taken(name: str) -> InvalidInput:
    return InvalidInput(f"Tag with name '{name}' already exists", Kind.NAME_TAKEN, Noun.TAG)


def _taken_since(tag: Tag) -> Conflict:
    return Conflict(f"Another tag is named {quoted(tag.name)} now. Rename or delete that one first.")
