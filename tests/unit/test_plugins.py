"""Packages that add tools, parsers and providers, as the manual shows them."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from tests.rules.sources import ROOT
from tests.support.tables import table

MOST_LINES = 50
BROKEN = "raise RuntimeError('no licence')\n"


def example(page: str) -> str:
    (found,) = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / page).read_text(), re.DOTALL)
    assert len(found.splitlines()) < MOST_LINES
    return str(found)


def published(folder: Path, module: str, points: str) -> Path:
    """A package as an installer would leave it."""
    (folder / "my_package.py").write_text(module)
    info = folder / "my_package-1.0.dist-info"
    info.mkdir(exist_ok=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: my-package\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(points)
    return folder


def run_child(code: str, path: Path) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(path)},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done


def test_the_tools_of_the_page(tmp_path: Path) -> None:
    points = "[docagent.tools]\nfind = my_package:FindSupplier\nblock = my_package:BlockSupplier\n"
    path = published(tmp_path, example("plugin-tools.md"), points)
    done = run_child(
        """
from docagent.api.mcp.catalogue import own_tools
from docagent.tools.registry import all_tools, every_tool, project_tools
for offered in (all_tools(), project_tools(), every_tool()):
    tools = {tool.name: tool for tool in offered}
    print(tools["find_supplier"].access.value, tools["block_supplier"].access.value)
print(sorted(name for name in own_tools(web_search=False) if name.endswith("supplier")))
""",
        path,
    )
    assert done.stdout == "read_only read_write\n" * 3 + "['block_supplier', 'find_supplier']\n"
    assert done.stderr == ""


def test_a_tool_of_a_package_is_asked_about_run_and_undone(tmp_path: Path) -> None:
    points = "[docagent.tools]\nblock = my_package:BlockSupplier\nfind = my_package:FindSupplier\n"
    path = published(tmp_path, example("plugin-tools.md"), points)
    done = run_child(
        """
import asyncio
from types import SimpleNamespace
from docagent.domain.turns.permission import Mode, evaluate
from docagent.domain.turns.tools import CallContext, Scope
from docagent.domain.turns.turns import Subject, WorkingState
from docagent.tools.toolset import own_toolsets
import my_package

async def main():
    scope = Scope(None, "turn", Subject.document("d"))
    tools = own_toolsets(SimpleNamespace(web_search=None))(scope)
    facts = {tool.name: tool for tool in tools.tools()}
    for name in ("find_supplier", "block_supplier"):
        print(name, evaluate(
            facts[name], {}, rules=[], mode=Mode(), user_id="u", subject=scope.subject, tainted=False
        ).effect.value)
    call = CallContext(scope, "call", WorkingState())
    given = tools.check("block_supplier", '{"vat_number": "DE129273398"}')
    print((await tools.describe(call, "block_supplier", given)).summary)
    outcome = await tools.run(call, "block_supplier", given, None)
    found = await tools.run(call, "find_supplier", given, None)
    print(outcome.content, found.content)
    print(await tools.undo(call, "block_supplier", outcome.undo), my_package.SUPPLIERS)

asyncio.run(main())
""",
        path,
    )
    assert done.stdout.splitlines() == [
        "find_supplier allow",
        "block_supplier ask",
        "Block the supplier DE129273398",
        "{'blocked': True} {'supplier': {'name': 'Harbour Chandlers', 'blocked': True}}",
        "The supplier is paid again {'DE129273398': {'name': 'Harbour Chandlers', 'blocked': False}}",
    ]


READ_MAIL = """
import asyncio, sys
from pathlib import Path
from docagent.adapters.parse.reader import ChildProcessReader
from docagent.domain.documents.formats import FORMATS
from docagent.domain.errors import ReadFailed

async def main():
    print(".eml" in FORMATS, ".xyz" in FORMATS, FORMATS[".eml"].mime_type)
    try:
        async for page in ChildProcessReader().read(Path(sys.path[0] or ".") / "PLACE", ".eml"):
            print(getattr(page, "text", ""))
    except ReadFailed as failed:
        print(failed)

asyncio.run(main())
"""
MAIL = "From: per@example.org\nSubject: Invoice\nContent-Type: text/plain\n\nPlease pay 42 EUR.\n"


def read_mail(path: Path) -> str:
    (path / "mail.eml").write_text(MAIL)
    code = READ_MAIL.replace('Path(sys.path[0] or ".") / "PLACE"', f"Path({str(path / 'mail.eml')!r})")
    return run_child(code, path).stdout


def test_the_parser_of_the_page(tmp_path: Path) -> None:
    path = published(tmp_path, example("plugin-parsers.md"), "[docagent.parsers]\neml = my_package\n")
    told = read_mail(path)
    assert told.startswith("True False message/rfc822\n")
    assert "Subject: Invoice" in told
    assert "Please pay 42 EUR." in told


def test_a_parser_that_cannot_be_loaded_fails_its_file_alone(tmp_path: Path) -> None:
    path = published(tmp_path, BROKEN, "[docagent.parsers]\neml = my_package\n")
    assert "The package that reads .eml files cannot be used: no licence." in read_mail(path)


CHAT = """
import asyncio
from docagent.bootstrap.providers import added_providers, model_opener, provider_directory
from docagent.domain.models.llm import Message, ModelRequest, TextPart
from docagent.security import Secrets
from docagent.settings import Settings

async def main():
    directory = provider_directory(Settings(), Secrets("a secret of a test, long enough"), {"ECHO_API_KEY": "k"}, None)
    catalogue = directory.catalogue({}, {})
    model = catalogue.find("echo/parrot")
    print(model.name, catalogue.runs(model))
    opened = model_opener(None)(directory.connection(catalogue.providers["echo"]))
    request = ModelRequest(model.wire_name, (Message("user", (TextPart("Hi"),)),))
    print(opened.key, [getattr(event, "text", "") async for event in opened.stream(request)])

asyncio.run(main())
"""


def test_the_provider_of_the_page(tmp_path: Path) -> None:
    path = published(
        tmp_path, example("plugin-providers.md"), "[docagent.providers]\necho = my_package:EchoProvider\n"
    )
    done = run_child(CHAT, path)
    assert done.stdout == "echo/parrot True\nk ['You said: Hi', 'You said: Hi']\n"


NAMES = """
import logging
logging.basicConfig(format="%(message)s")
from docagent.agent.strategies.registry import all_strategies
from docagent.bootstrap.providers import added_providers
from docagent.tools.registry import added_tools
print(len(list(all_strategies())), list(added_providers()), added_tools())
"""
FITS_NOT = """
class Taken:
    name = "tools"
    display_name, needs_key, models = "Taken", False, ()
class Plain:
    pass
"""


@table(
    ("point", "told"),
    [
        ("[docagent.tools]\nown = my_package:Missing", "has no attribute 'Missing'"),
        ("[docagent.tools]\nown = my_package:Plain", "it is neither a ReadTool nor a WriteTool"),
        ("[docagent.providers]\nopenai = my_package:Taken", "there is already a provider named openai"),
        ("[docagent.providers]\nown = my_package:Plain", "has no attribute 'display_name'"),
        ("[docagent.strategies]\nown = my_package:Taken", "Two loop strategies are named tools"),
        ("[docagent.strategies]\nown = my_package:Plain", "has no attribute 'name'"),
    ],
)
def test_what_does_not_fit_is_left_out_with_one_error(tmp_path: Path, point: str, told: str) -> None:
    done = run_child(NAMES, published(tmp_path, FITS_NOT, f"{point}\n"))
    assert done.stdout == "6 [] ()\n"
    (line,) = done.stderr.splitlines()
    assert told in line
    assert line.startswith("The entry point ")


def test_a_package_that_raises_is_left_out(tmp_path: Path) -> None:
    done = run_child(NAMES, published(tmp_path, BROKEN, "[docagent.tools]\nown = my_package:Own\n"))
    assert done.stdout == "6 [] ()\n"
    assert "was left out: no licence. Fix or remove the package that adds it." in done.stderr
