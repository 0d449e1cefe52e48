"""The pages of the manual agree with the code."""

from __future__ import annotations

import json
import re
import tomllib
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel
from scripts.client_models import TARGET, client_models
from scripts.client_sync import TARGET as SYNCHRONOUS
from scripts.client_sync import synchronous_modules
from scripts.mcp_shapes import SHAPES, mcp_shapes
from scripts.settings_page import settings_page

from docagent import __version__
from docagent.api.app import openapi_document
from docagent.domain.jobs import JobKind
from docagent.settings import Settings
from tests.rules.sources import ROOT
from tests.support.tables import table

DOCS = ROOT / "docs"
PAGES = {path.name: path.read_text() for path in DOCS.glob("*.md")}


def test_the_page_of_settings_is_up_to_date() -> None:
    written = PAGES["settings.md"]
    assert written == settings_page(), "run: .venv/bin/python -m scripts.settings_page > docs/settings.md"


def test_lists_are_written_as_the_page_of_settings_shows(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (lines,) = re.findall(r"```sh\n(.*?)```", PAGES["settings.md"], re.DOTALL)
    with monkeypatch.context() as environment:
        for name, value in re.findall(r"^(\w+)='?(.*?)'?$", lines, re.MULTILINE):
            environment.setenv(name, value)
        by_environment = Settings()
    tables = re.findall(r"```toml\n(.*?)```", PAGES["settings.md"], re.DOTALL)
    (tmp_path / "docagent.toml").write_text(tables[-1])
    monkeypatch.setenv("DOCAGENT_CONFIG", str(tmp_path / "docagent.toml"))
    assert by_environment.egress.allow_private == Settings().egress.allow_private != ()
    assert by_environment.mcp.commands == Settings().mcp.commands != {}


def test_every_setting_has_a_description_and_is_on_the_page() -> None:
    check_settings(Settings, "")


def check_settings(group: type[BaseModel], prefix: str) -> None:
    """Check all settings of a group, and those of the groups inside it."""
    assert group.__doc__
    for key, field in group.model_fields.items():
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            check_settings(kind, f"{prefix}{key}.")
        else:
            assert field.description, f"{prefix}{key} has no description"
            assert f"| `{prefix}{key}` |" in PAGES["settings.md"]


PUBLIC = ("docagent.agent", "docagent.client", "docagent.models", "docagent.testing", "docagent.tools")


def test_pages_import_only_what_programs_may_import() -> None:
    shown = {
        (page, module)
        for page, text in PAGES.items()
        for block in re.findall(r"```python\n(.*?)```", text, re.DOTALL)
        for module in re.findall(r"^(?:from|import) (docagent[\w.]*)", block, re.MULTILINE)
    }
    assert {"embedding.md", "strategies.md", "clients.md"} <= {page for page, _ in shown}
    types_of_the_client = {"docagent.client.events", "docagent.client.models"}
    assert {module for _, module in shown} <= {*PUBLIC, *types_of_the_client}


@table("name", ["docagent.agent", "docagent.models", "docagent.testing", "docagent.tools"])
def test_every_name_that_programs_may_import_is_on_a_page(name: str) -> None:
    named = ("embedding.md", "strategies.md", "plugin-providers.md", "plugin-tools.md")
    pages = "".join(PAGES[page] for page in named)
    assert not [public for public in import_module(name).__all__ if not re.search(rf"\b{public}\b", pages)]


def test_the_description_of_the_api_is_up_to_date(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCAGENT_WORKER__EMBEDDED", "perhaps")  # no part of the description
    written = json.loads((DOCS / "openapi.json").read_text())
    assert written == json.loads(json.dumps(openapi_document())), "run: make openapi"


def test_the_schemas_of_the_mcp_tools_are_up_to_date() -> None:
    assert SHAPES.read_bytes() == mcp_shapes(openapi_document()), "run: make openapi"


def test_the_newest_entry_of_the_changelog_is_this_version() -> None:
    versions = re.findall(r"^## \[?v?(\d+\.\d+\.\d+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert versions[0] == __version__


def test_the_package_has_one_version() -> None:
    assert project()["version"] == __version__


@table("kind", list(JobKind))
def test_every_kind_of_job_is_in_the_manual(kind: JobKind) -> None:
    assert any(f"`{kind.value}`" in page for page in PAGES.values()), (
        f"no page under docs names `{kind.value}`"
    )


def test_every_dependency_has_its_line_and_no_line_is_left_over() -> None:
    lines = re.findall(r"^\| ([a-z0-9-]+) \|", PAGES["dependencies.md"], re.MULTILINE)
    assert lines.pop(0) == "library"
    wanted = [
        re.split(r"[\[<>=!~; ]", requirement, maxsplit=1)[0] for requirement in project()["dependencies"]
    ]
    assert sorted(lines) == sorted(wanted)


def project() -> dict[str, Any]:
    found: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return found


def test_the_client_is_made_from_the_description_of_the_api() -> None:
    description = json.loads((DOCS / "openapi.json").read_text())
    assert TARGET.read_text() == client_models(description), "run: make client"
    written = {file.name: file.read_text() for file in SYNCHRONOUS.glob("*.py")}
    assert written == synchronous_modules(), "run: make client"


def test_every_shape_of_the_api_has_a_name_of_its_own() -> None:
    shapes = json.loads((DOCS / "openapi.json").read_text())["components"]["schemas"]
    assert [name for name in shapes if "__" in name] == []
