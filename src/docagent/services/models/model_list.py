"""Which models there are."""

from __future__ import annotations

from collections.abc import Sequence

from docagent.domain.accounts.accounts import Member, Role
from docagent.domain.errors import Forbidden
from docagent.domain.models.catalogue import ModelInfo
from docagent.services.models.provider_directory import ProviderDirectory
from docagent.store.accounts import organizations
from docagent.store.engine.database import Database


class ModelService:
    def __init__(self, db: Database, directory: ProviderDirectory) -> None:
        self._db = db
        self._directory = directory

    async def runnable(self, member: Member, *, for_chat: bool = False) -> Sequence[ModelInfo]:
        """The models that a prompt or a chat of the organisation can really run on now."""
        await self._directory.look_around()
        async with self._db.read_org(member.organization_id) as tx:
            catalogue = await self._directory.of_organization(tx)
        return catalogue.for_chat_agent() if for_chat else catalogue.runnable()

    async def search(
        self,
        *,
        provider_name: str | None = None,
        provider_enabled: bool | None = None,
        runnable_only: bool = True,
        for_chat: bool = False,
        sees_images: bool = False,
    ) -> Sequence[ModelInfo]:
        """The deployment's models, without those that single organisations added."""
        await self._directory.look_around()
        async with self._db.read() as tx:
            catalogue = await self._directory.of_deployment(tx)
        candidates = catalogue.runnable() if runnable_only else catalogue.all()
        return [
            model
            for model in candidates
            if (provider_name is None or model.provider == provider_name)
            and (
                provider_enabled is None
                or catalogue.providers[model.provider].is_reachable is provider_enabled
            )
            and (not for_chat or model.name in catalogue.providers[model.provider].chat_models)
            and (model.sees_images or not sees_images)
        ]

    async def default(self, member: Member) -> str | None:
        """The model for the organisation's prompts and chats that name none, if one was chosen."""
        async with self._db.read_org(member.organization_id) as tx:
            return await organizations.default_model(tx, member.organization_id)

    async def set_default(self, member: Member, name: str | None) -> str | None:
        """Choose the organisation's default model. None leaves the choice to the deployment."""
        if member.role is not Role.ADMIN:
            raise Forbidden("You are not an admin of this organization")
        async with self._db.write_org(member.organization_id) as tx:
            (await self._directory.of_organization(tx)).check(name)
            await organizations.update(tx, member.organization_id, {"default_model": name})
        return name
