"""The newest data of many documents' results in one query."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from docagent.store.engine import OrgTx
from docagent.store.tables import documents, extraction_results, extraction_revisions


@dataclass(frozen=True, slots=True)
class ResultData:
    document_id: str
    prompt_id: str
    data: dict[str, Any]


async def newest_data(tx: OrgTx, document_ids: Sequence[str]) -> list[ResultData]:
    """The newest data that each prompt extracted from each document, latest first."""
    rows = await tx.rows(
        sa.select(
            extraction_results.c.document_id, extraction_results.c.prompt_id, extraction_revisions.c.data
        )
        .join(
            extraction_revisions,
            sa.and_(
                extraction_revisions.c.result_id == extraction_results.c.id,
                extraction_revisions.c.number == extraction_results.c.revision,
            ),
        )
        .join(documents, documents.c.id == extraction_results.c.document_id)
        .where(
            extraction_results.c.document_id.in_(document_ids),
            documents.c.deleted_at.is_(None),
            ~extraction_results.c.proposed,
        )
        .order_by(extraction_results.c.updated_at.desc(), extraction_results.c.id)
    )
    return [ResultData(row.document_id, row.prompt_id, row.data) for row in rows]
