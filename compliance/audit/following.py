"""Following the log: rounds are packed, the work list moves on, and what reaches into the past opens it again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec
from django.db import connection
from django.db.models import F

from compliance.audit.happenings import note_entries, take_happening_back
from compliance.audit.kinds import OWN
from compliance.audit.late import reopened_by_happening, reopened_by_late, reopened_by_round
from compliance.audit.models import BLOCK_ENTRIES, Block, OpenedStreak, PackedRound
from compliance.audit.over_time import JUDGED_AT
from compliance.audit.packed import CONSUMER, CORRECTIONS, corrected_by, pack_entries, take_back
from rounds.floor.facts import NAME_OF
from rounds.floor.models import Fact
from rounds.floor.values import TableRules
from rounds.ledger.following import Recorded, follow_to_the_end
from rounds.rulebook.models import APPROVED, RuleVersion

TABLE_FACTS = "table-facts"
REPORTED_FACTS = ("limits-changed", "posted-odds-shown")

MOVE = """
INSERT INTO audit_block (log, number, generation, known_to, audited_to, reopened_because)
VALUES (%s, %s, 1, %s, %s, '')
ON CONFLICT (log, number) DO UPDATE SET known_to = greatest(audit_block.known_to, excluded.known_to)
"""
TOUCHED = """
SELECT entry_index / %(block)s FROM audit_packedround
WHERE log = %(log)s AND "table" = ANY (%(tables)s) AND started_at >= %(from_at)s
    AND (%(until)s::timestamptz IS NULL OR started_at < %(until)s)
UNION SELECT entry_index / %(block)s FROM audit_happening
WHERE log = %(log)s AND "table" = ANY (%(tables)s) AND at >= %(from_at)s AND kind = ANY (%(kinds)s)
    AND (%(until)s::timestamptz IS NULL OR at <= %(until)s)
"""


def follow_log(log: str) -> int:
    """Take in whatever is new in the log; how many entries that was."""
    return follow_to_the_end(CONSUMER, [log], take_entries, limit=BLOCK_ENTRIES)


def take_entries(entries: Sequence[Recorded]) -> None:
    """The handler of `follow`: one transaction with the cursor."""
    facts = [entry for entry in entries if entry.kind not in OWN]
    if not facts:
        # The audit's own entries make no work: they are covered with the next facts.
        return
    pack_entries(facts)
    happenings = note_entries(facts)
    _move_blocks(facts[0].log, facts[-1].index + 1)
    for because, numbers in reopened_by_late(facts, happenings):
        reopen(facts[0].log, numbers, because)
    for entry in facts:
        reach = REACHES.get(entry.kind)
        if reach is not None:
            reach(entry)


def _move_blocks(log: str, known_to: int) -> None:
    """What is known is one stretch from the log's beginning, so that coverage leaves nothing out."""
    newest = Block.objects.filter(log=log).order_by("-number").values_list("number", flat=True).first() or 0
    with connection.cursor() as cursor:
        for number in range(newest, (known_to - 1) // BLOCK_ENTRIES + 1):
            first = number * BLOCK_ENTRIES
            cursor.execute(MOVE, [log, number, min(first + BLOCK_ENTRIES, known_to), first])


# --- What reaches into the past -------------------------------------------------------------------------------------


def _reach_of_correction(entry: Recorded) -> None:
    """A round that was taken back is judged no more; a fact that was taken back never held."""
    index = corrected_by(entry)
    if index is None:
        return
    if take_back(entry, index):
        because = f"Entry {entry.index} takes entry {index} back."
        judged_by = reopened_by_round(entry.log, index)
        reopen(entry.log, [index // BLOCK_ENTRIES, *_streaks_after(entry.log, index), *judged_by], because)
    happening = take_happening_back(entry, index)
    if happening is not None:
        because = f"Entry {entry.index} takes entry {index} back."
        reopen(entry.log, [index // BLOCK_ENTRIES, *reopened_by_happening(happening)], because)
    for fact in Fact.objects.filter(log=entry.log, entry_index=index).select_related("table"):
        _reopen_for_fact(entry, fact.table.slug if fact.table else None, fact.name, fact.effective_at)


def _streaks_after(log: str, index: int) -> list[int]:
    """The blocks of the same day's later rounds, where streaks were running that counted this one."""
    row = PackedRound.objects.get(log=log, entry_index=index)
    day = {"log": log, "table": row.table, "gaming_day": row.gaming_day}
    if not OpenedStreak.objects.filter(**day).exists():
        return []
    later = PackedRound.objects.filter(**day, started_at__gte=row.started_at).values_list("entry_index", flat=True)
    return sorted({each // BLOCK_ENTRIES for each in later})


def _reach_of_fact(entry: Recorded) -> None:
    content = entry.content()
    _reopen_for_fact(entry, content["table"], content["name"], _instant(content["effective_at"]))


def _reach_of_report(entry: Recorded) -> None:
    names = {"limits-changed": "limits", "posted-odds-shown": "posted-odds"}
    _reopen_for_fact(entry, entry.table, names[entry.kind], _instant(entry.content()["at"]))


def _reopen_for_fact(entry: Recorded, table: str | None, name: str, from_at: datetime) -> None:
    """From the instant at which it holds to the next fact of its name."""
    if table is None:
        return
    later = Fact.objects.filter(casino__slug=entry.log, table__slug=table, name=name, effective_at__gt=from_at)
    until = later.standing().order_by("effective_at").values_list("effective_at", flat=True).first()
    reopen_between(entry.log, [table], from_at, until, f"Entry {entry.index} says what held at {table} earlier.")


def _reach_of_version(entry: Recorded) -> None:
    content = entry.content()
    from_at = _instant(content["effective_at"])
    later = RuleVersion.objects.approved().filter(
        casino__slug=entry.log, rules=content["rules"], effective_at__gt=from_at
    )
    until = later.order_by("effective_at").values_list("effective_at", flat=True).first()
    played = Fact.objects.filter(casino__slug=entry.log, name=NAME_OF[TableRules], value__rules=content["rules"])
    tables = sorted({slug for slug in played.values_list("table__slug", flat=True) if slug})
    why = f"Entry {entry.index} puts version {content['number']} of {content['rules']} in force."
    reopen_between(entry.log, tables, from_at, until, why)


REACHES: Mapping[str, Callable[[Recorded], None]] = {
    **dict.fromkeys(CORRECTIONS, _reach_of_correction),
    TABLE_FACTS: _reach_of_fact,
    APPROVED: _reach_of_version,
    **dict.fromkeys(REPORTED_FACTS, _reach_of_report),
}


def _instant(text: Any) -> datetime:
    return msgspec.convert(text, datetime)


def reopen_between(log: str, tables: Sequence[str], from_at: datetime, until: datetime | None, because: str) -> None:
    """Open again just the blocks that hold what happened at these tables in that time, as far as it is judged.

    Of other things than rounds what happened at the end of it too: they are judged by what held until then.
    """
    span: dict[str, Any] = {
        "block": BLOCK_ENTRIES,
        "log": log,
        "tables": list(tables),
        "from_at": from_at,
        "until": until,
    }
    with connection.cursor() as cursor:
        cursor.execute(TOUCHED, {**span, "kinds": sorted(JUDGED_AT)})
        numbers = [number for (number,) in cursor.fetchall()]
    reopen(log, numbers, because)


def reopen(log: str, numbers: Iterable[int], because: str) -> None:
    """A new generation of these blocks; those of which nothing was audited yet need none."""
    audited = Block.objects.filter(log=log, number__in=list(numbers), audited_to__gt=F("number") * BLOCK_ENTRIES)
    audited.update(
        generation=F("generation") + 1, audited_to=F("number") * BLOCK_ENTRIES, reopened_because=because[:300]
    )
