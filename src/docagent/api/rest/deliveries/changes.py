"""What changes in an organisation, as it changes, so that open pages need not ask all the time."""

from __future__ import annotations

import orjson
from fastapi import Request, Response

from docagent.api.deps import OrgMember, ServicesDep
from docagent.api.router import Router
from docagent.api.stream import EventStream, change_lines

router = Router(prefix="/v0/orgs/{organization_id}", tags=["agent"])


@router.get("/changes", response_class=Response)
async def watch_changes(request: Request, member: OrgMember, services: ServicesDep) -> Response:
    """With `Accept: text/event-stream`, what changes: a `document`, by its id, or what waits for you (`inbox`).

    `hearing` says whether the changes of all processes are told now; what is not told is found by asking. Without that
    header the answer says only this.
    """
    if "text/event-stream" not in request.headers.get("accept", ""):
        content = orjson.dumps({"type": "hearing", "all": services.live_changes.hears_all()})
        return Response(content, media_type="application/json")
    lines = change_lines(services.live_changes.watch(member))
    return EventStream(lines, {"Cache-Control": "no-store"})
