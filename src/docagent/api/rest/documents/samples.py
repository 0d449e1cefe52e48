"""Sample documents to try things with."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query

from docagent.api.answers import Answer
from docagent.api.deps import OrgMember, ServicesDep
from docagent.api.rest.documents.documents import UploadOut
from docagent.api.router import Router
from docagent.services.documents.samples import SAMPLES, add_sample

router = Router(prefix="/v0/orgs/{organization_id}/samples", tags=["documents"])


class SampleOut(Answer):
    name: str
    title: str
    description: str
    file_name: str


class SamplesOut(Answer):
    samples: list[SampleOut]


@router.get("")
async def list_samples(member: OrgMember) -> SamplesOut:
    """The documents that come with the product."""
    return SamplesOut.model_validate({"samples": SAMPLES})


@router.post("/{sample}")
async def upload_sample(
    sample: str,
    member: OrgMember,
    services: ServicesDep,
    auto_create: Annotated[bool | None, Query(description="As with other uploads")] = None,
) -> UploadOut:
    """Put a sample among the organisation's documents."""
    added = await add_sample(services.documents, member, sample, auto_create=auto_create)
    return UploadOut.model_validate({"document": added})
