"""Which model runs for a prompt."""

from __future__ import annotations

import pytest

from docagent.domain.errors import InvalidInput
from docagent.domain.models import BUILT_IN_MODEL, ModelCatalogue


@pytest.mark.parametrize(
    ("requested", "organization_default", "effective"),
    [
        (None, None, BUILT_IN_MODEL),
        ("gpt-4o-mini", None, "gpt-4o-mini"),
        (None, "gpt-4o", "gpt-4o"),
        ("claude-sonnet-4-6", None, BUILT_IN_MODEL),
        ("claude-sonnet-4-6", "gpt-4o", "gpt-4o"),
        ("claude-sonnet-4-6", "gemini-2.5-flash", BUILT_IN_MODEL),
        ("gone-from-the-catalogue", "gpt-4o", "gpt-4o"),
        (BUILT_IN_MODEL, "gpt-4o", BUILT_IN_MODEL),
    ],
)
def test_the_model_that_runs(requested: str | None, organization_default: str | None, effective: str) -> None:
    catalogue = ModelCatalogue({"openai"})
    assert catalogue.resolve(requested, organization_default) == effective


def test_names_are_checked_against_the_catalogue() -> None:
    catalogue = ModelCatalogue(set())
    catalogue.check(None)
    catalogue.check("gpt-4o")
    with pytest.raises(InvalidInput, match="Invalid model: zz"):
        catalogue.check("zz")


def test_without_keys_only_the_built_in_model_can_run() -> None:
    assert [model.name for model in ModelCatalogue(set()).runnable()] == [BUILT_IN_MODEL]
    assert len(ModelCatalogue({"openai"}).runnable()) == 3
