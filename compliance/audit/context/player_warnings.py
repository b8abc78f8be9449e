"""Adds recorded warnings to each round: a warned player's wager counts as `warned`, as if the controller had said
so."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from msgspec.structs import replace as replace_struct

from compliance.audit.context.round_context import RoundContext
from compliance.audit.context.timeline import History, LookBack, read_histories
from rounds.intake.protocol.round import Wager

WARNING_KIND = "under-minimum-warning"
# A warning lasts for the gaming day. The longest has 25 hours, and rounds may end after it.
WARNING_LOOK_BACK = LookBack(frozenset({WARNING_KIND}), timedelta(hours=36))


def with_warnings(log: str, rounds: Iterable[RoundContext]) -> list[RoundContext]:
    """The rounds, with `warned` set on wagers. Two queries; none where the rules have no warnings."""
    rounds = list(rounds)
    requests = [
        (WARNING_LOOK_BACK, context.table, context.ended_at) for context in rounds if _has_warning_rule(context)
    ]
    histories = read_histories(log, requests)
    return [
        _with_warned_wagers(context, histories.history_before(WARNING_LOOK_BACK, context.table, context.ended_at))
        if _has_warning_rule(context)
        else context
        for context in rounds
    ]


def _has_warning_rule(context: RoundContext) -> bool:
    rule = context.pack.law.settlement.under_minimum
    return rule is not None and rule.settled == "once-then-returned"


def _with_warned_wagers(context: RoundContext, history: History) -> RoundContext:
    day = context.round.gaming_day.isoformat()
    warnings = [each.body for each in history.events if each.body["gaming_day"] == day]
    if not warnings:
        return context
    wagers = tuple(
        replace_struct(wager, warned=True)
        if any(_warning_applies_to(warning, wager) for warning in warnings)
        else wager
        for wager in context.round.wagers
    )
    return replace(context, round=replace_struct(context.round, wagers=wagers))


def _warning_applies_to(warning: dict[str, Any], wager: Wager) -> bool:
    """Same player, or same seat where no player is named; and warned before the wager was placed."""
    is_same = warning["player"] == wager.player if warning["player"] else warning["seat"] == wager.seat
    return is_same and datetime.fromisoformat(warning["at"]) <= wager.placed_at
