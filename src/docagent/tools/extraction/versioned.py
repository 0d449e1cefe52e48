"""What the tools that write schemas and prompts have in common: both have versions under one name."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, ClassVar, Generic, TypeVar

from docagent.domain.errors import InvalidInput
from docagent.domain.extraction.artefacts import Revision
from docagent.domain.shown import quoted
from docagent.domain.turns.tools import CallContext, Described, Outcome
from docagent.services.extraction.versions import Mark, VersionService
from docagent.tools.base import Given, Undo, WriteTool
from docagent.tools.changes import removal
from docagent.tools.words import counted

Item = TypeVar("Item", bound=Revision)


class VersionTool(WriteTool[Given], Generic[Given, Item]):
    """Makes a version, renames the thing, or deletes it with all its versions."""

    noun: ClassVar[str]

    @property
    @abstractmethod
    def versions(self) -> VersionService[Item]: ...

    async def head(self, call: CallContext, head_id: str) -> Item:
        """Return the newest version. Raises InvalidInput for the id of a version, and names the one that all share."""
        item = await self.versions.find(call.member, head_id)
        if item.id != head_id:
            raise InvalidInput(f"{head_id} is a {self.noun}_revid. Use the {self.noun}_id {item.id}.")
        return item

    async def created(self, call: CallContext, item: Item) -> tuple[Item | None, str]:
        """Return the version before the one that was just created, and what was done in words."""
        if item.version == 1:
            return None, f"Created {self.noun} {quoted(item.name)}"
        before = (await self.versions.versions(call.member, item.id)).items[1]
        return before, f"Created version {item.version} of {self.noun} {quoted(item.name)}"

    def changed(self, before: Item, item: Item) -> str:
        """Return what was done in words."""
        if item.revid == before.revid:
            return f"Renamed {self.noun} {quoted(before.name)} to {quoted(item.name)}"
        return f"Changed {self.noun} {quoted(item.name)} to version {item.version}"

    def unchanged(self, item: Item) -> Outcome:
        said = f"{self.noun.capitalize()} {quoted(item.name)} stays as it is"
        return Outcome({**self._named(item), "message": "No changes"}, said)

    def written(
        self, item: Item, before: Item | None, said: str, state: Mapping[str, Any], **content: Any
    ) -> Outcome:
        """Return the outcome of a call that made a version or renamed the thing."""
        return Outcome(
            {**self._named(item), f"{self.noun}_version": item.version, **content},
            said,
            state=state,
            undo={"made": asdict(Mark.of(item)), "former": asdict(Mark.of(before)) if before else None},
        )

    def deletion(self, item: Item, also: Sequence[str]) -> Described:
        removes = [counted(item.version, "version"), *also]
        preview = removal(self.noun, item.name, removes)
        return Described(f"Delete {self.noun} {quoted(item.name)}", preview, basis(item))

    async def deleted(self, call: CallContext, item: Item, state: Mapping[str, Any]) -> Outcome:
        """Delete the thing. `state` is the working state without it."""
        await self.versions.delete(call.member, item.id)
        return Outcome(
            {"message": f"{self.noun.capitalize()} deleted successfully"},
            f"Deleted {self.noun} {quoted(item.name)}",
            state=state if getattr(call.state, f"{self.noun}_revid") == item.revid else {},
            undo={"deleted": item.id},
        )

    async def undo(self, call: CallContext, undo: Undo) -> str:
        noun = self.noun.capitalize()
        if "deleted" in undo:
            item = await self.versions.undelete(call.member, undo["deleted"])
            return f"{noun} {quoted(item.name)} is back with {counted(item.version, 'version')}"
        made, former = Mark(**undo["made"]), undo["former"]
        back = await self.versions.take_back(call.member, made, Mark(**former) if former else None)
        if back is None:
            return f"{noun} {quoted(made.name)} is deleted again"
        if back.revid == made.revid:
            return f"{noun} {quoted(made.name)} is named {quoted(back.name)} again"
        return f"{noun} {quoted(back.name)} is as it was, as version {back.version}"

    def _named(self, item: Item) -> dict[str, Any]:
        return {f"{self.noun}_revid": item.revid, f"{self.noun}_id": item.id, "name": item.name}


def basis(item: Revision) -> str:
    """What a preview was made against: a new version or another name makes it outdated."""
    return f"{item.revid}/{item.name}"
