"""What is imported when: libraries that are slow to import wait until they are wanted."""

from __future__ import annotations

import subprocess
import sys

from tests.support.tables import table


@table(
    ("module", "unwanted"),
    [
        (
            "docagent.cli.main",
            ("fastapi", "sqlalchemy", "aiohttp", "pydantic", "rich", "mcp", "docagent.settings"),
        ),
        ("docagent.cli.extraction.extract", ("fastapi", "sqlalchemy", "openpyxl", "docagent.builtin_model")),
        ("docagent.cli.turns.chat", ("fastapi", "sqlalchemy", "docagent.builtin_model")),
        ("docagent.cli.turns.mcp_bridge", ("fastapi", "sqlalchemy", "mcp")),
        ("docagent.cli.turns.mcp_embedded", ("fastapi", "sqlalchemy", "docagent.bootstrap")),
        ("docagent.cli.documents.upload", ("fastapi", "sqlalchemy", "docagent.builtin_model")),
        ("docagent.cli.operations.work", ("fastapi", "openpyxl", "asyncpg", "psycopg")),
        (
            "docagent.cli.operations.serve",
            (
                "openpyxl",
                "pypdfium2",
                "litellm",
                "mcp",
                "asyncpg",
                "numpy",
                "onnxruntime",
                "docagent.builtin_model.asked.concepts",
            ),
        ),
    ],
)
def test_slow_libraries_are_not_imported_before_they_are_wanted(
    module: str, unwanted: tuple[str, ...]
) -> None:
    program = f"import sys, {module}\nprint(*(name for name in {unwanted!r} if name in sys.modules))"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == ""
