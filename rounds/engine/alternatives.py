"""The other readings of a wager: each choice not adopted that would give another verdict or return another amount."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from rounds.engine.bets import BETS
from rounds.engine.errors import EngineError, ErrorCode
from rounds.engine.law import Law
from rounds.engine.outcomes import index_of
from rounds.engine.packs import Pack
from rounds.engine.readings import Adopted, adopt, single_choices, with_choice
from rounds.engine.rules import Rules, compiled, rows_for
from rounds.engine.settle import settle_under
from rounds.engine.settlement import Settlement, Verdict, WagerAsked


@dataclass(frozen=True, slots=True)
class Alternative:
    """One choice that departs from the adopted readings in one respect; `error` where it makes the line unusable."""

    reading: str
    choice: str
    verdict: Verdict | None
    returned_cents: int | None
    error: ErrorCode | None = None


@dataclass(frozen=True, slots=True)
class _Rival:
    """Rules under one other choice, and what in them differs for a bet."""

    reading: str
    choice: str
    rules: Rules
    bet_differs: bool
    voids_differ: bool
    settlement_differs: bool

    def may_differ(self, adopted: Rules, asked: WagerAsked) -> bool:
        """A cheap look that spares most wagers a second settlement; it may say yes in vain, never no in vain."""
        if asked.bet.is_streak:
            return True
        if self.bet_differs and not self._pays_the_same(adopted, asked):
            return True
        if self.voids_differ and asked.void_reason is not None:
            return True
        bears = asked.is_promotional_token or asked.have_lights_failed or asked.limits.payable_unit_cents is not None
        return self.settlement_differs and (bears or asked.limits.needs_multiples)

    def _pays_the_same(self, adopted: Rules, asked: WagerAsked) -> bool:
        mine, theirs = adopted.bets.get(asked.bet.code), self.rules.bets.get(asked.bet.code)
        if mine is None or theirs is None or asked.outcome is None or asked.have_lights_failed:
            return False
        index = index_of(asked.outcome)
        return asked.posted_odds is None and mine.by_outcome[index] == theirs.by_outcome[index]


@lru_cache(maxsize=65536)
def _rivals(rules: Rules, code: str) -> tuple[_Rival, ...]:
    """The choices not adopted that could matter to this bet at all, in the pack's order."""
    bearing = bearing_on(rules.pack, rules.pay_table, code)
    return tuple(
        _rival(rules, code, name, choice)
        for name, adopted in rules.adopted
        if name in bearing
        for choice in rules.pack.readings[name].choices
        if choice != adopted
    )


def _rival(rules: Rules, code: str, reading: str, choice: str) -> _Rival:
    other = compiled(rules.pack, rules.pay_table, with_choice(rules.adopted, reading, choice))
    return _Rival(
        reading,
        choice,
        other,
        bet_differs=rules.bets.get(code) != other.bets.get(code),
        voids_differ=rules.law.void != other.law.void,
        settlement_differs=rules.law.settlement != other.law.settlement,
    )


@lru_cache(maxsize=4096)
def bearing_on(pack: Pack, pay_table: str, code: str) -> frozenset[str]:
    """The readings that could bear on this bet; the choices of all others leave it exactly as it is."""
    variants = {
        (name, choice): compiled(pack, pay_table, adopt(pack, {name: choice})).law
        for name, choice in single_choices(pack)
    }
    wagers = {key for law in (pack.law, *variants.values()) for key, wager in law.wager.items() if code in wager.bets}
    return frozenset(
        name
        for (name, _), law in variants.items()
        if law.settlement != pack.law.settlement
        or law.void != pack.law.void
        or (BETS[code].is_streak and law.streak != pack.law.streak)
        or any(_terms(law, pay_table, key) != _terms(pack.law, pay_table, key) for key in wagers)
    )


def _terms(law: Law, pay_table: str, wager: str) -> object:
    return law.wager.get(wager), rows_for(law.pay_table[pay_table], wager)


def adopt_for(pack: Pack, pay_table: str, code: str, chosen: Mapping[str, str]) -> Adopted:
    """The choices made that bear on this bet, defaults for the rest: far fewer rules need compiling."""
    bearing = bearing_on(pack, pay_table, code)
    return adopt(pack, {name: choice for name, choice in dict(adopt(pack, chosen)).items() if name in bearing})


def alternatives(rules: Rules, asked: WagerAsked, adopted: Settlement) -> list[Alternative]:
    """In the pack's order of readings and choices."""
    found = []
    for rival in _rivals(rules, asked.bet.code):
        if not rival.may_differ(rules, asked):
            continue
        try:
            other = settle_under(rival.rules, asked)
        except EngineError as error:
            found.append(Alternative(rival.reading, rival.choice, None, None, error.code))
            continue
        if (other.verdict, other.returned_cents) != (adopted.verdict, adopted.returned_cents):
            found.append(Alternative(rival.reading, rival.choice, other.verdict, other.returned_cents))
    return found
