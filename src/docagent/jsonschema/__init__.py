"""JSON Schema draft 7: checking schemas, checking values, and what each provider accepts of them."""

from docagent.domain.plain_schema import field_schema, resolved, types_of
from docagent.domain.problem import Problem
from docagent.jsonschema.profiles import Change, Profile, Profiled, from_profile, to_profile
from docagent.jsonschema.response_format import check_response_format
from docagent.jsonschema.strict import StrictReport, check_strict
from docagent.jsonschema.validate import InvalidSchema, SchemaValidator

__all__ = [
    "Change",
    "InvalidSchema",
    "Problem",
    "Profile",
    "Profiled",
    "SchemaValidator",
    "StrictReport",
    "check_response_format",
    "check_strict",
    "field_schema",
    "from_profile",
    "resolved",
    "to_profile",
    "types_of",
]
