"""The files of `deploy/` fit the product: settings, commands, paths and names that they use are there."""

from __future__ import annotations

import configparser
import json
import os
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from scripts.commands_page import commands

from docagent.cli.reading_settings import read_settings
from docagent.domain.errors import CannotStart
from docagent.settings import Settings
from tests.rules.sources import ROOT
from tests.support.tables import table

DEPLOY = ROOT / "deploy"
UNITS = sorted(DEPLOY.glob("*.service"))
COMMANDS = {name for name, _ in commands()}


def unit(path: Path) -> configparser.RawConfigParser:
    parser = configparser.RawConfigParser(interpolation=None, strict=True)
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    parser.read_string(path.read_text())
    return parser


Read = Callable[[dict[str, str]], Settings]


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> Read:
    """Makes settings of variables as the commands do, which refuse what they do not know."""

    def settings(given: dict[str, str]) -> Settings:
        for name, value in given.items():
            monkeypatch.setenv(name, value)
        return read_settings(os.environ)

    return settings


@table("path", UNITS)
def test_a_unit_starts_a_command_as_its_own_user(path: Path) -> None:
    service = unit(path)["Service"]
    program, *words = shlex.split(service["ExecStart"])
    assert Path(program).name == "docagent"
    assert " ".join(["docagent", *words]) in COMMANDS
    assert service["User"] == "docagent"
    assert Path(service["EnvironmentFile"]).name == "docagent.env"
    assert unit(path)["Install"]["WantedBy"] == "multi-user.target"
    assert service["NoNewPrivileges"] == "yes"


def test_the_environment_file_sets_what_the_product_reads(read: Read) -> None:
    lines = (DEPLOY / "docagent.env").read_text().splitlines()
    opened = [line.removeprefix("# ") for line in lines if line.removeprefix("# ").startswith("DOCAGENT_")]
    settings = read(dict(line.split("=", 1) for line in opened))
    assert str(settings.data) == f"/var/lib/{unit(UNITS[0])['Service']['StateDirectory']}"
    assert (settings.worker.embedded, settings.blobs.bucket) == (False, "docagent")
    assert (DEPLOY / "docagent.env").read_text().count("\nDOCAGENT_") == 5, (
        "the lines for many machines are comments"
    )


def test_the_compose_file_fits(read: Read) -> None:
    written = (DEPLOY / "compose.yaml").read_text()
    compose = yaml.safe_load(
        re.sub(r"\$\{\w+(?::-([^}]*)|:\?[^}]*)\}", lambda found: found[1] or "given-by-you", written)
    )
    services = compose["services"]
    assert set(services) == {"server", "worker", "database"}
    named = {volume.split(":")[0] for service in services.values() for volume in service["volumes"]}
    assert named == set(compose["volumes"])
    for name in ("server", "worker"):
        service = services[name]
        assert (DEPLOY / service["build"]["context"] / service["build"]["dockerfile"]).resolve().is_file()
        assert " ".join(service["command"]) in COMMANDS
        assert set(service["depends_on"]) <= set(services)
        settings = read({key: str(value) for key, value in service["environment"].items()})
        assert settings.worker.embedded is False
        assert settings.database.url is not None
        assert "@database/docagent" in str(service["environment"]["DOCAGENT_DATABASE__URL"])
    assert services["server"]["ports"] == ["127.0.0.1:8000:8000"]
    assert services["database"]["healthcheck"]["test"][0] == "CMD-SHELL"


def test_the_example_for_kubernetes_fits(read: Read) -> None:
    things = {
        (thing["kind"], thing["metadata"]["name"]): thing
        for thing in yaml.safe_load_all((DEPLOY / "kubernetes.yaml").read_text())
    }
    config, secret = things["ConfigMap", "docagent"]["data"], things["Secret", "docagent"]["stringData"]
    settings = read({**config, **secret})
    assert (settings.worker.embedded, settings.database.pool_size) == (False, 5)
    paths = json.loads((ROOT / "docs" / "openapi.json").read_text())["paths"]
    port = int(Settings.model_fields["server"].get_default(call_default_factory=True).port)
    deployments = [thing for (kind, _), thing in things.items() if kind == "Deployment"]
    assert len(deployments) == 2
    for deployment in deployments:
        template = deployment["spec"]["template"]
        assert deployment["spec"]["selector"]["matchLabels"] == template["metadata"]["labels"]
        (container,) = template["spec"]["containers"]
        assert " ".join(container["command"]) in COMMANDS
        for source in container["envFrom"]:
            ((reference, value),) = source.items()
            kind = {"configMapRef": "ConfigMap", "secretRef": "Secret"}[reference]
            assert (kind, value["name"]) in things
        mounted = {mount["name"] for mount in container["volumeMounts"]}
        assert mounted == {volume["name"] for volume in template["spec"]["volumes"]}
        for probe in ("readinessProbe", "livenessProbe"):
            if probe in container:
                assert container[probe]["httpGet"]["path"] in paths
                assert container[probe]["httpGet"]["port"] == port
    server = things["Deployment", "docagent-server"]["spec"]["template"]
    service: dict[str, Any] = things["Service", "docagent"]["spec"]
    assert service["selector"] == server["metadata"]["labels"]
    assert service["ports"][0]["targetPort"] == port


def test_every_file_is_on_the_page_of_deployment() -> None:
    page = (ROOT / "docs" / "deployment.md").read_text()
    assert [file.name for file in DEPLOY.iterdir() if f"../deploy/{file.name})" not in page] == []


def test_settings_that_do_not_exist_are_found(read: Read) -> None:
    """What the tests above rest on."""
    with pytest.raises(CannotStart, match="nothing_like_it"):
        read({"DOCAGENT_SERVER__NOTHING_LIKE_IT": "1"})
