"""Which entries must be audited again because of an entry: those whose checks depend on it.

The numbers returned are entry indexes divided by `unit`: block numbers for the consumer, which reopens whole blocks;
single entries (unit 1) for the prediction of findings before an act is recorded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec
from django.db import connection

from compliance.audit.checks.feed_facts import ONE_DAY
from compliance.audit.context import recorded_acts
from compliance.audit.context.entries_in_memory import DISPUTE_KINDS
from compliance.audit.context.promotion_file import PROMOTION_KINDS
from compliance.audit.context.round_groups import LIT_FIGURE
from compliance.audit.context.rules_in_force import GAMING_DAY, approved_versions
from compliance.audit.context.stored_entries import StoredEntries
from compliance.audit.models import BLOCK_ENTRIES, OpenedStreak, PackedRound, TimelineEvent, VoidedRound
from compliance.audit.projections.later_decisions import decisions_of
from compliance.audit.projections.rounds import StoredRound, corrected_index, opened_streaks, rounds_from_entries
from compliance.audit.run.evaluate_timeline import CHECKED_ENTRY_KINDS, look_back_periods_at
from compliance.core.accounts.models import Casino
from compliance.notify.alerts.models import Alert
from compliance.notify.alerts.response_time import IMMEDIATE_LIMIT
from compliance.tables.player_conduct.entry_kinds import EXCLUSION
from rounds.engine.settle import INVALIDATED
from rounds.floor.fact_catalogue import NAME_BY_VALUE_TYPE
from rounds.floor.fact_values import TableRulesValue
from rounds.floor.models import Fact, Table
from rounds.intake import entry_kinds, round_records
from rounds.intake.columns.packed_rows import pack_rounds
from rounds.intake.columns.round_encoding import (
    NOT_REPORTED,
    decode_events_and_figures,
    encode_events,
    from_microseconds,
)
from rounds.intake.entry_kinds import DISPUTE_PAID, ROUND
from rounds.ledger import LogEntry, Reaudit, read_entries_at, readers
from rounds.rulebook.models import RuleVersion

REPORTED_FACTS: dict[str, str] = {entry_kinds.LIMITS_CHANGED: "limits", entry_kinds.POSTED_ODDS_SHOWN: "posted-odds"}
NO_UPPER_BOUND = 2**62
LATEST_BEFORE_SQL = """
SELECT named, greatest(
    (SELECT max(ended_at) FROM audit_packedround
     WHERE log = %(log)s AND "table" = named AND entry_index < %(first)s),
    (SELECT max(at) FROM audit_happening
     WHERE log = %(log)s AND "table" = named AND kind = ANY (%(kinds)s) AND entry_index < %(first)s)
) FROM unnest(%(tables)s::text[]) AS named
"""
LOOKING_BACK_SQL = """
SELECT entry_index / %(unit)s FROM audit_packedround
WHERE log = %(log)s AND (%(table)s IS NULL OR "table" = %(table)s) AND ended_at BETWEEN %(at)s AND %(until)s
    AND 'round' = ANY (%(kinds)s) AND entry_index < %(index)s
UNION SELECT entry_index / %(unit)s FROM audit_happening
WHERE log = %(log)s AND (%(table)s IS NULL OR "table" = %(table)s) AND at BETWEEN %(at)s AND %(until)s
    AND kind = ANY (%(kinds)s) AND entry_index < %(index)s
"""
# Rounds recorded after a round and compared with it: of the same name, or played at the same time.
COMPARED_SQL = """
SELECT DISTINCT entry_index / %(unit)s FROM audit_packedround
WHERE log = %(log)s AND "table" = %(table)s AND entry_index > %(index)s AND (
    (gaming_day = %(day)s AND round = %(round)s) OR (started_at < %(ended_at)s AND ended_at > %(started_at)s)
)
"""
PERIOD_SQL = """
SELECT entry_index / %(unit)s FROM audit_packedround
WHERE log = %(log)s AND "table" = ANY (%(tables)s) AND ended_at >= %(from_at)s AND entry_index < %(before)s
    AND (%(until)s::timestamptz IS NULL OR started_at < %(until)s)
UNION SELECT entry_index / %(unit)s FROM audit_happening
WHERE log = %(log)s AND "table" = ANY (%(tables)s) AND at >= %(from_at)s AND kind = ANY (%(kinds)s)
    AND entry_index < %(before)s AND (%(until)s::timestamptz IS NULL OR at <= %(until)s)
"""
NEXT_ROUNDS_SQL = """
SELECT DISTINCT next.entry_index / %(unit)s FROM unnest(%(instants)s::timestamptz[]) AS late (at)
CROSS JOIN LATERAL (
    SELECT entry_index FROM audit_packedround
    WHERE log = %(log)s AND "table" = %(table)s AND ended_at > late.at AND entry_index < %(index)s
    ORDER BY ended_at LIMIT 1
) AS next
"""


def blocks_affected_by_late_entries(
    log: str, between: tuple[int, int], rounds: Sequence[StoredRound], events: Sequence[TimelineEvent]
) -> Iterator[tuple[str, Iterable[int]]]:
    """For each entry that arrived after later ones: the reason, and the numbers of the blocks to audit again.
    `between`: the first and the last of the new entries."""
    first, last = between
    for index, after in readers.out_of_order_entries(log, first, last):
        yield f"Entry {index} is a line that came late.", [after // BLOCK_ENTRIES]
    for (table, kind), late in _late_entries(log, first, rounds, events).items():
        because = f"Entry {late[0][0]} says what happened earlier."
        instants = [at for _, at in late]
        yield because, looking_back(log, table, kind, (min(instants), max(instants)), late[-1][0], BLOCK_ENTRIES)
        if kind == ROUND:
            yield because, _next_rounds(log, table, [index for index, _ in late], late[-1][0], BLOCK_ENTRIES)


def _late_entries(
    log: str, first: int, rounds: Sequence[StoredRound], events: Sequence[TimelineEvent]
) -> dict[tuple[str, str], list[tuple[int, datetime]]]:
    """By table and kind: index and time of entries that happened before something already recorded.

    Rounds count by their end, because a table may send other lines before a round is over.
    """
    recorded = [(each.entry_index, each.table, each.kind, each.at) for each in events]
    recorded += [(each.index, each.table, ROUND, each.at) for each in rounds]
    latest = _latest_times(log, first, {table for _, table, _, _ in recorded})
    late: dict[tuple[str, str], list[tuple[int, datetime]]] = {}
    for index, table, kind, at in sorted(recorded):
        known = latest.get(table)
        if known is not None and at < known:
            late.setdefault((table, kind), []).append((index, at))
        elif kind == ROUND or kind in CHECKED_ENTRY_KINDS:
            latest[table] = at
    return late


def _latest_times(log: str, first: int, tables: set[str]) -> dict[str, datetime | None]:
    with connection.cursor() as cursor:
        cursor.execute(
            LATEST_BEFORE_SQL,
            {"log": log, "first": first, "tables": sorted(tables), "kinds": sorted(CHECKED_ENTRY_KINDS)},
        )
        return dict(cursor.fetchall())


# --- By kind of entry -----------------------------------------------------------------------------------------------


def _after_correction(entry: LogEntry, unit: int) -> set[int]:
    """The round, event, decision or fact that is taken back, and everything that was checked by it."""
    index = corrected_index(entry)
    if index is None:
        return set()
    log, found = entry.log, set[int]()
    row = PackedRound.objects.filter(log=log, entry_index=index, taken_back_index=None).first()
    if row is not None:
        found |= {index // unit, *later_streak_rounds(log, index, unit), *_checked_by_round(row, unit)}
    event = TimelineEvent.objects.filter(log=log, entry_index=index, taken_back_index=None).first()
    if event is not None:
        instants = (event.at, event.at)
        found |= {index // unit, *looking_back(log, event.table, event.kind, instants, NO_UPPER_BOUND, unit)}
        if event.kind == EXCLUSION:
            # Placed in the timeline by when it was recorded, but it counts from when it took effect.
            [exclusion] = read_entries_at(log, [index])
            found |= _since_exclusion(entry, exclusion, unit)
        found |= {each // unit for each in _same_file(event)}
    decided = VoidedRound.objects.filter(log=log, set_index=index)
    found |= {each // unit for each in decided.values_list("entry_index", flat=True)}
    for fact in Fact.objects.filter(log=log, entry_index=index).select_related("table"):
        found |= _since_fact(entry, fact.table.slug if fact.table else None, fact.name, fact.effective_at, unit)
    return found


def _same_file(event: TimelineEvent) -> set[int]:
    """The other entries of a dispute or promotion, which are checked by each other, and the round that a payment after
    a dispute was for."""
    if event.kind not in DISPUTE_KINDS and event.kind not in PROMOTION_KINDS:
        return set()
    [entry] = read_entries_at(event.log, [event.entry_index])
    source, content = StoredEntries(Casino.objects.get(slug=event.log)), entry.content()
    if event.kind in DISPUTE_KINDS:
        paid_for = {content["corrects"]} if event.kind == DISPUTE_PAID else set()
        return {each.index for each in source.dispute_entries(content["dispute"])} | paid_for
    number = content.get("promotion") or source.promotion_of_claim(content["claim"])
    return {each.index for each in source.promotion_entries(number)} if number else set()


def _after_decision(entry: LogEntry, unit: int) -> set[int]:
    """The rounds that a later decision is about, and for an invalidated outcome the rounds with streaks after it."""
    decisions = decisions_of(entry, lambda indexes: read_entries_at(entry.log, indexes))
    found = {index // unit for index in decisions}
    for index, decision in decisions.items():
        if decision.reason == INVALIDATED:
            found |= later_streak_rounds(entry.log, index, unit)
    return found


def _after_fact(entry: LogEntry, unit: int) -> set[int]:
    content = entry.content()
    if entry.kind in REPORTED_FACTS:
        return _since_fact(entry, entry.table, REPORTED_FACTS[entry.kind], _parse_instant(content["at"]), unit)
    return _since_fact(entry, content["table"], content["name"], _parse_instant(content["effective_at"]), unit)


def _since_fact(entry: LogEntry, table: str | None, name: str, from_at: datetime, unit: int) -> set[int]:
    """The period from when the fact holds to the next fact of its name. Of the casino's own facts, only the beginning
    of its gaming days is checked, at all its tables."""
    later = Fact.objects.filter(casino__slug=entry.log, table__slug=table, name=name, effective_at__gt=from_at)
    until = later.not_retracted().order_by("effective_at").values_list("effective_at", flat=True).first()
    if table is not None:
        return _in_period(entry, [table], from_at, until, unit)
    if name == GAMING_DAY:
        tables = Table.objects.filter(casino__slug=entry.log).values_list("slug", flat=True)
        # Rounds are checked by the cut-overs of the day before them too.
        return _in_period(entry, list(tables), from_at, until and until + ONE_DAY, unit)
    return set()


def _after_rule_version(entry: LogEntry, unit: int) -> set[int]:
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
    return _in_period(entry, tables, from_at, until, unit)


def _after_notification(entry: LogEntry, unit: int) -> set[int]:
    """The entry an alert is about, which is checked by who was notified, and the rounds until the notification."""
    content = entry.content()
    alert = Alert.objects.filter(log=entry.log, entry_index=content["alert"]).first()
    if alert is None or alert.about_index is None:
        return set()
    found, at = {alert.about_index // unit}, _parse_instant(content["at"])
    if alert.table and at <= alert.fact_at + IMMEDIATE_LIMIT:
        # A later notification does not count, so the rounds in between need not be audited again.
        found |= _in_period(entry, [alert.table], alert.fact_at, at, unit)
    return found


def _after_dispute_payment(entry: LogEntry, unit: int) -> set[int]:
    """The round of a dispute, because the payment changes what was returned for it."""
    return {entry.content()["corrects"] // unit}


def _after_wager_refusal(entry: LogEntry, unit: int) -> set[int]:
    """The rounds that were on when a wager was refused or found outside the limits. How it must be settled depends on
    that."""
    body = entry.content()
    if not body["wagers"]:
        return set()
    at = _parse_instant(body["at"])
    rounds = PackedRound.objects.filter(log=entry.log, table=entry.table or "", entry_index__lt=entry.index)
    on_then = rounds.filter(started_at__lte=at, ended_at__gte=at)
    return {index // unit for index in on_then.values_list("entry_index", flat=True)}


def _after_exclusion(entry: LogEntry, unit: int) -> set[int]:
    return _since_exclusion(entry, entry, unit)


def _since_exclusion(entry: LogEntry, exclusion: LogEntry, unit: int) -> set[int]:
    """The rounds of the table since a person was excluded, as far as a mark can mean that person."""
    excluded_at = _parse_instant(exclusion.content()["at"])
    return _in_period(entry, [exclusion.table or ""], excluded_at, excluded_at + round_records.LOOK_BACK, unit)


AFFECTED_BY: Mapping[Reaudit, Callable[[LogEntry, int], set[int]]] = {
    Reaudit.CORRECTED_ENTRY: _after_correction,
    Reaudit.DECIDED_ROUNDS: _after_decision,
    Reaudit.FACT_PERIOD: _after_fact,
    Reaudit.RULES_PERIOD: _after_rule_version,
    Reaudit.NOTIFIED_ENTRY: _after_notification,
    Reaudit.DISPUTED_ROUND: _after_dispute_payment,
    Reaudit.ROUNDS_IN_PLAY: _after_wager_refusal,
    Reaudit.EXCLUDED_PERSON: _after_exclusion,
}


def _parse_instant(text: Any) -> datetime:
    return msgspec.convert(text, datetime)


# --- Selections -----------------------------------------------------------------------------------------------------


def _in_period(
    entry: LogEntry, tables: Sequence[str], from_at: datetime, until: datetime | None, unit: int
) -> set[int]:
    """Rounds and checked events at these tables in that period, recorded before `entry`: those were evaluated without
    it. Events exactly at `until` are included, unlike rounds: they are checked by what was in force just before."""
    span = {"log": entry.log, "before": entry.index, "tables": list(tables), "from_at": from_at, "until": until}
    return _select(PERIOD_SQL, unit, **span, kinds=sorted(CHECKED_ENTRY_KINDS))


def _checked_by_round(row: PackedRound, unit: int) -> set[int]:
    """Events that may have been checked by this round, and rounds that were compared with it."""
    log, index = row.log, row.entry_index
    played = {"day": row.gaming_day, "round": row.round, "started_at": row.started_at, "ended_at": row.ended_at}
    return {
        *_select(COMPARED_SQL, unit, log=log, table=row.table, index=index, **played),
        *looking_back(log, row.table, ROUND, (row.started_at, row.started_at), NO_UPPER_BOUND, unit),
        *_next_rounds(log, row.table, [index], NO_UPPER_BOUND, unit),
    }


def affected_by_late_round(entry: LogEntry, unit: int) -> set[int]:
    """What the consumer selects for a round that is reported late, for an entry that is not stored yet."""
    log, table, found = entry.log, entry.table or "", set[int]()
    for _, played in rounds_from_entries([entry]):
        packed = pack_rounds(log, [(table, played)])
        started_at, ended_at = (from_microseconds(times[0]) for times in (packed.started, packed.ended))
        found |= looking_back(log, table, ROUND, (ended_at, ended_at), entry.index, unit)
        found |= _next_after(log, table, [(ended_at, encode_events(played))], entry.index, unit)
        day = {"log": log, "table": table, "gaming_day": played.gaming_day}
        if list(opened_streaks(log, entry.index, table, played)) or OpenedStreak.objects.filter(**day).exists():
            found |= rounds_since(started_at, unit, **day)
    return found


def later_streak_rounds(log: str, index: int, unit: int) -> set[int]:
    """The same day's later rounds, if streaks were running that counted this round."""
    row = PackedRound.objects.filter(log=log, entry_index=index).first()
    if row is None:
        return set()
    day = {"log": log, "table": row.table, "gaming_day": row.gaming_day}
    has_streaks = OpenedStreak.objects.filter(**day).exists()
    return rounds_since(row.started_at, unit, **day) if has_streaks else set()


def rounds_since(started_at: datetime, unit: int, **day: Any) -> set[int]:
    later = PackedRound.objects.filter(**day, started_at__gte=started_at)
    return {index // unit for index in later.values_list("entry_index", flat=True)}


def _next_rounds(log: str, table: str, rounds: Sequence[int], index: int, unit: int) -> set[int]:
    """The first round after each of these, recorded before `index`: it is checked against the lights of the round that
    was played before it. Rounds that report no lights have no such effect."""
    rows = list(PackedRound.objects.filter(log=log, entry_index__in=rounds).values_list("ended_at", "events"))
    return _next_after(log, table, rows, index, unit) if rows else set()


def _next_after(
    log: str, table: str, rows: Sequence[tuple[datetime, bytes | memoryview]], index: int, unit: int
) -> set[int]:
    """`rows` has the end and the packed events of each round."""
    figures = decode_events_and_figures([bytes(events) for _, events in rows])[1]
    lit = zip(rows, figures[:, LIT_FIGURE].tolist(), strict=True)
    instants = [ended_at for (ended_at, _), areas in lit if areas != NOT_REPORTED]
    return _select(NEXT_ROUNDS_SQL, unit, log=log, table=table, instants=instants, index=index) if instants else set()


def looking_back(
    log: str, table: str, kind: str, instants: tuple[datetime, datetime], index: int, unit: int
) -> set[int]:
    """Entries recorded before `index` that happened later than these instants, as far as any check looks back at this
    kind."""
    found: set[int] = set()
    for look_back, kinds in look_back_periods_at(kind):
        if look_back is recorded_acts.EARLIER_ROUNDS and not _asks_for_warnings(log, table):
            continue
        where = None if look_back.is_casino_wide else table
        until = instants[1] + look_back.duration
        found |= _select(
            LOOKING_BACK_SQL, unit, log=log, table=where, at=instants[0], until=until, kinds=sorted(kinds), index=index
        )
    return found


def _select(statement: str, unit: int, **parameters: Any) -> set[int]:
    with connection.cursor() as cursor:
        cursor.execute(statement, {"unit": unit, **parameters})
        return {number for (number,) in cursor.fetchall()}


def _asks_for_warnings(log: str, table: str) -> bool:
    """Whether the table was ever under rules by which a round's findings depend on earlier rounds of the day."""
    versions = approved_versions(Casino.objects.get(slug=log))
    rules = {each.governing.rules for each in versions if round_records.has_warnings(each.pack)}
    name = NAME_BY_VALUE_TYPE[TableRulesValue]
    stated = Fact.objects.filter(casino__slug=log, table__slug=table, name=name, value__rules__in=rules)
    return bool(rules) and stated.exists()
