"""What of a verified result is compared, and which verified values are doubtful themselves."""

from __future__ import annotations

from typing import Any

from docagent.builtin_model import Recalled
from docagent.domain.clock import now
from docagent.domain.extraction.runs import RunState
from docagent.domain.field_path import FieldPath
from docagent.evidence.accuracy import Mark
from docagent.services.review.measuring import Earlier, Suspicion, VerifiedData, judged_values
from docagent.store.review.accuracy import AccuracyRun, JudgedValue
from tests.support.tables import table

SCHEMA = {
    "type": "object",
    "properties": {
        "total": {"type": "number"},
        "note": {"type": ["string", "null"]},
        "rows": {"type": "array", "items": {"$ref": "#/definitions/row"}},
    },
    "definitions": {"row": {"type": "object", "properties": {"item": {"type": "string"}}}},
}
DATA = {"total": 90, "note": None, "rows": [{"item": "Oak"}, {"item": "Elm"}]}
PROVEN, UNPROVEN = {"match": "exact", "words": [1]}, {"match": "unproven", "words": []}


def verified(*paths: str, data: dict[str, Any] = DATA, grounding: Any = None) -> VerifiedData:
    return VerifiedData(data, grounding, not paths, [FieldPath.parse(one) for one in paths], SCHEMA)


def marks(truth: VerifiedData, given: dict[str, Any]) -> dict[str, Mark]:
    return {one.path: one.mark for one in judged_values(truth, given)}


def test_what_is_new_in_a_schema_is_not_judged() -> None:
    given = {**DATA, "note": "x", "dock": "3", "rows": [{"item": "Oak", "size": 4}, {"item": "Elm"}]}
    assert marks(verified(), given) == {
        "total": Mark.RIGHT,
        "note": Mark.EXTRA,
        "rows.0.item": Mark.RIGHT,
        "rows.1.item": Mark.RIGHT,
    }


def test_of_what_is_verified_in_part_only_that_part_counts() -> None:
    given = {"total": 91, "note": "x", "rows": [{"item": "Oak"}, {"item": "Fir"}, {"item": "Ash"}]}
    assert marks(verified("total", "note"), given) == {"total": Mark.WRONG, "note": Mark.EXTRA}
    assert marks(verified("rows.0"), given) == {"rows.0.item": Mark.RIGHT}
    rows = [one.mark for one in judged_values(verified("rows"), given)]
    assert rows == [Mark.RIGHT, Mark.MISSED, Mark.EXTRA, Mark.EXTRA]


def run(model: str = "a", revid: str = "1") -> AccuracyRun:
    return AccuracyRun(
        id=f"{model}{revid}",
        prompt_id="p",
        prompt_revid=revid,
        prompt_version=1,
        prompt_name="P",
        draft=None,
        requested_model=None,
        model=model,
        state=RunState.DONE,
        reason=None,
        total=1,
        done=1,
        failed=0,
        documents_right=0,
        fields={},
        credits=0,
        milliseconds=0,
        created_by="u",
        created_at=now(),
        finished_at=None,
    )


def value(mark: Mark, got: Any = 90, expected: Any = 17) -> JudgedValue:
    return JudgedValue("total", "total", "total", mark, expected, got)


def suspicion(
    one: JudgedValue, *, lessons: int = 0, earlier: Earlier = (), on_page: bool = True
) -> str | None:
    recalled = {"total": Recalled(90, lessons, 0, lessons)} if lessons else {}
    place = PROVEN if on_page else UNPROVEN
    truth = verified(data={"total": 17}, grounding={"total": place})
    return Suspicion(truth, {"total": PROVEN}, recalled, earlier, run()).of(one)


def test_lessons_of_several_others_speak_against_a_verified_value() -> None:
    assert "2 other verified documents" in (suspicion(value(Mark.WRONG), lessons=2) or "")
    assert suspicion(value(Mark.WRONG), lessons=1) is None, "either of the two may be wrong"
    assert suspicion(value(Mark.WRONG, got=91), lessons=3) is None
    assert suspicion(value(Mark.RIGHT), lessons=3) is None
    assert suspicion(value(Mark.MISSED, got=None), lessons=3) is None


def test_what_was_verified_before_speaks_against_a_verified_value() -> None:
    before: Earlier = [(run(), [value(Mark.RIGHT, expected=90)])]
    assert "verified as right" in (suspicion(value(Mark.WRONG), earlier=before) or "")


@table("other", [run(model="b"), run(revid="2")])
def test_other_runs_count_where_the_verified_value_is_not_on_the_page(other: AccuracyRun) -> None:
    before: Earlier = [(other, [value(Mark.WRONG)])]
    assert "not on the page" in (suspicion(value(Mark.WRONG), earlier=before, on_page=False) or "")
    assert suspicion(value(Mark.WRONG), earlier=before) is None
    same_again: Earlier = [(run(), [value(Mark.WRONG)])]
    assert suspicion(value(Mark.WRONG), earlier=same_again, on_page=False) is None, "one model errs twice"
