"""The table's own counter of streaks, as its screen showed it after a round: a second witness to the count."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from compliance.accounts.models import Casino
from compliance.audit.catalogue import CODES
from compliance.audit.checks.ways_in import StretchCheck
from compliance.audit.circumstances import timelines_of
from compliance.audit.drafts import Draft, check_of
from compliance.audit.models import Happening
from compliance.audit.seen import Circumstances
from compliance.audit.streaks import Result, results_by_round
from rounds.engine.streak import TableResult, TableRun, table_run
from rounds.intake.kinds.lines import read_line
from rounds.intake.kinds.table import Streak, StreakState
from rounds.ledger.following import Recorded, read_entries_at

CODE, STATE = "STREAK-MISCOUNT", "streak-state"


@dataclass(frozen=True)
class Shown:
    """One screen, with the results that it counts: the last of the gaming day up to the round it names."""

    entry: Recorded
    state: StreakState
    results: Sequence[Result]
    circumstances: Circumstances

    def misses(self) -> Iterator[tuple[Streak, TableRun]]:
        """What it shows that is not so, beside what is."""
        pay_table = self.circumstances.pay_table_of(None)
        if pay_table is None or self.circumstances.pack.law.streak is None:
            return
        rules = self.circumstances.rules(pay_table)
        results = [TableResult(one.outcome, one.have_lights_failed) for one in self.results]
        for streak in self.state.streaks:
            run = table_run(rules, streak.pair, results)
            if (streak.length, streak.side) != (run.length, run.direction):
                yield streak, run


def judge(casino: Casino, first: int, last: int) -> Iterator[Draft]:
    for shown in _shown(casino, first, last):
        wrong = list(shown.misses())
        if wrong:
            yield _draft(shown, wrong)


def _shown(casino: Casino, first: int, last: int) -> Iterator[Shown]:
    """A fixed number of queries for a stretch, one where it has no screens."""
    rows = Happening.objects.filter(log=casino.slug, kind=STATE, entry_index__gte=first, entry_index__lt=last)
    times = dict(rows.filter(taken_back_index=None).values_list("entry_index", "at"))
    if not times:
        return
    entries = read_entries_at(casino.slug, list(times))
    states = [(entry, body) for entry in entries if isinstance(body := read_line(entry.body).body, StreakState)]
    tables = {entry.table or "" for entry, _ in states}
    timelines = timelines_of(casino, tables, min(times.values()), max(times.values()))
    results = results_by_round(casino.slug, tables, {state.round for _, state in states if state.round})
    for entry, state in states:
        governing = timelines.at(entry.table or "", times[entry.index])
        counted = results.get((entry.table or "", state.round or ""))
        if isinstance(governing, Circumstances) and counted:
            yield Shown(entry, state, counted, governing)


def _draft(shown: Shown, wrong: Sequence[tuple[Streak, TableRun]]) -> Draft:
    streak, version = shown.circumstances.pack.law.streak, shown.circumstances.version
    assert streak is not None
    sentence = CODES[CODE].says(
        what=f"The count after round {shown.state.round}",
        required=" and ".join(_words(shown.pair, run.direction, run.length) for shown, run in wrong),
        found=" and ".join(_words(shown.pair, shown.side, shown.length) for shown, _ in wrong) + " on its screen",
    )
    return Draft(
        code=CODE, check=check_of(CODE), index=shown.entry.index, table=shown.entry.table or "",
        at=read_line(shown.entry.body).at, sentence=sentence, version=version.id, clause=streak.clause,
        evidence=(shown.entry.index, shown.results[-1].index, version.entry_index),
    )  # fmt: skip


def _words(pair: str, side: str | None, length: int) -> str:
    return f"{length} in a row for {side or pair}"


CHECK = StretchCheck(frozenset({CODE}), judge)
