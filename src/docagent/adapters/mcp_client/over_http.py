"""Sends what the SDK wants to send through the one guarded way out, and hands back the whole answer.

An answer is read to its end within the limits before the SDK sees it. So there is no stream that stays open, and none
is asked for: a server that wants to talk by itself is not heard.
"""

from __future__ import annotations

from collections.abc import Mapping

import httpx2

from docagent.domain.egress import EgressFailed, EgressRefused, OutgoingHttp

SET_BY_THE_WAY_OUT = frozenset(
    {"host", "connection", "content-length", "transfer-encoding", "accept-encoding", "user-agent"}
)


class GuardedTransport(httpx2.AsyncBaseTransport):
    def __init__(self, http: OutgoingHttp, headers: Mapping[str, str]) -> None:
        self._http = http
        self._headers = headers
        self.failure: EgressFailed | EgressRefused | None = None
        """Why the last request did not work. The SDK tells no more than that one failed."""
        self.status: int | None = None

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        if request.method == "GET":
            return httpx2.Response(405, request=request)
        body = await request.aread()
        sent = {
            name: value for name, value in request.headers.items() if name.lower() not in SET_BY_THE_WAY_OUT
        }
        try:
            answer = await self._http.request(
                request.method, str(request.url), headers={**sent, **self._headers}, body=body
            )
        except (EgressFailed, EgressRefused) as error:
            self.failure = error
            return httpx2.Response(502, request=request)
        self.status = answer.status
        kept = {name: value for name, value in answer.headers.items() if name != "content-length"}
        return httpx2.Response(answer.status, headers=kept, content=answer.body, request=request)
