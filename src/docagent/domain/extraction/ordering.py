"""The order in which a result's fields are kept."""

from __future__ import annotations

from typing import Any


def ordered_like(schema: dict[str, Any] | None, data: Any) -> Any:
    """The data with its keys in the order of the schema's properties, unknown keys last."""
    if schema is None:
        return data
    if isinstance(data, dict):
        properties = schema.get("properties")
        known = properties if isinstance(properties, dict) else {}
        keys = [key for key in known if key in data] + [key for key in data if key not in known]
        return {key: ordered_like(_subschema(known.get(key)), data[key]) for key in keys}
    if isinstance(data, list):
        items = _subschema(schema.get("items"))
        return [ordered_like(items, item) for item in data]
    return data


def _subschema(value: Any) -> dict[str, Any] | None:
    return value if isinstance(value, dict) else None
