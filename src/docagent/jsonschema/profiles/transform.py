"""Makes the schema that a provider accepts. The stored schema itself stays as it is."""

from __future__ import annotations

from docagent.jsonschema.keywords import JsonObject
from docagent.jsonschema.problems import Path
from docagent.jsonschema.profiles.convert import Converter
from docagent.jsonschema.profiles.finish import map_children, respect_limits, take_marks
from docagent.jsonschema.profiles.model import Profile, Profiled
from docagent.jsonschema.profiles.rules import RULES
from docagent.jsonschema.profiles.shapes import closed_object
from docagent.jsonschema.profiles.simplify import Report
from docagent.jsonschema.references import References
from docagent.jsonschema.validate import check_form

WRAPPED = "value"
_ROOT_DEFINITION = "root"


def to_profile(schema: object, profile: Profile) -> Profiled:
    """Return a schema that the provider accepts, and every change. Raises InvalidSchema if it is not a schema."""
    check_form(schema)
    rules = RULES[profile]
    report = Report(rules.provider)
    converter = Converter(schema, References(schema), rules, report)
    root = converter.convert_root()
    definitions = converter.definitions
    wrapped = rules.object_root and root.get("type") != "object"
    if wrapped:
        report.unsupported((), f"the root became the property {WRAPPED!r} of an object", lossy=False)
        root, definitions = _wrap(root, definitions)
    if definitions:
        root = {**root, "$defs": definitions}
    sent, marks = take_marks(root)
    respect_limits(sent, marks, rules, report)
    return Profiled(profile, sent, report.changes, wrapped, marks)


def _wrap(root: JsonObject, definitions: dict[str, JsonObject]) -> tuple[JsonObject, dict[str, JsonObject]]:
    """Put the root below a property. References to the root now point to a definition."""
    name = _ROOT_DEFINITION
    while name in definitions:
        name += "_"
    found = False

    def redirect(node: JsonObject, path: Path) -> JsonObject:
        nonlocal found
        if node.get("$ref") == "#":
            found = True
            return {"$ref": f"#/$defs/{name}"}
        return map_children(node, path, redirect)

    redirected = redirect(root, ())
    definitions = {key: redirect(definition, ()) for key, definition in definitions.items()}
    if not found:
        return closed_object({WRAPPED: root}), definitions
    return closed_object({WRAPPED: {"$ref": f"#/$defs/{name}"}}), {**definitions, name: redirected}
