"""Finds odds stated with a forbidden word in a text: "60 for 1" includes the stake, "60 to 1" does not.

The pack lists allowed and forbidden words in `duties.odds_wording`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from rounds.engine.pack.table_duties import OddsWording

_WORD_FOR_A_NUMBER = (
    "(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen"
    "|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred)"
)
# Every repetition is bounded, so that no input causes catastrophic backtracking.
_SPELT = rf"\b{_WORD_FOR_A_NUMBER}(?:[\s-]{{1,4}}(?:and[\s-]{{1,4}})?{_WORD_FOR_A_NUMBER}){{0,4}}\b"
_FIGURES = r"(?<![\d.,/])\d{1,9}(?:[.,]\d{1,6}){0,3}(?:\s{1,4}\d{1,3}/\d{1,3}|/\d{1,3}|\s?[½¼¾])?(?![\d/]|[.,]\d)"
_NUMBER = rf"(?:[$€£]\s?)?(?:{_FIGURES}|{_SPELT})"
# What may stand around the word: "$60 for every $1", "60 units for one unit", "sixty-for-one".
_GAP = r"[\s\-‐-―]{1,12}"
_UNIT = r"(?:\s{1,4}(?:dollars?|cents?|units?|chips?))?"
_EACH = r"(?:(?:each|every)\s{1,4})?"
_ONE = r"(?:a|each|every)\s{1,4}(?:dollar|cent|unit|chip)\b"


@dataclass(frozen=True, slots=True)
class WordingProblem:
    """Odds stated with a forbidden word: the text as written and its position (line and column count from 1)."""

    found: str
    word: str
    start: int
    end: int
    line: int
    column: int
    clause: str
    words_allowed: tuple[str, ...]

    @property
    def sentence(self) -> str:
        allowed = " or ".join(f"“{word}”" for word in self.words_allowed)
        return (
            f"Line {self.line}: “{self.found}” states odds with “{self.word}”; use {allowed} (clause {self.clause}). "
            f"Odds worded “{self.word}” count the stake in, so check the figures before you change the word."
        )


def find_wording_problems(text: str, wording: OddsWording | None) -> list[WordingProblem]:
    """Every statement of odds with a forbidden word, in text order. A document without this duty forbids none."""
    if wording is None or not wording.words_forbidden:
        return []
    forbidden = {word.casefold() for word in wording.words_forbidden}
    return [
        _build_problem(text, match, wording)
        for match in _odds_pattern(wording).finditer(text)
        if match["word"].casefold() in forbidden
    ]


@lru_cache(maxsize=16)
def _odds_pattern(wording: OddsWording) -> re.Pattern[str]:
    """Matches odds stated with any of the words, allowed or forbidden.

    Allowed odds must match too, because matches do not overlap: in "150 to 1 for 3 of a kind" the first match consumes
    the 1, and in "4 for 60 to 1" the lookahead keeps the 60 from ending a match."""
    allowed, every = (
        _any_word_pattern(wording.words_allowed),
        _any_word_pattern((*wording.words_allowed, *wording.words_forbidden)),
    )
    pattern = (
        rf"{_NUMBER}{_UNIT}{_GAP}(?P<word>{every}){_GAP}(?:{_EACH}{_NUMBER}|{_ONE})"
        rf"(?!{_UNIT}{_GAP}{allowed}{_GAP}{_NUMBER})"
    )
    return re.compile(pattern, re.IGNORECASE)


def _any_word_pattern(words: Sequence[str]) -> str:
    # A pack may allow no word: (?!) never matches.
    return "(?:" + "|".join(rf"\b{re.escape(word)}\b" for word in words) + ")" if words else r"(?!)"


def _build_problem(text: str, match: re.Match[str], wording: OddsWording) -> WordingProblem:
    before = text[: match.start()]
    return WordingProblem(
        found=" ".join(match[0].split()),
        word=match["word"],
        start=match.start(),
        end=match.end(),
        line=before.count("\n") + 1,
        column=match.start() - (before.rfind("\n") + 1) + 1,
        clause=wording.clause,
        words_allowed=wording.words_allowed,
    )
