"""No pattern of ours takes more than linear time, whatever text it is given."""

from __future__ import annotations

import subprocess
import sys

from tests.rules.sources import ROOT

FEWEST = 600
"""A search that finds fewer does not look where the patterns are."""


def test_no_pattern_takes_more_than_three_times_as_long_on_twice_the_text() -> None:
    """In a process of its own: the patterns are noted while the modules are imported, and a slow one is interrupted."""
    slow, number = judged()
    assert slow == []
    assert number > FEWEST


def test_no_message_takes_the_built_in_model_more_than_three_times_as_long_as_half_of_it() -> None:
    """From the request to the reply, with hostile texts and with the longest message that the API takes."""
    assert judged("messages") == ([], 4)


def judged(*arguments: str) -> tuple[list[str], int]:
    command = [sys.executable, "-m", "tests.support.patterns", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    *slow, total = done.stdout.splitlines()
    return slow, int(total.split()[0])
