"""Fifty orders uploaded at once, each with a proposal: how soon all are prepared, and how long others wait meanwhile.

The built-in model prepares them. The floor is the same upload without proposals, where the documents are only read.
"""

from __future__ import annotations

import base64
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from statistics import median, quantiles

from benchmarks.made_pdfs import order_pdf
from benchmarks.server import Ours, call, server_with_token

NAME = "proposals"
PAUSE = 0.05
QUIET_REQUESTS = 40
MOST_SECONDS = 900
SETTLED = {"ocr_completed", "ocr_failed", "llm_completed", "llm_failed"}


@dataclass
class Drained:
    """What an upload of many documents took, and what a list of documents took before it and during it."""

    seconds: float = 0.0
    quiet: list[float] = field(default_factory=list)
    busy: list[float] = field(default_factory=list)
    groups: int = 0
    review_ms: float = 0.0

    @property
    def slower(self) -> float:
        return median(self.busy) / median(self.quiet)


def run(quick: bool) -> dict[str, float]:
    documents = 10 if quick else 50
    read, prepared = _drain(documents, proposals=False), _drain(documents, proposals=True)
    return {
        "documents": documents,
        "read_floor_seconds": read.seconds,
        "read_floor_per_minute": documents / read.seconds * 60,
        "prepared_seconds": prepared.seconds,
        "prepared_per_minute": documents / prepared.seconds * 60,
        "prepared_x": prepared.seconds / read.seconds,
        "groups": prepared.groups,
        "list_quiet_ms": median(prepared.quiet) * 1000,
        "list_while_reading_ms": median(read.busy) * 1000,
        "list_while_preparing_ms": median(prepared.busy) * 1000,
        "list_while_preparing_p95_ms": quantiles(prepared.busy, n=20)[-1] * 1000,
        "list_while_reading_x": read.slower,
        "list_while_preparing_x": prepared.slower,
        "review_ms": prepared.review_ms,
    }


def _drain(documents: int, *, proposals: bool) -> Drained:
    found = Drained()
    with server_with_token() as ours:
        found.quiet = [_small_request(ours) for _ in range(QUIET_REQUESTS)]
        new = [
            {
                "name": f"order {number}.pdf",
                "content": base64.b64encode(order_pdf(number)).decode(),
                "auto_create": proposals,
            }
            for number in range(documents)
        ]
        begun = time.perf_counter()
        call(f"{_base(ours)}/documents", {"documents": new}, ours.token)
        while not _is_done(ours, documents, proposals=proposals):
            if time.perf_counter() - begun > MOST_SECONDS:
                raise RuntimeError("the queue did not drain")
            for _ in range(5):
                found.busy.append(_small_request(ours))
                time.sleep(PAUSE)
        found.seconds = time.perf_counter() - begun
        if proposals:
            review = f"{_base(ours)}/auto_create"
            found.review_ms = _seconds(lambda: call(review, token=ours.token)) * 1000
            found.groups = len(call(review, token=ours.token)["groups"])
    return found


def _is_done(ours: Ours, documents: int, *, proposals: bool) -> bool:
    listed = call(f"{_base(ours)}/documents?limit={documents}", token=ours.token)["documents"]
    if not proposals:
        return all(document["state"] in SETTLED for document in listed)
    states = [document["auto_create_status"] for document in listed]
    if "failed" in states:
        raise RuntimeError(next(item["auto_create_error"] for item in listed if item["auto_create_error"]))
    return set(states) == {"proposed"}


def _small_request(ours: Ours) -> float:
    return _seconds(lambda: call(f"{_base(ours)}/documents?limit=10", token=ours.token))


def _base(ours: Ours) -> str:
    return f"{ours.base_url}/v0/orgs/{ours.organization_id}"


def _seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started
