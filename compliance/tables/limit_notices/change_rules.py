"""What the rule pack in force requires before a table's limits may change: sign, notice time, role."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from compliance.tables.limit_notices.errors import BadLimits
from compliance.tables.limit_notices.models import LimitNotice
from compliance.tables.signs.presentation.text import time_of_day
from compliance.tables.signs.sign_clock import next_whole_minute
from rounds.engine import Pack
from rounds.engine import pack as engine_pack
from rounds.floor.fact_values import LimitsValue, StreakAmountValue
from rounds.floor.facts.rule_breaches import planned_breaches
from rounds.floor.models import Table
from rounds.floor.selectors import facts_at, pack_for

# Time allowed for putting the sign up when the earliest possible time is suggested.
SIGN_SETUP_TIME = timedelta(minutes=2)


@dataclass(frozen=True)
class LimitChangeRule:
    """Requirements on changing one table's limits now. Without a duty in the pack, nothing is required."""

    table: Table
    pack: Pack | None
    before: LimitsValue | None
    streak_cents: int | None
    now: datetime
    # Limits that may apply just before the change, whether or not the pending notices take effect.
    possible_before: tuple[LimitsValue, ...]

    @property
    def duty(self) -> engine_pack.MinimumRaise | None:
        return self.pack.duties.minimum_raise if self.pack else None

    @property
    def notice(self) -> timedelta:
        return timedelta(minutes=self.duty.notice_minutes if self.duty else 0)

    @property
    def clause(self) -> str:
        return self.duty.clause if self.duty else ""

    @property
    def changed_by(self) -> str | None:
        return self.duty.changed_by if self.duty else None

    @property
    def allows_unit(self) -> bool:
        shown = self.pack.duties.limits_shown if self.pack else None
        return shown is None or shown.may_state_a_unit

    @property
    def allows_streaks(self) -> bool:
        return self.pack is not None and self.pack.law.streak is not None

    def needs_sign(self, after: LimitsValue) -> bool:
        """Only a higher minimum, be it of one type of wager, needs a sign. What changes with it waits for the sign."""
        return self.duty is not None and any(map(after.raises_minimum_of, self.possible_before))

    @property
    def earliest_at(self) -> datetime:
        """Earliest time for a higher minimum if its sign goes up now, rounded up to a whole minute as signs state
        it."""
        return next_whole_minute(self.now + self.notice)

    @property
    def suggested_at(self) -> datetime:
        return next_whole_minute(self.now + self.notice + SIGN_SETUP_TIME)

    @property
    def earliest_text(self) -> str:
        """Hint next to the time field."""
        if self.duty is None:
            return ""
        earliest = time_of_day(self.earliest_at, self.table.casino)
        return f"For a higher minimum not before {earliest} (clause {self.duty.clause})."

    @property
    def sentence(self) -> str:
        """Explanation shown above the form."""
        if self.duty is None:
            return "The rules of this table are silent on changing limits: a change takes effect when you say so."
        earliest = time_of_day(self.earliest_at, self.table.casino)
        return (
            f"A higher minimum needs a sign with the new minimum and the time of the change, up for "
            f"{self.duty.notice_minutes} minutes before (clause {self.duty.clause}). If the sign goes up now, the "
            f"earliest possible time is {earliest}. All limits on this form change together: if the minimum of any "
            f"wager rises, the others wait for the sign too. To lower a limit at once, change it alone first."
        )


def limit_change_rule_for(table: Table, now: datetime, at: datetime | None = None) -> LimitChangeRule:
    """The change is compared with the limits that apply when it takes effect."""
    facts = facts_at(table, at or now)
    streak, current = facts.get(StreakAmountValue), facts.get(LimitsValue)
    announced = LimitNotice.objects.pending().filter(table=table, effective_at__lt=at or now)
    possible = (current, *(notice.limits for notice in announced)) if current else ()
    return LimitChangeRule(table, pack_for(table, now), current, streak.cents if streak else None, now, possible)


def check_limits(rule: LimitChangeRule, limits: LimitsValue, streak_cents: int | None, at: datetime) -> None:
    if limits.max < limits.min:
        raise BadLimits("The maximum is below the minimum, so no wager could be made.", field="max")
    for field, sentence in _blocking_breaches(rule, limits, at):
        raise BadLimits(sentence, field=field)
    if streak_cents is not None and not rule.allows_streaks:
        raise BadLimits("The rules of this table have no Super Streak.", field="streak")


def _blocking_breaches(rule: LimitChangeRule, limits: LimitsValue, at: datetime) -> Iterator[tuple[str, str]]:
    for breach in planned_breaches(limits, rule.table.casino, rule.table, at):
        clause = f" (clause {breach.clause})" if breach.clause else ""
        yield breach.field, f"{breach.sentence.rstrip('.')}{clause}."
