"""Runs background jobs in a process of their own."""

from __future__ import annotations

import asyncio
import signal
from contextlib import suppress

import typer

from docagent.bootstrap import running_services
from docagent.cli.collecting import collect_from_now_on
from docagent.settings import Settings
from docagent.worker.service import run_worker


async def work_until_stopped(settings: Settings) -> None:
    async with running_services(settings) as services:
        work = asyncio.create_task(run_worker(services))
        for asked_to_stop in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(asked_to_stop, work.cancel)
        collect_from_now_on()
        typer.echo("docagent worker is running")
        with suppress(asyncio.CancelledError):
            await work
