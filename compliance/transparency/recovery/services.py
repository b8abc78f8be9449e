"""Services: begin an epoch by stating what was lost, and submit a checkpoint that somebody kept."""

from datetime import datetime

from django.db import transaction

from compliance.core.accounts.models import User
from compliance.transparency.recovery.errors import (
    CheckpointOfOtherLog,
    EpochAlreadyBegun,
    NotAllowedToBeginEpoch,
    OriginNotWritten,
    SecondFactorRequired,
)
from compliance.transparency.recovery.models import EpochBegun
from compliance.transparency.recovery.selectors import RestoredLog, may_begin_epoch
from rounds.ledger import entry_kinds as ledger_kinds
from rounds.ledger import maintenance, make_entry, signing
from rounds.transparency_log import errors
from rounds.transparency_log.errors import LedgerError


def begin_epoch(*, log: RestoredLog, lost: str, why: str, evidence: str, actor: User, now: datetime) -> EpochBegun:
    """Append the statement of what was lost; the log then continues under a new origin.

    Of two callers the first wins.
    """
    if not may_begin_epoch(actor, log):
        raise NotAllowedToBeginEpoch
    if not actor.has_second_factor:
        raise SecondFactorRequired
    with signing.hold_signing_lock(log.slug):
        try:
            begun, beginning = _append_epoch_row(log, lost, why, evidence, actor, now)
            maintenance.switch_origin(beginning, now)
        except maintenance.LogNotHalted as error:
            raise EpochAlreadyBegun from error
        except LedgerError as error:
            raise OriginNotWritten(error.sentence) from error
        except OSError as error:
            raise OriginNotWritten(f"{error.strerror}: {error.filename}") from error
    return begun


@transaction.atomic
def _append_epoch_row(
    log: RestoredLog, lost: str, why: str, evidence: str, actor: User, now: datetime
) -> tuple[EpochBegun, maintenance.NewEpoch]:
    beginning = maintenance.prepare_epoch(log.slug, now)
    halt, head, known = beginning.halt, beginning.head, beginning.known
    begun = EpochBegun(
        number=halt.epoch,
        size=head.size,
        root=head.root.hex(),
        origin=beginning.origin,
        reason=maintenance.compare_with_outside(log.slug, known),
        halted_at=halt.halted_at,
        outside_size=known.head.size if known else None,
        outside_note=known.note.decode() if known else "",
        lost=lost,
        why=why,
        evidence=evidence,
        by=actor,
        by_name=actor.name,
        at=now,
    )
    receipt = maintenance.append_epoch_entry(beginning, make_entry(ledger_kinds.EPOCH, begun.entry_body()), now)
    begun.log, begun.entry_index = receipt.log, receipt.index
    begun.save(force_insert=True)
    return begun, beginning


def submit_checkpoint(*, log: RestoredLog, checkpoint: str, now: datetime) -> maintenance.OutsideCheckpoint:
    """Submit a checkpoint that somebody kept. If the log does not extend it, the log becomes read-only."""
    note = checkpoint.replace("\r\n", "\n").strip().encode() + b"\n"
    try:
        return maintenance.submit_outside_checkpoint(log=log.slug, note=note, now=now)
    except errors.NoteError as error:
        if error.code == "retired-key":
            raise CheckpointOfOtherLog(
                "The log signed it in an epoch that is over, or with a key that was retired before. What was lost then "
                "stands in the entry with which the next epoch began."
            ) from error
        raise CheckpointOfOtherLog(error.sentence) from error
    except LedgerError as error:
        raise CheckpointOfOtherLog(error.sentence) from error
