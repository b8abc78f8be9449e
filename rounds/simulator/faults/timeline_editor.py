"""Editor of an honest timeline for injectors: finds a place, changes lines there, and records the planted fault."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, TypeVar

import msgspec

from rounds.engine import BETS, Outcome, bets
from rounds.intake.protocol.fields import Body, Limits
from rounds.intake.protocol.round import Round, Wager
from rounds.simulator.faults.injector import NoRoomForFault
from rounds.simulator.play.controller_output import HONEST_DELIVERY, PlantedFault, ReportedLine
from rounds.simulator.play.players import usual_tender
from rounds.simulator.play.round_events import cut_off_at, first_event_at
from rounds.simulator.play.staged_rounds import void_round_changes
from rounds.simulator.play.table_day import MINUTE, TableDay
from rounds.simulator.play.table_state import PlayState

FIRST_GUEST = 90
# More rounds than an extra session has.
SESSION_ROUNDS = 100
LONGEST_SESSION = timedelta(hours=2)

T = TypeVar("T")


@dataclass(frozen=True)
class WagerInRound:
    """A wager and the line of its round."""

    said: ReportedLine
    wager: Wager

    @property
    def round(self) -> Round:
        assert isinstance(self.said.body, Round)
        return self.said.body


@dataclass(frozen=True)
class PauseBetweenRounds:
    """The time between two rounds, in which other lines can be inserted."""

    begins_at: datetime
    ends_at: datetime
    next_round: ReportedLine

    def spread_instants(self, count: int) -> list[datetime]:
        """That many instants within the pause, evenly spaced."""
        step = (self.ends_at - self.begins_at) / (count + 1)
        return [self.begins_at + step * (place + 1) for place in range(count)]


class TimelineEditor:
    """One table's timeline. A round takes at most one fault, so that its expected findings are certain."""

    def __init__(self, table: TableDay, *, is_live: bool = False) -> None:
        self.is_live = is_live
        self.table, self.set_up, self.timeline, self.rng = table, table.set_up, table.timeline, table.rng
        self.pack = table.set_up.pack
        self.limits = table.state.limits
        self._guests = FIRST_GUEST
        # The code of the injector that is at work.
        self.code = ""
        self._reserved = {id(line) for line, _ in self.timeline.truth}
        self._reserved |= {id(line) for line in self.timeline.lines if line.is_taken_back}

    # Find a place

    def round_body(self, line: ReportedLine) -> Round:
        assert isinstance(line.body, Round)
        return line.body

    def unfaulted_rounds(self) -> list[ReportedLine]:
        return [line for line in self.timeline.uncorrected_rounds() if id(line) not in self._reserved]

    def unfaulted_rounds_with_result(self) -> Iterator[ReportedLine]:
        """Rounds without a fault, with a result and working lights."""
        for line in self.unfaulted_rounds():
            body = self.round_body(line)
            if body.no_result is None and body.lit != ():
                yield line

    def pick_round(self, where: Callable[[Round], bool] = lambda body: True) -> ReportedLine:
        return self._pick([line for line in self.unfaulted_rounds_with_result() if where(self.round_body(line))])

    def pick_round_without_streaks(self, where: Callable[[Round], bool] = lambda body: True) -> ReportedLine:
        """A round whose validity affects no streak: at a table with Super Streak, one after all streaks were
        settled."""
        if self.set_up.streak_amount is None:
            return self.pick_round(where)
        return self._pick(self._rounds_without_streaks(where))

    def pick_last_round(self, where: Callable[[Round], bool] = lambda body: True) -> ReportedLine:
        """A round whose result affects no streak wager and no streak count: at a table with Super Streak, the day's
        last."""
        if self.set_up.streak_amount is None:
            return self.pick_round(where)
        rounds = list(self.timeline.uncorrected_rounds())
        return self._pick([line for line in self._rounds_without_streaks(where) if line is rounds[-1]])

    def _rounds_without_streaks(self, where: Callable[[Round], bool]) -> list[ReportedLine]:
        self.require_candidate(not self.is_live)
        quiet: list[ReportedLine] = []
        for line in self.timeline.uncorrected_rounds():
            body = self.round_body(line)
            quiet = [] if any(BETS[wager.bet].is_streak for wager in body.wagers) else [*quiet, line]
        played = {id(line) for line in self.unfaulted_rounds_with_result() if where(self.round_body(line))}
        return [line for line in quiet if id(line) in played]

    def pick_void_round(self) -> ReportedLine:
        """A void round with wagers. If the day has none, an honest round is voided, unless a streak screen has counted
        it."""
        void = [
            line
            for line in self.unfaulted_rounds()
            if self.round_body(line).no_result is not None and list(self.ordinary_wagers(line))
        ]
        if void:
            return self._pick(void)
        self.require_candidate(self.set_up.streak_amount is None)
        line = self.pick_round(lambda body: bool(body.wagers))
        self.require_candidate(bool(list(self.ordinary_wagers(line))))
        self.change_body(line, **void_round_changes(self.set_up, self.round_body(line)))
        return line

    def pick_wager(self, where: Callable[[WagerInRound], bool]) -> WagerInRound:
        return self._pick(
            [spot for line in self.unfaulted_rounds_with_result() for spot in self.ordinary_wagers(line) if where(spot)]
        )

    def ordinary_wagers(self, line: ReportedLine) -> Iterator[WagerInRound]:
        """Wagers in the usual tender, within the limits, unchanged, no streak, no warning."""
        body = self.round_body(line)
        usual, limits = usual_tender(self.set_up), self.limits_of_round(line)
        for wager in body.wagers:
            is_usual = wager.tender == usual and limits.min <= wager.stake <= limits.max and not wager.changes
            if is_usual and not BETS[wager.bet].is_streak and wager.registered is not False and not wager.warned:
                yield WagerInRound(line, wager)

    def pauses(self) -> list[PauseBetweenRounds]:
        """Every pause before a round without a fault."""
        found, last = [], None
        for line in self.timeline.lines:
            if line.kind == "round":
                start = self.round_body(line).events[0].at
                if last is not None and id(line) not in self._reserved and start > last:
                    found.append(PauseBetweenRounds(last, start, line))
            last = line.at
        return found

    def pick_pause(self) -> PauseBetweenRounds:
        return self._pick(self.pauses())

    def _pick(self, found: list[T]) -> T:
        if not found:
            raise NoRoomForFault
        return self.rng.choice(found)

    def require_candidate(self, condition: bool) -> None:
        if not condition:
            raise NoRoomForFault

    def limits_of_round(self, line: ReportedLine) -> Limits:
        """The limits in force in the round: the minimum may be higher for a part of the day."""
        return self.round_body(line).limits or self.limits

    # Change it

    def change_body(self, line: ReportedLine, **members: Any) -> None:
        line.body = msgspec.structs.replace(line.body, **members)

    def change_wager(self, spot: WagerInRound, **members: Any) -> WagerInRound:
        changed = msgspec.structs.replace(spot.wager, **members)
        wagers = tuple(changed if wager is spot.wager else wager for wager in spot.round.wagers)
        self.change_body(spot.said, wagers=wagers)
        return WagerInRound(spot.said, changed)

    def add_wager(
        self, line: ReportedLine, *, bet: str, stake: int, verdict: str, returned: int | None, **members: Any
    ) -> WagerInRound:
        """Adds a wager of a new player, placed in time unless `members` says otherwise."""
        body, place = self.round_body(line), self.set_up.seat_places[0]
        opened = first_event_at(body.events, "bets-open")
        assert opened is not None
        seat, self._guests = self._guests, self._guests + 1
        wager = Wager(
            **{
                "id": f"{body.round}.g{seat}",
                "player": f"p-{seat}",
                "seat": None if place.terminal else seat,
                "terminal": place.terminal,
                "bet": bet,
                "stake": stake,
                "tender": usual_tender(self.set_up),
                "placed_at": opened + timedelta(milliseconds=50),
                "registered": True if place.terminal else None,
                "verdict": verdict,
                "returned": returned,
                **members,
            }
        )
        self.change_body(line, wagers=(*body.wagers, wager))
        return WagerInRound(line, wager)

    def insert_line(self, kind: str, at: datetime, body: Body) -> ReportedLine:
        """Inserts a line after all lines of that instant or earlier."""
        line = ReportedLine(kind, at, body, HONEST_DELIVERY)
        self.timeline.lines.insert(bisect_right(self.timeline.lines, at, key=lambda one: one.at), line)
        return line

    def open_extra_session(self) -> TableDay:
        """Opens the table once more after its day, without rounds: for faults that take twenty minutes, such as
        signs."""
        at, number = self.timeline.lines[-1].at + 10 * MINUTE, self.table.state.next_number
        next_day_at = self.set_up.day_begins_at(self.set_up.gaming_day_at(at) + timedelta(days=1))
        # A session is in one gaming day, and its rounds must not have the names of those of the next session.
        at = next_day_at + MINUTE if next_day_at - at < LONGEST_SESSION else at
        state = PlayState(gaming_day=self.set_up.gaming_day_at(at), limits=self.set_up.limits, next_number=number)
        self.table.state.next_number += SESSION_ROUNDS
        table = TableDay(self.set_up, state, self.rng, now=at)
        table.timeline = self.timeline
        table.open()
        return table

    def is_unfaulted(self, line: ReportedLine) -> bool:
        return id(line) not in self._reserved

    def reserve_line(self, line: ReportedLine) -> None:
        """Excludes the line from further faults."""
        self._reserved.add(id(line))

    # Record the fault

    def record_fault(self, line: ReportedLine, says: str, *, spot: WagerInRound | None = None, **members: Any) -> None:
        body = line.body
        planted = PlantedFault(
            code=members.pop("code", self.code),
            casino=self.set_up.casino,
            table=self.set_up.table,
            says=says,
            at=line.at,
            round=body.round if isinstance(body, Round) else members.pop("round", None),
            wager=spot.wager.id if spot is not None else None,
            rules=self.pack.slug,
            **members,
        )
        self._reserved.add(id(line))
        self.timeline.truth.append((line, planted))

    def record_wager_fault(self, spot: WagerInRound, says: str, **members: Any) -> None:
        self.record_fault(spot.said, says, spot=spot, **members)

    # Computed without the engine

    def cut_off_at(self, line: ReportedLine) -> datetime:
        found = cut_off_at(self.set_up, self.round_body(line).events)
        if found is None:
            raise NoRoomForFault
        return found


def outcome_of(body: Round) -> Outcome:
    outcome = body.dice or body.cards
    assert outcome is not None
    return outcome


def winning_side(body: Round) -> str:
    """Small or big, which pays one to one in every rule set. Only for results that are no triple."""
    return "small" if sum(outcome_of(body)) <= 10 else "big"


def losing_side(body: Round) -> str:
    return "big" if winning_side(body) == "small" else "small"


def is_no_triple(body: Round) -> bool:
    return not bets.is_triple(outcome_of(body))
