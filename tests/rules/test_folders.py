"""Keeps folders small enough to find a file by looking, and pages about the source true."""

from __future__ import annotations

import os
import re
from collections import Counter
from functools import cache
from pathlib import Path

from tests.support.tables import table

ROOT = Path(__file__).parents[2]
MOST = 25


def test_no_folder_has_more_files_than_a_person_looks_through() -> None:
    files = [
        file
        for room in ("src/docagent", "tests")
        for file in (ROOT / room).rglob("*.py")
        if not {"versions", "node_modules"} & set(file.parts)
    ]
    counted = Counter(file.parent.relative_to(ROOT) for file in files if file.name != "__init__.py")
    assert {str(folder): n for folder, n in counted.items() if n > MOST} == {}, "make rooms by noun"


PAGES = sorted(str(page.relative_to(ROOT)) for page in (ROOT / "docs").rglob("*.md"))
OF_THE_SOURCE = ("ARCHITECTURE.md", "CONTRIBUTING.md", *(page for page in PAGES if "/decisions/" in page))
OF_THE_PRODUCT = ("README.md", "GLOSSARY.md", *(page for page in PAGES if "/decisions/" not in page))
_ROOMS = tuple(
    f"{one.name}/" for one in ROOT.iterdir() if one.is_dir() and one.name not in {"build", ".venv"}
)
_MADE = frozenset({"deploy/.env"})
"""What operators write, or commands do."""
_NAMED = re.compile(r"`((?:[\w.<>*-]*[a-z>*][\w.<>*-]*/)+[\w.<>*-]*|[\w-]+\.(?:py|md|toml|json))`")
_BUILT = frozenset({".git", ".venv", "__pycache__", "build", "dist", "node_modules"})


@table("page", OF_THE_SOURCE)
def test_every_path_on_a_page_about_the_source_exists(page: str) -> None:
    """A path may begin at any folder. A page that speaks of what was there before names it without a path."""
    missing = [name for name in _NAMED.findall((ROOT / page).read_text()) if not _exists(name)]
    assert missing == [], f"{page} names paths that do not exist"


@table("page", OF_THE_PRODUCT)
def test_every_path_of_the_repository_on_a_page_about_the_product_exists(page: str) -> None:
    """Other names with a slash are types of content, models, tools or files of the reader."""
    named = [one for one in _NAMED.findall((ROOT / page).read_text()) if one.startswith(_ROOMS)]
    missing = [name for name in named if name not in _MADE and not (ROOT / name).exists()]
    assert missing == [], f"{page} names paths that do not exist"


def test_a_path_that_does_not_exist_is_found() -> None:
    text = "`worker/jobs.py`, `worker/execution.py`, `jobs/`, `api/rest/<noun>/`, `03/04/20`, `a.b`, `nowhere.toml`"
    assert [name for name in _NAMED.findall(text) if not _exists(name)] == [
        "worker/jobs.py",
        "jobs/",
        "nowhere.toml",
    ]


def _exists(name: str) -> bool:
    wanted = re.escape(name.rstrip("/")).replace(r"\*\*/", "(?:.*/)?").replace(r"\*", "[^/]*")
    return re.search(rf"^(?:.*/)?{wanted.replace('<noun>', '[a-z]+')}$", _paths(), re.MULTILINE) is not None


@cache
def _paths() -> str:
    found = []
    for folder, folders, files in os.walk(ROOT):
        folders[:] = [one for one in folders if one not in _BUILT]
        found += [Path(folder, one).relative_to(ROOT).as_posix() for one in (*folders, *files)]
    return "\n".join(found)
