"""What was due for one wager, what the table handed back, and under which code the difference falls."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime
from math import ceil

from compliance.audit.checks.positions import Held, Position
from compliance.audit.seen import RoundSeen
from rounds.engine.alternatives import alternatives
from rounds.engine.bets import BETS
from rounds.engine.errors import EngineError, ErrorCode
from rounds.engine.explain import explain
from rounds.engine.lights import are_no_guide
from rounds.engine.packs import Pack
from rounds.engine.rules import Rules
from rounds.engine.settle import settle_under
from rounds.engine.settlement import NO_LIMITS, Limits, Settlement, StepKind, Verdict, WagerAsked

ROUNDED = frozenset(
    {StepKind.ROUNDED_UP, StepKind.ROUNDED_DOWN, StepKind.STAKE_FLOORED, StepKind.WINNINGS_FLOORED},
)
# Which step of a settlement has the clause that a code is about; the last clause applied where none of these is there.
STEP_OF = {
    "SETTLE-OVERPAID": {StepKind.ODDS, StepKind.ODDS_POSTED},
    "SETTLE-UNDERPAID": {StepKind.ODDS, StepKind.ODDS_POSTED},
    "SETTLE-PAY-TABLE": {StepKind.ODDS},
    "SETTLE-WINNER-UNPAID": {StepKind.WINS},
    "SETTLE-LOSER-PAID": {StepKind.LOSES},
    "SETTLE-CLIP": {StepKind.CLIPPED},
    "SETTLE-ROUNDING": ROUNDED,
    "SETTLE-TOKEN": {StepKind.TOKEN_KEPT, StepKind.TOKEN_RETURNED},
    "SETTLE-VOID-KEPT": {StepKind.VOID_ROUND},
    "SETTLE-SHOULD-BE-VOID": {StepKind.VOID_ROUND},
    "WAGER-UNDER-MIN": {StepKind.UNDER_MINIMUM_RETURNED, StepKind.UNDER_MINIMUM_SETTLED},
    "WAGER-UNREGISTERED": {StepKind.NOT_REGISTERED},
}


@dataclass(frozen=True, kw_only=True)
class Mistake:
    """A wager that was not settled as the rules say."""

    code: str
    found_cents: int
    required_cents: int | None
    clause: str
    explanation: tuple[str, ...] = ()
    is_silent: bool = False
    reading: tuple[str, str] | None = None


@dataclass(frozen=True)
class _Judged:
    """One wager with everything that a verdict on it needs."""

    seen: RoundSeen
    position: Position
    held: Held | None
    rules: Rules
    asked: WagerAsked
    settled: Settlement

    @property
    def found_cents(self) -> int:
        return handed_back(self.seen, self.position)

    @property
    def due_cents(self) -> int:
        """What the position at the cut-off is due, and whatever was added afterwards."""
        return (self.settled.returned_cents or 0) + self.position.added_late_cents

    @property
    def kinds(self) -> Collection[StepKind]:
        return {step.kind for step in self.settled.steps}


def handed_back(seen: RoundSeen, position: Position) -> int:
    """With the round, and later, after a determination that it or the wager is void."""
    wager, voided = position.wager, seen.voided
    return (wager.returned or 0) + (voided.refunds.get(wager.id, 0) if voided else 0)


def asked_of(seen: RoundSeen, position: Position, held: Held | None) -> WagerAsked:
    """The question to the engine: the wager as it stood, in the circumstances of its round."""
    wager, circumstances = position.wager, seen.circumstances
    return WagerAsked(
        bet=BETS[position.bet],
        stake_cents=position.stake_cents,
        outcome=seen.outcome,
        limits=_limits(position, held) if held else NO_LIMITS,
        posted_odds=circumstances.posted_odds.get(position.bet),
        offered=circumstances.offered,
        is_promotional_token=wager.tender == "promotional-token",
        was_warned=wager.warned,
        was_registered=wager.registered is not False,
        void_reason=seen.void_reason,
        have_lights_failed=_are_lights_no_guide(seen),
        called=seen.round.called.faces if seen.round.called else None,
    )


def _are_lights_no_guide(seen: RoundSeen) -> bool:
    """SkyCity 7.e then goes by the result called."""
    called, lay, lit, governing = seen.round.called, seen.outcome, seen.round.lit, seen.circumstances
    pay_table = governing.pay_table_of(None)
    if called is None or lay is None or lit is None or pay_table is None:
        return False
    return are_no_guide(governing.rules(pay_table), governing.offered, lit, lay, called.faces)


def _limits(position: Position, held: Held) -> Limits:
    """A player's wagers on a box count together: each gets as its maximum the part of it that is live."""
    stake, live = position.stake_cents, held.live_cents[position.wager.id]
    minimum = held.limits.minimum_cents
    if minimum is not None and not held.is_under:
        minimum = min(minimum, stake)
    return replace(held.limits, minimum_cents=minimum, maximum_cents=live if live < stake else None)


def mistake_of(seen: RoundSeen, position: Position, held: Held | None) -> Mistake | None:
    """None: the table did as the rules say, or the rules give no verdict on this wager's money."""
    declared = seen.voided.wagers.get(position.wager.id) if seen.voided is not None else None
    if declared is None:
        return _as_settled(seen, position, held)
    clause = _void_wagers_clause(seen.pack)
    if clause is not None:
        return _declared_void(seen, position, clause, *declared)
    mistake = _as_settled(seen, position, held)
    if mistake is None:
        return None
    why = f"Entry {declared[0]} declares the wager void; the rules do not say whether that may be."
    return replace(mistake, is_silent=True, explanation=(why, *mistake.explanation))


def _as_settled(seen: RoundSeen, position: Position, held: Held | None) -> Mistake | None:
    pay_table = seen.circumstances.pay_table_of(position.wager.terminal)
    if pay_table is None or position.wager.verdict == "open" or is_set_aside(seen, position):
        return None
    if position.was_placed_late:
        return _placed_late(seen, position)
    if position.was_withdrawn:
        return _withdrawn_in_time(position)
    rules = seen.circumstances.rules(pay_table)
    asked = asked_of(seen, position, held)
    try:
        settled = settle_under(rules, asked)
    except EngineError as error:
        return _without_verdict(seen, position, error)
    if settled.returned_cents is None:
        return None
    judged = _Judged(seen, position, held, rules, asked, settled)
    if _forfeited(judged):
        return replace(_as(judged, "SETTLE-SHOULD-BE-VOID"), required_cents=0)
    if judged.found_cents in _right_amounts(judged):
        return _wrongly_paid_in(judged)
    if seen.is_known_too_late and judged.found_cents > judged.due_cents:
        # Stakes are owed at once; winnings that were paid before are not taken back by themselves.
        return None
    return _mistake(judged)


def is_set_aside(seen: RoundSeen, position: Position) -> bool:
    """Refused with the money back where the rules let a wager be refused, or forfeited where they let it be."""
    wager, reason = position.wager, seen.round.no_result
    if wager.verdict == "refused":
        return seen.pack.duties.wager_refusal is not None and wager.returned == position.handed_in_cents
    if seen.voided is not None and seen.voided.forfeited is not None:
        # Somebody decided in writing which wagers are forfeited: that decides, and nothing the table says.
        is_forfeited = wager.id in seen.voided.forfeited and _may_forfeit(seen, "invalidated")
        return is_forfeited and (seen.is_known_too_late or handed_back(seen, position) == 0)
    if wager.verdict == "forfeited" and reason is not None and reason.grounds == "fraud":
        return _may_forfeit(seen, reason.reason)
    return False


def _may_forfeit(seen: RoundSeen, reason: str) -> bool:
    rule = seen.void_rule(reason)
    return rule is not None and rule.may_forfeit


def _forfeited(judged: _Judged) -> bool:
    """Handed back in spite of a direction, given while the round was on, that it be forfeited."""
    seen, voided = judged.seen, judged.seen.voided
    forfeited = voided.forfeited if voided else None
    return forfeited is not None and judged.position.wager.id in forfeited and _may_forfeit(seen, "invalidated")


def _void_wagers_clause(pack: Pack) -> str | None:
    ban = pack.duties.device_ban
    return dict(zip(ban.may, ban.may_clauses, strict=True)).get("void-wagers") if ban else None


def _declared_void(seen: RoundSeen, position: Position, clause: str, entry: int, at: datetime) -> Mistake | None:
    """A wager of somebody whom the rules let lose it so: void, and its stake goes back."""
    due, found = position.handed_in_cents, handed_back(seen, position)
    if found == due or (found > due and at > seen.ended_at):
        # Winnings that were paid before are not taken back by themselves.
        return None
    return Mistake(
        code="SETTLE-VOID-KEPT" if found < due else "SETTLE-SHOULD-BE-VOID",
        found_cents=found,
        required_cents=due,
        clause=clause,
        explanation=(f"Entry {entry} declares the wager void [{clause}].",),
    )


def _placed_late(seen: RoundSeen, position: Position) -> Mistake | None:
    rule, due = seen.pack.conduct.late_wagers, position.handed_in_cents
    if position.wager.returned == due:
        return None
    return Mistake(
        code="WAGER-LATE",
        found_cents=position.wager.returned or 0,
        required_cents=due if rule is not None and rule.placed == "not-valid" else None,
        clause=rule.clause if rule is not None else seen.pack.conduct.no_more_bets.clause,
        is_silent=rule is None or rule.placed == "silent",
        explanation=(
            f"Betting closed at {seen.cut_off:%H:%M:%S.%f} UTC.",
            f"The wager was placed at {position.wager.placed_at:%H:%M:%S.%f} UTC.",
        ),
    )


def _withdrawn_in_time(position: Position) -> Mistake | None:
    """It was off the table before betting closed: nothing is won on it and nothing is kept of it."""
    wager, found = position.wager, position.wager.returned or 0
    if found <= position.stake_cents and wager.verdict != "lose":
        return None
    code = "SETTLE-VOID-KEPT" if found < position.stake_cents else "SETTLE-LOSER-PAID"
    return Mistake(code=code, found_cents=found, required_cents=position.stake_cents, clause="")


def _without_verdict(seen: RoundSeen, position: Position, error: EngineError) -> Mistake | None:
    """A reason for no result that the document does not list is another check's business."""
    if error.code is not ErrorCode.NOT_A_WHOLE_CENT:
        return None
    return Mistake(
        code="SETTLE-ROUNDING",
        found_cents=position.wager.returned or 0,
        required_cents=None,
        clause=seen.pack.law.pay_table[seen.circumstances.pay_table_of(position.wager.terminal) or ""].clause,
        is_silent=True,
        explanation=(f"{error.message[0].upper()}{error.message[1:]}.",),
    )


def _right_amounts(judged: _Judged) -> Collection[int]:
    """What is due; and where a wager above the maximum stands once found on a later game, all of it too."""
    rule, held = judged.rules.law.settlement.over_maximum, judged.held
    if judged.position.wager.id in judged.seen.found_over:
        return (judged.due_cents,)
    if rule is None or held is None or not held.is_over or rule.found_on_a_later_game != "stands":
        return (judged.due_cents,)
    whole = settle_under(judged.rules, replace(judged.asked, limits=replace(judged.asked.limits, maximum_cents=None)))
    return judged.due_cents, (whole.returned_cents or 0) + judged.position.added_late_cents


def _wrongly_paid_in(judged: _Judged) -> Mistake | None:
    """The amount is right, but what a token wins is paid in what the voucher's clause names."""
    voucher, paid_in = judged.seen.pack.duties.voucher, judged.position.wager.paid_in
    is_win = judged.settled.verdict is Verdict.WIN
    if voucher is None or not judged.asked.is_promotional_token or not is_win:
        return None
    if paid_in in (None, voucher.winnings_paid_in):
        return None
    return replace(_as(judged, "SETTLE-TOKEN"), clause=voucher.clause)


def _mistake(judged: _Judged) -> Mistake:
    code, rule = _code_of_handling(judged), judged.seen.pack.conduct.late_wagers
    if code == "WAGER-LATE":
        clause = rule.clause if rule else judged.seen.pack.conduct.no_more_bets.clause
        return replace(_as(judged, code), clause=clause, is_silent=rule is None or rule.increased == "silent")
    if code == "WAGER-WITHDRAWN-LATE":
        clause = (rule.withdrawn_clause or rule.clause) if rule else judged.seen.pack.conduct.no_more_bets.clause
        return replace(_as(judged, code), clause=clause, is_silent=rule is None or rule.withdrawn == "silent")
    if code:
        return _as(judged, code)
    for other in alternatives(judged.rules, judged.asked, judged.settled):
        if other.returned_cents is not None and other.returned_cents == judged.found_cents:
            clause = judged.seen.pack.readings[other.reading].clause
            return replace(_as(judged, "SETTLE-READING"), clause=clause, reading=(other.reading, other.choice))
    return _at_interruption(judged, _as(judged, _code_of_amount(judged)))


def _at_interruption(judged: _Judged, mistake: Mistake) -> Mistake:
    """A wager handed back that should have been settled: the clause is the one that says so of an interruption."""
    rule, wager = judged.seen.pack.duties.interruption, judged.position.wager
    if rule is None or wager.verdict != "void":
        return mistake
    if judged.seen.is_concluded:
        why = f"The whole result could be read when play was interrupted: the round counts [{rule.established_clause}]."
        return replace(mistake, clause=rule.established_clause, explanation=(why, *mistake.explanation))
    if wager.registered:
        why = f"The terminal had registered the wager: it is settled like any other [{rule.registered_clause}]."
        return replace(mistake, clause=rule.registered_clause, explanation=(why, *mistake.explanation))
    return mistake


def _as(judged: _Judged, code: str) -> Mistake:
    steps, wanted = judged.settled.steps, STEP_OF.get(code, ())
    clauses = [step.clause for step in steps if step.kind in wanted and step.clause]
    return Mistake(
        code=code,
        found_cents=judged.found_cents,
        required_cents=judged.due_cents,
        clause=(clauses or list(judged.settled.clauses[-1:]) or [""])[0],
        explanation=(*_determination(judged), *explain(judged.settled)),
    )


def _determination(judged: _Judged) -> tuple[str, ...]:
    voided, found_by = judged.seen.voided, judged.seen.found_over.get(judged.position.wager.id)
    if found_by is not None:
        return (f"Entry {found_by} records that it was found above the maximum before it was settled.",)
    if voided is None or not judged.seen.is_voided_later:
        return ()
    words = [f"The round was determined to be void later, by entry {', '.join(map(str, voided.sets))}."]
    if judged.position.wager.id in (voided.forfeited or ()):
        words.append("It was directed that the wager be forfeited.")
    return tuple(words)


def _code_of_handling(judged: _Judged) -> str:
    """Codes for what was done with the wager rather than for how its odds were applied."""
    kinds, position, found = judged.kinds, judged.position, judged.found_cents
    if StepKind.NOT_REGISTERED in kinds:
        return "WAGER-UNREGISTERED"
    if StepKind.UNDER_MINIMUM_RETURNED in kinds:
        return "WAGER-UNDER-MIN"
    if StepKind.UNDER_MINIMUM_SETTLED in kinds and found == position.handed_in_cents:
        return "WAGER-UNDER-MIN"
    if position.was_taken_back_late:
        return "WAGER-WITHDRAWN-LATE"
    if position.is_touched_late:
        return "WAGER-LATE"
    if judged.settled.verdict is Verdict.VOID:
        return "SETTLE-VOID-KEPT" if found < judged.due_cents else "SETTLE-SHOULD-BE-VOID"
    return "SETTLE-CLIP" if StepKind.CLIPPED in kinds else ""


def _code_of_amount(judged: _Judged) -> str:
    found, due, stake = judged.found_cents, judged.due_cents, judged.position.stake_cents
    if _is_of_another_pay_table(judged):
        return "SETTLE-PAY-TABLE"
    if judged.settled.verdict is Verdict.LOSE:
        return "SETTLE-LOSER-PAID"
    if judged.asked.is_promotional_token:
        return "SETTLE-TOKEN"
    if found <= stake:
        return "SETTLE-WINNER-UNPAID"
    if ROUNDED & set(judged.kinds) and abs(found - due) <= _most_by_rounding(judged):
        return "SETTLE-ROUNDING"
    return "SETTLE-UNDERPAID" if found < due else "SETTLE-OVERPAID"


def _is_of_another_pay_table(judged: _Judged) -> bool:
    circumstances, found = judged.seen.circumstances, judged.found_cents
    if found <= judged.position.stake_cents:
        return False
    for name in judged.seen.pack.law.pay_table:
        if name != judged.rules.pay_table:
            try:
                other = settle_under(circumstances.rules(name), judged.asked)
            except EngineError:
                continue
            if other.returned_cents == found:
                return True
    return False


def _most_by_rounding(judged: _Judged) -> int:
    """How far any way of rounding can be from any other: a payable unit, or what a multiple of the minimum wins."""
    limits, odds = judged.asked.limits, judged.settled.odds or 0
    return max(limits.payable_unit_cents or 1, ceil((limits.minimum_cents or 0) * odds))
