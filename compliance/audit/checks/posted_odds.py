"""Odds as a table posts them: not below the least that the rules allow, and worded as the rules ask."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from compliance.audit.checks.ways_in import OverTime
from compliance.audit.drafts import Draft
from compliance.audit.stories import Looks, Subject
from rounds.engine.errors import EngineError
from rounds.engine.odds import format_odds, parse_odds
from rounds.engine.odds_wording import WordingProblem, wording_problems
from rounds.engine.posted_odds import BelowMinimum, posted_below_minimum
from rounds.engine.rules import Rules

REPORTED, STATED = "posted-odds-shown", "table-facts"


@dataclass(frozen=True)
class Posted:
    """What was said about odds, by the table itself or by a person. A brochure posts nothing; its words count."""

    where: str
    odds: Mapping[str, str | tuple[str, ...]]
    wording: str
    is_posted: bool = True

    @property
    def texts(self) -> Iterator[str]:
        for odds in self.odds.values():
            yield from (odds,) if isinstance(odds, str) else odds
        yield self.wording


def judge(subject: Subject) -> Iterator[Draft]:
    posted = _posted(subject)
    if posted is None or subject.circumstances is None:
        return
    duties, pay_table = subject.circumstances.pack.duties, subject.circumstances.pay_table
    if duties.posted_odds is not None and posted.is_posted and pay_table is not None:
        below = list(_below_minimum(subject.circumstances.rules(pay_table), posted))
        if below:
            yield _too_low(subject, below)
    worded = [problem for text in posted.texts for problem in wording_problems(text, duties.odds_wording)]
    if worded:
        yield _badly_worded(subject, posted, worded)


def _posted(subject: Subject) -> Posted | None:
    body = subject.body
    if subject.happened.kind == REPORTED:
        return Posted(f"The {body.where}", body.odds, body.wording or "", body.where != "brochure")
    if body["name"] != "posted-odds":
        return None
    odds = {code: odds if isinstance(odds, str) else tuple(odds) for code, odds in body["value"]["odds"].items()}
    return Posted("The layout", odds, body["value"].get("wording") or "")


def _below_minimum(rules: Rules, posted: Posted) -> Iterator[BelowMinimum]:
    """Odds that are not worded as odds cannot be too low; how they are worded is the other question."""
    for code, odds in posted.odds.items():
        texts = (odds,) if isinstance(odds, str) else odds
        try:
            yield from posted_below_minimum(rules, {code: tuple(map(parse_odds, texts))})
        except EngineError:
            continue


def _too_low(subject: Subject, below: list[BelowMinimum]) -> Draft:
    return subject.draft(
        "ODDS-BELOW-MINIMUM", clause=below[0].clause,
        what=", ".join(each.code.replace(":", " ") for each in below),
        found=", ".join(format_odds(each.posted) for each in below),
        required=", ".join(format_odds(each.minimum) for each in below),
        explanation=tuple(f"{each.sentence}." for each in below),
    )  # fmt: skip


def _badly_worded(subject: Subject, posted: Posted, worded: list[WordingProblem]) -> Draft:
    return subject.draft(
        "ODDS-WORDING", clause=worded[0].clause, what=posted.where,
        found=", ".join(dict.fromkeys(f"“{problem.found}”" for problem in worded)),
        required=" or ".join(f"“{word}”" for word in worded[0].words_allowed),
        explanation=tuple(problem.sentence for problem in worded),
    )  # fmt: skip


CHECKS = (
    OverTime(
        frozenset({"ODDS-BELOW-MINIMUM", "ODDS-WORDING"}), frozenset({REPORTED, STATED}), judge, Looks()
    ),
)  # fmt: skip
