"""Builds the manual: every markdown page of the project as HTML in build/docs, with its links checked."""

from __future__ import annotations

import html
import re
import shutil
import sys
from pathlib import Path

from markdown_it import MarkdownIt

from docs.events_page import events_page
from docs.settings_page import settings_page
from docs.tools_page import PAGE as TOOLS_PAGE
from docs.tools_page import tools_page

ROOT = Path(__file__).parent.parent
TARGET = ROOT / "build" / "docs"
PAGES = ["README.md", "ARCHITECTURE.md", "GLOSSARY.md", "CHANGELOG.md", "CONTRIBUTING.md", "web/README.md"]
ASSETS = ["docs/images", "docs/openapi.json", "LICENSE"]
STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.6 system-ui, sans-serif; max-width: 76ch; margin: 2rem auto; padding: 0 1rem; }
nav { font-size: 14px; margin-bottom: 2rem; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
td, th { border-bottom: 1px solid #8884; padding: 4px 12px 4px 0; text-align: left; vertical-align: top; }
code, pre { font: 14px/1.5 ui-monospace, monospace; }
pre { background: #8881; padding: 12px; overflow-x: auto; }
img { max-width: 100%; border: 1px solid #8884; }
"""
_COMMENT = re.compile(r"^<!--.*-->\n", re.MULTILINE)
_LINK = re.compile(r'(?:href|src)="([^"#:]+)(?:#[^"]*)?"')


def main() -> int:
    shutil.rmtree(TARGET, ignore_errors=True)
    (ROOT / "docs" / "settings.md").write_text(settings_page())
    (ROOT / "docs" / "events.md").write_text(events_page())
    TOOLS_PAGE.write_text(tools_page(TOOLS_PAGE.read_text()))
    sources = [ROOT / page for page in PAGES] + sorted((ROOT / "docs").rglob("*.md"))
    for asset in ASSETS:
        _copy(ROOT / asset)
    for source in sources:
        _build(source)
    broken = [problem for source in sources for problem in _broken_links(source)]
    print(f"{len(sources)} pages in {TARGET.relative_to(ROOT)}")
    for problem in broken:
        print(problem, file=sys.stderr)
    return 1 if broken else 0


def _built(source: Path) -> Path:
    return TARGET / source.relative_to(ROOT).with_suffix(".html")


def _build(source: Path) -> None:
    text = _COMMENT.sub("", source.read_text())
    title = html.escape(text.splitlines()[0].lstrip("# "))
    body = MarkdownIt("commonmark", {"html": False}).enable("table").render(text)
    body = re.sub(r'href="([^":]+)\.md(#[^"]*)?"', r'href="\1.html\2"', body)
    up = "../" * (len(source.relative_to(ROOT).parts) - 1)
    home = f'<nav><a href="{up}README.html">docagent</a> / <a href="{up}docs/index.html">manual</a></nav>'
    target = _built(source)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f"<style>{STYLE}</style></head><body>{home}{body}</body></html>"
    )


def _copy(source: Path) -> None:
    target = TARGET / source.relative_to(ROOT)
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, target)
    else:
        shutil.copyfile(source, target)


def _broken_links(source: Path) -> list[str]:
    target = _built(source)
    return [
        f"{source.relative_to(ROOT)}: broken link to {link}"
        for link in _LINK.findall(target.read_text())
        if not (target.parent / link).exists()
    ]


if __name__ == "__main__":
    sys.exit(main())
