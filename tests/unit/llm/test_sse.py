"""The event-stream reader: every line end, every cut, and the oddities the format allows."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docagent.adapters.llm import sse
from docagent.adapters.llm.sse import EventStream, EventTooLarge
from tests.support.tables import table


def read(blocks: list[bytes]) -> list[bytes]:
    stream = EventStream()
    found = [data for block in blocks for data in stream.feed(block)]
    return found + stream.finish()


@table(
    ("body", "events"),
    [
        (b"data: a\n\n", [b"a"]),
        (b"data:a\n\n", [b"a"]),
        (b"data:  a\n\n", [b" a"]),
        (b"data: a\r\n\r\ndata: b\r\n\r\n", [b"a", b"b"]),
        (b"data: a\r\rdata: b\r\r", [b"a", b"b"]),
        (b"data: a\n\rdata: b\r\n\n", [b"a", b"b"]),
        (b"data: a\ndata: b\n\n", [b"a\nb"]),
        (b"data: a\ndata:\ndata: c\n\n", [b"a\n\nc"]),
        (b": keep-alive\n\ndata: a\n\n: again\n\n", [b"a"]),
        (b"event: message\nid: 7\nretry: 10\ndata: a\n\n", [b"a"]),
        (b"\xef\xbb\xbfdata: a\n\n", [b"a"]),
        (b"data: a\n\n\n\n\ndata: b\n\n", [b"a", b"b"]),
        (b"data: a", [b"a"]),
        (b"data: a\n", [b"a"]),
        (b"data: a\r", [b"a"]),
        (b"datax: a\n\ndata: b\n\n", [b"b"]),
        (b"", []),
    ],
)
def test_events_of_a_body_at_every_cut(body: bytes, events: list[bytes]) -> None:
    assert read([body]) == events
    assert read([body[at : at + 1] for at in range(len(body))]) == events
    for place in range(len(body)):
        assert read([body[:place], body[place:]]) == events, place


lines = st.sampled_from([b"data: x", b"data: \xf0\x9f\x98\x80", b"data:", b": c", b"event: e", b"", b"data"])
ends = st.sampled_from([b"\n", b"\r\n", b"\r"])


@given(st.lists(lines, max_size=12), ends, st.data())
def test_cuts_and_line_ends_change_nothing(written: list[bytes], end: bytes, data: st.DataObject) -> None:
    body = b"".join(line + end for line in written)
    places = sorted(data.draw(st.sets(st.integers(0, len(body)), max_size=8)))
    cut = [body[start:stop] for start, stop in zip([0, *places], [*places, len(body)], strict=True)]
    assert read(cut) == read([b"".join(line + b"\n" for line in written)])


def test_an_endless_event_is_given_up() -> None:
    stream = EventStream()
    stream.feed(b"data: a\n")
    stream.feed(b"data: " + b"x" * (sse.MAX_EVENT_BYTES // 2))
    with pytest.raises(EventTooLarge):
        stream.feed(b"x" * (sse.MAX_EVENT_BYTES // 2))


def test_many_comments_are_no_large_event() -> None:
    stream = EventStream()
    block = b": " + b"x" * (1024 * 1024)
    for _ in range(sse.MAX_EVENT_BYTES // len(block) + 2):
        assert stream.feed(block + b"\n") == []
    assert stream.feed(b"data: a\n\n") == [b"a"]
