"""The texts that strategies send, from files; an operator's folder may replace any of them."""

from __future__ import annotations

from pathlib import Path
from string import Template

from docagent.agent.context import PROMPTS


class Prompts:
    """Prompt files by name. `$name` in a file stands for a value. A `$` inside a value means nothing."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._texts: dict[str, str] = {}

    def text(self, name: str) -> str:
        if name not in self._texts:
            own = self._folder / f"{name}.md" if self._folder else None
            file = own if own is not None and own.is_file() else PROMPTS / f"{name}.md"
            self._texts[name] = file.read_text(encoding="utf-8").strip()
        return self._texts[name]

    def render(self, name: str, **values: object) -> str:
        return Template(self.text(name)).safe_substitute({key: str(value) for key, value in values.items()})
