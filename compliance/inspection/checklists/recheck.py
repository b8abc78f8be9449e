"""Evaluates rounds again from their stored bytes, by the rules in force when they began, and compares with the
audit."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from compliance.audit.checks import ONE_ROUND, codes_by_evidence
from compliance.audit.context.finding_draft import FindingDraft
from compliance.audit.context.stored_entries import StoredEntries
from compliance.audit.models import Finding, ReadingCase
from compliance.audit.projections.rounds import ROUND_KINDS, round_from_entry
from compliance.audit.run.evaluate import evaluate_entries
from compliance.core.accounts.models import Casino
from compliance.inspection.reviews.finding_round import FindingRound
from rounds.ledger import read_entries_at

ComparableFindings = dict[tuple[str, str], tuple[object, ...]]


@dataclass(frozen=True)
class RecheckedRound:
    """One round: the findings of the recheck, and those the audit recorded."""

    behind: FindingRound
    found: tuple[FindingDraft, ...]
    recorded: tuple[Finding, ...]
    is_same: bool

    @property
    def codes(self) -> list[str]:
        return sorted({draft.code for draft in self.found})

    def findings_citing(self, clause: str) -> list[FindingDraft]:
        return [draft for draft in self.found if draft.clause == clause]


def recheck_rounds(casino: Casino, indexes: Collection[int]) -> dict[int, RecheckedRound]:
    """By entry index; unreadable rounds are left out. Writes nothing; a fixed number of queries."""
    read = [
        (entry, round_from_entry(entry)) for entry in read_entries_at(casino.slug, indexes) if entry.kind in ROUND_KINDS
    ]
    rounds = {entry.index: FindingRound(casino, entry, played) for entry, played in read if played is not None}
    if not rounds:
        return {}
    instants = [at for finding_round in rounds.values() for at in finding_round.event_times]
    tables = {finding_round.entry.table or "" for finding_round in rounds.values()}
    source = StoredEntries(casino)
    timelines = source.rules_timeline(tables, min(instants), max(instants))
    drafts = _drafts_by_round(
        evaluate_entries(source, [finding_round.entry for finding_round in rounds.values()], timelines)
    )
    findings = Finding.objects.current().filter(log=casino.slug, subject_index__in=rounds).order_by("pk")
    recorded: dict[int, list[Finding]] = defaultdict(list)
    for one in findings.select_related("casino"):
        recorded[one.subject_index].append(one)
    cases = _recorded_reading_cases(casino.slug, rounds)
    return {
        index: RecheckedRound(
            finding_round,
            tuple(drafts[index]),
            tuple(recorded[index]),
            _matches_recorded(drafts[index], recorded[index], cases[index]),
        )
        for index, finding_round in rounds.items()
    }


def _drafts_by_round(drafts: Iterable[FindingDraft]) -> Mapping[int, list[FindingDraft]]:
    by_round: dict[int, list[FindingDraft]] = defaultdict(list)
    for draft in drafts:
        by_round[draft.index].append(draft)
    return by_round


def _recorded_reading_cases(log: str, indexes: Collection[int]) -> Mapping[int, ComparableFindings]:
    """Wagers settled by a reading that is not adopted. The audit records them as cases of one finding."""
    cases: dict[int, ComparableFindings] = defaultdict(dict)
    rows = ReadingCase.objects.filter(log=log, subject_index__in=indexes, finding__superseded_at=None)
    for row in rows:
        cases[row.subject_index][row.wager, "reading"] = (row.choice, row.required_cents, row.found_cents)
    return cases


def _matches_recorded(drafts: list[FindingDraft], recorded: list[Finding], cases: ComparableFindings) -> bool:
    rechecked = {(one.wager, one.check): _comparable_values(one) for one in drafts if one.reading is None}
    # Findings that depend on more than the round are recorded with the table's day. They are compared only if found
    # again.
    of_one_round = {code.name for code in codes_by_evidence()[ONE_ROUND]}
    before = {
        (one.wager, one.check_name): _comparable_values(one)
        for one in recorded
        if one.code in of_one_round or (one.wager, one.check_name) in rechecked
    }
    by_reading = {
        (one.wager, "reading"): (one.reading[1], one.required_cents or 0, one.found_cents or 0)
        for one in drafts
        if one.reading is not None
    }
    return rechecked == before and by_reading == cases


def _comparable_values(one: FindingDraft | Finding) -> tuple[object, ...]:
    return one.code, one.sentence, one.clause, one.required_cents, one.found_cents
