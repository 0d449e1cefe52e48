"""Log lines: JSON for machines, one readable line for people; each with its request id."""

from __future__ import annotations

import logging
import sys
from datetime import UTC, datetime
from typing import Any

import orjson

from docagent.api.context import request_id
from docagent.settings import LogSettings

_USUAL = set(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


def configure_logging(settings: LogSettings) -> None:
    as_json = settings.format == "json" or (settings.format == "auto" and not sys.stderr.isatty())
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter() if as_json else PlainFormatter())
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(settings.level.upper())
    for noisy in (
        "uvicorn.access",
        "uvicorn.error",
        "alembic",
        "asyncio",
        "aiosqlite",
        "httpx2",
        "mcp",
    ):
        logging.getLogger(noisy).setLevel(logging.WARNING)


def _extras(record: logging.LogRecord) -> dict[str, Any]:
    return {key: value for key, value in vars(record).items() if key not in _USUAL}


class JsonFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat().replace("+00:00", "Z"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            "request_id": request_id.get(),
            **_extras(record),
        }
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return orjson.dumps(line, default=str).decode()


class PlainFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        moment = datetime.fromtimestamp(record.created).strftime("%H:%M:%S")
        extras = " ".join(f"{key}={value}" for key, value in _extras(record).items())
        current = request_id.get()
        tail = f" [{current}]" if current != "-" else ""
        line = f"{moment} {record.levelname.lower():7} {record.getMessage()} {extras}".rstrip() + tail
        if record.exc_info:
            line += "\n" + self.formatException(record.exc_info)
        return line
