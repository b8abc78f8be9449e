"""TableReporter: a table's own lines for tests of timeline checks, at times given in seconds."""

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from typing import Any

from rounds.intake.protocol.fields import BetLimits, Body, Limits, Position, Told
from rounds.intake.protocol.table import LimitsChanged, SignRemoved, SignShown, TableClosed, TableOpened
from tests.compliance.audit.house import House
from tests.compliance.audit.round_builders import START

DAY = date(2026, 11, 16)
MINUTE = timedelta(minutes=1)


def after(minutes: float = 0, seconds: float = 0) -> datetime:
    return START + timedelta(minutes=minutes, seconds=seconds)


class TableReporter:
    """One table of a house that reports lines at given times."""

    def __init__(self, house: House, table: str = "sb-1") -> None:
        self.house, self.table = house, table

    def say(self, kind: str, body: Body, at: datetime) -> int:
        return self.house.report(kind, body, table=self.table, at=at)

    def opens(self, at: datetime, **members: Any) -> int:
        """Opens the table with a limits sign, unless `limits` says otherwise."""
        members = {"limits": Limits(min=500, max=50_000)} | members
        return self.say("table-opened", TableOpened(gaming_day=DAY, **members), at)

    def closes(self, at: datetime, *, players: bool = True, told: tuple[Told, ...] = (), **members: Any) -> int:
        closed = TableClosed(gaming_day=DAY, players_present=players, told=told, **members)
        return self.say("table-closed", closed, at)

    def shows(self, sign: str, purpose: str, at: datetime, **members: Any) -> int:
        return self.say("sign-shown", SignShown(sign=sign, purpose=purpose, **members), at)  # type: ignore[arg-type]

    def removes(self, sign: str, at: datetime) -> int:
        return self.say("sign-removed", SignRemoved(sign=sign, lost=True), at)

    def limits(
        self,
        low: int,
        high: int,
        at: datetime,
        sign: str | None = None,
        by_bet: Mapping[str, BetLimits] | None = None,
        **members: Any,
    ) -> int:
        changed = LimitsChanged(limits=Limits(min=low, max=high, by_bet=dict(by_bet or {})), sign=sign, **members)
        return self.say("limits-changed", changed, at)


def notified(position: Position, at: datetime) -> Told:
    return Told(position=position, at=at)
