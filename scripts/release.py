"""Gives the tree its next version, and the changelog a draft of what is new: `make release VERSION=0.4.0`.

The draft is the subjects of all commits since the present version was set. Somebody who knows the users rewrites it.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
PLACES = {
    "pyproject.toml": (r'^version = "{}"$', 1),
    "src/docagent/__init__.py": (r'^__version__ = "{}"$', 1),
    "web/package.json": (r'^  "version": "{}",$', 1),
    "web/package-lock.json": (r'^ {{2,6}}"version": "{}",$', 2),
}
"""Where the version stands: the line, and how many of its kind from the top."""
CHANGELOG = "CHANGELOG.md"
NEWEST = re.compile(r"^## (\d+\.\d+\.\d+)$", re.MULTILINE)


class Refused(Exception):
    """The version cannot be set. The message says why."""


def release(root: Path, version: str) -> None:
    present = present_version(root)
    if not re.fullmatch(r"\d+\.\d+\.\d+", version):
        raise Refused(f"{version!r} is no version. Write three numbers, such as 1.2.0.")
    if _numbers(version) <= _numbers(present):
        raise Refused(f"The version is {present} already. Choose a higher one.")
    written = {place: _with_version(root, place, present, version) for place in PLACES}
    written[CHANGELOG] = _with_draft(root, present, version)
    for place, text in written.items():
        (root / place).write_text(text)


def present_version(root: Path) -> str:
    found = NEWEST.search((root / CHANGELOG).read_text())
    if found is None:
        raise Refused(f"{CHANGELOG} names no version.")
    return found[1]


def _with_version(root: Path, place: str, present: str, version: str) -> str:
    pattern, times = PLACES[place]
    line = re.compile(pattern.format(re.escape(present)), re.MULTILINE)
    text, changed = line.subn(
        lambda found: found[0].replace(present, version), (root / place).read_text(), times
    )
    if changed != times:
        raise Refused(f"{place} does not say that the version is {present}.")
    return text


def _with_draft(root: Path, present: str, version: str) -> str:
    text = (root / CHANGELOG).read_text()
    draft = "\n".join(f"- {subject}" for subject in _subjects_since(root, present))
    start = text.index(f"## {present}\n")
    return f"{text[:start]}## {version}\n\n{draft}\n\n{text[start:]}"


def _subjects_since(root: Path, version: str) -> list[str]:
    set_by = _git(root, "log", "--format=%H", "--reverse", f"-S## {version}\n", "--", CHANGELOG)
    if not set_by:
        return []
    return _git(root, "log", "--format=%s", "--no-merges", f"{set_by[0]}..HEAD")


def _git(root: Path, *arguments: str) -> list[str]:
    done = subprocess.run(["git", "-C", root, *arguments], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


if __name__ == "__main__":
    try:
        release(ROOT, sys.argv[1] if len(sys.argv) > 1 else "")
    except Refused as refused:
        sys.exit(str(refused))
