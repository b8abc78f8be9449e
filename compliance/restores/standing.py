"""What is known of a log after a restore: where it ends here, what was signed outside, what controllers still hold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from compliance.restores.selectors import RestoredLog
from compliance.witnesses.models import Cosignature
from rounds.intake.selectors import feeds_at
from rounds.ledger.errors import LedgerError
from rounds.ledger.halting import REASONS, Known, known_outside, state_of
from rounds.ledger.keeping import kept_file
from rounds.ledger.models import Halt
from rounds.ledger.numbered import missing_numbers
from rounds.ledger.read_only import halt_of
from rounds.ledger.searching import entry_at, size_of

MOST_GAPS = 20


@dataclass(frozen=True)
class LogStanding:
    """`known` is the newest checkpoint outside the database; `cosigned` the largest size a witness cosigned here."""

    log: RestoredLog
    halt: Halt | None
    size: int
    last_recorded_at: datetime | None
    known: Known | None
    known_at: datetime | None
    reason: str
    cosigned: int

    @property
    def missing(self) -> tuple[int, int] | None:
        """The first and the last entry that the checkpoint outside covers and the log does not have."""
        if self.known is None or self.known.head.size <= self.size:
            return None
        return self.size, self.known.head.size - 1

    @property
    def words(self) -> str:
        return REASONS[self.reason]


def standing_of(log: RestoredLog) -> LogStanding:
    size = size_of(log.slug)
    last = entry_at(log.slug, size - 1) if size else None
    halt = halt_of(log.slug)
    try:
        known = known_outside(log.slug)
        reason = state_of(log.slug, known)
    except LedgerError:
        # Without the key nothing that was signed can be read.
        known, reason = None, halt.reason if halt else "restored"
    cosigned = Cosignature.objects.filter(witness__casino=log.casino).order_by("-size") if log.casino else None
    return LogStanding(
        log=log, halt=halt, size=size, last_recorded_at=last.recorded_at if last else None, known=known,
        known_at=_kept_at(log.slug) if known and known.is_kept else None, reason=reason,
        cosigned=(cosigned.values_list("size", flat=True).first() or 0) if cosigned is not None else 0,
    )  # fmt: skip


def _kept_at(log: str) -> datetime:
    return datetime.fromtimestamp(kept_file(log).stat().st_mtime, UTC)


@dataclass(frozen=True)
class Missing:
    """What the feed of one controller for one table lacks: numbers that it gave out and the log does not have."""

    table: str
    controller: str
    last_here: int
    announced: int
    numbers: str
    heard_at: datetime


def missing_lines(log: RestoredLog) -> list[Missing]:
    return list(_missing(log)) if log.casino else []


def _missing(log: RestoredLog) -> Iterator[Missing]:
    assert log.casino
    for feed in feeds_at(log.casino):
        gaps = missing_numbers(log.slug, feed.table, feed.controller.slug, MOST_GAPS)
        if feed.announced_sequence > feed.last_sequence:
            gaps.append((feed.last_sequence + 1, feed.announced_sequence))
        if gaps:
            yield Missing(
                feed.table, feed.controller.name, feed.last_sequence, feed.announced_sequence,
                ", ".join(f"{first:,}" if first == last else f"{first:,} to {last:,}" for first, last in gaps),
                feed.last_seen_at,
            )  # fmt: skip
