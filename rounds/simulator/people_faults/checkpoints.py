"""Injectors for the log itself: entries not signed in time, and a checkpoint that conflicts with the log."""

from __future__ import annotations

from datetime import datetime
from hashlib import sha256

from compliance.core.accounts.roles import Role
from compliance.disputes.services import log_dispute, withdraw_dispute
from compliance.disputes.subject.disputed_entry import DisputedEntry
from rounds.ledger import signing, size_of, verify, verify_log
from rounds.simulator.people_faults.record_injector import CasinoRecords, register_record_injector
from rounds.transparency_log import formats, tree

OPERATOR_ROLES = (Role.GAMES_SUPERVISOR, Role.CASINO_SUPERVISOR, Role.SHIFT_MANAGER, Role.COMPLIANCE_OFFICER)


@register_record_injector("CHECKPOINT-LATE", of_the_casino=True)
def leave_entries_unsigned(house: CasinoRecords) -> None:
    """What people recorded hours or days ago has not been signed to this day. It goes with every fault of people."""
    subject = house.next_undisputed_round()
    assert subject.read is not None
    entry = _log_and_withdraw_dispute(house, subject, subject.read.at)
    # A second entry now, since only a later entry shows that the time is over.
    _log_and_withdraw_dispute(house, subject, house.now)
    says = "What was recorded hours ago was not signed in its time."
    house.record_fault(entry, says, at=subject.read.at)


def _log_and_withdraw_dispute(house: CasinoRecords, subject: DisputedEntry, at: datetime) -> int:
    by = house.person_in_role(*OPERATOR_ROLES)
    dispute = log_dispute(
        subject=subject,
        wagers=[],
        grounds="other",
        statement="I lost count of my chips.",
        present=["dealer"],
        actor=by,
        now=at,
    )
    withdraw_dispute(dispute=dispute, reason="They were found.", actor=by, now=at)
    return dispute.entry_index


@register_record_injector("LEDGER-BROKEN", of_the_casino=True)
def present_conflicting_checkpoint(house: CasinoRecords) -> None:
    """Somebody brings a checkpoint, signed with the log's own key, which the log does not fit.

    The service's health says so until the log is verified once more."""
    log = house.casino.slug
    other = tree.TreeHead(size_of(log), sha256(b"another log").digest())
    forged = formats.sign_checkpoint(other, signing.signing_key_for(log))
    broken = verify_log(log, begin=house.signed, known_checkpoints=[("a checkpoint that somebody kept", forged)])
    receipt = verify.record_verification(verdict=broken, now=house.now)
    says = "A checkpoint was brought that was signed for other entries than these."
    house.record_fault(receipt.index, says, at=house.now)
