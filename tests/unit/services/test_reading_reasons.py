from __future__ import annotations

from docagent.domain.errors import ReadFailed, ReadFailure
from docagent.services.documents.reading import reason_for
from tests.support.tables import table


@table("failure", [ReadFailure.TIMED_OUT, ReadFailure.OUT_OF_MEMORY, ReadFailure.CRASHED])
def test_nobody_is_asked_to_split_a_picture(failure: ReadFailure) -> None:
    failed = ReadFailed(failure, "Split it into smaller files.")
    assert "picture" in reason_for("image/png", failed)
    assert "plit" not in reason_for("image/png", failed)
    assert reason_for("application/pdf", failed) == failed.detail


def test_what_the_reader_says_of_the_content_stays() -> None:
    failed = ReadFailed(ReadFailure.DAMAGED, "This picture is damaged. Save it again and upload that.")
    assert reason_for("image/png", failed) == failed.detail
