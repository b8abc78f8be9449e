"""The calculator's answer, prepared for the template."""

from __future__ import annotations

from dataclasses import dataclass

from compliance.core.web.ui.components import Tag
from rounds.engine import Outcome, Verdict, bets, format_odds, settle
from rounds.rulebook.calculator.available_rules import AvailableRules
from rounds.rulebook.calculator.calculation import Calculation
from rounds.rulebook.labels import VERDICT_TAGS, box_name, humanize_slug, step_text_with_names

# Shown instead of an amount for these verdicts.
NOTHING_DUE = {
    Verdict.OPEN: "Nothing is due yet",
    Verdict.UNAPPROVED: "The rules give no verdict on this wager",
}


@dataclass(frozen=True)
class AlternativeDisplay:
    """The result under one alternative reading of a clause."""

    reading: str
    choice: str
    clause: str
    explains: str
    verdict: Tag
    returned_cents: int | None


@dataclass(frozen=True)
class AnswerDisplay:
    verdict: Tag
    nothing_due: str
    returned_cents: int | None
    winnings_cents: int | None
    odds: str
    box: str
    stake_cents: int
    result: Outcome | None
    history: tuple[str, ...]
    steps: tuple[tuple[str, str], ...]
    others: tuple[AlternativeDisplay, ...]
    departures: tuple[tuple[str, str], ...]
    pay_table: str
    pack_name: str
    pack_sha256: str
    truth_sha256: str


def build_answer_display(answer: Calculation, chosen: AvailableRules) -> AnswerDisplay:
    rules, question, settlement = answer.rules, answer.question, answer.settlement
    return AnswerDisplay(
        verdict=VERDICT_TAGS[settlement.verdict],
        nothing_due=NOTHING_DUE.get(settlement.verdict, ""),
        returned_cents=settlement.returned_cents,
        winnings_cents=settlement.winnings_cents,
        odds="" if settlement.odds is None else format_odds(settlement.odds),
        box=box_name(rules, question.bet),
        stake_cents=question.stake_cents,
        result=question.outcome,
        history=tuple("no result" if each is None else bets.format_outcome(each) for each in question.history),
        steps=tuple((step_text_with_names(rules, step), step.clause) for step in settlement.steps),
        others=tuple(_build_alternative_display(answer, each) for each in answer.others),
        departures=tuple(_readings_not_adopted(answer, chosen)),
        pay_table=rules.pay_table,
        pack_name=rules.pack.name,
        pack_sha256=rules.pack.pack_sha256,
        truth_sha256=answer.truth_sha256,
    )


def _build_alternative_display(answer: Calculation, other: settle.Alternative) -> AlternativeDisplay:
    reading = answer.rules.pack.readings[other.reading]
    assert other.verdict is not None
    return AlternativeDisplay(
        reading=humanize_slug(other.reading),
        choice=humanize_slug(other.choice),
        clause=reading.clause,
        explains=reading.choices[other.choice].explains,
        verdict=VERDICT_TAGS[other.verdict],
        returned_cents=other.returned_cents,
    )


def _readings_not_adopted(answer: Calculation, chosen: AvailableRules) -> list[tuple[str, str]]:
    """The readings chosen on the page that differ from those adopted by the version."""
    readings = answer.rules.pack.readings
    return [
        (humanize_slug(name), humanize_slug(choice))
        for name, choice in answer.rules.adopted
        if choice != chosen.adopted.get(name, readings[name].default)
    ]
