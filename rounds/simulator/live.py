"""A floor that plays beside the clock: every table a round about every forty seconds, until somebody stops it."""

from __future__ import annotations

import heapq
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from random import Random

import msgspec

from rounds.intake.models.feed import HEARTBEAT_SECONDS
from rounds.simulator.at_play import TableAtPlay
from rounds.simulator.days import dice_of
from rounds.simulator.faults.injector import Injector, NoRoom
from rounds.simulator.faults.scene import Scene
from rounds.simulator.feeding import ControllerFeed
from rounds.simulator.playing import Tally, TruthFile, numbered_with_truth
from rounds.simulator.said import Timeline
from rounds.simulator.set_up import TableSetUp
from rounds.simulator.state import TableState
from rounds.simulator.turns import NotMyTurn, turn

ASKS_AGAIN = timedelta(seconds=5)
BEAT_EVERY = timedelta(seconds=HEARTBEAT_SECONDS)
LEAST_FREE_BYTES = 2 * 10**9
CLOSURE_NOTICE = timedelta(minutes=25)


class DiskNearlyFull(Exception):
    """A floor that nobody watches must not fill the disk that the ledger needs."""


def check_disk(path: Path) -> None:
    there = next(folder for folder in path.parents if folder.exists())
    if shutil.disk_usage(there).free < LEAST_FREE_BYTES:
        raise DiskNearlyFull(f"less than {LEAST_FREE_BYTES // 10**9} GB are free on the disk of {there}.")


def read_state(path: Path) -> TableState | None:
    """What a table remembers from the last run; something unreadable counts as nothing."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=TableState)
    except (OSError, msgspec.MsgspecError):
        return None


def keep_state(path: Path, state: TableState) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_suffix(".new")
    draft.write_bytes(msgspec.json.encode(state))
    draft.replace(path)


@dataclass
class LiveTable:
    """One table of the floor and its controller's feed. `next_sequence` asks which number comes next, `is_stopped`
    whether play rests there until a person signs for its return."""

    set_up: TableSetUp
    feed: ControllerFeed
    state_file: Path
    next_sequence: Callable[[], int]
    is_stopped: Callable[[], bool]
    seed: int
    pace: float
    table: TableAtPlay = field(init=False)
    was_interrupted: bool = False

    def sit(self, now: datetime) -> None:
        """Takes up play where it was left."""
        kept = read_state(self.state_file)
        state = kept or TableState(gaming_day=self.set_up.gaming_day(now), limits=self.set_up.limits)
        first = self.next_sequence()
        self.feed.backlog.gave_out(self.set_up.table, first - 1)
        state.next_number = max(state.next_number, first)
        rng = dice_of(self.seed, self.set_up.casino, self.set_up.table, now.isoformat())
        self.table = TableAtPlay(self.set_up, state, rng, now=now, pace=self.pace)
        if state.is_open:
            self.table.plan_shifts()

    def play_next(self, now: datetime) -> datetime:
        """Plays one round, with what opens or closes the day around it; when it will be over."""
        table = self.table
        table.timeline = Timeline()
        table.now = max(table.now, now)
        self._turn_the_day(table)
        table.play_round()
        return table.now

    def _turn_the_day(self, table: TableAtPlay) -> None:
        state, today = table.state, self.set_up.gaming_day(table.now)
        ends_at = self.set_up.day_begins_at(state.gaming_day + timedelta(days=1))
        if state.is_open and state.closure_sign is None and ends_at - CLOSURE_NOTICE <= table.now < ends_at:
            table.announce_closing(ends_at)
        if state.is_open and today != state.gaming_day and not state.streaks:
            table.close(state.closure_sign)
        if state.is_open and self.was_interrupted:
            table.reopen()
        self.was_interrupted = False
        if not state.is_open:
            table.open()
            table.plan_shifts()

    def plant(self, injectors: Sequence[Injector], rng: Random) -> None:
        """One fault in the round that was just played, if one of these fits it."""
        fitting = [injector for injector in injectors if injector.is_live and injector.fits(self.set_up)]
        rng.shuffle(fitting)
        for injector in fitting:
            try:
                injector.plant(Scene(self.table, is_live=True))
            except NoRoom:
                continue
            return

    def deliver(self, truth: TruthFile, tally: Tally) -> None:
        """Raises NotMyTurn while another simulation is speaking for the table; the round is kept until then."""
        timeline = self.table.timeline
        with turn(self.state_file.with_suffix(".lock"), waits=False):
            # While the feed is silent, the service does not know of the numbers that were given out.
            asked, own = self.next_sequence(), self.feed.backlog.last_sequence(self.set_up.table) + 1
            first, self.was_interrupted = max(asked, own), asked > own
            lines, true = numbered_with_truth(timeline, table=self.set_up.table, first=first)
            self.feed.send(self.set_up.table, lines)
        keep_state(self.state_file, self.table.state)
        truth.write(true)
        tally.count(timeline)


@dataclass(order=True)
class _Due:
    at: datetime
    place: int
    act: Callable[[datetime], None] = field(compare=False)


class LiveFloor:
    """All the tables, taken in turn by the clock in one thread. `one_in` rounds bears a planted fault, and so do the
    `first` ones of all. Nothing is played that lies in the past: it could only be reported late."""

    def __init__(
        self, tables: Sequence[LiveTable], *, injectors: Sequence[Injector], one_in: int, truth: TruthFile,
        clock: Callable[[], datetime], sleep: Callable[[float], None], rng: Random, first: int = 0,
    ) -> None:  # fmt: skip
        self.tables, self.injectors, self.one_in, self.truth = tables, injectors, one_in, truth
        self.clock, self.sleep, self.rng = clock, sleep, rng
        self.tally, self._to_plant_first = Tally(), first
        self._due: list[_Due] = []

    def start(self) -> None:
        """Every table sits down."""
        for place, live in enumerate(self.tables):
            now = self.clock()
            live.sit(now)
            # Not all tables in step.
            self._plan(now + timedelta(seconds=3 * self.rng.random()), place, self._round_of(live, place))
            self._plan(now + BEAT_EVERY * self.rng.random(), place, self._beat_of(live, place))

    def play(self, rounds: int | None = None) -> None:
        """Until interrupted, until so many rounds were played, or until the disk is nearly full."""
        while rounds is None or self.tally.rounds < rounds:
            check_disk(self.tables[0].state_file)
            due = heapq.heappop(self._due)
            wait = (due.at - self.clock()).total_seconds()
            if wait > 0:
                self.sleep(wait)
            due.act(self.clock())

    def _plan(self, at: datetime, place: int, act: Callable[[datetime], None]) -> None:
        heapq.heappush(self._due, _Due(at, place, act))

    def _plant_perhaps(self, live: LiveTable) -> None:
        is_first = self._to_plant_first > 0
        if self.injectors and (is_first or self.rng.randrange(self.one_in) == 0):
            self._to_plant_first -= is_first
            live.plant(self.injectors, self.rng)

    def _round_of(self, live: LiveTable, place: int) -> Callable[[datetime], None]:
        def play(now: datetime) -> None:
            if live.is_stopped():
                self._plan(now + ASKS_AGAIN, place, play)
                return
            over_at = live.play_next(now)
            self._plant_perhaps(live)
            self._plan(over_at, place, deliver)

        def deliver(now: datetime) -> None:
            try:
                live.deliver(self.truth, self.tally)
            except NotMyTurn:
                self._plan(now + ASKS_AGAIN, place, deliver)
            else:
                self._plan(now, place, play)

        return play

    def _beat_of(self, live: LiveTable, place: int) -> Callable[[datetime], None]:
        def beat(now: datetime) -> None:
            live.feed.beat(live.set_up.table)
            live.feed.send_held_back(until=now)
            self._plan(now + BEAT_EVERY, place, beat)

        return beat
