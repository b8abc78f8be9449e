"""Making the columns of a log, and the sums of what was played, again from its entries."""

from django.db import transaction

from compliance.accounts.models import Casino
from compliance.audit import determinations
from compliance.audit.columns import read_columns
from compliance.audit.models import Block, OpenedStreak, PackedRound, VoidedRound
from compliance.audit.packed import CONSUMER, CORRECTIONS, KINDS, corrected_by, pack_entries, take_back
from compliance.audit.summing import sum_play, write_played
from rounds.ledger.following import followed_up_to, read_entries

REPACKED_AT_ONCE = 2000
READ = KINDS | CORRECTIONS | determinations.KINDS


def repack(log: str) -> int:
    """As far as the log has been followed, with what was determined about its rounds later; how many there are."""
    for model in (PackedRound, OpenedStreak, VoidedRound):
        model._default_manager.filter(log=log).delete()
    end, made = followed_up_to(CONSUMER, log), 0
    for first in range(0, end, REPACKED_AT_ONCE):
        entries = read_entries(log, first, min(end, first + REPACKED_AT_ONCE), READ)
        made += len(pack_entries(entries))
        for entry in entries:
            corrected = corrected_by(entry)
            if corrected is not None:
                take_back(entry, corrected)
        determinations.determine_again(log, entries)
    return made


def sum_again(log: str) -> int:
    """Block by block, as far as each was audited; how many rounds there are."""
    casino = Casino.objects.get(slug=log)
    return sum(_sum(casino, block) for block in list(Block.objects.filter(log=log).values_list("pk", flat=True)))


@transaction.atomic
def _sum(casino: Casino, block_id: int) -> int:
    """Locked, so that no worker audits the block meanwhile."""
    block = Block.objects.select_for_update(no_key=True).get(pk=block_id)
    if block.audited_to == block.first:
        return 0
    columns = read_columns(casino, block.first, block.audited_to)
    [played] = sum_play(columns, [block.first])
    write_played(casino.slug, block.first, block.audited_to, played)
    return len(columns.indexes)
