"""Each search engine in its own wire format, against a server on this machine, with all that can go wrong."""

from __future__ import annotations

import asyncio
import json
from urllib.parse import parse_qs

import pytest
from aiohttp import web

from docagent.adapters.egress.client import EgressLimits, GuardedHttp
from docagent.bootstrap.ground import open_web_search
from docagent.domain.errors import CannotStart, InvalidInput, Unavailable
from docagent.domain.turns.web_search import MOST_QUERY_CHARACTERS, WebSource
from docagent.settings import SearchSettings
from tests.support.services.loopback import HERE, Handler, Names, endless, serving
from tests.support.services.search_engines import KEY, OPEN, Found, finds
from tests.support.tables import table

EACH = pytest.mark.parametrize("provider", list(OPEN))
QUERY = "VAT & Umsatzsteuer 19 % ?"


async def search(
    provider: str, handler: Handler, limits: EgressLimits | None = None
) -> tuple[WebSource, ...]:
    async with serving(handler) as server:
        return await OPEN[provider](GuardedHttp([HERE], limits), server.url()).search(QUERY)


def status(code: int, body: str = "{}", **headers: str) -> Handler:
    async def handler(request: web.Request) -> web.Response:
        return web.Response(status=code, text=body, content_type="application/json", headers=headers)

    return handler


# --- what is sent and found ---------------------------------------------------------------------------------------


async def test_searxng_is_asked_in_its_form() -> None:
    async with serving(finds("searxng", [])) as server:
        await OPEN["searxng"](GuardedHttp([HERE]), server.url("/inner/")).search(QUERY)
    (request,), (body,) = server.seen, server.bodies
    assert (request.method, request.path_qs) == ("POST", "/inner/search")
    assert parse_qs(body.decode()) == {"q": [QUERY], "format": ["json"]}
    assert "Authorization" not in request.headers


async def test_tavily_is_asked_in_its_form() -> None:
    async with serving(finds("tavily", [])) as server:
        await OPEN["tavily"](GuardedHttp([HERE]), server.url()).search(QUERY)
    (request,), (body,) = server.seen, server.bodies
    assert (request.method, request.path_qs) == ("POST", "/search")
    assert request.headers["Authorization"] == f"Bearer {KEY}"
    assert json.loads(body)["query"] == QUERY


async def test_brave_is_asked_in_its_form() -> None:
    async with serving(finds("brave", [])) as server:
        await OPEN["brave"](GuardedHttp([HERE]), server.url()).search(QUERY)
    (request,) = server.seen
    assert (request.method, request.path) == ("GET", "/res/v1/web/search")
    assert request.headers["X-Subscription-Token"] == KEY
    assert request.query["q"] == QUERY


@EACH
async def test_sources_have_title_address_date_and_excerpt(provider: str) -> None:
    found = [
        {
            "title": "A &amp; B",
            "url": "https://a.example/x?y=1",
            "excerpt": "<strong>VAT</strong> is\n 19 %.",
        },
        {"title": "C", "url": "http://c.example/", "excerpt": "c", "published": "2026-03-14T10:00:00"},
        {"title": "D", "url": "https://d.example/", "published": "Sat, 14 Mar 2026 10:00:00 GMT"},
    ]
    assert await search(provider, finds(provider, found)) == (
        WebSource("A & B", "https://a.example/x?y=1", "VAT is 19 %."),
        WebSource("C", "http://c.example/", "c", "2026-03-14"),
        WebSource("D", "https://d.example/", "", "2026-03-14"),
    )


@EACH
async def test_nothing_found(provider: str) -> None:
    assert await search(provider, finds(provider, [])) == ()


@EACH
async def test_what_is_missing_or_of_another_type_is_done_without(provider: str) -> None:
    found: Found = [
        {"url": "https://only.example/address"},
        {"title": None, "url": "https://a.example/", "excerpt": 7, "published": "3 days ago"},
        {"title": ["x"], "url": "https://b.example/", "excerpt": {"x": 1}, "published": 2026},
        {
            "title": "\u0000x\u202ey",
            "url": "https://c.example/",
            "excerpt": "\u0000",
            "published": "2026-99-99",
        },
        {"title": "no address"},
        {"title": "a number", "url": 7},
    ]
    assert await search(provider, finds(provider, found)) == (
        WebSource("only.example", "https://only.example/address", ""),
        WebSource("a.example", "https://a.example/", ""),
        WebSource("b.example", "https://b.example/", ""),
        WebSource("xy", "https://c.example/", ""),
    )


@EACH
async def test_results_that_are_no_links_are_dropped(provider: str) -> None:
    addresses = [
        "javascript:alert(1)",
        "JavaScript://a.example/%0aalert(1)",
        " javascript:alert(1)",
        "java\nscript:alert(1)",
        "data:text/html,<script>alert(1)</script>",
        "file:///etc/passwd",
        "ftp://a.example/",
        "//a.example/",
        "/search",
        "https://",
        "https://a.example:port/",
        "https://[::1/",
        "https://bank.example@evil.example/",
        "https://bank.example\\@evil.example/",
        "https://a.example/\u202egnp.exe",
        'https://a.example/"onmouseover="alert(1)',
        f"https://a.example/{'x' * 3000}",
        "",
    ]
    found = [{"title": "x", "url": url, "excerpt": "x"} for url in addresses]
    good = ["https://kept.example/@me?a={b}|c#d", "http://bücher.example:8080/é"]
    kept = [{"title": "kept", "url": url, "excerpt": "x"} for url in good]
    assert await search(provider, finds(provider, [*found, *kept])) == tuple(
        WebSource("kept", url, "x") for url in good
    )


@EACH
async def test_a_long_list_and_long_texts_are_cut(provider: str) -> None:
    page = {"title": "t" * 5000, "excerpt": "e" * 10_000}
    found = [{**page, "url": f"https://a.example/{number // 2}"} for number in range(100)]
    sources = await search(provider, finds(provider, found))
    assert [source.address for source in sources] == [f"https://a.example/{number}" for number in range(8)]
    assert {(len(source.title), len(source.excerpt)) for source in sources} == {(200, 1000)}


@EACH
async def test_the_longest_query_arrives_or_is_refused_in_words(provider: str) -> None:
    for letter in ("x", "語"):
        async with serving(finds(provider, [])) as server:
            search = OPEN[provider](GuardedHttp([HERE]), server.url())
            if (provider, letter) == ("brave", "語"):
                with pytest.raises(InvalidInput, match="Use fewer words"):
                    await search.search(letter * MOST_QUERY_CHARACTERS)
            else:
                assert await search.search(letter * MOST_QUERY_CHARACTERS) == ()
        assert len(server.seen) == (provider != "brave" or letter == "x")


# --- what goes wrong ----------------------------------------------------------------------------------------------


@EACH
@pytest.mark.parametrize(
    ("code", "words"),
    [
        (401, "does not accept the key"),
        (402, "used up"),
        (404, "search.url"),
        (429, "Wait a minute"),
        (500, "failed with status 500"),
        (503, "failed with status 503"),
        (302, "not followed"),
        (307, "not followed"),
    ],
)
async def test_a_refusal_says_what_to_do(provider: str, code: int, words: str) -> None:
    with pytest.raises(Unavailable, match=words) as raised:
        await search(provider, status(code, f"body with {KEY}", Location="https://elsewhere.example/"))
    assert KEY not in raised.value.detail
    assert raised.value.detail.endswith(".")


@table(
    ("provider", "code", "words"),
    [
        ("searxng", 403, "search.formats"),
        ("tavily", 403, "does not accept the key"),
        ("tavily", 432, "used up"),
        ("tavily", 433, "used up"),
        ("tavily", 400, "Word it in another way"),
        ("brave", 422, "search.key"),
    ],
)
async def test_statuses_that_mean_something_of_their_own(provider: str, code: int, words: str) -> None:
    with pytest.raises(Unavailable, match=words):
        await search(provider, status(code))


@EACH
@pytest.mark.parametrize(
    "body",
    [
        "<!doctype html><title>Log in</title>",
        "",
        "[]",
        "null",
        '"x"',
        '{"error": "x"}',
        '{"results": {}, "web": {"results": {}}}',
        '{"results": null, "web": []}',
        '{"results": [{"title": "\\ud800"}]}',
        "[" * 100_000,
    ],
)
async def test_an_answer_that_is_none(provider: str, body: str) -> None:
    with pytest.raises(Unavailable, match="not answer with a list of results"):
        await search(provider, status(200, body))


@EACH
async def test_an_answer_without_an_end(provider: str) -> None:
    with pytest.raises(Unavailable, match="more than 100000 bytes"):
        await search(provider, endless, EgressLimits(most_bytes=100_000))


@EACH
async def test_a_server_that_is_slow_or_not_there(provider: str) -> None:
    async def slow(request: web.Request) -> web.Response:
        await asyncio.Event().wait()
        return web.Response()

    with pytest.raises(Unavailable, match=r"did not work.*longer than 0\.2 seconds"):
        await search(provider, slow, EgressLimits(seconds=0.2))
    async with serving() as server:
        pass
    with pytest.raises(Unavailable, match=r"did not work.*did not answer"):
        await OPEN[provider](GuardedHttp([HERE]), server.url()).search(QUERY)


# --- settings -----------------------------------------------------------------------------------------------------


def test_the_search_is_off_until_a_provider_is_named() -> None:
    assert open_web_search(SearchSettings(), GuardedHttp()) is None


@table(
    ("given", "words"),
    [
        ({"provider": "searxng"}, "SearXNG needs search.url"),
        ({"provider": "tavily"}, "DOCAGENT_SEARCH__KEY"),
        ({"provider": "brave", "key": ""}, "DOCAGENT_SEARCH__KEY"),
        ({"provider": "searxng", "url": "file:///etc/passwd"}, "not a web address"),
        ({"provider": "other"}, "searxng"),
    ],
)
def test_settings_that_cannot_work_are_refused(given: dict[str, str], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        SearchSettings.model_validate(given)


@EACH
def test_an_inner_address_must_be_opened_by_the_administrator(provider: str) -> None:
    search = SearchSettings.model_validate({"provider": provider, "url": "http://127.0.0.1:8888", "key": KEY})
    with pytest.raises(CannotStart, match=r"search\.url.*egress\.allow_private"):
        open_web_search(search, GuardedHttp())
    assert open_web_search(search, GuardedHttp([HERE])) is not None
    assert KEY not in repr(search)


@table(("provider", "host"), [("tavily", "api.tavily.com"), ("brave", "api.search.brave.com")])
async def test_without_an_address_the_provider_is_asked_itself(provider: str, host: str) -> None:
    names = Names({host: [["10.0.0.1"]]})
    opened = open_web_search(
        SearchSettings.model_validate({"provider": provider, "key": KEY}), GuardedHttp(resolver=names)
    )
    assert opened is not None
    with pytest.raises(Unavailable, match="may not be called"):
        await opened.search(QUERY)
    assert names.asked == [host]
