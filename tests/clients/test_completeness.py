"""No method of a published client is forgotten: each is called by a test, or is named here with the reason."""

from __future__ import annotations

import ast
import inspect
import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docrouter_sdk import DocRouterClient

HERE = Path(__file__).parent
PYTHON_TESTS = HERE / "test_python_sdk.py"
JS_FOLDER = HERE / "js"


NPM_INTERNAL = {
    f"http.{name}"
    for name in ("setupInterceptors", "getToken", "processQueue", "handleAuthError", "createApiError")
}
"""Private by the client's own type declarations."""

LIST_METHODS = """
import * as sdk from '@docrouter/sdk';
const names = { org: sdk.DocRouterOrg, account: sdk.DocRouterAccount, http: sdk.HttpClient };
const methods = Object.entries(names).flatMap(([name, each]) =>
  Object.getOwnPropertyNames(each.prototype)
    .filter((method) => method !== 'constructor')
    .map((method) => `${name}.${method}`));
console.log(JSON.stringify({ exported: Object.keys(sdk).sort(), methods }));
"""


def test_every_method_of_the_python_client_is_called() -> None:
    methods = set(python_methods())
    called = methods & set(python_calls(PYTHON_TESTS))
    assert len(methods) > 25
    assert methods - called == set()


def test_every_method_of_the_npm_client_is_called() -> None:
    answer = subprocess.run(
        ["node", "--input-type=module", "--eval", LIST_METHODS],
        cwd=JS_FOLDER,
        capture_output=True,
        text=True,
        check=True,
    )
    found: dict[str, Any] = json.loads(answer.stdout)
    assert found["exported"] == ["DocRouterAccount", "DocRouterOrg", "HttpClient"]
    methods = set(found["methods"])
    assert methods >= NPM_INTERNAL
    called = methods & set(npm_calls())
    assert methods - called - NPM_INTERNAL == set()


def python_methods() -> Iterator[str]:
    """Each method as `part.method`, from a client that calls nobody."""
    for part, api in vars(DocRouterClient("http://nowhere.invalid")).items():
        if type(api).__module__.startswith("docrouter_sdk"):
            for name, _ in inspect.getmembers(api, inspect.ismethod):
                if not name.startswith("_"):
                    yield f"{part}.{name}"


def python_calls(file: Path) -> Iterator[str]:
    """What the tests take from a client, as `part.method`: `sdk.tags.list` gives `tags.list`."""
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Attribute):
            yield f"{node.value.attr}.{node.attr}"


def npm_calls() -> Iterator[str]:
    """What the tests take from clients; they name them `org`, `account` and `http`."""
    for file in JS_FOLDER.glob("*.js"):
        yield from re.findall(r"\b(?:org|account|http)\.[A-Za-z]+", file.read_text())
