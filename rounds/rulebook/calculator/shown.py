"""An answer in the words of the page."""

from __future__ import annotations

from dataclasses import dataclass

from compliance.web.components import Tag
from rounds.engine.alternatives import Alternative
from rounds.engine.odds import format_odds
from rounds.engine.outcomes import Outcome, show
from rounds.engine.settlement import Verdict
from rounds.rulebook.calculator.at_hand import RulesAtHand
from rounds.rulebook.calculator.question import Answer
from rounds.rulebook.calculator.words import VERDICTS, box_name, plain, step_in_words

# Where nothing is handed back: why not.
NOTHING_DUE = {
    Verdict.OPEN: "Nothing is due yet",
    Verdict.UNAPPROVED: "The rules give no verdict on this wager",
}


@dataclass(frozen=True)
class Otherwise:
    """What one other reading of a clause would give."""

    reading: str
    choice: str
    clause: str
    explains: str
    verdict: Tag
    returned_cents: int | None


@dataclass(frozen=True)
class Shown:
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
    others: tuple[Otherwise, ...]
    departures: tuple[tuple[str, str], ...]
    pay_table: str
    pack_name: str
    pack_sha256: str
    truth_sha256: str


def shown(answer: Answer, chosen: RulesAtHand) -> Shown:
    rules, asked, settlement = answer.rules, answer.asked, answer.settlement
    return Shown(
        verdict=VERDICTS[settlement.verdict],
        nothing_due=NOTHING_DUE.get(settlement.verdict, ""),
        returned_cents=settlement.returned_cents,
        winnings_cents=settlement.winnings_cents,
        odds="" if settlement.odds is None else format_odds(settlement.odds),
        box=box_name(rules, asked.bet),
        stake_cents=asked.stake_cents,
        result=asked.outcome,
        history=tuple("no result" if each is None else show(each) for each in asked.history),
        steps=tuple((step_in_words(rules, step), step.clause) for step in settlement.steps),
        others=tuple(_otherwise(answer, each) for each in answer.others),
        departures=tuple(_departures(answer, chosen)),
        pay_table=rules.pay_table,
        pack_name=rules.pack.name,
        pack_sha256=rules.pack.pack_sha256,
        truth_sha256=answer.truth_sha256,
    )


def _otherwise(answer: Answer, other: Alternative) -> Otherwise:
    reading = answer.rules.pack.readings[other.reading]
    assert other.verdict is not None
    return Otherwise(
        reading=plain(other.reading),
        choice=plain(other.choice),
        clause=reading.clause,
        explains=reading.choices[other.choice].explains,
        verdict=VERDICTS[other.verdict],
        returned_cents=other.returned_cents,
    )


def _departures(answer: Answer, chosen: RulesAtHand) -> list[tuple[str, str]]:
    """The readings chosen on the page that are not those adopted for the casino."""
    readings = answer.rules.pack.readings
    return [
        (plain(name), plain(choice))
        for name, choice in answer.rules.adopted
        if choice != chosen.adopted.get(name, readings[name].default)
    ]
