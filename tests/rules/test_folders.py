"""Keeps folders small enough to find a file by looking."""

from collections import Counter
from pathlib import Path

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
