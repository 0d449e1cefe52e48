"""Which models there are, and which one runs."""

from __future__ import annotations

import pytest

from docagent.domain.errors import InvalidInput
from docagent.domain.models import BUILT_IN_MODEL, ModelCatalogue, known_models
from docagent.domain.providers import KNOWN_PROVIDERS, MASK, environment_keys, masked
from docagent.security.secrets import Secrets
from docagent.services.provider_directory import ModelServer, ProviderDirectory


def catalogue(*with_key: str, default: str | None = None) -> ModelCatalogue:
    """As in a deployment with these keys in its environment and nothing configured."""
    keys = dict.fromkeys(with_key, "a key")
    directory = ProviderDirectory(
        Secrets("a secret for this test"),
        keys,
        {"vllm": ModelServer("http://127.0.0.1:1/v1", ("qwen",))},
        default_model=default,
    )
    return directory.catalogue({}, {})


@pytest.mark.parametrize(
    ("requested", "organization_default", "effective"),
    [
        (None, None, BUILT_IN_MODEL),
        ("gpt-4o-mini", None, "gpt-4o-mini"),
        ("openai/gpt-4o-mini", None, "gpt-4o-mini"),
        ("anthropic/gpt-4o-mini", None, BUILT_IN_MODEL),
        (None, "gpt-4o", "gpt-4o"),
        ("claude-sonnet-4-6", None, BUILT_IN_MODEL),
        ("claude-sonnet-4-6", "gpt-4o", "gpt-4o"),
        ("claude-sonnet-4-6", "gemini-2.5-flash", BUILT_IN_MODEL),
        ("gone-from-the-catalogue", "gpt-4o", "gpt-4o"),
        (BUILT_IN_MODEL, "gpt-4o", BUILT_IN_MODEL),
        ("vllm/qwen", "gpt-4o", "vllm/qwen"),
    ],
)
def test_the_model_that_runs(requested: str | None, organization_default: str | None, effective: str) -> None:
    assert catalogue("openai").resolve(requested, organization_default).name == effective


def test_the_deployments_default_comes_after_the_organisations() -> None:
    models = catalogue("openai", default="gpt-4o")
    assert models.resolve(None, None).name == "gpt-4o"
    assert models.resolve("claude-sonnet-4-6", None).name == "gpt-4o"
    assert models.resolve(None, "gpt-4o-mini").name == "gpt-4o-mini"


def test_names_are_checked_against_the_catalogue() -> None:
    models = catalogue()
    models.check(None)
    models.check("gpt-4o")
    models.check("openai/gpt-4o")
    with pytest.raises(InvalidInput, match="Invalid model: zz"):
        models.check("zz")


def test_without_keys_only_what_needs_none_can_run() -> None:
    assert [model.name for model in catalogue().runnable()] == [BUILT_IN_MODEL, "vllm/qwen"]
    names = {model.name for model in catalogue("openai").runnable()}
    assert {"gpt-4o", "gpt-4o-mini"} < names
    assert "claude-sonnet-4-6" not in names


def test_the_catalogue_is_whole() -> None:
    listed = known_models()
    assert set(listed) <= set(KNOWN_PROVIDERS)
    for name in ("gpt-4o-mini", "gpt-4o", "claude-sonnet-4-6", "gemini-2.5-flash"):
        model = catalogue().find(name)
        assert model is not None
        assert model.input_price > 0
        assert model.output_price > model.input_price
        assert model.sees_images
        assert model.max_input_tokens >= 100_000
    names = [model.name for models in listed.values() for model in models]
    assert len(set(names)) == len(names)


def test_keys_are_read_from_the_environment() -> None:
    found = environment_keys(
        {"OPENAI_API_KEY": "a", "GOOGLE_API_KEY": "b", "XAI_API_KEY": "", "VLLM_API_KEY": "c", "HOME": "/"}
    )
    assert {name: found.get(name) for name in ("openai", "gemini", "xai", "vllm")} == {
        "openai": "a",
        "gemini": "b",
        "xai": None,
        "vllm": "c",
    }


@pytest.mark.parametrize(
    ("key", "shown"),
    [("k" * 60, "k" * 16 + MASK), ("k" * 9, "kkk" + MASK), ("kk", MASK)],
)
def test_never_more_than_a_third_of_a_key_is_shown(key: str, shown: str) -> None:
    assert masked(key) == shown
