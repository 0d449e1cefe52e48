"""Looks at everything that docagent needs, and says what is wrong and what to do."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from docagent.cli.launching import run, settings_of
from docagent.cli.operations import doctor_deployment, doctor_machine
from docagent.cli.operations.doctor_machine import Finding, Health
from docagent.cli.options import AsJson, Data
from docagent.cli.output import ExitCode, print_json, say
from docagent.cli.reaching import quietly
from docagent.settings import Settings

SIGNS = {
    Health.FINE: typer.style("fine   ", fg="green"),
    Health.WARNING: typer.style("warning", fg="yellow"),
    Health.WRONG: typer.style("wrong  ", fg="red", bold=True),
}


def doctor(
    call_models: Annotated[
        bool, typer.Option("--call-models", help="Make one small call to each model that has a key.")
    ] = False,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Look at everything that docagent needs, and say what is wrong. The exit code is 1 if something is.

    Nothing is changed. Settings that cannot be used are said at once, with the exit code 2.
    """
    run(_doctor(quietly(settings_of(data)), call_models=call_models, as_json=as_json))


async def _doctor(settings: Settings, *, call_models: bool, as_json: bool) -> ExitCode:
    findings = [
        doctor_machine.program(),
        doctor_machine.folder(settings),
        doctor_machine.disk(settings),
        doctor_machine.clock(settings),
        *doctor_machine.limits(settings),
        *doctor_machine.readers(),
        await doctor_deployment.server(settings),
    ]
    findings += [finding async for finding in doctor_deployment.deployment(settings, call_models=call_models)]
    if as_json:
        print_json([asdict(finding) for finding in findings])
    else:
        for finding in findings:
            _show(finding)
    wrong = any(finding.health is Health.WRONG for finding in findings)
    return ExitCode.FAILED if wrong else ExitCode.DONE


def _show(finding: Finding) -> None:
    say(f"{SIGNS[finding.health]}  {finding.about}: {finding.says}")
    if finding.remedy:
        say(f"         {finding.remedy}")
