"""What the rule pack in force requires before a table may close: sign, notice time, roles to notify."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from compliance.core.accounts.roles import Role
from compliance.tables.closures.table_activity import open_streak_wagers
from compliance.tables.signs.permissions import roles_for_title
from compliance.tables.signs.presentation.text import time_of_day
from compliance.tables.signs.sign_clock import next_whole_minute
from rounds.engine import Pack
from rounds.engine import pack as engine_pack
from rounds.floor.fact_catalogue import STREAK
from rounds.floor.fact_values import WagersOfferedValue
from rounds.floor.models import Table
from rounds.floor.selectors import facts_at, pack_for

# Time allowed for putting the sign up when the earliest possible time is suggested.
SIGN_SETUP_TIME = timedelta(minutes=2)


@dataclass(frozen=True)
class ClosingRule:
    """Requirements on closing one table. When the pack has neither duty, nothing is required."""

    table: Table
    pack: Pack | None
    offers_streaks: bool
    now: datetime

    @property
    def sign(self) -> engine_pack.ClosureSign | None:
        return self.pack.duties.closure_sign if self.pack else None

    @property
    def streaks(self) -> engine_pack.StreakClosing | None:
        return self.pack.duties.streak_closing if self.pack else None

    @property
    def notification(self) -> engine_pack.ClosureNotification | None:
        return self.pack.duties.closure_notification if self.pack else None

    @property
    def roles_to_notify(self) -> tuple[Role, ...]:
        """Roles that must be notified before the table closes."""
        return tuple(sorted(roles_for_title(self.pack, self.notification.told))) if self.notification else ()

    @property
    def closed_by(self) -> str | None:
        return self.sign.closed_by if self.sign else None

    @property
    def clause(self) -> str:
        return self.sign.clause if self.sign else ""

    def notice(self, *, players_present: bool, streak_in_progress: bool) -> timedelta:
        """How long the sign must be up before closing. Zero without players or when the rules require no sign."""
        if self.sign is None:
            return timedelta()
        cases = {"players-present": players_present, "streak-in-progress": streak_in_progress}
        applies = any(cases[case] for case in self.sign.applies_when)
        return timedelta(minutes=self.sign.notice_minutes if applies else 0)

    def needs_final_call(self, notice: timedelta) -> bool:
        """Whether Super Streak is offered and play goes on until the closing, so that its final call must be made."""
        return self.streaks is not None and self.streaks.has_final_call and self.offers_streaks and bool(notice)

    @property
    def has_open_streaks(self) -> bool:
        """Whether a Super Streak game is in progress by the log, whatever is declared."""
        return self.streaks is not None and bool(open_streak_wagers(self.table))

    @property
    def earliest_at(self) -> datetime:
        """Earliest closing time with players present, if the sign goes up now."""
        return next_whole_minute(self.now + timedelta(minutes=self.sign.notice_minutes if self.sign else 0))

    @property
    def suggested_at(self) -> datetime:
        minutes = timedelta(minutes=self.sign.notice_minutes) + SIGN_SETUP_TIME if self.sign else timedelta()
        return next_whole_minute(self.now + minutes)

    @property
    def sentence(self) -> str:
        """Explanation shown above the form."""
        if self.sign:
            earliest = time_of_day(self.earliest_at, self.table.casino)
            return (
                "With players at the table, or a Super Streak game in progress, a sign with the time of closing must "
                f"be up for {self.sign.notice_minutes} minutes before (clause {self.sign.clause}). If it goes up now, "
                f"the earliest possible time is {earliest}. An empty table may close at once."
            )
        if self.notification:
            rule = f"(clause {self.notification.clause})"
            return (
                f"Before the table closes, the {self.notification.told} must be told {rule}. They are told when you "
                "announce the closing here; no number of minutes is asked for."
            )
        return "The rules of this table are silent on closing: it closes when you say so."


def closing_rule_for(table: Table, now: datetime) -> ClosingRule:
    pack = pack_for(table, now)
    offered = facts_at(table, now).get(WagersOfferedValue)
    offers = pack is not None and pack.law.streak is not None and offered is not None and STREAK in offered.wagers
    return ClosingRule(table, pack, offers, now)
