"""Finds a Chromium or gets one: run `python -m tests.support.browser.chromium` before the browser tests.

An installed one is used, the one without windows first: it starts in half the time. If there is none, Debian's
package is installed, unless that would ask for a password. If that fails, Playwright fetches its own. If that
fails too, one line says what to install.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import Playwright, sync_playwright

NAMES = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)
PACKAGES = ("chromium-headless-shell", "chromium")
"""Older releases have only the second."""
APT_SECONDS = 300
PLAYWRIGHT_SECONDS = 120
ANSWER_SECONDS = 30
WHAT_TO_INSTALL = (
    "No Chromium for the browser tests: install Debian's package with `apt-get install chromium` as root,"
    " or put a `chromium` on the PATH."
)


def find_chromium(playwright: Playwright) -> str | None:
    """Return the machine's Chromium, or else the one that Playwright fetched."""
    for name in NAMES:
        if found := shutil.which(name):
            return found
    own = playwright.chromium.executable_path
    return own if Path(own).exists() else None


def main() -> int:
    if _is_there():
        return 0
    if (prefix := _rights()) is not None:
        _tell("The browser tests need Chromium: installing Debian's package")
        apt = [*prefix, "apt-get", "-qq", "-o", "Acquire::Retries=1", "-o", "Acquire::http::Timeout=20"]
        _run([*apt, "update"], APT_SECONDS)
        for package in PACKAGES:
            _run([*apt, "install", "-y", "--no-install-recommends", package], APT_SECONDS)
            if _is_there():
                return 0
    _tell("The browser tests need Chromium: asking Playwright for its own")
    _run([sys.executable, "-m", "playwright", "install", "chromium"], PLAYWRIGHT_SECONDS)
    if _is_there():
        return 0
    _tell(WHAT_TO_INSTALL)
    return 1


def _tell(line: str) -> None:
    sys.stderr.write(f"{line}\n")


def _is_there() -> bool:
    """Return whether a Chromium is found and can start: a fetched one may lack libraries of the system."""
    with sync_playwright() as playwright:
        found = find_chromium(playwright)
    return found is not None and _run([found, "--version"], ANSWER_SECONDS)


def _rights() -> list[str] | None:
    """Return what to put before apt-get, or None if there is no apt-get or it would ask for a password."""
    if shutil.which("apt-get") is None:
        return None
    if os.geteuid() == 0:
        return []
    asks_nothing = shutil.which("sudo") is not None and _run(["sudo", "-n", "true"], ANSWER_SECONDS)
    return ["sudo", "-n"] if asks_nothing else None


def _run(command: Sequence[str], seconds: float) -> bool:
    """Run a command quietly, with everything it starts. Return whether it succeeded in time."""
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
        start_new_session=True,
    )
    try:
        return process.wait(seconds) == 0
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return False


if __name__ == "__main__":
    sys.exit(main())
