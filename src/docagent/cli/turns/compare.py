"""Runs one task under several strategies and prints the results side by side."""

from __future__ import annotations

import dataclasses
from contextlib import suppress
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from docagent.bootstrap import Services, running_services
from docagent.cli import output
from docagent.cli.launching import run, settings_of
from docagent.cli.options import AsJson, Data
from docagent.domain.accounts.accounts import Credential, Member, Principal, Role, User
from docagent.domain.errors import NotFound
from docagent.domain.shown import visible
from docagent.services.turns.lab import Compared, Comparison
from docagent.settings import Settings

ORGANIZATIONS_AT_ONCE = 100
COLUMNS = ("steps", "calls", "tools", "tokens", "credits", "cost", "time")
OUTCOMES = {"limit_reached": "limit", "awaiting_input": "asked"}
"""Shorter words, so that a line fits in a terminal."""


def compare_command(
    doc: Annotated[str, typer.Option(help="Id of the document.")],
    task: Annotated[str, typer.Option(help="What the agent is to do.")],
    strategies: Annotated[str, typer.Option(help="Names of strategies, with commas between them.")],
    model: Annotated[str | None, typer.Option(help="The model; else the organisation's default.")] = None,
    max_steps: Annotated[int | None, typer.Option(min=1, help="Step limit of each run.")] = None,
    org: Annotated[
        str | None, typer.Option(help="Id or name of the organisation; else the one that has the document.")
    ] = None,
    email: Annotated[
        str | None, typer.Option(help="On whose behalf; the first administrator if left out.")
    ] = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Run one task under several strategies, side by side. The runs work on copies of the state."""
    settings = settings_of(data)
    names = [name.strip() for name in strategies.split(",") if name.strip()]
    asked = Comparison(doc, task, names, model, max_steps)
    run(compare(settings, asked, org=org, email=email, as_json=as_json))


async def compare(
    settings: Settings, asked: Comparison, *, org: str | None, email: str | None, as_json: bool
) -> None:
    async with running_services(settings) as services:
        user = await _user(services, email)
        member = await _member(services, user, asked.document_id, org)
        compared = await services.lab.compare(member, asked)
    output.show(dataclasses.asdict(compared), lambda: show(compared, Console()), as_json=as_json)


def show(compared: Compared, console: Console) -> None:
    console.print(Text.assemble("Task: ", (visible(compared.task), "bold")))
    console.print(Text(visible(f"Document: {compared.document_name}   Model: {compared.model}\n")))
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("strategy", no_wrap=True)
    table.add_column("outcome", no_wrap=True)
    for column in COLUMNS:
        table.add_column(column, justify="right", no_wrap=True)
    for each in compared.runs:
        table.add_row(
            each.strategy,
            OUTCOMES.get(each.outcome, each.outcome),
            str(each.steps),
            str(each.model_calls),
            str(each.tool_calls),
            f"{each.input_tokens + each.output_tokens:,}",
            str(each.credits),
            f"${each.cost:.4f}",
            f"{each.seconds:.1f} s",
        )
    console.print(table)
    console.print()
    for each in compared.runs:
        console.print(Text(each.strategy, style="bold"))
        answer = visible(each.answer.strip() or "(no answer)").replace("\n", "\n  ")
        console.print(Text(f"  {answer}"), soft_wrap=True)
        for change in each.changes:
            console.print(Text(visible(f"  changed: {change}")), soft_wrap=True)
        console.print()


async def _user(services: Services, email: str | None) -> User:
    if email is not None:
        return await services.first_start.user_by_email(email)
    auth = services.settings.auth
    password = auth.admin_password.get_secret_value() if auth.admin_password else None
    return await services.first_start.ensure_admin(auth.admin_email, password)


async def _member(services: Services, user: User, document_id: str, org: str | None) -> Member:
    """Return the user as a member of the organisation named, or else of the one that has the document."""
    principal = Principal(user.id, user.name, user.email, user.role, Credential.SESSION)
    skip = 0
    while True:
        found = await services.organizations.list(principal, skip=skip, limit=ORGANIZATIONS_AT_ONCE)
        for organization in found.items:
            if org not in (None, organization.id, organization.name):
                continue
            roles = {member.user_id: member.role for member in organization.members}
            # A system administrator need not be a member: on the command line, the whole deployment is theirs.
            member = Member(principal, organization.id, roles.get(user.id, Role.ADMIN))
            with suppress(NotFound):
                await services.documents.get(member, document_id)
                return member
        skip += len(found.items)
        if not found.items or skip >= found.total:
            raise NotFound(f"Document not found: {document_id}. See --org and --email.")
