"""What a machine lacks is said in one line, before anything is set up."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts" / "needs.sh"


def needs(python: str | Path) -> tuple[int, str]:
    done = subprocess.run([SCRIPT, str(python)], capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


@pytest.fixture
def fake_python(tmp_path: Path) -> Path:
    """Answers like the Python whose version stands beside it; one with `x` in it makes no environments."""
    fake = tmp_path / "python3"
    fake.write_text(
        f"""#!{sys.executable}
import sys, pathlib
version = pathlib.Path(__file__).with_name("version").read_text()
if sys.argv[1] == "-V":
    print("Python", version)
elif "version_info" in sys.argv[2]:
    sys.exit(version.strip("x").split(".")[1] not in ("11", "12", "13"))
else:
    sys.exit("x" in version)
"""
    )
    fake.chmod(0o755)
    return fake


def test_a_python_that_fits_is_not_talked_about() -> None:
    assert needs(sys.executable) == (0, "")


def test_no_python_at_all() -> None:
    code, said = needs("no-such-python")
    assert code == 1
    assert said.startswith("docagent needs Python 3.11, 3.12 or 3.13, and there is no no-such-python here.")
    assert said.count("\n") == 1


@pytest.mark.parametrize("version", ["3.9.18", "3.10.13", "3.14.0"])
def test_a_python_that_does_not_fit_is_named(fake_python: Path, version: str) -> None:
    fake_python.with_name("version").write_text(version)
    code, said = needs(fake_python)
    assert (code, said.count("\n")) == (1, 1)
    assert f"{fake_python} is Python {version}" in said


def test_a_python_without_venv_says_what_to_install(fake_python: Path) -> None:
    fake_python.with_name("version").write_text("3.12.1x")
    assert needs(fake_python) == (
        1,
        f"{fake_python} cannot make environments. On Debian and Ubuntu: apt install python3-venv\n",
    )
