"""`docagent compare` as a command, with the built-in model and nothing else running."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner, Result

from docagent.cli.main import app
from docagent.cli.turns.compare import show
from docagent.domain.ids import new_id
from docagent.services.documents.samples import add_sample
from docagent.services.turns.lab import Compared, Run
from tests.conftest import SECRET, make_settings, running_product
from tests.support.product import Tenant

COMMAND = Path(sys.executable).with_name("docagent")
SETTINGS = {
    "DOCAGENT_AUTH__SECRET": SECRET,
    "DOCAGENT_MODELS__FIND_LOCAL": "false",
    "DOCAGENT_LOG__LEVEL": "warning",
}
ALL = "tools,react,think-act,plan-and-execute,tool-first,llm-only"


@dataclass(frozen=True)
class Deployment:
    data: Path
    tenant: Tenant
    document_id: str

    def compare(self, *options: str) -> subprocess.CompletedProcess[str]:
        environment = {"PATH": os.environ["PATH"], **SETTINGS}
        command = [str(COMMAND), *self._arguments(self.document_id, options)]
        return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)

    def run(self, *options: str, doc: str | None = None) -> Result:
        """The same in this process: starting one takes seconds."""
        return CliRunner().invoke(app, self._arguments(doc or self.document_id, options), env=SETTINGS)

    def refused(self, *options: str, doc: str | None = None) -> str:
        """What is said."""
        ended = self.run(*options, doc=doc)
        assert ended.exit_code == 1, ended.output
        return ended.stderr

    def _arguments(self, document_id: str, options: Sequence[str]) -> list[str]:
        return ["compare", "--data", str(self.data), "--doc", document_id, *options]


@pytest.fixture(scope="module")
async def deployment(tmp_path_factory: pytest.TempPathFactory) -> Deployment:
    """What a server left behind that is stopped now."""
    settings = make_settings(tmp_path_factory.mktemp("data"))
    async with running_product(settings) as product:
        await product.new_tenant()
        tenant = await product.new_tenant()
        uploaded = await add_sample(product.services.documents, tenant.member, "invoice")
        await product.read_document(tenant, uploaded.document.id)
        return Deployment(settings.data, tenant, uploaded.document.id)


def test_a_line_for_each_strategy_and_the_answers_below(deployment: Deployment) -> None:
    ended = deployment.compare("--task", "what is the invoice number?", "--strategies", ALL)
    assert (ended.returncode, ended.stderr) == (0, "")
    lines = ended.stdout.splitlines()
    assert lines[0] == "Task: what is the invoice number?"
    assert "Invoice 2041.pdf" in lines[1]
    assert lines[3].split() == [
        *("strategy", "outcome", "steps", "calls", "tools", "tokens", "credits", "cost", "time")
    ]
    assert [line.split()[:2] for line in lines[4:10]] == [[name, "completed"] for name in ALL.split(",")]
    assert ended.stdout.count("The invoice number is **2041** (page 1).") == 6
    assert max(map(len, lines)) <= 80
    assert list((deployment.data / "comparisons").iterdir()) == []


def test_as_json(deployment: Deployment) -> None:
    ended = deployment.run(
        *("--task", "what is the total?", "--strategies", " tools, llm-only ", "--json"),
        *("--org", deployment.tenant.organization_id, "--email", deployment.tenant.email),
        *("--model", "docagent-offline", "--max-steps", "3"),
    )
    assert ended.exit_code == 0, ended.output
    compared = json.loads(ended.stdout)
    assert compared["model"] == "docagent-offline"
    assert [(run["strategy"], run["outcome"], run["steps"]) for run in compared["runs"]] == [
        ("tools", "completed", 1),
        ("llm-only", "completed", 1),
    ]


def test_an_organisation_is_named_by_its_name_too(deployment: Deployment) -> None:
    asked = ("--task", "what is the total?", "--strategies", "llm-only")
    with closing(sqlite3.connect(deployment.data / "docagent.db")) as connection:
        named = "SELECT name FROM organizations WHERE id = ?"
        (name,) = connection.execute(named, (deployment.tenant.organization_id,)).fetchone()
    done = deployment.run(*asked, "--org", name)
    assert done.exit_code == 0, done.output
    assert "Document not found" in deployment.refused(*asked, "--org", "Nobody")


def test_answers_are_printed_without_what_a_terminal_obeys(capsys: pytest.CaptureFixture[str]) -> None:
    run = Run("tools", "completed", "\x1b]0;owned\x07", ("\x1b[2Jgone",), 1, 1, 0, 1, 1, 1, 0.0, 1.0)
    show(Compared("task", "id", "a\x1b[31m.pdf", "model", (run,)), Console())
    assert "\x1b" not in capsys.readouterr().out


def test_what_cannot_be_compared_is_said_in_one_line(deployment: Deployment) -> None:
    said = deployment.refused("--task", "x", "--strategies", "magic")
    assert said.startswith("Unknown loop strategy: magic. Choose one of: ")
    unknown = new_id()
    said = deployment.refused("--task", "x", "--strategies", "tools", doc=unknown)
    assert said == f"Document not found: {unknown}. See --org and --email.\n"
    said = deployment.refused("--task", "x", "--strategies", "tools", "--email", "nobody@example.com")
    assert said == "There is no user with the e-mail nobody@example.com.\n"
