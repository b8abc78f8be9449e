"""A table under the NSW rules with limits of 5 to 500 dollars, and what happens to its signs, minute by minute."""

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from compliance.notices.models import LimitNotice
from compliance.notices.services import advance_notices, schedule_notice
from compliance.signs.models import Display, Sign
from compliance.signs.services import add_display, confirm_sign, note_losses, refresh_display
from rounds.floor.models import Table
from rounds.floor.values import Currency, Equipment, GamingDay, Limits, StreakAmount, WagersOffered
from rounds.ledger.following import Recorded
from rounds.ledger.searching import Wanted, search
from tests.rounds.floor.crew import OPENING, Crew, first_of_all, print_rules, state, table_under

NSW = "nsw-sic-bo"
SKYCITY = "skycity-big-and-small"
MINUTE, SECOND = timedelta(minutes=1), timedelta(seconds=1)
START = OPENING + timedelta(hours=5)


def print_rules_whose_clock_goes_on(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """NSW's rules as they are, but that a sign's coming down only stops its clock."""
    printed = ("removal_restarts_the_clock = true", "removal_restarts_the_clock = false")
    monkeypatch.setattr("tests.rounds.floor.crew.PACK_FOLDER", print_rules(folder, NSW, printed))


def nsw_table(crew: Crew, slug: str = "sb-1") -> Table:
    table = first_of_all(_make_nsw_table, crew, NSW, slug)
    table.casino = crew.harbour
    return table


def _make_nsw_table(crew: Crew, rules: str, slug: str) -> Table:
    table = table_under(crew, rules, slug)
    state(crew, None, Currency(code="AUD"))
    state(crew, None, GamingDay(cut_over="06:00"))
    state(crew, table, Limits(min=500, max=50_000))
    state(crew, table, StreakAmount(cents=1_000))
    return table


def offering_streaks(crew: Crew, table: Table) -> Table:
    state(crew, table, Equipment(layout="C", screen="lcd", touch_screen=True, shaker="automated"))
    state(crew, table, WagersOffered(wagers=("streak",)))
    return table


def raise_minimum(crew: Crew, table: Table, now: datetime = START, **said: Any) -> LimitNotice:
    """From 5 to 25 dollars, by Sid, in 22 minutes unless it says otherwise."""
    usual: dict[str, Any] = {"effective_at": now + 22 * MINUTE, "actor": crew.sid}
    said = usual | said
    return schedule_notice(table=table, limits=Limits(min=2_500, max=50_000), now=now, **said)


def put_up(crew: Crew, sign: Sign | None, at: datetime) -> Sign:
    assert sign is not None
    return confirm_sign(sign=sign, shown_at=at, actor=crew.gina, now=at)


def screen(crew: Crew, table: Table, at: datetime = OPENING) -> Display:
    return add_display(table=table, name="Screen left", actor=crew.sid, now=at).display


def show(display: Display, sign: Sign | None, first: datetime, last: datetime) -> None:
    """The display asks every ten seconds from one instant to the other, with the sign on its screen."""
    assert sign is not None
    at = first
    while at <= last:
        refresh_display(display=display, shown=[sign.name], now=at)
        at += timedelta(seconds=10)


def tick(now: datetime) -> None:
    """What the workers do at that moment."""
    note_losses(now=now)
    advance_notices(now=now)


def now_of(notice: LimitNotice) -> LimitNotice:
    return LimitNotice.objects.with_all().get(pk=notice.pk)


def entries_of(kind: str, table: str = "sb-1") -> list[Recorded]:
    """Oldest first."""
    return search("harbour", Wanted(table=table, kind=kind)).entries[::-1]
