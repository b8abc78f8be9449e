"""The lines that a controller reports: content, sequence number, delivery, and the truth about planted faults."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import msgspec

from rounds.intake.protocol.envelope import HEARTBEAT, encode_line
from rounds.intake.protocol.fields import Body


@dataclass(frozen=True)
class LineDelivery:
    """How a line is sent. The default is honest; each field is a fault of the feed."""

    skips_number: bool = False
    sent_off_by_seconds: float = 0
    is_signature_spoilt: bool = False
    is_resent_altered: bool = False
    is_malformed: bool = False
    held_back_seconds: float = 0
    silent_seconds: float = 0

    @property
    def needs_own_batch(self) -> bool:
        """A batch is accepted or refused as a whole, so a faulty line must not share one with honest lines."""
        return self != HONEST_DELIVERY


HONEST_DELIVERY = LineDelivery()


@dataclass(eq=False)
class ReportedLine:
    """One line before it is numbered. Compared by identity, because planted faults point at it and its body may change.
    A correction has the corrected line in `takes_back`; its sequence number is filled in when both are numbered."""

    kind: str
    at: datetime
    body: Body
    delivery: LineDelivery = HONEST_DELIVERY
    takes_back: ReportedLine | None = None
    is_taken_back: bool = False


class PlantedFault(msgspec.Struct, kw_only=True, omit_defaults=True):
    """A line of the truth file: what the simulator did on purpose, where, and whether the audit must find it.

    `finding` False is a near miss, which must not be reported. `player`: done by a player at an honest table. `amount`:
    what was paid beyond what was due, negative if short. `also`: codes that necessarily come with it. `entry`: for
    records by people, the ledger entry that the finding must cite. `rules` and `clauses`: clauses that it violates
    besides the one that the finding cites. `tables` and `cites`: for violation cases, their further tables and the
    clause that the finding must cite."""

    code: str
    casino: str
    table: str
    says: str
    finding: bool = True
    player: bool = False
    case: str = ""
    at: datetime | None = None
    round: str | None = None
    wager: str | None = None
    sequence: int | None = None
    entry: int | None = None
    amount: int | None = None
    also: tuple[str, ...] = ()
    rules: str = ""
    clauses: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()
    cites: str = ""
    figures: dict[str, Any] = msgspec.field(default_factory=dict)


@dataclass
class TableOutput:
    """The lines of one table in order, and what was planted in them."""

    lines: list[ReportedLine] = field(default_factory=list)
    truth: list[tuple[ReportedLine | None, PlantedFault]] = field(default_factory=list)

    def report(self, kind: str, at: datetime, body: Body) -> ReportedLine:
        self.lines.append(ReportedLine(kind, at, body))
        return self.lines[-1]

    def correct_line(self, wrong: ReportedLine, at: datetime, body: Body) -> ReportedLine:
        """The controller reports that an earlier line was wrong."""
        wrong.is_taken_back = True
        self.lines.append(ReportedLine("correction", at, body, takes_back=wrong))
        return self.lines[-1]

    def uncorrected_rounds(self) -> Iterator[ReportedLine]:
        """Rounds that no later line corrects."""
        return (line for line in self.lines if line.kind == "round" and not line.is_taken_back)


@dataclass(frozen=True)
class NumberedLine:
    """A line as it is sent: its bytes, and how it is delivered."""

    sequence: int
    at: datetime
    line: bytes
    delivery: LineDelivery

    @property
    def altered_line(self) -> bytes:
        """The same sequence number with other bytes: an additional space."""
        return self.line[:1] + b" " + self.line[1:]


def number_lines(
    lines: Iterable[ReportedLine], *, table: str, first: int
) -> Iterator[tuple[ReportedLine, NumberedLine]]:
    """Numbers and encodes the lines. A skipped number stands for a line that is never sent."""
    sequence, given = first - 1, dict[int, int]()
    for one in lines:
        if one.kind != HEARTBEAT:
            sequence += 2 if one.delivery.skips_number else 1
        given[id(one)] = sequence
        body = one.body
        if one.takes_back is not None:
            body = msgspec.structs.replace(body, corrects=given[id(one.takes_back)])
        line = encode_line(kind=one.kind, table=table, sequence=sequence, at=one.at, body=body)
        if one.delivery.is_malformed:
            line = line.replace(b'"kind":"' + one.kind.encode() + b'"', b'"kind":"rond"', 1)
        yield one, NumberedLine(sequence, one.at, line, one.delivery)


def encode_truth(timeline: TableOutput, sequences: Mapping[int, int]) -> Iterator[bytes]:
    """The truth as NDJSON. `sequences` maps the id() of a ReportedLine to its sequence number."""
    for line, planted in timeline.truth:
        if line is not None:
            planted = msgspec.structs.replace(planted, sequence=sequences[id(line)])
        yield msgspec.json.encode(planted)
