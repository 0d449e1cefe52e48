"""Decides which tests stay on one parallel worker because they share something that is slow to start."""

from __future__ import annotations

from xdist.scheduler import LoadScopeScheduling
from xdist.workermanage import WorkerController

SHARED_BY_FOLDER = ("tests/clients",)
"""One server and one Node for all its modules."""
SHARED_BY_MODULE = (
    "tests/e2e/",
    "tests/releases/",
    "tests/worker/",
    "tests/api/projects/test_act_search.py",
    "tests/api/turns/sources/test_context.py",
    "tests/api/turns/test_database_away.py",
    "tests/api/models/test_mcp_servers.py",
    "tests/api/turns/sources/test_web_search.py",
    "tests/api/loops/test_questions.py",
    "tests/api/loops/test_steering.py",
    "tests/api/review/test_accuracy.py",
    "tests/api/turns/test_agent_notices.py",
    "tests/api/extraction/test_extraction.py",
    "tests/api/extraction/test_field_paths.py",
    "tests/api/server/test_manners.py",
    "tests/api/server/test_statement_counts.py",
    "tests/api/extraction/test_prompt_runs.py",
    "tests/api/extraction/test_pictures.py",
    "tests/api/review/test_review.py",
    "tests/api/review/test_sheets.py",
    "tests/api/review/test_straight_through.py",
    "tests/api/accounts/test_tenancy.py",
    "tests/api/deliveries/test_webhooks.py",
    "tests/rules/test_manual.py",
    "tests/store/test_copying.py",
    "tests/store/test_listing.py",
    "tests/tools/test_tenancy.py",
    "tests/unit/evals/test_zoo.py",
    "tests/unit/mail/test_smtp.py",
    "tests/unit/parse/test_ocr.py",
    "tests/unit/parse/test_second_reader.py",
    "tests/unit/reader_model/test_features.py",
)
"""A browser and an organisation for each module of `e2e`; some tests go on from where the one before stopped. A product
for each release's data. The single modules have fixtures of their own, which every parallel worker would make again.

What goes together begins first. Tests of the worker wait for processes, and must not be the last of all."""
S3 = frozenset({"tests/api/documents/test_on_s3.py", "tests/store/test_blobs.py"})


class SharedThings(LoadScopeScheduling):  # type: ignore[misc]
    """Keeps tests that share something together. Every other test goes to any free worker."""

    def _split_scope(self, nodeid: str) -> str:
        return scope_of(nodeid)

    def mark_test_complete(self, node: WorkerController, item_index: int, duration: float = 0) -> None:
        """Forget a scope that is done: the base class goes through all of a worker's scopes after every test."""
        super().mark_test_complete(node, item_index, duration)
        scopes = self.assigned_work[node]
        scope = scope_of(self.registered_collections[node][item_index])
        if all(scopes[scope].values()):
            del scopes[scope]


def scope_of(nodeid: str) -> str:
    module = nodeid.partition("::")[0]
    folder = module.rpartition("/")[0]
    if module in S3:
        return "s3"
    if folder.startswith(SHARED_BY_FOLDER):
        return folder
    return module if module.startswith(SHARED_BY_MODULE) else nodeid
