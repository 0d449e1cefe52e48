"""Reads the settings, and says in words what is wrong with them."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import get_origin

from pydantic import ValidationError
from pydantic_core import ErrorDetails
from pydantic_settings import SettingsError

from docagent.domain.errors import CannotStart
from docagent.settings import Settings

CONFIG = "DOCAGENT_CONFIG"
_QUOTED = re.compile(r'"(\w+)"')


def read_settings(environment: Mapping[str, str]) -> Settings:
    """The settings of the environment and the file. Raises CannotStart."""
    file = environment.get(CONFIG)
    if file and not Path(file).is_file():
        raise CannotStart(
            f"{CONFIG} names {file}, which is not a file. Correct the path, or unset the variable."
        )
    try:
        return Settings()
    except ValidationError as error:
        raise CannotStart("\n".join(_sentence(problem) for problem in error.errors())) from error
    except SettingsError as error:
        raise CannotStart(_not_json(str(error), environment)) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise CannotStart(f"The settings file {file or 'docagent.toml'} cannot be read: {error}.") from error


def _not_json(said: str, environment: Mapping[str, str]) -> str:
    """Name the variable of a table in the group that an error is about: nothing else must be JSON."""
    group = (_QUOTED.findall(said) or [""])[0]
    fields = getattr(Settings.model_fields[group].annotation, "model_fields", {}) if group else {}
    tables = [
        f"DOCAGENT_{group}__{name}".upper()
        for name, field in fields.items()
        if get_origin(field.annotation) is dict
    ]
    names = [name for name in environment if name.upper() in tables]
    return f"{' or '.join(names) or 'A variable of the settings'} cannot be read. Write tables as JSON."


def _sentence(problem: ErrorDetails) -> str:
    names = [part for part in problem["loc"] if isinstance(part, str)]
    variable = "DOCAGENT_" + "__".join(names).upper()
    said = problem["msg"].removeprefix("Value error, ")
    return f"The setting {'.'.join(names)} ({variable}) cannot be used: {said}."
