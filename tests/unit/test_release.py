"""One command sets the version everywhere and drafts the changelog."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from scripts.release import CHANGELOG, PLACES, Refused, present_version, release

from docagent import __version__
from tests.rules.sources import ROOT


def commit(folder: Path, subject: str) -> None:
    identity = ["-c", "user.name=Somebody", "-c", "user.email=somebody@example.com"]
    for command in (
        ["add", "--all"],
        [*identity, "commit", "--quiet", "--allow-empty", "--message", subject],
    ):
        subprocess.run(["git", "-C", folder, *command], check=True)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """The files that carry the version, with two commits since it was set."""
    for place in (*PLACES, CHANGELOG):
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / place).write_text((ROOT / place).read_text())
    subprocess.run(["git", "init", "--quiet", tmp_path], check=True)
    commit(tmp_path, "version: the present one")
    for subject in ("web: a new page", "store: one query less"):
        commit(tmp_path, subject)
    return tmp_path


def test_the_version_stands_everywhere_and_the_changelog_is_drafted(tree: Path) -> None:
    assert present_version(tree) == __version__
    before = {place: (tree / place).read_text() for place in PLACES}
    release(tree, "99.0.0")
    assert present_version(tree) == "99.0.0"
    for place, (_, times) in PLACES.items():
        assert (tree / place).read_text().count("99.0.0") == times
        assert (tree / place).read_text().replace("99.0.0", __version__) == before[place]
    draft, _ = (tree / CHANGELOG).read_text().split(f"## {__version__}\n", 1)
    assert draft.endswith("## 99.0.0\n\n- store: one query less\n- web: a new page\n\n")


@pytest.mark.parametrize(
    ("version", "told"), [("1.2", "three numbers"), ("", "three numbers"), ("0.0.1", "higher")]
)
def test_a_version_that_cannot_be_next_changes_nothing(tree: Path, version: str, told: str) -> None:
    before = {place: (tree / place).read_text() for place in (*PLACES, CHANGELOG)}
    with pytest.raises(Refused, match=told):
        release(tree, version)
    assert {place: (tree / place).read_text() for place in before} == before


def test_a_place_that_disagrees_is_named(tree: Path) -> None:
    (tree / "web/package.json").write_text("{}")
    with pytest.raises(Refused, match=r"web/package\.json"):
        release(tree, "99.0.0")
    assert present_version(tree) == __version__
