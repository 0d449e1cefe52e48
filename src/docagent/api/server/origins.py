"""Which pages may call what no cookie and no form protects."""

from __future__ import annotations

from urllib.parse import urlsplit

from starlette.datastructures import Headers


def origin_allowed(headers: Headers, public_url: str | None) -> bool:
    """Whether a request may be answered: browsers name the page, which must be ours; programs name none."""
    origin = headers.get("origin")
    if origin is None:
        return True
    host = urlsplit(origin).netloc.lower()
    allowed = {headers.get("host", "").lower()}
    if public_url:
        allowed.add(urlsplit(public_url).netloc.lower())
    return bool(host) and host in allowed
