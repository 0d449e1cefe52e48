"""Checks a value in a process of its own, which the operating system ends when its processor time is used up.

The validator is one call that nothing can interrupt, and no other thread of Python runs while it works.
"""

from __future__ import annotations

import json
import marshal
import os
import resource
import subprocess
import sys
from typing import Any, cast

from docagent.domain.field_path import ROOT, FieldPath
from docagent.domain.problem import Problem

_PROCESSOR_SECONDS = 3
_SECONDS = 60
"""By the clock, on a busy machine."""
_MEMORY_BYTES = 2 * 1024**3
_LOWER_PRIORITY = 10
OVER_BUDGET = (
    f"This value could not be checked within {_PROCESSOR_SECONDS} seconds of processor time; "
    "use simpler patterns and fewer branches in the schema, or check less at once"
)


def in_process(schema: object, options: dict[str, object], instance: object) -> list[Problem]:
    """Return everything that is wrong with a value; one problem if the check goes over its budget."""
    try:
        done = subprocess.run(
            [sys.executable, "-c", "from docagent.jsonschema.validate import check_for_parent as f; f()"],
            input=marshal.dumps(cast("Any", (schema, options, instance))),
            capture_output=True,
            timeout=_SECONDS,
            check=True,
        )
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
        return [Problem(ROOT, OVER_BUDGET)]
    return [Problem(FieldPath(path), *rest) for path, *rest in json.loads(done.stdout)]


def bind_this_process() -> None:
    """Set the operating system's limits for this process."""
    os.nice(_LOWER_PRIORITY)
    for kind, bound in (
        (resource.RLIMIT_CPU, _PROCESSOR_SECONDS),
        (resource.RLIMIT_AS, _MEMORY_BYTES),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(kind, (bound, bound))
