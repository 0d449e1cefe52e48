"""What day it is, as the model is told it: in the time zone of the organisation."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from docagent.agent.context import system_text
from docagent.settings import AgentSettings
from tests.support.agent import Desk
from tests.support.tables import table

NEW_YEAR = datetime(2026, 12, 31, 23, 30, tzinfo=UTC)


@table(
    "zone, day",
    [
        ("UTC", "Today is Thursday, 31 December 2026 (UTC)."),
        ("Europe/Berlin", "Today is Friday, 01 January 2027 (Europe/Berlin)."),
        ("America/Los_Angeles", "Today is Thursday, 31 December 2026 (America/Los_Angeles)."),
        ("Atlantis/Capital", "Today is Thursday, 31 December 2026 (UTC)."),
    ],
)
def test_the_day_is_that_of_the_time_zone(zone: str, day: str) -> None:
    assert system_text("Rules.", [], NEW_YEAR, zone) == f"Rules.\n\n{day}"


async def test_the_model_is_told_the_day_in_the_time_zone_of_its_organisation(own_desk: Desk) -> None:
    path = f"/v0/account/organizations/{own_desk.tenant.organization_id}"
    session = own_desk.tenant.account_headers
    await own_desk.chat("Hello", "Hi.")
    assert "(UTC)." in own_desk.system()
    changed = await own_desk.api.client.put(path, headers=session, json={"time_zone": "Asia/Tokyo"})
    assert changed.json()["time_zone"] == "Asia/Tokyo"
    await own_desk.chat("Hello", "Hi.")
    assert "(Asia/Tokyo)." in own_desk.system()
    for wrong in ("Tokyo", "../etc/passwd", "", "America"):
        refused = await own_desk.api.client.put(path, headers=session, json={"time_zone": wrong})
        assert refused.status_code == 422, wrong
    kept = await own_desk.api.client.put(path, headers=session, json={"auto_create_default": False})
    assert kept.json()["time_zone"] == "Asia/Tokyo"
    taken_back = await own_desk.api.client.put(path, headers=session, json={"time_zone": None})
    assert taken_back.json()["time_zone"] is None
    await own_desk.chat("Hello", "Hi.")
    assert "(UTC)." in own_desk.system()


def test_the_setting_must_be_a_time_zone() -> None:
    assert AgentSettings(time_zone="Europe/Berlin").time_zone == "Europe/Berlin"
    with pytest.raises(ValueError, match="IANA"):
        AgentSettings(time_zone="Berlin")
