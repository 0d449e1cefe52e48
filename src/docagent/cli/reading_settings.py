"""Reads the settings, and says in words what is wrong with them."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path

from pydantic import ValidationError
from pydantic_core import ErrorDetails
from pydantic_settings import SettingsError

from docagent.domain.errors import CannotStart
from docagent.settings import Settings

CONFIG = "DOCAGENT_CONFIG"


def read_settings(environment: Mapping[str, str]) -> Settings:
    """The settings of the environment and the file. Raises CannotStart."""
    file = environment.get(CONFIG)
    if file and not Path(file).is_file():
        raise CannotStart(
            f"{CONFIG} names {file}, which is no file. Correct the path, or unset the variable."
        )
    try:
        return Settings()
    except ValidationError as error:
        raise CannotStart("\n".join(_sentence(problem) for problem in error.errors())) from error
    except SettingsError as error:
        raise CannotStart(
            f"A variable of the settings cannot be read: {error}. Write lists and tables as JSON."
        ) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise CannotStart(f"The settings file {file or 'docagent.toml'} cannot be read: {error}.") from error


def _sentence(problem: ErrorDetails) -> str:
    names = [str(part) for part in problem["loc"]]
    variable = "DOCAGENT_" + "__".join(names).upper()
    said = problem["msg"].removeprefix("Value error, ")
    return f"The setting {'.'.join(names)} ({variable}) cannot be used: {said}."
