"""Which signs stood at a table, since when, and what they said, whoever says so: controller, display or person."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from compliance.audit.stories import Happened
from compliance.signs.reported import server_instant


@dataclass(frozen=True)
class Shown:
    """What a sign states."""

    sign: str
    purpose: str
    minimum_cents: int | None = None
    maximum_cents: int | None = None
    change_at: datetime | None = None
    closure_at: datetime | None = None
    player: str | None = None
    seat: int | None = None


@dataclass(frozen=True)
class Removed:
    """That a sign came down, or its screen was lost."""

    sign: str


@dataclass(frozen=True)
class Standing:
    """A sign as it stands: without a break, and saying the same, since it `went_up`; and how long it did `earlier`."""

    shown: Shown
    went_up: Happened
    earlier: timedelta = timedelta()

    @property
    def since(self) -> datetime:
        return self.went_up.at

    @property
    def index(self) -> int:
        return self.went_up.index

    def stood_until(self, happened: Happened, *, restarts: bool) -> timedelta:
        """As the rules count it: since it went up, or with what came before it was down."""
        return self._since_it_went_up(happened) + (timedelta() if restarts else self.earlier)

    def _since_it_went_up(self, happened: Happened) -> timedelta:
        """By one clock: where two tell the two instants, both are moved to the server's."""
        first, last = self.went_up, happened
        if first.entry.controller == last.entry.controller:
            return last.at - first.at
        return server_instant(last.entry, last.at) - server_instant(first.entry, first.at)


def _shown(happened: Happened) -> Shown:
    body = happened.body
    return Shown(
        body.sign, body.purpose, body.min, body.max, body.change_at, body.closure_at, body.player, body.seat,
    )  # fmt: skip


# What an entry of each kind says of signs. People and displays record theirs under the same kinds.
READERS: Mapping[str, Callable[[Happened], Shown | Removed]] = {
    "sign-shown": _shown,
    "sign-removed": lambda happened: Removed(happened.body.sign),
}
SIGN_KINDS = frozenset(READERS)


def signs_standing(happened: Iterable[Happened]) -> dict[str, Standing]:
    """By name, after all of that: each since it last went up."""
    standing: dict[str, Standing] = {}
    stood: dict[Shown, timedelta] = {}
    for each in happened:
        reader = READERS.get(each.kind)
        said = reader(each) if reader else None
        if isinstance(said, Removed):
            down = standing.pop(said.sign, None)
            if down is not None:
                stood[down.shown] = down.stood_until(each, restarts=False)
        elif said is not None:
            before = standing.get(said.sign)
            if before is None or before.shown != said:
                standing[said.sign] = Standing(said, each, stood.get(said, timedelta()))
    return standing


def sign_for(happened: Iterable[Happened], purpose: str, named: str | None) -> Standing | None:
    """The sign that was named, where it stands; where none was named, the one for that purpose that stands longest."""
    standing = [each for each in signs_standing(happened).values() if each.shown.purpose == purpose]
    if named is not None:
        standing = [each for each in standing if each.shown.sign == named]
    return min(standing, key=lambda each: (each.since, each.index), default=None)
