"""Routes are analysed at their first use, and are then as FastAPI makes them."""

from __future__ import annotations

from types import SimpleNamespace

import httpx2
from fastapi import FastAPI

from docagent.api.answers import Answer
from docagent.api.fastapi_internals import LateRoute
from docagent.api.router import Router


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


async def test_addresses_are_told_apart() -> None:
    router = Router("/things")

    @router.get("")
    async def things() -> str:
        return "all"

    @router.get("/{name}")
    async def thing(name: str) -> str:
        return name

    @router.get("/{name}/parts")
    async def parts(name: str) -> str:
        return f"parts of {name}"

    @router.get("/{name}/{part}")
    async def part(name: str, part: str) -> str:
        return f"{part} of {name}"

    @router.get("/{name}/files/{file:path}")
    async def file(name: str, file: str) -> str:
        return f"{file} of {name}"

    @router.get("/{name}/as/v{version}/{form}.json")
    async def form(name: str, version: int, form: str) -> str:
        return f"{name} as {form} {version}"

    app = FastAPI()
    app.router.routes.extend(router.routes)
    expected = {
        "/things": "all",
        "/things/": "all",
        "/things/a": "a",
        "/things/parts": "parts",
        "/things/a/parts": "parts of a",
        "/things/a/parts/": "parts of a",
        "/things/parts/parts": "parts of parts",
        "/things/a/b": "b of a",
        "/things/a/files/b/c/d": "b/c/d of a",
        "/things/a/as/v2/b.json": "a as b 2",
    }
    for root in ("", "/below"):
        transport = httpx2.ASGITransport(app=app, root_path=root)
        async with httpx2.AsyncClient(transport=transport, base_url="http://test") as client:
            for path, answer in expected.items():
                got = await client.get(root + path, follow_redirects=True)
                assert got.json() == answer, (root, path)
            for path in ("/thing", "/things/a/b/c", "/things//parts/x", "/things/a/as/v2/b.xml", "/"):
                assert (await client.get(root + path)).status_code == 404, (root, path)


def test_an_answer_is_analysed_at_its_first_use() -> None:
    class Thing(Answer):
        name: str

    assert not Thing.__pydantic_complete__
    assert Thing.model_validate(SimpleNamespace(name="a thing")).model_dump() == {"name": "a thing"}
    assert Thing.__pydantic_complete__
