"""What the agent prepares by itself for an uploaded document, and a person accepts or rejects."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class ProposalStatus(StrEnum):
    RUNNING = "running"
    PROPOSED = "proposed"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """Work on the schemas, prompts and results of one proposal, which nobody else sees."""

    proposal_id: str
    headless: bool = False
    """No person is in the loop: what is made becomes a part of the proposal, and what exists stays as it is."""


@dataclass(frozen=True, slots=True)
class DocumentProposal:
    """How far the agent's preparation of one document has come."""

    document_id: str
    status: ProposalStatus
    proposal_id: str
    """Shared by all documents for which the same prompt is proposed. For one that is accepted it is the prompt's id."""
    turn_id: str | None = None
    """The turn that prepared it; None if a schema that was there already, or is proposed already, fits."""
    schema_revid: str | None = None
    prompt_revid: str | None = None
    done_at: datetime | None = None
    reason: str | None = None
    """Why a schema fits, for people."""
    error: str | None = None


def out_of_time(seconds: float) -> str:
    return f"It was not done after {seconds:g} seconds."
