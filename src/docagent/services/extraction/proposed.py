"""What is proposed for a document, as it has become."""

from __future__ import annotations

from dataclasses import dataclass

from docagent.domain.extraction.artefacts import Prompt, Schema
from docagent.domain.extraction.results import Result
from docagent.domain.proposals import DocumentProposal
from docagent.domain.turns.turns import WorkingState
from docagent.store.engine.database import OrgTx
from docagent.store.extraction import results
from docagent.store.extraction.prompts import PROMPTS
from docagent.store.extraction.schemas import SCHEMAS, asked_by


@dataclass(frozen=True, slots=True)
class Proposed:
    schema: Schema | None
    prompt: Prompt | None
    result: Result | None
    is_new: bool
    """Whether the prompt waits for a verdict too. Otherwise it was there already, or is accepted by now."""
    schema_is_new: bool = False

    @property
    def working_state(self) -> WorkingState:
        return WorkingState(
            self.schema.revid if self.schema else None,
            self.prompt.revid if self.prompt else None,
            self.result.data if self.result else None,
        )


async def proposed_now(tx: OrgTx, proposal: DocumentProposal) -> Proposed:
    """The newest version of a proposed prompt, its schema, and the newest result that it gave for the document.

    A prompt that is not proposed stays at the version that the proposal named.
    """
    tx = tx.rehearsing(proposal.proposal_id)
    prompt = await PROMPTS.get(tx, proposal.prompt_revid) if proposal.prompt_revid else None
    if prompt is None:
        return Proposed(None, None, None, is_new=False)
    is_new = await PROMPTS.is_proposed(tx, prompt.id)
    if is_new:
        prompt = await PROMPTS.latest(tx, prompt.id) or prompt
    schema = await asked_by(tx, prompt)
    schema_is_new = prompt.schema_id is not None and await SCHEMAS.is_proposed(tx, prompt.schema_id)
    result = await results.newest_of_prompt(tx, proposal.document_id, prompt.id)
    return Proposed(schema, prompt, result, is_new, schema_is_new)
