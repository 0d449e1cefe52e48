"""The lenient rule for a `response_format`, which every stored schema must satisfy."""

from __future__ import annotations

from docagent.jsonschema.validate import check_schema


def check_response_format(value: object) -> list[str]:
    """Return what is wrong, in sentences. An empty list means that it may be stored. Strict mode is not required."""
    if not isinstance(value, dict):
        return ["response_format must be an object"]
    problems = [] if value.get("type") == "json_schema" else ["type must be 'json_schema'"]
    inner = value.get("json_schema")
    if not isinstance(inner, dict):
        return [*problems, "json_schema must be an object with 'name' and 'schema'"]
    if not isinstance(inner.get("name"), str) or not inner["name"]:
        problems.append("json_schema must contain 'name' field")
    if "schema" not in inner:
        return [*problems, "json_schema must contain 'schema' field"]
    if not isinstance(inner["schema"], dict):
        return [*problems, "Invalid JSON schema: it must be an object"]
    for problem in check_schema(inner["schema"]):
        problems.append(f"Invalid JSON schema: {problem}")
    return problems
