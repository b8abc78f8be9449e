"""Lists of floor duties with none, one and ten thousand rows: the number of queries does not grow."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import models
from django.utils import timezone

from compliance.analysis.fairness.models import Signal
from compliance.notify.alerts.models import Alert
from compliance.tables.closures.models import Closure
from compliance.tables.equipment.models import VoidSet
from compliance.tables.equipment.projections import CardsCounted, ChipsMoved, Custody, Fault, InspectionMade
from compliance.tables.limit_notices.models import LimitNotice, PlayerLimit, UnderMinimumWarning
from compliance.tables.player_conduct.models import ConductAct
from compliance.tables.signs.models import Sign, SignPurpose
from rounds.floor.models import Table
from tests.compliance.core.accounts.people import browser_of
from tests.compliance.pages.many_rows import MANY, copy_row, count_queries
from tests.compliance.tables.equipment.builders import NSW, Floor, open_floor
from tests.rounds.floor.crew import Crew

HARBOUR = "/casinos/harbour/"


@pytest.fixture
def floor(crew: Crew) -> Floor:
    floor = open_floor(crew)
    floor.table(NSW)
    return floor


def rows_of(floor: Floor) -> dict[str, models.Model]:
    """One row of each list, by the URL that shows it. None of them is a task for anybody."""
    sid, now = floor.crew.sid, timezone.now() - timedelta(days=1)
    table = Table.objects.get()
    place: dict[str, Any] = {"casino": table.casino, "table": table, "log": "harbour", "entry_index": 10**6}
    told: dict[str, Any] = {"log": "harbour", "table": "sb-1", "index": 10**6, "at": now, "by": "Sid"}
    by: dict[str, Any] = {"by": sid, "by_name": "Sid", "at": now}
    return {
        "notices/": LimitNotice(
            **place,
            min_cents=500,
            max_cents=50_000,
            multiples=False,
            effective_at=now,
            state="withdrawn",
            scheduled_by=sid,
            scheduled_by_name="Sid",
            scheduled_at=now,
        ),
        "notices/tables/sb-1/warnings/": UnderMinimumWarning(
            **place,
            player="p-1",
            gaming_day=now.date(),
            warned_at=now,
            warned_by=sid,
            warned_by_name="Sid",
            recorded_at=now,
        ),
        "notices/tables/sb-1/player-limits/": PlayerLimit(
            **place,
            player="p-1",
            min_cents=1,
            max_cents=2,
            sign=sign_before(table, now),
            allowed_by=sid,
            allowed_by_name="Sid",
            allowed_at=now,
            ended_by=sid,
            ended_at=now,
        ),
        "closures/tables/sb-1/": Closure(
            **place,
            closes_at=now,
            players_present=False,
            streak_in_progress=False,
            state="withdrawn",
            announced_by=sid,
            announced_by_name="Sid",
            announced_at=now,
        ),
        "alerts/": Alert(
            casino=table.casino,
            log="harbour",
            entry_index=10**6,
            duty="equipment-fault",
            to=["inspector"],
            told=["inspector"],
            statement="The lights failed.",
            clause="8.8",
            table="sb-1",
            fact_at=now,
            raised_at=now,
            is_immediate=True,
            state="acknowledged",
            acknowledged_at=now,
            acknowledged_by_name="Ines",
        ),
        "conduct/": ConductAct(
            **place, **by, kind="wager-refusal", grounds="late", seat=4, acted_as="casino-supervisor", recorded_at=now
        ),
        "fairness/signals/": Signal(
            log="harbour",
            entry_index=10**6,
            casino=table.casino,
            code="FAIR-FACES",
            subject_kind="dice",
            subject="set-1",
            gaming_day=now.date(),
            test="faces",
            rounds=200,
            statistic="45",
            degrees=5,
            p_value="1e-8",
            level="1e-6",
            tests=6,
            cells=[],
            played=[],
            voids=[],
            found_at=now,
        ),
        "equipment/damaged-dice/": VoidSet(**place, **by, dice_set="set-1", rounds=[1], reason="Chipped."),
        "equipment/faults/": Fault(
            **told, name="F-1", equipment="sign", effect="power", stops_play=False, mended_at=now, mended_by="Sid"
        ),
        "equipment/dice/": Custody(**told, piece="dice", name="set-1", removed_at=now),
        "equipment/shakers/": Custody(**told | {"index": 10**7}, piece="shaker", name="s-1", removed_at=now),
        "equipment/inspections/": InspectionMade(
            **told,
            item="electrical-device",
            occasion="before-opening",
            trials=1,
            entered=[[1, 2, 3]],
            has_passed=True,
            position="games-supervisor",
        ),
        "equipment/cards/": CardsCounted(**told, shoe="shoe-1", decks=4, cards=192, foreign_cards=0),
        "equipment/chips/": ChipsMoved(
            **told, chip_set="T1", colour="blue", value_cents=500, chips=40, holder="seat 4"
        ),
    }


def sign_before(table: Table, now: datetime) -> Sign:
    return Sign.objects.create(
        casino=table.casino,
        table=table,
        name="player-",
        purpose=SignPurpose.PLAYER_LIMITS,
        notice_minutes=0,
        content={"min": 1, "max": 2, "seat": 1},
        made_by_name="Sid",
        made_at=now,
        ended_at=now,
    )


def apart_of(row: models.Model) -> dict[str, str]:
    """Columns that must differ between copies: sign and name."""
    if isinstance(row, PlayerLimit):
        return {"sign_id": "sign_id + n"}
    return {Sign: {"name": "name || n"}, Signal: {"subject": "subject || n"}}.get(type(row), {})


def test_every_list_is_fine_with_nothing_one_and_ten_thousand(floor: Floor) -> None:
    browser = browser_of(floor.crew.sid)
    browser.get("/")
    for address, row in rows_of(floor).items():
        assert count_queries(browser, HARBOUR + address) > 0
        row.save(force_insert=True)
        one = count_queries(browser, HARBOUR + address)
        for each in (row.sign, row) if isinstance(row, PlayerLimit) else (row,):
            copy_row(each, MANY - 1, apart_of(each))
        assert count_queries(browser, HARBOUR + address) == one, address
        page = browser.get(HARBOUR + address).content.decode()
        assert "10,000" in page, address
