"""settle(): one wager under one rule pack, in plain steps, each with its amount and its clause."""

from __future__ import annotations

from fractions import Fraction

from rounds.engine.errors import EngineError, ErrorCode
from rounds.engine.law import VoidReason
from rounds.engine.limits import live_stake, under_minimum_step, winnings
from rounds.engine.outcomes import Outcome, index_of
from rounds.engine.packs import Pack
from rounds.engine.posted_odds import by_level, posted_below_minimum
from rounds.engine.rules import BetRule, Pay, Rules, rules_for
from rounds.engine.settlement import Settlement, Step, StepKind, Verdict, WagerAsked
from rounds.engine.streak import StreakEnd, play_out


def settle(pack: Pack, asked: WagerAsked) -> Settlement:
    return settle_under(rules_for(pack, asked.pay_table, asked.readings), asked)


def settle_under(rules: Rules, asked: WagerAsked) -> Settlement:
    """The same, under rules already compiled for a pay table and readings; those named in `asked` are not looked at."""
    refused = _approval(rules, asked)
    if refused is not None:
        return Settlement(Verdict.UNAPPROVED, (refused,))
    reason = _void_reason(rules, asked)
    if asked.bet.is_streak:
        return _settle_streak(rules, asked, reason)
    handed_back = _handed_back(rules, asked, reason)
    if handed_back:
        return _void(asked, handed_back)
    rule = rules.bets[asked.bet.code]
    posted = _posted(rules, rule, asked)
    outcome, steps = _result(rules, asked)
    pay = rule.by_outcome[index_of(outcome)]
    under = under_minimum_step(rules.law, asked)
    if under is not None:
        steps.append(under)
    if pay is None:
        return _lose(rules, asked, [*steps, Step(StepKind.LOSES, rule.loses_by, figures=(rule.bet.code,))])
    steps.append(Step(StepKind.WINS, rule.wins_by, figures=(rule.bet.code, pay.level)))
    odds, odds_step = _odds(rules, pay, posted)
    return _win(rules, asked, odds, [*steps, odds_step])


def _approval(rules: Rules, asked: WagerAsked) -> Step | None:
    code = asked.bet.code
    if not rules.approves(code):
        clause = rules.law.pay_table[rules.pay_table].clause
        return Step(StepKind.NOT_IN_VERSION, clause, figures=(code, rules.pack.name, rules.pay_table))
    if asked.offered is not None and code not in asked.offered:
        return Step(StepKind.NOT_OFFERED, figures=(code,))
    return None


def _void_reason(rules: Rules, asked: WagerAsked) -> VoidReason | None:
    """Reasons are a closed list for each document: a round is not void because somebody says so."""
    if asked.void_reason is None:
        return None
    for name, reason in rules.law.void.items():
        if name == asked.void_reason:
            return reason
    raise EngineError(
        ErrorCode.UNKNOWN_VOID_REASON,
        f"{rules.pack.name} does not void a round for {asked.void_reason!r}: expected one of "
        + ", ".join(rules.law.void),
    )


def _posted(rules: Rules, rule: BetRule, asked: WagerAsked) -> tuple[Fraction, ...] | None:
    """Odds posted at the table, one for each level. They count only where the document's own odds are floors."""
    if asked.posted_odds is None or rules.law.settlement.posted_odds_clause is None:
        return None
    posted = by_level(rule, asked.posted_odds)
    for below in posted_below_minimum(rules, {rule.bet.code: posted}):
        raise EngineError(ErrorCode.POSTED_BELOW_MINIMUM, below.sentence)
    return posted


def _odds(rules: Rules, pay: Pay, posted: tuple[Fraction, ...] | None) -> tuple[Fraction, Step]:
    if posted is None or not pay.is_minimum:
        return pay.odds, Step(StepKind.ODDS, pay.clause, figures=(pay.odds,))
    odds = posted[pay.level_index]
    return odds, Step(StepKind.ODDS_POSTED, rules.law.settlement.posted_odds_clause or "", figures=(odds,))


def _handed_back(rules: Rules, asked: WagerAsked, reason: VoidReason | None) -> list[Step]:
    """Why the stake goes back whatever the result: a void round, an unregistered bet, a warning not heeded."""
    settlement = rules.law.settlement
    if reason is not None:
        return [
            Step(StepKind.VOID_ROUND, reason.clause, figures=(asked.void_reason or "",)),
            Step(
                StepKind.STAKE_RETURNED, reason.stakes_clause or settlement.void_stakes_clause or "", asked.stake_cents
            ),
        ]
    if settlement.unregistered is not None and not asked.was_registered:
        return [Step(StepKind.NOT_REGISTERED, settlement.unregistered.clause, asked.stake_cents)]
    under = under_minimum_step(rules.law, asked)
    return [under] if under is not None and under.kind is StepKind.UNDER_MINIMUM_RETURNED else []


def _result(rules: Rules, asked: WagerAsked) -> tuple[Outcome, list[Step]]:
    """The result that counts: the dice, or where the lights failed whatever the document then goes by."""
    rule = rules.law.settlement.lights_failed
    if rule is None or not asked.have_lights_failed:
        outcome, kind, clause = asked.outcome, StepKind.RESULT, ""
    elif rule.settled_by == "called":
        outcome, kind, clause = asked.called, StepKind.RESULT_BY_CALL, rule.clause
    else:
        outcome, kind, clause = asked.outcome, StepKind.RESULT_BY_DICE, rule.clause
    if outcome is None:
        wanted = "the result called" if kind is StepKind.RESULT_BY_CALL else "three dice, or the reason for no result"
        raise EngineError(ErrorCode.BAD_DICE, f"there is no result to settle by: expected {wanted}")
    return outcome, [Step(kind, clause, figures=(outcome,))]


def _void(asked: WagerAsked, steps: list[Step]) -> Settlement:
    return Settlement(Verdict.VOID, tuple(steps), None, 0, asked.stake_cents)


def _lose(rules: Rules, asked: WagerAsked, steps: list[Step]) -> Settlement:
    live, clip = live_stake(rules.law, asked)
    return Settlement(Verdict.LOSE, (*steps, *clip), None, 0, asked.stake_cents - live)


def _win(rules: Rules, asked: WagerAsked, odds: Fraction, steps: list[Step]) -> Settlement:
    live, clip = live_stake(rules.law, asked)
    won, rounding = winnings(rules.law, asked, live, odds)
    steps = [*steps, *clip, *rounding, Step(StepKind.WINNINGS, amount_cents=won, figures=(live, odds))]
    returned = asked.stake_cents + won
    if asked.is_promotional_token:
        token = rules.law.settlement.promotional_token
        clause = token.clause if token is not None else ""
        if token is not None and token.on_win == "returned":
            steps.append(Step(StepKind.TOKEN_RETURNED, clause, live))
        else:
            steps.append(Step(StepKind.TOKEN_KEPT, clause, live))
            returned -= live
    return Settlement(Verdict.WIN, tuple(steps), odds, won, returned)


def _settle_streak(rules: Rules, asked: WagerAsked, reason: VoidReason | None) -> Settlement:
    """A streak is settled when its run has ended; until then it stays open and nothing is due."""
    streak = rules.law.streak
    assert streak is not None
    run = play_out(streak, rules.streak_sides, asked)
    steps = list(run.steps)
    if run.end is StreakEnd.RUNNING:
        if reason is not None and reason.on_streak == "refund":
            return _void(asked, [*steps, Step(StepKind.STREAK_REFUNDED, reason.clause, asked.stake_cents)])
        if reason is not None:
            steps.append(Step(StepKind.VOID_ROUND, reason.clause, figures=(asked.void_reason or "",)))
            steps.append(Step(StepKind.STREAK_FROZEN, streak.no_result_clause, figures=(run.count,)))
        else:
            steps.append(Step(StepKind.STREAK_RUNNING, streak.clause, figures=(run.count,)))
        return Settlement(Verdict.OPEN, tuple(steps))
    if run.end is StreakEnd.REFUNDED:
        return _void(asked, steps)
    odds = streak.odds_at(run.count)
    if odds is None:
        return _lose(rules, asked, [*steps, Step(StepKind.LOSES, streak.loses_by, figures=(asked.bet.code,))])
    steps.append(Step(StepKind.WINS, streak.wins_by, figures=(asked.bet.code, str(run.count))))
    return _win(rules, asked, odds, [*steps, Step(StepKind.ODDS, streak.pays_clause, figures=(odds,))])
