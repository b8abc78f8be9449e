"""The truth table of compiled rules: what every bet pays at every outcome, its digest, and the diff of two tables."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from rounds.engine.bets.bet_codes import BET_CODES
from rounds.engine.bets.dice_outcomes import OUTCOMES, Outcome, format_outcome
from rounds.engine.bets.odds_notation import format_odds
from rounds.engine.pack.compiled_rules import LevelPay, Rules


def truth_table_rows(rules: Rules) -> Iterator[str]:
    """One line of text for each bet and outcome, in canonical order, then the lines on Super Streak."""
    for code in BET_CODES:
        rule = rules.bets.get(code)
        if rule is not None:
            for outcome, pay in zip(OUTCOMES, rule.by_outcome, strict=True):
                floor = "at least " if pay is not None and pay.is_minimum else ""
                yield f"{code} {format_outcome(outcome)} {'loses' if pay is None else floor + format_odds(pay.odds)}"
    yield from _streak_table_rows(rules)


def _streak_table_rows(rules: Rules) -> Iterator[str]:
    streak = rules.law.streak
    if streak is None:
        return
    yield f"streak counts from {streak.counts_from}"
    for count, odds in streak.pays.items():
        yield f"streak {count} {format_odds(odds)}"
    for pair, sides in rules.streak_sides.items():
        for outcome, side in zip(OUTCOMES, sides, strict=True):
            yield f"streak {pair} {format_outcome(outcome)} {side}"


@lru_cache(maxsize=256)
def truth_table_sha256(rules: Rules) -> str:
    """The digest that identifies the truth table in audit records. Cached: every explained wager needs it."""
    digest = hashlib.sha256()
    for row in truth_table_rows(rules):
        digest.update(row.encode())
        digest.update(b"\n")
    return digest.hexdigest()


@dataclass(frozen=True, slots=True)
class TruthTableDifference:
    """One cell that differs. `before` or `after` None: the bet loses, or is not approved on that side.

    `was_minimum` and `is_minimum`: the odds are minimums. Equal odds that are no longer a minimum count as a
    difference, because a table may then no longer post higher odds.
    """

    code: str
    outcome: Outcome
    before: Fraction | None
    after: Fraction | None
    was_approved: bool
    is_approved: bool
    was_minimum: bool = False
    is_minimum: bool = False


def truth_table_differences(before: Rules, after: Rules) -> list[TruthTableDifference]:
    """Every cell that the two rule sets settle differently, in canonical order."""
    found = []
    for code in BET_CODES:
        old, new = before.bets.get(code), after.bets.get(code)
        if old is None and new is None:
            continue
        approved = (old is not None, new is not None)
        for index, outcome in enumerate(OUTCOMES):
            was = _cell_value(None if old is None else old.by_outcome[index])
            now = _cell_value(None if new is None else new.by_outcome[index])
            if was != now or approved[0] != approved[1]:
                found.append(TruthTableDifference(code, outcome, was[0], now[0], *approved, was[1], now[1]))
    return found


def _cell_value(pay: LevelPay | None) -> tuple[Fraction | None, bool]:
    """The odds of a cell, and whether they are a minimum."""
    return (None, False) if pay is None else (pay.odds, pay.is_minimum)


def streak_differences(before: Rules, after: Rules) -> list[tuple[str, str]]:
    """Super Streak rows that only one of the two tables has, each marked "before" or "after"."""
    old, new = list(_streak_table_rows(before)), list(_streak_table_rows(after))
    gone, come = set(old) - set(new), set(new) - set(old)
    return [("before", row) for row in old if row in gone] + [("after", row) for row in new if row in come]
