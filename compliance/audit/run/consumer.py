"""The audit's ledger consumer: writes the projections, extends the work list, and reopens blocks that an entry
affects."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec
from django.db import connection
from django.db.models import F, Q, Value
from django.db.models.functions import Concat, Left

from compliance.audit.checks.feed_facts import ONE_DAY
from compliance.audit.context.rules_in_force import GAMING_DAY
from compliance.audit.entry_kinds import AUDIT_KINDS
from compliance.audit.models import BLOCK_ENTRIES, Block, OpenedStreak, PackedRound
from compliance.audit.projections import later_decisions
from compliance.audit.projections.rounds import CONSUMER, corrected_index, revoke_round, store_rounds
from compliance.audit.projections.timeline_events import revoke_event, store_events
from compliance.audit.run.evaluate_timeline import CHECKED_ENTRY_KINDS
from compliance.audit.run.reaudit import (
    blocks_affected_by_event,
    blocks_affected_by_late_entries,
    blocks_affected_by_round,
    blocks_of_same_file,
)
from compliance.notify.alerts.models import AlertStep
from compliance.notify.alerts.response_time import IMMEDIATE_LIMIT
from compliance.tables.player_conduct.entry_kinds import EXCLUSION
from rounds.floor.fact_catalogue import NAME_BY_VALUE_TYPE
from rounds.floor.fact_values import TableRulesValue
from rounds.floor.models import Fact, Table
from rounds.intake import entry_kinds, round_records
from rounds.ledger import LogEntry, Reaudit, consume_all, read_entries_at
from rounds.ledger import entry_kinds as ledger_kinds
from rounds.rulebook.models import RuleVersion

REPORTED_FACTS: dict[str, str] = {entry_kinds.LIMITS_CHANGED: "limits", entry_kinds.POSTED_ODDS_SHOWN: "posted-odds"}
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
AFFECTED_BLOCKS_SQL = """
SELECT entry_index / %(block)s FROM audit_packedround
WHERE log = %(log)s AND "table" = ANY (%(tables)s) AND ended_at >= %(from_at)s AND entry_index < %(before)s
    AND (%(until)s::timestamptz IS NULL OR started_at < %(until)s)
UNION SELECT entry_index / %(block)s FROM audit_happening
WHERE log = %(log)s AND "table" = ANY (%(tables)s) AND at >= %(from_at)s AND kind = ANY (%(kinds)s)
    AND entry_index < %(before)s AND (%(until)s::timestamptz IS NULL OR at <= %(until)s)
"""


def consume_log(log: str) -> int:
    """Consumes all new entries of the log. Returns how many."""
    return consume_all(CONSUMER, [log], handle_entries, limit=BLOCK_ENTRIES)


def handle_entries(entries: Sequence[LogEntry]) -> None:
    """Handler of `consume_all`; runs in one transaction with the cursor."""
    facts = [entry for entry in entries if entry.kind not in AUDIT_KINDS]
    if not facts:
        # The audit's own entries create no work. They are covered together with the next other entries.
        return
    rounds, events = store_rounds(facts), store_events(facts)
    _reaudit_for_late_rounds(facts)
    _extend_blocks(facts[0].log, facts[-1].index + 1)
    for because, numbers in blocks_affected_by_late_entries(facts, rounds, events):
        reaudit_blocks(facts[0].log, numbers, because)
    for entry in facts:
        kind = ledger_kinds.find_kind(entry.kind)
        if kind is not None and kind.reaudit is not None:
            REAUDIT_TRIGGERS[kind.reaudit](entry)


def _extend_blocks(log: str, known_to: int) -> None:
    """Extends the blocks up to `known_to`. Blocks cover the log from its beginning without gaps, so coverage has none
    either."""
    newest = Block.objects.filter(log=log).order_by("-number").values_list("number", flat=True).first() or 0
    with connection.cursor() as cursor:
        for number in range(newest, (known_to - 1) // BLOCK_ENTRIES + 1):
            first = number * BLOCK_ENTRIES
            cursor.execute(UPSERT_BLOCK_SQL, [log, number, min(first + BLOCK_ENTRIES, known_to), first])


# --- What reaches into the past -------------------------------------------------------------------------------------


def after_correction(entry: LogEntry) -> None:
    """Reopens the blocks of a round, event, decision or fact that was taken back, and of everything that was checked by
    it."""
    index = corrected_index(entry)
    if index is None:
        return
    because = f"Entry {entry.index} takes entry {index} back."
    if revoke_round(entry, index):
        affected = blocks_affected_by_round(entry.log, index)
        reaudit_blocks(
            entry.log, [index // BLOCK_ENTRIES, *_blocks_with_later_streaks(entry.log, index), *affected], because
        )
    event = revoke_event(entry, index)
    if event is not None:
        reaudit_blocks(entry.log, [index // BLOCK_ENTRIES, *blocks_affected_by_event(event)], because)
        if event.kind == EXCLUSION:
            # Placed in the timeline by when it was recorded, but it counts from when it took effect.
            [exclusion] = read_entries_at(entry.log, [index])
            _reaudit_for_exclusion(entry, exclusion, because)
        reaudit_blocks(entry.log, blocks_of_same_file(event), because)
    reaudit_blocks(entry.log, _block_numbers(later_decisions.revoke_decision(entry.log, index)), because)
    for fact in Fact.objects.filter(log=entry.log, entry_index=index).select_related("table"):
        _reaudit_for_fact(entry, fact.table.slug if fact.table else None, fact.name, fact.effective_at)


def _blocks_with_later_streaks(log: str, index: int) -> set[int]:
    """Blocks of the same day's later rounds, if streaks were running that counted this round."""
    row = PackedRound.objects.get(log=log, entry_index=index)
    day = {"log": log, "table": row.table, "gaming_day": row.gaming_day}
    return _blocks_of_rounds_since(row.started_at, **day) if OpenedStreak.objects.filter(**day).exists() else set()


def _blocks_of_rounds_since(started_at: datetime, **day: Any) -> set[int]:
    later = PackedRound.objects.filter(**day, started_at__gte=started_at)
    return _block_numbers(later.values_list("entry_index", flat=True))


def _reaudit_for_late_rounds(entries: Sequence[LogEntry]) -> None:
    """Reopens a day's later rounds where a round arrives late, because it changes the count of streaks across it."""
    log, first = entries[0].log, entries[0].index
    new = PackedRound.objects.filter(log=log, entry_index__gte=first, entry_index__lte=entries[-1].index)
    for table, day in new.order_by().values_list("table", "gaming_day").distinct():
        of_day = {"log": log, "table": table, "gaming_day": day}
        if not OpenedStreak.objects.filter(**of_day, entry_index__lte=entries[-1].index).exists():
            continue
        known = PackedRound.objects.filter(**of_day, entry_index__lt=first)
        newest = known.order_by("-started_at").values_list("started_at", flat=True).first()
        late = new.filter(**of_day, started_at__lt=newest).order_by("started_at").first() if newest else None
        if late is not None:
            because = (
                f"Entry {late.entry_index} is a round that came late: streaks that ran across it are counted anew."
            )
            reaudit_blocks(log, _blocks_of_rounds_since(late.started_at, **of_day, entry_index__lt=first), because)


def after_later_decision(entry: LogEntry) -> None:
    """Reopens the rounds that a later decision is about, and for an invalidated outcome the rounds with streaks after
    it."""
    rows = later_decisions.store_decision(entry)
    numbers = _block_numbers(row.entry_index for row in rows)
    for row in rows:
        if row.reason == round_records.INVALIDATED:
            numbers |= _blocks_with_later_streaks(entry.log, row.entry_index)
    reaudit_blocks(entry.log, numbers, f"Entry {entry.index} {DECISION_REASONS[entry.kind]}")


def _block_numbers(indexes: Iterable[int]) -> set[int]:
    return {index // BLOCK_ENTRIES for index in indexes}


def after_fact(entry: LogEntry) -> None:
    content = entry.content()
    if entry.kind in REPORTED_FACTS:
        _reaudit_for_fact(entry, entry.table, REPORTED_FACTS[entry.kind], _parse_instant(content["at"]))
    else:
        _reaudit_for_fact(entry, content["table"], content["name"], _parse_instant(content["effective_at"]))


def _reaudit_for_fact(entry: LogEntry, table: str | None, name: str, from_at: datetime) -> None:
    """Reopens the period from when the fact holds to the next fact of its name. Of the casino's own facts, only the
    beginning of its gaming days is checked, at all its tables."""
    later = Fact.objects.filter(casino__slug=entry.log, table__slug=table, name=name, effective_at__gt=from_at)
    until = later.not_retracted().order_by("effective_at").values_list("effective_at", flat=True).first()
    if table is not None:
        reaudit_between(entry, [table], from_at, until, f"Entry {entry.index} says what held at {table} earlier.")
    elif name == GAMING_DAY:
        tables = Table.objects.filter(casino__slug=entry.log).values_list("slug", flat=True)
        # Rounds are checked by the cut-overs of the day before them too.
        until = until and until + ONE_DAY
        reaudit_between(entry, list(tables), from_at, until, f"Entry {entry.index} says when gaming days begin.")


def after_rule_version(entry: LogEntry) -> None:
    content = entry.content()
    from_at = _parse_instant(content["effective_at"])
    later = RuleVersion.objects.approved().filter(
        casino__slug=entry.log, rules=content["rules"], effective_at__gt=from_at
    )
    until = later.order_by("effective_at").values_list("effective_at", flat=True).first()
    played = Fact.objects.filter(
        casino__slug=entry.log, name=NAME_BY_VALUE_TYPE[TableRulesValue], value__rules=content["rules"]
    )
    tables = sorted({slug for slug in played.values_list("table__slug", flat=True) if slug})
    why = f"Entry {entry.index} puts version {content['number']} of {content['rules']} in force."
    reaudit_between(entry, tables, from_at, until, why)


def after_notification(entry: LogEntry) -> None:
    """Reopens the entry an alert is about, which is checked by who was notified, and the rounds until the
    notification."""
    step = AlertStep.objects.filter(log=entry.log, entry_index=entry.index).select_related("alert").first()
    about = step.alert.about_index if step else None
    if step is None or about is None:
        return
    because = f"Entry {entry.index} says whether somebody was told of {about}."
    reaudit_blocks(entry.log, [about // BLOCK_ENTRIES], because)
    alert = step.alert
    if alert.table and step.at <= alert.fact_at + IMMEDIATE_LIMIT:
        # A later notification does not count, so the rounds in between need not be audited again.
        reaudit_between(entry, [alert.table], alert.fact_at, step.at, because)


def after_dispute_payment(entry: LogEntry) -> None:
    """Reopens the round of a dispute, because the payment changes what was returned for it."""
    index = entry.content()["corrects"]
    reaudit_blocks(
        entry.log, [index // BLOCK_ENTRIES], f"Entry {entry.index} pays after a dispute about entry {index}."
    )


def after_wager_refusal(entry: LogEntry) -> None:
    """Reopens the rounds that were on when a wager was refused or found outside the limits. How it must be settled
    depends on that."""
    body = entry.content()
    if body["wagers"]:
        at = _parse_instant(body["at"])
        rounds = PackedRound.objects.filter(log=entry.log, table=entry.table or "", entry_index__lt=entry.index)
        on_then = rounds.filter(started_at__lte=at, ended_at__gte=at)
        because = f"Entry {entry.index} says when a wager was refused or found outside the limits."
        reaudit_blocks(entry.log, _block_numbers(on_then.values_list("entry_index", flat=True)), because)


def after_exclusion(entry: LogEntry) -> None:
    """Reopens the rounds of the table since a person was excluded, as far as a mark can mean that person."""
    _reaudit_for_exclusion(entry, entry, f"Entry {entry.index} excludes a person from play.")


def _reaudit_for_exclusion(entry: LogEntry, exclusion: LogEntry, because: str) -> None:
    excluded_at = _parse_instant(exclusion.content()["at"])
    until = excluded_at + round_records.LOOK_BACK
    reaudit_between(entry, [exclusion.table or ""], excluded_at, until, because)


REAUDIT_TRIGGERS: Mapping[Reaudit, Callable[[LogEntry], None]] = {
    Reaudit.CORRECTED_ENTRY: after_correction,
    Reaudit.DECIDED_ROUNDS: after_later_decision,
    Reaudit.FACT_PERIOD: after_fact,
    Reaudit.RULES_PERIOD: after_rule_version,
    Reaudit.NOTIFIED_ENTRY: after_notification,
    Reaudit.DISPUTED_ROUND: after_dispute_payment,
    Reaudit.ROUNDS_IN_PLAY: after_wager_refusal,
    Reaudit.EXCLUDED_PERSON: after_exclusion,
}


def _parse_instant(text: Any) -> datetime:
    return msgspec.convert(text, datetime)


def reaudit_between(
    entry: LogEntry, tables: Sequence[str], from_at: datetime, until: datetime | None, reason: str
) -> None:
    """Reopens the blocks with rounds or checked events at these tables in that period.

    Only entries recorded before `entry` were evaluated without it. Events exactly at `until` are included, unlike
    rounds: they are checked by what was in force just before.
    """
    span: dict[str, Any] = {
        "block": BLOCK_ENTRIES,
        "log": entry.log,
        "before": entry.index,
        "tables": list(tables),
        "from_at": from_at,
        "until": until,
    }
    with connection.cursor() as cursor:
        cursor.execute(AFFECTED_BLOCKS_SQL, {**span, "kinds": sorted(CHECKED_ENTRY_KINDS)})
        numbers = [number for (number,) in cursor.fetchall()]
    reaudit_blocks(entry.log, numbers, reason)


def reaudit_blocks(log: str, numbers: Iterable[int], reason: str) -> None:
    """Starts a new generation of these blocks. A block already waiting for one gets a further reason; a new block needs
    none."""
    blocks = Block.objects.filter(log=log, number__in=list(numbers))
    blocks.filter(audited_to=F("number") * BLOCK_ENTRIES).exclude(
        Q(reopened_because="") | Q(reopened_because__contains=reason)
    ).update(reopened_because=Left(Concat("reopened_because", Value(f" {reason}")), REASON_LENGTH))
    blocks.filter(audited_to__gt=F("number") * BLOCK_ENTRIES).update(
        generation=F("generation") + 1,
        audited_to=F("number") * BLOCK_ENTRIES,
        reopened_because=reason[:REASON_LENGTH],
    )
