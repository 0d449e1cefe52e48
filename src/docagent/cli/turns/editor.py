"""The person's own editor."""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile
from pathlib import Path

from docagent.domain.errors import InvalidInput

USUAL = "vi"


def edited(text: str, ending: str) -> str:
    """The text as it is when the editor of VISUAL or EDITOR is closed."""
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or USUAL
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"docagent{ending}"
        file.write_text(text)
        try:
            subprocess.run([*shlex.split(editor), str(file)], check=True)
        except (OSError, ValueError, subprocess.CalledProcessError) as error:
            raise InvalidInput(
                f"The editor {editor} did not work: {error}. Set EDITOR to another one."
            ) from error
        return file.read_text()
