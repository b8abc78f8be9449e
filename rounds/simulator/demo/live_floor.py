"""A live floor that plays by the clock: a round about every forty seconds at each table, until it is stopped."""

from __future__ import annotations

import heapq
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from random import Random

import msgspec

from compliance.core.web.files.atomic_write import write_atomically
from rounds.floor.models import Table
from rounds.intake.models.feed import HEARTBEAT_SECONDS
from rounds.simulator.delivery.casino_tables import controller_for_table, load_table_config
from rounds.simulator.delivery.connection import is_play_stopped, next_sequence, open_feed, state_path
from rounds.simulator.delivery.controller_feed import ControllerFeed
from rounds.simulator.delivery.simulation_run import SimulationTotals, TruthFile, number_lines_with_faults
from rounds.simulator.delivery.table_lock import TableLocked, lock_table
from rounds.simulator.faults.injector import Injector, NoRoomForFault
from rounds.simulator.faults.timeline_editor import TimelineEditor
from rounds.simulator.play.controller_output import TableOutput
from rounds.simulator.play.gaming_days import random_stream
from rounds.simulator.play.table_config import TableConfig
from rounds.simulator.play.table_day import TableDay
from rounds.simulator.play.table_state import PlayState

RETRY_INTERVAL = timedelta(seconds=5)
HEARTBEAT_INTERVAL = timedelta(seconds=HEARTBEAT_SECONDS)
LEAST_FREE_BYTES = 2 * 10**9
CLOSURE_NOTICE = timedelta(minutes=25)


class DiskNearlyFull(Exception):
    """The floor stops, so that an unattended demo does not fill the disk that the ledger needs."""


def require_disk_space(path: Path) -> None:
    there = next(folder for folder in path.parents if folder.exists())
    if shutil.disk_usage(there).free < LEAST_FREE_BYTES:
        raise DiskNearlyFull(f"less than {LEAST_FREE_BYTES // 10**9} GB are free on the disk of {there}.")


def load_state(path: Path) -> PlayState | None:
    """The table's state from the last run; None if there is none or it is unreadable."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=PlayState)
    except (OSError, msgspec.MsgspecError):
        return None


def save_state(path: Path, state: PlayState) -> None:
    write_atomically(path, msgspec.json.encode(state))


@dataclass
class LiveTable:
    """One table of the floor and its controller's feed. `next_sequence` returns the feed's next number, `is_stopped`
    whether play is stopped until a person signs for its return."""

    set_up: TableConfig
    feed: ControllerFeed
    state_file: Path
    next_sequence: Callable[[], int]
    is_stopped: Callable[[], bool]
    seed: int
    pace: float
    table: TableDay = field(init=False)
    was_interrupted: bool = False

    def resume(self, now: datetime) -> None:
        """Continues play from the saved state."""
        saved = load_state(self.state_file)
        state = saved or PlayState(gaming_day=self.set_up.gaming_day_at(now), limits=self.set_up.limits)
        first = self.next_sequence()
        self.feed.backlog.set_last_sequence(self.set_up.table, first - 1)
        state.next_number = max(state.next_number, first)
        rng = random_stream(self.seed, self.set_up.casino, self.set_up.table, now.isoformat())
        self.table = TableDay(self.set_up, state, rng, now=now, pace=self.pace)
        if state.is_open:
            self.table.schedule_shift_inspections()

    def play_next(self, now: datetime) -> datetime:
        """Plays one round, and opens or closes the day if it is time. Returns when the round ends."""
        table = self.table
        table.timeline = TableOutput()
        table.now = max(table.now, now)
        self._open_or_close_day(table)
        table.play_round()
        return table.now

    def _open_or_close_day(self, table: TableDay) -> None:
        state, today = table.state, self.set_up.gaming_day_at(table.now)
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
            table.schedule_shift_inspections()

    def plant_fault(self, injectors: Sequence[Injector], rng: Random) -> None:
        """Plants one fault in the round just played, if one of these injectors fits."""
        fitting = [injector for injector in injectors if injector.is_live and injector.fits(self.set_up)]
        rng.shuffle(fitting)
        for injector in fitting:
            try:
                injector.plant_in(TimelineEditor(self.table, is_live=True))
            except NoRoomForFault:
                continue
            return

    def send_round(self, truth: TruthFile, tally: SimulationTotals) -> None:
        """Raises TableLocked while another simulation holds the table; the round is kept and sent later."""
        timeline = self.table.timeline
        with lock_table(self.state_file.with_suffix(".lock"), waits=False):
            # While the feed is silent, the service does not know the numbers given out since.
            next_at_service, own = self.next_sequence(), self.feed.backlog.last_sequence(self.set_up.table) + 1
            first, self.was_interrupted = max(next_at_service, own), next_at_service > own
            lines, true = number_lines_with_faults(timeline, table=self.set_up.table, first=first)
            self.feed.send(self.set_up.table, lines)
        save_state(self.state_file, self.table.state)
        truth.write(true)
        tally.add_timeline(timeline)


@dataclass(order=True)
class _ScheduledAction:
    at: datetime
    place: int
    act: Callable[[datetime], None] = field(compare=False)


class LiveFloor:
    """All tables in one thread, by a queue of due actions. One in `one_in` rounds, and the `first` rounds, get a
    planted fault. Rounds are never dated in the past, since they would be reported late."""

    def __init__(
        self,
        tables: Sequence[LiveTable],
        *,
        injectors: Sequence[Injector],
        one_in: int,
        truth: TruthFile,
        clock: Callable[[], datetime],
        sleep: Callable[[float], None],
        rng: Random,
        first: int = 0,
    ) -> None:
        self.tables, self.injectors, self.one_in, self.truth = tables, injectors, one_in, truth
        self.clock, self.sleep, self.rng = clock, sleep, rng
        self.tally, self._to_plant_first = SimulationTotals(), first
        self._due: list[_ScheduledAction] = []

    def start(self) -> None:
        """Resumes every table and schedules its first round and heart-beat."""
        for place, live in enumerate(self.tables):
            now = self.clock()
            live.resume(now)
            # Random offsets, so that the tables do not run in step.
            self._schedule(now + timedelta(seconds=3 * self.rng.random()), place, self._round_action(live, place))
            self._schedule(now + HEARTBEAT_INTERVAL * self.rng.random(), place, self._heartbeat_action(live, place))

    def play(self, rounds: int | None = None) -> None:
        """Until interrupted, until that many rounds were played, or until the disk is nearly full."""
        while rounds is None or self.tally.rounds < rounds:
            require_disk_space(self.tables[0].state_file)
            due = heapq.heappop(self._due)
            wait = (due.at - self.clock()).total_seconds()
            if wait > 0:
                self.sleep(wait)
            due.act(self.clock())

    def _schedule(self, at: datetime, place: int, act: Callable[[datetime], None]) -> None:
        heapq.heappush(self._due, _ScheduledAction(at, place, act))

    def _maybe_plant_fault(self, live: LiveTable) -> None:
        is_first = self._to_plant_first > 0
        if self.injectors and (is_first or self.rng.randrange(self.one_in) == 0):
            self._to_plant_first -= is_first
            live.plant_fault(self.injectors, self.rng)

    def _round_action(self, live: LiveTable, place: int) -> Callable[[datetime], None]:
        def play(now: datetime) -> None:
            if live.is_stopped():
                self._schedule(now + RETRY_INTERVAL, place, play)
                return
            over_at = live.play_next(now)
            self._maybe_plant_fault(live)
            self._schedule(over_at, place, deliver)

        def deliver(now: datetime) -> None:
            try:
                live.send_round(self.truth, self.tally)
            except TableLocked:
                self._schedule(now + RETRY_INTERVAL, place, deliver)
            else:
                self._schedule(now, place, play)

        return play

    def _heartbeat_action(self, live: LiveTable, place: int) -> Callable[[datetime], None]:
        def beat(now: datetime) -> None:
            live.feed.send_heartbeat(live.set_up.table)
            live.feed.send_held_back(until=now)
            self._schedule(now + HEARTBEAT_INTERVAL, place, beat)

        return beat


def open_live_table(
    table: Table, *, now: datetime, address: str, keys: Path | None, seed: int, pace: float
) -> LiveTable:
    controller = controller_for_table(table, now)
    return LiveTable(
        set_up=load_table_config(table, now),
        feed=open_feed(table, controller, address=address, keys=keys),
        state_file=state_path(table),
        next_sequence=partial(next_sequence, table, controller),
        is_stopped=partial(is_play_stopped, table),
        seed=seed,
        pace=pace,
    )
