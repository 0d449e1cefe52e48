"""Each name that we use inside a library without its promise to keep it.

An upgrade of one of these libraries has to pass this page before its bound in pyproject.toml is raised.
"""

from __future__ import annotations

import asyncio
import inspect
import signal
import tomllib
from collections.abc import Callable
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from fastapi import Depends, FastAPI
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from mcp.server.lowlevel.server import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from packaging.requirements import Requirement
from starlette.routing import compile_path, get_name
from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from xdist.scheduler import LoadScopeScheduling

from docagent.adapters.parse.recognition.second_reader import MODELS
from docagent.api.fastapi_internals import LateRoute, functions_asked
from docagent.api.server.uvicorn_internals import LimitedHttp, LimitedWebSocket, ServerUntilSignal
from tests.rules.sources import ROOT
from tests.support.tables import table

BOUNDED = ("fastapi", "mcp", "pytest-xdist", "rapidocr", "sqlalchemy", "starlette", "uvicorn")
OVERRIDDEN = (
    *(
        (LimitedHttp, HttpToolsProtocol, name)
        for name in (
            "connection_made",
            "connection_lost",
            "data_received",
            "handle_websocket_upgrade",
            "on_message_begin",
            "on_headers_complete",
            "on_body",
            "on_message_complete",
            "on_response_complete",
            "shutdown",
        )
    ),
    *(
        (LimitedWebSocket, WebSocketsSansIOProtocol, name)
        for name in ("connection_made", "connection_lost", "send")
    ),
    *((ServerUntilSignal, uvicorn.Server, name) for name in ("capture_signals", "startup", "shutdown")),
    (LateRoute, APIRoute, "matches"),
)


@table("package", BOUNDED)
def test_a_library_whose_insides_we_use_has_a_bound(package: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    named = [*project["project"]["dependencies"], *project["dependency-groups"]["dev"]]
    (bound,) = (each.specifier for each in map(Requirement, named) if each.name == package)
    assert any(each.operator == "<" for each in bound)
    assert version(package) in bound


@table(("ours", "theirs", "name"), OVERRIDDEN)
def test_what_we_override_is_there_and_takes_the_same(ours: Any, theirs: Any, name: str) -> None:
    assert list(inspect.signature(getattr(ours, name)).parameters) == list(
        inspect.signature(getattr(theirs, name)).parameters
    )


async def test_what_we_read_of_uvicorns_protocols() -> None:
    config = uvicorn.Config(FastAPI(), lifespan="off")
    config.load()
    http = HttpToolsProtocol(config, ServerState(), {}, asyncio.get_running_loop())
    for name in ("client", "cycle", "flow", "headers", "loop", "transport"):
        assert hasattr(http, name), name
    socket = WebSocketsSansIOProtocol(config, ServerState(), {}, asyncio.get_running_loop())
    assert isinstance(socket.conn.max_message_size, int)
    assert {"client", "transport"} <= {*vars(socket), *WebSocketsSansIOProtocol.__annotations__}
    assert STATUS_LINE[503].startswith(b"HTTP/1.1 503")
    for name in ("resume_reading",):
        assert callable(getattr(FlowControl, name))


def test_what_we_read_of_a_request_under_way() -> None:
    set_by = inspect.getsource(RequestResponseCycle.__init__)
    for name in ("response_complete", "more_body", "waiting_for_100_continue"):
        assert f"self.{name} = " in set_by
    assert "self.read_paused = " in inspect.getsource(FlowControl.__init__)


def test_what_we_use_of_uvicorns_server() -> None:
    server = uvicorn.Server(uvicorn.Config(FastAPI()))
    assert server.should_exit is False
    server.handle_exit(signal.SIGTERM, None)
    assert server.should_exit


def test_what_we_use_of_routes() -> None:
    regex, form, convertors = compile_path("/things/{number:int}")
    assert regex.match("/things/7")
    assert (form, list(convertors)) == ("/things/{number}", ["number"])
    assert get_name(test_what_we_use_of_routes) == "test_what_we_use_of_routes"

    def first() -> None: ...

    def second(one: None = Depends(first)) -> None:
        del one

    route = APIRoute("/things", lambda given=Depends(second): given)
    assert isinstance(route.dependant, Dependant)
    assert set(functions_asked({"type": "http", "route": route})) == {first, second}
    late = LateRoute("/things/{number}", first, methods=["get"])
    for name in ("path", "endpoint", "path_regex", "path_format", "param_convertors", "name", "methods"):
        assert name in vars(late), name
        assert name in vars(route), name


def test_what_we_use_of_the_mcp_sdk() -> None:
    user = AuthenticatedUser(AccessToken(token="", client_id="org", scopes=[], subject="user", claims={}))
    assert user.access_token.subject == "user"
    manager = inspect.signature(StreamableHTTPSessionManager)
    assert {"max_request_body_size", "session_idle_timeout", "max_sessions"} <= set(manager.parameters)
    for owner, name in (
        (StreamableHTTPSessionManager, "run"),
        (StreamableHTTPSessionManager, "handle_request"),
    ):
        assert callable(getattr(owner, name))
    assert inspect.isclass(Server)


@table("model", MODELS)
def test_the_models_inside_rapidocr(model: str) -> None:
    package = find_spec("rapidocr")
    assert package is not None
    assert (Path(str(package.origin)).parent / "models" / model).is_file()


@pytest.mark.parametrize("name", ["_split_scope", "mark_test_complete"])
def test_what_we_override_of_xdists_scheduler(name: str) -> None:
    method: Callable[..., Any] = getattr(LoadScopeScheduling, name)
    assert callable(method)
    for attribute in ("assigned_work", "registered_collections"):
        assert f"self.{attribute}" in inspect.getsource(LoadScopeScheduling.__init__)
