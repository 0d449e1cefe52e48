"""The floor for HTTP: the framework with one small JSON route, and none of our code."""

from __future__ import annotations

from fastapi import FastAPI

app = FastAPI()


@app.get("/health")
async def health() -> dict[str, str]:
    return {"status": "ok"}
