"""Which tests stay with one of the parallel workers, because they share something that is dear to start."""

from __future__ import annotations

from xdist.scheduler import LoadScopeScheduling

SHARED_BY_FOLDER = ("tests/clients",)
"""One server and one Node for all its modules."""
SHARED_BY_MODULE = ("tests/e2e", "tests/releases")
"""A server and a browser for each module; some tests go on from where the one before stopped. A product for each
release's data."""
S3 = frozenset({"tests/api/test_on_s3.py", "tests/store/test_blobs.py"})


class SharedThings(LoadScopeScheduling):  # type: ignore[misc]
    """Tests that share something go together; every other test goes to whoever is free."""

    def _split_scope(self, nodeid: str) -> str:
        return scope_of(nodeid)


def scope_of(nodeid: str) -> str:
    module = nodeid.partition("::")[0]
    folder = module.rpartition("/")[0]
    if module in S3:
        return "s3"
    if folder.startswith(SHARED_BY_FOLDER):
        return folder
    return module if folder.startswith(SHARED_BY_MODULE) else nodeid
