"""The manual as a site: whole, up to date with the code, and without anything from elsewhere."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from scripts import api_page, commands_page, errors_page, events_page, manual
from scripts.tools_page import EVERY_TOOL

from docagent.domain.turns import events
from docagent.settings import Settings
from tests.rules.sources import ROOT
from tests.support.made.manual import PAGES, Command, commands
from tests.support.tables import table

OUTSIDE = re.compile(
    r"""(?:<(?:script|link|img|iframe)[^>]+(?:src|href)=|url\(|@import )["']?(?:https?:)?//"""
)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("manual")
    done = subprocess.run(
        [sys.executable, "-m", "scripts.manual", folder],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"a link is broken, or a page has no line in an index.md:\n{done.stderr}"
    return folder


def text_of(built: Path) -> Iterator[tuple[Path, str]]:
    yield from ((page, page.read_text()) for page in built.rglob("*.html"))


def test_every_page_is_in_the_navigation() -> None:
    for index in (ROOT / "docs").rglob("index.md"):
        beside = [page for page in index.parent.rglob("*.md") if page != index]
        nearest = [page for page in beside if not _has_nearer_index(page, index)]
        missing = [
            name
            for page in nearest
            if f"({(name := str(page.relative_to(index.parent)))})" not in index.read_text()
        ]
        assert missing == [], f"{index.relative_to(ROOT)} has no line for them"


def _has_nearer_index(page: Path, index: Path) -> bool:
    return page.parent != index.parent and page.name != "index.md" and (page.parent / "index.md").is_file()


def test_pages_that_are_made_from_the_code_are_up_to_date() -> None:
    made = {
        "api.md": api_page.api_page(),
        "commands.md": commands_page.commands_page(),
        "errors.md": errors_page.errors_page(),
        "events.md": events_page.events_page(),
    }
    assert [name for name, text in made.items() if PAGES[f"docs/{name}"] != text] == [], "run: make docs"


def test_everything_of_the_product_is_in_the_site(built: Path) -> None:
    def shown(page: str) -> set[str]:
        return {unescape(found) for found in re.findall(r"<code>([^<]+)</code>", text(page))}

    def text(page: str) -> str:
        return re.sub(r"<h2 id=[^>]*>", "<h2>", (built / f"{page}.html").read_text())

    assert set(variables(Settings)) <= shown("settings")
    assert {tool.name for tool in EVERY_TOOL} <= shown("tools")
    assert errors_page.error_codes() <= shown("errors")
    for cls in events.Event.__args__:
        assert f"<h2>{cls.type.value}<" in text("events")
    for name, command in commands_page.commands():
        assert f"<h2>{name}<" in text("commands")
        assert {option for given in command.params for option in given.opts if option[0] == "-"} <= shown(
            "commands"
        )


def variables(group: Any, prefix: str = "DOCAGENT_") -> Iterator[str]:
    """The environment variable of every setting."""
    for name, field in group.model_fields.items():
        if hasattr(field.annotation, "model_fields"):
            yield from variables(field.annotation, f"{prefix}{name.upper()}__")
        else:
            yield prefix + name.upper()


def test_pages_need_nothing_from_elsewhere_and_have_no_scripts_or_styles_inside(built: Path) -> None:
    for page, text in text_of(built):
        assert OUTSIDE.findall(text) == [], page
        assert re.findall(r"<style|<script(?![^>]* src=)|<[^>]+ style=|<[^>]+ on\w+=", text) == [], page
    for style in built.rglob("*.css"):
        assert OUTSIDE.findall(style.read_text()) == [], style


def test_the_index_of_the_search_is_a_script_so_that_it_works_from_a_folder(built: Path) -> None:
    assert (built / "search-index.js").read_text().startswith("const SEARCH = [[")
    assert 'src="search-index.js"' in (built / "search.html").read_text()


def test_a_link_an_image_or_an_anchor_that_leads_nowhere_is_found(tmp_path: Path) -> None:
    """Each is reported with its page, and so is a page that no index names."""
    source = tmp_path / "project"
    for name in ("docs", "deploy", "web/public", "training"):
        (source / name).mkdir(parents=True)
    for name in manual.PROJECT_PAGES:
        (source / name).write_text("# A page\n")
    (source / "web" / "public" / "icon.svg").write_text("<svg/>")
    rows = "".join(f"| [{name}](../{name}) | |\n" for name in manual.PROJECT_PAGES if name.endswith(".md"))
    (source / "docs" / "index.md").write_text(f"# Index\n\n## All\n\n| page | for |\n|---|---|\n{rows}")
    wrong = "[a](nowhere.md) ![b](images/none.png) [c](index.md#not-there) [d](index.md#all) [e](/docs)"
    (source / "docs" / "lost.md").write_text(f"# Lost\n\n{wrong}\n")
    assert manual.build(tmp_path / "built", source) == [
        "lost.md: nothing is at nowhere.md",
        "lost.md: nothing is at images/none.png",
        "lost.md: nothing is at index.md#not-there",
        "lost.md: in no index.md",
    ]


def test_variables_that_pages_and_files_name_are_settings_or_of_commands() -> None:
    known = {
        *variables(Settings),
        "DOCAGENT_CONFIG",
        "DOCAGENT_KILL_POINT",
        "DOCAGENT_SECRET",
        *(
            name
            for _, command in commands_page.commands()
            for given in command.params
            for name in commands_page.variables(given)
        ),
    }
    deploy = {str(file.relative_to(ROOT)): file.read_text() for file in (ROOT / "deploy").iterdir()}
    for name, text in (PAGES | deploy).items():
        named = {found for found in re.findall(r"\bDOCAGENT_[A-Z_]+\b", text) if not found.endswith("_")}
        assert named <= known, name


@table("command", commands("docagent"))
def test_commands_on_pages_are_understood(command: Command) -> None:
    name, rest = "docagent", [*command.words[1:]]
    known = dict(commands_page.commands())
    while name not in known and rest:
        name = f"{name} {rest.pop(0)}"
    assert name in known, f"there is no such command: {command}"
    parser = known[name]
    if command.page == "docs/commands.md":
        return
    context = parser.make_context(name, [], resilient_parsing=True)
    context.resilient_parsing = False
    given, _, _ = parser.make_parser(context).parse_args(rest)
    needed = {param.name for param in parser.params if param.required and not getattr(param, "prompt", None)}
    assert needed <= {key for key, value in given.items() if value}


@table("command", commands("make"))
def test_targets_of_make_on_pages_exist(command: Command) -> None:
    makefile = (ROOT / "Makefile").read_text()
    targets = [word for word in command.words[1:] if "=" not in word]
    assert [target for target in targets if f"\n{target}:" not in makefile] == []


def test_inline_commands_exist() -> None:
    known = {name.split()[1] for name, _ in commands_page.commands()}
    for page, text in PAGES.items():
        named = set(re.findall(r"`docagent\s([a-z][a-z-]*)", text))
        assert named <= known, page
