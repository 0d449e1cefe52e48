"""Health, readiness, and the API page."""

from __future__ import annotations

from typing import Literal

from fastapi.responses import HTMLResponse
from pydantic import BaseModel

from docagent import __version__
from docagent.api.deps import ServicesDep
from docagent.api.router import Router

router = Router()

CONTENT_SECURITY_POLICY = (
    "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; "
    "object-src 'none'; base-uri 'none'; frame-ancestors 'self'"
)
API_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>docagent API</title>
<link rel="stylesheet" href="/assets/swagger/swagger-ui.css">
<link rel="stylesheet" href="/assets/api-page.css">
<link rel="icon" href="/assets/swagger/favicon.png">
</head>
<body>
<p id="session" role="status">Checking your session</p>
<div id="api"></div>
<script src="/assets/swagger/swagger-ui-bundle.js"></script>
<script src="/assets/api-page.js"></script>
</body>
</html>
"""


class HealthOut(BaseModel):
    status: Literal["ok"]
    version: str


class ReadyOut(BaseModel):
    status: Literal["ready"]


@router.get("/health", tags=["system"])
async def health() -> HealthOut:
    """The process is alive."""
    return HealthOut(status="ok", version=__version__)


@router.get("/ready", tags=["system"])
async def ready(services: ServicesDep) -> ReadyOut:
    """The database and the file store answer; 503 says which does not."""
    await services.db.check()
    await services.blobs.check()
    return ReadyOut(status="ready")


@router.get("/docs", include_in_schema=False)
async def api_page() -> HTMLResponse:
    return HTMLResponse(API_PAGE, headers={"Content-Security-Policy": CONTENT_SECURITY_POLICY})
