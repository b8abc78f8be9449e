"""Warnings that people recorded: a wager of somebody who had been told is judged as one whose controller says so."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from msgspec.structs import replace as changed

from compliance.audit.seen import RoundSeen
from compliance.audit.stories import Looks, Story, read_stories
from rounds.intake.kinds.round import Wager

WARNING = "under-minimum-warning"
# A warning lasts for the gaming day; the longest is 25 hours, and rounds end after it.
LOOKS = Looks(frozenset({WARNING}), timedelta(hours=36))


def with_warnings(log: str, rounds: Iterable[RoundSeen]) -> list[RoundSeen]:
    """The rounds, with `warned` set where a record says so. Two queries, none where the rules know no warning."""
    rounds = list(rounds)
    asked = [(LOOKS, seen.table, seen.ended_at) for seen in rounds if _knows_warnings(seen)]
    stories = read_stories(log, asked)
    return [
        _told(seen, stories.before(LOOKS, seen.table, seen.ended_at)) if _knows_warnings(seen) else seen
        for seen in rounds
    ]


def _knows_warnings(seen: RoundSeen) -> bool:
    rule = seen.pack.law.settlement.under_minimum
    return rule is not None and rule.settled == "once-then-returned"


def _told(seen: RoundSeen, story: Story) -> RoundSeen:
    day = seen.round.gaming_day.isoformat()
    warnings = [each.body for each in story.happened if each.body["gaming_day"] == day]
    if not warnings:
        return seen
    wagers = tuple(
        changed(wager, warned=True) if any(_is_meant(warning, wager) for warning in warnings) else wager
        for wager in seen.round.wagers
    )
    return replace(seen, round=changed(seen.round, wagers=wagers))


def _is_meant(warning: dict[str, Any], wager: Wager) -> bool:
    """The same player, or the same seat where nobody is named; and told before the wager was placed."""
    is_same = warning["player"] == wager.player if warning["player"] else warning["seat"] == wager.seat
    return is_same and datetime.fromisoformat(warning["at"]) <= wager.placed_at
