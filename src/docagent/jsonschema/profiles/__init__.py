"""Converts schemas to what each provider accepts, and replies back to the stored schema's form."""

from docagent.jsonschema.profiles.back import from_profile
from docagent.jsonschema.profiles.model import Change, Profile, Profiled
from docagent.jsonschema.profiles.transform import to_profile

__all__ = ["Change", "Profile", "Profiled", "from_profile", "to_profile"]
