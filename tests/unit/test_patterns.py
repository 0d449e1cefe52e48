"""No pattern of ours takes more than linear time, whatever text it is given."""

from __future__ import annotations

import subprocess
import sys

from tests.rules.sources import ROOT

FEWEST = 600
"""A search that finds fewer does not look where the patterns are."""


def test_no_pattern_takes_more_than_three_times_as_long_on_twice_the_text() -> None:
    """In a process of its own: the patterns are noted while the modules are imported, and a slow one is interrupted."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.support.patterns"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    *slow, total = done.stdout.splitlines()
    assert slow == []
    assert int(total.split()[0]) > FEWEST
