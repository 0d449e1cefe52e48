"""What a delivery says, in the shape that its event was asked for: ours, or DocRouter's."""

from __future__ import annotations

from typing import Any

import orjson

from docagent.domain.deliveries.notices import (
    CallbackDue,
    DocumentReadFailed,
    ExtractionCompleted,
    ExtractionFailed,
    Notice,
    notice_json,
)
from docagent.domain.deliveries.webhooks import DOCROUTER_EVENTS, Delivery, Webhook
from docagent.domain.extraction.evidence import extracted_json
from docagent.store.documents import documents
from docagent.store.engine.database import OrgTx
from docagent.store.extraction import results

NO_RESULT = "The extraction failed. The document's job says why."


async def event_body(tx: OrgTx, delivery: Delivery, notice: Notice) -> str:
    if isinstance(notice, CallbackDue):
        return _written(_ours(delivery, notice.organization_id, await _extracted(tx, notice)))
    if delivery.event not in DOCROUTER_EVENTS:
        return _written(_ours(delivery, notice.organization_id, notice_json(notice)))
    return _written(_docrouter(delivery, notice.organization_id) | await _told(tx, notice))


def test_body(delivery: Delivery, webhook: Webhook, user_id: str) -> str:
    if delivery.event not in DOCROUTER_EVENTS:
        return _written(_ours(delivery, webhook.organization_id, {"user_id": user_id}))
    return _written(_docrouter(delivery, webhook.organization_id))


def _ours(delivery: Delivery, organization_id: str, data: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": delivery.id,
        "event": delivery.event,
        "organization_id": organization_id,
        "created_at": delivery.created_at,
        "data": data,
    }


def _docrouter(delivery: Delivery, organization_id: str) -> dict[str, Any]:
    return {
        "event_id": delivery.id,
        "event_type": delivery.event,
        "timestamp": int(delivery.created_at.timestamp()),
        "organization_id": organization_id,
    }


async def _extracted(tx: OrgTx, notice: CallbackDue) -> dict[str, Any]:
    """The body of an extraction's callback: the data with its evidence, or why there is none."""
    told: dict[str, Any] = {
        "job_id": notice.job_id,
        "document_id": notice.document_id,
        "prompt_revid": notice.prompt_revid,
        "error": notice.error,
    }
    result = await results.get(tx, notice.document_id, notice.prompt_revid)
    return told if result is None or notice.error else told | extracted_json(result)


async def _told(tx: OrgTx, notice: Notice) -> dict[str, Any]:
    """What DocRouter tells of an event: the document, the prompt, and what came of it."""
    given = notice_json(notice)
    document = await documents.get(tx, given["document_id"])
    told: dict[str, Any] = {"document": {"document_id": given["document_id"]}}
    if document is not None:
        told["document"] |= {
            "document_name": document.name,
            "tag_ids": document.tag_ids,
            "metadata": document.metadata,
        }
    if isinstance(notice, ExtractionCompleted | ExtractionFailed) and notice.prompt_revid is not None:
        names = ("prompt_revid", "prompt_id", "prompt_version")
        told["prompt"] = {name: given.get(name) for name in names}
    if isinstance(notice, ExtractionCompleted):
        result = await results.get(tx, notice.document_id, notice.prompt_revid)
        told["llm_output"] = result.data if result else None
    if isinstance(notice, ExtractionFailed):
        told["error"] = {"stage": "llm", "message": NO_RESULT}
    if isinstance(notice, DocumentReadFailed):
        reason = document.state_reason if document else None
        told["error"] = {"stage": "ocr", "message": reason or notice.code}
    return told


def _written(body: dict[str, Any]) -> str:
    return orjson.dumps(body, option=orjson.OPT_UTC_Z).decode()
