"""The web client: its files as `make` built them, and one page for every address of its own."""

from __future__ import annotations

import mimetypes
import secrets
from functools import cache
from pathlib import Path

from fastapi import FastAPI
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, RedirectResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

BUILT = Path(__file__).parent / "web_dist"
FOREVER = "public, max-age=31536000, immutable"
A_DAY = "public, max-age=86400"
API_PAGE = "/docs"
REFRESH_COOKIE = "docagent_refresh"
"""Renews a session. No script can read it."""
PLAIN_FILES = ("/icon.svg", "/theme.js")
OTHER_ROOTS = ("/v0", "/v1", "/api", "/fastapi", "/assets", "/static")
"""Addresses below these are never a page of the client. If nothing is there, the answer is the API's."""


class BuiltFiles(StaticFiles):
    """Files whose names change with their content. Clients that accept gzip get the compressed twin."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        twin = ""
        if "gzip" in Headers(scope=scope).get("accept-encoding", ""):
            twin, _ = self.lookup_path(f"{path}.gz")
        if twin:
            response: Response = FileResponse(twin, media_type=mimetypes.guess_type(path)[0])
            response.headers["Content-Encoding"] = "gzip"
        else:
            response = await super().get_response(path, scope)
        response.headers["Cache-Control"] = FOREVER
        response.headers["Vary"] = "Accept-Encoding"
        return response


class Pages:
    """Answers where no route does: browsers get the client's page, everyone else the API's usual answer."""

    def __init__(self, missing: ASGIApp) -> None:
        self._missing = missing

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        answer = self._missing
        if scope["type"] == "http" and scope["method"] in ("GET", "HEAD"):
            answer = _answer(Request(scope)) or answer
        await answer(scope, receive, send)


def install(app: FastAPI) -> None:
    app.mount("/static", BuiltFiles(directory=BUILT / "static", check_dir=False))
    app.router.default = Pages(app.router.default)


def wants_page(request: Request) -> bool:
    """Whether a browser opens this address, not a program that calls the API."""
    return "text/html" in request.headers.get("accept", "") and (BUILT / "index.html").is_file()


def page(request: Request) -> Response:
    """The client's only page, with a fresh nonce for the styles that its libraries add at run time."""
    nonce = secrets.token_urlsafe(16)
    session = "maybe" if REFRESH_COOKIE in request.cookies else "none"
    text = _index((BUILT / "index.html").stat().st_mtime_ns)
    text = text.replace("%CSP_NONCE%", nonce).replace("%SESSION%", session)
    return HTMLResponse(
        text, headers={"Content-Security-Policy": _policy(nonce), "Cache-Control": "no-store"}
    )


def _answer(request: Request) -> Response | None:
    path = request.url.path
    if path in PLAIN_FILES and (BUILT / path[1:]).is_file():
        return FileResponse(BUILT / path[1:], headers={"Cache-Control": A_DAY})
    if any(path == root or path.startswith(f"{root}/") for root in OTHER_ROOTS):
        return None
    if wants_page(request):
        return page(request)
    return RedirectResponse(API_PAGE) if path == "/" else None


def _policy(nonce: str) -> str:
    """Allow only what this server sends, no inline scripts, and WebAssembly, which decodes images of scanned PDFs."""
    return (
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:; "
        f"style-src 'self' 'nonce-{nonce}'; img-src 'self' data: blob:; font-src 'self' data:; "
        "connect-src 'self'; form-action 'self'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'"
    )


@cache
def _index(written_at: int) -> str:
    """The built page. It is read again after it was built again."""
    del written_at
    return (BUILT / "index.html").read_text()
