"""Wagers above the maximum that somebody found while their round was on, as recorded: these do not stand in full."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta

from compliance.audit.checks.conduct import PAYING
from compliance.audit.seen import RoundSeen
from compliance.audit.stories import Happened, Looks, Story, read_stories

REFUSED, GROUNDS = "wager-refusal", "limits"
LOOKS = Looks(frozenset({REFUSED}), timedelta(hours=36))


def with_found(log: str, rounds: Iterable[RoundSeen]) -> list[RoundSeen]:
    """The rounds, with the records that name such wagers. Two queries, none where the rules do not ask when."""
    rounds = list(rounds)
    asked = [(LOOKS, seen.table, seen.ended_at) for seen in rounds if _asks_when(seen)]
    stories = read_stories(log, asked)
    return [
        replace(seen, found_over=_found(seen, stories.before(LOOKS, seen.table, seen.ended_at)))
        if _asks_when(seen)
        else seen
        for seen in rounds
    ]


def _asks_when(seen: RoundSeen) -> bool:
    rule = seen.pack.law.settlement.over_maximum
    return rule is not None and rule.found_on_a_later_game == "stands"


def _found(seen: RoundSeen, story: Story) -> dict[str, int]:
    """By wager, the entry of the record. A wager's bare number is meant in the round that was on at the time."""
    settled_at = min((seen.events[name] for name in PAYING if name in seen.events), default=seen.ended_at)
    began_at = min(seen.events.values())
    on_time = [each for each in story.happened if each.body["grounds"] == GROUNDS and each.at <= settled_at]
    return {name: each.index for each in on_time for name in _named(each, seen.index, is_on=each.at >= began_at)}


def _named(each: Happened, index: int, *, is_on: bool) -> list[str]:
    split = [name.rpartition(":") for name in each.body["wagers"]]
    return [wager for entry, _, wager in split if entry == str(index) or (not entry and is_on)]
