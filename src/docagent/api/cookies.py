"""The one cookie: it renews a session, and no script can read it."""

from __future__ import annotations

REFRESH_COOKIE = "docagent_refresh"
COOKIE_PATH = "/"
