"""The manual at `/manual`: the site as `make docs` built it into the package. Anyone may read it."""

from __future__ import annotations

from pathlib import Path

from fastapi import FastAPI
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

BUILT = Path(__file__).parent / "manual_dist"
ADDRESS = "/manual"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
NOT_BUILT = """<!doctype html><html lang="en"><meta charset="utf-8"><title>docagent: no manual here</title>
<p>The manual is not part of this installation. In the folder of the source, <code>make run</code> and
<code>make docs</code> build it; a package that <code>make wheel</code> has built contains it. The same pages are in the
folder <code>docs</code> of the source.
<p>The API can be tried at <a href="/docs">/docs</a>."""


class ManualFiles(StaticFiles):
    """The files of the site. Browsers ask each time whether a file has changed, since names stay when pages do."""

    async def check_config(self) -> None:
        """Raise nothing where the folder is missing: a page says so."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        if path == "." and not scope["path"].endswith("/"):
            return RedirectResponse(f"{ADDRESS}/")
        if not (Path(str(self.directory)) / "index.html").is_file():
            return HTMLResponse(NOT_BUILT, 404, headers={"Content-Security-Policy": POLICY})
        response = await super().get_response(path, scope)
        response.headers["Content-Security-Policy"] = POLICY
        response.headers["Cache-Control"] = "no-cache"
        return response


def install(app: FastAPI, built: Path = BUILT) -> None:
    app.mount(ADDRESS, ManualFiles(directory=built, html=True, check_dir=False))
