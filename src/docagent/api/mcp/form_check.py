"""Checks a form before it is stored, and says what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

_LAYOUT = frozenset({"panel", "fieldset", "columns", "well", "content", "htmlelement", "button"})


def check_form(form: Any) -> dict[str, Any]:
    """Whether the form can be stored and shown: `valid`, `errors`, `warnings`."""
    errors: list[str] = []
    warnings: list[str] = []
    if isinstance(form, dict) and isinstance(form.get("response_format"), dict):
        form = form["response_format"]
    if not isinstance(form, dict) or not isinstance(form.get("json_formio"), list):
        errors.append("A form is an object with json_formio, a list of components.")
        return {"valid": False, "errors": errors, "warnings": warnings}
    keys: set[str] = set()
    for place, component in _components(form["json_formio"], "json_formio"):
        _check_component(place, component, keys, errors, warnings)
    mapping = form.get("json_formio_mapping")
    if mapping is not None and not isinstance(mapping, dict):
        errors.append("json_formio_mapping is an object.")
    for key in mapping if isinstance(mapping, dict) else ():
        if key not in keys:
            warnings.append(f"json_formio_mapping.{key}: no component has this key.")
    return {"valid": not errors, "errors": errors, "warnings": warnings}


def _check_component(
    place: str, component: Any, keys: set[str], errors: list[str], warnings: list[str]
) -> None:
    if not isinstance(component, Mapping):
        errors.append(f"{place}: a component is an object.")
        return
    kind, key = component.get("type"), component.get("key")
    if not isinstance(kind, str):
        errors.append(f"{place}: the component has no type.")
    if kind in _LAYOUT:
        return
    if not isinstance(key, str) or not key:
        errors.append(f"{place}: what takes input needs a key.")
    elif key in keys:
        errors.append(f"{place}: the key {key} is there twice.")
    else:
        keys.add(key)
    if not component.get("label"):
        warnings.append(f"{place}: people see no label.")


def _components(found: Any, place: str) -> Iterator[tuple[str, Any]]:
    """Every component with its place, those inside others too."""
    for number, component in enumerate(found if isinstance(found, list) else ()):
        here = f"{place}[{number}]"
        yield here, component
        if not isinstance(component, Mapping):
            continue
        yield from _components(component.get("components"), f"{here}.components")
        for column, inner in enumerate(component.get("columns") or ()):
            if isinstance(inner, Mapping):
                yield from _components(inner.get("components"), f"{here}.columns[{column}].components")
