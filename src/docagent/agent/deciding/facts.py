"""What came of an `act`, for programs: its decision as it was carried out, and what it did."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from docagent.agent.deciding.aims import AimKind
from docagent.agent.deciding.course import NO_CHANGES, Course
from docagent.agent.deciding.decision import Decision
from docagent.agent.deciding.replies import confirmation
from docagent.agent.state import TurnView


@dataclass(frozen=True, slots=True)
class ActFacts:
    decision: dict[str, Any]
    """The model's decision with what was mended in it, with the fields of `Decision`."""
    document_id: str | None
    """The document that is meant, also if it was not changed."""
    web_search_performed: bool
    document_updated: bool
    document_created: bool
    document_deleted: bool
    succeeded: bool
    """Whether it did what was decided; an answer, a question and a no of the user are successes too."""

    @property
    def changed_id(self) -> str | None:
        """The document that was made or changed, and is there to be shown."""
        return self.document_id if self.document_updated or self.document_created else None

    @property
    def metadata(self) -> dict[str, Any]:
        """What is kept with the reply in a chat."""
        return {
            "decision": self.decision,
            "web_search_performed": self.web_search_performed,
            "document_updated": self.document_updated,
            "needs_clarification": self.decision["needs_clarification"],
            "pending_confirmation": self.decision["pending_confirmation"],
            "should_create": self.decision["should_create"],
        }

    @property
    def flags(self) -> dict[str, bool]:
        """What a notice tells: no text, neither of a document nor of a person."""
        decided = (
            "should_edit",
            "should_create",
            "should_delete",
            "needs_clarification",
            "pending_confirmation",
        )
        return {
            **{name: self.decision[name] for name in decided},
            "web_search_performed": self.web_search_performed,
            "document_updated": self.document_updated,
            "document_created": self.document_created,
            "document_deleted": self.document_deleted,
        }


def act_facts(view: TurnView) -> ActFacts:
    """The facts of an `act` that waits for a person or is over."""
    course = Course(view)
    aim, done = course.aim, course.done
    waiting = view.undecided
    mended: dict[str, Any] = {
        "should_edit": aim.kind is AimKind.EDIT,
        "should_create": aim.kind is AimKind.CREATE,
        "should_delete": aim.kind is AimKind.DELETE,
        "needs_clarification": aim.kind is AimKind.ASK,
        "clarification_question": aim.question or None,
        "pending_confirmation": bool(waiting),
    }
    document_id = aim.document.id if aim.document else None
    if aim.document is not None:
        mended |= {"document_id": aim.document.id, "document_name": aim.document.name}
    if aim.kind is AimKind.CREATE:
        document_id = str(done["document_id"]) if done else None
        mended |= {"document_id": document_id, "document_name": aim.name}
    if waiting:
        mended["confirmation_prompt"] = confirmation(course, waiting)
    changed = done is not None and done.get("message") != NO_CHANGES
    return ActFacts(
        decision={**(course.decision or Decision()).model_dump(), **mended},
        document_id=document_id,
        web_search_performed=course.web_search_performed,
        document_updated=changed and aim.kind is AimKind.EDIT,
        document_created=changed and aim.kind is AimKind.CREATE,
        document_deleted=changed and aim.kind is AimKind.DELETE,
        succeeded=_succeeded(course),
    )


def _succeeded(course: Course) -> bool:
    if course.decision is None:
        return False
    answers = course.aim.kind in (AimKind.ANSWER, AimKind.ASK)
    return answers or bool(course.view.undecided) or course.done is not None or course.refused is not None
