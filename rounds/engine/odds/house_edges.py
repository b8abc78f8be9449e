"""The exact house edge of every bet: over 216 dice outcomes, cards drawn without replacement, and streaks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import product

from rounds.engine.bets.bet_codes import BET_CODES, BETS, STREAK_PAIRS
from rounds.engine.bets.dice_outcomes import FACES, OUTCOMES
from rounds.engine.errors import EngineError, ErrorCode
from rounds.engine.pack.clause_readings import non_default_readings
from rounds.engine.pack.compiled_rules import NEUTRAL, Rules, compile_rules
from rounds.engine.pack.pack_file import Pack
from rounds.engine.pack.payout_law import StreakRules
from rounds.engine.pack.round_conduct import Cards


@dataclass(frozen=True, slots=True)
class HouseEdge:
    """The expected share of one unit staked that the house keeps. `readings` holds the non-default choices only."""

    rules: str
    version: str
    pay_table: str
    decks: int | None
    code: str
    readings: tuple[tuple[str, str], ...]
    edge: Fraction


def house_edge(rules: Rules, code: str, decks: int | None = None) -> Fraction:
    """The edge of one approved bet at the document's own odds; negative where the player has the advantage."""
    chances = outcome_probabilities(rules.pack, decks)
    if BETS[code].is_streak:
        return _streak_edge(rules, code, chances)
    rule = rules.bets[code]
    returned = sum(
        (chance * (1 + pay.odds) for chance, pay in zip(chances, rule.by_outcome, strict=True) if pay is not None),
        start=Fraction(0),
    )
    return 1 - returned


def outcome_probabilities(pack: Pack, decks: int | None) -> tuple[Fraction, ...]:
    """The probability of each of the 216 outcomes."""
    cards = pack.conduct.cards
    if cards is None:
        if decks is not None:
            raise EngineError(ErrorCode.BAD_DECKS, f"{pack.name} is played with dice: expected no number of decks")
        return (Fraction(1, len(OUTCOMES)),) * len(OUTCOMES)
    if decks is None or not cards.fewest_decks <= decks <= cards.most_decks:
        raise EngineError(
            ErrorCode.BAD_DECKS,
            f"{pack.name} is played with {cards.fewest_decks} to {cards.most_decks} decks, found {decks}",
        )
    return _card_probabilities(cards, decks)


@lru_cache(maxsize=64)
def _card_probabilities(cards: Cards, decks: int) -> tuple[Fraction, ...]:
    """Three cards in order from a full shoe, without replacement."""
    all_cards = cards.cards_a_deck * decks
    ways_in_all = all_cards * (all_cards - 1) * (all_cards - 2)
    chances = []
    for outcome in OUTCOMES:
        left, ways = dict.fromkeys(FACES, cards.cards_a_face * decks), 1
        for face in outcome:
            ways *= left[face]
            left[face] -= 1
        chances.append(Fraction(ways, ways_in_all))
    return tuple(chances)


def _streak_edge(rules: Rules, code: str, chances: tuple[Fraction, ...]) -> Fraction:
    return 1 - sum(
        (chance * returned for returned, chance in _streak_return_chain(rules, code, chances)), start=Fraction(0)
    )


def streak_returns(rules: Rules, code: str, decks: int | None = None) -> tuple[tuple[Fraction, Fraction], ...]:
    """(amount returned per unit staked, exact probability) of a streak bet, faults excluded. Probabilities sum to 1."""
    return tuple(_streak_return_chain(rules, code, outcome_probabilities(rules.pack, decks)))


def _streak_return_chain(rules: Rules, code: str, chances: tuple[Fraction, ...]) -> Iterator[tuple[Fraction, Fraction]]:
    """A Markov chain over the streak count: each decisive result extends the run, or ends it and pays for the count."""
    streak, bet = rules.law.streak, BETS[code]
    assert streak is not None
    sides: dict[str, Fraction] = defaultdict(Fraction)
    for chance, side in zip(chances, rules.streak_sides[bet.streak_pair], strict=True):
        sides[side] += chance
    if bet.side not in STREAK_PAIRS:
        opening = 1 if streak.counts_from == "opening-result" else 0
        yield from _streak_end_returns(streak, _continuation_probability(sides, bet.side), opening)
        return
    # A bet on a pair takes its direction from one decisive result. That result counts, except under first-result-after.
    counted = 0 if streak.counts_from == "first-result-after" else 1
    directions = STREAK_PAIRS[bet.streak_pair]
    decisive = sum((sides[side] for side in directions), start=Fraction(0))
    for side in directions:
        for returned, chance in _streak_end_returns(streak, _continuation_probability(sides, side), counted):
            yield returned, chance * sides[side] / decisive


def _continuation_probability(sides: Mapping[str, Fraction], direction: str) -> Fraction:
    """The probability that the next non-neutral result continues the streak."""
    return sides[direction] / (1 - sides.get(NEUTRAL, Fraction(0)))


def _streak_end_returns(
    streak: StreakRules, continue_probability: Fraction, count: int
) -> Iterator[tuple[Fraction, Fraction]]:
    """(amount returned, probability) of ending at each count, from `count` to the longest streak."""
    reached_at = Fraction(1)
    for reached in range(count, streak.longest + 1):
        odds = streak.odds_at(reached)
        returned = Fraction(0) if odds is None else 1 + odds
        yield returned, reached_at if reached == streak.longest else reached_at * (1 - continue_probability)
        reached_at *= continue_probability


def compute_house_edges(pack: Pack) -> Iterator[HouseEdge]:
    """Every bet under every pay table, number of decks and combination of readings that affects its edge."""
    for pay_table in pack.law.pay_table:
        for code in BET_CODES:
            for readings in _reading_combinations(pack, pay_table, code):
                rules = compile_rules(pack, pay_table, readings)
                if rules.approves_bet(code):
                    for decks in deck_counts(pack):
                        edge = house_edge(rules, code, decks)
                        shown = tuple(non_default_readings(pack, rules.adopted).items())
                        yield HouseEdge(pack.slug, pack.version, pay_table, decks, code, shown, edge)


def deck_counts(pack: Pack) -> tuple[int | None, ...]:
    cards = pack.conduct.cards
    return (None,) if cards is None else tuple(range(cards.fewest_decks, cards.most_decks + 1))


def _reading_combinations(pack: Pack, pay_table: str, code: str) -> Iterator[dict[str, str]]:
    """All combinations of the readings that affect this bet, the defaults first."""
    affecting = [name for name in pack.readings if _does_reading_affect_bet(pack, pay_table, code, name)]
    choices = [sorted(pack.readings[name].choices, key=pack.readings[name].default.__ne__) for name in affecting]
    for combination in product(*choices):
        yield dict(zip(affecting, combination, strict=True))


def _does_reading_affect_bet(pack: Pack, pay_table: str, code: str, reading: str) -> bool:
    """Whether any choice of this reading, by itself, changes what the bet pays at some outcome."""
    written = _bet_payoffs(compile_rules(pack, pay_table), code)
    choices = pack.readings[reading].choices
    return any(_bet_payoffs(compile_rules(pack, pay_table, {reading: choice}), code) != written for choice in choices)


def _bet_payoffs(rules: Rules, code: str) -> object:
    """Everything an edge is computed from, for comparison."""
    if not rules.approves_bet(code):
        return None
    if rules.law.streak is not None and BETS[code].is_streak:
        return rules.law.streak.counts_from, rules.law.streak.pays, rules.streak_sides[BETS[code].streak_pair]
    return tuple(None if pay is None else pay.odds for pay in rules.bets[code].by_outcome)
