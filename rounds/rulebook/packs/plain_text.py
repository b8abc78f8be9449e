"""Plain-language text generated from a pack: wagers, limits and who decides a dispute."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from rounds.engine import BETS, Pack, Rules, bets, format_odds
from rounds.engine import pack as engine_pack

COUNT_WORDS = {1: "one", 2: "two", 3: "three"}
MIN_RANGE_LENGTH = 3


@dataclass(frozen=True, slots=True)
class WagerLine:
    """Boxes of one wager with the same win conditions and odds."""

    name: str
    codes: tuple[str, ...]
    wins: str
    pays: str
    clauses: tuple[str, ...]
    is_optional: bool = False
    to_be_confirmed: str = ""

    @property
    def boxes(self) -> str:
        """The choices of the wager, such as "4, 17" or "1-2, 1-3"."""
        chosen = [code.partition(":")[2] for code in self.codes]
        return ", ".join(box for box in chosen if box and box != "any") or "Nothing to choose"

    @property
    def cited(self) -> str:
        return ", ".join(self.clauses)


def wager_lines(rules: Rules) -> list[WagerLine]:
    """Every wager of one pay table, in the order of the bet codes; Super Streak last."""
    grouped: dict[tuple[str, object], list[engine_pack.BetRule]] = {}
    for rule in rules.bets.values():
        grouped.setdefault((rule.wager, rule.levels), []).append(rule)
    lines = [_wager_line(rules, boxes) for boxes in grouped.values()]
    return lines if rules.law.streak is None else [*lines, _streak_line(rules.law.streak)]


def _wager_line(rules: Rules, boxes: Sequence[engine_pack.BetRule]) -> WagerLine:
    first = boxes[0]
    wager = rules.law.wager[first.wager]
    clauses = dict.fromkeys((first.wins_by, *(pay.clause for pay in first.levels)))
    return WagerLine(
        first.name,
        tuple(rule.bet.code for rule in boxes),
        capitalize_first("; ".join(predicate_text(wager.wins[pay.level]) for pay in first.levels)),
        "; ".join(("at least " if pay.is_minimum else "") + format_odds(pay.odds) for pay in first.levels),
        tuple(clauses),
        first.is_optional,
        wager.to_be_confirmed,
    )


def _streak_line(streak: engine_pack.StreakRules) -> WagerLine:
    pays = ", ".join(f"{count} in a row {format_odds(odds)}" for count, odds in streak.pays.items())
    codes = tuple(code for code, bet in BETS.items() if bet.is_streak and bet.side in _streak_directions(streak))
    wins = f"A run of results of the side chosen, {min(map(int, streak.pays))} to {streak.longest} in a row"
    return WagerLine(streak.name, codes, wins, pays, (streak.clause, streak.pays_clause), True)


def _streak_directions(streak: engine_pack.StreakRules) -> set[str]:
    return {side for pair in streak.pairs.values() for side in pair.directions}


def predicate_text(predicate: bets.Predicate) -> str:
    return ", ".join(_condition_texts(predicate)) or "never"


def _condition_texts(predicate: bets.Predicate) -> Iterator[str]:
    if predicate.is_never:
        yield "never"
    if predicate.total_in:
        yield f"the total is {number_ranges_text(predicate.total_in)}"
    if predicate.total_is_wagered:
        yield "the total is the number chosen"
    if predicate.parity:
        yield f"the total is {predicate.parity}"
    if predicate.wagered_number_on:
        dice = " or ".join(COUNT_WORDS[count] for count in predicate.wagered_number_on)
        yield f"the number chosen shows on {dice} {'die' if dice == 'one' else 'dice'}"
    if predicate.wagered_numbers_shown:
        yield f"{COUNT_WORDS[predicate.wagered_numbers_shown]} of the numbers chosen show"
    if predicate.every_die_is_wagered:
        yield "every die shows a number chosen"
    if predicate.is_the_wagered_roll:
        yield "the three numbers chosen show"
    if predicate.different_numbers:
        kinds = " or ".join(COUNT_WORDS[count] for count in predicate.different_numbers)
        yield f"with {kinds} different number{'' if kinds == 'one' else 's'} on the dice"
    if predicate.is_triple is not None:
        yield "three alike" if predicate.is_triple else "but not on three alike"
    if predicate.except_triples:
        yield f"but not on triple {number_ranges_text(predicate.except_triples)}"


def number_ranges_text(numbers: Sequence[int]) -> str:
    """Numbers as text, with consecutive ones as a range: "4 to 10", "4, 6, 8 or 12"."""
    ordered = sorted(numbers)
    runs = [[ordered[0]]]
    for before, number in pairwise(ordered):
        if number == before + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    parts = [part for run in runs for part in _range_parts(run)]
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} or {parts[-1]}"


def _range_parts(run: list[int]) -> list[str]:
    return [f"{run[0]} to {run[-1]}"] if len(run) >= MIN_RANGE_LENGTH else [str(number) for number in run]


def capitalize_first(words: str) -> str:
    return words[:1].upper() + words[1:]


@dataclass(frozen=True, slots=True)
class ClauseStatement:
    """One statement for patrons and its clause. No clause: the document says nothing about the subject."""

    words: str
    clause: str = ""


def limit_statements(pack: Pack) -> list[ClauseStatement]:
    """Statements on minimum and maximum wagers, and on the notice before they change or the table closes."""
    duties, settled = pack.duties, pack.law.settlement
    statements = []
    if shown := duties.limits_shown:
        where = "on a sign at the table" if shown.where == "sign" else "on the terminal"
        statements.append(ClauseStatement(f"The smallest and the largest wager are shown {where}.", shown.clause))
        if shown.multiples_only_if_stated:
            words = "Wagers need not be multiples of the smallest wager, unless the sign says so."
            statements.append(ClauseStatement(words, shown.clause))
    if over := settled.over_maximum:
        words = "A wager above the maximum is paid or collected up to the maximum; what is above it is handed back."
        statements.append(ClauseStatement(words, over.clause))
    if under := settled.under_minimum:
        outcome = {
            "valid": "is valid once no more bets has been called.",
            "once-then-returned": "is settled once with a warning; after that it is returned.",
        }
        statements.append(ClauseStatement(f"A wager below the minimum {outcome[under.settled]}", under.clause))
    if rise := duties.minimum_raise:
        words = f"The minimum rises only after a sign has announced it for {rise.notice_minutes} minutes."
        statements.append(ClauseStatement(words, rise.clause))
    if closing := duties.closure_sign:
        words = f"A table in play closes only after a sign has announced it for {closing.notice_minutes} minutes."
        statements.append(ClauseStatement(words, closing.clause))
    return statements or [ClauseStatement("This document says nothing about limits and about notice of changes.")]


DISPUTE_STAGE_TEXTS = {
    "first-instance": "decides first",
    "review-if-requested": "reviews the decision if you ask for it",
    "final": "decides finally",
}


def dispute_statements(pack: Pack) -> list[ClauseStatement]:
    """Who decides a dispute, with the document's own words for people."""
    disputes = pack.duties.disputes
    if disputes is None:
        return [ClauseStatement("This document does not say who decides a dispute. Ask the supervisor of the table.")]
    statements = []
    for step in disputes.steps:
        who = f"The {step.decided_by}{' or somebody above' if step.or_above else ''} {DISPUTE_STAGE_TEXTS[step.stage]}"
        absent = f"; in their absence, the {step.in_absence}" if step.in_absence else ""
        statements.append(ClauseStatement(f"{who}{absent}.", step.clause))
    if advice := disputes.advice:
        text = f"If you are not satisfied, you are told of {advice.told_of}."
        statements.append(ClauseStatement(text, advice.clause))
    return statements
