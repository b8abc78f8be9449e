"""The rounds that a table played before another one, by when they began. Rounds from paper are recorded late, so the
order of the entries is not that of play."""

from datetime import datetime

from django.db.models import Q

from compliance.audit.models import PackedRound
from compliance.audit.projections.rounds import CONSUMER
from rounds.intake.entry_kinds import ROUND
from rounds.intake.round_records import read_round_line
from rounds.ledger import EntryQuery, LogEntry, position_of, read_entries_at, search_entries


def rounds_before(log: str, table: str, began: tuple[datetime, int], count: int) -> list[LogEntry]:
    """The last rounds of a table that began before an instant, or at it with an earlier entry; the newest first. Also
    those that the audit has not read yet. Rows without an entry are left to the verification of the ledger."""
    earlier = Q(started_at__lt=began[0]) | Q(started_at=began[0], entry_index__lt=began[1])
    rows = PackedRound.objects.filter(earlier, log=log, table=table, taken_back_index=None)
    found = set(rows.order_by("-started_at", "-entry_index").values_list("started_at", "entry_index")[:count])
    query, position = EntryQuery(table=table, kind=ROUND), position_of(CONSUMER, log)
    recorded_before = search_entries(log, query, before=began[1], limit=count).entries
    for entry in [*recorded_before, *search_entries(log, query, limit=count).entries]:
        line = read_round_line(entry) if entry.index >= position else None
        if line is not None:
            found.add((min(event.at for event in line.body.events), entry.index))
    newest = sorted((each for each in found if each < began), reverse=True)[:count]
    entries = {entry.index: entry for entry in read_entries_at(log, [index for _, index in newest])}
    return [entries[index] for _, index in newest if index in entries]
