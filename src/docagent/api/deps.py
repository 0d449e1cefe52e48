"""What routes ask for: the services, the caller, the caller as a member of an organisation."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Query, Request
from fastapi.security import APIKeyHeader, HTTPAuthorizationCredentials, HTTPBearer

from docagent.api.fields import MAX_INTEGER
from docagent.bootstrap import Services
from docagent.domain.accounts import Credential, Member, Principal
from docagent.domain.errors import Forbidden, Unauthenticated
from docagent.domain.listing import ListQuery, list_query
from docagent.services.identity import INVALID

bearer_scheme = HTTPBearer(auto_error=False, description="A session token or an API token")
api_key_scheme = APIKeyHeader(name="X-Api-Key", auto_error=False, description="An API token")


async def services(request: Request) -> Services:
    found: Services = request.app.state.services
    return found


ServicesDep = Annotated[Services, Depends(services)]


Bearer = Annotated[HTTPAuthorizationCredentials | None, Depends(bearer_scheme)]
ApiKey = Annotated[str | None, Depends(api_key_scheme)]


async def any_caller(services: ServicesDep, bearer: Bearer, api_key: ApiKey) -> Principal:
    return await services.identity.caller(bearer.credentials if bearer else None, api_key)


AnyCaller = Annotated[Principal, Depends(any_caller)]


async def possible_caller(services: ServicesDep, bearer: Bearer, api_key: ApiKey) -> Principal | None:
    """The caller on a path that is open to everybody; None for somebody who shows no credentials."""
    return await any_caller(services, bearer, api_key) if bearer or api_key else None


PossibleCaller = Annotated[Principal | None, Depends(possible_caller)]


async def account_caller(principal: AnyCaller) -> Principal:
    """The caller on an account path, where organisation tokens are refused."""
    if principal.credential is Credential.ORGANIZATION_TOKEN:
        raise Unauthenticated(INVALID)
    return principal


AccountCaller = Annotated[Principal, Depends(account_caller)]


async def system_admin(principal: AccountCaller) -> Principal:
    if not principal.is_system_admin:
        raise Forbidden("Admin access required")
    return principal


SystemAdmin = Annotated[Principal, Depends(system_admin)]


async def org_member(organization_id: str, services: ServicesDep, bearer: Bearer, api_key: ApiKey) -> Member:
    return await services.identity.member(bearer.credentials if bearer else None, api_key, organization_id)


OrgMember = Annotated[Member, Depends(org_member)]


Skip = Annotated[int, Query(ge=0, le=MAX_INTEGER)]
Limit = Annotated[int, Query(ge=1, le=100)]


async def list_parameters(
    skip: Skip = 0,
    limit: Limit = 10,
    name_search: Annotated[str | None, Query(max_length=500)] = None,
    sort: Annotated[str | None, Query(description="JSON: `[{'field': 'name', 'sort': 'asc'}]`")] = None,
    filters: Annotated[
        str | None, Query(description="JSON: `{'items': [{'field', 'operator', 'value'}], 'logicOperator'}`")
    ] = None,
) -> ListQuery:
    return list_query(skip, limit, name_search, sort, filters)


ListParameters = Annotated[ListQuery, Depends(list_parameters)]


def comma_separated(text: str | None) -> list[str]:
    return [part.strip() for part in (text or "").split(",") if part.strip()]
