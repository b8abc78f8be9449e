"""Plays gaming days and sends them to the service; counts them; writes the truth file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from typing import BinaryIO

import msgspec

from rounds.simulator.delivery.controller_feed import ControllerFeed
from rounds.simulator.faults.catalogue import plant_faults
from rounds.simulator.faults.injector import Injector
from rounds.simulator.play.controller_output import NumberedLine, PlantedFault, TableOutput, encode_truth, number_lines
from rounds.simulator.play.gaming_days import play_day, split_into_days
from rounds.simulator.play.table_config import TableConfig


class TruthFile:
    """NDJSON, one planted fault a line. Flushed after each write, so that an interrupted run has a complete truth file
    too."""

    def __init__(self, path: Path | None) -> None:
        self._file: BinaryIO | None = path.open("ab") if path is not None else None

    def write(self, lines: Iterable[bytes]) -> None:
        if self._file is not None:
            self._file.writelines(line + b"\n" for line in lines)
            self._file.flush()


@dataclass
class SimulationTotals:
    """Counts of what was played and planted, for the command's summary."""

    rounds: int = 0
    wagers: int = 0
    planted: int = 0
    codes: set[str] = field(default_factory=set)
    tried_in_vain: set[str] = field(default_factory=set)

    @property
    def codes_not_planted(self) -> set[str]:
        """Codes that could be planted at no table."""
        return self.tried_in_vain - self.codes

    def add_timeline(self, timeline: TableOutput) -> None:
        for line in timeline.uncorrected_rounds():
            self.rounds += 1
            self.wagers += len(line.body.wagers)  # type: ignore[attr-defined]
        self.add_faults(planted for _, planted in timeline.truth if not planted.player)

    def add_faults(self, planted: Iterable[PlantedFault]) -> None:
        for one in planted:
            self.planted += 1
            self.codes |= {one.code} if one.finding else set()


def number_lines_with_faults(
    timeline: TableOutput, *, table: str, first: int
) -> tuple[list[NumberedLine], list[bytes]]:
    """The numbered lines, and the truth about them with their sequence numbers."""
    pairs = list(number_lines(timeline.lines, table=table, first=first))
    sequences = {id(line): one.sequence for line, one in pairs}
    return [one for _, one in pairs], list(encode_truth(timeline, sequences))


@dataclass(frozen=True)
class PlayedDay:
    """One gaming day of one table, ready to send."""

    lines: list[NumberedLine]
    truth: list[bytes]
    timeline: TableOutput

    @property
    def last_sequence(self) -> int:
        return max(one.sequence for one in self.lines)


def play_days(
    set_up: TableConfig,
    *,
    first_day: date,
    rounds: int,
    seed: int,
    first: int,
    injectors: Sequence[Injector],
    tally: SimulationTotals,
    log_size: Callable[[], int] = lambda: 0,
) -> Iterator[PlayedDay]:
    """Yields one gaming day after the other. `first` is the table's next sequence number and the number of its next
    round."""
    for place, rounds_today in enumerate(split_into_days(rounds)):
        day = first_day + timedelta(days=place)
        table = play_day(set_up, day=day, rounds=rounds_today, seed=seed, first_number=first)
        tally.tried_in_vain.update(plant_faults(table, injectors))
        lines, truth = number_lines_with_faults(table.timeline, table=set_up.table, first=first)
        tally.add_timeline(table.timeline)
        numbers = [one.sequence for one in lines]
        late = late_delivery_fault(
            set_up.casino, set_up.table, range(min(numbers), max(numbers) + 1), entries_before=log_size()
        )
        truth.append(msgspec.json.encode(late))
        played = PlayedDay(lines, truth, table.timeline)
        yield played
        first = played.last_sequence + 1


def late_delivery_fault(casino: str, table: str, sequences: range, entries_before: int) -> PlantedFault:
    """Lines sent in one go are late as a whole. The truth file must say so, or FEED-LATE would look like a false
    positive."""
    return PlantedFault(
        code="FEED-LATE",
        casino=casino,
        table=table,
        case="replayed",
        says="The whole gaming day was sent at once, after it was over.",
        figures={"first": sequences[0], "last": sequences[-1], "entries_before": entries_before},
    )


def send_days(
    days: Iterable[PlayedDay], feed: ControllerFeed, *, table: str, truth: TruthFile, on_progress: Callable[[int], None]
) -> None:
    """Sends each day as soon as it is played, then its held-back lines."""
    for played in days:
        feed.send(table, played.lines)
        feed.send_held_back()
        truth.write(played.truth)
        on_progress(len(played.lines))
