"""The honest timeline that injectors change, with the words to find a place in it and to change it there."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, TypeVar

import msgspec

from rounds.engine.bets import BETS
from rounds.engine.outcomes import Outcome, is_triple
from rounds.intake.kinds.round import Round, Wager
from rounds.intake.kinds.words import Body, Limits
from rounds.simulator.at_play import MINUTE, TableAtPlay
from rounds.simulator.events import at_of, cut_off_of
from rounds.simulator.faults.injector import NoRoom
from rounds.simulator.players import usual_tender
from rounds.simulator.said import HONEST, Planted, Said
from rounds.simulator.staging import called_off
from rounds.simulator.state import TableState

FIRST_GUEST = 90

T = TypeVar("T")


@dataclass(frozen=True)
class Spot:
    """A wager in a round."""

    said: Said
    wager: Wager

    @property
    def round(self) -> Round:
        assert isinstance(self.said.body, Round)
        return self.said.body


@dataclass(frozen=True)
class Pause:
    """The time between two rounds, in which a table can say something else."""

    begins_at: datetime
    ends_at: datetime
    next_round: Said

    def instants(self, count: int) -> list[datetime]:
        """So many instants inside it, in order."""
        step = (self.ends_at - self.begins_at) / (count + 1)
        return [self.begins_at + step * (place + 1) for place in range(count)]


class Scene:
    """One table's timeline. A round takes at most one fault, so that what follows from it is never in doubt."""

    def __init__(self, table: TableAtPlay, *, is_live: bool = False) -> None:
        self.is_live = is_live
        self.table, self.set_up, self.timeline, self.rng = table, table.set_up, table.timeline, table.rng
        self.pack = table.set_up.pack
        self.limits = table.state.limits
        self._guests = FIRST_GUEST
        self._taken = {id(said) for said, _ in self.timeline.truth}
        self._taken |= {id(said) for said in self.timeline.said if said.is_taken_back}

    # Finding a place

    def body_of(self, said: Said) -> Round:
        assert isinstance(said.body, Round)
        return said.body

    def free_rounds(self) -> list[Said]:
        return [said for said in self.timeline.rounds() if id(said) not in self._taken]

    def played_rounds(self) -> Iterator[Said]:
        """Free rounds with a result and working lights."""
        for said in self.free_rounds():
            body = self.body_of(said)
            if body.no_result is None and body.lit != ():
                yield said

    def pick_round(self, where: Callable[[Round], bool] = lambda body: True) -> Said:
        return self._pick([said for said in self.played_rounds() if where(self.body_of(said))])

    def pick_quiet_round(self, where: Callable[[Round], bool] = lambda body: True) -> Said:
        """A round whose validity no streak depends on: with Super Streak, one after all of them were settled."""
        if self.set_up.streak_amount is None:
            return self.pick_round(where)
        return self._pick(self._quiet_rounds(where))

    def pick_last_round(self, where: Callable[[Round], bool] = lambda body: True) -> Said:
        """A round on which no streak and no count of one rests, whatever becomes of its result."""
        if self.set_up.streak_amount is None:
            return self.pick_round(where)
        rounds = list(self.timeline.rounds())
        return self._pick([said for said in self._quiet_rounds(where) if said is rounds[-1]])

    def _quiet_rounds(self, where: Callable[[Round], bool]) -> list[Said]:
        self.need(not self.is_live)
        quiet: list[Said] = []
        for said in self.timeline.rounds():
            body = self.body_of(said)
            quiet = [] if any(BETS[wager.bet].is_streak for wager in body.wagers) else [*quiet, said]
        played = {id(said) for said in self.played_rounds() if where(self.body_of(said))}
        return [said for said in quiet if id(said) in played]

    def pick_void_round(self) -> Said:
        """One with wagers; where the day has none, an honest round is called off, unless a screen had counted it."""
        void = [
            said for said in self.free_rounds()
            if self.body_of(said).no_result is not None and list(self.plain_wagers(said))
        ]  # fmt: skip
        if void:
            return self._pick(void)
        self.need(self.set_up.streak_amount is None)
        said = self.pick_round(lambda body: bool(body.wagers))
        self.need(bool(list(self.plain_wagers(said))))
        self.change(said, **called_off(self.set_up, self.body_of(said)))
        return said

    def pick_wager(self, where: Callable[[Spot], bool]) -> Spot:
        return self._pick([spot for said in self.played_rounds() for spot in self.plain_wagers(said) if where(spot)])

    def plain_wagers(self, said: Said) -> Iterator[Spot]:
        """Wagers of a round with nothing special about them."""
        body = self.body_of(said)
        usual, limits = usual_tender(self.set_up), self.limits_in(said)
        for wager in body.wagers:
            is_usual = wager.tender == usual and limits.min <= wager.stake <= limits.max and not wager.changes
            if is_usual and not BETS[wager.bet].is_streak and wager.registered is not False and not wager.warned:
                yield Spot(said, wager)

    def pauses(self) -> list[Pause]:
        """Every pause before a free round."""
        found, last = [], None
        for said in self.timeline.said:
            if said.kind == "round":
                start = self.body_of(said).events[0].at
                if last is not None and id(said) not in self._taken and start > last:
                    found.append(Pause(last, start, said))
            last = said.at
        return found

    def pick_pause(self) -> Pause:
        return self._pick(self.pauses())

    def _pick(self, found: list[T]) -> T:
        if not found:
            raise NoRoom
        return self.rng.choice(found)

    def need(self, condition: bool) -> None:
        if not condition:
            raise NoRoom

    def limits_in(self, said: Said) -> Limits:
        """Those that governed the round: the minimum may have been raised for a part of the day."""
        return self.body_of(said).limits or self.limits

    # Changing it

    def change(self, said: Said, **members: Any) -> None:
        said.body = msgspec.structs.replace(said.body, **members)

    def change_wager(self, spot: Spot, **members: Any) -> Spot:
        changed = msgspec.structs.replace(spot.wager, **members)
        wagers = tuple(changed if wager is spot.wager else wager for wager in spot.round.wagers)
        self.change(spot.said, wagers=wagers)
        return Spot(spot.said, changed)

    def add_wager(
        self, said: Said, *, bet: str, stake: int, verdict: str, returned: int | None, **members: Any
    ) -> Spot:
        """A wager of somebody who was not at the table before, placed in good time unless told otherwise."""
        body, place = self.body_of(said), self.set_up.places[0]
        opened = at_of(body.events, "bets-open")
        assert opened is not None
        seat, self._guests = self._guests, self._guests + 1
        wager = Wager(**{
            "id": f"{body.round}.g{seat}", "player": f"p-{seat}", "seat": None if place.terminal else seat,
            "terminal": place.terminal, "bet": bet, "stake": stake, "tender": usual_tender(self.set_up),
            "placed_at": opened + timedelta(milliseconds=50), "registered": True if place.terminal else None,
            "verdict": verdict, "returned": returned, **members,
        })  # fmt: skip
        self.change(said, wagers=(*body.wagers, wager))
        return Spot(said, wager)

    def insert(self, kind: str, at: datetime, body: Body) -> Said:
        """A line of its own, after all that had been said by then."""
        said = Said(kind, at, body, HONEST)
        self.timeline.said.insert(bisect_right(self.timeline.said, at, key=lambda one: one.at), said)
        return said

    def session(self) -> TableAtPlay:
        """The same table, opened once more after its day, without rounds: room for what needs twenty minutes."""
        at, number = self.timeline.said[-1].at + 10 * MINUTE, self.table.state.next_number
        state = TableState(gaming_day=self.set_up.gaming_day(at), limits=self.set_up.limits, next_number=number)
        self.table.state.next_number += 1
        table = TableAtPlay(self.set_up, state, self.rng, now=at)
        table.timeline = self.timeline
        table.open()
        return table

    def is_free(self, said: Said) -> bool:
        return id(said) not in self._taken

    def take(self, said: Said) -> None:
        """Nothing else may be planted there."""
        self._taken.add(id(said))

    # Writing the truth

    def plant(self, code: str, said: Said, says: str, *, spot: Spot | None = None, **members: Any) -> None:
        body = said.body
        planted = Planted(
            code=code, casino=self.set_up.casino, table=self.set_up.table, says=says, at=said.at,
            round=body.round if isinstance(body, Round) else members.pop("round", None),
            wager=spot.wager.id if spot is not None else None, **members,
        )  # fmt: skip
        self._taken.add(id(said))
        self.timeline.truth.append((said, planted))

    def plant_wager(self, code: str, spot: Spot, says: str, **members: Any) -> None:
        self.plant(code, spot.said, says, spot=spot, **members)

    # What is known without asking the engine

    def cut_off(self, said: Said) -> datetime:
        found = cut_off_of(self.set_up, self.body_of(said).events)
        if found is None:
            raise NoRoom
        return found


def outcome_of(body: Round) -> Outcome:
    outcome = body.dice or body.cards
    assert outcome is not None
    return outcome


def winning_side(body: Round) -> str:
    """Small or big, whichever this result is: one to one in every rule set. Only for results that are no triple."""
    return "small" if sum(outcome_of(body)) <= 10 else "big"


def losing_side(body: Round) -> str:
    return "big" if winning_side(body) == "small" else "small"


def is_no_triple(body: Round) -> bool:
    return not is_triple(outcome_of(body))
