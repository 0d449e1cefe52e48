from __future__ import annotations

import zlib

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docagent.domain.documents.text import Box, Line, Page, Word, WordSource
from docagent.domain.errors import ReadFailed, ReadFailure
from docagent.reading.page_codec import MAX_UNPACKED_BYTES, decode_page, pack_page, pack_words, token
from tests.support.tables import table
from tests.unit.layout.made_pages import PageMaker

STEP = 1 / 65535

fractions = st.floats(min_value=-0.25, max_value=1.25, allow_nan=False)
texts = st.text(st.characters(codec="utf-8"), min_size=1, max_size=12)
words = st.builds(
    Word,
    text=texts,
    box=st.builds(Box, fractions, fractions, fractions, fractions),
    confidence=st.floats(0, 1),
    source=st.sampled_from(WordSource),
)
lines = st.builds(Line, st.lists(words, min_size=1, max_size=6).map(tuple))
pages = st.builds(
    Page,
    number=st.integers(1, 100_000),
    width=st.floats(1, 20_000),
    height=st.floats(1, 20_000),
    lines=st.lists(lines, max_size=5).map(tuple),
    note=st.none() | texts,
)


def _numbers(word: Word) -> tuple[float, ...]:
    return (word.box.left, word.box.top, word.box.right, word.box.bottom, word.confidence)


@settings(max_examples=50)
@given(pages)
def test_a_page_comes_back_with_its_words_in_place(page: Page) -> None:
    packed = pack_page(page)
    back = decode_page(packed.layout)

    assert (packed.number, packed.note) == (page.number, page.note)
    assert packed.text == page.text.replace("\x00", "")
    assert (back.number, back.width, back.height, back.note) == (
        page.number,
        page.width,
        page.height,
        page.note,
    )
    assert [len(line.words) for line in back.lines] == [len(line.words) for line in page.lines]
    for given_word, read_word in zip(page.words, back.words, strict=True):
        assert (read_word.text, read_word.source) == (given_word.text, given_word.source)
        assert _numbers(read_word) == pytest.approx(_numbers(given_word), abs=STEP)


@settings(max_examples=50)
@given(pages)
def test_a_page_that_was_stored_once_is_stored_the_same_again(page: Page) -> None:
    stored = pack_page(page).layout

    assert pack_page(decode_page(stored)).layout == stored


def test_a_full_page_takes_a_few_kilobytes() -> None:
    maker = PageMaker()
    for number in range(50):
        maker.write(72, 40 + 14 * number, " ".join(f"word{number}{index}" for index in range(10)))

    assert len(pack_page(maker.page()).layout) < 6_000


def test_half_characters_become_the_replacement_character() -> None:
    page = Page(1, 100, 100, (Line((Word("a\ud83d", Box(0, 0, 1, 1)),)),), note="\udc00")

    packed = pack_page(page)
    back = decode_page(packed.layout)

    assert packed.text == back.text == "a\ufffd"
    assert back.note == "\ufffd"


@table(
    "data",
    [
        b"",
        b"\x01",
        b"\x01not zlib",
        b"\x01" + zlib.compress(b"not json"),
        b"\x01" + zlib.compress(orjson.dumps([1, 2])),
        b"\x01" + zlib.compress(orjson.dumps([1, 9, 9, None, [1], ["a"], [1], [1], [], [1], 1, 0])),
        b"\x01" + zlib.compress(orjson.dumps([1, 9, 9, None, [1], ["a"], [1], [1], [1], [1], [1, 2], 0])),
        pack_page(PageMaker().write(10, 10, "one two").page()).layout[:-4],
    ],
)
def test_bytes_of_another_origin_are_refused(data: bytes) -> None:
    with pytest.raises(ReadFailed, match="damaged") as caught:
        decode_page(data)

    assert caught.value.failure is ReadFailure.DAMAGED


def test_a_page_that_would_unpack_to_far_too_much_is_refused() -> None:
    with pytest.raises(ReadFailed, match="damaged"):
        decode_page(b"\x01" + zlib.compress(b" " * (MAX_UNPACKED_BYTES + 1), 1))


def test_a_page_with_far_too_much_text_is_not_packed() -> None:
    page = Page(1, 100, 100, (Line((Word("x" * MAX_UNPACKED_BYTES, Box(0, 0, 1, 1)),)),))

    with pytest.raises(ReadFailed, match="too much text"):
        pack_page(page)


def test_a_later_version_is_named_in_the_error() -> None:
    stored = pack_page(PageMaker().page()).layout

    with pytest.raises(ReadFailed, match="version 9") as caught:
        decode_page(b"\x09" + stored[1:])

    assert caught.value.failure is ReadFailure.UNSUPPORTED


STORED_BY_0_2_0 = bytes.fromhex(
    "0178012d8a310e80201004bf62aede903be0504aff6047282cec8c34163edf436c26d9992d019ad53196e88db44e57bb0f47281e52"
    "51686bf77e12a83cd598a14ca6936a8404e1f47131d5d70c068f1c7a10d8318c284374fb3ff4ab8a9845bb63087cad2fdcbe2164"
)


def test_a_page_of_the_last_release_is_read_and_would_be_stored_the_same() -> None:
    page = decode_page(STORED_BY_0_2_0)

    assert (page.number, page.note, page.text) == (3, "A note.", "Total [x]\n9,50")
    assert [word.source for word in page.words] == [WordSource.TEXT, WordSource.WIDGET, WordSource.OCR]
    assert page.words[2].box.left == pytest.approx(0.5, abs=STEP)
    assert pack_page(page).layout == STORED_BY_0_2_0


def test_ruled_lines_come_back_and_pages_without_them_are_stored_as_before() -> None:
    words = [
        [token(word) for word in line.words] for line in PageMaker().write(72, 100, "Total").page().lines
    ]

    plain, ruled = (pack_words(1, 612, 792, words, None, ruling) for ruling in ((), [(0, 6554, 65535, 6554)]))

    assert len(orjson.loads(zlib.decompress(plain.layout[1:]))) == 12
    assert decode_page(plain.layout).ruling == ()
    assert decode_page(ruled.layout).ruling == (Box(0, 6554 / 65535, 1, 6554 / 65535),)
    assert decode_page(ruled.layout).lines == decode_page(plain.layout).lines


def test_the_other_readings_of_words_come_back_and_pages_without_them_are_stored_as_ever() -> None:
    words = [Word(text, Box(0.1, 0.1, 0.2, 0.2), 0.5, WordSource.OCR) for text in ("Total", "100.00")]
    lines = [[token(word) for word in words]]
    packed = pack_words(1, 595.0, 842.0, lines, None, (), {token(words[1]): "1OO.00"})
    assert decode_page(packed.layout).other_readings == {1: "1OO.00"}
    assert packed.layout[0] == 2
    plain = pack_words(1, 595.0, 842.0, lines, None, (), {})
    assert plain.layout[0] == 1
    assert decode_page(plain.layout).other_readings == {}
