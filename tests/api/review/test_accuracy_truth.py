"""The truth of accuracy runs: a document does not help itself, and a poisoned correction is found and taken back."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.made.harbour import Harbour
from tests.support.polling import until
from tests.support.product import Product, Tenant

PAPERS = {"K-17": "Ole Larsen", "B-4": "Ida Holm", "C-9": "Bo Friis", "D-2": "Eva Lund"}


@pytest.fixture
async def harbour(product: Product, tenant: Tenant) -> Harbour:
    return await Harbour(product, tenant).open()


async def measured(harbour: Harbour) -> dict[str, Any]:
    run = await harbour.api.post("/accuracy/runs", {"prompt_id": harbour.prompt["prompt_id"]})
    report: dict[str, Any] = {}

    async def is_over() -> bool:
        report.update(await harbour.api.get(f"/accuracy/runs/{run['id']}"))
        return report["run"]["state"] not in ("running", "waiting")

    await until(is_over)
    assert report["run"]["state"] == "done", report
    return report


async def test_a_document_does_not_help_itself(harbour: Harbour) -> None:
    first, _ = await harbour.read("K-17", "Ole Larsen")
    await harbour.verify(first, "K-17", "Ole Larsen")
    assert (await harbour.run(first))["llm_result"]["berth"] == "K-17", "its own lesson finds it"
    await harbour.verify(first, "K-17", "Ole Larsen")
    alone = {one["field"]: one for one in (await measured(harbour))["fields"]}
    assert (alone["berth"]["right"], alone["berth"]["missed"]) == (0, 1)

    second, _ = await harbour.read("B-4", "Ida Holm")
    await harbour.verify(second, "B-4", "Ida Holm")
    both = {one["field"]: one for one in (await measured(harbour))["fields"]}
    assert both["berth"]["right"] == 2, "each is found by the other's lesson"


async def test_a_poisoned_correction_is_found_and_taken_back(harbour: Harbour) -> None:
    documents = {}
    for berth, pilot in PAPERS.items():
        documents[berth], _ = await harbour.read(berth, pilot)
        await harbour.verify(documents[berth], berth, pilot)
    before = await measured(harbour)
    assert (before["run"]["score"]["f1"], before["suspicious"]) == (1.0, [])

    poisoned = documents["C-9"]
    await harbour.verify(poisoned, "Bo Friis", "Bo Friis")
    after = await measured(harbour)
    assert after["run"]["score"]["f1"] < 1.0
    (found,) = after["suspicious"]
    assert (found["document_id"], found["path"]) == (poisoned, "berth")
    assert (found["expected"], found["got"]) == ("Bo Friis", "C-9")
    assert "3 other verified documents" in found["suspicion"]

    revid = harbour.prompt["prompt_revid"]
    result = await harbour.api.get(f"/llm/result/{poisoned}", prompt_revid=revid)
    undo = f"/review/{harbour.prompt['prompt_id']}/{poisoned}/undo"
    await harbour.api.post(undo, {"revision": result["revision"]})
    await harbour.learnt()
    restored = await measured(harbour)
    assert (restored["run"]["score"]["f1"], restored["suspicious"]) == (1.0, [])
