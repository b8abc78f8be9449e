"""Faults of the log itself: what was not signed in its time, and a checkpoint that the log does not fit."""

from __future__ import annotations

from datetime import datetime
from hashlib import sha256

from compliance.accounts.roles import Role
from compliance.disputes.services import log_dispute, withdraw_dispute
from compliance.disputes.subjects import Subject
from rounds.ledger.checkpoints import signer
from rounds.ledger.merkle import TreeHead
from rounds.ledger.notes import sign_checkpoint
from rounds.ledger.searching import size_of
from rounds.ledger.verification import verify_log
from rounds.ledger.verified import record_verification
from rounds.simulator.people.records import Records, records

OPERATOR = (Role.GAMES_SUPERVISOR, Role.CASINO_SUPERVISOR, Role.SHIFT_MANAGER, Role.COMPLIANCE_OFFICER)


@records("CHECKPOINT-LATE", of_the_casino=True)
def leave_unsigned(house: Records) -> None:
    """What people recorded hours or days ago has not been signed to this day. It goes with every fault of people."""
    subject = house.next_round()
    assert subject.read is not None
    entry = _dispute_for_a_minute(house, subject, subject.read.at)
    # What is recorded now shows that the time is over.
    _dispute_for_a_minute(house, subject, house.now)
    says = "What was recorded hours ago was not signed in its time."
    house.plant("CHECKPOINT-LATE", entry, says, at=subject.read.at)


def _dispute_for_a_minute(house: Records, subject: Subject, at: datetime) -> int:
    by = house.who(*OPERATOR)
    dispute = log_dispute(
        subject=subject, wagers=[], grounds="other", statement="I lost count of my chips.", present=["dealer"],
        actor=by, now=at,
    )  # fmt: skip
    withdraw_dispute(dispute=dispute, reason="They were found.", actor=by, now=at)
    return dispute.entry_index


@records("LEDGER-BROKEN", of_the_casino=True)
def show_another_checkpoint(house: Records) -> None:
    """Somebody brings a checkpoint, signed with the log's own key, which the log does not fit.

    The service's health says so until the log is verified once more."""
    log = house.casino.slug
    other = TreeHead(size_of(log), sha256(b"another log").digest())
    forged = sign_checkpoint(other, signer(log))
    broken = verify_log(log, begin=house.signed, seen=[("a checkpoint that somebody kept", forged)])
    receipt = record_verification(verdict=broken, now=house.now)
    says = "A checkpoint was brought that was signed for other entries than these."
    house.plant("LEDGER-BROKEN", receipt.index, says, at=house.now)
