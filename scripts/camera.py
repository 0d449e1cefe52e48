"""Takes the pictures of the manual."""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, ViewportSize, expect

DESK = ViewportSize(width=1280, height=800)
PHONE = ViewportSize(width=390, height=780)
COLOURS = 256
EXPECTED = re.compile(r"status of 400")
"""The page shows a file that was refused, so this message is expected."""


class Camera:
    """Takes pictures of a page as it is and, if asked, also in dark colours or on a phone."""

    def __init__(self, page: Page, problems: list[str], target: Path) -> None:
        self._page = page
        self._problems = problems
        self._target = target
        self.sizes: dict[str, int] = {}

    def take(self, name: str, *, dark: bool = False, phone: bool = False, alerts: int = 0) -> None:
        self._settle(name, alerts)
        self._write(name)
        if dark:
            self._page.emulate_media(color_scheme="dark")
            self._settle(name, alerts)
            self._write(f"{name}-dark")
            self._page.emulate_media(color_scheme="light")
        if phone:
            self.take_on_a_phone(name, alerts=alerts)

    def take_on_a_phone(self, name: str, *, alerts: int = 0) -> None:
        self._page.set_viewport_size(PHONE)
        self._settle(name, alerts)
        self._write(f"{name}-phone")
        self._page.set_viewport_size(DESK)

    def _settle(self, name: str, alerts: int) -> None:
        """Wait until nothing is loading, and check that nothing is wrong except what the picture is meant to show."""
        expect(self._page.get_by_text(re.compile("^Loading "))).to_have_count(0)
        self._page.mouse.move(0, 0)
        self._page.wait_for_timeout(300)
        shown = self._page.locator('[role="alert"]:visible').all_inner_texts()
        wrong = [text for text in self._problems if not EXPECTED.search(text)]
        if len(shown) != alerts or wrong:
            raise SystemExit(f"{name}: the page shows {shown}, the console {wrong}")

    def _write(self, name: str) -> None:
        raw = Image.open(io.BytesIO(self._page.screenshot(animations="disabled"))).convert("RGB")
        small = raw.quantize(COLOURS, method=Image.Quantize.MAXCOVERAGE, kmeans=2, dither=Image.Dither.NONE)
        path = self._target / f"{name}.png"
        small.save(path, optimize=True)
        self.sizes[path.name] = path.stat().st_size
        sys.stdout.write(f"{path.name} {self.sizes[path.name] / 1000:.0f} kB\n")
