"""A project's documents from files and as files: looked at first, written as a whole, byte for byte the same."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from typing import Any

import pytest

from docagent.services.projects import uploaded_texts
from tests.support.made.zips import files_of, zip_of, zip_with_link
from tests.support.org_api import OrgApi
from tests.support.product import Product, Tenant

Json = dict[str, Any]
ODD = {
    "crlf": "one\r\ntwo\r\n",
    "cr": "one\rtwo\r",
    "mixed": "one\r\ntwo\rthree\nfour",
    "bom": "\ufeff# Title\n",
    "empty": "",
    "spaces": "  \t\n\n",
    "front": "---\ntitle: x\n---\n",
    "odd": "\u2028\u0085\x0b\x0c\x1b",
}


async def project_named(api: OrgApi, name: str) -> str:
    return f"/projects/{(await api.post('/projects', {'name': name}))['id']}"


async def send(api: OrgApi, project: str, files: Mapping[str, bytes | str], **options: Any) -> Any:
    return await api.call(
        "POST",
        f"{project}/import",
        params=options,
        files=[
            ("file", (path, content if isinstance(content, bytes) else content.encode()))
            for path, content in files.items()
        ],
    )


async def imported(api: OrgApi, project: str, files: Mapping[str, bytes | str], **options: Any) -> Json:
    answer = await send(api, project, files, **options)
    assert answer.status_code == 200, answer.text
    found: Json = answer.json()
    return found


def outcomes(answer: Json) -> dict[str, str]:
    return {file["path"]: file["outcome"] for file in answer["files"]}


def reasons(answer: Json) -> dict[str, str]:
    return {file["path"]: file["reason"] for file in answer["files"] if file["outcome"] == "refused"}


async def texts(api: OrgApi, project: str) -> dict[str, str]:
    listed = (await api.get(f"{project}/documents"))["documents"]
    return {
        entry["name"]: (await api.get(f"{project}/documents/{entry['id']}"))["content"] for entry in listed
    }


async def exported(api: OrgApi, project: str) -> bytes:
    answer = await api.call("GET", f"{project}/export")
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/zip"
    content: bytes = answer.content
    return content


async def test_an_import_is_looked_at_first_and_then_written(api: OrgApi) -> None:
    project = await project_named(api, "Move")
    same = await api.post(f"{project}/documents", {"name": "Same", "content": "same"})
    plan = await api.post(f"{project}/documents", {"name": "Plan", "content": "old"})
    files: dict[str, bytes | str] = {
        "plan.md": "new",
        "Same.txt": "same",
        "picture.png": b"\x89PNG",
        "notes.zip": zip_of({"guides/": "", "guides/Start.md": "# Start", "__MACOSX/guides/._Start.md": "x"}),
    }
    looked = await imported(api, project, files, dry_run=True)
    assert outcomes(looked) == {
        "plan.md": "exists",
        "Same.txt": "unchanged",
        "picture.png": "refused",
        "guides/Start.md": "new",
    }
    assert "Only markdown" in reasons(looked)["picture.png"]
    assert not any(file["is_written"] for file in looked["files"])
    assert await texts(api, project) == {"Plan": "old", "Same": "same"}

    skipped = await imported(api, project, files, seen=looked["seen"])
    assert [file["name"] for file in skipped["files"] if file["is_written"]] == ["guides/Start"]
    assert await texts(api, project) == {"guides/Start": "# Start", "Plan": "old", "Same": "same"}

    done = await imported(api, project, files, existing="version")
    [changed] = [file for file in done["files"] if file["is_written"]]
    assert (changed["name"], changed["document_id"], changed["version"]) == ("Plan", plan["id"], 2)
    newest = await api.get(f"{project}/documents/{plan['id']}")
    assert (newest["content"], newest["reason"], newest["author"]) == ("new", "Imported from plan.md", "user")
    assert (await api.get(f"{project}/documents/{same['id']}"))["version"] == 1


async def test_what_has_changed_since_it_was_looked_at_is_not_written_over(api: OrgApi) -> None:
    project = await project_named(api, "Move")
    files = {"Plan.md": "mine", "Other.md": "other"}
    seen = (await imported(api, project, files, dry_run=True))["seen"]
    other = await send(api, project, files | {"Plan.md": "mine, changed"}, seen=seen, existing="version")
    assert other.status_code == 409
    plan = await api.post(f"{project}/documents", {"name": "plan", "content": "theirs"})
    refused = await send(api, project, files, seen=seen, existing="version")
    assert refused.status_code == 409
    assert "Look again" in refused.json()["detail"]
    assert await texts(api, project) == {"plan": "theirs"}
    seen = (await imported(api, project, files, dry_run=True))["seen"]
    await api.put(f"{project}/documents/{plan['id']}", {"content": "theirs, too"})
    assert (await send(api, project, files, seen=seen, existing="version")).status_code == 409
    assert await texts(api, project) == {"plan": "theirs, too"}


async def test_texts_stay_byte_for_byte_there_and_back(api: OrgApi) -> None:
    project, other = await project_named(api, "Move"), await project_named(api, "Again")
    await imported(api, project, {f"{name}.md": text for name, text in ODD.items()})
    assert await texts(api, project) == ODD
    content = await exported(api, project)
    assert files_of(content) == {f"{name}.md": text.encode() for name, text in ODD.items()}
    await imported(api, other, {"export.zip": content})
    assert await texts(api, other) == ODD
    assert set(outcomes(await imported(api, project, {"export.zip": content})).values()) == {"unchanged"}


async def test_names_that_no_file_can_have_come_back_too(api: OrgApi) -> None:
    names = [
        "guides/Start",
        "README.md",
        "README",
        "What: next?",
        "../up",
        "/etc/x",
        "con",
        "a\\b",
        "ü" * 200,
    ]
    names += ["é", "e\u0301", "__MACOSX/x", ".hidden", "a.md/b", "a", "C:/x", "x.zip", "a b", "50%22"]
    project, other = await project_named(api, "Move"), await project_named(api, "Again")
    for name in names:
        await api.post(f"{project}/documents", {"name": name, "content": f"This is {name}"})
    before = await texts(api, project)
    assert len(before) == len(names)
    content = await exported(api, project)
    paths = set(files_of(content))
    assert {"guides/Start.md", ".docagent.json"} <= paths
    assert not any(set('\\:?*"<>|') & set(path) or ".." in path or path.startswith("/") for path in paths)
    answer = await imported(api, other, {"export.zip": content})
    assert reasons(answer) == {}
    assert await texts(api, other) == before


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/etc/x.md", "absolute"),
        ("C:/x.md", "absolute"),
        ("../x.md", "leads out"),
        ("a/../../x.md", "leads out"),
        ("a\\..\\x.md", "backslash"),
        ("a\x07.md", "control"),
        ("x\x00.md", "control"),
        ("x" * 201 + ".md", "too long"),
        ("x.exe", "Only markdown"),
        ("inner.zip", "Only markdown"),
    ],
)
async def test_a_zip_with_a_name_that_must_not_be_gives_the_rest(api: OrgApi, path: str, said: str) -> None:
    project = await project_named(api, "Move")
    # The library cuts names at NUL when it writes, so a letter of the same length is replaced afterwards.
    content = zip_of({path.replace("\x00", "~"): "bad", "good.md": "good"}, pack=zipfile.ZIP_STORED)
    answer = await imported(api, project, {"all.zip": content.replace(b"x~.md", b"x\x00.md")})
    [refused] = reasons(answer).values()
    assert said in refused
    assert await texts(api, project) == {"good": "good"}


async def test_links_secrets_and_damage_are_refused_with_the_reason(api: OrgApi) -> None:
    project = await project_named(api, "Move")
    good = zip_of({"a.md": "some text that is packed " * 9})
    encrypted = bytearray(good)
    for mark, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        encrypted[encrypted.index(mark) + flags] |= 1
    damaged = bytearray(good)
    damaged[len(b"a.md") + 35] ^= 0xFF
    unknown = bytearray(good)
    for mark, method in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):
        unknown[unknown.index(mark) + method] = 99
    cases: dict[str, tuple[bytes, str]] = {
        "link": (zip_with_link("a.md", "/etc/passwd"), "link"),
        "encrypted": (bytes(encrypted), "encrypted"),
        "damaged": (bytes(damaged), "damaged"),
        "unknown": (bytes(unknown), "packed in a way"),
        "lzma": (zip_of({"a.md": "text"}, pack=zipfile.ZIP_LZMA), "packed in a way"),
        "no zip": (b"not a zip at all", "not a zip"),
        "cut": (good[:-30], "not a zip"),
        "empty": (b"", "not a zip"),
    }
    for name, (content, said) in cases.items():
        answer = await imported(api, project, {f"{name}.zip": content})
        [refused] = reasons(answer).values()
        assert said in refused, name
    assert await texts(api, project) == {}


async def test_text_that_cannot_be_stored_is_named(api: OrgApi) -> None:
    project = await project_named(api, "Move")
    answer = await imported(
        api,
        project,
        {
            "latin.md": "Größe".encode("latin-1"),
            "utf16.md": "Text".encode("utf-16"),
            "nul.md": b"a\x00b",
            "long.md": b"x" * 1_000_001,
            "larger.md": b"x" * (uploaded_texts.MOST_FILE_BYTES + 1),
            "good.md": b"good",
        },
    )
    said = reasons(answer)
    assert [path for path, reason in said.items() if "not UTF-8" in reason] == ["latin.md", "utf16.md"]
    assert "NUL" in said["nul.md"]
    assert "too long" in said["long.md"]
    assert "too large" in said["larger.md"]
    assert await texts(api, project) == {"good": "good"}


async def test_files_that_would_be_the_same_document_are_all_refused(api: OrgApi) -> None:
    project = await project_named(api, "Move")
    twice = zip_of(
        {"Start.md": "1", "start.MD": "2", "b/Start.md": "3", "straße.md": "4", "STRASSE.txt": "5"}
    )
    answer = await imported(api, project, {"all.zip": twice, "start.txt": "6"})
    assert set(reasons(answer)) == {"Start.md", "start.MD", "start.txt", "straße.md", "STRASSE.txt"}
    assert "“Start.md”" in reasons(answer)["start.txt"]
    assert await texts(api, project) == {"b/Start": "3"}


async def test_zips_cannot_hold_more_than_fits(api: OrgApi) -> None:
    project = await project_named(api, "Move")
    many = zip_of({f"{number}.md": "" for number in range(uploaded_texts.MOST_FILES + 1)})
    bomb = zip_of({f"{number}.md": b"\n" * 3_900_000 for number in range(10)})
    assert len(bomb) < 60_000
    directory = zip_of({f"{number:0250}.md": "" for number in range(7000)}, pack=zipfile.ZIP_STORED)
    for name, content in (("many", many), ("bomb", bomb), ("directory", directory)):
        answer = await send(api, project, {f"{name}.zip": content})
        assert answer.status_code == 400, name
        assert "several parts" in answer.json()["detail"]
    pictures = {f"{number}.png": b"x" * 6_000_000 for number in range(6)} | {"good.md": b"good"}
    assert (
        "Only markdown"
        in reasons(await imported(api, project, {"pictures.zip": zip_of(pictures)}, dry_run=True))["5.png"]
    )
    lies = bytearray(zip_of({"a.md": b"x" * 900_000}))
    lies[lies.index(b"PK\x01\x02") + 24 : lies.index(b"PK\x01\x02") + 28] = (5).to_bytes(4, "little")
    assert "damaged" in reasons(await imported(api, project, {"lies.zip": bytes(lies)}))["a.md"]
    assert await texts(api, project) == {}


async def test_names_of_old_zips_are_read_as_they_were_meant(api: OrgApi) -> None:
    project = await project_named(api, "Move")
    content = bytearray(zip_of({"Größe.md": "x"}))
    for mark, flags in ((b"PK\x03\x04", 7), (b"PK\x01\x02", 9)):
        content[content.index(mark) + flags] &= ~0x08 & 0xFF
    await imported(api, project, {"old.zip": bytes(content)})
    assert await texts(api, project) == {"Größe": "x"}


async def test_an_import_that_fails_leaves_nothing(api: OrgApi) -> None:
    project = await project_named(api, "Move")
    for files in ({}, {"a.md": "a"}):
        assert (await send(api, "/projects/000000000000000000000000", files)).status_code in (404, 422)
    assert (await send(api, project, {"a.md": "a"}, existing="both")).status_code == 422
    empty = await imported(api, project, {".DS_Store": "x"})
    assert empty["files"] == []


async def test_files_of_one_organisation_do_not_reach_another(
    product: Product, api: OrgApi, other: Tenant
) -> None:
    project = await project_named(api, "Move")
    await imported(api, project, {"a.md": "secret"})
    theirs = OrgApi(product.client, other.organization_id, other.headers)
    assert (await send(theirs, project, {"b.md": "b"}, existing="version")).status_code == 404
    await theirs.refused(404, "GET", f"{project}/export")
    assert await texts(api, project) == {"a": "secret"}


async def test_an_empty_project_is_an_empty_zip(api: OrgApi) -> None:
    project = await project_named(api, 'Ümzug "1"')
    answer = await api.call("GET", f"{project}/export")
    assert files_of(answer.content) == {}
    assert "filename*=UTF-8''%C3%9Cmzug%20%221%22.zip" in answer.headers["content-disposition"]
