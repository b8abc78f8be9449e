"""Applies a rule version to recorded history: which findings would differ, and the money. Writes nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date

import numpy as np
from django.db import connection

from compliance.analysis.what_if.scope import FULL_SCOPE, TrialScope
from compliance.audit.checks.shared.check_types import AuditRange
from compliance.audit.context.finding_draft import FindingDraft
from compliance.audit.context.round_columns import RoundColumns, read_columns
from compliance.audit.context.round_context import RoundContext
from compliance.audit.models import Block
from compliance.audit.projections.bulk_read import DAY_EPOCH
from compliance.audit.projections.rounds import CONSUMER, ROUND_KINDS
from compliance.audit.run.evaluate import evaluate_rounds
from compliance.core.accounts.models import Casino
from rounds.engine import wager_holder
from rounds.floor.facts.gaming_days import gaming_day
from rounds.intake.columns.round_encoding import Flags, wager_after_changes
from rounds.ledger import models, position_of
from rounds.rulebook.models import RuleVersion

# The check name of a settlement.
SETTLEMENT = "settlement"
ROUNDS_NOT_AUDITED_SQL = """
SELECT count(*) FROM audit_block block JOIN audit_packedround packed
    ON packed.log = block.log AND packed.entry_index >= block.audited_to AND packed.entry_index < block.known_to
WHERE block.log = %(log)s AND block.audited_to < block.known_to AND packed.taken_back_index IS NULL
    AND (%(tables)s::text[] = '{}' OR packed."table" = ANY (%(tables)s::text[]))
    AND packed.gaming_day >= coalesce(%(first)s::date, packed.gaming_day)
    AND packed.gaming_day <= coalesce(%(last)s::date, packed.gaming_day)
"""


@dataclass(frozen=True)
class FindingChange:
    """One finding that would differ. None: no finding now, or none under the version."""

    current_draft: FindingDraft | None
    changed_draft: FindingDraft | None
    gaming_day: date
    # Name of the round; empty where it concerns no round.
    round: str = ""
    # The bet and the player of the wager; empty where it concerns no single wager.
    bet: str = ""
    holder: str = ""
    # False if another change of the same wager states its amounts, so that they are counted once.
    states_amounts: bool = True

    @property
    def draft(self) -> FindingDraft:
        found = self.changed_draft or self.current_draft
        assert found is not None
        return found

    @property
    def due_now_cents(self) -> int | None:
        """Without a finding, what was returned is what is due. None: not about money, or no rule states the amount."""
        if not self.states_amounts:
            return None
        return self.current_draft.required_cents if self.current_draft else self.draft.found_cents

    @property
    def due_then_cents(self) -> int | None:
        if not self.states_amounts:
            return None
        return self.changed_draft.required_cents if self.changed_draft else self.draft.found_cents

    @property
    def at_stake_cents(self) -> int:
        """How much more would be due, where both amounts are known."""
        now, then = self.due_now_cents, self.due_then_cents
        return 0 if now is None or then is None else then - now


@dataclass(frozen=True)
class RangeComparison:
    """Result of a range: rounds and wagers that the version would govern, and the differences."""

    rounds: int
    wagers: int
    differences: list[FindingChange]


def compare_version(
    casino: Casino, version: RuleVersion, first: int, last: int, scope: TrialScope = FULL_SCOPE
) -> Iterator[FindingChange]:
    """Entries first..last-1, block by block. The version governs every round played under its rule set."""
    blocks = Block.objects.filter(log=casino.slug, audited_to__gt=first).order_by("number")
    for block in blocks:
        begin, end = max(first, block.first), min(last, block.audited_to)
        if begin < end:
            yield from compare_range(casino, version, begin, end, scope).differences


def count_rounds_not_audited(casino: Casino, scope: TrialScope = FULL_SCOPE) -> int:
    """Rounds recorded but not yet audited, so not covered by a trial. Of rounds that the audit has not consumed, only
    the table is known, so they count for any day."""
    log, tables = casino.slug, list(scope.tables)
    unread = models.Entry.objects.filter(log__slug=log, kind__in=ROUND_KINDS, index__gte=position_of(CONSUMER, log))
    if tables:
        unread = unread.filter(table__in=tables)
    span = {"log": log, "tables": tables, "first": scope.first_on, "last": scope.last_on}
    with connection.cursor() as cursor:
        cursor.execute(ROUNDS_NOT_AUDITED_SQL, span)
        (known,) = cursor.fetchone()
    return int(known) + unread.count()


def compare_range(
    casino: Casino, version: RuleVersion, first: int, last: int, scope: TrialScope = FULL_SCOPE
) -> RangeComparison:
    """Entries first..last-1. Rounds under other rule sets are not affected, so only rounds under this one are
    evaluated."""
    now, then = (AuditRange(casino, first, last, read_columns(casino, first, last, each)) for each in (None, version))
    governed = _rounds_in_scope(scope, then.columns) & _is_governed_by(then.columns, version.rules)
    rounds = set(then.columns.indexes[governed].tolist())
    # The version may define another commencement event. Rounds that it would no longer govern are evaluated too.
    either = _rounds_in_scope(scope, now.columns) & _is_governed_by(now.columns, version.rules)
    evaluated = rounds | set(now.columns.indexes[either].tolist())
    found_now, contexts_now = evaluate_rounds(now, evaluated, None)
    found_then, contexts_then = evaluate_rounds(then, evaluated, version)
    days = _days_by_index(then.columns)
    played = {context.index: context for context in (*contexts_now, *contexts_then)}
    differences = [
        _finding_change(casino, before, after, days, played) for before, after in _changed_drafts(found_now, found_then)
    ]
    in_scope = [each for each in count_amounts_once(differences) if scope.includes(each.draft.table, each.gaming_day)]
    return RangeComparison(len(rounds), int(then.columns.counts[governed].sum()), in_scope)


def count_amounts_once(changes: Iterable[FindingChange]) -> Iterator[FindingChange]:
    """A wager can have several findings that state what it is due. The change of its settlement states the amounts;
    without one, the first."""
    by_wager: dict[tuple[int, str], list[FindingChange]] = {}
    ordered = list(changes)
    for each in ordered:
        by_wager.setdefault((each.draft.index, each.draft.wager), []).append(each)
    stating = {id(_change_with_amounts(same)) for (_, wager), same in by_wager.items() if wager}
    for each in ordered:
        yield each if not each.draft.wager or id(each) in stating else replace(each, states_amounts=False)


def _change_with_amounts(same: list[FindingChange]) -> FindingChange:
    return next((each for each in same if _draft_key(each.draft)[2] == SETTLEMENT), same[0])


def _rounds_in_scope(scope: TrialScope, columns: RoundColumns) -> Flags:
    """TrialScope.includes, for all rounds at once."""
    named = np.array([not scope.tables or table in scope.tables for table in columns.tables], np.bool_)
    found: Flags = named[columns.table_of] if len(named) else np.zeros(0, np.bool_)
    if scope.first_on is not None:
        found &= columns.days >= _day_number(scope.first_on)
    if scope.last_on is not None:
        found &= columns.days <= _day_number(scope.last_on)
    return found


def _day_number(day: date) -> int:
    """A date in the day numbers of the columns."""
    return int((np.datetime64(day) - DAY_EPOCH).astype(np.int64))


def _is_governed_by(columns: RoundColumns, rules: str) -> Flags:
    # The last item is for rounds without rules in force.
    are_its = np.array([*(each.version.rules == rules for each in columns.rules_used), False], np.bool_)
    found: Flags = are_its[columns.governed_by]
    return found


def _days_by_index(columns: RoundColumns) -> dict[int, date]:
    days = (DAY_EPOCH + columns.days).tolist()
    return dict(zip(columns.indexes.tolist(), days, strict=True))


def _changed_drafts(
    now: Iterable[FindingDraft], then: Iterable[FindingDraft]
) -> Iterator[tuple[FindingDraft | None, FindingDraft | None]]:
    before, after = ({_draft_key(draft): draft for draft in drafts} for drafts in (now, then))
    for place in sorted(before.keys() | after.keys()):
        if _compared_values(before.get(place)) != _compared_values(after.get(place)):
            yield before.get(place), after.get(place)


def _finding_change(
    casino: Casino,
    now: FindingDraft | None,
    then: FindingDraft | None,
    days: dict[int, date],
    played: dict[int, RoundContext],
) -> FindingChange:
    subject = then or now
    assert subject is not None
    day = days.get(subject.index) or gaming_day(casino, subject.at)
    context = played.get(subject.index)
    if context is None:
        return FindingChange(now, then, day)
    wager = next((each for each in context.round.wagers if each.id == subject.wager), None)
    if wager is None:
        return FindingChange(now, then, day, context.round.round)
    # A seat or terminal identifies a person only together with its table.
    holder = wager.player or f"{subject.table}, {wager_holder(wager)}"
    return FindingChange(now, then, day, context.round.round, wager_after_changes(wager).bet, holder)


def _draft_key(draft: FindingDraft) -> tuple[int, str, str]:
    # A wager has a finding of either a reading or the settlement, never both.
    return draft.index, draft.wager, SETTLEMENT if draft.reading else draft.check


def _compared_values(draft: FindingDraft | None) -> tuple[object, ...] | None:
    return None if draft is None else (draft.code, draft.required_cents, draft.found_cents, draft.reading)
