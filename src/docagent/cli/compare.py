"""Runs one task under several strategies and prints the results side by side."""

from __future__ import annotations

import dataclasses
from contextlib import suppress

import orjson
import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from docagent.bootstrap import Services, running_services
from docagent.domain.accounts import Credential, Member, Principal, Role, User
from docagent.domain.errors import NotFound
from docagent.services.lab import Compared, Comparison, Run
from docagent.settings import Settings

ORGANIZATIONS_AT_ONCE = 100
COLUMNS = ("steps", "calls", "tools", "tokens", "credits", "cost", "time")
OUTCOMES = {"limit_reached": "limit", "awaiting_input": "asked"}
"""Shorter words, so that a line fits in a terminal."""


async def compare(
    settings: Settings, asked: Comparison, *, organization_id: str | None, email: str | None, as_json: bool
) -> None:
    async with running_services(settings) as services:
        user = await _user(services, email)
        member = await _member(services, user, asked.document_id, organization_id)
        compared = await services.lab.compare(member, asked)
    if as_json:
        typer.echo(orjson.dumps(dataclasses.asdict(compared), option=orjson.OPT_INDENT_2).decode())
    else:
        show(compared, Console())


def show(compared: Compared, console: Console) -> None:
    console.print(Text.assemble("Task: ", (compared.task, "bold")))
    console.print(Text(f"Document: {compared.document_name}   Model: {compared.model}\n"))
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("strategy", no_wrap=True)
    table.add_column("outcome", no_wrap=True)
    for column in COLUMNS:
        table.add_column(column, justify="right", no_wrap=True)
    for run in compared.runs:
        table.add_row(run.strategy, OUTCOMES.get(run.outcome, run.outcome), *_figures(run))
    console.print(table)
    console.print()
    for run in compared.runs:
        console.print(Text(run.strategy, style="bold"))
        console.print(Text(f"  {run.answer.strip() or '(no answer)'}".replace("\n", "\n  ")), soft_wrap=True)
        for change in run.changes:
            console.print(Text(f"  changed: {change}"), soft_wrap=True)
        console.print()


def _figures(run: Run) -> tuple[str, ...]:
    return (
        str(run.steps),
        str(run.model_calls),
        str(run.tool_calls),
        f"{run.input_tokens + run.output_tokens:,}",
        str(run.credits),
        f"${run.cost:.4f}",
        f"{run.seconds:.1f} s",
    )


async def _user(services: Services, email: str | None) -> User:
    if email is not None:
        return await services.first_start.user_by_email(email)
    auth = services.settings.auth
    password = auth.admin_password.get_secret_value() if auth.admin_password else None
    return await services.first_start.ensure_admin(auth.admin_email, password)


async def _member(services: Services, user: User, document_id: str, organization_id: str | None) -> Member:
    """Return the user as a member of the organisation named, or else of the one that has the document."""
    principal = Principal(user.id, user.name, user.email, user.role, Credential.SESSION)
    skip = 0
    while True:
        found = await services.organizations.list(
            principal,
            user_id=None,
            organization_id=organization_id,
            name_search=None,
            member_search=None,
            skip=skip,
            limit=ORGANIZATIONS_AT_ONCE,
        )
        for organization in found.items:
            roles = {member.user_id: member.role for member in organization.members}
            # A system administrator need not be a member: on the command line, the whole deployment is theirs.
            member = Member(principal, organization.id, roles.get(user.id, Role.ADMIN))
            with suppress(NotFound):
                await services.documents.get(member, document_id)
                return member
        skip += len(found.items)
        if not found.items or skip >= found.total:
            raise NotFound(f"Document not found: {document_id}. See --org and --email.")
