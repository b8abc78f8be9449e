"""Queries on draws and winners. Single objects are fetched through access_*; absent and forbidden raise the same
error."""

from dataclasses import dataclass
from datetime import datetime

from compliance.core.accounts.models import Casino, User
from compliance.core.web.errors import NotFound
from promotions.draws.models import Draw, DrawQuerySet, Winner, WinnerQuerySet
from promotions.draws.notification_deadline import NotificationDeadline, winner_deadline
from promotions.shared.deadlines import HolidayCache
from promotions.shared.duties import promotion_rules_at
from promotions.shared.permissions import MAY_READ


def entries_of_draw(draw: Draw) -> set[int]:
    """The entries of a draw: its steps, publications, winners and the attempts to tell them. One query."""
    own = Draw.objects.filter(pk=draw.pk).order_by()
    paths = ("entry_index", "steps__entry_index", "publications__entry_index", "winners__entry_index")
    first, *others = (own.values_list(path) for path in (*paths, "winners__attempts__entry_index"))
    return {entry for (entry,) in first.union(*others) if entry is not None}


def access_draw(user: User, casino: Casino, promotion: int, number: int, *, is_withdrawn_shown: bool = False) -> Draw:
    draws = (Draw.recorded if is_withdrawn_shown else Draw.objects).with_state()
    lookup = {"promotion__casino": casino, "promotion__number": promotion, "number": number}
    found = draws.filter(**lookup).first() if user.has_role(*MAY_READ, casino=casino) else None
    if found is None:
        raise NotFound
    return found


def access_winner(
    user: User, casino: Casino, promotion: int, draw: int, number: int, *, is_withdrawn_shown: bool = False
) -> Winner:
    winners = (Winner.recorded if is_withdrawn_shown else Winner.objects).with_details()
    lookup = {
        "draw__promotion__casino": casino,
        "draw__promotion__number": promotion,
        "draw__number": draw,
        "number": number,
    }
    found = winners.filter(**lookup).first() if user.has_role(*MAY_READ, casino=casino) else None
    if found is None:
        raise NotFound
    return found


def draws_of(casino: Casino) -> DrawQuerySet:
    return Draw.objects.with_state().filter(promotion__casino=casino)


def winners_of(casino: Casino) -> WinnerQuerySet:
    return Winner.objects.with_details().filter(draw__promotion__casino=casino)


def unnotified_winners(casino: Casino) -> WinnerQuerySet:
    """Winners not reached yet, longest waiting first."""
    return winners_of(casino).unnotified().oldest_first()


@dataclass(frozen=True)
class UnnotifiedDraw:
    """A draw with winners not reached yet, and the deadline for an attempt. `overdue` counts those without an attempt
    in time."""

    draw: Draw
    deadline: NotificationDeadline
    winners: int
    overdue: int


def unnotified_draws(casino: Casino, now: datetime) -> list[UnnotifiedDraw]:
    """Longest waiting first. Empty when the rules set no deadline. A fixed number of queries."""
    rules = promotion_rules_at(casino, now)
    if rules is None:
        return []
    tried: dict[int, list[datetime | None]] = {}
    drawn: dict[int, datetime] = {}
    rows = unnotified_winners(casino).values_list("draw", "drawn_at", "first_attempt_at")  # type: ignore[misc]
    for draw, drawn_at, first in rows:
        tried.setdefault(draw, []).append(first)
        drawn[draw] = drawn_at
    draws, known = draws_of(casino).in_bulk(list(tried)), HolidayCache()
    deadlines = {draw: winner_deadline(casino, drawn[draw], rules.duties.notification, known) for draw in tried}
    return [
        UnnotifiedDraw(
            draws[draw], deadlines[draw], len(firsts), sum(deadlines[draw].is_overdue(first, now) for first in firsts)
        )
        for draw, firsts in tried.items()
    ]
