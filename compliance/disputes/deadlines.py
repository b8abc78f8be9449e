"""Service levels: how long each wait of a dispute may last at a casino, and when the current one is due."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta

from compliance.core.accounts.models import Casino
from compliance.disputes.ladder.rungs import Ladder
from compliance.disputes.ladder.states import DisputeState
from compliance.disputes.models import ServiceLevel
from rounds.floor.facts.gaming_days import MIDNIGHT, clock_instant


@dataclass(frozen=True)
class Wait:
    """Something that a dispute waits for. `hours` applies until a compliance officer sets another value."""

    slug: str
    label: str
    hours: int


WAITS = {
    wait.slug: wait
    for wait in (
        Wait("first-instance", "First decision", 2),
        Wait("review-if-requested", "Review", 24),
        Wait("final", "Final decision", 72),
        Wait("own", "Decision under the operator's own procedure", 24),
        Wait("telling", "Telling the patron", 2),
        Wait("advice", "Advising a dissatisfied patron, and closing", 24),
        Wait("inspector", "The inspector's outcome", 720),
        Wait("letter", "The letter to the patron, and closing", 168),
    )
}
_WAIT_BY_STATE = {
    DisputeState.DECIDED: "telling",
    DisputeState.TOLD: "advice",
    DisputeState.WITH_INSPECTOR: "inspector",
    DisputeState.DETERMINED: "letter",
}


def current_waiting_period(state: DisputeState, ladder: Ladder, rung: int) -> Wait | None:
    """What a dispute in this state waits for; None once it is closed."""
    if state is DisputeState.CLOSED:
        return None
    return WAITS[ladder.rungs[rung].stage if state is DisputeState.WAITING else _WAIT_BY_STATE[state]]


def hours_allowed(casino: Casino, wait: Wait, at: datetime) -> int:
    newest = ServiceLevel.objects.filter(casino=casino, wait=wait.slug, at__lte=at).order_by("-at", "-pk").first()
    return newest.hours if newest else wait.hours


def due_at(casino: Casino, wait: Wait | None, since: datetime) -> datetime | None:
    return since + timedelta(hours=hours_allowed(casino, wait, since)) if wait else None


def request_due_at(casino: Casino, due_on: date) -> datetime:
    """The end of the day by which an inspector wants an answer, in the casino's time zone."""
    return clock_instant(due_on + timedelta(days=1), MIDNIGHT, casino.zone)


def age_text(since: datetime, now: datetime) -> str:
    """3 days 4 hours; 25 minutes"""
    minutes = max(0, int((now - since).total_seconds()) // 60)
    days, hours, minutes = minutes // 1440, minutes // 60 % 24, minutes % 60
    parts = [(days, "day"), (hours, "hour"), (minutes, "minute")]
    words = [f"{number} {word}{'' if number == 1 else 's'}" for number, word in parts if number][:2]
    return " ".join(words) or "less than a minute"
