"""What belongs to the request being handled, for logs and errors."""

from __future__ import annotations

from contextvars import ContextVar

request_id: ContextVar[str] = ContextVar("request_id", default="-")

request_path: ContextVar[str] = ContextVar("request_path", default="/")
"""By which some clients are answered in words of their own."""
