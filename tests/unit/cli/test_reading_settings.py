"""Settings from variables: lists in one form, and errors that name the variable."""

from __future__ import annotations

import os

import pytest

from docagent.cli.reading_settings import read_settings
from docagent.domain.errors import CannotStart
from docagent.settings import Settings
from tests.support.tables import table


def read(monkeypatch: pytest.MonkeyPatch, variable: str, text: str) -> Settings:
    with monkeypatch.context() as patched:
        patched.setenv(variable, text)
        return read_settings(os.environ)


@table("text", ["{}, {}", "{},{}", '["{}", "{}"]'])
@table(
    ("variable", "items"),
    [
        ("DOCAGENT_SERVER__TRUSTED_PROXIES", ("127.0.0.1", "10.0.0.0/8")),
        ("DOCAGENT_EGRESS__ALLOW_PRIVATE", ("wiki.intranet", "10.1.0.0/16")),
        ("DOCAGENT_MCP__TOOLS", ("review", "agent")),
    ],
)
def test_every_list_is_written_with_commas_or_as_json(
    monkeypatch: pytest.MonkeyPatch, variable: str, items: tuple[str, str], text: str
) -> None:
    found = read(monkeypatch, variable, text.replace("{}", "%s") % items)
    group, name = variable.removeprefix("DOCAGENT_").lower().split("__")
    assert getattr(getattr(found, group), name) == items


@table(
    ("variable", "text"),
    [
        ("DOCAGENT_SERVER__TRUSTED_PROXIES", "proxy.example.com"),
        ("DOCAGENT_EGRESS__ALLOW_PRIVATE", '["wiki.intranet"'),
        ("DOCAGENT_MCP__TOOLS", "extrct"),
        ("DOCAGENT_MCP__COMMANDS", "npx"),
        ("DOCAGENT_SERVER__PORT", "http"),
    ],
)
def test_an_error_names_the_variable(monkeypatch: pytest.MonkeyPatch, variable: str, text: str) -> None:
    monkeypatch.setenv("DOCAGENT_MCP__SECONDS", "20.5")
    monkeypatch.setenv("DOCAGENT_EGRESS__ALLOW_PRIVATE", "wiki.intranet")
    with pytest.raises(CannotStart, match=rf"^(The setting \S+ \()?{variable}\b"):
        read(monkeypatch, variable, text)
