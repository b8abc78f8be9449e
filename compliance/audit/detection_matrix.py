"""Detection matrix: planted faults compared with reported findings, by code. Counts found, missed and false findings.

The truth file is written by `manage.py simulate --truth FILE`, one planted fault a line.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from compliance.audit.catalogue import ALL_CODES
from compliance.audit.models import Finding, ReadingCase
from compliance.notify.alerts.entry_kinds import RAISED
from rounds.ledger import LogEntry, read_entries_at

READ_BATCH_SIZE = 2000
# Case of a gaming day that was sent at once; the truth file marks all its lines as late.
REPLAYED = "replayed"
ANY_LINE = object()


class PlantedFault(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the truth file. `finding` False: a near miss that must not be reported. `also`: codes that may be
    reported with it.

    `entry`: for people's records, the entry that the finding must have as evidence. `clauses` of `rules`: clauses that
    it violates besides the cited one. `tables`, `cites`: for violation cases, their further tables and the clause that
    the finding must cite.
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
    rules: str = ""
    clauses: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()
    cites: str = ""
    figures: dict[str, Any] = msgspec.field(default_factory=dict)

    @property
    def is_violation_case(self) -> bool:
        return bool(self.cites)

    @property
    def casino_and_tables(self) -> list[tuple[str, str]]:
        return [(self.casino, table) for table in (self.table, *self.tables)]

    @property
    def has_line(self) -> bool:
        return self.sequence is not None and self.entry is None and not self.line_range

    @property
    def line_range(self) -> range:
        """The lines of a day that was sent at once; empty for any other fault."""
        if self.case != REPLAYED:
            return range(0)
        return range(self.figures["first"], self.figures["last"] + 1)


def read_planted_faults(lines: Iterable[bytes]) -> list[PlantedFault]:
    return [msgspec.json.decode(line, type=PlantedFault) for line in lines if line.strip()]


@dataclass(frozen=True)
class ReportedFinding:
    """A finding, with the entries, line numbers and rounds of its evidence, for comparison with the truth."""

    code: str
    casino: str
    table: str
    wager: str
    rules: str
    clause: str
    sentence: str
    index: int
    sequences: frozenset[int]
    rounds: frozenset[str]
    entries: frozenset[int]

    def concerns(self, planted: PlantedFault) -> bool:
        """Whether it is about the same line or round, and not about another wager."""
        if (self.casino, self.table) not in planted.casino_and_tables:
            return False
        if planted.is_violation_case:
            # Nothing else was played at its tables.
            return True
        if planted.entry is not None:
            return planted.entry in self.entries
        if not self.sequences:
            # A rejected batch: its lines are unknown, only its table.
            return True
        if planted.line_range:
            return any(sequence in planted.line_range for sequence in self.sequences)
        if planted.wager and self.wager and planted.wager != self.wager:
            return False
        return planted.sequence in self.sequences or planted.round in self.rounds

    def is_explained_by(self, planted: PlantedFault) -> bool:
        codes = (planted.code, *planted.also) if planted.finding else ()
        return self.code in codes and self.concerns(planted)

    def finds(self, planted: PlantedFault) -> bool:
        """Whether it explains the fault by its own code and, if the fault says so, by the right clause."""
        return self.code == planted.code and planted.cites in ("", self.clause)


@dataclass
class DetectionRow:
    """Figures of one code. `missed` and `false` list the faults not found and the findings without a fault."""

    code: str
    planted: int = 0
    found: int = 0
    missed: list[PlantedFault] = field(default_factory=list)
    false: list[ReportedFinding] = field(default_factory=list)

    @property
    def is_correct(self) -> bool:
        return not self.false and not self.missed

    def as_json(self) -> dict[str, Any]:
        return {
            "code": self.code,
            "planted": self.planted,
            "found": self.found,
            "missed": len(self.missed),
            "false": len(self.false),
        }


@dataclass(frozen=True)
class Comparison:
    """Planted faults with the findings that found each, by id() of the fault, and the findings that no fault
    explains."""

    planted: Sequence[PlantedFault]
    found_by: Mapping[int, Sequence[ReportedFinding]]
    false: Sequence[ReportedFinding]

    def findings_of(self, planted: PlantedFault) -> Sequence[ReportedFinding]:
        return self.found_by.get(id(planted), ())

    def rows_by_code(self) -> list[DetectionRow]:
        """A row for every code that was planted or found, in the order of the catalogue."""
        rows = {code.name: DetectionRow(code.name) for code in ALL_CODES}
        for finding in self.false:
            rows[finding.code].false.append(finding)
        for planted in self.planted:
            if planted.finding:
                row, is_found = rows[planted.code], bool(self.findings_of(planted))
                row.planted += 1
                row.found += is_found
                row.missed += [] if is_found else [planted]
        return [row for row in rows.values() if row.planted or row.false]


def compare(planted_faults: Sequence[PlantedFault], findings: Iterable[ReportedFinding]) -> Comparison:
    index, false = _FaultIndex(planted_faults), list[ReportedFinding]()
    found_by: dict[int, list[ReportedFinding]] = {}
    for finding in findings:
        explaining = [one for one in index.candidates_for(finding) if finding.is_explained_by(one)]
        for planted in explaining:
            if finding.finds(planted):
                found_by.setdefault(id(planted), []).append(finding)
        if not explaining:
            false.append(finding)
    return Comparison(planted_faults, found_by, false)


class _FaultIndex:
    """Planted faults by table and line, so that each finding is compared with few of the thousands there may be."""

    def __init__(self, truth: Iterable[PlantedFault]) -> None:
        self._by_line: dict[tuple[str, str, Hashable], list[PlantedFault]] = {}
        for planted in truth:
            lines: tuple[Hashable, ...] = (None,)
            if planted.has_line:
                lines = (planted.sequence, planted.round, ANY_LINE)
            for place in planted.casino_and_tables:
                for line in lines:
                    self._by_line.setdefault((*place, line), []).append(planted)

    def candidates_for(self, finding: ReportedFinding) -> Iterator[PlantedFault]:
        lines: set[Hashable] = {None} | (finding.sequences | finding.rounds or {ANY_LINE})
        for line in lines:
            yield from self._by_line.get((finding.casino, finding.table, line), ())


# --- Findings as sightings ------------------------------------------------------------------------------------------


def findings_at_planted_tables(truth: Sequence[PlantedFault]) -> Iterator[ReportedFinding]:
    """Every current finding at the tables of the truth. Where the truth says what was played, only findings about
    that."""
    places: dict[tuple[str, str], _PlayedTable] = {}
    for planted in truth:
        for casino_and_table in planted.casino_and_tables:
            places.setdefault(casino_and_table, _PlayedTable()).add_fault(planted)
    for casino in sorted({planted.casino for planted in truth}):
        for finding in _current_findings(casino):
            place = places.get((casino, finding.table))
            if place is not None and place.concerns_finding(finding):
                yield finding


@dataclass
class _PlayedTable:
    """What the truth file says was played and recorded at a table, or at a casino outside its tables."""

    line_ranges: list[range] = field(default_factory=list)
    recorded: set[int] = field(default_factory=set)
    entries_before: int | None = None

    def add_fault(self, planted: PlantedFault) -> None:
        if planted.entry is not None:
            self.recorded.add(planted.entry)
        if planted.line_range:
            before = planted.figures.get("entries_before", 0)
            self.line_ranges.append(planted.line_range)
            self.entries_before = before if self.entries_before is None else min(before, self.entries_before)

    def concerns_finding(self, finding: ReportedFinding) -> bool:
        if not self.line_ranges and not self.recorded:
            return True
        if any(sequence in lines for lines in self.line_ranges for sequence in finding.sequences):
            return True
        if any(min(self.recorded) <= entry <= max(self.recorded) for entry in finding.entries if self.recorded):
            return True
        # Entries of the service itself name no line; they count from where the play began.
        before = self.entries_before
        return before is not None and not finding.sequences and max(finding.entries, default=0) >= before


def _current_findings(log: str) -> Iterator[ReportedFinding]:
    """Grouped findings are split into the wagers behind them."""
    current = Finding.objects.current().select_related("version")
    findings = list(current.filter(log=log).exclude(check_name__startswith="reading:"))
    cases = list(ReadingCase.objects.filter(log=log, finding__superseded_at=None).select_related("finding__version"))
    indexes = {index for one in findings for index in (one.subject_index, *one.evidence)}
    entries = _entries_by_index(log, indexes | {case.subject_index for case in cases})
    for one in findings:
        yield _reported_finding(
            one, one.table, one.wager, [entries.get(each) for each in (one.subject_index, *one.evidence)]
        )
    for case in cases:
        yield _reported_finding(case.finding, case.table, case.wager, [entries.get(case.subject_index)])


def _entries_by_index(log: str, indexes: Collection[int]) -> Mapping[int, LogEntry]:
    ordered, found = sorted(indexes), dict[int, LogEntry]()
    for first in range(0, len(ordered), READ_BATCH_SIZE):
        found |= {entry.index: entry for entry in read_entries_at(log, ordered[first : first + READ_BATCH_SIZE])}
    return found


def _reported_finding(finding: Finding, table: str, wager: str, entries: Iterable[LogEntry | None]) -> ReportedFinding:
    # An alert says when the service noticed something, which may have happened before the play.
    rests_on = [entry for entry in entries if entry is not None and entry.kind != RAISED]
    known = [entry for entry in rests_on if entry.table == table]
    lines = [entry for entry in known if entry.sequence is not None]
    named = [entry.content()["body"].get("round") for entry in lines]
    # Entries of the service about a line name its sequence number.
    about = [entry.content().get("sequence") for entry in known if entry.sequence is None]
    return ReportedFinding(
        finding.code,
        finding.log,
        table,
        wager,
        finding.version.rules if finding.version else "",
        finding.clause,
        finding.sentence,
        finding.subject_index,
        frozenset(each for each in (*(entry.sequence for entry in lines), *about) if isinstance(each, int)),
        frozenset(name for name in named if name),
        frozenset(entry.index for entry in rests_on),
    )
