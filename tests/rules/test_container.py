"""The Containerfile fits the project: files, make targets, settings and commands that it names are there."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator

from tests.rules.sources import ROOT

KNOWN = {"FROM", "RUN", "WORKDIR", "COPY", "USER", "ENV", "VOLUME", "EXPOSE", "HEALTHCHECK", "CMD"}


def instructions() -> Iterator[tuple[str, str]]:
    text = (ROOT / "Containerfile").read_text().replace("\\\n", " ")
    for line in text.splitlines():
        if line.strip() and not line.startswith("#"):
            name, _, rest = line.partition(" ")
            yield name, rest.strip()


def of(name: str) -> list[str]:
    return [rest for found, rest in instructions() if found == name]


def test_every_instruction_is_one() -> None:
    assert {name for name, _ in instructions()} <= KNOWN


def test_what_is_copied_is_there() -> None:
    stages = set(re.findall(r"AS (\w+)", " ".join(of("FROM"))))
    for copied in of("COPY"):
        *words, _ = shlex.split(copied)
        stage = [word.removeprefix("--from=") for word in words if word.startswith("--from=")]
        if stage:
            assert set(stage) <= stages
        else:
            assert all((ROOT / word).exists() for word in words)


def test_the_targets_of_make_exist() -> None:
    targets = re.findall(r"\bmake ([a-z-]+)", " ".join(of("RUN")).replace("recommends make", ""))
    assert targets == ["wheel"]
    makefile = (ROOT / "Makefile").read_text()
    assert all(f"\n{target}:" in makefile for target in targets)


def test_the_settings_are_settings() -> None:
    given = dict(pair.split("=") for line in of("ENV") for pair in shlex.split(line))
    page = (ROOT / "docs" / "settings.md").read_text()
    assert all(f"| `{name}` |" in page for name in given)
    assert given["DOCAGENT_DATA"] in of("VOLUME")
    assert f"| `DOCAGENT_SERVER__PORT` | `{of('EXPOSE')[0]}` |" in page


def test_the_python_is_one_that_the_package_takes_and_root_does_not_serve() -> None:
    assert {re.match(r"python:3\.1[123]-slim", image) is not None for image in of("FROM")} == {True}
    assert of("USER") == ["docagent"]
    assert json.loads(of("CMD")[0]) == ["docagent", "serve"]
