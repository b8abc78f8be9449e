"""Settles one wager for the calculator; also the boxes of a layout and the circumstances that a document knows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rounds.engine import (
    BET_CODES,
    BETS,
    Bet,
    Pack,
    Rules,
    Settlement,
    WagerQuestion,
    adopt_readings,
    compile_rules,
    format_odds,
    settle,
    settle_wager,
)
from rounds.engine import odds as engine_odds
from rounds.engine import pack as engine_pack
from rounds.rulebook.labels import box_label, wager_name

# Bets without numbers, such as Small and Any Triple, share one row of the layout.
WHOLE_BETS = "Whole bets"


@dataclass(frozen=True, slots=True)
class RelevantCircumstances:
    """The circumstances that can change a settlement under this document, whatever the readings."""

    minimum: bool
    maximum: bool
    payable_unit: bool
    found_later: bool
    warned: bool
    promotional_token: bool
    posted_odds: bool
    unregistered: bool
    lights_failed: bool
    result_called: bool
    cards: bool


def find_relevant_circumstances(pack: Pack) -> RelevantCircumstances:
    settlement = pack.law.settlement
    over, under, lights = settlement.over_maximum, settlement.under_minimum, settlement.lights_failed
    return RelevantCircumstances(
        minimum=under is not None or settlement.payable is not None,
        maximum=over is not None,
        payable_unit=settlement.payable is not None,
        found_later=over is not None and over.found_on_a_later_game == "stands",
        warned=under is not None and under.settled == "once-then-returned",
        promotional_token=settlement.promotional_token is not None,
        posted_odds=settlement.posted_odds_clause is not None,
        unregistered=settlement.unregistered is not None,
        lights_failed=lights is not None or pack.law.streak is not None,
        result_called=any(_is_settled_by_called_result(law) for law in _law_under_each_choice(pack)),
        cards=pack.conduct.cards is not None,
    )


def _law_under_each_choice(pack: Pack) -> list[engine_pack.Law]:
    return [
        pack.law,
        *(
            engine_pack.apply_readings(pack, adopt_readings(pack, {name: choice}))
            for name, choice in engine_pack.non_default_choices(pack)
        ),
    ]


def _is_settled_by_called_result(law: engine_pack.Law) -> bool:
    lights = law.settlement.lights_failed
    return lights is not None and lights.settled_by == "called"


@dataclass(frozen=True, slots=True)
class Box:
    """One box of the layout: its label and odds. `is_approved`: under the adopted readings."""

    bet: Bet
    label: str
    odds: str
    is_approved: bool


@dataclass(frozen=True, slots=True)
class BoxGroup:
    """One row of the layout: the boxes of one wager."""

    wager: str
    boxes: tuple[Box, ...]


def layout_boxes(rules: Rules, chosen: str = "") -> list[BoxGroup]:
    """Every box that the pay table has under any reading, by wager, and the `chosen` one in any case."""
    pack, table = rules.pack, rules.pay_table
    variants = [
        rules,
        *(compile_rules(pack, table, {name: choice}) for name, choice in engine_pack.non_default_choices(pack)),
    ]
    groups: dict[str, list[Box]] = {}
    for code in BET_CODES:
        if code == chosen or any(variant.approves_bet(code) for variant in variants):
            bet, wager = BETS[code], wager_name(rules, BETS[code])
            stands_alone = not bet.numbers and not bet.is_streak
            box = Box(
                bet, wager if stands_alone else box_label(bet), _box_odds_text(rules, bet), rules.approves_bet(code)
            )
            groups.setdefault(WHOLE_BETS if stands_alone else wager, []).append(box)
    return [BoxGroup(wager, tuple(boxes)) for wager, boxes in groups.items()]


def _box_odds_text(rules: Rules, bet: Bet) -> str:
    """The odds as a layout prints them; empty for a streak, which pays by its length."""
    rule = rules.bets.get(bet.code)
    if rule is None:
        return ""
    printed = list(dict.fromkeys(format_odds(pay.odds) for pay in rule.levels))
    if all(odds.endswith(" to 1") for odds in printed):
        printed[:-1] = [odds.removesuffix(" to 1") for odds in printed[:-1]]
    odds = ", ".join(printed)
    return f"at least {odds}" if any(pay.is_minimum for pay in rule.levels) else odds


@dataclass(frozen=True, slots=True)
class Calculation:
    """The settlement of one wager, and the alternative readings that would give another result."""

    rules: Rules
    question: WagerQuestion
    settlement: Settlement
    others: tuple[settle.Alternative, ...]

    @property
    def truth_sha256(self) -> str:
        return engine_odds.truth_table_sha256(self.rules)


def calculate(pack: Pack, pay_table: str, readings: Mapping[str, str], question: WagerQuestion) -> Calculation:
    """Settles the wager. Raises EngineError if it cannot be settled."""
    rules = engine_pack.compile_adopted_rules(
        pack, pay_table, settle.adopt_affecting_readings(pack, pay_table, question.bet.code, readings)
    )
    return explain_calculation(rules, question, settle_wager(rules, question))


def explain_calculation(rules: Rules, question: WagerQuestion, settlement: Settlement) -> Calculation:
    """Adds the alternative readings to a settlement."""
    # A reading under which the wager cannot be settled has no verdict to show.
    others = (each for each in settle.alternative_settlements(rules, question, settlement) if each.verdict is not None)
    return Calculation(rules, question, settlement, tuple(others))
