"""The web client's packages are pinned and explained, and its files name no hosts and have no inline scripts."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any

from tests.support.tables import table

ROOT = Path(__file__).parents[2]
WEB = ROOT / "web"
SOURCES = [path for path in (WEB / "src").rglob("*.ts*") if path.name != "schema.d.ts"]
MAX_SAMPLE = 150_000
FLOORS = ("main.tsx", "test", "app", "features", "components", "lib", "messages")
ASIDE = ("prompts", "schemas")
"""Pages in `features/versioned` that share what lies beside them, and that nothing there knows."""


def package() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((WEB / "package.json").read_text())
    return found


def packages() -> dict[str, str]:
    found: dict[str, str] = package()["dependencies"] | package()["devDependencies"]
    return found


def test_every_version_is_exact() -> None:
    loose = {
        name: version for name, version in packages().items() if not re.fullmatch(r"\d+\.\d+\.\d+", version)
    }
    assert loose == {}


def test_the_lock_file_names_no_host_of_a_registry() -> None:
    assert '"resolved"' not in (WEB / "package-lock.json").read_text()
    assert "omit-lockfile-registry-resolved=true" in (WEB / ".npmrc").read_text()


def test_every_package_is_explained_and_no_explanation_is_left_over() -> None:
    page = (ROOT / "docs" / "dependencies.md").read_text().partition("## The web client")[2]
    explained = set(re.findall(r"`([@a-z0-9/.-]+)`", page)) - {"web/package.json"}
    assert explained == set(packages()) | set(package()["overrides"])


def test_no_module_imports_itself_by_a_detour() -> None:
    """Imports of types and lazy imports count too."""
    TopologicalSorter({path.resolve(): set(imported(path)) for path in SOURCES}).prepare()


def test_imports_go_down() -> None:
    found = [
        f"{place(path)} imports {place(target)}"
        for path in SOURCES
        for target in imported(path)
        if not goes_down(place(path).split("/"), place(target).split("/"))
    ]
    assert found == []


def place(path: Path) -> str:
    return path.resolve().relative_to(WEB / "src").as_posix()


def goes_down(path: list[str], target: list[str]) -> bool:
    """app > features > components > lib > messages. No feature imports another, nor a version's page its sibling."""
    if FLOORS.index(target[0]) < FLOORS.index(path[0]):
        return False
    if path[0] != "features" or target[0] != "features":
        return True
    if path[1] != target[1]:
        return False
    return path[1] != "versioned" or target[2] not in ASIDE or path[2] == target[2]


@table(
    ("path", "target"),
    [
        ("lib/dates.ts", "components/Button.tsx"),
        ("components/Button.tsx", "features/tags/TagsPage.tsx"),
        ("features/tags/TagsPage.tsx", "app/router.tsx"),
        ("features/tags/TagsPage.tsx", "features/sheets/Grid.tsx"),
        ("features/versioned/Versions.tsx", "features/versioned/prompts/PromptPage.tsx"),
        ("features/versioned/accuracy/Sets.tsx", "features/versioned/schemas/SchemaPage.tsx"),
        ("features/versioned/schemas/SchemaPage.tsx", "features/versioned/prompts/PromptPage.tsx"),
    ],
)
def test_imports_that_go_up_or_aside_are_found(path: str, target: str) -> None:
    assert not goes_down(path.split("/"), target.split("/"))


def imported(path: Path) -> Iterator[Path]:
    for name in re.findall(r'\b(?:from|import)[ (]*"((?:@|\.\.?)/[^"]+)"', path.read_text()):
        target = WEB / "src" / name[2:] if name.startswith("@") else path.parent / name
        for ending in (".ts", ".tsx"):
            if (found := target.with_name(target.name + ending).resolve()).exists():
                yield found


def test_sources_name_no_remote_address() -> None:
    """The allowed addresses are names of formats and schemas, this machine, and examples. Nothing is fetched there."""
    allowed = re.compile(r"https?://(www\.w3\.org|json-schema\.org|evil\.example|a\.example|\[|127\.0\.0\.1)")
    found = [
        f"{path.relative_to(WEB)}: {address}"
        for path in [*SOURCES, WEB / "index.html", *(WEB / "public").iterdir()]
        for address in re.findall(r"https?://[^\s\"'`)]+", path.read_text())
        if not allowed.match(address)
    ]
    assert found == []


def test_scripts_are_never_inline() -> None:
    page = (WEB / "index.html").read_text()
    assert re.findall(r"<script(?![^>]*\bsrc=)", page) == []
    assert re.findall(r"\son[a-z]+=|<style|\sstyle=", page) == []


def test_the_samples_are_small() -> None:
    folder = ROOT / "src" / "docagent" / "samples"
    sizes = {path.name: path.stat().st_size for path in folder.iterdir()}
    assert len(sizes) == 3
    assert max(sizes.values()) < MAX_SAMPLE


def test_the_drawn_icon_is_the_one_that_is_fetched() -> None:
    fetched = re.findall(r' d="([^"]+)"', (WEB / "public/icon.svg").read_text())
    drawn = (WEB / "src/components/Logo.tsx").read_text()
    assert fetched == re.findall(r' d="([^"]+)"', drawn)
    assert not [path for path in SOURCES if '"/icon.svg"' in path.read_text()]
