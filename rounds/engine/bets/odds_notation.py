"""Odds as exact fractions, parsed and formatted. "8.5 to 1", "5 1/2 to 1" and "1 to 10" all exclude the stake."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache

from rounds.engine.errors import EngineError, ErrorCode

_NUMBER = r"(?:\d{1,6}(?:\.\d{1,6})?|\d{1,6}/\d{1,6}|\d{1,6} \d{1,6}/\d{1,6})"
_ODDS = re.compile(rf"({_NUMBER}) to ({_NUMBER})", re.ASCII)


def parse_odds(raw: object) -> Fraction:
    """Parses "N to M" into a fraction. Any other wording is refused, and so are odds of zero."""
    match = _ODDS.fullmatch(raw) if isinstance(raw, str) and len(raw) <= 60 else None
    if match is not None:
        won, staked = _parse_number(match[1]), _parse_number(match[2])
        if won and staked:
            return won / staked
    raise EngineError(ErrorCode.BAD_ODDS, f'{repr(raw)[:60]} is not odds: expected wording such as "8.5 to 1"')


def _parse_number(text: str) -> Fraction:
    """A whole, decimal or mixed number. A zero denominator gives 0, which parse_odds() refuses."""
    whole, _, part = text.rpartition(" ")
    top, slash, bottom = part.partition("/")
    if not slash:
        return Fraction(part)
    return Fraction(int(whole or 0)) + Fraction(int(top), int(bottom)) if int(bottom) else Fraction(0)


@lru_cache(maxsize=4096)
def format_odds(odds: Fraction) -> str:
    """The canonical wording: "1 to 10" below evens, "8.5 to 1" where a decimal is exact, else "5 1/3 to 1"."""
    if odds < 1:
        return f"{odds.numerator} to {odds.denominator}"
    whole, rest = divmod(odds.numerator, odds.denominator)
    if not rest:
        return f"{whole} to 1"
    if 1_000_000 % odds.denominator == 0:
        decimals = f"{rest * 1_000_000 // odds.denominator:06d}".rstrip("0")
        return f"{whole}.{decimals} to 1"
    return f"{whole} {rest}/{odds.denominator} to 1"
