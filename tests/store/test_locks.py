"""Locks on PostgreSQL are taken in an order in which nobody waits for himself."""

from __future__ import annotations

import asyncio

import pytest

from docagent.store.documents import documents
from tests.conftest import make_settings, running_product
from tests.support.made.documents import base64_of, pdf
from tests.support.org_api import OrgApi
from tests.support.services.postgres import PostgresServer

ROUNDS = 25


async def test_tags_can_change_while_a_reading_ends(
    postgres: PostgresServer, tmp_path_factory: pytest.TempPathFactory
) -> None:
    settings = make_settings(tmp_path_factory.mktemp("data"), postgres.create_database().url)
    async with running_product(settings) as product:
        tenant = await product.new_tenant()
        api = OrgApi(product.client, tenant.organization_id, tenant.headers)
        tag_ids = [(await api.post("/tags", {"name": name}))["id"] for name in ("a", "b")]
        uploaded = await api.post(
            "/documents", {"documents": [{"name": "a.pdf", "content": base64_of(pdf(["A"]))}]}
        )
        document_id = uploaded["documents"][0]["document_id"]
        await product.read_document(tenant, document_id)
        db = product.services.db

        async def tagging() -> None:
            for number in range(ROUNDS):
                await product.services.documents.update(
                    tenant.member, document_id, name=None, tag_ids=[tag_ids[number % 2]], metadata=None
                )

        async def reading() -> None:
            for _ in range(ROUNDS):
                async with db.write_org(tenant.organization_id) as tx:
                    await documents.change(tx, document_id, {"pages_read": 1})
                    assert (await documents.at_end_of_reading(tx, document_id))[0]

        await asyncio.gather(tagging(), reading(), reading())
