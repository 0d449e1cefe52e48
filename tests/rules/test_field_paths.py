"""The path of a value is taken apart and put together in one module of the server and one of the web client."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.rules.sources import ROOT, nodes, place, python_files

THE_MODULE = "domain/field_path.py"
NO_PATHS = {
    "adapters/egress/urls.py": "the labels of a host name",
    "api/answers.py": "the attributes of an object of ours",
    "cli/reading_settings.py": "the names of settings",
    "client/errors.py": "the place of a mistake in a request, for people",
    "domain/documents/documents.py": "the name of a file",
    "export/tables_xlsx.py": "the digits of a number",
}
NO_PATHS_OF_THE_WEB = {
    "features/documents/search.ts": "a column and its direction",
    "features/forms/formio.ts": "the keys of Form.io, in which a dot always leads into a group",
    "features/sheets/cells.ts": "the digits of a number",
    "lib/listSearch.ts": "a column and its direction",
    "lib/written.ts": "the digits of a number",
}
TAKE_APART = {"split", "rsplit", "partition", "rpartition"}
WEB = ROOT / "web" / "src"
OF_THE_WEB = re.compile(r"""\.(?:split|join)\("\."\)|\$\{\w*[pP]ath\}\.\$\{""")


def handles_dots(node: ast.AST) -> bool:
    if isinstance(node, ast.JoinedStr):
        parts = node.values
        return any(
            isinstance(one, ast.FormattedValue)
            and "path" in ast.unparse(one.value).lower()
            and isinstance(between, ast.Constant)
            and between.value == "."
            and isinstance(after, ast.FormattedValue)
            for one, between, after in zip(parts, parts[1:], parts[2:], strict=False)
        )
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return False
    said = [one.value for one in (node.func.value, *node.args[:1]) if isinstance(one, ast.Constant)]
    return node.func.attr in {*TAKE_APART, "join"} and "." in said


def found_in(path: Path) -> Iterator[str]:
    for function, node in nodes(path):
        if handles_dots(node):
            yield f"{place(path)}:{function}"


def test_the_rule_finds_what_it_is_for() -> None:
    for text in ('path.split(".")', '".".join(steps)', 'path.rpartition(".")', 'f"{path}.{name}"'):
        assert handles_dots(ast.parse(text, mode="eval").body), text
    for text in ('text.split(",")', '", ".join(names)', 'f"{name}.csv"', 'f"{path}: {name}"'):
        assert not handles_dots(ast.parse(text, mode="eval").body), text
    assert OF_THE_WEB.search('path.split(".")')
    assert OF_THE_WEB.search("`${path}.${name}`")


def test_no_other_module_of_the_server_handles_the_text_of_a_path() -> None:
    found = [one for path in python_files() if place(path) != THE_MODULE for one in found_in(path)]
    assert [one for one in found if one.partition(":")[0] not in NO_PATHS] == []
    assert {one.partition(":")[0] for one in found} == set(NO_PATHS), "an exception is no longer one"


def test_no_other_module_of_the_web_client_does() -> None:
    sources = [path for path in WEB.rglob("*.ts*") if ".test." not in path.name]
    found = {path.relative_to(WEB).as_posix() for path in sources if OF_THE_WEB.search(path.read_text())}
    assert found - {"lib/fieldPath.ts"} == set(NO_PATHS_OF_THE_WEB)
