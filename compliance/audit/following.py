"""Following the log: rounds are packed, the work list moves on, and what reaches into the past opens it again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec
from django.db import connection
from django.db.models import F, Q, Value
from django.db.models.functions import Concat, Left

from compliance.alerts.kinds import kind_of
from compliance.alerts.measuring import IMMEDIATELY
from compliance.alerts.models import AlertStep
from compliance.alerts.states import Step
from compliance.audit import determinations, found_in_time
from compliance.audit.happenings import note_entries, take_happening_back
from compliance.audit.kinds import OWN
from compliance.audit.late import reopened_by_happening, reopened_by_late, reopened_by_round
from compliance.audit.models import BLOCK_ENTRIES, Block, OpenedStreak, PackedRound
from compliance.audit.over_time import JUDGED_AT
from compliance.audit.packed import CONSUMER, CORRECTIONS, corrected_by, pack_entries, take_back
from compliance.disputes.kinds import PAID
from compliance.equipment.kinds import STAKES_RETURNED, VOID_SET
from rounds.floor.facts import NAME_OF
from rounds.floor.models import Fact
from rounds.floor.values import TableRules
from rounds.ledger.following import Recorded, follow_to_the_end
from rounds.rulebook.models import APPROVED, RuleVersion

TABLE_FACTS = "table-facts"
TELLINGS = tuple(kind_of(step) for step in (Step.SENT, Step.ESCALATED, Step.ACKNOWLEDGED))
REPORTED_FACTS = ("limits-changed", "posted-odds-shown")
REASON_LENGTH = 300
DETERMINES = {
    VOID_SET: "determines that rounds are void.",
    determinations.INVALIDATION: "invalidates the outcome of rounds.",
    determinations.WAGERS_VOIDED: "declares wagers void.",
    STAKES_RETURNED: "records stakes that were handed back.",
}

MOVE = """
INSERT INTO audit_block (log, number, generation, known_to, audited_to, reopened_because)
VALUES (%s, %s, 1, %s, %s, '')
ON CONFLICT (log, number) DO UPDATE SET known_to = greatest(audit_block.known_to, excluded.known_to)
"""
TOUCHED = """
SELECT entry_index / %(block)s FROM audit_packedround
WHERE log = %(log)s AND "table" = ANY (%(tables)s) AND ended_at >= %(from_at)s AND entry_index < %(before)s
    AND (%(until)s::timestamptz IS NULL OR started_at < %(until)s)
UNION SELECT entry_index / %(block)s FROM audit_happening
WHERE log = %(log)s AND "table" = ANY (%(tables)s) AND at >= %(from_at)s AND kind = ANY (%(kinds)s)
    AND entry_index < %(before)s AND (%(until)s::timestamptz IS NULL OR at <= %(until)s)
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
    rounds, happenings = pack_entries(facts), note_entries(facts)
    _reopen_for_late_rounds(facts)
    _move_blocks(facts[0].log, facts[-1].index + 1)
    for because, numbers in reopened_by_late(facts, rounds, happenings):
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
    because = f"Entry {entry.index} takes entry {index} back."
    if take_back(entry, index):
        judged_by = reopened_by_round(entry.log, index)
        reopen(entry.log, [index // BLOCK_ENTRIES, *_streaks_after(entry.log, index), *judged_by], because)
    happening = take_happening_back(entry, index)
    if happening is not None:
        reopen(entry.log, [index // BLOCK_ENTRIES, *reopened_by_happening(happening)], because)
    reopen(entry.log, _blocks(determinations.take_determination_back(entry.log, index)), because)
    for fact in Fact.objects.filter(log=entry.log, entry_index=index).select_related("table"):
        _reopen_for_fact(entry, fact.table.slug if fact.table else None, fact.name, fact.effective_at)


def _streaks_after(log: str, index: int) -> set[int]:
    """The blocks of the same day's later rounds, where streaks were running that counted this one."""
    row = PackedRound.objects.get(log=log, entry_index=index)
    day = {"log": log, "table": row.table, "gaming_day": row.gaming_day}
    return _blocks_since(row.started_at, **day) if OpenedStreak.objects.filter(**day).exists() else set()


def _blocks_since(started_at: datetime, **day: Any) -> set[int]:
    later = PackedRound.objects.filter(**day, started_at__gte=started_at)
    return _blocks(later.values_list("entry_index", flat=True))


def _reopen_for_late_rounds(entries: Sequence[Recorded]) -> None:
    """A round that comes after later ones of its day changes the count of the streaks that ran across it."""
    log, first = entries[0].log, entries[0].index
    new = PackedRound.objects.filter(log=log, entry_index__gte=first, entry_index__lte=entries[-1].index)
    for table, day in new.order_by().values_list("table", "gaming_day").distinct():
        of_day = {"log": log, "table": table, "gaming_day": day}
        if not OpenedStreak.objects.filter(**of_day, entry_index__lt=first).exists():
            continue
        known = PackedRound.objects.filter(**of_day, entry_index__lt=first)
        newest = known.order_by("-started_at").values_list("started_at", flat=True).first()
        late = new.filter(**of_day, started_at__lt=newest).order_by("started_at").first() if newest else None
        if late is not None:
            because = (
                f"Entry {late.entry_index} is a round that came late: streaks that ran across it are counted anew."
            )
            reopen(log, _blocks_since(late.started_at, **of_day, entry_index__lt=first), because)


def _reach_of_determination(entry: Recorded) -> None:
    """Rounds that were settled long ago are void now, or stakes went back, and they are judged as such."""
    rows = determinations.take_determination(entry)
    numbers = _blocks(row.entry_index for row in rows)
    for row in rows:
        if row.reason == determinations.INVALIDATED:
            numbers |= _streaks_after(entry.log, row.entry_index)
    reopen(entry.log, numbers, f"Entry {entry.index} {DETERMINES[entry.kind]}")


def _blocks(indexes: Iterable[int]) -> set[int]:
    return {index // BLOCK_ENTRIES for index in indexes}


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
    reopen_between(entry, [table], from_at, until, f"Entry {entry.index} says what held at {table} earlier.")


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
    reopen_between(entry, tables, from_at, until, why)


def _reach_of_telling(entry: Recorded) -> None:
    """What an alert is about is judged by whether somebody was told, or could not be; rounds meanwhile by when."""
    step = AlertStep.objects.filter(log=entry.log, entry_index=entry.index).select_related("alert").first()
    about = step.alert.about_index if step else None
    if step is None or about is None:
        return
    because = f"Entry {entry.index} says whether somebody was told of {about}."
    reopen(entry.log, [about // BLOCK_ENTRIES], because)
    alert = step.alert
    if alert.table and step.at <= alert.fact_at + IMMEDIATELY:
        # Later than that it counts for nothing, and there is no need to look at the days between.
        reopen_between(entry, [alert.table], alert.fact_at, step.at, because)


def _reach_of_payment(entry: Recorded) -> None:
    """What was paid after a dispute changes what its round came to."""
    index = entry.content()["corrects"]
    reopen(entry.log, [index // BLOCK_ENTRIES], f"Entry {entry.index} pays after a dispute about entry {index}.")


def _reach_of_refusal(entry: Recorded) -> None:
    """A wager found outside the limits is judged by whether its round was still on: those that may have been then."""
    said = entry.content()
    if said["grounds"] == found_in_time.GROUNDS and said["wagers"]:
        at = _instant(said["at"])
        rounds = PackedRound.objects.filter(log=entry.log, table=entry.table or "", entry_index__lt=entry.index)
        on_then = rounds.filter(started_at__lte=at, ended_at__gte=at)
        because = f"Entry {entry.index} says when a wager was found outside the limits."
        reopen(entry.log, _blocks(on_then.values_list("entry_index", flat=True)), because)


REACHES: Mapping[str, Callable[[Recorded], None]] = {
    **dict.fromkeys(CORRECTIONS, _reach_of_correction),
    **dict.fromkeys(determinations.KINDS, _reach_of_determination),
    TABLE_FACTS: _reach_of_fact,
    PAID: _reach_of_payment,
    found_in_time.REFUSED: _reach_of_refusal,
    APPROVED: _reach_of_version,
    **dict.fromkeys(REPORTED_FACTS, _reach_of_report),
    **dict.fromkeys(TELLINGS, _reach_of_telling),
}


def _instant(text: Any) -> datetime:
    return msgspec.convert(text, datetime)


def reopen_between(
    entry: Recorded, tables: Sequence[str], from_at: datetime, until: datetime | None, because: str
) -> None:
    """Open again just the blocks that hold what happened at these tables in that time, as far as it is judged.

    Only what was recorded before the entry that reaches back can have been judged without it. Of other things than
    rounds what happened at the end of that time too: they are judged by what held until then.
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
        cursor.execute(TOUCHED, {**span, "kinds": sorted(JUDGED_AT)})
        numbers = [number for (number,) in cursor.fetchall()]
    reopen(entry.log, numbers, because)


def reopen(log: str, numbers: Iterable[int], because: str) -> None:
    """A new generation of these blocks. Those that wait for one already take in one more reason; new ones need none."""
    blocks = Block.objects.filter(log=log, number__in=list(numbers))
    blocks.filter(audited_to=F("number") * BLOCK_ENTRIES).exclude(
        Q(reopened_because="") | Q(reopened_because__contains=because)
    ).update(reopened_because=Left(Concat("reopened_because", Value(f" {because}")), REASON_LENGTH))
    blocks.filter(audited_to__gt=F("number") * BLOCK_ENTRIES).update(
        generation=F("generation") + 1,
        audited_to=F("number") * BLOCK_ENTRIES,
        reopened_because=because[:REASON_LENGTH],
    )
