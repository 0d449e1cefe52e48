"""What can be read by address: documents and their text, schemas, prompts, results, living documents."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import mcp_types as types
import orjson
from mcp.shared.exceptions import MCPError

from docagent.api.mcp.callers import Api, Caller
from docagent.domain.errors import DocAgentError

SCHEME = "docagent://"
AT_ONCE = 50
MOST_BYTES = 700_000
"""The largest resource. A client refuses a message over a megabyte, and base64 adds a third."""
_JSON, _TEXT, _MARKDOWN = "application/json", "text/plain", "text/markdown"


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of resource: its address, and the operation of the API that reads it."""

    template: str
    title: str
    path: str
    media_type: str | None
    field: str | None = None
    """The field of the answer that is the resource, if it is not the whole."""


KINDS = (
    Kind("documents/{id}", "What is known of a document", "/documents/{id}?include_content=false", _JSON),
    Kind("documents/{id}/text", "A document's text", "/ocr/download/text/{id}", _TEXT),
    Kind(
        "documents/{id}/pages/{page}",
        "The text of one page",
        "/ocr/download/text/{id}?page_num={page}",
        _TEXT,
    ),
    Kind("documents/{id}/file", "A document's file", "/documents/{id}/file", None),
    Kind(
        "documents/{id}/results/{prompt_revid}",
        "What a prompt found in a document",
        "/llm/result/{id}?prompt_revid={prompt_revid}",
        _JSON,
    ),
    Kind("schemas/{schema_revid}", "One version of a schema", "/schemas/{schema_revid}", _JSON),
    Kind("prompts/{prompt_revid}", "One version of a prompt", "/prompts/{prompt_revid}", _JSON),
    Kind(
        "projects/{project_id}/documents/{id}",
        "A living document",
        "/projects/{project_id}/documents/{id}",
        _MARKDOWN,
        "content",
    ),
)


@dataclass(frozen=True, slots=True)
class _Listing:
    """One list of the API whose items are resources."""

    path: str
    items: str
    shown: Callable[[Mapping[str, Any]], types.Resource]


def _resource(address: str, name: str, media_type: str, **more: Any) -> types.Resource:
    return types.Resource(uri=SCHEME + address, name=name, mime_type=media_type, **more)


_LISTINGS = (
    _Listing(
        "/documents",
        "documents",
        lambda item: _resource(f"documents/{item['id']}/text", item["document_name"], _TEXT),
    ),
    _Listing(
        "/schemas", "schemas", lambda item: _resource(f"schemas/{item['schema_revid']}", item["name"], _JSON)
    ),
    _Listing(
        "/prompts", "prompts", lambda item: _resource(f"prompts/{item['prompt_revid']}", item["name"], _JSON)
    ),
)


def templates() -> list[types.ResourceTemplate]:
    return [
        types.ResourceTemplate(
            uri_template=SCHEME + kind.template,
            name=kind.template.partition("/{")[0] if kind.template.count("{") == 1 else kind.template,
            title=kind.title,
            mime_type=kind.media_type,
        )
        for kind in KINDS
    ]


async def listed(caller: Caller, cursor: str | None) -> types.ListResourcesResult:
    """One list of the API after the other, a page at a time; the living documents of each project come last."""
    number, skip = _read_cursor(cursor)
    if number < len(_LISTINGS):
        listing = _LISTINGS[number]
        found = await caller.api.get(listing.path, {"skip": skip, "limit": AT_ONCE})
        resources = [listing.shown(item) for item in found[listing.items]]
        skip += len(resources)
        is_last = not resources or skip >= found["total_count"]
        following = f"{number + 1}:0" if is_last else f"{number}:{skip}"
        return types.ListResourcesResult(resources=resources, next_cursor=following)
    found = await caller.api.get("/projects", {"skip": skip, "limit": 1})
    resources = [
        resource for project in found["projects"] for resource in await _living_documents(caller.api, project)
    ]
    more = skip + 1 < found["total_count"]
    return types.ListResourcesResult(
        resources=resources, next_cursor=f"{number}:{skip + 1}" if more else None
    )


async def _living_documents(api: Api, project: Mapping[str, Any]) -> list[types.Resource]:
    project_id = project["id"]
    found = await api.get(f"/projects/{project_id}/documents", {"limit": AT_ONCE})
    return [
        _resource(
            f"projects/{project_id}/documents/{item['id']}",
            item["name"],
            _MARKDOWN,
            description=f"In the project {project['name']}",
        )
        for item in found["documents"]
    ]


async def read(caller: Caller, address: str) -> types.ReadResourceResult:
    kind, values = _kind(address)
    path = kind.path.format(**values)
    try:
        if kind.media_type is None:
            content, media_type = await caller.api.file(path)
            blob = base64.b64encode(_fitting(content)).decode()
            return _result(types.BlobResourceContents(uri=address, mime_type=media_type, blob=blob))
        found = await caller.api.get(path)
    except DocAgentError as error:
        raise MCPError(code=types.INVALID_PARAMS, message=error.detail) from error
    if kind.field is not None:
        found = found[kind.field]
    text = found if isinstance(found, str) else orjson.dumps(found, option=orjson.OPT_INDENT_2).decode()
    _fitting(text.encode())
    return _result(types.TextResourceContents(uri=address, mime_type=kind.media_type, text=text))


def _result(contents: types.TextResourceContents | types.BlobResourceContents) -> types.ReadResourceResult:
    return types.ReadResourceResult(contents=[contents])


def _kind(address: str) -> tuple[Kind, dict[str, str]]:
    for kind in KINDS:
        pattern = re.sub(r"{(\w+)}", r"(?P<\1>[A-Za-z0-9_-]{1,64})", kind.template)
        if found := re.fullmatch(re.escape(SCHEME) + pattern, address):
            return kind, found.groupdict()
    raise MCPError(
        code=types.INVALID_PARAMS,
        message=f"There is no resource {address[:200]}. resources/templates/list shows what there is.",
    )


def _read_cursor(cursor: str | None) -> tuple[int, int]:
    if cursor is None:
        return 0, 0
    found = re.fullmatch(r"(\d{1,2}):(\d{1,9})", cursor)
    if found is None:
        raise MCPError(code=types.INVALID_PARAMS, message="This cursor is not valid. Start over without it.")
    return int(found[1]), int(found[2])


def _fitting(content: bytes) -> bytes:
    if len(content) > MOST_BYTES:
        raise MCPError(
            code=types.INVALID_PARAMS,
            message=f"This has {len(content) // 1000} kB, and at most {MOST_BYTES // 1000} go into one message. Read "
            "it page by page, or over the API.",
        )
    return content
