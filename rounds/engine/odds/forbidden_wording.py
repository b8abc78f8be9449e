"""Finds odds stated with a forbidden word or no allowed one: "60 for 1" includes the stake, "60 to 1" does not.

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
# Odds without a word: "24:1"; "24/1" and "24-1" only after a word for paying, because they may be dates or scores; and
# multiples of the stake, "pays 25 times" or "25 times your stake".
_PAYS = r"\b(?:pay(?:s|ing|outs?)?|paid|odds|returns?)\s{1,4}(?:(?:of|at|is|are)\s{1,4})?"
_STAKE = r"(?:your|the|a)\s{1,4}(?:stake|bet|wager|money)\b"
_TIMES = r"\s{0,4}(?:times\b|x\b|×|-?fold\b)"
_WORDLESS = re.compile(
    rf"(?<![\d:.,/])\d{{1,6}}(?P<colon>\s?:\s?)1(?![\d:/]|[.,]\d)"
    rf"|{_PAYS}(?P<paid>{_NUMBER}{_TIMES})"
    rf"|{_PAYS}(?P<slashed>(?<![\d.,/])\d{{1,6}}\s?[/\-‐-―]\s?1(?![\d/]|[.,]\d))"
    rf"|{_NUMBER}{_TIMES}\s{{1,4}}{_STAKE}",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class WordingProblem:
    """Odds stated with a forbidden word, or with no allowed one (`word` is empty): the text as written and its position
    (line and column count from 1)."""

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
        if not self.word:
            return f"Line {self.line}: “{self.found}” states odds without {allowed} (clause {self.clause})."
        return (
            f"Line {self.line}: “{self.found}” states odds with “{self.word}”; use {allowed} (clause {self.clause}). "
            f"Odds worded “{self.word}” count the stake in, so check the figures before you change the word."
        )


def find_wording_problems(text: str, wording: OddsWording | None) -> list[WordingProblem]:
    """Every statement of odds with a forbidden word or without an allowed one, in text order. A document without this
    duty forbids none."""
    if wording is None or not wording.words_forbidden:
        return []
    forbidden, worded = {word.casefold() for word in wording.words_forbidden}, []
    found = []
    for match in _odds_pattern(wording).finditer(text):
        worded.append(match.span())
        if match["word"].casefold() in forbidden:
            found.append(_build_problem(text, match.span(), match["word"], wording))
    for match in _WORDLESS.finditer(text):
        start, end = match.span("paid" if match["paid"] else "slashed" if match["slashed"] else 0)
        if all(end <= first or start >= last for first, last in worded):
            found.append(_build_problem(text, (start, end), "", wording))
    return sorted(found, key=lambda problem: problem.start)


def find_posted_odds_problems(text: str, wording: OddsWording | None) -> list[WordingProblem]:
    """Like find_wording_problems, for a text that is known to state odds: figures without an allowed word are one."""
    found = find_wording_problems(text, wording)
    if wording is None or found or not re.search(r"\d", text):
        return found
    is_worded = re.search(_any_word_pattern(wording.words_allowed), text, re.IGNORECASE)
    return [] if is_worded or not wording.words_allowed else [_build_problem(text, (0, len(text)), "", wording)]


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


def _build_problem(text: str, span: tuple[int, int], word: str, wording: OddsWording) -> WordingProblem:
    start, end = span
    before = text[:start]
    return WordingProblem(
        found=" ".join(text[start:end].split()),
        word=word,
        start=start,
        end=end,
        line=before.count("\n") + 1,
        column=start - (before.rfind("\n") + 1) + 1,
        clause=wording.clause,
        words_allowed=wording.words_allowed,
    )
