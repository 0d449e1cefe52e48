"""Whose certificates are believed."""

from __future__ import annotations

import functools
import ssl

import httpx2


@functools.cache
def trusted_authorities() -> ssl.SSLContext:
    """The machine's authorities. Reading them takes longer than a request, so all clients of a process share them."""
    return httpx2.create_ssl_context()
