"""Files that are sent while they are read, and the names under which they are saved."""

from __future__ import annotations

from collections.abc import AsyncIterator
from urllib.parse import quote

from fastapi.responses import StreamingResponse
from starlette.requests import ClientDisconnect

from docagent.bootstrap import Services
from docagent.domain.accounts.accounts import Member
from docagent.domain.errors import Forbidden, Unauthenticated


class Download(StreamingResponse):
    """A file for one member, who may leave and whose credential may end meanwhile. Without a name, it is no attachment.

    Then the connection breaks: an answer that ended as usual would pass for the whole file.
    """

    def __init__(
        self,
        services: Services,
        member: Member,
        chunks: AsyncIterator[bytes],
        media_type: str,
        name: str | None = None,
        headers: dict[str, str] | None = None,
        status_code: int = 200,  # the description of the API is made from its default
    ) -> None:
        async def while_allowed() -> AsyncIterator[bytes]:
            with services.streams.open(member.principal, member.organization_id) as stream:
                async for chunk in chunks:
                    yield chunk
                    try:
                        await stream.check()
                    except (Forbidden, Unauthenticated) as gone:
                        raise ClientDisconnect from gone

        super().__init__(
            while_allowed(),
            status_code,
            headers=headers if name is None else download_headers(name),
            media_type=media_type,
        )


def download_headers(name: str) -> dict[str, str]:
    """A download under a name that may hold any character."""
    plain = "".join(c if c.isascii() and c.isprintable() and c not in '"\\/' else "_" for c in name)
    disposition = f'attachment; filename="{plain}"'
    if plain != name:
        disposition += f"; filename*=UTF-8''{quote(name, safe='')}"
    return {"Content-Disposition": disposition}
