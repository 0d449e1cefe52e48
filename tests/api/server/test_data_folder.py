"""The data folder: nobody but its owner reads what is in it, also what an earlier version left there."""

from __future__ import annotations

from pathlib import Path

from tests.conftest import make_settings, running_product
from tests.support.org_api import OrgApi


def open_to_others(folder: Path) -> list[str]:
    return [str(path) for path in (folder, *folder.rglob("*")) if path.stat().st_mode & 0o077]


async def test_only_the_owner_reads_the_data_folder(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir(mode=0o755)
    async with running_product(make_settings(data, auth={"secret": None})) as product:
        tenant = await product.new_tenant()
        await OrgApi(product.client, tenant.organization_id, tenant.headers).add_document()
        names = {path.name for path in data.iterdir()}
        assert {"docagent.db", "docagent.db-wal", "docagent.db-shm", "blobs", "secret.key"} <= names
        assert open_to_others(data) == []


async def test_what_an_earlier_version_left_open_is_closed(tmp_path: Path) -> None:
    data = tmp_path / "data"
    settings = make_settings(data)
    async with running_product(settings):
        pass
    data.chmod(0o755)
    (data / "docagent.db").chmod(0o644)
    for ending in ("-wal", "-shm"):
        (data / f"docagent.db{ending}").touch(mode=0o644)
        (data / f"docagent.db{ending}").chmod(0o644)
    async with running_product(settings):
        assert open_to_others(data) == []
