"""Markdown files as they are: stored, read, saved unchanged, exported and imported without a byte changed."""

from __future__ import annotations

import pytest

from tests.support.made.markdown_files import EACH, FILES, real_texts, variants
from tests.support.made.zips import files_of
from tests.support.org_api import OrgApi


def all_texts() -> dict[str, str]:
    made = {
        f"{kind}/{number:03}": text for kind, texts in variants().items() for number, text in enumerate(texts)
    }
    return {f"real/{number:03}": text for number, text in enumerate(real_texts())} | made


def test_there_are_enough_files_of_every_kind() -> None:
    assert len(real_texts()) == FILES
    assert {len(set(texts)) for texts in variants().values()} == {EACH}
    assert all("\r\n" in text for text in variants()["crlf"])
    assert all("\r" in text and "\n" not in text for text in variants()["cr"])


@pytest.mark.parametrize("step", [8, pytest.param(1, marks=pytest.mark.release)])
async def test_every_file_stays_as_it_is(api: OrgApi, step: int) -> None:
    """Every eighth of each kind, and all of them before a release."""
    texts = dict(list(all_texts().items())[::step])
    assert {name.partition("/")[0] for name in texts} == {"real", *variants()}
    project = f"/projects/{(await api.post('/projects', {'name': 'Files'}))['id']}"
    for name, text in texts.items():
        made = await api.post(f"{project}/documents", {"name": name, "content": text})
        assert made["content"] == text, name
        saved = await api.put(
            f"{project}/documents/{made['id']}", {"content": made["content"], "base_version": 1}
        )
        assert (saved["version"], saved["content"]) == (1, text), name
    content = (await api.call("GET", f"{project}/export")).content
    files = {f"{name}.md": text.encode() for name, text in texts.items()}
    assert _differing(files_of(content), files) == []
    again = f"/projects/{(await api.post('/projects', {'name': 'Again'}))['id']}"
    answer = await api.call("POST", f"{again}/import", files={"file": ("all.zip", content)})
    assert {file["outcome"] for file in answer.json()["files"]} == {"new"}
    assert _differing(files_of((await api.call("GET", f"{again}/export")).content), files) == []


def _differing(found: dict[str, bytes], files: dict[str, bytes]) -> list[str]:
    """The names alone: pytest takes long to show how large texts differ."""
    return [name for name in {**found, **files} if found.get(name) != files.get(name)]
