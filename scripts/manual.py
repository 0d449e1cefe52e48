"""Builds the manual as a site: `python -m scripts.manual [folder]`. It needs only what the product itself needs.

The pages are those of `docs/` and a few at the top of the project. The links in the tables of an index page are the
navigation, its headings the sections: a new page is one line there. Nothing in the site is fetched from elsewhere, and
no script or style stands inside a page, so that it works from a folder, and under the product's policy.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from os.path import relpath
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

ROOT = Path(__file__).parent.parent
TARGET = ROOT / "src" / "docagent" / "api" / "manual_dist"
LOOK = Path(__file__).parent / "manual_look"
"""Style and script of the site."""
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
_INDEX_ROW = re.compile(r"^\| \[([^]]+)\]\(([^)#]+\.md)\)", re.MULTILINE)
_ELSEWHERE = re.compile(r"[a-z]+:|/")
"""How links begin that lead out of the site, or to other addresses of the server."""
_MARKDOWN = MarkdownIt("commonmark").enable(["table", "strikethrough"])


@dataclass
class Page:
    source: Path
    place: str
    tokens: list[Token]
    anchors: dict[str, str] = field(default_factory=dict)
    """The headings of the page by their ids."""

    @property
    def address(self) -> str:
        return _address(self.place)

    @property
    def title(self) -> str:
        return next(iter(self.anchors.values()), self.place)


@dataclass(frozen=True)
class Section:
    """A heading of the navigation, and the pages below it by their places, with the words of their links."""

    name: str
    pages: dict[str, str]


def main() -> int:
    target = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else TARGET
    problems = build(target)
    print(
        "\n".join(problems) or f"The manual is in {target}: open index.html.",
        file=sys.stderr if problems else sys.stdout,
    )
    return 1 if problems else 0


def build(target: Path, root: Path = ROOT) -> list[str]:
    """Build the site in a folder. Returns what is wrong: broken links, images and anchors, pages in no navigation."""
    places = {source.resolve(): place for source, place in _places(root.resolve())}
    pages = {
        place: Page(source, place, _MARKDOWN.parse(source.read_text()))
        for source, place in places.items()
        if source.suffix == ".md"
    }
    for page in pages.values():
        _name_headings(page)
    problems = [problem for page in pages.values() for problem in _move_links(page, places, pages)]
    sections = {
        place: _sections(page, places) for place, page in pages.items() if Path(place).name == "index.md"
    }
    shown = {place for index in sections.values() for section in index for place in section.pages}
    problems += [f"{place}: in no index.md" for place in pages if place not in shown | set(sections)]
    shutil.rmtree(target, ignore_errors=True)
    for page in pages.values():
        _write(target / page.address, _html(page, sections))
    search = Page(root, "search.md", [], {"search": "Search"})
    results = '<h1 id="search">Search</h1><p id="search-status"></p><ul id="search-results"></ul>'
    _write(target / "search.html", _html(search, sections, results, ("search-index.js",)))
    index = [entry for page in pages.values() for entry in _entries(page)]
    _write(target / "search-index.js", f"const SEARCH = {json.dumps(index, ensure_ascii=False)};\n")
    for source, place in places.items():
        if source.suffix != ".md":
            _write(target / place, source.read_bytes())
    for file in (*LOOK.iterdir(), root / "web" / "public" / "icon.svg"):
        _write(target / "_static" / file.name, file.read_bytes())
    return problems


def _places(root: Path) -> Iterator[tuple[Path, str]]:
    """Every page, and every file that pages link to, with its place in the site."""
    docs = root / "docs"
    yield from ((root / source, place) for source, place in PROJECT_PAGES.items())
    for source in (*sorted(docs.rglob("*.md")), *docs.glob("*.json"), *docs.glob("images/*")):
        yield source, str(source.relative_to(docs))
    yield from ((source, f"deploy/{source.name}") for source in (root / "deploy").iterdir())


def _address(place: str) -> str:
    return place.removesuffix(".md") + ".html"


def _write(file: Path, content: str | bytes) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content.encode() if isinstance(content, str) else content)


def _name_headings(page: Page) -> None:
    """Give headings the ids that GitHub gives them, and columns a class for their alignment in place of a style."""
    for position, token in enumerate(page.tokens):
        if token.type == "heading_open":
            text = _text(page.tokens[position + 1])
            name = re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")
            same = re.compile(rf"{re.escape(name)}(-\d+)?")
            used = sum(same.fullmatch(known) is not None for known in page.anchors)
            anchor = f"{name}-{used}" if used else name
            page.anchors[anchor] = text
            token.attrSet("id", anchor)
        if style := token.attrs.pop("style", None):
            token.attrSet("class", str(style).removeprefix("text-align:"))


def _text(token: Token) -> str:
    """The words of a token, without their form."""
    if token.children is None:
        return token.content
    return "".join(" " if child.type == "softbreak" else _text(child) for child in token.children)


def _move_links(page: Page, places: dict[Path, str], pages: dict[str, Page]) -> Iterator[str]:
    """Let links and images lead to places in the site. Yields those that lead nowhere."""
    for token in (child for block in page.tokens for child in block.children or ()):
        name = {"link_open": "href", "image": "src"}.get(token.type)
        address = str(token.attrGet(name) or "") if name else ""
        if name is None or _ELSEWHERE.match(address):
            continue
        path, _, anchor = address.partition("#")
        source = (page.source.parent / path).resolve() if path else page.source.resolve()
        place = places.get(source / "index.md" if source.is_dir() else source)
        found = pages.get(place) if place else None
        if place is None or (anchor and (found is None or anchor not in found.anchors)):
            yield f"{page.place}: nothing is at {address}"
        elif path:
            goal = relpath(found.address if found else place, Path(page.place).parent)
            token.attrSet(name, f"{goal}#{anchor}" if anchor else goal)


def _sections(index: Page, places: dict[Path, str]) -> list[Section]:
    parts = re.split(r"^## (.+)$", index.source.read_text(), flags=re.MULTILINE)
    found = []
    for name, text in [("", parts[0]), *zip(parts[1::2], parts[2::2], strict=True)]:
        rows = {(index.source.parent / path).resolve(): title for title, path in _INDEX_ROW.findall(text)}
        listed = {places[source]: title for source, title in rows.items() if source in places}
        if listed:
            found.append(Section(name, listed))
    return found


def _entries(page: Page) -> Iterator[list[str]]:
    """What the search finds: each part of the page below a heading, as address, title and text."""
    anchor, words = "", list[str]()
    for token in [*page.tokens, Token("heading_open", "", 1)]:
        if token.type == "heading_open":
            if words:
                below = page.anchors.get(anchor, page.title)
                title = page.title if below == page.title else f"{page.title}: {below}"
                yield [f"{page.address}#{anchor}" if anchor else page.address, title, " ".join(words)]
            anchor, words = str(token.attrGet("id") or ""), []
        elif token.type in ("inline", "fence", "code_block"):
            words.append(_text(token))


def _html(
    page: Page, sections: dict[str, list[Section]], body: str | None = None, scripts: Sequence[str] = ()
) -> str:
    def to(place: str) -> str:
        return escape(relpath(place, Path(page.place).parent))

    if body is None:
        body = str(_MARKDOWN.renderer.render(page.tokens, _MARKDOWN.options, {}))
    icon, used = to("_static/icon.svg"), (*scripts, "_static/manual.js")
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(page.title)} · docagent</title>
<link rel="icon" href="{icon}">
<link rel="stylesheet" href="{to("_static/manual.css")}">
{"".join(f'<script src="{to(script)}" defer></script>' for script in used)}
</head>
<body>
<header>
<a class="home" href="{to("index.html")}">
<img src="{icon}" alt="" width="24" height="24">docagent<span>manual</span></a>
<form action="{to("search.html")}" role="search">
<input type="search" name="q" placeholder="Search" aria-label="Search">
</form>
<label class="menu" for="menu">Menu</label>
</header>
<input type="checkbox" id="menu" aria-label="Show the pages">
<nav aria-label="Pages">
{"".join(_navigation(page, sections, to))}
</nav>
<main>
<article>
{body}
</article>
</main>
</body>
</html>
"""


def _navigation(page: Page, sections: dict[str, list[Section]], to: Callable[[str], str]) -> Iterator[str]:
    """The pages of the first index; below the index of a folder, those of the folder while one of them is open."""

    def links(pages: dict[str, str]) -> Iterator[str]:
        for place, title in pages.items():
            current = ' aria-current="page"' if place == page.place else ""
            yield f'<li><a href="{to(_address(place))}"{current}>{escape(title)}</a>'
            if place in sections and Path(place).parent == Path(page.place).parent:
                yield f"<ul>{''.join(link for part in sections[place] for link in links(part.pages))}</ul>"
            yield "</li>"

    for section in sections["index.md"]:
        yield f"<h2>{escape(section.name)}</h2><ul>{''.join(links(section.pages))}</ul>"


if __name__ == "__main__":
    sys.exit(main())
