"""Check of posted odds: not below the minimum the rules allow, and worded as the rules ask."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from compliance.audit.catalogue.table_codes import ODDS_BELOW_MINIMUM, ODDS_WORDING
from compliance.audit.checks.shared.check_types import TimelineCheck
from compliance.audit.context.finding_draft import FindingDraft
from compliance.audit.context.timeline import EventContext, LookBack
from rounds.engine import EngineError, Rules, format_odds, parse_odds, settle
from rounds.engine import odds as engine_odds
from rounds.engine.pack import OddsWording
from rounds.floor.entry_kinds import TABLE_FACTS
from rounds.intake.entry_kinds import POSTED_ODDS_SHOWN


@dataclass(frozen=True)
class PostedOddsReport:
    """Odds as posted, reported by the table or recorded by a person. A brochure posts no odds; only its wording is
    checked."""

    where: str
    odds: Mapping[str, str | tuple[str, ...]]
    wording: str
    is_posted: bool = True

    def wording_problems(self, wording: OddsWording | None) -> Iterator[engine_odds.WordingProblem]:
        for odds in self.odds.values():
            for text in (odds,) if isinstance(odds, str) else odds:
                yield from engine_odds.find_posted_odds_problems(text, wording)
        yield from engine_odds.find_wording_problems(self.wording, wording)


def check_posted_odds(context: EventContext) -> Iterator[FindingDraft]:
    """ODDS-BELOW-MINIMUM (`duties.posted_odds`) and ODDS-WORDING (`duties.odds_wording`)."""
    posted = _read_posted_odds(context)
    if posted is None or context.rules_in_force is None:
        return
    duties, pay_table = context.rules_in_force.pack.duties, context.rules_in_force.pay_table
    if duties.posted_odds is not None and posted.is_posted and pay_table is not None:
        below = list(_odds_below_minimum(context.rules_in_force.rules_for_pay_table(pay_table), posted))
        if below:
            yield _too_low_draft(context, below)
    worded = list(posted.wording_problems(duties.odds_wording))
    if worded:
        yield _wording_draft(context, posted, worded)


def _read_posted_odds(context: EventContext) -> PostedOddsReport | None:
    body = context.body
    if context.event.kind == POSTED_ODDS_SHOWN:
        return PostedOddsReport(f"The {body.where}", body.odds, body.wording or "", body.where != "brochure")
    if body["name"] != "posted-odds":
        return None
    odds = {code: odds if isinstance(odds, str) else tuple(odds) for code, odds in body["value"]["odds"].items()}
    return PostedOddsReport("The layout", odds, body["value"].get("wording") or "")


def _odds_below_minimum(rules: Rules, posted: PostedOddsReport) -> Iterator[settle.PostedBelowMinimum]:
    """Text that cannot be parsed as odds is skipped here; the wording check reports it."""
    for code, odds in posted.odds.items():
        texts = (odds,) if isinstance(odds, str) else odds
        try:
            yield from settle.find_posted_below_minimum(rules, {code: tuple(map(parse_odds, texts))})
        except EngineError:
            continue


def _too_low_draft(context: EventContext, below: list[settle.PostedBelowMinimum]) -> FindingDraft:
    return context.draft(
        ODDS_BELOW_MINIMUM,
        clause=below[0].clause,
        what=", ".join(each.code.replace(":", " ") for each in below),
        found=", ".join(format_odds(each.posted) for each in below),
        required=", ".join(format_odds(each.minimum) for each in below),
        explanation=tuple(f"{each.sentence}." for each in below),
    )


def _wording_draft(
    context: EventContext, posted: PostedOddsReport, worded: list[engine_odds.WordingProblem]
) -> FindingDraft:
    return context.draft(
        ODDS_WORDING,
        clause=worded[0].clause,
        what=posted.where,
        found=", ".join(dict.fromkeys(f"“{problem.found}”" for problem in worded)),
        required=" or ".join(f"“{word}”" for word in worded[0].words_allowed),
        explanation=tuple(problem.sentence for problem in worded),
    )


CHECKS = (
    TimelineCheck(
        frozenset({ODDS_BELOW_MINIMUM, ODDS_WORDING}),
        frozenset({POSTED_ODDS_SHOWN, TABLE_FACTS}),
        check_posted_odds,
        LookBack(),
    ),
)
