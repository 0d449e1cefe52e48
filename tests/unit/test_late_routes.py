"""Routes are analysed at their first use, and are then as FastAPI makes them."""

from __future__ import annotations

from types import SimpleNamespace

import httpx2
from fastapi import FastAPI

from docagent.api.answers import Answer
from docagent.api.router import LateRoute, Router


def is_analysed(route: LateRoute) -> bool:
    return "dependant" in vars(route)


async def test_a_route_is_analysed_when_it_is_first_called() -> None:
    router = Router("/things", tags=["things"])

    @router.get("/{number}")
    async def thing(number: int) -> dict[str, int]:
        return {"number": number}

    @router.post("/{number}")
    async def change(number: int) -> dict[str, int]:
        return {"changed": number}

    app = FastAPI()
    app.router.routes.extend(router.routes)
    first, second = (route for route in router.routes if isinstance(route, LateRoute))
    assert not is_analysed(first)
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app=app), base_url="http://test") as client:
        assert (await client.get("/things/7")).json() == {"number": 7}
        assert (await client.get("/things/seven")).status_code == 422
        assert (await client.delete("/things/7")).status_code == 405
    assert is_analysed(first)
    assert not is_analysed(second)
    assert second.tags == ["things"]
    assert is_analysed(second)
    assert not hasattr(second, "nothing_of_the_kind")


def test_an_answer_is_analysed_at_its_first_use() -> None:
    class Thing(Answer):
        name: str

    assert not Thing.__pydantic_complete__
    assert Thing.model_validate(SimpleNamespace(name="a thing")).model_dump() == {"name": "a thing"}
    assert Thing.__pydantic_complete__
