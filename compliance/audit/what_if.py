"""A version tried over history: which settlements it would judge otherwise, in money, writing nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date

import numpy as np
from django.db import connection

from compliance.accounts.models import Casino
from compliance.audit.bulk import FIRST_DAY
from compliance.audit.checks.ways_in import Stretch
from compliance.audit.columns import Columns, read_columns
from compliance.audit.drafts import Draft
from compliance.audit.judging import judge_some
from compliance.audit.models import Block
from compliance.audit.packed import CONSUMER, KINDS
from compliance.audit.packing import Flags, as_it_lay
from compliance.audit.scope import EVERYWHERE, Scope
from compliance.audit.seen import RoundSeen, holder_of
from rounds.floor.gaming_days import gaming_day
from rounds.ledger.following import followed_up_to
from rounds.ledger.models import Entry
from rounds.rulebook.models import RuleVersion

NOT_AUDITED = """
SELECT count(*) FROM audit_block block JOIN audit_packedround packed
    ON packed.log = block.log AND packed.entry_index >= block.audited_to AND packed.entry_index < block.known_to
WHERE block.log = %(log)s AND block.audited_to < block.known_to AND packed.taken_back_index IS NULL
    AND (%(tables)s::text[] = '{}' OR packed."table" = ANY (%(tables)s::text[]))
    AND packed.gaming_day >= coalesce(%(first)s::date, packed.gaming_day)
    AND packed.gaming_day <= coalesce(%(last)s::date, packed.gaming_day)
"""


@dataclass(frozen=True)
class Difference:
    """One thing that would be judged otherwise. None: there would be, or there is, nothing to find."""

    now: Draft | None
    then: Draft | None
    gaming_day: date
    # Its name; empty for what is about no round.
    round: str = ""
    # The box it was wagered on and whose wager it was; empty for what is about no single wager.
    bet: str = ""
    holder: str = ""

    @property
    def subject(self) -> Draft:
        found = self.then or self.now
        assert found is not None
        return found

    @property
    def due_now_cents(self) -> int | None:
        """Where nothing is found, what came back is what is due. None: it is not about money, or no rule says."""
        return self.now.required_cents if self.now else self.subject.found_cents

    @property
    def due_then_cents(self) -> int | None:
        return self.then.required_cents if self.then else self.subject.found_cents

    @property
    def at_stake_cents(self) -> int:
        """By how much what is due would rise above what is due now, where both are known."""
        now, then = self.due_now_cents, self.due_then_cents
        return 0 if now is None or then is None else then - now


@dataclass(frozen=True)
class Tried:
    """What came of a stretch: how many rounds and wagers the version would govern there, and what differs."""

    rounds: int
    wagers: int
    differences: list[Difference]


def try_version(
    casino: Casino, version: RuleVersion, first: int, last: int, scope: Scope = EVERYWHERE
) -> Iterator[Difference]:
    """Over entries first..last-1, a block at a time. The version then governs every round played by its rules."""
    blocks = Block.objects.filter(log=casino.slug, audited_to__gt=first).order_by("number")
    for block in blocks:
        begin, end = max(first, block.first), min(last, block.audited_to)
        if begin < end:
            yield from try_stretch(casino, version, begin, end, scope).differences


def rounds_waiting(casino: Casino, scope: Scope = EVERYWHERE) -> int:
    """Recorded and not audited yet, so that no version was tried over them. Of those that nobody followed yet only the
    table is known, so that any day fits."""
    log, tables = casino.slug, list(scope.tables)
    unread = Entry.objects.filter(log__slug=log, kind__in=KINDS, index__gte=followed_up_to(CONSUMER, log))
    if tables:
        unread = unread.filter(table__in=tables)
    span = {"log": log, "tables": tables, "first": scope.first_on, "last": scope.last_on}
    with connection.cursor() as cursor:
        cursor.execute(NOT_AUDITED, span)
        (known,) = cursor.fetchone()
    return int(known) + unread.count()


def try_stretch(
    casino: Casino, version: RuleVersion, first: int, last: int, scope: Scope = EVERYWHERE
) -> Tried:  # fmt: skip
    """Entries first..last-1. What is played by other rules is judged as ever, so only rounds of these are looked at."""
    now, then = (Stretch(casino, first, last, read_columns(casino, first, last, each)) for each in (None, version))
    governed = _within(scope, then.columns) & _governed_by(then.columns, version.rules)
    rounds = set(then.columns.indexes[governed].tolist())
    # The version may let rounds commence with another event: those that it would no longer govern are judged as well.
    either = _within(scope, now.columns) & _governed_by(now.columns, version.rules)
    looked_at = rounds | set(now.columns.indexes[either].tolist())
    found_now, seen_now = judge_some(now, looked_at, None)
    found_then, seen_then = judge_some(then, looked_at, version)
    days = _days_of(then.columns)
    played = {seen.index: seen for seen in (*seen_now, *seen_then)}
    differences = [
        _difference(casino, before, after, days, played) for before, after in _judged_otherwise(found_now, found_then)
    ]
    kept = [each for each in differences if scope.holds(each.subject.table, each.gaming_day)]
    return Tried(len(rounds), int(then.columns.counts[governed].sum()), kept)


def _within(scope: Scope, columns: Columns) -> Flags:
    """Which of the rounds it holds, as `scope.holds` says of one."""
    named = np.array([not scope.tables or table in scope.tables for table in columns.tables], np.bool_)
    found: Flags = named[columns.table_of] if len(named) else np.zeros(0, np.bool_)
    if scope.first_on is not None:
        found &= columns.days >= _counted(scope.first_on)
    if scope.last_on is not None:
        found &= columns.days <= _counted(scope.last_on)
    return found


def _counted(day: date) -> int:
    """As the columns count days."""
    return int((np.datetime64(day) - FIRST_DAY).astype(np.int64))


def _governed_by(columns: Columns, rules: str) -> Flags:
    # The last place stands for rounds that nothing governs.
    are_its = np.array([*(each.version.rules == rules for each in columns.used), False], np.bool_)
    found: Flags = are_its[columns.governed_by]
    return found


def _days_of(columns: Columns) -> dict[int, date]:
    days = (FIRST_DAY + columns.days).tolist()
    return dict(zip(columns.indexes.tolist(), days, strict=True))


def _judged_otherwise(
    now: Iterable[Draft], then: Iterable[Draft]
) -> Iterator[tuple[Draft | None, Draft | None]]:  # fmt: skip
    before, after = ({_place(draft): draft for draft in drafts} for drafts in (now, then))
    for place in sorted(before.keys() | after.keys()):
        if _said(before.get(place)) != _said(after.get(place)):
            yield before.get(place), after.get(place)


def _difference(
    casino: Casino, now: Draft | None, then: Draft | None, days: dict[int, date], played: dict[int, RoundSeen]
) -> Difference:
    subject = then or now
    assert subject is not None
    day = days.get(subject.index) or gaming_day(casino, subject.at)
    seen = played.get(subject.index)
    if seen is None:
        return Difference(now, then, day)
    wager = next((each for each in seen.round.wagers if each.id == subject.wager), None)
    if wager is None:
        return Difference(now, then, day, seen.round.round)
    # A seat or a terminal is somebody only at its own table.
    holder = wager.player or f"{subject.table}, {holder_of(wager)}"
    return Difference(now, then, day, seen.round.round, as_it_lay(wager).bet, holder)


def _place(draft: Draft) -> tuple[int, str, str]:
    # Of a reading and a plain settlement only one can be said of a wager.
    return draft.index, draft.wager, "settlement" if draft.reading else draft.check


def _said(draft: Draft | None) -> tuple[object, ...] | None:
    return None if draft is None else (draft.code, draft.required_cents, draft.found_cents, draft.reading)
