"""Injectors: wagers and signs that disagree with the limits in force, within one round."""

from __future__ import annotations

from datetime import timedelta

import msgspec

from rounds.intake.protocol.fields import BetLimits, PlayerLimits
from rounds.intake.protocol.round import Round
from rounds.intake.protocol.table import LimitsChanged, SignRemoved, SignShown
from rounds.simulator.faults.injector import register_injector
from rounds.simulator.faults.timeline_editor import TimelineEditor, is_no_triple, losing_side
from rounds.simulator.play.controller_output import ReportedLine
from rounds.simulator.play.table_config import TableConfig

CHIP_CENTS = 100
LOWERED_BY_CENTS = 10 * CHIP_CENTS
ONE_MILLISECOND = timedelta(milliseconds=1)


def _shows_limits(set_up: TableConfig) -> bool:
    return set_up.pack.duties.limits_shown is not None


@register_injector("LIMIT-OVER-MAX", fits=_shows_limits, is_live=True)
def accept_wager_above_maximum(scene: TimelineEditor) -> None:
    """A losing wager a dollar above the maximum, settled as its rules say, and one exactly at it. The same where the
    sign states a lower maximum for that type of wager."""
    clips = scene.pack.law.settlement.over_maximum is not None
    for case, over_by in (("over", CHIP_CENTS), ("at", 0), ("type-over", CHIP_CENTS), ("type-at", 0)):
        is_by_type = case.startswith("type-")
        if is_by_type and scene.is_live:
            continue
        line = _lower_maximum_of_side(scene) if is_by_type else scene.pick_round(is_no_triple)
        body = scene.round_body(line)
        bet = losing_side(body)
        maximum = (body.limits or scene.limits).for_bet(bet).max
        returned = over_by if clips else 0
        spot = scene.add_wager(line, bet=bet, stake=maximum + over_by, verdict="lose", returned=returned)
        says = f"A wager was {over_by} cents above the maximum{' of its type' if is_by_type else ''}."
        scene.record_wager_fault(spot, says, case=case, finding=bool(over_by))


def _lower_maximum_of_side(scene: TimelineEditor) -> ReportedLine:
    """A round for which the maximum of the losing side is a little lower than the table's, and the same after it."""
    line = scene.pick_round(_may_lower_maximum)
    body = scene.round_body(line)
    assert body.limits is not None
    own = BetLimits(max=body.limits.max - LOWERED_BY_CENTS)
    lowered = msgspec.structs.replace(body.limits, by_bet={losing_side(body): own})
    by = scene.table.supervisor
    scene.insert_line("limits-changed", body.events[0].at - ONE_MILLISECOND, LimitsChanged(limits=lowered, by=by))
    scene.insert_line("limits-changed", line.at, LimitsChanged(limits=body.limits, by=by))
    scene.change_body(line, limits=lowered)
    return line


def _may_lower_maximum(body: Round) -> bool:
    """Whether all stakes on the losing side together are within the lower maximum, and nobody has own limits."""
    if body.limits is None or body.player_limits or not is_no_triple(body):
        return False
    side = losing_side(body)
    amounts = (
        [wager.stake, *(change.stake or 0 for change in wager.changes)]
        for wager in body.wagers
        if side in (wager.bet, *(change.bet for change in wager.changes))
    )
    return sum(map(max, amounts)) <= body.limits.max - LOWERED_BY_CENTS


@register_injector("LIMIT-SOURCES", fits=_shows_limits, is_live=True)
def show_wrong_maximum(scene: TimelineEditor) -> None:
    """The sign in the round states another maximum than the one that governs."""
    line = scene.pick_round(lambda body: _has_limits(body))
    limits = scene.round_body(line).limits
    assert limits is not None
    scene.change_body(line, limits=msgspec.structs.replace(limits, max=limits.max * 2))
    scene.record_fault(line, "The sign stated twice the maximum that was in force.")


@register_injector("LIMIT-NOT-SHOWN", fits=_shows_limits)
def take_limits_sign_down(scene: TimelineEditor) -> None:
    """The sign with the limits is taken down before a round, and put up again after it."""
    line = scene.pick_round(lambda body: _has_limits(body))
    begins_at = scene.round_body(line).events[0].at
    bodies = [one.body for one in scene.timeline.lines if one.at < begins_at and isinstance(one.body, SignShown)]
    sign = [body for body in bodies if body.purpose == "limits"][-1]
    scene.insert_line("sign-removed", begins_at - ONE_MILLISECOND, SignRemoved(sign=sign.sign))
    scene.insert_line("sign-shown", line.at, sign)
    scene.change_body(line, limits=None)
    scene.record_fault(line, "No sign with the limits was up during the round.")


def _has_limits(body: Round) -> bool:
    return body.limits is not None and is_no_triple(body)


@register_injector("LIMIT-PLAYER-SIGN", fits=lambda set_up: set_up.pack.duties.player_limits is not None, is_live=True)
def exceed_maximum_without_sign(scene: TimelineEditor) -> None:
    """A player is let above the maximum without a sign for that player, and loses the whole stake."""
    line = scene.pick_round(is_no_triple)
    body = scene.round_body(line)
    limits = body.limits or scene.limits
    stake = limits.max + limits.min
    spot = scene.add_wager(line, bet=losing_side(body), stake=stake, verdict="lose", returned=0)
    own = PlayerLimits(min=limits.min, max=limits.max * 2, player=spot.wager.player, seat=spot.wager.seat)
    scene.change_body(line, player_limits=(*body.player_limits, own))
    says = "A player was let above the maximum, and no sign for that player was shown."
    also = ("LIMIT-OVER-MAX", "SETTLE-CLIP")
    scene.record_wager_fault(spot, says, amount=-limits.min, also=also)
