"""Schemas as the providers accept them, and replies brought back into the stored schema's form."""

from docagent.domain.jsonschema.profiles.back import from_profile
from docagent.domain.jsonschema.profiles.model import Change, Profile, Profiled
from docagent.domain.jsonschema.profiles.transform import to_profile

__all__ = ["Change", "Profile", "Profiled", "from_profile", "to_profile"]
