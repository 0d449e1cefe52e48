"""An organisation's own calibration: made from what its people verified, by a job."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from docagent.domain.clock import now
from docagent.domain.extraction.review import is_verified_at
from docagent.domain.jobs import Job, JobKind
from docagent.evidence.accuracy import compare
from docagent.evidence.confidence import Calibration, Knot, default_calibration, fit_table, weighed_values
from docagent.services.jobs import JobRun, JobService
from docagent.services.review.straight_through import measure_again
from docagent.store.engine.database import Database, OrgTx
from docagent.store.review import calibrations
from docagent.store.review.calibrations import StoredCalibration, VerifiedResult

LEAST_VERIFIED = 300
"""An organisation with more verified values than this gets a calibration of its own."""
MOST_RESULTS = 2000
"""The newest ones; older documents tell less about what comes next."""
AT_A_TIME = 50
PAUSE = timedelta(hours=1)
"""The shortest time between two calibrations."""


class CalibrationService:
    def __init__(self, db: Database, jobs: JobService) -> None:
        self._db = db
        self._jobs = jobs

    async def of(self, organization_id: str) -> Calibration:
        """The organisation's own calibration, or the default one: also while its own is one of other weights."""
        async with self._db.read_org(organization_id) as tx:
            stored = await calibrations.get(tx)
        if stored is None or stored.table is None or _is_outdated(stored):
            return default_calibration()
        return default_calibration().with_table(Knot(*pair) for pair in stored.table)

    async def after_verifying(self, tx: OrgTx) -> None:
        """Queue the job that makes the calibration again, as part of what verified a value."""
        stored = await calibrations.get(tx)
        if stored is not None and not _is_outdated(stored) and now() - stored.made_at < PAUSE:
            return
        if not await self._jobs.is_open(tx, JobKind.CALIBRATE, tx.organization_id):
            await self._jobs.enqueue(tx, JobKind.CALIBRATE, tx.organization_id)

    async def calibrate(self, run: JobRun) -> None:
        """Do the job. Done twice, it comes to the same, so it can begin again at any time."""
        organization_id = run.job.organization_id
        judged: list[tuple[float, bool]] = []
        async with self._db.read_org(organization_id, long=True) as tx:
            ids = await calibrations.verified_ids(tx, MOST_RESULTS)
        for start in range(0, len(ids), AT_A_TIME):
            async with self._db.read_org(organization_id, long=True) as tx:
                async for result in calibrations.verified(tx, ids[start : start + AT_A_TIME]):
                    judged += judged_values(result)
            async with self._db.write_org(organization_id) as tx:
                await run.alive(tx, progress=start, total=len(ids))
        table = None
        if len(judged) > LEAST_VERIFIED:
            table = [[knot.score, knot.right] for knot in fit_table(judged)]
        await measure_again(self._db, organization_id)
        async with self._db.write_org(organization_id) as tx:
            await calibrations.keep(tx, StoredCalibration(table, len(judged), now(), _made_with()))
            await run.finish(tx)

    async def give_up(self, tx: OrgTx, job: Job) -> None:
        """Nothing is lost: the calibration of before stays in use, and the next verified value queues another job."""


def _is_outdated(stored: StoredCalibration) -> bool:
    """Whether the table was made from scores of other weights, by another version."""
    return stored.made_with != _made_with()


def _made_with() -> str:
    return default_calibration().made_with


def judged_values(result: VerifiedResult) -> Iterator[tuple[float, bool]]:
    """The score of each value that a model gave and a person verified, and whether the model was right."""
    scores = {
        one.path: default_calibration().score(one.signals)
        for one in weighed_values(result.model_grounding, result.model_data)
    }
    for one in compare(result.data, result.model_data):
        score = scores.get(one.given_path) if one.given_path is not None else None
        if score is not None and is_verified_at(result, one.path):
            yield score, one.right
