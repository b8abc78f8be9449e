"""Alternative readings of a wager: each choice not adopted that would give another verdict or return another amount."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from rounds.engine.bets.bet_codes import BETS
from rounds.engine.bets.dice_outcomes import outcome_index
from rounds.engine.errors import EngineError, ErrorCode
from rounds.engine.pack.clause_readings import AdoptedReadings, adopt_readings, non_default_choices, replace_choice
from rounds.engine.pack.compiled_rules import Rules, compile_adopted_rules, pay_rows_for
from rounds.engine.pack.pack_file import Pack
from rounds.engine.pack.payout_law import Law
from rounds.engine.settle.settle_wager import settle_wager
from rounds.engine.settle.settlement import Settlement, Verdict, WagerQuestion


@dataclass(frozen=True, slots=True)
class Alternative:
    """The settlement under one other choice of one reading. `error`: the wager cannot be settled under that choice."""

    reading: str
    choice: str
    verdict: Verdict | None
    returned_cents: int | None
    error: ErrorCode | None = None


@dataclass(frozen=True, slots=True)
class _OtherRules:
    """Rules under one other choice, and which parts of them differ for a bet."""

    reading: str
    choice: str
    rules: Rules
    bet_differs: bool
    voids_differ: bool
    settlement_differs: bool

    def may_differ(self, adopted: Rules, question: WagerQuestion) -> bool:
        """Conservative filter that spares most wagers a second settlement. False positives happen, false negatives
        never."""
        if question.bet.is_streak:
            return True
        if self.bet_differs and not self._pays_same_odds(adopted, question):
            return True
        if self.voids_differ and question.void_reason is not None:
            return True
        depends_on_settlement_terms = (
            question.is_promotional_token
            or question.have_lights_failed
            or question.limits.payable_unit_cents is not None
            or question.limits.needs_multiples
        )
        return self.settlement_differs and depends_on_settlement_terms

    def _pays_same_odds(self, adopted: Rules, question: WagerQuestion) -> bool:
        mine, theirs = adopted.bets.get(question.bet.code), self.rules.bets.get(question.bet.code)
        if mine is None or theirs is None or question.outcome is None or question.have_lights_failed:
            return False
        index = outcome_index(question.outcome)
        return question.posted_odds is None and mine.by_outcome[index] == theirs.by_outcome[index]


@lru_cache(maxsize=65536)
def _rules_under_other_choices(rules: Rules, code: str) -> tuple[_OtherRules, ...]:
    """The rules under each choice that is not adopted and could affect this bet, in the pack's order."""
    affecting = readings_affecting_bet(rules.pack, rules.pay_table, code)
    return tuple(
        _rules_under_choice(rules, code, name, choice)
        for name, adopted in rules.adopted
        if name in affecting
        for choice in rules.pack.readings[name].choices
        if choice != adopted
    )


def _rules_under_choice(rules: Rules, code: str, reading: str, choice: str) -> _OtherRules:
    other = compile_adopted_rules(rules.pack, rules.pay_table, replace_choice(rules.adopted, reading, choice))
    return _OtherRules(
        reading,
        choice,
        other,
        bet_differs=rules.bets.get(code) != other.bets.get(code),
        voids_differ=rules.law.void != other.law.void,
        settlement_differs=rules.law.settlement != other.law.settlement,
    )


@lru_cache(maxsize=4096)
def readings_affecting_bet(pack: Pack, pay_table: str, code: str) -> frozenset[str]:
    """The readings of which some choice could change how this bet is settled."""
    variants = {
        (name, choice): compile_adopted_rules(pack, pay_table, adopt_readings(pack, {name: choice})).law
        for name, choice in non_default_choices(pack)
    }
    wagers = {key for law in (pack.law, *variants.values()) for key, wager in law.wager.items() if code in wager.bets}
    return frozenset(
        name
        for (name, _), law in variants.items()
        if law.settlement != pack.law.settlement
        or law.void != pack.law.void
        or (BETS[code].is_streak and law.streak != pack.law.streak)
        or any(_wager_pay_terms(law, pay_table, key) != _wager_pay_terms(pack.law, pay_table, key) for key in wagers)
    )


def _wager_pay_terms(law: Law, pay_table: str, wager: str) -> object:
    return law.wager.get(wager), pay_rows_for(law.pay_table[pay_table], wager)


def adopt_affecting_readings(pack: Pack, pay_table: str, code: str, chosen: Mapping[str, str]) -> AdoptedReadings:
    """The chosen readings that affect this bet, defaults for the rest, so that fewer rules are compiled and cached."""
    affecting = readings_affecting_bet(pack, pay_table, code)
    return adopt_readings(
        pack, {name: choice for name, choice in dict(adopt_readings(pack, chosen)).items() if name in affecting}
    )


def alternative_settlements(rules: Rules, question: WagerQuestion, adopted: Settlement) -> list[Alternative]:
    """Every alternative that differs from the adopted settlement, in the pack's order of readings and choices."""
    found = []
    for rival in _rules_under_other_choices(rules, question.bet.code):
        if not rival.may_differ(rules, question):
            continue
        try:
            other = settle_wager(rival.rules, question)
        except EngineError as error:
            found.append(Alternative(rival.reading, rival.choice, None, None, error.code))
            continue
        if (other.verdict, other.returned_cents) != (adopted.verdict, adopted.returned_cents):
            found.append(Alternative(rival.reading, rival.choice, other.verdict, other.returned_cents))
    return found
