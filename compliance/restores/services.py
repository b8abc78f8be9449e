"""Saying what was lost, and handing in what somebody kept."""

from datetime import datetime

from django.db import transaction

from compliance.accounts.models import User
from compliance.restores.errors import BegunAlready, CannotName, NoSecondFactor, NotItsCheckpoint, NotYours
from compliance.restores.models import EpochBegun
from compliance.restores.selectors import RestoredLog, may_begin
from rounds.ledger.appending import record
from rounds.ledger.epochs import Beginning, NotHalted, append_epoch, nobody_signs, prepare_epoch, take_name
from rounds.ledger.errors import LedgerError, NoteError
from rounds.ledger.halting import Known, hand_in_checkpoint, state_of
from rounds.ledger.kinds import EPOCH


def begin_epoch(*, log: RestoredLog, lost: str, why: str, evidence: str, actor: User, now: datetime) -> EpochBegun:
    """The entry that says what was lost, and with it the log goes on, under a new name. Of two people, the first."""
    if not may_begin(actor, log):
        raise NotYours
    if not actor.has_second_factor:
        raise NoSecondFactor
    with nobody_signs(log.slug):
        try:
            begun, beginning = _record(log, lost, why, evidence, actor, now)
            take_name(beginning, now)
        except NotHalted as error:
            raise BegunAlready from error
        except LedgerError as error:
            raise CannotName(error.sentence) from error
        except OSError as error:
            raise CannotName(f"{error.strerror}: {error.filename}") from error
    return begun


@transaction.atomic
def _record(
    log: RestoredLog, lost: str, why: str, evidence: str, actor: User, now: datetime
) -> tuple[EpochBegun, Beginning]:
    beginning = prepare_epoch(log.slug, now)
    halt, head, known = beginning.halt, beginning.head, beginning.known
    begun = EpochBegun(
        number=halt.epoch, size=head.size, root=head.root.hex(), origin=beginning.origin,
        reason=state_of(log.slug, known), halted_at=halt.halted_at,
        outside_size=known.head.size if known else None, outside_note=known.note.decode() if known else "",
        lost=lost, why=why, evidence=evidence, by=actor, by_name=actor.name, at=now,
    )  # fmt: skip
    receipt = append_epoch(beginning, record(EPOCH.name, begun.as_record()), now)
    begun.log, begun.entry_index = receipt.log, receipt.index
    begun.save(force_insert=True)
    return begun, beginning


def hand_in(*, log: RestoredLog, checkpoint: str, now: datetime) -> Known:
    """A checkpoint that somebody kept. One that the log does not live up to makes it read-only."""
    note = checkpoint.replace("\r\n", "\n").strip().encode() + b"\n"
    try:
        return hand_in_checkpoint(log=log.slug, note=note, now=now)
    except NoteError as error:
        if error.code == "retired-key":
            raise NotItsCheckpoint(
                "The log signed it in an epoch that is over, or with a key that was retired before. What was lost then "
                "stands in the entry with which the next epoch began."
            ) from error
        raise NotItsCheckpoint(error.sentence) from error
    except LedgerError as error:
        raise NotItsCheckpoint(error.sentence) from error
