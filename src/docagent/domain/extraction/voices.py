"""Which voice found a value, and what another one says instead. Kept with the value's proof."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from docagent.domain.extraction.review import is_place, places_in
from docagent.domain.field_path import ROOT, FieldPath


class Voice(StrEnum):
    """Who found a value."""

    RULES = "rules"
    NETWORK = "network"
    BOTH = "both"
    MEMORY = "memory"
    """Verified documents of the same layout."""
    MODEL = "model"
    """A language model, beside which the built-in model was heard."""


class Voices(StrEnum):
    """What the voices that were heard say of a value."""

    AGREE = "agree"
    DIFFER = "differ"
    ONLY_ONE = "only_one"


@dataclass(frozen=True, slots=True)
class Heard:
    """Who gave a value, and what others say of it."""

    voice: Voice
    voices: Voices
    rivals: tuple[Any, ...] = ()
    """What another voice says instead."""


def with_voices(proof: Any, heard: Mapping[FieldPath, Heard], path: FieldPath = ROOT) -> Any:
    """Return the stored tree of places with what is known of each value's voices, by its path."""
    if isinstance(proof, list):
        return [with_voices(branch, heard, path / number) for number, branch in enumerate(proof)]
    if not isinstance(proof, dict):
        return proof
    if not is_place(proof):
        return {name: with_voices(branch, heard, path / name) for name, branch in proof.items()}
    known = heard.get(path)
    if known is None:
        return proof
    signals = {**(proof.get("signals") or {}), "voices": known.voices.value}
    return {**proof, "voice": known.voice.value, "rivals": list(known.rivals), "signals": signals}


def heard_before(proof: Any, before: Any, after: Any) -> dict[FieldPath, Heard]:
    """Return what a stored proof says of the voices of those values that an edit left as they were."""
    return {
        path: Heard(Voice(place["voice"]), Voices(place["signals"]["voices"]), tuple(place["rivals"]))
        for path, place in places_in(proof)
        if "voice" in place and path.get(before) == path.get(after)
    }
