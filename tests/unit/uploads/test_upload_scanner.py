"""An upload whose contents are taken out while it arrives says what it says as a whole, and is wrong where that is."""

from __future__ import annotations

import asyncio
import base64
import json
import random
from typing import Any

from docagent.api.server.upload_scanner import SHORT, UploadScanner
from docagent.domain.errors import InvalidInput
from docagent.services.documents.contents import Spool, SpooledContent, decoded
from tests.support.tables import table

PIECES = (1, 7, 4096, 10**6)
LONG = base64.b64encode(bytes(range(256)) * 12).decode()
HALF = "\\ud83d"
TEXTS = [
    "",
    "{}",
    "null",
    '{"documents": []}',
    '{"documents": [{"name": "a.pdf", "content": "QUJD"}]}',
    '{"documents": [{"name": "a.pdf", "content": "@"}]}',
    '{"documents":[{"content":"@","name":"a"},{"content" :\n"@"},{"content":"x"}]} ',
    '{"documents": [{"content": "data:application/pdf;base64,@"}]}',
    '{"documents": [{"content": "@\\/\\u0041@"}]}',
    '{"documents": [{"content": "@\\r\\n@\\r\\n"}]}',
    '{"documents": [{"content": "@", "content": "QUJD@"}]}',
    '{"documents": [{"content": "@", "content": 5}]}',
    '{"documents": [{"metadata": {"content": "@"}, "name": "@"}]}',
    '{"documents": [{"name": "content"}, {"content": 1, "content": "@"}]}',
    '{"documents": [["content", "@"]]}',
    '{"documents": [{"content": "@!"}]}',
    '{"documents": [{"content": "@é"}]}',
    '{"documents": [{"content": "@\\ud83d\\ude00"}]}',
    '{"documents": [{"content": "@\\ud83d"}]}',
    '{"documents": [{"content": "@\\"@"}]}',
    '{"documents": [{"content": "@\\\\"}]}',
    # what is no JSON
    '{"documents": [{"content": "@"}',
    '{"documents": [{"content": "@',
    '{"documents": [{"content": "@\\',
    '{"documents": [{"content": "@\\u00',
    '{"documents": [{"content": "@\\u0041',
    '{"documents": [{"content": "@\n@"}]}',
    '{"documents": [{"content": "@\\x@"}]}',
    '{"documents": [{"content": "@\\u00zz@"}]}',
    '{"documents": [{"content": "@"}, {"content": "@\t"}]}',
    '{"documents": [{"content": "@" "@"}]}',
    '{"documents": [{"content": "@"}]} and more',
    '{"documents": [{"content": : "@"}]}',
    '[{{"content": "@"',
    '}}}}]]]{"documents": [{"content": "@"}]}',
]
"""Where `@` stands, there is a long content."""


def check(text: str, size: int) -> None:
    spool = Spool()
    scanner = UploadScanner(spool)
    left = "".join(scanner.feed(text[at : at + size]) for at in range(0, len(text), size)) + scanner.end()
    wanted = outcome_of_json(text)
    found = outcome_of_json(left)
    if isinstance(wanted, json.JSONDecodeError):
        assert isinstance(found, json.JSONDecodeError)
        assert (scanner.place_in_whole(found.pos), found.msg) == (wanted.pos, wanted.msg)
    else:
        compare(found, wanted, scanner, asyncio.run(spool.read(0, spool.size)))


def outcome_of_json(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        return error


def compare(
    found: Any, whole: Any, scanner: UploadScanner, spooled: bytes, path: tuple[Any, ...] = ()
) -> None:
    if isinstance(found, dict):
        assert list(found) == list(whole)
        for key in found:
            compare(found[key], whole[key], scanner, spooled, (*path, key))
    elif isinstance(found, list):
        assert len(found) == len(whole)
        for at, (one, other) in enumerate(zip(found, whole, strict=True)):
            compare(one, other, scanner, spooled, (*path, at))
    elif isinstance(found, str) and found.removeprefix("\ud800") in scanner.contents:
        assert len(path) == 3
        assert path[-1] == "content"
        is_unicode = not any("\ud800" <= character <= "\udfff" for character in whole)
        assert (found in scanner.contents) is is_unicode
        if is_unicode:
            content = scanner.contents[found]
            assert outcome(content, spooled) == outcome(whole, b"")
    else:
        assert found == whole


def outcome(content: str | SpooledContent, spooled: bytes) -> bytes | str:
    try:
        found = decoded(content)
    except InvalidInput as error:
        return error.detail
    return found if isinstance(found, bytes) else spooled[found.start : found.start + found.size]


@table("size", PIECES)
@table("text", TEXTS)
def test_the_corpus(text: str, size: int) -> None:
    check(text.replace("@", LONG), size)


@table("size", [1, 3, 100])
def test_texts_by_chance(size: int) -> None:
    chance = random.Random(size)
    parts = [
        '"',
        "\\",
        '\\"',
        "\\\\",
        "\\u",
        HALF,
        "\\ude00",
        "\\n",
        "\\/",
        "é",
        "\n",
        "A",
        "=",
        "0041",
        "{",
        "]",
        ",",
        ":",
    ]
    parts += ['"content"', '"content":"', '"documents":[{', LONG[: SHORT + 1]]
    for _ in range(150):
        text = '{"documents":[{"content":"' + LONG[: chance.choice((0, SHORT + 1))]
        text += "".join(chance.choice(parts) for _ in range(chance.randrange(12)))
        text += chance.choice(('"}]}', '"}', '","name":"a"}]}', ""))
        check(text, size)


def test_a_long_content_is_not_in_what_is_left() -> None:
    scanner = UploadScanner(Spool())
    left = scanner.feed('{"documents": [{"content": "')
    left += "".join(scanner.feed(LONG) for _ in range(300))
    left += scanner.feed('"}]}') + scanner.end()
    assert len(left) < 2000
