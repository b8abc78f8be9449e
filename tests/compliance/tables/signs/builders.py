"""A table under the NSW rules with limits of $5 to $500, and helpers that move its signs minute by minute."""

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from compliance.tables.limit_notices.models import LimitNotice
from compliance.tables.limit_notices.services import advance_notices, schedule_notice
from compliance.tables.signs.models import Display, Sign
from compliance.tables.signs.services import add_display, confirm_sign, record_lost_signs, refresh_display
from rounds.floor.fact_values import (
    CurrencyValue,
    EquipmentValue,
    GamingDayValue,
    LimitsValue,
    StreakAmountValue,
    WagersOfferedValue,
)
from rounds.floor.models import Table
from rounds.ledger.entry import LogEntry
from rounds.ledger.readers.search import EntryQuery, search_entries
from tests.rounds.floor.crew import OPENING, Crew, make_once, print_rules, record_table_fact, table_under

NSW = "nsw-sic-bo"
SKYCITY = "skycity-big-and-small"
MINUTE, SECOND = timedelta(minutes=1), timedelta(seconds=1)
START = OPENING + timedelta(hours=5)


def use_rules_with_pausing_clock(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """The NSW rules, except that taking a sign down only pauses its clock."""
    printed = ("removal_restarts_the_clock = true", "removal_restarts_the_clock = false")
    monkeypatch.setattr("tests.rounds.floor.crew.PACK_FOLDER", print_rules(folder, NSW, printed))


def nsw_table(crew: Crew, slug: str = "sb-1") -> Table:
    table = make_once(_make_nsw_table, crew, NSW, slug)
    table.casino = crew.harbour
    return table


def _make_nsw_table(crew: Crew, rules: str, slug: str) -> Table:
    table = table_under(crew, rules, slug)
    record_table_fact(crew, None, CurrencyValue(code="AUD"))
    record_table_fact(crew, None, GamingDayValue(cut_over="06:00"))
    record_table_fact(crew, table, LimitsValue(min=500, max=50_000))
    record_table_fact(crew, table, StreakAmountValue(cents=1_000))
    return table


def offering_streaks(crew: Crew, table: Table) -> Table:
    record_table_fact(crew, table, EquipmentValue(layout="C", screen="lcd", touch_screen=True, shaker="automated"))
    record_table_fact(crew, table, WagersOfferedValue(wagers=("streak",)))
    return table


def raise_minimum(crew: Crew, table: Table, now: datetime = START, **said: Any) -> LimitNotice:
    """Sid raises the minimum from $5 to $25, by default in 22 minutes."""
    usual: dict[str, Any] = {"effective_at": now + 22 * MINUTE, "actor": crew.sid}
    said = usual | said
    return schedule_notice(table=table, limits=LimitsValue(min=2_500, max=50_000), now=now, **said)


def put_up(crew: Crew, sign: Sign | None, at: datetime) -> Sign:
    assert sign is not None
    return confirm_sign(sign=sign, shown_at=at, actor=crew.gina, now=at)


def add_screen(crew: Crew, table: Table, at: datetime = OPENING) -> Display:
    return add_display(table=table, name="Screen left", actor=crew.sid, now=at).display


def refresh_until(display: Display, sign: Sign | None, first: datetime, last: datetime) -> None:
    """Sends a heartbeat of the display with this sign every ten seconds, from `first` to `last`."""
    assert sign is not None
    at = first
    while at <= last:
        refresh_display(display=display, shown=[sign.name], now=at)
        at += timedelta(seconds=10)


def run_workers(now: datetime) -> None:
    """Runs the periodic tasks as of that time."""
    record_lost_signs(now=now)
    advance_notices(now=now)


def reload_notice(notice: LimitNotice) -> LimitNotice:
    return LimitNotice.objects.with_related().get(pk=notice.pk)


def entries_of(kind: str, table: str = "sb-1") -> list[LogEntry]:
    """Oldest first."""
    return search_entries("harbour", EntryQuery(table=table, kind=kind)).entries[::-1]
