"""Passages that are bound to values and words of uploaded documents."""

from __future__ import annotations

from typing import Any

import pytest

from docagent.domain.errors import InvalidInput, NotFound
from docagent.domain.projects.citations import CitationState
from docagent.services.projects.evidence import Evidence
from tests.tools.desk import INVOICE_FORMAT, Desk
from tests.tools.test_project_talk import Talk


@pytest.fixture
async def project(invoice: Desk) -> Desk:
    """A conversation about a project, in the organisation of an invoice whose values were extracted."""
    schema = await invoice.call("create_schema", name="Invoice", response_format=INVOICE_FORMAT)
    await invoice.call("create_prompt", name="Extract", content="Read it.", schema_id=schema["schema_id"])
    await invoice.call("run_extraction")
    made = await invoice.product.services.projects.create(invoice.tenant.member, "Costs")
    return Desk(invoice.product, invoice.tenant, None, project_id=made.id)


async def cite(project: Desk, invoice: Desk, **arguments: Any) -> str:
    made: str = (await project.call("cite_source", document_id=invoice.document_id, **arguments))["markdown"]
    return made


async def correct(invoice: Desk, total: float) -> None:
    await invoice.product.services.results.edit(
        invoice.tenant.member, invoice.document_id or "", invoice.state.prompt_revid or "", "total", total
    )


async def evidence_of(project: Desk, name: str) -> list[Evidence]:
    services, member = project.product.services, project.tenant.member
    assert project.project_id
    document = await services.living_documents.named(member, project.project_id, name)
    assert document
    return list((await services.evidence.of_document(member, project.project_id, document.id)).evidence)


async def test_a_passage_goes_stale_when_its_value_changes_and_is_brought_up_to_date(
    project: Desk, invoice: Desk
) -> None:
    prompt = invoice.state.prompt_revid
    total = await cite(project, invoice, path="total", prompt_revid=prompt, text="EUR 1617.3")
    words = await cite(project, invoice, page=1, words="Invoice number", text="as it says")
    await project.call(
        "create_project_document", name="Plan", content=f"# Plan\n\nIn all {total}, {words}.\n"
    )
    assert await project.call("check_citations") == {"citations": [], "tables": [], "checked": 2}
    states = [one.state for one in await evidence_of(project, "Plan")]
    assert states == [CitationState.CURRENT, CitationState.CURRENT]

    await correct(invoice, 1700.5)
    found = await project.call("check_citations", document="Plan")
    (stale,) = found["citations"]
    assert found["checked"] == 2
    assert stale | {"source": "", "suggested": ""} == {
        "document": "Plan",
        "version": 1,
        "line": 3,
        "text": "EUR 1617.3",
        "state": "stale",
        "source_document_id": invoice.document_id,
        "source_document": "invoice.pdf",
        "path": "total",
        "written_from": "1617.3",
        "now": "1700.5",
        "source": "",
        "suggested": "",
    }
    edit = {"find": stale["source"], "replace": stale["suggested"]}
    await project.call("edit_project_document", document="Plan", edits=[edit])
    text = (await project.call("read_project_document", document="Plan"))["content"]
    assert "[EUR 1700.5](doc:" in text
    assert await project.call("check_citations") == {"citations": [], "tables": [], "checked": 2}


async def test_a_result_of_a_newer_version_of_the_prompt_counts(project: Desk, invoice: Desk) -> None:
    total = await cite(project, invoice, path="total", prompt_revid=invoice.state.prompt_revid)
    await project.call("create_project_document", name="Plan", content=total)
    results = invoice.product.services.results
    found = await results.find(
        invoice.tenant.member, invoice.document_id or "", invoice.state.prompt_revid or ""
    )
    assert found
    await invoice.call("update_prompt", prompt_id=found.prompt_id, content="Read it well.")
    await invoice.call("run_extraction")
    await correct(invoice, 2.0)
    (evidence,) = await evidence_of(project, "Plan")
    assert (evidence.state, evidence.now) == (CitationState.STALE, "2.0")


async def test_a_source_that_is_gone_is_told(project: Desk, invoice: Desk) -> None:
    prompt = invoice.state.prompt_revid or ""
    total = await cite(project, invoice, path="total", prompt_revid=prompt)
    words = await cite(project, invoice, page=1, words="Invoice number")
    await project.call("create_project_document", name="Plan", content=f"{total}\n\n{words}\n")
    member, document_id = invoice.tenant.member, invoice.document_id or ""
    await invoice.product.services.results.delete(member, document_id, prompt)
    states = [(one.state, one.document_name) for one in await evidence_of(project, "Plan")]
    assert states == [(CitationState.GONE, "invoice.pdf"), (CitationState.CURRENT, "invoice.pdf")]
    await invoice.product.services.documents.delete(member, document_id)
    states = [(one.state, one.document_name) for one in await evidence_of(project, "Plan")]
    assert states == [(CitationState.GONE, None), (CitationState.GONE, None)]


async def test_what_another_organisation_has_is_gone_for_this_one(project: Desk, invoice: Desk) -> None:
    total = await cite(project, invoice, path="total", prompt_revid=invoice.state.prompt_revid)
    stranger = await project.product.new_tenant()
    made = await project.product.services.projects.create(stranger.member, "Theirs")
    theirs = Desk(project.product, stranger, None, project_id=made.id)
    await theirs.call("create_project_document", name="Plan", content=total)
    (evidence,) = await evidence_of(theirs, "Plan")
    assert (evidence.state, evidence.now, evidence.document_name) == (CitationState.GONE, None, None)
    with pytest.raises(NotFound, match="Document not found"):
        await cite(theirs, invoice, path="total")


async def test_only_what_is_there_can_be_cited(project: Desk, invoice: Desk) -> None:
    prompt = invoice.state.prompt_revid
    with pytest.raises(InvalidInput, match="There is no field nonsense"):
        await cite(project, invoice, path="nonsense", prompt_revid=prompt)
    with pytest.raises(NotFound, match="has no result of this prompt"):
        await cite(project, invoice, path="total")
    with pytest.raises(InvalidInput, match="Page 1 does not say “Profit”"):
        await cite(project, invoice, page=1, words="Profit")
    with pytest.raises(NotFound, match="has no page 9"):
        await cite(project, invoice, page=9, words="Invoice")
    with pytest.raises(InvalidInput, match="Give path for an extracted value"):
        await cite(project, invoice, page=1)


async def test_a_project_tells_which_of_its_documents_cite(project: Desk, invoice: Desk) -> None:
    total = await cite(project, invoice, path="total", prompt_revid=invoice.state.prompt_revid)
    await project.call("create_project_document", name="Plan", content=total)
    await project.call("create_project_document", name="Notes", content="[x](doc:1), and `[y](doc:2)`")
    assert project.project_id
    found = await project.product.services.evidence.of_project(project.tenant.member, project.project_id)
    assert [(one.document.name, len(one.evidence)) for one in found] == [("Plan", 1)]


async def test_the_built_in_model_tells_of_stale_passages_and_proposes_the_update(
    project: Desk, invoice: Desk
) -> None:
    talk = Talk(project)
    total = await cite(project, invoice, path="total", prompt_revid=invoice.state.prompt_revid)
    await project.call("create_project_document", name="Plan", content=f"In all {total}.\n")
    assert await talk.say("Which passages are stale?") == "Every passage says what its source says."
    await correct(invoice, 1700.5)
    said = await talk.say("Which passages are stale?")
    assert "1 passage rests on something that has changed" in said
    assert "its source says 1700.5 now" in said
    assert talk.written == []
    assert await talk.say('Update the stale passages of "Plan"') == (
        "Replaced every one of them in “Plan”, now version 2."
    )
    assert talk.written == ["edit_project_document"]
    assert "[1700.5](doc:" in await talk.text("Plan")
