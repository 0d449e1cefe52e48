"""Zips as people and as attackers make them."""

from __future__ import annotations

import io
import stat
import zipfile
from collections.abc import Mapping


def zip_of(files: Mapping[str, bytes | str], *, pack: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A zip of these files; a path that ends with a slash is a folder."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", pack) as archive:
        for path, content in files.items():
            archive.writestr(path, content)
    return target.getvalue()


def zip_with_link(path: str, to: str) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        entry = zipfile.ZipInfo(path)
        entry.create_system = 3
        entry.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(entry, to)
    return target.getvalue()


def files_of(content: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}
