"""Announces what happens to living documents, in the transaction in which it happens."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from docagent.domain.accounts.accounts import Member
from docagent.domain.clock import now
from docagent.domain.deliveries.notices import (
    LivingDocumentChanged,
    LivingDocumentCreated,
    LivingDocumentDeleted,
    LivingDocumentRenamed,
    LivingDocumentRestored,
)
from docagent.domain.projects.projects import BY_USER, LivingDocument, VersionEntry, Written
from docagent.services.deliveries.bus import Bus
from docagent.store.engine.database import OrgTx


async def announce_created(bus: Bus, tx: OrgTx, made: LivingDocument) -> None:
    await bus.announce(tx, LivingDocumentCreated(**_of_version(tx, made)))


async def announce_arrived(bus: Bus, tx: OrgTx, member: Member, document: LivingDocument) -> None:
    """Announce a document that was moved or copied into a project. Its versions tell of others, who wrote them."""
    await bus.announce(tx, LivingDocumentCreated(**_of_act(tx, member, document, BY_USER)))


async def announce_version(
    bus: Bus, tx: OrgTx, former: LivingDocument, made: LivingDocument, restored_version: int | None
) -> None:
    """Announce a new version: that it was restored, or else that the name, the text or both are others now."""
    about = _of_version(tx, made)
    if restored_version is not None:
        await bus.announce(tx, LivingDocumentRestored(**about, restored_version=restored_version))
        return
    if made.name != former.name:
        await bus.announce(tx, LivingDocumentRenamed(**about, former_name=former.name))
    if (made.content, made.standing_instruction) != (former.content, former.standing_instruction):
        await bus.announce(tx, LivingDocumentChanged(**about))


async def announce_deleted(
    bus: Bus, tx: OrgTx, member: Member, document: LivingDocument | VersionEntry, written: Written
) -> None:
    await bus.announce(tx, LivingDocumentDeleted(**_of_act(tx, member, document, written)))


async def announce_back(
    bus: Bus, tx: OrgTx, member: Member, document: LivingDocument | VersionEntry, written: Written
) -> None:
    """Announce that a deleted document is back."""
    about = _of_act(tx, member, document, written)
    await bus.announce(tx, LivingDocumentRestored(**about, restored_version=None))


def _of_version(tx: OrgTx, made: LivingDocument) -> dict[str, Any]:
    return _about(tx, made, made, made.created_by, made.created_at)


def _of_act(
    tx: OrgTx, member: Member, document: LivingDocument | VersionEntry, written: Written
) -> dict[str, Any]:
    """Deleting and bringing back make no version, so who did it is not stored with one."""
    return _about(tx, document, written, member.user_id, now())


def _about(
    tx: OrgTx,
    document: LivingDocument | VersionEntry,
    written: LivingDocument | Written,
    user_id: str,
    at: datetime,
) -> dict[str, Any]:
    return {
        "at": at,
        "author": written.author,
        "user_id": user_id,
        "turn_id": written.turn_id,
        "organization_id": tx.organization_id,
        "project_id": document.project_id,
        "living_document_id": document.id,
        "name": document.name,
        "version": document.version,
    }
