"""How the manual is served: to anyone, under a strict policy, and nothing but its own files."""

from __future__ import annotations

from pathlib import Path

import httpx2
import pytest
from fastapi import FastAPI

from docagent.api import errors, manual


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "secret.txt").write_text("nobody may read this")
    built = tmp_path / "built"
    (built / "how-to").mkdir(parents=True)
    (built / "index.html").write_text("<h1>The manual</h1>")
    (built / "how-to" / "a-pile.html").write_text("<h1>A pile</h1>")
    (built / "escape").symlink_to(tmp_path / "secret.txt")
    return built


def visitor(folder: Path) -> httpx2.AsyncClient:
    app = FastAPI()
    errors.install(app)
    manual.install(app, folder)
    return httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url="http://docagent.test")


async def test_the_pages_are_there_under_a_policy_that_runs_only_our_scripts(folder: Path) -> None:
    async with visitor(folder) as client:
        for path, shown in (("/manual/", "The manual"), ("/manual/how-to/a-pile.html", "A pile")):
            answer = await client.get(path)
            assert answer.status_code == 200
            assert shown in answer.text
            assert answer.headers["Cache-Control"] == "no-cache"
            policy = answer.headers["Content-Security-Policy"]
            assert "default-src 'none'; script-src 'self'; style-src 'self';" in policy
            assert "unsafe" not in policy
            assert "http" not in policy
        again = await client.get(
            "/manual/", headers={"If-None-Match": (await client.get("/manual/")).headers["ETag"]}
        )
        assert again.status_code == 304


async def test_the_address_without_a_slash_leads_to_the_first_page(folder: Path) -> None:
    async with visitor(folder) as client:
        answer = await client.get("/manual")
        assert answer.is_redirect
        assert httpx2.URL(answer.headers["location"]).path == "/manual/"


@pytest.mark.parametrize(
    "path",
    [
        "/manual/nowhere.html",
        "/manual/../secret.txt",
        "/manual/%2e%2e/secret.txt",
        "/manual/..%2fsecret.txt",
        "/manual/how-to/%2e%2e/%2e%2e/secret.txt",
        "/manual/escape",
        "/manual//etc/passwd",
    ],
)
async def test_nothing_else_is_there(folder: Path, path: str) -> None:
    async with visitor(folder) as client:
        answer = await client.get(path)
        assert answer.status_code == 404
        assert "nobody may read this" not in answer.text


async def test_nothing_can_be_sent_to_it(folder: Path) -> None:
    async with visitor(folder) as client:
        assert (await client.post("/manual/", content=b"x")).status_code == 405


@pytest.mark.parametrize("folder", ["", "missing"])
async def test_where_it_is_not_built_the_page_says_how(tmp_path: Path, folder: str) -> None:
    async with visitor(tmp_path / folder) as client:
        answer = await client.get("/manual/")
        assert answer.status_code == 404
        assert "make docs" in answer.text
        assert "default-src 'none'" in answer.headers["Content-Security-Policy"]


async def test_the_product_has_it_without_a_sign_in(client: httpx2.AsyncClient) -> None:
    answer = await client.get("/manual/", headers={"Authorization": ""})
    assert ("make docs" if answer.status_code == 404 else "docagent manual") in answer.text
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Content-Security-Policy"] == manual.POLICY
