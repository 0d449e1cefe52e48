"""What no source file may do."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator

from tests.rules.sources import ROOT, nodes, place, python_files

MAY_CATCH_ALL = {
    "api/server/middleware.py:RequestLog.__call__": "the request: whatever happens is answered and logged",
    "agent/acting.py:Acting._guarded": "the tool call: a broken tool is a result, not a broken turn",
    "agent/acting.py:Acting._prepared": "the tool call, in the part that comes before its transaction",
    "services/turns/runner.py:TurnRunner._run": "the job of a turn: whatever happens, it ends in an event",
    "worker/execution.py:Executor.run": "the job: whatever happens is logged, and the job tried again",
    "domain/plugins.py:loaded": "code of others, loaded at the start: what breaks is left out, and the log says so",
    "adapters/parse/parsers.py:_added": "code of others, loaded for one file: the file fails with the reason",
}
HOSTS = {
    "127.0.0.1": "this machine",
    "host": "an example in a description",
    "example.org": "an example in a description",
    "json-schema.org": "the name of a dialect, never opened",
    "openoffice.org": "the name of an XML vocabulary, never opened",
    "schemas.openxmlformats.org": "the name of an XML vocabulary, never opened",
    "www.w3.org": "the name of an XML vocabulary, never opened",
    "api.anthropic.com": "a model provider, called when its key is set",
    "api.deepseek.com": "a model provider, called when its key is set",
    "api.groq.com": "a model provider, called when its key is set",
    "api.mistral.ai": "a model provider, called when its key is set",
    "api.openai.com": "a model provider, called when its key is set",
    "api.search.brave.com": "a search engine, called when the settings name it",
    "api.tavily.com": "a search engine, called when the settings name it",
    "api.x.ai": "a model provider, called when its key is set",
    "generativelanguage.googleapis.com": "a model provider, called when its key is set",
    "openrouter.ai": "a model provider, called when its key is set",
}
_HOST = re.compile(r"\bhttps?://([A-Za-z0-9.-]+)")
_BUILT = {"node_modules", "dist", "manual_dist", "web_dist", "__pycache__"}


def catches_all(handler: ast.ExceptHandler) -> bool:
    """True for a handler that catches every exception and does not raise it again."""
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    broad = any(kind is None or getattr(kind, "id", "") in ("Exception", "BaseException") for kind in kinds)
    last = handler.body[-1]
    return broad and not (isinstance(last, ast.Raise) and last.exc is None)


def test_only_the_seams_catch_everything() -> None:
    found = {
        f"{place(path)}:{function}"
        for path in python_files()
        for function, node in nodes(path)
        if isinstance(node, ast.ExceptHandler) and catches_all(node)
    }
    assert found == set(MAY_CATCH_ALL)


def hosts() -> Iterator[tuple[str, str]]:
    for folder in ("src", "web"):
        for path in sorted((ROOT / folder).rglob("*")):
            if not path.is_file() or _BUILT & set(path.parts):
                continue
            try:
                text = path.read_text()
            except UnicodeDecodeError:
                continue
            if path.name == "package-lock.json":
                text = without_funding(text)
            yield from ((path.relative_to(ROOT).as_posix(), host) for host in hosts_in(text))


def hosts_in(text: str) -> list[str]:
    """Return the hosts in a text, except those under `.example`, which will never belong to anybody."""
    return [host for host in _HOST.findall(text) if not host.endswith(".example")]


def without_funding(lock: str) -> str:
    """Return a lock file without the addresses for donations. Nothing is fetched from these."""
    packages = json.loads(lock)["packages"]
    return json.dumps([{**package, "funding": None} for package in packages.values()])


def test_every_host_that_a_source_file_names_is_known() -> None:
    """So no source file names a package registry, and nothing is fetched from an address that nobody chose."""
    unknown = {(path, host) for path, host in hosts() if host not in HOSTS}
    assert unknown == set()


def test_nothing_in_the_list_of_hosts_is_left_over() -> None:
    assert {host for _, host in hosts()} == set(HOSTS)
