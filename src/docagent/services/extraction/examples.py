"""Finds the verified documents that are shown to a model as examples: those of the prompt that look most alike."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from docagent.domain.accounts.accounts import Member
from docagent.domain.documents.documents import Document
from docagent.domain.documents.text import Page
from docagent.domain.extraction.examples import MOST_EXAMPLES, Example, example_of
from docagent.domain.extraction.results import Result
from docagent.services.extraction.checking import field_problems
from docagent.services.extraction.extraction_tasks import Task
from docagent.services.extraction.learning import LearningService
from docagent.services.extraction.lessons import MOST_VOTES, is_doubtful
from docagent.store.documents import documents, pages
from docagent.store.engine.database import Database
from docagent.store.extraction import learning, results

MOST_PAGES = 10
"""More pages of an example are not even looked at: its room is smaller."""


class ExampleService:
    def __init__(self, db: Database, lessons: LearningService) -> None:
        self._db = db
        self._lessons = lessons

    async def find(
        self, member: Member, task: Task, read: Sequence[Page], room: int, shown: Collection[str]
    ) -> list[Example]:
        """Return examples for a document whose pages are `read`, the most similar first, each within the room.

        `shown` are the documents that the model sees anyway: above all the document itself, which never is its own
        example. Only what a person verified as a whole counts, and only if it fits the schema that is asked.
        """
        if not room:
            return []
        async with self._db.read_as(member) as tx:
            if not (await learning.switches(tx)).gives_examples:
                return []
        nearest = await self._lessons.nearest(member, task.prompt_id, read, MOST_VOTES)
        found: list[Example] = []
        for lesson in nearest:
            if lesson.document_id not in shown and not is_doubtful(lesson):
                example = await self._example(member, task, lesson.document_id, room)
                found += [example] if example is not None else []
            if len(found) == MOST_EXAMPLES:
                break
        return found

    async def _example(self, member: Member, task: Task, document_id: str, room: int) -> Example | None:
        async with self._db.read_as(member) as tx:
            document = await documents.get(tx, document_id)
            result = await results.newest_of_prompt(tx, document_id, task.prompt_id)
            if document is None or result is None or not _may_be_shown(document, result):
                return None
            text = await pages.pages(tx, document_id, document.text_run_id or "", 1, MOST_PAGES)
        if await field_problems(task.schema, result.data):
            return None
        return example_of(document_id, document.name, text, result.data, room)


def _may_be_shown(document: Document, result: Result) -> bool:
    is_settled = result.is_verified and not result.is_rejected and not result.proposed
    return document.text_run_id is not None and is_settled
