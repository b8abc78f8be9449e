"""Compares odds posted at a table with the document's minimum odds, and cites the clause of each breach."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from rounds.engine.bets.odds_notation import format_odds
from rounds.engine.errors import EngineError, ErrorCode
from rounds.engine.pack.compiled_rules import BetRule, Rules
from rounds.engine.settle.settlement import PostedOdds


@dataclass(frozen=True, slots=True)
class PostedBelowMinimum:
    """One level of one bet posted below the document's minimum odds."""

    code: str
    level: str
    posted: Fraction
    minimum: Fraction
    clause: str

    @property
    def sentence(self) -> str:
        return (
            f"{self.code} is posted at {format_odds(self.posted)}, below the minimum of {format_odds(self.minimum)}"
            f" in clause {self.clause}"
        )


def find_posted_below_minimum(rules: Rules, posted: Mapping[str, PostedOdds]) -> list[PostedBelowMinimum]:
    """Every level posted below the minimum, in the order given. Empty where the document's odds are exact; bets that
    are not approved are skipped."""
    if rules.law.settlement.posted_odds_clause is None:
        return []
    return [
        PostedBelowMinimum(code, pay.level, odds, pay.odds, pay.clause)
        for code, given in posted.items()
        if (rule := rules.bets.get(code)) is not None
        for pay, odds in zip(rule.levels, posted_odds_by_level(rule, given), strict=True)
        if odds < pay.odds
    ]


def posted_odds_by_level(rule: BetRule, posted: PostedOdds) -> tuple[Fraction, ...]:
    """The odds posted for each level of a bet; a bet with one level has one."""
    odds = posted if isinstance(posted, tuple) else (posted,)
    if len(odds) != len(rule.levels):
        raise EngineError(
            ErrorCode.BAD_ODDS, f"{rule.bet.code} is posted at {len(rule.levels)} levels, not at {len(odds)}"
        )
    return odds
