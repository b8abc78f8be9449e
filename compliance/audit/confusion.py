"""What was planted against what was found: code by code how many faults were found, missed, or reported in vain.

The truth is what `manage.py simulate --truth FILE` writes, a planted fault a line.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from compliance.audit.catalogue import EVERY_CODE
from compliance.audit.checks import checked_codes
from compliance.audit.models import Finding, ReadingCase
from rounds.ledger.following import Recorded, read_entries_at

READ_AT_ONCE = 2000
# A whole gaming day sent at once is told in the truth as late from its first line to its last.
REPLAYED = "replayed"
ANY_LINE = object()


class Planted(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the truth. `finding` False: a near miss, which nobody may report. `also`: what must go with it.

    `entry`: the entry that a finding must rest on, where it is about people's records.
    """

    code: str
    casino: str
    table: str
    says: str = ""
    finding: bool = True
    player: bool = False
    case: str = ""
    round: str | None = None
    wager: str | None = None
    sequence: int | None = None
    entry: int | None = None
    also: tuple[str, ...] = ()
    figures: dict[str, Any] = msgspec.field(default_factory=dict)

    @property
    def place(self) -> tuple[str, str]:
        return self.casino, self.table

    @property
    def is_of_a_line(self) -> bool:
        return self.sequence is not None and self.entry is None and not self.stretch

    @property
    def stretch(self) -> range:
        """The lines of a day that was sent at once; nothing for any other fault."""
        if self.case != REPLAYED:
            return range(0)
        return range(self.figures["first"], self.figures["last"] + 1)


def read_truth(lines: Iterable[bytes]) -> list[Planted]:
    return [msgspec.json.decode(line, type=Planted) for line in lines if line.strip()]


@dataclass(frozen=True)
class Sighting:
    """A finding as the truth can be compared with it: the entries, lines and rounds that it rests on."""

    code: str
    casino: str
    table: str
    wager: str
    sentence: str
    index: int
    sequences: frozenset[int]
    rounds: frozenset[str]
    entries: frozenset[int]

    def is_about(self, planted: Planted) -> bool:
        """The same place: a line or a round in common and, where a wager is named, no other wager."""
        if (self.casino, self.table) != planted.place:
            return False
        if planted.entry is not None:
            return planted.entry in self.entries
        if not self.sequences:
            # A batch that was refused as a whole: its lines are not known, only whose they were.
            return True
        if planted.stretch:
            return any(sequence in planted.stretch for sequence in self.sequences)
        if planted.wager and self.wager and planted.wager != self.wager:
            return False
        return planted.sequence in self.sequences or planted.round in self.rounds

    def is_explained_by(self, planted: Planted) -> bool:
        codes = (planted.code, *planted.also) if planted.finding else ()
        return self.code in codes and self.is_about(planted)


@dataclass
class Row:
    """One code. `missed` and `false` say which."""

    code: str
    is_checked: bool
    planted: int = 0
    found: int = 0
    missed: list[Planted] = field(default_factory=list)
    false: list[Sighting] = field(default_factory=list)

    @property
    def is_right(self) -> bool:
        """A code that nothing looks for yet cannot be missed."""
        return not self.false and not (self.is_checked and self.missed)

    def as_json(self) -> dict[str, Any]:
        return {
            "code": self.code, "checked": self.is_checked, "planted": self.planted, "found": self.found,
            "missed": len(self.missed), "false": len(self.false),
        }  # fmt: skip


def compare(truth: Sequence[Planted], sightings: Iterable[Sighting]) -> list[Row]:
    """A row for every code that was planted or found, in the order of the catalogue."""
    rows: dict[str, Row] = {}
    checked, index = checked_codes(), _Index(truth)
    seen: set[int] = set()
    for sighting in sightings:
        explaining = [one for one in index.near(sighting) if sighting.is_explained_by(one)]
        seen |= {id(one) for one in explaining if one.code == sighting.code}
        if not explaining:
            _row(rows, sighting.code, checked).false.append(sighting)
    for planted in truth:
        if planted.finding:
            row = _row(rows, planted.code, checked)
            row.planted += 1
            row.found += id(planted) in seen
            row.missed += [planted] if id(planted) not in seen else []
    return [rows[code.name] for code in EVERY_CODE if code.name in rows]


class _Index:
    """The truth by place and line: a day of a million wagers has thousands of both, and each is compared with few."""

    def __init__(self, truth: Iterable[Planted]) -> None:
        self._by_line: dict[tuple[str, str, Hashable], list[Planted]] = {}
        for planted in truth:
            for line in (planted.sequence, planted.round) if planted.is_of_a_line else (None,):
                self._by_line.setdefault((*planted.place, line), []).append(planted)
            if planted.is_of_a_line:
                self._by_line.setdefault((*planted.place, ANY_LINE), []).append(planted)

    def near(self, sighting: Sighting) -> Iterator[Planted]:
        lines: set[Hashable] = {None} | (sighting.sequences | sighting.rounds or {ANY_LINE})
        for line in lines:
            yield from self._by_line.get((sighting.casino, sighting.table, line), ())


def _row(rows: dict[str, Row], code: str, checked: Collection[str]) -> Row:
    return rows.setdefault(code, Row(code, code in checked))


# --- Findings as sightings ------------------------------------------------------------------------------------------


def sightings_at(truth: Sequence[Planted]) -> Iterator[Sighting]:
    """Every standing finding at the places of the truth; where it says what was played, only those that touch it."""
    places: dict[tuple[str, str], _Place] = {}
    for planted in truth:
        places.setdefault(planted.place, _Place()).take(planted)
    for casino in sorted({planted.casino for planted in truth}):
        for sighting in _sightings(casino):
            place = places.get((casino, sighting.table))
            if place is not None and place.is_touched_by(sighting):
                yield sighting


@dataclass
class _Place:
    """What the truth says was played and recorded at a table, or at a casino beside its tables."""

    stretches: list[range] = field(default_factory=list)
    recorded: set[int] = field(default_factory=set)
    entries_before: int | None = None

    def take(self, planted: Planted) -> None:
        if planted.entry is not None:
            self.recorded.add(planted.entry)
        if planted.stretch:
            before = planted.figures.get("entries_before", 0)
            self.stretches.append(planted.stretch)
            self.entries_before = before if self.entries_before is None else min(before, self.entries_before)

    def is_touched_by(self, sighting: Sighting) -> bool:
        if not self.stretches and not self.recorded:
            return True
        if any(sequence in stretch for stretch in self.stretches for sequence in sighting.sequences):
            return True
        if any(min(self.recorded) <= entry <= max(self.recorded) for entry in sighting.entries if self.recorded):
            return True
        # What the service itself recorded names no line: it counts from where the play began.
        before = self.entries_before
        return before is not None and not sighting.sequences and max(sighting.entries, default=0) >= before


def _sightings(log: str) -> Iterator[Sighting]:
    """Grouped findings are taken apart into the wagers behind them."""
    findings = list(Finding.objects.standing().filter(log=log).exclude(check_name__startswith="reading:"))
    cases = list(ReadingCase.objects.filter(log=log, finding__superseded_at=None).select_related("finding"))
    indexes = {index for one in findings for index in (one.subject_index, *one.evidence)}
    entries = _entries(log, indexes | {case.subject_index for case in cases})
    for one in findings:
        yield _sighting(one, one.table, one.wager, [entries.get(each) for each in (one.subject_index, *one.evidence)])
    for case in cases:
        yield _sighting(case.finding, case.table, case.wager, [entries.get(case.subject_index)])


def _entries(log: str, indexes: Collection[int]) -> Mapping[int, Recorded]:
    ordered, found = sorted(indexes), dict[int, Recorded]()
    for first in range(0, len(ordered), READ_AT_ONCE):
        found |= {entry.index: entry for entry in read_entries_at(log, ordered[first : first + READ_AT_ONCE])}
    return found


def _sighting(finding: Finding, table: str, wager: str, entries: Iterable[Recorded | None]) -> Sighting:
    rests_on = [entry for entry in entries if entry is not None]
    known = [entry for entry in rests_on if entry.table == table]
    lines = [entry for entry in known if entry.sequence is not None]
    named = [entry.content()["body"].get("round") for entry in lines]
    # What the service itself records of a line names its number.
    about = [entry.content().get("sequence") for entry in known if entry.sequence is None]
    return Sighting(
        finding.code, finding.log, table, wager, finding.sentence, finding.subject_index,
        frozenset(each for each in (*(entry.sequence for entry in lines), *about) if isinstance(each, int)),
        frozenset(name for name in named if name),
        frozenset(entry.index for entry in rests_on),
    )  # fmt: skip
