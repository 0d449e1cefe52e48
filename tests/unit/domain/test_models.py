"""Which models there are, and which one runs."""

from __future__ import annotations

from dataclasses import replace

import pytest

from docagent.domain.errors import InvalidInput
from docagent.domain.models.catalogue import (
    BUILT_IN_MODEL,
    ModelCatalogue,
    Provider,
    known_models,
    served_model,
)
from docagent.domain.models.providers import (
    KNOWN_PROVIDERS,
    MASK,
    FoundModel,
    ModelServer,
    environment_keys,
    masked,
)
from docagent.security.secrets import Secrets
from docagent.services.models.provider_directory import ProviderDirectory
from tests.support.tables import table


def catalogue(*with_key: str, default: str | None = None) -> ModelCatalogue:
    """As in a deployment with these keys in its environment and nothing configured."""
    keys = dict.fromkeys(with_key, "a key")
    directory = ProviderDirectory(
        Secrets("a secret for this test"),
        keys,
        {"vllm": ModelServer("http://127.0.0.1:1/v1", (FoundModel("qwen"),))},
        default_model=default,
    )
    return directory.catalogue({}, {})


@table(
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


def test_a_bare_name_is_enough_when_only_one_provider_has_it() -> None:
    models = catalogue()
    found = models.find("qwen")
    assert found is not None
    assert found.name == "vllm/qwen"
    assert models.resolve("qwen", None).name == "vllm/qwen"
    both = ModelCatalogue([serving(models.providers["vllm"], name) for name in ("vllm", "other")])
    assert both.find("qwen") is None
    with pytest.raises(InvalidInput) as refused:
        both.check("qwen")
    assert refused.value.detail == (
        "Invalid model: qwen. More than one provider has it. Use one of these names: vllm/qwen, other/qwen."
    )
    one_runs = ModelCatalogue(
        [both.providers["vllm"], replace(both.providers["other"], enabled=False)], default=None
    )
    chosen = one_runs.find("qwen")
    assert chosen is not None
    assert chosen.name == "vllm/qwen"


def serving(like: Provider, name: str) -> Provider:
    model = served_model(name, name, FoundModel("qwen"))
    return replace(like, name=name, models=(model,), enabled_models=frozenset({model.name}))


def test_an_unknown_name_is_refused_with_those_that_can_run() -> None:
    with pytest.raises(InvalidInput) as refused:
        catalogue().check("zz")
    assert refused.value.detail == (
        f"Invalid model: zz. These models can be called now: {BUILT_IN_MODEL}, vllm/qwen."
    )
    with pytest.raises(InvalidInput, match=r" and \d+ more\.$"):
        catalogue("openai", "anthropic", "gemini").check("zz")


def test_an_error_about_a_key_says_where_it_is_kept() -> None:
    models = catalogue("gemini")
    asked = models.find("gpt-4o")
    assert asked is not None
    told = models.why_not(asked)
    assert "the settings page “Providers and keys”" in told
    assert "the variable OPENAI_API_KEY" in told
    gemini = models.providers["gemini"]
    assert gemini.key_place == "the variable GEMINI_API_KEY or GOOGLE_API_KEY"
    sealed = replace(gemini, sealed_key="sealed")
    assert sealed.key_place == "the settings page “Providers and keys” (the whole server)"
    own = replace(sealed, key_is_organizations=True)
    assert own.key_place == "the settings page “Providers and keys” (this organisation)"
    assert models.providers["openai"].key_place is None


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


@table(
    ("key", "shown"),
    [("k" * 60, "k" * 16 + MASK), ("k" * 9, "kkk" + MASK), ("kk", MASK)],
)
def test_never_more_than_a_third_of_a_key_is_shown(key: str, shown: str) -> None:
    assert masked(key) == shown
