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
from docagent.api.ag_ui import route as ag_ui
from docagent.api.mcp import route as mcp
from docagent.api.openai import files, responses
from docagent.api.openai import route as completions
from docagent.api.refusals import describe_refusals
from docagent.api.rest import proposals, system
from docagent.api.rest.accounts import account, act_auth, auth, invitations, organizations, tokens, users
from docagent.api.rest.deliveries import changes, webhook_deliveries, webhooks
from docagent.api.rest.documents import documents, highlights, jobs, ocr, pictures, samples, tags
from docagent.api.rest.extraction import (
    extract,
    forms,
    learning,
    prompt_runs,
    prompts,
    schemas,
    spreads,
    viewing,
)
from docagent.api.rest.extraction import results as llm
from docagent.api.rest.models import llm_chat, mcp_servers, payments, providers
from docagent.api.rest.models import model_list as models
from docagent.api.rest.projects import act_projects, evidence, project_files, projects
from docagent.api.rest.review import accuracy, home, merging, review, sheets, straight_through
from docagent.api.rest.search import project_search, search
from docagent.api.rest.turns import act, act_chats, chat, lab, threads, turns
from docagent.api.server.bodies import BodyLimit
from docagent.api.server.middleware import AlternativePrefix, AnswerHeaders, KnownHosts, RequestLog
from docagent.api.websocket import route as chat_socket
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
    files,
    responses,
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
    extract,
    learning,
    spreads,
    tags,
    schemas,
    sheets,
    merging,
    home,
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
    settings: Settings,
    services: Services | None = None,
    lifespan: Lifespan | None = None,
    *,
    on_loopback: bool = False,
) -> FastAPI:
    """Make the application. `lifespan` may build the services at start, instead of `services`."""
    known_hosts = [Middleware(KnownHosts, public_url=settings.server.public_url)] if on_loopback else []
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
            *known_hosts,
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
        # Not by `include_router`, which analyses every route again and looks up an address through two layers.
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
