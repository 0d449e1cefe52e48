"""Sample documents to try things with."""

from __future__ import annotations

from pydantic import BaseModel

from docagent.api.answers import Answer
from docagent.api.deps import OrgMember, ServicesDep
from docagent.api.rest.documents.documents import UploadOut, uploaded_out
from docagent.api.router import Router
from docagent.services.documents.samples import SAMPLES, add_sample

router = Router(prefix="/v0/orgs/{organization_id}/samples", tags=["documents"])


class SampleOut(Answer):
    name: str
    title: str
    description: str
    file_name: str


class SamplesOut(BaseModel):
    samples: list[SampleOut]


@router.get("")
async def list_samples(member: OrgMember) -> SamplesOut:
    """The documents that come with the product."""
    del member
    return SamplesOut(samples=[SampleOut.model_validate(sample) for sample in SAMPLES])


@router.post("/{sample}")
async def upload_sample(sample: str, member: OrgMember, services: ServicesDep) -> UploadOut:
    """Put a sample among the organisation's documents."""
    return UploadOut(document=uploaded_out(await add_sample(services.documents, member, sample)))
