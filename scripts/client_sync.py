"""Writes `docagent.client.synchronous` from `docagent.client.asynchronous`: the same client without asyncio."""

from __future__ import annotations

import re

from scripts.client_models import CALLS as SOURCE
from scripts.client_models import tidied

TARGET = SOURCE.with_name("synchronous")
MARK = "# Written by `make client` from the asynchronous client: change that one.\n"
WORDS = [
    (
        r"The client for programs that use asyncio\. .*? this package\.",
        "The client for programs without asyncio.",
    ),
    (r"\basynchronous\b", "synchronous"),
    (r"\basynccontextmanager\b", "contextmanager"),
    (r"\basyncio\.sleep\b", "time.sleep"),
    (r"\bimport asyncio\b", "import time"),
    (r"\basync (def|with|for)\b", r"\1"),
    (r"\bawait ", ""),
    (r"\b__a(iter|enter|exit)__\b", r"__\1__"),
    (r"\ba(close|read|iter_lines)\b", r"\1"),
    (r"\bAsync([A-Z])", r"\1"),
]


def main() -> None:
    TARGET.mkdir(exist_ok=True)
    for name, text in synchronous_modules().items():
        (TARGET / name).write_text(text)


def synchronous_modules() -> dict[str, str]:
    """The text of each module by its file name."""
    return {source.name: _synchronous(source.read_text()) for source in sorted(SOURCE.glob("*.py"))}


def _synchronous(module: str) -> str:
    for pattern, word in WORDS:
        module = re.sub(pattern, word, module)
    return tidied(MARK + module)


if __name__ == "__main__":
    main()
