"""What the engine reads of a reported round, as protocols: the structs of the controllers' protocol fit them as they
are, although the engine may not import them. Also the decisions that people record about a round afterwards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple, Protocol

from rounds.engine.bets.dice_outcomes import Outcome


class ReportedChange(Protocol):
    @property
    def what(self) -> str: ...
    @property
    def at(self) -> datetime: ...
    @property
    def stake(self) -> int | None: ...
    @property
    def bet(self) -> str | None: ...


class ReportedWager(Protocol):
    @property
    def id(self) -> str: ...
    @property
    def bet(self) -> str: ...
    @property
    def stake(self) -> int: ...
    @property
    def tender(self) -> str: ...
    @property
    def placed_at(self) -> datetime: ...
    @property
    def verdict(self) -> str: ...
    @property
    def returned(self) -> int | None: ...
    @property
    def player(self) -> str | None: ...
    @property
    def seat(self) -> int | None: ...
    @property
    def terminal(self) -> str | None: ...
    @property
    def changes(self) -> Sequence[ReportedChange]: ...
    @property
    def registered(self) -> bool | None: ...
    @property
    def warned(self) -> bool: ...
    @property
    def spoken(self) -> bool: ...
    @property
    def refusal(self) -> Any: ...
    @property
    def paid_in(self) -> str | None: ...


class ReportedRound(Protocol):
    """The members typed Any are the structs RoundEvent, Called, Entered, NoResult and PlayerLimits of the protocol."""

    @property
    def events(self) -> Sequence[Any]: ...
    @property
    def wagers(self) -> Sequence[ReportedWager]: ...
    @property
    def dice(self) -> Outcome | None: ...
    @property
    def cards(self) -> Outcome | None: ...
    @property
    def called(self) -> Any: ...
    @property
    def entered(self) -> Any: ...
    @property
    def lit(self) -> Sequence[str] | None: ...
    @property
    def no_result(self) -> Any: ...
    @property
    def player_limits(self) -> Sequence[Any]: ...


class ReportedInterruption(NamedTuple):
    """What the table reported of an interruption: its entry, when, and whether a wager was decided by then."""

    entry_index: int
    at: datetime
    is_established: bool


@dataclass(frozen=True)
class LaterDecisions:
    """All later decisions about one round: their entries, why it is void, refunds by wager.

    `wagers`: by wager declared void by itself, the entry and when. `forfeited` is None unless the outcome was
    invalidated, which decides on forfeits.
    """

    sets: tuple[int, ...]
    reason: str = ""
    refunds: Mapping[str, int] = field(default_factory=dict)
    wagers: Mapping[str, tuple[int, datetime]] = field(default_factory=dict)
    forfeited: frozenset[str] | None = None
    at: datetime | None = None
    decided_as: str = ""


def first_event_times(played: ReportedRound) -> Mapping[str, datetime]:
    """The first time of each event by name; an event may be reported more than once."""
    events: dict[str, datetime] = {}
    for event in played.events:
        events[event.name] = min(event.at, events.get(event.name, event.at))
    return events


def wager_holder(wager: ReportedWager) -> str:
    """Identifies the holder of a wager: the player's pseudonym, else the seat, else the terminal."""
    return wager.player if wager.player is not None else seat_label(wager.seat, wager.terminal)


def seat_label(seat: int | None, terminal: str | None) -> str:
    return f"seat {seat}" if seat is not None else f"terminal {terminal}"
