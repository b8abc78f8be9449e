"""Rounds judged again from their stored bytes, by the rules in force when they commenced, beside the audit's word."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from compliance.accounts.models import Casino
from compliance.audit.catalogue import CODES
from compliance.audit.circumstances import timelines_of
from compliance.audit.codes import Source
from compliance.audit.drafts import Draft
from compliance.audit.judging import judge_entries
from compliance.audit.models import Finding, ReadingCase
from compliance.audit.packed import KINDS, round_in
from compliance.reviews.rounds import RoundBehind
from rounds.ledger.following import read_entries_at

Said = dict[tuple[str, str], tuple[object, ...]]


@dataclass(frozen=True)
class JudgedAgain:
    """One round: what a fresh judgement finds, and what the audit had recorded about it."""

    behind: RoundBehind
    found: tuple[Draft, ...]
    recorded: tuple[Finding, ...]
    is_same: bool

    @property
    def codes(self) -> list[str]:
        return sorted({draft.code for draft in self.found})

    def citing(self, clause: str) -> list[Draft]:
        return [draft for draft in self.found if draft.clause == clause]


def judge_again(casino: Casino, indexes: Collection[int]) -> dict[int, JudgedAgain]:
    """By the round's entry; what is no readable round is left out. Writes nothing; a fixed number of queries."""
    read = [(entry, round_in(entry)) for entry in read_entries_at(casino.slug, indexes) if entry.kind in KINDS]
    rounds = {entry.index: RoundBehind(entry, played) for entry, played in read if played is not None}
    if not rounds:
        return {}
    instants = [at for behind in rounds.values() for at in behind.instants]
    tables = {behind.entry.table or "" for behind in rounds.values()}
    timelines = timelines_of(casino, tables, min(instants), max(instants))
    drafts = _by_round(judge_entries(casino.slug, [behind.entry for behind in rounds.values()], timelines))
    findings = Finding.objects.standing().filter(log=casino.slug, subject_index__in=rounds).order_by("pk")
    recorded: dict[int, list[Finding]] = defaultdict(list)
    for one in findings.select_related("casino"):
        recorded[one.subject_index].append(one)
    cases = _cases(casino.slug, rounds)
    return {
        index: JudgedAgain(
            behind, tuple(drafts[index]), tuple(recorded[index]), _is_same(drafts[index], recorded[index], cases[index])
        )
        for index, behind in rounds.items()
    }


def _by_round(drafts: Iterable[Draft]) -> Mapping[int, list[Draft]]:
    found: dict[int, list[Draft]] = defaultdict(list)
    for draft in drafts:
        found[draft.index].append(draft)
    return found


def _cases(log: str, indexes: Collection[int]) -> Mapping[int, Said]:
    """Wagers settled by a reading that is not adopted: the audit keeps those as cases of one finding."""
    found: dict[int, Said] = defaultdict(dict)
    rows = ReadingCase.objects.filter(log=log, subject_index__in=indexes, finding__superseded_at=None)
    for row in rows:
        found[row.subject_index][row.wager, "reading"] = (row.choice, row.required_cents, row.found_cents)
    return found


def _is_same(drafts: list[Draft], recorded: list[Finding], cases: Said) -> bool:
    now = {(one.wager, one.check): _said(one) for one in drafts if one.reading is None}
    # What concerns more than the round itself is judged with its table's day; it is compared if it was found again.
    was = {
        (one.wager, one.check_name): _said(one)
        for one in recorded
        if CODES[one.code].source == Source.ROUND or (one.wager, one.check_name) in now
    }
    by_reading = {
        (one.wager, "reading"): (one.reading[1], one.required_cents or 0, one.found_cents or 0)
        for one in drafts
        if one.reading is not None
    }
    return now == was and by_reading == cases


def _said(one: Draft | Finding) -> tuple[object, ...]:
    return one.code, one.sentence, one.clause, one.required_cents, one.found_cents
