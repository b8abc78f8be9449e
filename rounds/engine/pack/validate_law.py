"""Validates `[law]`: wagers, pay tables and streaks. Ensures that every bet has exactly one payout at every outcome."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from rounds.engine.bets.bet_codes import BETS, STREAK_PAIRS
from rounds.engine.bets.dice_outcomes import OUTCOMES, TRIPLES, format_outcome, outcome_index
from rounds.engine.bets.win_conditions import Predicate, truth_by_outcome
from rounds.engine.pack.compiled_rules import compile_bet_rules, pay_rows_for
from rounds.engine.pack.payout_law import BetsWonOnlyOnTriple, Law, PayTable, StreakPair, StreakRules, WagerType
from rounds.engine.pack.toml_schema import Problem, shorten_repr

# Bounds on what a pack can cost: each of these numbers becomes a loop.
MAX_STREAK_LENGTH = 100
MAX_LEVELS = 10


def find_law_problems(law: Law, key: str) -> Iterator[Problem]:
    """Yields problems in the order to fix them. The check on triples runs only if the other checks pass."""
    problems = [*_wager_problems(law, key), *_pay_table_problems(law, key), *_streak_problems(law, key)]
    yield from problems
    if not problems and law.on_triple_only_wins is not None:
        yield from _triple_winner_problems(law, law.on_triple_only_wins, f"{key}.on_triple_only_wins")


def _wager_problems(law: Law, key: str) -> Iterator[Problem]:
    occurrences = Counter(code for wager in law.wager.values() for code in wager.bets)
    for name, wager in law.wager.items():
        at = f"{key}.wager.{name}"
        for code in dict.fromkeys(wager.bets):
            if occurrences[code] > 1:
                yield Problem(f"{at}.bets", f"duplicate code {code}", "each bet code in one wager, once")
            if BETS[code].is_streak:
                yield Problem(f"{at}.bets", code, "streak wagers in law.streak, not here")
        if not wager.bets:
            yield Problem(f"{at}.bets", "none", "at least one bet code")
        if not wager.wins:
            yield Problem(f"{at}.wins", "no predicate", "when each level of the wager wins")
        if len(wager.wins) > MAX_LEVELS:
            yield Problem(f"{at}.wins", f"{len(wager.wins)} levels", f"at most {MAX_LEVELS}")
            continue
        for level, predicate in wager.wins.items():
            yield from _predicate_problems(predicate, f"{at}.wins.{level}")
        yield from _overlapping_level_problems(wager, at)


def _predicate_problems(predicate: Predicate, key: str) -> Iterator[Problem]:
    for condition, found, expected in predicate.invalid_conditions():
        yield Problem(f"{key}.{condition}" if condition else key, found, expected)


def _overlapping_level_problems(wager: WagerType, key: str) -> Iterator[Problem]:
    if len(wager.wins) < 2:
        return
    for code in dict.fromkeys(wager.bets):
        truths = {level: truth_by_outcome(predicate, BETS[code]) for level, predicate in wager.wins.items()}
        for index, outcome in enumerate(OUTCOMES):
            levels = [level for level, truth in truths.items() if truth[index]]
            if len(levels) > 1:
                yield Problem(
                    f"{key}.wins", f"{code} at {format_outcome(outcome)} wins {' and '.join(levels)}", "one level"
                )
                return


def _pay_table_problems(law: Law, key: str) -> Iterator[Problem]:
    if not law.pay_table:
        yield Problem(f"{key}.pay_table", "none", "at least one pay table")
    for name, table in law.pay_table.items():
        yield from _pay_row_problems(law, table, f"{key}.pay_table.{name}.pays")
        yield from _odds_coverage_problems(law, table, f"{key}.pay_table.{name}.pays")
    for name, wager in law.wager.items():
        rows = [row for table in law.pay_table.values() for row in pay_rows_for(table, name)]
        for code in dict.fromkeys(wager.bets):
            if not any(row.pays(code) for row in rows):
                yield Problem(f"{key}.wager.{name}", f"no odds for {code}", "odds in at least one pay table")


def _pay_row_problems(law: Law, table: PayTable, key: str) -> Iterator[Problem]:
    for name, row in table.pays.items():
        wager = law.wager.get(row.wager)
        if wager is None:
            found = f"odds for {row.wager!r}, which has no predicate"
            yield Problem(f"{key}.{name}.wager", found, "a wager of this law")
            continue
        if row.level not in wager.wins:
            yield Problem(f"{key}.{name}.level", shorten_repr(row.level), "one of " + ", ".join(wager.wins))
        for code in row.bets:
            if code not in wager.bets:
                yield Problem(f"{key}.{name}.bets", f"odds for {code}, which has no predicate", f"a bet of {row.wager}")


def _odds_coverage_problems(law: Law, table: PayTable, key: str) -> Iterator[Problem]:
    """Within one pay table, a bet must have odds at all of its levels or at none, and only once at each."""
    for name, wager in law.wager.items():
        rows = pay_rows_for(table, name)
        for code in dict.fromkeys(wager.bets):
            counted = Counter(row.level for row in rows if row.pays(code))
            for level in wager.wins:
                if counted[level] > 1:
                    yield Problem(key, f"overlapping odds for {code} ({level})", "odds once for each level")
                if counted and not counted[level]:
                    yield Problem(key, f"missing odds for {code} ({level})", "odds once for each level")


def _streak_problems(law: Law, key: str) -> Iterator[Problem]:
    if law.streak is None:
        return
    at, streak = f"{key}.streak", law.streak
    for name, pair in streak.pairs.items():
        if name not in STREAK_PAIRS:
            yield Problem(f"{at}.pairs.{name}", shorten_repr(name), "one of " + ", ".join(STREAK_PAIRS))
        elif tuple(pair.directions) != STREAK_PAIRS[name]:
            yield Problem(f"{at}.pairs.{name}.directions", shorten_repr(list(pair.directions)), str(STREAK_PAIRS[name]))
        else:
            yield from _streak_pair_problems(pair, f"{at}.pairs.{name}")
    yield from _streak_pay_problems(streak, f"{at}.pays")


def _streak_pair_problems(pair: StreakPair, key: str) -> Iterator[Problem]:
    named = {f"directions.{name}": predicate for name, predicate in pair.directions.items()}
    named |= {f"neutral.{index}": predicate for index, predicate in enumerate(pair.neutral)}
    for name, predicate in named.items():
        yield from _predicate_problems(predicate, f"{key}.{name}")
        if predicate.depends_on_bet:
            yield Problem(f"{key}.{name}", "a condition on the numbers wagered", "conditions on the dice alone")
    one, other = (truth_by_outcome(predicate, BETS["small"]) for predicate in pair.directions.values())
    for outcome, is_one, is_other in zip(OUTCOMES, one, other, strict=True):
        if is_one and is_other:
            yield Problem(f"{key}.directions", f"{format_outcome(outcome)} counts in both directions", "at most one")
            return


def _streak_pay_problems(streak: StreakRules, key: str) -> Iterator[Problem]:
    """The paying lengths must be consecutive, from some length up to the longest."""
    counts = [int(count) for count in streak.pays if count.isascii() and count.isdigit() and len(count) < 4]
    if len(counts) != len(streak.pays) or not counts:
        yield Problem(key, shorten_repr(list(streak.pays)), "lengths of a run, such as 4")
    elif streak.longest > MAX_STREAK_LENGTH:
        yield Problem(f"{key.removesuffix('.pays')}.longest", str(streak.longest), f"at most {MAX_STREAK_LENGTH}")
    elif counts != list(range(counts[0], streak.longest + 1)) or counts[0] < 1:
        yield Problem(key, shorten_repr(counts), f"every length up to {streak.longest}, ascending, without a gap")


def _triple_winner_problems(law: Law, only: BetsWonOnlyOnTriple, key: str) -> Iterator[Problem]:
    """Compares the document's list of winners on a triple with its pay tables, in both directions."""
    won_somewhere: set[str] = set()
    for table in law.pay_table:
        for code, rule in compile_bet_rules(law, table).items():
            triples = [
                format_outcome(triple) for triple in TRIPLES if rule.by_outcome[outcome_index(triple)] is not None
            ]
            if triples:
                won_somewhere.add(code)
            if triples and code not in only.bets:
                found = f"pay table {table}: {code} wins at {triples[0]}"
                yield Problem(key, found, f"to lose, by clause {only.clause}")
    for winner in only.winners:
        for code in winner.bets:
            if code not in won_somewhere:
                yield Problem(key, f"{code} wins on no triple", f"to win on one, by clause {winner.clause}")
