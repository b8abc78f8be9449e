"""Wagers whose settlement depends on a reading of the rules, by the document alone, whichever reading is adopted."""

from collections.abc import Callable, Iterator
from functools import lru_cache

import numpy as np

from compliance.audit.context.rules_in_force import load_rules_timeline
from compliance.audit.totals.clause_reading_impact import pay_table_cells_affected
from compliance.inspection.checklists.models import Sample
from compliance.inspection.checklists.sampling.sampled_columns import Indexes, SampledColumns
from rounds.engine import Pack, RulesInForce, compile_rules
from rounds.intake.columns.round_encoding import Flags, from_microseconds


def depends_on_reading(sample: Sample, _: int) -> Callable[[SampledColumns], Flags]:
    def rounds_depending_on_reading(columns: SampledColumns) -> Flags:
        governed_by, packs = _rule_document_by_round(sample, columns)
        found, bets = np.zeros(len(columns.wagers), np.bool_), columns.wagers["bet"]
        round_of = np.repeat(np.arange(len(columns.entries)), columns.counts)
        for number, pack in enumerate(packs):
            own = np.flatnonzero(((governed_by == number) & (columns.outcomes >= 0))[round_of])
            found[own] = _reading_dependent_cells(pack)[columns.outcomes[round_of[own]], bets[own]]
        return columns.rounds_with_any(found)

    return rounds_depending_on_reading


def _rule_document_by_round(sample: Sample, columns: SampledColumns) -> tuple[Indexes, list[Pack]]:
    """For each round the index of the rule document in force when it began; -1 if there was none."""
    governed_by, packs = np.full(len(columns.entries), -1, np.int64), list[Pack]()
    for rounds, pack in _rounds_by_rule_document(sample, columns):
        if pack not in packs:
            packs.append(pack)
        governed_by[rounds] = packs.index(pack)
    return governed_by, packs


def _rounds_by_rule_document(sample: Sample, columns: SampledColumns) -> Iterator[tuple[Indexes, Pack]]:
    """Rounds of one table between two rule changes, with the document in force when they began."""
    if not len(columns.entries):
        return
    began, ended = from_microseconds(int(columns.started.min())), from_microseconds(int(columns.started.max()))
    timelines = load_rules_timeline(sample.casino, columns.tables, began, ended)
    for table in columns.tables:
        rounds = columns.rounds_at(table)
        between = timelines.period_indexes(table, columns.started[rounds])
        for place in np.unique(between):
            own = rounds[between == place]
            found = timelines.rules_at(table, from_microseconds(int(columns.started[own[0]])))
            if isinstance(found, RulesInForce):
                yield own, found.pack


@lru_cache(maxsize=64)
def _reading_dependent_cells(pack: Pack) -> Flags:
    """By outcome and bet: whether two readings pay differently there under any of the document's pay tables."""
    cells = [pay_table_cells_affected(compile_rules(pack, pay_table)) for pay_table in pack.law.pay_table]
    depends: Flags = np.logical_or.reduce(cells)
    return depends
