"""Judging a stretch of a log: rounds are read as columns, looked over quickly, and suspects judged one by one.

`judge_every_round` skips the quick look. Tests prove that both find the same.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from msgspec.structs import replace

from compliance.accounts.models import Casino
from compliance.audit.catalogue import CODES
from compliance.audit.checks import NO_RULES, judge_round
from compliance.audit.checks.quick import suspects
from compliance.audit.checks.ways_in import Stretch
from compliance.audit.circumstances import Timelines
from compliance.audit.columns import UNGOVERNED, Columns, read_columns
from compliance.audit.determinations import voided_among
from compliance.audit.drafts import Draft
from compliance.audit.found_in_time import with_found
from compliance.audit.over_time import judge_over_time, judge_rounds_over_time
from compliance.audit.packed import round_in
from compliance.audit.seen import Circumstances, NoRules, RoundSeen, first_events
from compliance.audit.streaks import StreakBook, streak_book
from compliance.audit.summing import Played, sum_play
from compliance.audit.warnings import with_warnings
from compliance.audit.watched import watched_rounds
from compliance.audit.weighing import Choice, Weight, weigh_stretches
from compliance.disputes.selectors import payments_on
from rounds.intake.kinds.round import Round
from rounds.ledger.following import Recorded, read_entries_at
from rounds.rulebook.models import RuleVersion

Suspects = Callable[[Columns], Collection[int]]


@dataclass(frozen=True)
class Judged:
    """What an audit of a stretch came to.

    `used` are the circumstances its rounds were judged in; `weights` is what hangs on each reading; `played`
    what was staked and handed back.
    """

    drafts: tuple[Draft, ...] = ()
    rounds: int = 0
    wagers: int = 0
    used: tuple[Circumstances, ...] = field(default=(), repr=False)
    weights: Mapping[Choice, Weight] = field(default_factory=dict)
    played: Played = field(default_factory=Played, repr=False)


def judge_stretch(casino: Casino, first: int, last: int, *, instead: RuleVersion | None = None) -> Judged:
    """Entries first..last-1 of the casino's log; only what the quick look suspects is read from its entry."""
    [judged] = _judge(casino, [(first, last)], suspects, instead)
    return judged


def judge_stretches(casino: Casino, stretches: Sequence[tuple[int, int]]) -> list[Judged]:
    """Stretches that follow one another, each with what would come of it alone, but read and looked over together."""
    return _judge(casino, stretches, suspects, None)


def judge_every_round(casino: Casino, first: int, last: int, *, instead: RuleVersion | None = None) -> Judged:
    [judged] = _judge(casino, [(first, last)], lambda columns: columns.indexes.tolist(), instead)
    return judged


def _judge(
    casino: Casino, stretches: Sequence[tuple[int, int]], suspected_in: Suspects, instead: RuleVersion | None
) -> list[Judged]:
    first, last = stretches[0][0], stretches[-1][1]
    columns = read_columns(casino, first, last, instead)
    suspected = {*suspected_in(columns), *watched_rounds(casino, columns)}
    stretch = Stretch(casino, first, last, columns)
    drafts, rounds, book = _exactly(casino.slug, _read(casino.slug, suspected), columns.timelines)
    over_time, used = judge_over_time(stretch, instead)
    drafts += over_time
    firsts = [first for first, _ in stretches]
    weights = weigh_stretches(columns, firsts, rounds, book)
    played = [Played()] * len(firsts) if instead else sum_play(columns, firsts)
    begins = np.searchsorted(columns.indexes, [*firsts, last])
    wagers = np.concatenate([[0], np.cumsum(columns.counts)])[begins].tolist()

    def judged(number: int) -> Judged:
        begin, end = begins[number : number + 2].tolist()
        places = np.unique(columns.governed_by[begin:end]).tolist()
        return Judged(
            tuple(draft for draft in drafts if bisect_right(firsts, draft.index) == number + 1),
            end - begin, wagers[number + 1] - wagers[number],
            (
                *(columns.used[place] for place in places if place != UNGOVERNED),
                *(each for index, each in used if bisect_right(firsts, index) == number + 1),
            ),
            weights[number], played[number],
        )  # fmt: skip

    return [judged(number) for number in range(len(stretches))]


def judge_some(
    stretch: Stretch, rounds: Collection[int], instead: RuleVersion | None
) -> tuple[list[Draft], list[RoundSeen]]:
    """What is found in some rounds of a stretch and in everything else that happened there, and the rounds that were
    judged exactly. Neither what hangs on readings nor what was played."""
    columns = stretch.columns
    suspected = {*suspects(columns), *watched_rounds(stretch.casino, columns)} & set(rounds)
    drafts, exactly, _ = _exactly(stretch.casino.slug, _read(stretch.casino.slug, suspected), columns.timelines)
    return drafts + judge_over_time(stretch, instead)[0], exactly


def _read(log: str, indexes: Collection[int]) -> list[Recorded]:
    return list(read_entries_at(log, sorted(indexes))) if indexes else []


def judge_entries(log: str, entries: Sequence[Recorded], timelines: Timelines) -> list[Draft]:
    """Exactly, one by one, in the order of the log."""
    drafts, _, _ = _exactly(log, entries, timelines)
    return drafts


def _exactly(
    log: str, entries: Sequence[Recorded], timelines: Timelines
) -> tuple[list[Draft], list[RoundSeen], StreakBook]:
    """What is said of the entries, and the rounds among them with what their streaks are counted by."""
    drafts, rounds = _ungoverned_apart(log, entries, timelines)
    book = streak_book(log, rounds)
    for seen in rounds:
        drafts += [*_without_pay_table(seen), *judge_round(seen, book)]
    return drafts + judge_rounds_over_time(log, rounds), rounds, book


def _ungoverned_apart(
    log: str, entries: Sequence[Recorded], timelines: Timelines
) -> tuple[list[Draft], list[RoundSeen]]:
    """What is said of rounds that nothing governs, and the rounds to be judged exactly, in the order of the log."""
    drafts: list[Draft] = []
    rounds: list[RoundSeen] = []
    indexes = [entry.index for entry in entries]
    voided, paid = (voided_among(log, indexes), payments_on(log, indexes)) if indexes else ({}, {})
    for entry in entries:
        played, table = round_in(entry), entry.table or ""
        if played is None:
            continue
        played = with_payments(played, entry.index, paid)
        governing = timelines.of_round(table, first_events(played))
        if isinstance(governing, NoRules):
            drafts.append(ungoverned(entry.index, table, played, governing))
        else:
            rounds.append(RoundSeen(entry.index, table, played, governing, voided.get(entry.index), log))
    return drafts, with_found(log, with_warnings(log, rounds))


def with_payments(played: Round, index: int, paid: Mapping[tuple[int, str], int]) -> Round:
    """The round as it came out in the end: what was paid after a dispute counts as returned."""
    if not any(corrected == index for corrected, _ in paid):
        return played
    wagers = tuple(
        replace(wager, returned=wager.returned + paid.get((index, wager.id), 0))
        if wager.returned is not None
        else wager
        for wager in played.wagers
    )
    return replace(played, wagers=wagers)


def ungoverned(index: int, table: str, played: Round, why: NoRules) -> Draft:
    what = f"Round {played.round} at table {table}"
    return Draft(
        code="ROUND-NO-RULES", check=NO_RULES, index=index, table=table, at=min(first_events(played).values()),
        sentence=CODES["ROUND-NO-RULES"].says(what=what, found=why.reason, required=""), version=None,
        evidence=(index,),
    )  # fmt: skip


def _without_pay_table(seen: RoundSeen) -> Iterator[Draft]:
    """Wagers from terminals whose layout nobody recorded: there is no pay table to judge them by."""
    unknown = {wager.terminal for wager in seen.round.wagers if seen.circumstances.pay_table_of(wager.terminal) is None}
    if unknown:
        names = ", ".join(sorted(name or "no terminal" for name in unknown))
        yield ungoverned(seen.index, seen.table, seen.round, NoRules(f"no pay table is on record for {names}"))
