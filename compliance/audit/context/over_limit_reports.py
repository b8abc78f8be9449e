"""Adds to each round the records of wagers found above the maximum while the round was on. These wagers do not stand in
full."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta

from compliance.audit.context.round_context import RoundContext
from compliance.audit.context.timeline import EventAt, History, LookBack, read_histories
from rounds.engine import pack

REFUSED, LIMIT_GROUNDS = "wager-refusal", "limits"
REFUSAL_LOOK_BACK = LookBack(frozenset({REFUSED}), timedelta(hours=36))


def with_over_limit_reports(log: str, rounds: Iterable[RoundContext]) -> list[RoundContext]:
    """The rounds, with `over_limit_reports` set. Two queries; none where the rules do not depend on when a wager was
    found."""
    rounds = list(rounds)
    requests = [
        (REFUSAL_LOOK_BACK, context.table, context.ended_at) for context in rounds if _depends_on_report_time(context)
    ]
    histories = read_histories(log, requests)
    return [
        replace(
            context,
            over_limit_reports=_reported_wagers(
                context, histories.history_before(REFUSAL_LOOK_BACK, context.table, context.ended_at)
            ),
        )
        if _depends_on_report_time(context)
        else context
        for context in rounds
    ]


def _depends_on_report_time(context: RoundContext) -> bool:
    rule = context.pack.law.settlement.over_maximum
    return rule is not None and rule.found_on_a_later_game == "stands"


def _reported_wagers(context: RoundContext, history: History) -> dict[str, int]:
    """By wager, the entry of the record. A wager id without entry index means the round that was on at that time."""
    settled_at = min(
        (context.events[name] for name in pack.PAYOUT_EVENTS if name in context.events), default=context.ended_at
    )
    began_at = min(context.events.values())
    on_time = [each for each in history.events if each.body["grounds"] == LIMIT_GROUNDS and each.at <= settled_at]
    return {
        name: each.index for each in on_time for name in _wagers_named(each, context.index, is_on=each.at >= began_at)
    }


def _wagers_named(each: EventAt, index: int, *, is_on: bool) -> list[str]:
    split = [name.rpartition(":") for name in each.body["wagers"]]
    return [wager for entry, _, wager in split if entry == str(index) or (not entry and is_on)]
