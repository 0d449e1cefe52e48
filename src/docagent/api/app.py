"""The application: routes, error handling and the layers around them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import fastapi_offline
from fastapi import FastAPI
from starlette.middleware import Middleware
from starlette.staticfiles import StaticFiles

from docagent import __version__
from docagent.api import errors, manual, web
from docagent.api.bodies import BodyLimit
from docagent.api.middleware import AlternativePrefix, AnswerHeaders, RequestLog
from docagent.api.refusals import describe_refusals
from docagent.api.routes import (
    account,
    accuracy,
    act,
    act_auth,
    act_chats,
    act_projects,
    ag_ui,
    auth,
    changes,
    chat,
    chat_socket,
    completions,
    documents,
    evidence,
    forms,
    highlights,
    invitations,
    jobs,
    lab,
    learning,
    llm,
    llm_chat,
    mcp,
    mcp_servers,
    models,
    ocr,
    organizations,
    payments,
    pictures,
    project_files,
    project_search,
    projects,
    prompt_runs,
    prompts,
    proposals,
    providers,
    review,
    samples,
    schemas,
    search,
    sheets,
    straight_through,
    system,
    tags,
    threads,
    tokens,
    turns,
    users,
    viewing,
    webhook_deliveries,
    webhooks,
)
from docagent.bootstrap import Services
from docagent.settings import MEBIBYTE, Settings

ASSETS = Path(__file__).parent / "assets"
SWAGGER_UI = Path(fastapi_offline.__file__).parent / "static"
BASE64_OVERHEAD = 1.4
"""How much larger a JSON upload may be than its file: base64 adds a third, and there are names and metadata."""

ROUTES = (
    chat,
    chat_socket,
    ag_ui,
    completions,
    threads,
    turns,
    changes,
    lab,
    documents,
    pictures,
    samples,
    project_files,
    project_search,
    projects,
    evidence,
    proposals,
    ocr,
    highlights,
    viewing,
    search,
    llm,
    learning,
    tags,
    schemas,
    sheets,
    review,
    straight_through,
    accuracy,
    prompts,
    prompt_runs,
    forms,
    models,
    llm_chat,
    providers,
    payments,
    jobs,
    webhook_deliveries,
    webhooks,
    mcp_servers,
    organizations,
    invitations,
    users,
    tokens,
    auth,
    account,
    system,
    act,
    act_auth,
    act_projects,
    act_chats,
    mcp,
)
"""The modules with the routes, in the order in which an address is looked up."""

Lifespan = Callable[[FastAPI], AbstractAsyncContextManager[None]]


def create_app(
    settings: Settings, services: Services | None = None, lifespan: Lifespan | None = None
) -> FastAPI:
    """Make the application. `lifespan` may build the services at start, instead of `services`."""
    app = FastAPI(
        title="docagent",
        version=__version__,
        description="A self-hosted document agent. The API is compatible with DocRouter's.",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
        middleware=[
            Middleware(AlternativePrefix),
            Middleware(AnswerHeaders),
            Middleware(RequestLog),
            Middleware(
                BodyLimit,
                usual=settings.server.request_limit_mb * MEBIBYTE,
                uploads=int(settings.documents.upload_limit_mb * MEBIBYTE * BASE64_OVERHEAD),
            ),
        ],
    )
    if services is not None:
        app.state.services = services
    errors.install(app)
    for module in ROUTES:
        # Not by `include_router`, which analyses every route anew and looks up an address through two layers.
        app.router.routes.extend(module.router.routes)
    app.mount("/assets/swagger", StaticFiles(directory=SWAGGER_UI))
    app.mount("/assets", StaticFiles(directory=ASSETS))
    manual.install(app)
    web.install(app)
    describe_refusals(app)
    return app


def openapi_document() -> dict[str, Any]:
    """The description of the API, made without starting anything: the same on every machine, whatever is set there."""
    return create_app(Settings.model_construct()).openapi()
