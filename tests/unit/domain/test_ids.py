"""Ids: 24 hex characters that sort by time and never repeat."""

from __future__ import annotations

import re
import time
from concurrent.futures import ThreadPoolExecutor

from docagent.domain.ids import is_id, new_id
from tests.support.tables import table


def test_an_id_looks_like_one() -> None:
    assert re.fullmatch(r"[0-9a-f]{24}", new_id())
    assert is_id(new_id())


def test_an_id_begins_with_the_time_in_seconds() -> None:
    before = int(time.time())
    seconds = int(new_id()[:8], 16)
    assert before <= seconds <= int(time.time()) + 1


def test_ids_of_one_process_rise_strictly() -> None:
    made = [new_id() for _ in range(20_000)]
    assert made == sorted(set(made))


def test_ids_of_many_threads_do_not_repeat_and_rise_within_each() -> None:
    def make(_: int) -> list[str]:
        return [new_id() for _ in range(2_000)]

    with ThreadPoolExecutor(8) as pool:
        lists = list(pool.map(make, range(8)))
    assert all(made == sorted(made) for made in lists)
    prefixes = {made[:12] for one in lists for made in one}
    assert len(prefixes) == 16_000


@table(
    "text",
    [
        "",
        "zz",
        "0" * 23,
        "0" * 25,
        "A" * 24,
        "g" * 24,
        "0" * 24 + "\n",
        "\u0660" * 24,
        "\x00" * 24,
        " " + "0" * 23,
    ],
)
def test_other_texts_are_no_ids(text: str) -> None:
    assert not is_id(text)
