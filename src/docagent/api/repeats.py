"""The header `Idempotency-Key`: a request that carries one may be repeated, and nothing is done twice."""

from __future__ import annotations

import hashlib
from typing import Annotated

from fastapi import Depends, Header, Request
from starlette.datastructures import UploadFile

from docagent.api.deps import OrgMember, OwnMember
from docagent.api.server.upload_request import UploadRequest
from docagent.domain.accounts.accounts import Member
from docagent.domain.repeats import MOST_KEY_CHARACTERS, Repeat

CHUNK = 1024 * 1024

Key = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        min_length=1,
        max_length=MOST_KEY_CHARACTERS,
        description="Any text that is new for each request, such as a UUID. The same request with the same key within "
        "24 hours is answered with what the first one made, and makes nothing again; another request with it is "
        "refused with 422, and 409 says that the first one is still running",
    ),
]


async def _in_org(request: Request, member: OrgMember, key: Key = None) -> Repeat | None:
    return None if key is None else await _of(request, member, key)


async def _in_own(request: Request, member: OwnMember, key: Key = None) -> Repeat | None:
    return None if key is None else await _of(request, member, key)


OrgRepeat = Annotated[Repeat | None, Depends(_in_org)]
OwnRepeat = Annotated[Repeat | None, Depends(_in_own)]


def repeat_of(member: Member, route: str, key: str, request: bytes) -> Repeat:
    """A request under the key that its sender chose."""
    asker = member.principal.token_id or member.user_id
    return Repeat(asker, route, key, hashlib.sha256(request).hexdigest())


async def _of(request: Request, member: Member, key: str) -> Repeat:
    asked = f"{request.method} {request.url.path}?{request.url.query}\n".encode()
    return repeat_of(member, request.scope["route"].name, key, asked + await _body_digest(request))


async def _body_digest(request: Request) -> bytes:
    """A hash of the body. Of a form, that of its parts: the line between them is new each time it is sent."""
    if isinstance(request, UploadRequest):
        return await request.digest()
    if not request.headers.get("content-type", "").startswith("multipart/form-data"):
        return hashlib.sha256(await request.body()).digest()
    whole = hashlib.sha256()
    for name, value in (await request.form()).multi_items():
        if isinstance(value, UploadFile):
            part = hashlib.sha256(str(value.filename).encode())
            while chunk := await value.read(CHUNK):
                part.update(chunk)
            await value.seek(0)
        else:
            part = hashlib.sha256(value.encode())
        whole.update(f"{len(name)} {name} ".encode() + part.digest())
    return whole.digest()
