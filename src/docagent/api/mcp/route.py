"""MCP over streamable HTTP. The SDK is loaded with the first request: most servers never need it."""

from __future__ import annotations

import asyncio
from importlib import import_module

from fastapi import Request, Response

from docagent.api.deps import OrgMember, OwnMember, ServicesDep, only_reads
from docagent.api.router import Router
from docagent.api.server.origins import origin_allowed
from docagent.bootstrap import Services
from docagent.domain.accounts.accounts import Member
from docagent.domain.errors import Forbidden

router = Router(tags=["mcp"])
METHODS = ["GET", "POST", "DELETE"]


@router.api_route("/mcp", methods=METHODS, include_in_schema=False)
@only_reads
async def mcp(request: Request, member: OwnMember, services: ServicesDep) -> Response:
    """MCP in the organisation of the token, else in the caller's own."""
    return await _exchange(request, member, services)


@router.api_route("/v0/orgs/{organization_id}/mcp", methods=METHODS, include_in_schema=False)
@only_reads
async def mcp_of_organization(request: Request, member: OrgMember, services: ServicesDep) -> Response:
    """MCP in one organisation, for callers who are in several."""
    return await _exchange(request, member, services)


async def _exchange(request: Request, member: Member, services: Services) -> Response:
    if not origin_allowed(request.headers, services.settings.server.public_url):
        raise Forbidden("Pages of other sites may not call this server.")
    over_http = await asyncio.to_thread(import_module, "docagent.api.mcp.over_http")
    answer: Response = over_http.exchange(request, member, services)
    return answer
