"""Builds the manual as a site: `python -m scripts.site [folder]`. It needs the requirements of the group `docs` alone.

The pages are those of `docs/` and a few that stand at the top of the project. The links in the tables of an index page
are the navigation, its headings the sections: a new page is one line there. Nothing in the site is fetched from
elsewhere, and no script or style stands inside a page, so that it works from a folder, and under the product's policy.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import sys
import tempfile
from io import StringIO
from os.path import relpath
from pathlib import Path

from sphinx.application import Sphinx

ROOT = Path(__file__).parent.parent
TARGET = ROOT / "src" / "docagent" / "api" / "manual_dist"
PROJECT_PAGES = {
    "README.md": "project/readme.md",
    "ARCHITECTURE.md": "project/architecture.md",
    "GLOSSARY.md": "project/glossary.md",
    "CHANGELOG.md": "project/changelog.md",
    "CONTRIBUTING.md": "project/contributing.md",
    "web/README.md": "project/web-client.md",
    "training/README.md": "project/training.md",
    "LICENSE": "project/LICENSE",
}
"""Where the pages and files from outside `docs` are in the site."""
CONFIGURATION = {
    "project": "docagent",
    "html_title": "docagent",
    "html_theme": "furo",
    "extensions": ["myst_parser"],
    "myst_heading_anchors": 4,
    "html_static_path": ["_static"],
    "html_css_files": ["manual.css"],
    "html_favicon": "_static/icon.svg",
    "html_copy_source": False,
    "html_show_sourcelink": False,
    "html_show_sphinx": False,
    "html_show_copyright": False,
    "html_use_index": False,
    "highlight_language": "none",
    "suppress_warnings": ["misc.highlighting_failure"],
}
STYLE = """
body { --font-stack: system-ui, sans-serif; --font-stack--monospace: ui-monospace, monospace; }
article img { border: 1px solid var(--color-background-border); border-radius: 6px; }
article table { font-size: 0.875em; }
article th, article td { text-align: left; vertical-align: top; }
article table code { overflow-wrap: anywhere; }
"""
_LINK = re.compile(r"(\]\()([^)\s#:]+)((?:#[^)\s]*)?\))")
_CODE = re.compile(r"(^```.*?^```$|`[^`\n]+`)", re.MULTILINE | re.DOTALL)
_INDEX_ROW = re.compile(r"^\| \[[^]]+\]\(([^)]+)\.md\)", re.MULTILINE)
_STYLE_OF_ICONS = re.compile(r' style="(display|opacity): ([^";]+);?"')
_COLOUR = re.compile(r"\x1b\[[\d;]*m")
_INLINE = re.compile(r"<(script|style)(?: type=\"text/javascript\")?>(.*?)</\1>", re.DOTALL)


def main() -> int:
    target = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else TARGET
    problems = build(target)
    print(
        problems or f"The manual is in {target}: open index.html.",
        file=sys.stderr if problems else sys.stdout,
    )
    return 1 if problems else 0


def build(target: Path) -> str:
    """Build the site in a folder, and return what is wrong with its pages: broken links, pages in no navigation."""
    problems = StringIO()
    with tempfile.TemporaryDirectory() as temporary:
        sources, made = Path(temporary) / "sources", Path(temporary) / "made"
        _gather(sources)
        Sphinx(
            sources,
            None,
            made,
            Path(temporary) / "trees",
            "html",
            CONFIGURATION,
            status=None,
            warning=problems,
        ).build()
        _move_inline_parts_to_files(made)
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(made, target, ignore=shutil.ignore_patterns(".buildinfo*", "objects.inv"))
    return _COLOUR.sub("", problems.getvalue()).replace(f"{sources}/", "")


def pages() -> dict[Path, str]:
    """The place in the site of every page and of every file that pages link to."""
    places = {ROOT / source: place for source, place in PROJECT_PAGES.items()}
    docs = ROOT / "docs"
    linked = [*docs.rglob("*.md"), *docs.glob("*.json"), *docs.glob("images/*")]
    places |= {source: str(source.relative_to(docs)) for source in linked}
    places |= {source: f"deploy/{source.name}" for source in (ROOT / "deploy").iterdir()}
    return places


def _gather(folder: Path) -> None:
    """Copy the pages into one folder, with links that fit their new places and a navigation on each index page."""
    places = pages()
    for source, place in places.items():
        copy = folder / place
        copy.parent.mkdir(parents=True, exist_ok=True)
        if source.suffix == ".md":
            text = _moved_links(source, places)
            copy.write_text(text + (_navigation(text) if source.name == "index.md" else ""))
        else:
            shutil.copyfile(source, copy)
    static = folder / "_static"
    static.mkdir()
    (static / "manual.css").write_text(STYLE)
    shutil.copyfile(ROOT / "web" / "public" / "icon.svg", static / "icon.svg")


def _moved_links(page: Path, places: dict[Path, str]) -> str:
    def moved(link: re.Match[str]) -> str:
        source = (page.parent / link[2]).resolve()
        place = places.get(source / "index.md" if source.is_dir() else source)
        return link[0] if place is None else link[1] + relpath(place, Path(places[page]).parent) + link[3]

    parts = _CODE.split(page.read_text())
    return "".join(part if _CODE.fullmatch(part) else _LINK.sub(moved, part) for part in parts)


def _navigation(index: str) -> str:
    """The links in the tables of an index page as Sphinx wants to have them, a section for each heading."""
    sections = re.split(r"^## (.+)$", index, flags=re.MULTILINE)
    named = [("", sections[0]), *zip(sections[1::2], sections[2::2], strict=True)]
    return "".join(
        "\n```{toctree}\n:hidden:\n"
        + (f":caption: {name}\n" if name else "")
        + "\n"
        + "\n".join(found)
        + "\n```\n"
        for name, text in named
        if (found := _INDEX_ROW.findall(text))
    )


def _move_inline_parts_to_files(site: Path) -> None:
    """Give scripts and styles that stand inside pages files of their own: the product's policy runs no others."""
    for page in site.rglob("*.html"):

        def moved(part: re.Match[str], page: Path = page) -> str:
            kind, text = part[1], part[2].strip()
            ending = "js" if kind == "script" else "css"
            file = site / "_static" / f"{hashlib.sha256(text.encode()).hexdigest()[:12]}.{ending}"
            file.write_text(text)
            address = relpath(file, page.parent)
            return (
                f'<script src="{address}"></script>'
                if kind == "script"
                else f'<link rel="stylesheet" href="{address}">'
            )

        page.write_text(_STYLE_OF_ICONS.sub(r' \1="\2"', _INLINE.sub(moved, page.read_text())))


if __name__ == "__main__":
    sys.exit(main())
