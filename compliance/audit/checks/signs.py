"""Which signs stood at a table, since when, and what they said. Whoever records signs adds the reader of its kind."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from compliance.audit.stories import Happened


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
    """A sign as it stands: without a break, and saying the same, since `since`."""

    shown: Shown
    since: datetime
    index: int


def _shown(happened: Happened) -> Shown:
    body = happened.body
    return Shown(
        body.sign, body.purpose, body.min, body.max, body.change_at, body.closure_at, body.player, body.seat,
    )  # fmt: skip


# What an entry of each kind says of signs. Kinds of people's apps are added here.
READERS: Mapping[str, Callable[[Happened], Shown | Removed]] = {
    "sign-shown": _shown,
    "sign-removed": lambda happened: Removed(happened.body.sign),
}
SIGN_KINDS = frozenset(READERS)


def signs_standing(happened: Iterable[Happened]) -> dict[str, Standing]:
    """By name, after all of that. A sign that came down and went up again counts from when it went up again."""
    standing: dict[str, Standing] = {}
    for each in happened:
        reader = READERS.get(each.kind)
        said = reader(each) if reader else None
        if isinstance(said, Removed):
            standing.pop(said.sign, None)
        elif said is not None:
            before = standing.get(said.sign)
            if before is None or before.shown != said:
                standing[said.sign] = Standing(said, each.at, each.index)
    return standing


def sign_for(happened: Iterable[Happened], purpose: str, named: str | None) -> Standing | None:
    """The sign that was named, where it stands; where none was named, the one for that purpose that stands longest."""
    standing = [each for each in signs_standing(happened).values() if each.shown.purpose == purpose]
    if named is not None:
        standing = [each for each in standing if each.shown.sign == named]
    return min(standing, key=lambda each: (each.since, each.index), default=None)
