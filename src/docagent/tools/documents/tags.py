"""Tools for tags."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Annotated, Any

from pydantic import Field

from docagent.domain.extraction.artefacts import DEFAULT_COLOR, Tag
from docagent.domain.shown import quoted
from docagent.domain.turns.tools import CallContext, Described, Outcome
from docagent.tools.arguments import Arguments, ListWanted
from docagent.tools.base import Given, ReadTool, Undo, WriteTool
from docagent.tools.changes import removal, state_change
from docagent.tools.parameters import (
    MAX_NAME,
    FiltersText,
    SortText,
    a_name,
    a_text,
    an_id,
    how_many_to_pass_over,
    how_many_to_return,
)
from docagent.tools.words import list_json, listed, mark, moment

Color = Annotated[str, Field(max_length=MAX_NAME, description="A colour such as #3B82F6.")]


class OneTag(Arguments):
    tag_id: Annotated[str, an_id("The tag's id, from list_tags.")]


class TagsWanted(ListWanted):
    skip: Annotated[int, how_many_to_pass_over("tags")] = 0
    limit: Annotated[int, how_many_to_return("tags")] = 10
    sort: SortText | None = None
    filters: FiltersText | None = None


class NewTag(Arguments):
    name: Annotated[str, a_name("The tag's name.")]
    color: Color | None = None
    description: Annotated[str | None, a_text("What the tag is for, for people.")] = None


class TagChange(OneTag):
    name: Annotated[str | None, a_name("The new name.")] = None
    color: Color | None = None
    description: Annotated[str | None, a_text("The new description; null removes it.", or_null=True)] = None


class GetTag(ReadTool[OneTag]):
    name = "get_tag"
    title = "Read a tag"
    description = "Read one tag: name, colour, description. Call list_tags first to learn its id."
    example = '{"tag_id": "66f0..."}'
    returns = "the tag"

    async def read(self, call: CallContext, arguments: OneTag) -> dict[str, Any]:
        return _tag_json(await self._services.tags.get(call.member, arguments.tag_id))


class ListTags(ReadTool[TagsWanted]):
    name = "list_tags"
    title = "List tags"
    description = (
        "List the organisation's tags with their ids. Use it before you give tag_ids to another tool, and before "
        "create_tag, to see whether the tag is there already."
    )
    example = "{}"
    returns = "`tags`, `total_count`, `skip`"

    async def read(self, call: CallContext, arguments: TagsWanted) -> dict[str, Any]:
        found = await self._services.tags.list(call.member, arguments.query)
        return list_json("tags", found, _tag_json)


class _TagWriting(WriteTool[Given]):
    """Makes or changes a tag."""

    async def undo(self, call: CallContext, undo: Undo) -> str:
        made, former = _tag(undo["made"]), undo["former"]
        back = await self._services.tags.take_back(call.member, made, _tag(former) if former else None)
        return (
            f"Tag {listed([back.name])} is as it was" if back else f"Tag {quoted(made.name)} is deleted again"
        )


class CreateTag(_TagWriting[NewTag]):
    name = "create_tag"
    title = "Create a tag"
    description = (
        "Create a tag. Documents and prompts that share a tag belong together: new documents with the tag are "
        "given to every prompt that carries it. The name must be new; call list_tags first. To put the tag on a "
        "document call update_document, on a prompt update_prompt."
    )
    example = '{"name": "invoices"}'
    returns = "`tag_id`, `name`"
    previews = "`tag`: before (nothing) and after"
    undoes = "deleted again; refused when something carries it"

    async def describe(self, call: CallContext, arguments: NewTag) -> Described:
        name = arguments.name
        after = {
            "name": name,
            "color": arguments.color or DEFAULT_COLOR,
            "description": arguments.description,
        }
        taken = await self._services.tags.named(call.member, name)
        note = " (a tag of this name exists already)" if taken else ""
        return Described(
            f"Create tag {quoted(name)}{note}",
            state_change("tag", None, after),
            _basis(taken) if taken else None,
        )

    async def run(self, call: CallContext, arguments: NewTag, prepared: Any) -> Outcome:
        tag = await self._services.tags.create(
            call.member, name=arguments.name, color=arguments.color, description=arguments.description
        )
        return Outcome(
            {"tag_id": tag.id, "name": tag.name},
            f"Created tag {quoted(tag.name)}",
            undo={"made": _tag_json(tag), "former": None},
        )


class UpdateTag(_TagWriting[TagChange]):
    name = "update_tag"
    title = "Change a tag"
    description = (
        "Change a tag's name, colour or description; what you leave out stays. Call list_tags first for its id. "
        "To put a tag on a document or a prompt use update_document or update_prompt instead."
    )
    example = '{"tag_id": "66f0...", "name": "bills"}'
    returns = "`tag_id`, `name`"
    previews = "`tag`: before and after"
    undoes = "the former state; refused when the tag changed since"

    async def describe(self, call: CallContext, arguments: TagChange) -> Described:
        before = await self._services.tags.get(call.member, arguments.tag_id)
        after = _changed(before, arguments)
        changed = [
            field
            for field in ("name", "color", "description")
            if getattr(before, field) != getattr(after, field)
        ]
        words = {"name": f"name {quoted(after.name)}", "color": f"colour {quoted(after.color, 20)}"}
        said = ", ".join(words.get(field, "description") for field in changed) or "nothing"
        preview = state_change("tag", _shown(before), _shown(after))
        return Described(f"Change tag {quoted(before.name)}: {said}", preview, _basis(before))

    async def run(self, call: CallContext, arguments: TagChange, prepared: Any) -> Outcome:
        tags = self._services.tags
        before = await tags.get(call.member, arguments.tag_id)
        wanted = _changed(before, arguments)
        content = {"tag_id": before.id, "name": wanted.name}
        if wanted == before:
            return Outcome({**content, "message": "No changes"}, f"Tag {quoted(before.name)} stays as it is")
        after = await tags.update(
            call.member, before.id, name=wanted.name, color=wanted.color, description=wanted.description
        )
        return Outcome(
            content,
            f"Changed tag {quoted(after.name)}",
            undo={"made": _tag_json(after), "former": _tag_json(before)},
        )


class DeleteTag(WriteTool[OneTag]):
    name = "delete_tag"
    title = "Delete a tag"
    description = (
        "Delete a tag. Refused while a document, prompt or form carries it: take it off them first. Call "
        "list_tags for its id."
    )
    example = '{"tag_id": "66f0..."}'
    returns = "`message`"
    previews = "`delete`: what carries it"
    undoes = "the tag comes back under its id; refused when the name is taken"

    async def describe(self, call: CallContext, arguments: OneTag) -> Described:
        tag = await self._services.tags.get(call.member, arguments.tag_id)
        users = await self._services.tags.users(call.member, tag.id)
        removes = (
            [f"assigned to one or more {users}, so it cannot be deleted"] if users else ["the tag itself"]
        )
        return Described(f"Delete tag {quoted(tag.name)}", removal("tag", tag.name, removes), _basis(tag))

    async def run(self, call: CallContext, arguments: OneTag, prepared: Any) -> Outcome:
        tag = await self._services.tags.get(call.member, arguments.tag_id)
        await self._services.tags.delete(call.member, tag.id)
        return Outcome(
            {"message": "Tag deleted successfully"},
            f"Deleted tag {quoted(tag.name)}",
            undo={"deleted": _tag_json(tag)},
        )

    async def undo(self, call: CallContext, undo: Undo) -> str:
        tag = _tag(undo["deleted"])
        await self._services.tags.undelete(call.member, tag)
        return f"Tag {quoted(tag.name)} is back"


def _changed(tag: Tag, change: TagChange) -> Tag:
    return replace(
        tag,
        name=change.name or tag.name,
        color=change.color or tag.color,
        description=change.description if "description" in change.model_fields_set else tag.description,
    )


def _shown(tag: Tag) -> dict[str, Any]:
    return {"name": tag.name, "color": tag.color, "description": tag.description}


def _basis(tag: Tag) -> str:
    return mark(tag.id, tag.name, tag.color, tag.description)


def _tag_json(tag: Tag) -> dict[str, Any]:
    return {
        "id": tag.id,
        "name": tag.name,
        "color": tag.color,
        "description": tag.description,
        "created_at": moment(tag.created_at),
        "created_by": tag.created_by,
    }


def _tag(values: Undo) -> Tag:
    return Tag(**{**values, "created_at": datetime.fromisoformat(values["created_at"])})
