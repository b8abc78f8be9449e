"""State of a log after a restore: where it ends, what was signed outside, which lines controllers still have."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from compliance.transparency.recovery.selectors import RestoredLog
from compliance.transparency.witness_registry.models import Cosignature
from rounds.intake.selectors import casino_feeds
from rounds.ledger import entry_at, maintenance, models, read_only, readers, signing, size_of
from rounds.transparency_log.errors import LedgerError

MAX_GAPS = 20


@dataclass(frozen=True)
class LogState:
    """`known` is the newest checkpoint outside the database; `cosigned` the largest size a witness cosigned in it."""

    log: RestoredLog
    halt: models.Halt | None
    size: int
    last_recorded_at: datetime | None
    known: maintenance.OutsideCheckpoint | None
    known_at: datetime | None
    reason: str
    cosigned: int

    @property
    def missing(self) -> tuple[int, int] | None:
        """First and last entry that the checkpoint outside covers and the log lacks; None if there are none."""
        if self.known is None or self.known.head.size <= self.size:
            return None
        return self.size, self.known.head.size - 1

    @property
    def words(self) -> str:
        return maintenance.HALT_REASONS[self.reason]


def load_log_state(log: RestoredLog) -> LogState:
    size = size_of(log.slug)
    last = entry_at(log.slug, size - 1) if size else None
    halt = read_only.open_halt_of(log.slug)
    try:
        known = maintenance.newest_outside_checkpoint(log.slug)
        reason = maintenance.compare_with_outside(log.slug, known)
    except LedgerError:
        # Without the key no checkpoint can be verified.
        known, reason = None, halt.reason if halt else "restored"
    cosigned = Cosignature.objects.filter(witness__casino=log.casino).order_by("-size") if log.casino else None
    return LogState(
        log=log,
        halt=halt,
        size=size,
        last_recorded_at=last.recorded_at if last else None,
        known=known,
        known_at=_checkpoint_file_time(log.slug) if known and known.is_kept else None,
        reason=reason,
        cosigned=(cosigned.values_list("size", flat=True).first() or 0) if cosigned is not None else 0,
    )


def _checkpoint_file_time(log: str) -> datetime:
    return datetime.fromtimestamp(signing.checkpoint_file_path(log).stat().st_mtime, UTC)


@dataclass(frozen=True)
class MissingLines:
    """Sequence numbers that a controller has assigned for one table and the log lacks."""

    table: str
    controller: str
    last_here: int
    announced: int
    numbers: str
    heard_at: datetime


def missing_lines(log: RestoredLog) -> list[MissingLines]:
    return list(_iterate_missing_lines(log)) if log.casino else []


def _iterate_missing_lines(log: RestoredLog) -> Iterator[MissingLines]:
    assert log.casino
    for feed in casino_feeds(log.casino):
        gaps = readers.missing_sequences(log.slug, feed.table, feed.controller.slug, MAX_GAPS)
        if feed.announced_sequence > feed.last_sequence:
            gaps.append((feed.last_sequence + 1, feed.announced_sequence))
        if gaps:
            yield MissingLines(
                feed.table,
                feed.controller.name,
                feed.last_sequence,
                feed.announced_sequence,
                ", ".join(f"{first:,}" if first == last else f"{first:,} to {last:,}" for first, last in gaps),
                feed.last_seen_at,
            )
