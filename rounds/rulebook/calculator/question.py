"""What a document asks about a wager, which boxes it has, and one wager settled with everything around it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rounds.engine.alternatives import Alternative, adopt_for, alternatives
from rounds.engine.bets import BET_CODES, BETS, Bet
from rounds.engine.law import Law
from rounds.engine.odds import format_odds
from rounds.engine.packs import Pack
from rounds.engine.readings import adopt, law_under, single_choices
from rounds.engine.rules import Rules, compiled, rules_for
from rounds.engine.settle import settle_under
from rounds.engine.settlement import Settlement, WagerAsked
from rounds.engine.truth import truth_sha256
from rounds.rulebook.calculator.words import box_label, wager_name

# The boxes on which nothing is chosen, such as Small and Any Triple, make one row of the layout.
STAND_ALONE = "Whole bets"


@dataclass(frozen=True, slots=True)
class Asks:
    """The circumstances on which this document, under any of its readings, has something to say."""

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


def asks_of(pack: Pack) -> Asks:
    settlement = pack.law.settlement
    over, under, lights = settlement.over_maximum, settlement.under_minimum, settlement.lights_failed
    return Asks(
        minimum=under is not None or settlement.payable is not None,
        maximum=over is not None,
        payable_unit=settlement.payable is not None,
        found_later=over is not None and over.found_on_a_later_game == "stands",
        warned=under is not None and under.settled == "once-then-returned",
        promotional_token=settlement.promotional_token is not None,
        posted_odds=settlement.posted_odds_clause is not None,
        unregistered=settlement.unregistered is not None,
        lights_failed=lights is not None or pack.law.streak is not None,
        result_called=any(_goes_by_the_call(law) for law in _every_law(pack)),
        cards=pack.conduct.cards is not None,
    )


def _every_law(pack: Pack) -> list[Law]:
    return [pack.law, *(law_under(pack, adopt(pack, {name: choice})) for name, choice in single_choices(pack))]


def _goes_by_the_call(law: Law) -> bool:
    lights = law.settlement.lights_failed
    return lights is not None and lights.settled_by == "called"


@dataclass(frozen=True, slots=True)
class Box:
    """One box of the layout: what stands on it, and what it pays. `is_approved`: under the readings adopted."""

    bet: Bet
    label: str
    odds: str
    is_approved: bool


@dataclass(frozen=True, slots=True)
class BoxGroup:
    """A row of the layout: the boxes of one wager."""

    wager: str
    boxes: tuple[Box, ...]


def boxes_of(rules: Rules, chosen: str = "") -> list[BoxGroup]:
    """Every box that the pay table has under some reading, by wager; and the chosen one, wherever it comes from."""
    pack, table = rules.pack, rules.pay_table
    variants = [rules, *(rules_for(pack, table, {name: choice}) for name, choice in single_choices(pack))]
    groups: dict[str, list[Box]] = {}
    for code in BET_CODES:
        if code == chosen or any(variant.approves(code) for variant in variants):
            bet, wager = BETS[code], wager_name(rules, BETS[code])
            stands_alone = not bet.numbers and not bet.is_streak
            box = Box(bet, wager if stands_alone else box_label(bet), _odds_on(rules, bet), rules.approves(code))
            groups.setdefault(STAND_ALONE if stands_alone else wager, []).append(box)
    return [BoxGroup(wager, tuple(boxes)) for wager, boxes in groups.items()]


def _odds_on(rules: Rules, bet: Bet) -> str:
    """As a layout would print them; nothing for a streak, which pays by its length."""
    rule = rules.bets.get(bet.code)
    if rule is None:
        return ""
    printed = list(dict.fromkeys(format_odds(pay.odds) for pay in rule.levels))
    if all(odds.endswith(" to 1") for odds in printed):
        printed[:-1] = [odds.removesuffix(" to 1") for odds in printed[:-1]]
    odds = ", ".join(printed)
    return f"at least {odds}" if any(pay.is_minimum for pay in rule.levels) else odds


@dataclass(frozen=True, slots=True)
class Answer:
    """One wager settled, and every other reading under which it would come out otherwise."""

    rules: Rules
    asked: WagerAsked
    settlement: Settlement
    others: tuple[Alternative, ...]

    @property
    def truth_sha256(self) -> str:
        return truth_sha256(self.rules)


def work_out(pack: Pack, pay_table: str, readings: Mapping[str, str], asked: WagerAsked) -> Answer:
    """Raises EngineError for what cannot be settled."""
    rules = compiled(pack, pay_table, adopt_for(pack, pay_table, asked.bet.code, readings))
    settlement = settle_under(rules, asked)
    # A reading under which the wager cannot be settled from what was told has no verdict to set beside this one.
    others = (each for each in alternatives(rules, asked, settlement) if each.verdict is not None)
    return Answer(rules, asked, settlement, tuple(others))
