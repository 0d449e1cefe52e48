"""Programs written from the pages alone pass `mypy --strict`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.rules.sources import ROOT
from tests.support.made.manual import fenced

CLIENT = "docagent.client"


def test_programs_of_the_pages_are_typed(tmp_path: Path) -> None:
    programs = [(page, block) for page, block in fenced("python") if CLIENT in block]
    assert any("client.extract(" in block for page, block in programs if page.endswith("README.md"))
    for at, (_, block) in enumerate(programs):
        (tmp_path / f"page_{at}.py").write_text(block)
    command = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", "--config-file="]
    done = subprocess.run(
        [*command, *(str(file) for file in sorted(tmp_path.glob("*.py")))],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
