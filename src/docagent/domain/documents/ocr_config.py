"""An organisation's choice of text recognition, in the shape that DocRouter's clients read and write.

The built-in reader does all text recognition here; the other engines are kept as data so that a client's
settings survive a round trip.
"""

from __future__ import annotations

from typing import Any

from docagent.domain.errors import InvalidInput

BUILT_IN = "builtin"
TEXTRACT_FEATURES = ("FORMS", "LAYOUT", "SIGNATURES", "TABLES")
MODES = (BUILT_IN, "textract", "mistral", "mistral_vertex", "llm", "pymupdf")
_SECTIONS = ("textract", "mistral", "mistral_vertex", "pymupdf", "llm")


def default_ocr_config() -> dict[str, Any]:
    return {
        "mode": BUILT_IN,
        "textract": {"feature_types": []},
        "mistral": {},
        "mistral_vertex": {},
        "pymupdf": {},
        "llm": {"provider": None, "model": None},
    }


def ocr_catalog() -> dict[str, Any]:
    return {
        "textract_feature_types": list(TEXTRACT_FEATURES),
        "modes": list(MODES),
        "mistral_enabled": False,
        "mistral_vertex_enabled": False,
    }


def merge_ocr_config(current: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    """Return `current` with the changes merged into it at every depth. Raises InvalidInput."""
    merged = dict(current)
    for key, value in changes.items():
        if key == "mode":
            if value not in MODES:
                raise InvalidInput(f"Invalid ocr_config: mode must be one of {', '.join(MODES)}")
            merged["mode"] = value
        elif key in _SECTIONS:
            if not isinstance(value, dict):
                raise InvalidInput(f"Invalid ocr_config: {key} must be an object")
            merged[key] = _laid_over(merged.get(key, {}), value)
        else:
            raise InvalidInput(f"Invalid ocr_config: unknown key {key}")
    features = merged["textract"].get("feature_types", [])
    if not isinstance(features, list) or any(feature not in TEXTRACT_FEATURES for feature in features):
        raise InvalidInput(
            f"Invalid ocr_config: textract.feature_types may hold {', '.join(TEXTRACT_FEATURES)}"
        )
    return merged


def _laid_over(current: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    merged = dict(current)
    for key, value in changes.items():
        old = merged.get(key)
        merged[key] = _laid_over(old, value) if isinstance(old, dict) and isinstance(value, dict) else value
    return merged
