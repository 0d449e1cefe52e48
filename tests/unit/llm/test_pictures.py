"""Pictures of pages in every wire format: each provider checks the request, decodes the pictures and reads them."""

from __future__ import annotations

import base64
import io
from itertools import pairwise
from pathlib import Path

import pytest
from PIL import Image
from reportlab.pdfgen.canvas import Canvas

from docagent.adapters.llm.factory import ProviderKind, make_model
from docagent.adapters.llm.litellm_model import LiteLLMModel
from docagent.adapters.llm.scripted import make_reply
from docagent.adapters.llm.transport import ModelTransport
from docagent.adapters.parse.reader import ChildProcessReader
from docagent.domain.documents.pictures import Drawing, drawing_name
from docagent.domain.documents.text import Box, Page
from docagent.domain.models.catalogue import known_models
from docagent.domain.models.llm import (
    DocumentPart,
    ImagePart,
    Message,
    ModelReply,
    ModelRequest,
    PageView,
    TextPart,
    ToolCall,
    ToolResult,
    ToolSpec,
)
from docagent.domain.models.pictures import Eyes, Size, eyes_of, sent_pictures, without_pictures
from docagent.domain.models.providers import WireKind
from docagent.services.models.model_calls import expected_usage
from tests.support.models.provider import running_provider
from tests.support.models.provider_rules import Refused
from tests.support.models.seeing import pictures_in, read_all
from tests.unit.llm.test_other_models import COUNTED, FakeLiteLLM

A4 = (595.0, 842.0)
PAGE = Page(1, *A4, ())
MODELS = {
    WireKind.OPENAI: "gpt-4o",
    WireKind.OPENAI_RESPONSES: "gpt-4o",
    WireKind.ANTHROPIC: "claude-sonnet-4-20250514",
    WireKind.GEMINI: "gemini-2.5-flash",
    WireKind.OPENAI_COMPATIBLE: "qwen2.5-vl",
    WireKind.OLLAMA: "llava",
}
KINDS = pytest.mark.parametrize("kind", MODELS)
SECRET = "Reference KX-48213 is due on 17 March"


def eyes(kind: WireKind) -> Eyes:
    info = next((one for one in known_models().get(kind.value, ()) if one.wire_name == MODELS[kind]), None)
    info = info or known_models()["docagent"][0]
    return eyes_of(info, kind)


def paper(path: Path, *lines: str, size: float = 8) -> Path:
    canvas = Canvas(str(path), pagesize=A4)
    canvas.setFont("Helvetica", size)
    for number, line in enumerate(lines):
        canvas.drawString(60, 780 - 1.6 * size * number, line)
    canvas.showPage()
    canvas.save()
    return path


async def pictures(pdf: Path, folder: Path, kind: WireKind) -> list[ImagePart]:
    pieces = eyes(kind).pieces_of(PAGE)
    drawings = [Drawing(1, piece.region, *piece.size) for piece in pieces]
    await ChildProcessReader().draw(pdf, folder, drawings=drawings)
    return [
        ImagePart(
            base64.b64encode((folder / drawing_name(number)).read_bytes()).decode(),
            "image/jpeg",
            eyes(kind).tokens(piece.size),
            *piece.size,
            PageView("d1", 1, piece.region),
        )
        for number, piece in enumerate(pieces)
    ]


@KINDS
async def test_every_provider_reads_the_picture_that_it_is_sent(kind: WireKind, tmp_path: Path) -> None:
    """8-point print, at the size for this provider. The provider knows the text from the picture alone."""
    shown = await pictures(paper(tmp_path / "paper.pdf", "Terms", SECRET), tmp_path, kind)
    request = ModelRequest(MODELS[kind], (Message("user", (TextPart("What is due?"), *shown)),))
    async with running_provider() as server, ModelTransport(use_environment_proxy=False) as transport:
        server.add(lambda body: make_reply(read_all(body)))
        model = make_model(ProviderKind(kind.value), transport, base_url=server.base_url)
        last = [event async for event in model.stream(request)][-1]
    assert isinstance(last, ModelReply)
    assert SECRET in last.text
    assert [picture.size for picture in pictures_in(server.requests[0].body)] == [
        (part.width, part.height) for part in shown
    ]


async def test_litellm_gets_pictures_in_the_chat_format(tmp_path: Path) -> None:
    shown = await pictures(paper(tmp_path / "paper.pdf", SECRET), tmp_path, WireKind.ANTHROPIC)
    said = {"choices": [{"delta": {"content": "Hi"}, "finish_reason": "stop"}], "model": "real"}
    package = FakeLiteLLM(said, COUNTED)
    request = ModelRequest("bedrock/claude", (Message("user", (TextPart("?"), *shown)),))
    [_ async for _ in LiteLLMModel(load=package.load).stream(request)]
    assert SECRET in read_all({"messages": package.asked["messages"]})


@KINDS
async def test_a_picture_may_follow_the_result_of_a_call(kind: WireKind, tmp_path: Path) -> None:
    shown = await pictures(paper(tmp_path / "paper.pdf", SECRET), tmp_path, kind)
    messages = (
        Message("user", (TextPart("What is due?"),)),
        Message("assistant", (ToolCall("call_1", "look_at_page", '{"page": 1}'),)),
        Message("user", (ToolResult("call_1", '{"shown": "page 1"}'), *shown)),
    )
    tools = (ToolSpec("look_at_page", "Look.", {"type": "object", "properties": {}}),)
    async with running_provider() as server, ModelTransport(use_environment_proxy=False) as transport:
        server.add(lambda body: make_reply(str(len(pictures_in(body)))))
        model = make_model(ProviderKind(kind.value), transport, base_url=server.base_url)
        last = [event async for event in model.stream(ModelRequest(MODELS[kind], messages, tools=tools))][-1]
    assert isinstance(last, ModelReply)
    assert last.text == str(len(shown))


def test_a_provider_refuses_what_its_documentation_does_not_have() -> None:
    wrong = {"type": "image", "source": {"type": "base64", "media_type": "image/tiff", "data": "AAAA"}}
    with pytest.raises(Refused):
        pictures_in({"messages": [{"role": "user", "content": [wrong]}]})
    url = {"type": "image_url", "image_url": {"url": "data:image/png;base64,", "page": 1}}
    with pytest.raises(Refused):
        pictures_in({"messages": [{"role": "user", "content": [url]}]})


@KINDS
def test_sizes_stay_within_the_limits_and_print_stays_legible(kind: WireKind) -> None:
    for page in (
        PAGE,
        Page(1, 842, 595, ()),
        Page(1, 2384, 3370, ()),
        Page(1, 200, 900, ()),
        Page(1, 9, 9, ()),
    ):
        limits = eyes(kind)
        pieces = limits.pieces_of(page)
        assert pieces[0].region.top == 0
        assert pieces[-1].region.bottom == 1
        for piece, following in pairwise(pieces):
            assert piece.region.bottom > following.region.top
        for piece in pieces:
            assert max(piece.size) <= limits.longest
            assert min(piece.size) <= limits.shorter
            assert piece.size.width * piece.size.height <= limits.pixels
            assert limits.tokens(piece.size) > 0
    assert eyes(kind).pieces_of(PAGE)[0].size.width * 72 / PAGE.width >= 120


def test_tokens_are_counted_as_the_providers_document_them() -> None:
    def tokens(name: str, kind: WireKind, width: int, height: int) -> int:
        (info,) = (one for models in known_models().values() for one in models if one.name == name)
        return eyes_of(info, kind).tokens(Size(width, height))

    assert tokens("gpt-4o", WireKind.OPENAI, 768, 768) == 85 + 4 * 170
    assert tokens("gpt-4o-mini", WireKind.OPENAI, 768, 768) == 2833 + 4 * 5667
    assert tokens("gpt-4.1-mini", WireKind.OPENAI, 1024, 1024) == 1659
    assert eyes(WireKind.ANTHROPIC).tokens(Size(1092, 1092)) == 1590


def test_a_picture_counts_in_estimates_and_a_blind_model_gets_the_reason() -> None:
    picture = ImagePart("A" * 400_000, "image/jpeg", 700, 768, 900, PageView("d1", 2))
    asked = ModelRequest("m", (Message("user", (TextPart("?"), picture)),))
    info = known_models()["docagent"][0]
    bare = ModelRequest("m", (Message("user", (TextPart("?"),)),))
    assert expected_usage(info, asked).input_tokens - expected_usage(info, bare).input_tokens == 700
    (sent,) = sent_pictures(asked)
    assert (sent.document_id, sent.page, sent.width, sent.height, sent.region) == ("d1", 2, 768, 900, None)
    (message,) = without_pictures(asked, "this model takes none").messages
    assert message.parts[1] == TextPart("(The picture of page 2 is not shown: this model takes none)")


async def test_only_the_region_is_drawn_and_private_parts_are_black(tmp_path: Path) -> None:
    pdf = paper(tmp_path / "paper.pdf", *(["secret words"] * 60), size=8)
    drawing = Drawing(1, Box(0.0, 0.0, 1.0, 0.5), 800, 566, (Box(0.0, 0.2, 1.0, 0.4),))
    await ChildProcessReader().draw(pdf, tmp_path, drawings=[drawing])
    picture = Image.open(io.BytesIO((tmp_path / drawing_name(0)).read_bytes()))
    assert picture.width == 800
    hidden = picture.convert("L").crop((0, int(0.42 * picture.height), 800, int(0.78 * picture.height)))
    assert max(hidden.tobytes()) < 16
    shown = picture.convert("L").crop((0, 0, 800, int(0.38 * picture.height)))
    assert min(shown.tobytes()) < 128 < max(shown.tobytes())


def test_documents_and_pictures_stand_side_by_side() -> None:
    document = DocumentPart("a.pdf", [PAGE])
    picture = ImagePart("AAAA", view=PageView("d1", 1))
    asked = ModelRequest("m", (Message("user", (document, picture)),))
    assert without_pictures(asked, "no").messages[0].parts[0] == document
