"""What routes ask for: the services, the caller, the caller as a member of an organisation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, TypeVar

from fastapi import Depends, Query, Request
from fastapi.security import APIKeyHeader, HTTPAuthorizationCredentials, HTTPBearer

from docagent.api.fastapi_internals import functions_asked
from docagent.api.fields import MAX_INTEGER
from docagent.bootstrap import Services
from docagent.domain.accounts.accounts import Credential, Member, Principal, TokenScope
from docagent.domain.errors import Forbidden, Unauthenticated
from docagent.domain.listing import ListQuery, list_query
from docagent.services.accounts.identity import INVALID

bearer_scheme = HTTPBearer(auto_error=False, description="A session token or an API token")
api_key_scheme = APIKeyHeader(name="X-Api-Key", auto_error=False, description="An API token")
READING_METHODS = ("GET", "HEAD")
ONLY_READS = "only_reads"
TOKEN_ONLY_READS = "This token can only read. Use one with the scope ask or write to change anything."

Endpoint = TypeVar("Endpoint", bound=Callable[..., Any])


async def services(request: Request) -> Services:
    found: Services = request.app.state.services
    return found


ServicesDep = Annotated[Services, Depends(services)]


Bearer = Annotated[HTTPAuthorizationCredentials | None, Depends(bearer_scheme)]
ApiKey = Annotated[str | None, Depends(api_key_scheme)]


def only_reads(endpoint: Endpoint) -> Endpoint:
    """Mark a route that changes nothing by itself although its method may: tokens that only read open it too."""
    setattr(endpoint, ONLY_READS, True)
    return endpoint


def check_scope(principal: Principal, request: Request) -> None:
    """Refuse what changes something to a token that only reads."""
    reads = request.method in READING_METHODS or hasattr(request.scope["endpoint"], ONLY_READS)
    if principal.scope is TokenScope.READ and not reads:
        raise Forbidden(TOKEN_ONLY_READS)


async def any_caller(request: Request, services: ServicesDep, bearer: Bearer, api_key: ApiKey) -> Principal:
    principal = await services.identity.caller(bearer.credentials if bearer else None, api_key)
    check_scope(principal, request)
    return principal


AnyCaller = Annotated[Principal, Depends(any_caller)]


async def possible_caller(
    request: Request, services: ServicesDep, bearer: Bearer, api_key: ApiKey
) -> Principal | None:
    """The caller on a path that is open to everybody; None for somebody who shows no credentials."""
    return await any_caller(request, services, bearer, api_key) if bearer or api_key else None


PossibleCaller = Annotated[Principal | None, Depends(possible_caller)]


async def account_caller(principal: AnyCaller) -> Principal:
    """The caller on an account path, where organisation tokens are refused."""
    if principal.credential is Credential.ORGANIZATION_TOKEN:
        raise Unauthenticated(INVALID)
    return principal


AccountCaller = Annotated[Principal, Depends(account_caller)]


async def org_member(
    organization_id: str, request: Request, services: ServicesDep, bearer: Bearer, api_key: ApiKey
) -> Member:
    member = await services.identity.member(bearer.credentials if bearer else None, api_key, organization_id)
    check_scope(member.principal, request)
    return member


OrgMember = Annotated[Member, Depends(org_member)]


async def own_member(request: Request, services: ServicesDep, bearer: Bearer, api_key: ApiKey) -> Member:
    """The caller in the organisation of their token, else in their own."""
    member = await services.identity.own_member(bearer.credentials if bearer else None, api_key)
    check_scope(member.principal, request)
    return member


OwnMember = Annotated[Member, Depends(own_member)]


async def member_at_document(document_id: str, member: OrgMember, services: ServicesDep) -> Member:
    """The member who looks at one document, and so sees what is proposed for it."""
    return await services.proposals.seeing(member, document_id)


MemberAtDocument = Annotated[Member, Depends(member_at_document)]


async def check_caller(request: Request) -> bool:
    """Check the caller for the route that was found, before its body is read. False if strangers may call it.

    Raises what the route itself would raise.
    """
    asked = set(functions_asked(request.scope))
    if not asked & {any_caller, org_member, own_member}:
        return False
    found = await services(request)
    bearer, api_key = await bearer_scheme(request), await api_key_scheme(request)
    if org_member in asked:
        await org_member(request.path_params["organization_id"], request, found, bearer, api_key)
        return True
    if own_member in asked:
        await own_member(request, found, bearer, api_key)
        return True
    principal = await any_caller(request, found, bearer, api_key)
    if account_caller in asked:
        await account_caller(principal)
    return True


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
