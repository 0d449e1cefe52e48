"""How sure each value of a result is: stored with its proof, kept through edits, calibrated on one's own values."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
import sqlalchemy as sa

from docagent.domain.clock import now
from docagent.domain.extraction.results import Origin, RunInfo
from docagent.domain.jobs import JobKind
from docagent.evidence.confidence import default_calibration
from docagent.services.review.calibrating import LEAST_VERIFIED
from docagent.store import tables
from docagent.store.extraction import results
from docagent.store.extraction.results import NewRevision
from docagent.store.review import calibrations
from tests.support.made.documents import base64_of
from tests.support.org_api import OrgApi
from tests.support.polling import SECONDS
from tests.support.product import Product, Tenant
from tests.support.services.databases import on_each_database

pytestmark = on_each_database

TEXT = "ACME GmbH\nInvoice number: INV-2041\nDate: 14 March 2026\nTotal 1,617.30\n"
FIELDS = {"number": {"type": ["string", "null"]}, "total": {"type": ["number", "null"]}}


async def document_of(product: Product, tenant: Tenant, api: OrgApi) -> str:
    document = {"name": "a.txt", "content": base64_of(TEXT.encode())}
    document_id: str = (await api.post("/documents", {"documents": [document]}))["documents"][0][
        "document_id"
    ]
    await product.read_document(tenant, document_id)
    return document_id


async def prompt_of(api: OrgApi) -> str:
    schema = {"type": "object", "properties": FIELDS, "required": list(FIELDS), "additionalProperties": False}
    form = {"type": "json_schema", "json_schema": {"name": "made", "schema": schema, "strict": True}}
    saved = await api.post("/schemas", {"name": "Schema", "response_format": form})
    body = {"name": "P", "content": "Read", "schema_id": saved["schema_id"], "model": "docagent-offline"}
    revid: str = (await api.post("/prompts", body))["prompt_revid"]
    return revid


async def test_every_value_says_how_sure_it_is(product: Product, tenant: Tenant, api: OrgApi) -> None:
    document_id, revid = await document_of(product, tenant, api), await prompt_of(api)
    await api.call("POST", f"/llm/run/{document_id}", params={"prompt_revid": revid})
    grounding = (await api.get(f"/llm/result/{document_id}", prompt_revid=revid))["grounding"]
    assert 0.5 < grounding["number"]["confidence"] < 1
    assert 0.5 < grounding["total"]["confidence"] < 1

    edited = await api.call(
        "PATCH",
        f"/llm/result/{document_id}",
        params={"prompt_revid": revid},
        json={"path": "number", "value": "NOT-THERE-77"},
    )
    after = edited.json()["grounding"]
    assert after["number"]["confidence"] < grounding["number"]["confidence"]
    assert after["total"]["confidence"] == grounding["total"]["confidence"]


def made_revision(tenant: Tenant, count: int) -> NewRevision:
    """A model's result of many values with proven places, each with its label beside it."""
    data = {"lines": [{"price": number + 0.5} for number in range(count)]}
    place = {
        "match": "exact",
        "page": 1,
        "words": [{"text": "x", "page": 1, "box": [0, 0, 1, 1]}],
        "candidates": 1,
        "alternatives": [],
        "signals": {"form": "exact", "label_agreement": 0.9, "confidence": None, "reason": None},
    }
    grounding = {"lines": [{"price": place} for _ in range(count)]}
    run = RunInfo("p", "m", None, 0, None, None, {})
    return NewRevision(Origin.MODEL, data, data, False, [], [], grounding, run, tenant.user_id)


async def verify(
    product: Product, tenant: Tenant, api: OrgApi, count: int, wrong: int
) -> calibrations.StoredCalibration:
    """Verify a result of so many values, of which the first ones are corrected; wait for the job that follows."""
    document_id = await document_of(product, tenant, api)
    new = made_revision(tenant, count)
    async with product.services.db.write_org(tenant.organization_id) as tx:
        await results.add(
            tx,
            document_id=document_id,
            prompt_revid="default",
            prompt_id="default",
            prompt_version=1,
            new=new,
            now=now(),
        )
    data: dict[str, Any] = {"lines": [dict(row) for row in new.data["lines"]]}
    for row in data["lines"][:wrong]:
        row["price"] += 100_000
    stored = await api.call(
        "PUT",
        f"/llm/result/{document_id}",
        params={"prompt_revid": "default"},
        json={"updated_llm_result": data, "is_verified": True},
    )
    assert stored.status_code == 200, stored.text
    async with asyncio.timeout(SECONDS):
        while True:
            async with product.services.db.read_org(tenant.organization_id) as tx:
                if (made := await calibrations.get(tx)) is not None:
                    return made
            await asyncio.sleep(0.05)


async def test_an_organisation_gets_a_calibration_of_its_own(
    product: Product, tenant: Tenant, api: OrgApi
) -> None:
    made = await verify(product, tenant, api, LEAST_VERIFIED + 60, wrong=120)
    assert made.verified_values == LEAST_VERIFIED + 60
    own = await product.services.calibrations.of(tenant.organization_id)
    assert own.chance(1.0) == pytest.approx(2 / 3, abs=0.02), "a third of such values was wrong"

    other = await product.new_tenant()
    assert await product.services.calibrations.of(other.organization_id) is default_calibration()
    api_of_other = OrgApi(product.client, other.organization_id, other.headers)
    seen = [job["kind"] for job in (await api_of_other.get("/jobs"))["jobs"]]
    assert JobKind.CALIBRATE not in seen


async def test_few_verified_values_change_nothing(product: Product, tenant: Tenant, api: OrgApi) -> None:
    made = await verify(product, tenant, api, 20, wrong=10)
    assert (made.table, made.verified_values) == (None, 20)
    assert await product.services.calibrations.of(tenant.organization_id) is default_calibration()


async def test_a_calibration_of_other_weights_is_not_used_and_is_made_again(
    product: Product, tenant: Tenant, api: OrgApi
) -> None:
    """Version 0.3 kept a table of scores that mean nothing now, without the name of its weights."""
    async with product.services.db.write_org(tenant.organization_id) as tx:
        await tx.execute(
            sa.insert(tables.calibrations).values(
                organization_id=tenant.organization_id,
                table=[[0.5, 0.1], [0.9, 0.2]],
                verified_values=400,
                made_at=now(),
            )
        )
    assert await product.services.calibrations.of(tenant.organization_id) is default_calibration()
    async with product.services.db.write_org(tenant.organization_id) as tx:
        await product.services.calibrations.after_verifying(tx)
        assert await product.services.jobs.is_open(tx, JobKind.CALIBRATE, tenant.organization_id)
