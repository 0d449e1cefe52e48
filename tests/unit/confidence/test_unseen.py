"""What may go on without a person, measured on verified results."""

from __future__ import annotations

from docagent.evidence.confidence import JudgedDocument, Share, least_verified, measure_unseen
from tests.support.tables import table


def document(certainty: float, right: int, wrong: int = 0, missed: int = 0) -> JudgedDocument:
    values = [(certainty, True)] * right + [(certainty, False)] * wrong
    return JudgedDocument(values, certainty, True, wrong + missed)


@table(("precision", "needed"), [(0.5, 6), (0.9, 30), (0.99, 300), (0.999, 3000)])
def test_it_takes_more_verified_values_the_more_is_wished(precision: float, needed: int) -> None:
    assert least_verified(precision) == needed


def test_with_too_few_verified_values_there_is_no_figure() -> None:
    found = measure_unseen([document(0.9, 29)], 0.9)
    assert (found.verified_values, found.needed) == (29, 30)
    assert (found.values, found.documents) == (None, None)


def test_the_surest_go_on_as_long_as_they_are_right() -> None:
    judged = [document(0.95, 10)] * 4 + [document(0.6, 5, wrong=5)] * 4
    found = measure_unseen(judged, 0.9)
    assert found.values == Share(0.5, 0.95, 1.0)
    assert found.documents == Share(0.5, 0.95, 1.0)


def test_what_the_model_missed_counts_against_documents() -> None:
    judged = [document(0.95, 10, missed=10)] * 4
    found = measure_unseen(judged, 0.9)
    assert found.values == Share(1.0, 0.95, 1.0)
    assert found.documents == Share(), "half of what is on them is not there"


def test_a_few_lucky_ones_prove_nothing() -> None:
    judged = [document(0.99, 5)] + [document(0.5, 5, wrong=5)] * 8
    found = measure_unseen(judged, 0.9)
    assert found.values == Share()
    assert found.documents == Share()


def test_a_document_that_is_verified_in_part_counts_by_its_values() -> None:
    part = JudgedDocument([(0.9, True)] * 40, 0.9, is_whole=False)
    found = measure_unseen([part], 0.9)
    assert (found.verified_values, found.verified_documents) == (40, 0)
    assert found.values == Share(1.0, 0.9, 1.0)
    assert found.documents is None
