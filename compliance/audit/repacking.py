"""Making the columns of a log again from its entries, with what was determined about its rounds later."""

from compliance.audit import determinations
from compliance.audit.models import OpenedStreak, PackedRound, VoidedRound
from compliance.audit.packed import CONSUMER, CORRECTIONS, KINDS, corrected_by, pack_entries, take_back
from rounds.ledger.following import followed_up_to, read_entries

REPACKED_AT_ONCE = 2000
READ = KINDS | CORRECTIONS | determinations.KINDS


def repack(log: str) -> int:
    """As far as the log has been followed; how many rounds there are."""
    for model in (PackedRound, OpenedStreak, VoidedRound):
        model._default_manager.filter(log=log).delete()
    end, made = followed_up_to(CONSUMER, log), 0
    for first in range(0, end, REPACKED_AT_ONCE):
        entries = read_entries(log, first, min(end, first + REPACKED_AT_ONCE), READ)
        made += pack_entries(entries)
        for entry in entries:
            corrected = corrected_by(entry)
            if corrected is not None:
                take_back(entry, corrected)
        determinations.determine_again(log, entries)
    return made
