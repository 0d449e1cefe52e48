"""The cookies, which no script can read: one renews a session, one makes a browser known at its next sign-in."""

from __future__ import annotations

REFRESH_COOKIE = "docagent_refresh"
DEVICE_COOKIE = "docagent_device"
DEVICE_DAYS = 365
COOKIE_PATH = "/"
