"""Reading draws and winners. Each is reached through access_*; absent and forbidden look the same."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from compliance.accounts.models import Casino, User
from compliance.web.errors import NotFound
from promotions.deadlines import Known
from promotions.draws.models import Draw, DrawQuerySet, Winner, WinnerQuerySet
from promotions.draws.telling import Telling, telling
from promotions.duties import governing
from promotions.standing import MAY_READ


def access_draw(user: User, casino: Casino, promotion: int, number: int) -> Draw:
    draws = Draw.objects.with_state()
    wanted = {"promotion__casino": casino, "promotion__number": promotion, "number": number}
    found = draws.filter(**wanted).first() if user.holds(*MAY_READ, casino=casino) else None
    if found is None:
        raise NotFound
    return found


def access_winner(user: User, casino: Casino, promotion: int, draw: int, number: int) -> Winner:
    winners = Winner.objects.described()
    wanted = {
        "draw__promotion__casino": casino, "draw__promotion__number": promotion, "draw__number": draw, "number": number,
    }  # fmt: skip
    found = winners.filter(**wanted).first() if user.holds(*MAY_READ, casino=casino) else None
    if found is None:
        raise NotFound
    return found


def draws_of(casino: Casino) -> DrawQuerySet:
    return Draw.objects.with_state().filter(promotion__casino=casino)


def winners_of(casino: Casino) -> WinnerQuerySet:
    return Winner.objects.described().filter(draw__promotion__casino=casino)


@dataclass(frozen=True)
class Untold:
    """A winner whom nobody has reached, and until when somebody must have tried."""

    winner: Winner
    telling: Telling
    is_overdue: bool


def untold(casino: Casino, now: datetime) -> Iterator[Untold]:
    """Whoever waits longest first. Nobody, where the rules ask for nothing."""
    found = governing(casino, now)
    if found is None:
        return
    known: Known = {}
    for winner in winners_of(casino).untold().oldest_first():
        due = telling(casino, winner.drawn_at, found.duties.notification, known)
        yield Untold(winner, due, due.is_overdue(winner.first_attempt_at, now))
