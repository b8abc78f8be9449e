"""settle_wager(): settles one wager under one rule pack. Every step records its amount and its clause."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

from rounds.engine.bets.dice_outcomes import OUTCOMES, Outcome, outcome_index, outcomes_showing
from rounds.engine.errors import EngineError, ErrorCode
from rounds.engine.pack.compiled_rules import BetRule, LevelPay, Rules, compile_adopted_rules, compile_rules
from rounds.engine.pack.pack_file import Pack
from rounds.engine.pack.payout_law import VoidReason
from rounds.engine.pack.vocabulary import VoidReasonName
from rounds.engine.settle.posted_odds import find_posted_below_minimum, posted_odds_by_level
from rounds.engine.settle.settlement import Settlement, SettlementStep, SettlementStepKind, Verdict, WagerQuestion
from rounds.engine.settle.stake_limits import cap_stake, compute_winnings, under_minimum_step
from rounds.engine.settle.super_streak import StreakEnd, follow_streak

INTERRUPTED: VoidReasonName = "interrupted"


def settle_with_pack(pack: Pack, question: WagerQuestion) -> Settlement:
    return settle_wager(compile_rules(pack, question.pay_table, question.readings), question)


def settle_wager(rules: Rules, question: WagerQuestion) -> Settlement:
    """Settles one wager under compiled rules. `question.pay_table` and `question.readings` are ignored: the rules were
    compiled for a pay table and readings already."""
    refused = _unapproved_step(rules, question)
    if refused is not None:
        return Settlement(Verdict.UNAPPROVED, (refused,))
    reason = _find_void_reason(rules, question)
    if reason is not None and _was_outcome_established(rules, question):
        return _settle_by_faces_read(rules, question)
    if question.bet.is_streak:
        return _settle_streak(rules, question, reason)
    handed_back = _stake_return_steps(rules, question, reason)
    if handed_back:
        return _void_settlement(question, handed_back)
    rule = rules.bets[question.bet.code]
    posted = _posted_odds_in_effect(rules, rule, question)
    outcome, steps = _deciding_outcome(rules, question)
    pay = rule.by_outcome[outcome_index(outcome)]
    under = under_minimum_step(rules.law, question)
    if under is not None:
        steps.append(under)
    if pay is None:
        return _losing_settlement(
            rules, question, [*steps, SettlementStep(SettlementStepKind.LOSES, rule.loses_by, figures=(rule.bet.code,))]
        )
    steps.append(SettlementStep(SettlementStepKind.WINS, rule.wins_by, figures=(rule.bet.code, pay.level)))
    odds, odds_step = _odds_paid(rules, pay, posted)
    return _winning_settlement(rules, question, odds, [*steps, odds_step])


def _unapproved_step(rules: Rules, question: WagerQuestion) -> SettlementStep | None:
    code = question.bet.code
    if not rules.approves_bet(code):
        clause = rules.law.pay_table[rules.pay_table].clause
        return SettlementStep(
            SettlementStepKind.NOT_IN_VERSION, clause, figures=(code, rules.pack.name, rules.pay_table)
        )
    if question.offered is not None and code not in question.offered:
        return SettlementStep(SettlementStepKind.NOT_OFFERED, figures=(code,))
    return None


def _find_void_reason(rules: Rules, question: WagerQuestion) -> VoidReason | None:
    """The void reason in question, which must be one that this document lists; any other is an error."""
    if question.void_reason is None:
        return None
    for name, reason in rules.law.void.items():
        if name == question.void_reason:
            return reason
    raise EngineError(
        ErrorCode.UNKNOWN_VOID_REASON,
        f"{rules.pack.name} does not void a round for {question.void_reason!r}: expected one of "
        + ", ".join(rules.law.void),
    )


def _was_outcome_established(rules: Rules, question: WagerQuestion) -> bool:
    return question.void_reason == INTERRUPTED and is_outcome_established(
        rules, question.faces_read, question.offered, is_reported=question.is_reported_established
    )


def is_outcome_established(
    rules: Rules, faces_read: tuple[int, ...], offered: frozenset[str] | None, *, is_reported: bool
) -> bool:
    """Whether an interrupted round is concluded rather than void, because its outcome was established by then
    (`duties.interruption`, `law.void.interrupted.established_by`). `is_reported`: the table reported it."""
    rule = rules.law.void.get(INTERRUPTED)
    if rule is None or rules.pack.duties.interruption is None:
        return False
    if rule.established_by == "all-dice-read":
        return len(faces_read) == len(OUTCOMES[0])
    return is_reported or _is_any_bet_decided(rules, faces_read, offered)


@lru_cache(maxsize=1024)
def _is_any_bet_decided(rules: Rules, faces: tuple[int, ...], offered: frozenset[str] | None) -> bool:
    """Whether the dice read decide a bet that is available on any layout of the game: whatever the others show, it has
    won or it has lost."""
    possible = [outcome_index(outcome) for outcome in outcomes_showing(faces)]
    layouts = (compile_adopted_rules(rules.pack, name, rules.adopted) for name in rules.law.pay_table)
    bets = (rule for layout in layouts for code, rule in layout.bets.items() if offered is None or code in offered)
    return any(len({rule.by_outcome[index] is None for index in possible}) == 1 for rule in bets)


def _settle_by_faces_read(rules: Rules, question: WagerQuestion) -> Settlement:
    """What the wager is due under every result that the dice read leave possible. Refused where that depends on the
    other dice: the round should have been concluded, and nobody knows how it would have ended."""
    possible = [
        settle_wager(rules, replace(question, outcome=outcome, void_reason=None))
        for outcome in outcomes_showing(question.faces_read)
    ]
    read = "-".join(map(str, question.faces_read)) or "none"
    if len({(each.verdict, each.returned_cents) for each in possible}) > 1:
        raise EngineError(ErrorCode.BAD_DICE, f"the dice read ({read}) do not decide this wager: expected all three")
    interruption, decided = rules.pack.duties.interruption, possible[0]
    clause = interruption.established_clause if interruption else ""
    steps = [step for step in decided.steps if step.kind is not SettlementStepKind.RESULT]
    established = SettlementStep(SettlementStepKind.OUTCOME_ESTABLISHED, clause, figures=(read,))
    return replace(decided, steps=(established, *steps))


def _posted_odds_in_effect(rules: Rules, rule: BetRule, question: WagerQuestion) -> tuple[Fraction, ...] | None:
    """Odds posted at the table, one for each level. Used only where the document's own odds are minimums."""
    if question.posted_odds is None or rules.law.settlement.posted_odds_clause is None:
        return None
    posted = posted_odds_by_level(rule, question.posted_odds)
    for below in find_posted_below_minimum(rules, {rule.bet.code: posted}):
        raise EngineError(ErrorCode.POSTED_BELOW_MINIMUM, below.sentence)
    return posted


def _odds_paid(rules: Rules, pay: LevelPay, posted: tuple[Fraction, ...] | None) -> tuple[Fraction, SettlementStep]:
    if posted is None or not pay.is_minimum:
        return pay.odds, SettlementStep(SettlementStepKind.ODDS, pay.clause, figures=(pay.odds,))
    odds = posted[pay.level_index]
    return odds, SettlementStep(
        SettlementStepKind.ODDS_POSTED, rules.law.settlement.posted_odds_clause or "", figures=(odds,)
    )


def _stake_return_steps(rules: Rules, question: WagerQuestion, reason: VoidReason | None) -> list[SettlementStep]:
    """Steps that return the stake regardless of the result: void round, unregistered bet, under the minimum again after
    a warning. Empty if none applies."""
    settlement = rules.law.settlement
    if reason is not None:
        return [
            SettlementStep(SettlementStepKind.VOID_ROUND, reason.clause, figures=(question.void_reason or "",)),
            SettlementStep(
                SettlementStepKind.STAKE_RETURNED,
                reason.stakes_clause or settlement.void_stakes_clause or "",
                question.stake_cents,
            ),
        ]
    if settlement.unregistered is not None and not question.was_registered:
        return [SettlementStep(SettlementStepKind.NOT_REGISTERED, settlement.unregistered.clause, question.stake_cents)]
    under = under_minimum_step(rules.law, question)
    return [under] if under is not None and under.kind is SettlementStepKind.UNDER_MINIMUM_RETURNED else []


def _deciding_outcome(rules: Rules, question: WagerQuestion) -> tuple[Outcome, list[SettlementStep]]:
    """The result to settle by: the dice, or if the lights failed the source that the document names for that case."""
    rule = rules.law.settlement.lights_failed
    if rule is None or not question.have_lights_failed:
        outcome, kind, clause = question.outcome, SettlementStepKind.RESULT, ""
    elif rule.settled_by == "called":
        outcome, kind, clause = question.called, SettlementStepKind.RESULT_BY_CALL, rule.clause
    else:
        outcome, kind, clause = question.outcome, SettlementStepKind.RESULT_BY_DICE, rule.clause
    if outcome is None:
        expected = (
            "the result called"
            if kind is SettlementStepKind.RESULT_BY_CALL
            else "three dice, or the reason for no result"
        )
        raise EngineError(ErrorCode.BAD_DICE, f"there is no result to settle by: expected {expected}")
    return outcome, [SettlementStep(kind, clause, figures=(outcome,))]


def _void_settlement(question: WagerQuestion, steps: list[SettlementStep]) -> Settlement:
    return Settlement(Verdict.VOID, tuple(steps), None, 0, question.stake_cents)


def _losing_settlement(rules: Rules, question: WagerQuestion, steps: list[SettlementStep]) -> Settlement:
    live, clip = cap_stake(rules.law, question)
    return Settlement(Verdict.LOSE, (*steps, *clip), None, 0, question.stake_cents - live)


def _winning_settlement(
    rules: Rules, question: WagerQuestion, odds: Fraction, steps: list[SettlementStep]
) -> Settlement:
    live, clip = cap_stake(rules.law, question)
    won, rounding = compute_winnings(rules.law, question, live, odds)
    steps = [
        *steps,
        *clip,
        *rounding,
        SettlementStep(SettlementStepKind.WINNINGS, amount_cents=won, figures=(live, odds)),
    ]
    returned = question.stake_cents + won
    if question.is_promotional_token:
        token = rules.law.settlement.promotional_token
        clause = token.clause if token is not None else ""
        if token is not None and token.on_win == "returned":
            steps.append(SettlementStep(SettlementStepKind.TOKEN_RETURNED, clause, live))
        else:
            steps.append(SettlementStep(SettlementStepKind.TOKEN_KEPT, clause, live))
            returned -= live
    return Settlement(Verdict.WIN, tuple(steps), odds, won, returned)


def _settle_streak(rules: Rules, question: WagerQuestion, reason: VoidReason | None) -> Settlement:
    """Settles a streak wager whose run has ended. While the run continues, the verdict is OPEN and nothing is due."""
    streak = rules.law.streak
    assert streak is not None
    run = follow_streak(streak, rules.streak_sides, question)
    steps = list(run.steps)
    if run.end is StreakEnd.RUNNING:
        if reason is not None and reason.on_streak == "refund":
            return _void_settlement(
                question,
                [*steps, SettlementStep(SettlementStepKind.STREAK_REFUNDED, reason.clause, question.stake_cents)],
            )
        if reason is not None:
            steps.append(
                SettlementStep(SettlementStepKind.VOID_ROUND, reason.clause, figures=(question.void_reason or "",))
            )
            steps.append(
                SettlementStep(SettlementStepKind.STREAK_FROZEN, streak.no_result_clause, figures=(run.count,))
            )
        else:
            steps.append(SettlementStep(SettlementStepKind.STREAK_RUNNING, streak.clause, figures=(run.count,)))
        return Settlement(Verdict.OPEN, tuple(steps))
    if run.end is StreakEnd.REFUNDED:
        return _void_settlement(question, steps)
    odds = streak.odds_at(run.count)
    if odds is None:
        return _losing_settlement(
            rules,
            question,
            [*steps, SettlementStep(SettlementStepKind.LOSES, streak.loses_by, figures=(question.bet.code,))],
        )
    steps.append(SettlementStep(SettlementStepKind.WINS, streak.wins_by, figures=(question.bet.code, str(run.count))))
    return _winning_settlement(
        rules, question, odds, [*steps, SettlementStep(SettlementStepKind.ODDS, streak.pays_clause, figures=(odds,))]
    )
