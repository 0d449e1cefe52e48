"""Which voice of the built-in model found a value, and what another one says instead. Kept with the value's proof."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from docagent.domain.extraction.paths import found_at


class Voice(StrEnum):
    """Who found a value."""

    RULES = "rules"
    NETWORK = "network"
    BOTH = "both"


class Voices(StrEnum):
    """What the voices that were heard say of a value."""

    AGREE = "agree"
    DIFFER = "differ"
    ONLY_ONE = "only_one"


@dataclass(frozen=True, slots=True)
class Heard:
    """How the built-in model came to a value."""

    voice: Voice
    voices: Voices
    rivals: tuple[Any, ...] = ()
    """What another voice says instead."""


def with_voices(proof: Any, heard: Mapping[str, Heard], path: str = "") -> Any:
    """Return the stored tree of places with what is known of each value's voices, by its path."""
    if isinstance(proof, list):
        return [with_voices(branch, heard, f"{path}.{number}") for number, branch in enumerate(proof)]
    if not isinstance(proof, dict):
        return proof
    if not _is_place(proof):
        return {name: with_voices(branch, heard, f"{path}.{name}") for name, branch in proof.items()}
    known = heard.get(path.removeprefix("."))
    if known is None:
        return proof
    signals = {**(proof.get("signals") or {}), "voices": known.voices.value}
    return {**proof, "voice": known.voice.value, "rivals": list(known.rivals), "signals": signals}


def heard_before(proof: Any, before: Any, after: Any) -> dict[str, Heard]:
    """Return what a stored proof says of the voices of those values that an edit left as they were."""
    found: dict[str, Heard] = {}
    _gather(proof, before, after, (), found)
    return found


def _gather(proof: Any, before: Any, after: Any, path: tuple[str, ...], found: dict[str, Heard]) -> None:
    if isinstance(proof, list):
        for number, branch in enumerate(proof):
            _gather(branch, before, after, (*path, str(number)), found)
    elif isinstance(proof, dict) and not _is_place(proof):
        for name, branch in proof.items():
            _gather(branch, before, after, (*path, name), found)
    elif isinstance(proof, dict) and "voice" in proof and found_at(before, path) == found_at(after, path):
        voices = Voices(proof["signals"]["voices"])
        found[".".join(path)] = Heard(Voice(proof["voice"]), voices, tuple(proof["rivals"]))


def _is_place(branch: Mapping[str, Any]) -> bool:
    return "match" in branch and "words" in branch
