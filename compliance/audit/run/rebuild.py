"""Rebuilds a log's projections from its entries, and the totals from the projections."""

from django.db import transaction

from compliance.audit.context.round_columns import read_columns
from compliance.audit.models import Block, OpenedStreak, PackedRound, VoidedRound
from compliance.audit.projections import later_decisions
from compliance.audit.projections.rounds import (
    CONSUMER,
    CORRECTION_KINDS,
    ROUND_KINDS,
    corrected_index,
    revoke_round,
    store_rounds,
)
from compliance.audit.totals.play_totals import replace_totals, total_play
from compliance.core.accounts.models import Casino
from rounds.intake.round_records import DECISION_KINDS
from rounds.ledger import position_of, read_entries

REBUILD_BATCH_SIZE = 2000
READ_KINDS = ROUND_KINDS | CORRECTION_KINDS | DECISION_KINDS


def rebuild_rounds(log: str) -> int:
    """Rebuilds rounds and later decisions up to the consumer's position. Returns the number of rounds."""
    for model in (PackedRound, OpenedStreak, VoidedRound):
        model._default_manager.filter(log=log).delete()
    end, made = position_of(CONSUMER, log), 0
    for first in range(0, end, REBUILD_BATCH_SIZE):
        entries = read_entries(log, first, min(end, first + REBUILD_BATCH_SIZE), READ_KINDS)
        made += len(store_rounds(entries))
        for entry in entries:
            corrected = corrected_index(entry)
            if corrected is not None:
                revoke_round(entry, corrected)
        later_decisions.rebuild_decisions(log, entries)
    return made


def rebuild_totals(log: str) -> int:
    """Rebuilds the totals block by block, as far as each was audited. Returns the number of rounds."""
    casino = Casino.objects.get(slug=log)
    return sum(
        _rebuild_block_totals(casino, block)
        for block in list(Block.objects.filter(log=log).values_list("pk", flat=True))
    )


@transaction.atomic
def _rebuild_block_totals(casino: Casino, block_id: int) -> int:
    """Locks the block's row, so that no worker audits it meanwhile."""
    block = Block.objects.select_for_update(no_key=True).get(pk=block_id)
    if block.audited_to == block.first:
        return 0
    columns = read_columns(casino, block.first, block.audited_to)
    [played] = total_play(columns, [block.first])
    replace_totals(casino.slug, block.first, block.audited_to, played)
    return len(columns.indexes)
