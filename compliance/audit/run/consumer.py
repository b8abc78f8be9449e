"""The audit's ledger consumer: writes the projections, extends the work list, and reopens blocks that an entry
affects."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from django.db import connection
from django.db.models import F, Q, Value
from django.db.models.functions import Concat, Left

from compliance.audit.entry_kinds import AUDIT_KINDS
from compliance.audit.models import BLOCK_ENTRIES, Block, OpenedStreak, PackedRound
from compliance.audit.projections import later_decisions
from compliance.audit.projections.rounds import (
    CONSUMER,
    ROUND_KINDS,
    corrected_index,
    revoke_round,
    store_rounds,
    stored_rounds,
)
from compliance.audit.projections.timeline_events import revoke_event, store_events
from compliance.audit.run.reaudit import AFFECTED_BY, REPORTED_FACTS, blocks_affected_by_late_entries, rounds_since
from rounds.intake import entry_kinds
from rounds.ledger import LogEntry, Reaudit, read_entries_at, readers
from rounds.ledger import entry_kinds as ledger_kinds

REASON_LENGTH = 300
DECISION_REASONS: dict[str, str] = {
    entry_kinds.VOID_SET: "determines that rounds are void.",
    entry_kinds.INVALIDATION: "invalidates the outcome of rounds.",
    entry_kinds.WAGERS_VOIDED: "declares wagers void.",
    entry_kinds.STAKES_RETURNED: "records stakes that were handed back.",
}

UPSERT_BLOCK_SQL = """
INSERT INTO audit_block (log, number, generation, known_to, audited_to, reopened_because)
VALUES (%s, %s, 1, %s, %s, '')
ON CONFLICT (log, number) DO UPDATE SET known_to = greatest(audit_block.known_to, excluded.known_to)
"""


def consume_log(log: str) -> int:
    """Consumes all new entries of the log. Returns how many."""
    total = 0
    while done := readers.consume_kinds(CONSUMER, log, handle_entries, limit=BLOCK_ENTRIES):
        total += done
    return total


def handle_entries(log: str, kinds: Sequence[tuple[int, str]]) -> int:
    """Handler of `consume_kinds`; runs in one transaction with the cursor. Handles all of them; rounds whose columns
    intake has stored are not read."""
    facts = [(index, kind) for index, kind in kinds if kind not in AUDIT_KINDS]
    # The audit's own entries create no work. They are covered together with the next other entries.
    if facts:
        _handle_facts(log, facts)
    return kinds[-1][0] + 1


def _handle_facts(log: str, facts: Sequence[tuple[int, str]]) -> None:
    first, last = facts[0][0], facts[-1][0]
    stored = stored_rounds(log, first, last)
    have_columns = {each.index for each in stored}
    needed = [index for index, kind in facts if kind not in ROUND_KINDS or index not in have_columns]
    entries = read_entries_at(log, needed) if needed else []
    rounds, events = stored + store_rounds(entries), store_events(entries)
    _reaudit_for_late_rounds(log, first, last)
    _extend_blocks(log, last + 1)
    for because, numbers in blocks_affected_by_late_entries(log, (first, last), rounds, events):
        reaudit_blocks(log, numbers, because)
    for entry in entries:
        kind = ledger_kinds.find_kind(entry.kind)
        if kind is not None and kind.reaudit is not None:
            _reaudit_affected(entry, kind.reaudit)


def _extend_blocks(log: str, known_to: int) -> None:
    """Extends the blocks up to `known_to`. Blocks cover the log from its beginning without gaps, so coverage has none
    either."""
    newest = Block.objects.filter(log=log).order_by("-number").values_list("number", flat=True).first() or 0
    with connection.cursor() as cursor:
        for number in range(newest, (known_to - 1) // BLOCK_ENTRIES + 1):
            first = number * BLOCK_ENTRIES
            cursor.execute(UPSERT_BLOCK_SQL, [log, number, min(first + BLOCK_ENTRIES, known_to), first])


# --- What reaches into the past -------------------------------------------------------------------------------------


def _reaudit_affected(entry: LogEntry, reaudit: Reaudit) -> None:
    """Reopens the blocks that the entry affects. What it takes back is selected before it is revoked."""
    numbers = AFFECTED_BY[reaudit](entry, BLOCK_ENTRIES)
    if reaudit is Reaudit.CORRECTED_ENTRY:
        _revoke_projections(entry)
    elif reaudit is Reaudit.DECIDED_ROUNDS:
        later_decisions.store_decision(entry)
    reaudit_blocks(entry.log, numbers, f"Entry {entry.index} {REASONS[reaudit](entry)}")


def _fact_reason(entry: LogEntry) -> str:
    table = entry.table if entry.kind in REPORTED_FACTS else entry.content()["table"]
    return f"says what held at {table} earlier." if table else "says when gaming days begin."


REASONS: Mapping[Reaudit, Callable[[LogEntry], str]] = {
    Reaudit.CORRECTED_ENTRY: lambda entry: f"takes entry {corrected_index(entry)} back.",
    Reaudit.DECIDED_ROUNDS: lambda entry: DECISION_REASONS[entry.kind],
    Reaudit.FACT_PERIOD: _fact_reason,
    Reaudit.RULES_PERIOD: lambda entry: "puts version {number} of {rules} in force.".format(**entry.content()),
    Reaudit.NOTIFIED_ENTRY: lambda entry: f"says who was notified by alert {entry.content()['alert']}.",
    Reaudit.DISPUTED_ROUND: lambda entry: f"pays after a dispute about entry {entry.content()['corrects']}.",
    Reaudit.ROUNDS_IN_PLAY: lambda entry: "says when a wager was refused or found outside the limits.",
    Reaudit.EXCLUDED_PERSON: lambda entry: "excludes a person from play.",
}


def _revoke_projections(entry: LogEntry) -> None:
    index = corrected_index(entry)
    if index is not None:
        revoke_round(entry, index)
        revoke_event(entry, index)
        later_decisions.revoke_decision(entry.log, index)


def _reaudit_for_late_rounds(log: str, first: int, last: int) -> None:
    """Reopens a day's later rounds where a round arrives late, because it changes the count of streaks across it."""
    new = PackedRound.objects.filter(log=log, entry_index__gte=first, entry_index__lte=last)
    for table, day in new.order_by().values_list("table", "gaming_day").distinct():
        of_day = {"log": log, "table": table, "gaming_day": day}
        if not OpenedStreak.objects.filter(**of_day, entry_index__lte=last).exists():
            continue
        known = PackedRound.objects.filter(**of_day, entry_index__lt=first)
        newest = known.order_by("-started_at").values_list("started_at", flat=True).first()
        late = new.filter(**of_day, started_at__lt=newest).order_by("started_at").first() if newest else None
        if late is not None:
            because = (
                f"Entry {late.entry_index} is a round that came late: streaks that ran across it are counted again."
            )
            later = rounds_since(late.started_at, BLOCK_ENTRIES, **of_day, entry_index__lt=first)
            reaudit_blocks(log, later, because)


def reaudit_blocks(log: str, numbers: Iterable[int], reason: str) -> None:
    """Starts a new generation of these blocks. A block already waiting for one gets a further reason; a new block needs
    none.

    Waits for workers that are auditing one of them. Otherwise a block audited for the first time still looked new here,
    and what was evaluated without the entry would stand.
    """
    blocks = Block.objects.filter(log=log, number__in=list(numbers))
    list(blocks.select_for_update(no_key=True).order_by("number").values_list("pk"))
    blocks.filter(audited_to=F("number") * BLOCK_ENTRIES).exclude(
        Q(reopened_because="") | Q(reopened_because__contains=reason)
    ).update(reopened_because=Left(Concat("reopened_because", Value(f" {reason}")), REASON_LENGTH))
    blocks.filter(audited_to__gt=F("number") * BLOCK_ENTRIES).update(
        generation=F("generation") + 1,
        audited_to=F("number") * BLOCK_ENTRIES,
        reopened_because=reason[:REASON_LENGTH],
    )
