"""Which signs were displayed at a table, since when and with which content, whether reported by controller, display or
person."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from compliance.audit.context.timeline import EventAt
from compliance.tables.signs.sign_clock import DisplayInterval, SignClock
from rounds.intake.entry_kinds import SIGN_REMOVED, SIGN_SHOWN


@dataclass(frozen=True)
class SignContent:
    """The content of a sign."""

    sign: str
    purpose: str
    minimum_cents: int | None = None
    maximum_cents: int | None = None
    change_at: datetime | None = None
    closure_at: datetime | None = None
    player: str | None = None
    seat: int | None = None
    # Bet, minimum and maximum of each bet for which the sign states limits of its own.
    limits_by_bet: tuple[tuple[str, int | None, int | None], ...] = ()

    def minimum_for(self, bet: str) -> int | None:
        own = next((low for code, low, _ in self.limits_by_bet if code == bet), None)
        return self.minimum_cents if own is None else own


@dataclass(frozen=True)
class SignRemoval:
    """A sign was removed, or its display was lost."""

    sign: str


@dataclass(frozen=True)
class DisplayedSign:
    """A sign on display. `displayed_event`: since when it has shown this content without a break. `earlier_duration`:
    how long it showed the same content before a break."""

    content: SignContent
    displayed_event: EventAt
    earlier_duration: timedelta = timedelta()

    @property
    def displayed_at(self) -> datetime:
        return self.displayed_event.at

    @property
    def index(self) -> int:
        return self.displayed_event.index

    def display_duration(self, event: EventAt, *, restarts: bool) -> timedelta:
        """How long it was displayed, as the rules count: since the last break, or with the time before it."""
        return self._duration_since_displayed(event) + (timedelta() if restarts else self.earlier_duration)

    def clock_at(self, event: EventAt, notice: timedelta, *, restarts: bool) -> SignClock:
        """The sign's clock at an event, as the screens read it."""
        since = event.at - self.display_duration(event, restarts=restarts)
        return SignClock(notice, (DisplayInterval(since),), event.at)

    def _duration_since_displayed(self, event: EventAt) -> timedelta:
        """By one clock: times from two different controllers are both converted to server time."""
        first, last = self.displayed_event, event
        if first.entry.controller == last.entry.controller:
            return last.at - first.at
        return last.server_time - first.server_time


def _read_sign_content(event: EventAt) -> SignContent:
    body = event.body
    return SignContent(
        body.sign,
        body.purpose,
        body.min,
        body.max,
        body.change_at,
        body.closure_at,
        body.player,
        body.seat,
        tuple(sorted((bet, own.min, own.max) for bet, own in body.by_bet.items())),
    )


# By entry kind. People and displays record signs under the same kinds as controllers.
SIGN_READERS: Mapping[str, Callable[[EventAt], SignContent | SignRemoval]] = {
    SIGN_SHOWN: _read_sign_content,
    SIGN_REMOVED: lambda event: SignRemoval(event.body.sign),
}
SIGN_KINDS = frozenset(SIGN_READERS)


def displayed_signs(events: Iterable[EventAt]) -> dict[str, DisplayedSign]:
    """The signs on display after these events, by name."""
    displayed: dict[str, DisplayedSign] = {}
    earlier_durations: dict[SignContent, timedelta] = {}
    for each in events:
        reader = SIGN_READERS.get(each.kind)
        content = reader(each) if reader else None
        if isinstance(content, SignRemoval):
            removed = displayed.pop(content.sign, None)
            if removed is not None:
                earlier_durations[removed.content] = removed.display_duration(each, restarts=False)
        elif content is not None:
            before = displayed.get(content.sign)
            if before is None or before.content != content:
                displayed[content.sign] = DisplayedSign(content, each, earlier_durations.get(content, timedelta()))
    return displayed


def find_displayed_sign(events: Iterable[EventAt], purpose: str, sign_name: str | None) -> DisplayedSign | None:
    """The named sign if it is on display. Without a name, the sign of that purpose that has been displayed longest."""
    displayed = [each for each in displayed_signs(events).values() if each.content.purpose == purpose]
    if sign_name is not None:
        displayed = [each for each in displayed if each.content.sign == sign_name]
    return min(displayed, key=lambda each: (each.displayed_at, each.index), default=None)
