"""The server killed in the middle of a turn, at a few of the points that `make kill-test` goes through."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest
import sqlalchemy as sa

from docagent.domain.ids import new_id
from docagent.store.engine.database import sync_url
from docagent.store.tables import credit_entries, extraction_results
from tests.kill.blind import Storm
from tests.kill.checks import WHOLE, stored_findings
from tests.kill.deployment import Template, make_template
from tests.kill.process import forked
from tests.kill.story import ROUNDS, WINDOWS, storyteller
from tests.kill.trial import Plan, Trial, try_out

KILLS = {
    "before commit of turn_started, user_message, step_started": "not begun; asked again",
    "before commit of tool_result, tool_started": "went on by itself to approval 3",
    "after commit of approval_decided": "went on by itself, completed",
    "before commit of an extraction's reply": "went on by itself, completed",
}


PROPOSAL_KILLS = (
    "after commit of a proposal's beginning",
    "before commit of turn_started, user_message, step_started",
    "before commit of tool_result, step_started",
    "before commit of assistant_message, usage, completed",
)


@pytest.fixture(scope="module")
async def template(tmp_path_factory: pytest.TempPathFactory) -> Template:
    return await make_template("sqlite", tmp_path_factory.mktemp("kill") / "template", None, forked)


async def test_a_killed_turn_goes_on_and_nothing_is_lost_or_doubled(
    template: Template, tmp_path: Path
) -> None:
    trials = [
        try_out(template, tmp_path / str(place), Plan((point,)), forked) for place, point in enumerate(KILLS)
    ]
    reports = await asyncio.gather(*trials)
    for report in reports:
        assert not report.findings, f"{report.name}: {report.findings}\n{report.words}"
        assert report.name in KILLS
        assert report.afterwards == KILLS[report.name]
        assert report.calls >= ROUNDS + WINDOWS
    assert reports[-1].calls == ROUNDS + WINDOWS + 1, "the reply that was not stored is asked for again"


@pytest.mark.release
async def test_a_killed_preparation_ends_with_one_proposal_and_nothing_left_over(
    template: Template, tmp_path: Path
) -> None:
    trials = [
        try_out(template, tmp_path / str(place), Plan((point,), proposes=True), forked)
        for place, point in enumerate(PROPOSAL_KILLS)
    ]
    for point, report in zip(PROPOSAL_KILLS, await asyncio.gather(*trials), strict=True):
        assert not report.findings, f"{report.name}: {report.findings}\n{report.words}"
        assert (report.name, report.afterwards) == (point, "went on by itself, proposed")


async def test_the_kill_test_sees_what_is_lost_and_what_is_doubled(
    template: Template, tmp_path: Path
) -> None:
    folder = tmp_path / "tampered"
    folder.mkdir()
    async with storyteller() as teller, template.copied(folder) as copy:
        report = await Trial(copy, teller, Plan(), forked).run()
        assert not report.findings, f"{report.findings}\n{report.words}"
        engine = sa.create_engine(sync_url(copy.url), poolclass=sa.NullPool)
        with engine.begin() as connection:
            charge = connection.execute(
                sa.select(credit_entries).where(credit_entries.c.kind == "charge")
            ).first()
            assert charge is not None
            connection.execute(sa.insert(credit_entries).values(**{**charge._asdict(), "id": new_id()}))
            connection.execute(sa.delete(extraction_results))
        found = {(finding.kind, finding.text) for finding in stored_findings(copy, WHOLE)}
    assert ("doubled", f"charges for agent_llm: {ROUNDS + 1} instead of {ROUNDS}") in found
    assert ("lost", "rows of extraction_results: 0 instead of 1") in found


@pytest.mark.parametrize("kills", [4, pytest.param(40, marks=pytest.mark.release)])
async def test_clients_that_repeat_every_request_lose_and_double_nothing(
    template: Template, tmp_path: Path, kills: int
) -> None:
    """Whoever got no answer sends the same request again with the same key, however often the server is killed."""
    folder = tmp_path / "storm"
    folder.mkdir()
    async with template.copied(folder) as copy:
        storm = Storm(copy, folder, kills, forked, random.Random(kills))
        assert await storm.run() == []
    assert storm.killed == kills
    assert len(storm.uploads) == len(set(storm.uploads)) > 0
