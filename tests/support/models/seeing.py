"""A provider that sees: it checks a request as its real counterpart does, decodes the pictures and reads them."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterator
from typing import Any

from PIL import Image

from docagent.adapters.parse.recognition.recogniser import Recogniser
from tests.support.models.provider_rules import (
    Body,
    check_anthropic,
    check_gemini,
    check_openai_chat,
    check_openai_responses,
)

DPI = 150
_recogniser = Recogniser()


def check(body: Body) -> None:
    """Raise Refused for what the provider of this wire format would refuse."""
    if "contents" in body:
        check_gemini(body)
    elif "input" in body:
        check_openai_responses(body)
    elif any(isinstance(one["content"], list) and _is_anthropic(one["content"]) for one in body["messages"]):
        check_anthropic(body)
    else:
        check_openai_chat(body)


def pictures_in(body: Body) -> list[Image.Image]:
    """The pictures of a request in any wire format, decoded, in their order."""
    check(body)
    return [Image.open(io.BytesIO(base64.b64decode(data, validate=True))) for data in _files(body)]


def read(picture: Image.Image) -> str:
    """What a recogniser can read of the picture."""
    found = _recogniser.read(picture.convert("RGB"), dpi=DPI)
    return "\n".join(line.text for line in found.lines)


def read_all(body: Body) -> str:
    return "\n".join(map(read, pictures_in(body)))


def _files(value: Any) -> Iterator[str]:
    """Base64 of pictures, wherever they stand in a body."""
    if isinstance(value, dict):
        if value.get("type") == "image":
            yield value["source"]["data"]
        elif "inlineData" in value and value["inlineData"]["mimeType"].startswith("image/"):
            yield value["inlineData"]["data"]
        elif value.get("type") in ("image_url", "input_image"):
            url = value["image_url"]
            yield (url if isinstance(url, str) else url["url"]).partition(",")[2]
        else:
            for inner in value.values():
                yield from _files(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _files(inner)


def _is_anthropic(content: list[Any]) -> bool:
    return any(block.get("type") in ("image", "tool_result", "tool_use") for block in content)
