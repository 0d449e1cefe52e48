"""Tags: labels that bind documents to prompts and forms."""

from __future__ import annotations

from collections.abc import Iterable

from docagent.domain.accounts import Member
from docagent.domain.artefacts import DEFAULT_COLOR, NameTaken, Tag
from docagent.domain.clock import now
from docagent.domain.errors import InvalidInput, NotFound
from docagent.domain.ids import is_id, new_id
from docagent.domain.listing import Found, ListQuery
from docagent.store import tags
from docagent.store.engine import Database, OrgTx

MAX_TAGS = 1000
NOT_FOUND = "Tag not found"


class TagService:
    def __init__(self, db: Database) -> None:
        self._db = db

    async def list(self, member: Member, query: ListQuery) -> Found[Tag]:
        async with self._db.read_org(member.organization_id) as tx:
            found, total = await tags.search(tx, query)
        return Found(found, total, query.skip)

    async def get(self, member: Member, tag_id: str) -> Tag:
        async with self._db.read_org(member.organization_id) as tx:
            tag = await tags.get(tx, tag_id) if is_id(tag_id) else None
        if tag is None:
            raise NotFound(NOT_FOUND)
        return tag

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
        """An empty colour keeps the old one; the description is replaced, also by nothing."""
        if not is_id(tag_id):
            raise NotFound(NOT_FOUND)
        try:
            async with self._db.write_org(member.organization_id) as tx:
                tag = await tags.update(tx, tag_id, name=name, color=color or None, description=description)
        except NameTaken as error:
            raise _name_taken(name) from error
        if tag is None:
            raise NotFound(NOT_FOUND)
        return tag

    async def delete(self, member: Member, tag_id: str) -> None:
        async with self._db.write_org(member.organization_id) as tx:
            tag = await tags.get(tx, tag_id, lock=True) if is_id(tag_id) else None
            if tag is None:
                raise NotFound(NOT_FOUND)
            if users := await tags.users_of(tx, tag_id):
                raise InvalidInput(
                    f"Cannot delete tag '{tag.name}' because it is assigned to one or more {users}"
                )
            await tags.delete(tx, tag_id)


async def check_tag_ids(tx: OrgTx, tag_ids: Iterable[str]) -> list[str]:
    """The ids without repeats, in their order. Raises InvalidInput for any that is no tag here."""
    wanted = list(dict.fromkeys(tag_ids))
    if len(wanted) > MAX_TAGS:
        raise InvalidInput(f"Too many tag IDs: {len(wanted)}. Use at most {MAX_TAGS}.")
    well_formed = [tag_id for tag_id in wanted if is_id(tag_id)]
    known = await tags.existing(tx, well_formed) if well_formed else set()
    if unknown := [tag_id for tag_id in wanted if tag_id not in known]:
        raise InvalidInput(f"Invalid tag IDs: {[tag_id[:40] for tag_id in unknown]}")
    return wanted


def _name_taken(name: str) -> InvalidInput:
    return InvalidInput(f"Tag with name '{name}' already exists")
