"""Keeps weights with 8 bits each, so that they can travel to a machine that takes little luggage."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

_MOST = 127
_SCALE = " scale"


def save(weights: Mapping[str, NDArray[Any]], target: Path) -> None:
    """Write matrices with 8 bits a weight and a scale for each row, and all else with 16."""
    kept: dict[str, NDArray[Any]] = {}
    for name, weight in weights.items():
        if weight.ndim != 2:
            kept[name] = weight.astype(np.float16)
            continue
        scale = np.maximum(np.abs(weight.astype(np.float32)).max(axis=1, keepdims=True), 1e-8) / _MOST
        kept[name] = np.round(weight / scale).astype(np.int8)
        kept[name + _SCALE] = scale.astype(np.float32)
    np.savez_compressed(target, **kept)  # type: ignore[arg-type]


def load(path: Path) -> dict[str, NDArray[np.float32]]:
    with np.load(path) as kept:
        return {
            name: kept[name].astype(np.float32) * kept.get(name + _SCALE, 1)
            for name in kept.files
            if not name.endswith(_SCALE)
        }
