"""Adds to each round what people recorded while it was on: warnings about the minimum, limits of single players,
refused wagers, and wagers found above the maximum, which do not stand in full."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from compliance.audit.context.entry_source import EntrySource
from compliance.audit.context.round_context import RoundContext
from compliance.audit.context.timeline import HistoryReader, LookBack, read_histories
from rounds.engine import Pack
from rounds.intake import round_records
from rounds.intake.entry_kinds import UNDER_MINIMUM_WARNING, WAGER_REFUSAL
from rounds.intake.round_records import RecordedAct

WARNINGS = LookBack(frozenset({UNDER_MINIMUM_WARNING}), round_records.LOOK_BACK)
PLAYER_LIMITS = LookBack(round_records.PLAYER_LIMIT_KINDS, round_records.LOOK_BACK)
REFUSALS = LookBack(frozenset({WAGER_REFUSAL}), round_records.LOOK_BACK)


def with_recorded_acts(source: EntrySource, rounds: Iterable[RoundContext]) -> list[RoundContext]:
    """The rounds, with `warned` set on wagers, recorded limits of players, `recorded_refusals` and
    `over_limit_reports`. Two queries; none where the rules depend on none of them."""
    rounds = list(rounds)
    requests = [
        (look_back, context.table, context.ended_at) for context in rounds for look_back in _look_backs(context.pack)
    ]
    histories = read_histories(source, requests)
    return [_with_acts(context, histories) for context in rounds] if requests else rounds


def _look_backs(pack: Pack) -> list[LookBack]:
    needed = (
        (WARNINGS, round_records.has_warnings(pack)),
        (PLAYER_LIMITS, round_records.has_player_limits(pack)),
        (REFUSALS, round_records.has_recorded_refusals(pack)),
    )
    return [look_back for look_back, is_needed in needed if is_needed]


def _with_acts(context: RoundContext, histories: HistoryReader) -> RoundContext:
    for look_back in _look_backs(context.pack):
        history = histories.history_before(look_back, context.table, context.ended_at)
        acts = [RecordedAct(each.index, each.at, each.body) for each in history.events]
        if acts and look_back is WARNINGS:
            context = replace(context, round=round_records.with_warned_wagers(context.round, acts))
        elif acts and look_back is PLAYER_LIMITS:
            context = round_records.with_player_limits(context, acts)
        elif acts:
            context = round_records.with_refusals(context, context.index, acts)
    return context
