"""Extraction with a model that sees: it reads what it is shown with a recogniser, and knows nothing else."""

from __future__ import annotations

import base64
import io
import json
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from typing import Any

import pytest
from PIL import Image

from docagent.adapters.llm.scripted import Answer, ScriptedModel
from docagent.domain.documents.text import Box, Line, Page, Word, WordSource
from docagent.domain.extraction.seeing import doubtful_pages, is_doubtful, seen_at, where
from docagent.domain.field_path import FieldPath
from docagent.domain.models.llm import (
    DocumentPart,
    ImagePart,
    Model,
    ModelError,
    ModelFailure,
    ModelRequest,
    PageView,
    TextPart,
)
from docagent.domain.models.providers import Connection, WireKind
from tests.api.extraction.test_extraction import make_prompt, result, run
from tests.conftest import make_settings, running_product
from tests.support.made.documents import base64_of, pdf, scanned_pdf, stamped_pdf
from tests.support.models.seeing import read
from tests.support.org_api import OrgApi
from tests.support.polling import until
from tests.support.product import Product, Tenant
from tests.support.services.databases import Databases

PAPER = ["ACME GmbH", "Invoice for pumps", "Total 1,617.30"]
FIELDS = {"number": {"type": "string"}, "total": {"type": ["number", "null"]}}


class Stage:
    def __init__(self, product: Product, model: ScriptedModel) -> None:
        self.product, self.model = product, model
        self.answer: Callable[[ModelRequest], Answer] = lambda _: "{}"


@pytest.fixture(scope="module")
async def stage(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stage]:
    url = await databases.new("sqlite")
    scripted = ScriptedModel(lambda asked: staged.answer(asked))

    def open_model(connection: Connection) -> Model:
        assert connection.kind is not WireKind.BUILT_IN
        return scripted

    settings = make_settings(tmp_path_factory.mktemp("data"), url)
    keys = {"OPENAI_API_KEY": "sk-test", "DEEPSEEK_API_KEY": "sk-test"}
    async with running_product(settings, keys, open_model) as product:
        staged = Stage(product, scripted)
        yield staged


@pytest.fixture
async def tenant(stage: Stage) -> Tenant:
    stage.model.requests.clear()
    return await stage.product.new_tenant()


@pytest.fixture
def api(stage: Stage, tenant: Tenant) -> OrgApi:
    return OrgApi(stage.product.client, tenant.organization_id, tenant.headers)


async def upload(stage: Stage, tenant: Tenant, content: bytes, **more: Any) -> str:
    api = OrgApi(stage.product.client, tenant.organization_id, tenant.headers)
    body = {"documents": [{"name": "a.pdf", "content": base64_of(content), **more}]}
    document_id: str = (await api.post("/documents", body))["documents"][0]["document_id"]
    await stage.product.read_document(tenant, document_id)
    return document_id


def pictures_of(asked: ModelRequest) -> list[ImagePart]:
    return [part for message in asked.messages for part in message.parts if isinstance(part, ImagePart)]


def decoded(part: ImagePart) -> Image.Image:
    return Image.open(io.BytesIO(base64.b64decode(part.data)))


def text_of(asked: ModelRequest) -> str:
    return "\n".join(
        part.text for message in asked.messages for part in message.parts if isinstance(part, TextPart)
    )


def words_of(asked: ModelRequest) -> str:
    """All that is sent as words."""
    documents = [
        part for message in asked.messages for part in message.parts if isinstance(part, DocumentPart)
    ]
    texts = [text for part in documents for text in (part.texts or (page.text for page in part.pages))]
    return "\n".join([asked.system or "", text_of(asked), *texts])


def looks(asked: ModelRequest, *, said: str | None = None) -> Answer:
    """Answer from what is shown: without a picture the number is not there, with one it is read."""
    shown = pictures_of(asked)
    lines = [(at, line) for at, part in enumerate(shown) for line in read(decoded(part)).splitlines()]
    found = [(at, word) for at, line in lines for word in line.split() if word.startswith("INV-")]
    if "`picture`" in text_of(asked):
        place = {"picture": found[0][0] + 1, "box": _box_of(decoded(shown[found[0][0]]))} if found else None
        return json.dumps({"/number": place})
    number = (said or found[0][1]) if found else ""
    if "first answer" in text_of(asked):
        return json.dumps({"/number": number})
    return json.dumps({"number": number, "total": 1617.3})


def _box_of(picture: Image.Image) -> list[float]:
    """Where the stamp is: the ink of the right half of the page, in thousandths of the picture."""
    width, height = picture.size
    ink = picture.convert("L").crop((width // 2, 0, width, height)).point(lambda level: 255 * (level < 128))
    left, top, right, bottom = ink.getbbox() or (0, 0, 1, 1)
    across, down = 1000 / width, 1000 / height
    return [(left + width // 2) * across, top * down, (right + width // 2) * across, bottom * down]


async def calls(api: OrgApi) -> list[Any]:
    return list((await api.get("/payments/calls"))["calls"])


async def test_a_required_field_that_the_text_lacks_is_read_from_a_picture_and_confirmed(
    stage: Stage, tenant: Tenant, api: OrgApi
) -> None:
    """The text goes first, a picture follows, and our readers confirm the value where the model saw it."""
    stage.answer = looks
    document_id = await upload(stage, tenant, stamped_pdf(PAPER, "INV-2041"))
    prompt = await make_prompt(api, FIELDS, model="gpt-4o")
    await run(api, document_id, prompt)
    found = await result(api, document_id, prompt)
    assert found["llm_result"] == {"number": "INV-2041", "total": 1617.3}
    first, second, place = stage.model.requests
    assert not pictures_of(first)
    assert not [part for part in first.messages[0].parts if isinstance(part, DocumentPart) and part.pdf]
    assert pictures_of(second)
    assert not [part for part in place.messages[0].parts if isinstance(part, DocumentPart)]
    stands = found["grounding"]["number"]
    assert stands["match"] != "unproven"
    assert "seen" not in stands
    assert [word["text"] for word in stands["words"]] == ["INV-2041"]
    assert 0.5 < stands["words"][0]["box"][0] < 0.9
    newest = await calls(api)
    assert [len(one["pictures"] or []) for one in newest] == [len(pictures_of(place))] * 2 + [0]
    assert {(one["page"], newest[0]["provider"]) for one in newest[0]["pictures"]} == {(1, "openai")}
    assert newest[0]["pictures"][0]["width"] <= 2048
    assert (await api.get("/payments/calls", with_pictures="true"))["calls"] == newest[:2]


async def test_what_only_the_model_saw_is_marked_and_not_proven(
    stage: Stage, tenant: Tenant, api: OrgApi
) -> None:
    """The model contradicts the page: both are kept, and nothing is proven."""
    stage.answer = lambda asked: looks(asked, said="INV-9999")
    document_id = await upload(stage, tenant, stamped_pdf(PAPER, "INV-2041"))
    prompt = await make_prompt(api, FIELDS, model="gpt-4o")
    await run(api, document_id, prompt)
    found = await result(api, document_id, prompt)
    assert found["llm_result"]["number"] == "INV-9999"
    stands = found["grounding"]["number"]
    assert stands["match"] == "unproven"
    assert stands["seen"]["page"] == 1
    assert "INV-2041" in stands["seen"]["read"]
    left, top, right, bottom = stands["seen"]["box"]
    assert 0 <= left < right <= 1
    assert 0 <= top < bottom <= 1
    assert found["grounding"]["total"]["match"] != "unproven"


async def test_a_blind_model_and_an_organisation_that_forbids_it_get_no_picture(
    stage: Stage, tenant: Tenant, api: OrgApi
) -> None:
    stage.answer = looks
    document_id = await upload(stage, tenant, stamped_pdf(PAPER, "INV-2041"))
    blind = await make_prompt(api, FIELDS, model="deepseek/deepseek-chat", include={"pictures": "always"})
    await run(api, document_id, blind)
    why = (await result(api, document_id, blind))["run"]["report"]["pictures"]["why_not"]
    assert "does not take pictures" in why
    answer = await stage.product.client.put(
        f"/v0/account/organizations/{tenant.organization_id}",
        json={"remote_pictures": False, "pictures": "always"},
        headers=tenant.account_headers,
    )
    assert answer.status_code == 200, answer.text
    assert (answer.json()["remote_pictures"], answer.json()["pictures"]) == (False, "always")
    remote = await make_prompt(api, FIELDS, model="gpt-4o")
    await run(api, document_id, remote)
    why = (await result(api, document_id, remote))["run"]["report"]["pictures"]["why_not"]
    assert "outside of its network" in why
    for asked in stage.model.requests:
        assert not pictures_of(asked)
        parts = [part for message in asked.messages for part in message.parts]
        assert not [part for part in parts if isinstance(part, DocumentPart) and part.pdf]
    assert all(one["pictures"] is None for one in await calls(api))


async def test_private_regions_are_black_and_keep_the_pdf_back(
    stage: Stage, tenant: Tenant, api: OrgApi
) -> None:
    stage.answer = looks
    document_id = await upload(stage, tenant, stamped_pdf(PAPER, "INV-2041"))
    prompt = await make_prompt(api, FIELDS, model="gpt-4o", include={"pictures": "always"})
    await run(api, document_id, prompt)
    (sent,) = [part for part in stage.model.requests[0].messages[0].parts if isinstance(part, DocumentPart)]
    assert sent.pdf
    stage.model.requests.clear()
    region = {"page": 1, "box": [0.5, 0.3, 0.95, 0.45]}
    await api.put(f"/documents/{document_id}", {"private_regions": [region]})
    assert (await api.get(f"/documents/{document_id}"))["private_regions"] == [region]
    await run(api, document_id, prompt, force="true")
    (sent,) = [part for part in stage.model.requests[0].messages[0].parts if isinstance(part, DocumentPart)]
    assert sent.pdf is None
    assert pictures_of(stage.model.requests[0])
    assert "INV" not in "".join(read(decoded(part)) for part in pictures_of(stage.model.requests[0]))
    await api.put(f"/documents/{document_id}", {"private_regions": []})
    assert (await api.get(f"/documents/{document_id}"))["private_regions"] is None


async def test_words_in_private_regions_are_sent_to_no_model(
    stage: Stage, tenant: Tenant, api: OrgApi
) -> None:
    """Not in the text, not as a rival reading of the built-in model, also after another reading. People see them."""
    stage.answer = lambda _: json.dumps({"number": "", "total": None})
    document_id = await upload(stage, tenant, pdf(PAPER))
    prompt = await make_prompt(api, FIELDS, model="gpt-4o")
    words = await api.get(f"/ocr/words/{document_id}")
    (place,) = [word[1:] for line in words["pages"][0]["lines"] for word in line if word[0] == "1,617.30"]
    left, top, right, bottom = place
    region = {"page": 1, "box": [left, (top + bottom) / 2, (left + right) / 2, bottom]}
    await api.put(f"/documents/{document_id}", {"private_regions": [region]})
    assert await api.get(f"/ocr/words/{document_id}") == words

    async def is_hidden() -> None:
        stage.model.requests.clear()
        await run(api, document_id, prompt, force="true")
        assert any(map(pictures_of, stage.model.requests))
        for asked in stage.model.requests:
            assert "617" not in words_of(asked)
        assert "Invoice for pumps" in words_of(stage.model.requests[0])
        assert (await api.get("/search", q="1,617.30"))["results"] == []

    await is_hidden()
    typed = {"updated_llm_result": {"number": "", "total": 1617.3}}
    await api.put(f"/llm/result/{document_id}?prompt_revid={prompt['prompt_revid']}", typed)
    place = (await result(api, document_id, prompt))["grounding"]["total"]
    assert place["match"] != "unproven", "people see it"
    await api.post(f"/ocr/run/{document_id}?force=true", {})
    await stage.product.read_document(tenant, document_id)
    await is_hidden()
    await api.put(f"/documents/{document_id}", {"private_regions": []})
    assert (await api.get("/search", q="1,617.30"))["results"]
    await run(api, document_id, prompt, force="true")
    assert "1,617.30" in words_of(stage.model.requests[-1])


async def test_a_run_that_breaks_between_two_calls_with_pictures_pays_for_each_once(
    stage: Stage, tenant: Tenant, api: OrgApi
) -> None:
    tag = (await api.post("/tags", {"name": "bills"}))["id"]
    await make_prompt(api, FIELDS, model="gpt-4o", tag_ids=[tag], include={"pictures": "doubtful"})
    asked_for: list[str] = []

    def breaks_once(asked: ModelRequest) -> Answer:
        which = (
            "where"
            if "`picture`" in text_of(asked)
            else "again"
            if "first answer" in text_of(asked)
            else "first"
        )
        asked_for.append(which)
        if which == "again" and asked_for.count("again") == 1:
            raise RuntimeError("a fault that nobody foresaw")
        return looks(asked)

    stage.answer = breaks_once
    await upload(stage, tenant, stamped_pdf(PAPER, "INV-2041"), tag_ids=[tag])

    async def is_done() -> bool:
        return all(job["state"] in ("done", "failed") for job in (await api.get("/jobs"))["jobs"])

    await until(is_done)
    (job,) = [job for job in (await api.get("/jobs"))["jobs"] if job["kind"] == "extract"]
    assert job["state"] == "done"
    assert asked_for.count("first") == 1
    assert len(await calls(api)) == len(asked_for) - 1


def page(*words: Word, **more: Any) -> Page:
    return Page(1, 595, 842, (Line(words),) if words else (), **more)


def word(confidence: float, source: WordSource = WordSource.OCR) -> Word:
    return Word("word", Box(0, 0, 0.1, 0.1), confidence, source)


def test_doubtful_pages() -> None:
    assert is_doubtful(page())
    assert is_doubtful(page(word(0.4), word(0.99)))
    assert is_doubtful(page(word(0.99), note="This page was cut off."))
    assert not is_doubtful(page(word(0.99), word(0.95)))
    assert not is_doubtful(page(word(0.4, WordSource.TEXT)))
    worse, bad = page(word(0.1)), replace(page(word(0.5)), number=2)
    assert doubtful_pages([page(word(0.99)), bad, worse]) == [worse, bad]


def test_places_that_a_model_makes_up_count_for_nothing() -> None:
    path = FieldPath(("number",))
    shown = [ImagePart("AAAA", view=PageView("d", 3, Box(0.0, 0.5, 1.0, 1.0)))]
    assert "/number" in where({path: "7"})
    made_up: list[Any] = [
        None,
        [],
        {"picture": 2, "box": [0, 0, 10, 10]},
        {"picture": 0, "box": [0, 0, 10, 10]},
        {"picture": 1, "box": [10, 0, 10, 10]},
        {"picture": 1, "box": ["a", 0, 10, 10]},
        {"picture": 1, "box": [0, 0, 10]},
    ]
    for wrong in made_up:
        assert seen_at({path.pointer: wrong}, {path: "7"}, shown) == {}
    (found,) = seen_at({path.pointer: {"picture": 1, "box": [0, 0, 500, 500]}}, {path: "7"}, shown).values()
    assert found.page == 3
    assert found.region.top == pytest.approx(0.49)
    assert found.region.bottom == pytest.approx(0.76)


async def test_a_scan_that_is_read_surely_goes_as_text_alone(
    stage: Stage, tenant: Tenant, api: OrgApi
) -> None:
    stage.answer = looks
    fields = {"total": {"type": ["number", "null"]}}
    prompt = await make_prompt(api, fields, model="gpt-4o")
    for content in (scanned_pdf("Total 1,617.30"), pdf(PAPER)):
        document_id = await upload(stage, tenant, content)
        await run(api, document_id, prompt)
    assert not any(map(pictures_of, stage.model.requests))


TRANSCRIBED = {"lines": [{"text": "Total 1,617.30", "picture": 1, "box": [100, 100, 500, 130]}]}


def transcribes(asked: ModelRequest) -> Answer:
    """A reader of pages that sees what our readers do not."""
    if "Transcribe" in text_of(asked):
        return json.dumps(TRANSCRIBED)
    if "`picture`" in text_of(asked):
        return "{}"
    return json.dumps({"number": "", "total": 1617.3 if "1,617.30" in words_of(asked) else None})


async def change_organisation(stage: Stage, tenant: Tenant, **change: Any) -> None:
    path = f"/v0/account/organizations/{tenant.organization_id}"
    answer = await stage.product.client.put(path, json=change, headers=tenant.account_headers)
    assert answer.status_code == 200, answer.text


READS = {"llm": {"model": "gpt-4o", "reads_doubtful_pages": True}}


async def test_a_model_reads_pages_on_which_our_readers_fail_and_proves_nothing(
    stage: Stage, tenant: Tenant, api: OrgApi
) -> None:
    stage.answer = transcribes
    await upload(stage, tenant, pdf([]))
    assert not stage.model.requests, "nobody has turned it on"
    await change_organisation(stage, tenant, ocr_config=READS)
    await upload(stage, tenant, pdf(PAPER))
    assert not stage.model.requests, "our readers read this one"
    document_id = await upload(stage, tenant, pdf([]))
    (asked,) = stage.model.requests
    assert len(pictures_of(asked)) == 2, "each half of the page"
    (shown,) = (await api.get(f"/ocr/words/{document_id}"))["pages"]
    assert [[word[0] for word in line] for line in shown["lines"]] == [["Total", "1,617.30"]]
    assert "model" in shown["note"]
    (charged,) = await calls(api)
    assert (charged["operation"], len(charged["pictures"])) == ("ocr", 2)
    assert charged["spus"] >= 1
    prompt = await make_prompt(api, FIELDS, model="gpt-4o")
    await run(api, document_id, prompt)
    found = await result(api, document_id, prompt)
    assert found["llm_result"]["total"] == 1617.3
    assert found["grounding"]["total"]["match"] == "unproven"
    assert found["grounding"]["total"]["signals"]["reason"] == "seen_by_model"


async def test_a_model_that_may_not_or_cannot_read_leaves_the_ordinary_reading(
    stage: Stage, tenant: Tenant, api: OrgApi
) -> None:
    def fails(_: ModelRequest) -> Answer:
        raise ModelError(ModelFailure.REFUSED, "The model refuses.", provider="openai")

    await change_organisation(stage, tenant, ocr_config=READS)
    for answer in (fails, lambda _: "I cannot read this.", lambda _: json.dumps({"lines": [3, {"text": 1}]})):
        stage.answer = answer
        document_id = await upload(stage, tenant, pdf([]))
        (shown,) = (await api.get(f"/ocr/words/{document_id}"))["pages"]
        assert shown["lines"] == []
    await change_organisation(stage, tenant, remote_pictures=False)
    stage.model.requests.clear()
    await upload(stage, tenant, pdf([]))
    assert not stage.model.requests
