"""Runs background jobs in a process of their own."""

from __future__ import annotations

import asyncio
import signal
from contextlib import suppress

import typer

from docagent.bootstrap import running_services
from docagent.cli.launching import run, settings_of
from docagent.cli.options import AsJson, Data
from docagent.cli.output import print_json_line
from docagent.cli.server.collecting import collect_from_now_on, pause_collection
from docagent.settings import Settings
from docagent.worker.service import run_worker


def worker(data: Data = None, as_json: AsJson = False) -> None:
    """Run background jobs in a process of their own."""
    pause_collection()
    run(work_until_stopped(settings_of(data), as_json=as_json))


async def work_until_stopped(settings: Settings, *, as_json: bool) -> None:
    async with running_services(settings) as services:
        work = asyncio.create_task(run_worker(services))
        for asked_to_stop in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(asked_to_stop, work.cancel)
        collect_from_now_on()
        if as_json:
            print_json_line({"running": True})
        else:
            typer.echo("docagent worker is running")
        with suppress(asyncio.CancelledError):
            await work
