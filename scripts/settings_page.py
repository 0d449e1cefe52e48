"""Writes the page of settings from the code: `python -m scripts.settings_page > docs/settings.md`."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel, SecretStr
from pydantic.fields import FieldInfo

from docagent.settings import Settings

HEADING = """# Settings

Every setting has a default that works. A setting is changed by an environment variable, or in a TOML file:
`docagent.toml` in the working folder, or the file that `DOCAGENT_CONFIG` names. The environment wins.

```toml
[server]
port = 9000
```

says the same as `DOCAGENT_SERVER__PORT=9000`. This page is made from the code by `make docs`.

In the environment, lists (their default is `[]`) are written with commas or as JSON, and tables (`{}`) as JSON:

```sh
DOCAGENT_EGRESS__ALLOW_PRIVATE=wiki.intranet,10.1.0.0/16
DOCAGENT_MCP__COMMANDS='{"files": ["npx", "server-files", "/srv"]}'
```

and like this in TOML:

```toml
[egress]
allow_private = ["wiki.intranet", "10.1.0.0/16"]

[mcp.commands]
files = ["npx", "server-files", "/srv"]
```
"""


def settings_page() -> str:
    """Return the whole page as markdown."""
    parts = [HEADING, _table((name, field) for name, field in _fields(Settings) if not _group(field))]
    for name, group in _groups(Settings, ""):
        parts += [
            f"## {name}\n\n{inspect.getdoc(group)}\n",
            _table((f"{name}.{key}", field) for key, field in _fields(group) if not _group(field)),
        ]
    return "\n".join(parts)


def _groups(model: type[BaseModel], prefix: str) -> Iterator[tuple[str, type[BaseModel]]]:
    for name, field in _fields(model):
        if group := _group(field):
            yield prefix + name, group
            yield from _groups(group, f"{prefix}{name}.")


def _fields(model: type[BaseModel]) -> Iterator[tuple[str, FieldInfo]]:
    yield from model.model_fields.items()


def _group(field: FieldInfo) -> type[BaseModel] | None:
    kind = field.annotation
    return kind if isinstance(kind, type) and issubclass(kind, BaseModel) else None


def _table(rows: Any) -> str:
    lines = ["| setting | environment variable | default | meaning |", "|---|---|---|---|"]
    for name, field in rows:
        variable = "DOCAGENT_" + name.upper().replace(".", "__")
        lines.append(f"| `{name}` | `{variable}` | {_default(field)} | {field.description} |")
    return "\n".join(lines) + "\n"


def _default(field: FieldInfo) -> str:
    value = field.get_default(call_default_factory=True)
    if isinstance(value, SecretStr):
        return "a secret"
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        value = list(value)
    return f"`{value}`" if str(value) else "empty"


if __name__ == "__main__":
    sys.stdout.write(settings_page())
