"""Results of extractions, as several writers leave them."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import sqlalchemy as sa

from docagent.domain.clock import now
from docagent.domain.extraction.results import Origin, RunInfo
from docagent.domain.ids import new_id
from docagent.store.extraction import results
from docagent.store.extraction.results import NewRevision
from docagent.store.tables import documents
from tests.store.test_page_search import document_row
from tests.support.product import Product, Tenant

RUN = RunInfo("p", "m", None, 0, None, None, {})


async def test_a_run_keeps_what_was_written_while_it_went_on(product: Product, tenant: Tenant) -> None:
    """A correction that a person makes while a run is under way is not lost to the run's end."""
    document_id = new_id()
    said = NewRevision(Origin.MODEL, {"total": 1}, {"total": 1}, False, [], [], None, RUN, tenant.user_id)
    corrected = replace(said, origin=Origin.PERSON, data={"total": 2})
    place: dict[str, Any] = {
        "document_id": document_id,
        "prompt_revid": "default",
        "prompt_id": "default",
        "prompt_version": 1,
    }
    begun = now()
    async with product.services.db.write_org(tenant.organization_id) as tx:
        await tx.execute(sa.insert(documents).values(**document_row(document_id, "a.pdf")))
        await results.add(tx, **place, new=said, now=begun)
        await results.add(tx, **place, new=corrected, now=begun + timedelta(seconds=2))
        late = await results.add(
            tx, **place, new=said, now=begun + timedelta(seconds=3), unless_since=begun + timedelta(seconds=1)
        )
        kept = await results.get(tx, document_id, "default")
        again = await results.add(
            tx, **place, new=said, now=begun + timedelta(seconds=5), unless_since=begun + timedelta(seconds=4)
        )
    assert late is None
    assert kept is not None
    assert (kept.revision, kept.data) == (2, {"total": 2})
    assert again is not None
    assert (again.revision, again.data) == (3, {"total": 1})
