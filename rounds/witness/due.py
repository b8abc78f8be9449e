"""What one wager was due, as the log's own rules and records have it. Written apart from the service's audit."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from rounds.engine.bets import BETS
from rounds.engine.errors import EngineError
from rounds.engine.lights import are_no_guide
from rounds.engine.rules import Rules
from rounds.engine.settle import settle_under
from rounds.engine.settlement import NO_LIMITS, WagerAsked
from rounds.witness.circumstances import posted_for
from rounds.witness.determined import INVALIDATED
from rounds.witness.positions import Held, Position
from rounds.witness.seen import Seen


class NoSum(Exception):
    """Why no sum is due that could be compared. `must_be_found`: the log must then have a finding that says so."""

    def __init__(self, why: str, *, must_be_found: bool = False) -> None:
        super().__init__(why)
        self.must_be_found = must_be_found


class NoPack(NoSum):
    """Nobody can say what is due without the rules."""

    def __init__(self, sha256: str) -> None:
        super().__init__(f"the rule pack {sha256}, which the log names, is not in the evidence or cannot be read")


class Due(NamedTuple):
    """`cents` is what a finding must name. `or_cents` is right too; `or_more` and `or_less`: so is anything above or
    below. `rules` and `asked` settle it again under another reading."""

    cents: int
    or_cents: int | None = None
    or_more: bool = False
    or_less: bool = False
    rules: Rules | None = None
    asked: WagerAsked | None = None
    added_cents: int = 0

    def accepts(self, paid: int) -> bool:
        return (
            paid in (self.cents, self.or_cents)
            or (self.or_more and paid > self.cents)
            or (self.or_less and paid < self.cents)
        )


def due_of(seen: Seen, position: Position, held: Held | None, pay_table: str) -> Due:
    decided = _decided(seen, position)
    if decided is not None:
        return decided
    if position.was_placed_late:
        return Due(position.handed_in_cents)
    if position.was_withdrawn:
        return Due(position.stake_cents, or_less=position.wager.verdict != "lose")
    return _settled(seen, position, held, seen.governing.rules(pay_table))


def _decided(seen: Seen, position: Position) -> Due | None:
    """Where somebody decided about the wager, and the rules let them."""
    wager, pack, handed_in = position.wager, seen.pack, position.handed_in_cents
    declared_at, forfeited = seen.determined.void_wagers.get(wager.id), seen.determined.forfeited
    ban, reason = pack.duties.device_ban, seen.round.no_result
    if declared_at is not None and ban is not None and "void-wagers" in ban.may:
        return Due(handed_in, or_more=declared_at > seen.ended_at)
    if wager.verdict == "refused" and pack.duties.wager_refusal is not None and wager.returned == handed_in:
        return Due(handed_in)
    if forfeited is not None and wager.id in forfeited and seen.may_forfeit(INVALIDATED):
        return Due(0, or_more=seen.is_known_too_late)
    is_fraud = wager.verdict == "forfeited" and reason is not None and reason.grounds == "fraud"
    if is_fraud and forfeited is None and reason is not None and seen.may_forfeit(reason.reason):
        return Due(0, or_more=True)
    return None


def _settled(seen: Seen, position: Position, held: Held | None, rules: Rules) -> Due:
    asked = _asked(seen, position, held, rules)
    cents = _settle(rules, asked, was_taken=position.wager.verdict != "refused")
    added = position.added_late_cents
    whole, rule = None, rules.law.settlement.over_maximum
    stands = rule is not None and rule.found_on_a_later_game == "stands"
    if stands and held is not None and held.is_over and position.wager.id not in seen.found_over:
        unclipped = replace(asked, limits=replace(asked.limits, maximum_cents=None))
        whole = _settle(rules, unclipped) + added
    return Due(cents + added, whole, seen.is_known_too_late, rules=rules, asked=asked, added_cents=added)


def _asked(seen: Seen, position: Position, held: Held | None, rules: Rules) -> WagerAsked:
    wager, called = position.wager, seen.round.called
    return WagerAsked(
        bet=BETS[position.bet],
        stake_cents=position.stake_cents,
        outcome=seen.outcome,
        limits=held.limits_of(position) if held else NO_LIMITS,
        posted_odds=posted_for(rules, position.bet, seen.governing.facts),
        offered=seen.governing.offered,
        is_promotional_token=wager.tender == "promotional-token",
        was_warned=seen.was_warned(wager),
        was_registered=wager.registered is not False,
        void_reason=seen.void_reason,
        have_lights_failed=_are_lights_no_guide(seen, rules),
        called=called.faces if called else None,
    )


def _are_lights_no_guide(seen: Seen, rules: Rules) -> bool:
    called, lay, lit = seen.round.called, seen.outcome, seen.round.lit
    if called is None or lay is None or lit is None:
        return False
    return are_no_guide(rules, seen.governing.offered, lit, lay, called.faces)


def _settle(rules: Rules, asked: WagerAsked, *, was_taken: bool = True) -> int:
    try:
        settled = settle_under(rules, asked)
    except EngineError as error:
        raise NoSum("the rules give no verdict on it") from error
    if settled.returned_cents is None:
        raise NoSum("the wager is not approved or not offered", must_be_found=was_taken)
    return settled.returned_cents
