"""Injectors: wagers that should not be accepted: late, early, withdrawn late, not approved, not offered, wrong
tender."""

from __future__ import annotations

from datetime import timedelta
from typing import get_args

from rounds.engine import pack
from rounds.intake.protocol.round import Change, Refusal
from rounds.simulator.faults.injector import register_injector
from rounds.simulator.faults.timeline_editor import TimelineEditor, is_no_triple, losing_side, winning_side
from rounds.simulator.play.round_events import first_event_at
from rounds.simulator.play.table_config import TableConfig

ONE_MILLISECOND = timedelta(milliseconds=1)


def _has_late_wager_rule(set_up: TableConfig) -> bool:
    return set_up.pack.conduct.late_wagers is not None


@register_injector("WAGER-LATE", is_live=True)
def accept_late_wager(scene: TimelineEditor) -> None:
    """A wager placed a moment after the cut-off is paid; one placed a moment before it is in time."""
    late = scene.pick_round(is_no_triple)
    body, stake = scene.round_body(late), scene.limits_of_round(late).min
    spot = scene.add_wager(
        late,
        bet=winning_side(body),
        stake=stake,
        verdict="win",
        returned=stake * 2,
        placed_at=scene.cut_off_at(late) + ONE_MILLISECOND,
    )
    says = "A wager placed a thousandth of a second after the cut-off was paid."
    scene.record_wager_fault(spot, says, case="over", amount=stake * 2)
    in_time = [line for line in scene.unfaulted_rounds_with_result() if is_no_triple(scene.round_body(line))]
    if in_time:
        line = scene.rng.choice(in_time)
        spot = scene.add_wager(
            line,
            bet=losing_side(scene.round_body(line)),
            stake=scene.limits_of_round(line).min,
            verdict="lose",
            returned=0,
            placed_at=scene.cut_off_at(line) - ONE_MILLISECOND,
        )
        says = "A wager was placed a thousandth of a second before the cut-off."
        scene.record_wager_fault(spot, says, case="under", finding=False)


@register_injector("WAGER-WITHDRAWN-LATE", fits=_has_late_wager_rule, is_live=True)
def allow_late_withdrawal(scene: TimelineEditor) -> None:
    """A losing wager is taken back after the cut-off."""
    spot = scene.pick_wager(lambda spot: spot.wager.verdict == "lose")
    stake = spot.wager.stake
    withdrawn = Change(what="withdrawn", at=scene.cut_off_at(spot.said) + ONE_MILLISECOND)
    spot = scene.change_wager(spot, changes=(withdrawn,), verdict="void", returned=stake)
    scene.record_wager_fault(spot, "A losing wager was taken back after the cut-off.", amount=stake)


@register_injector("WAGER-EARLY", fits=lambda set_up: set_up.pack.conduct.betting_opens is not None, is_live=True)
def place_wager_before_betting(scene: TimelineEditor) -> None:
    """A wager placed a thousandth of a second before betting opens; another at that instant."""
    for case, early in (("under", ONE_MILLISECOND), ("at", timedelta())):
        spot = scene.pick_wager(lambda one: True)
        opened = first_event_at(spot.round.events, "bets-open")
        assert opened is not None
        changed = scene.change_wager(spot, placed_at=opened - early)
        says = f"A wager was placed {early} before betting opened."
        scene.record_wager_fault(changed, says, case=case, finding=case == "under")


@register_injector("WAGER-UNAPPROVED", is_live=True)
def accept_unknown_bet(scene: TimelineEditor) -> None:
    """A wager on a total of 3, which no document knows."""
    line = scene.pick_round()
    spot = scene.add_wager(line, bet="total:3", stake=scene.limits_of_round(line).min, verdict="lose", returned=0)
    scene.record_wager_fault(spot, "A wager on a total of 3 was taken.")


@register_injector("WAGER-UNOFFERED", fits=lambda set_up: bool(set_up.unoffered_bets), is_live=True)
def accept_unoffered_bet(scene: TimelineEditor) -> None:
    """A wager that the rules know and this table does not offer."""
    line = scene.pick_round()
    bet = scene.rng.choice(scene.set_up.unoffered_bets)
    spot = scene.add_wager(line, bet=bet, stake=scene.limits_of_round(line).min, verdict="lose", returned=0)
    scene.record_wager_fault(spot, f"A wager on {bet} was taken, which the table does not offer.")


def _restricts_tenders(set_up: TableConfig) -> bool:
    return set_up.pack.conduct.tenders is not None


@register_injector("WAGER-TENDER", fits=_restricts_tenders, is_live=True)
def accept_wrong_tender(scene: TimelineEditor) -> None:
    """A wager made with something that this document does not accept."""
    tenders = scene.pack.conduct.tenders
    assert tenders is not None
    wrong = [tender for tender in ("cash", *get_args(pack.Tender)) if tender not in tenders.accepted]
    spot = scene.pick_wager(lambda spot: spot.wager.verdict == "lose")
    spot = scene.change_wager(spot, tender=wrong[0])
    scene.record_wager_fault(spot, f"A wager was made with {wrong[0]}.")


@register_injector("WAGER-OUTSIDE-BOX", fits=lambda set_up: set_up.pack.conduct.within_box is not None, is_live=True)
def settle_wager_across_lines(scene: TimelineEditor) -> None:
    """A wager that lies across the line of its box; another that lies wholly within it."""
    for case, is_within in (("breach", False), ("clear", True)):
        spot = scene.change_wager(scene.pick_wager(lambda spot: True), within_box=is_within)
        says = f"A wager was {'wholly within' if is_within else 'across the line of'} its box."
        scene.record_wager_fault(spot, says, case=case, finding=not is_within)


def _restricts_refusals(set_up: TableConfig) -> bool:
    duty = set_up.pack.duties.wager_refusal
    return duty is not None and duty.reaches != "silent"


@register_injector("WAGER-REFUSED", fits=_restricts_refusals, is_live=True)
def refuse_winner_after_close(scene: TimelineEditor) -> None:
    """A winning wager is refused a moment after the cut-off; another at the cut-off, which is in time."""
    for case, late_by in (("over", ONE_MILLISECOND), ("at", timedelta(0))):
        line = scene.pick_round(is_no_triple)
        stake, closed_at = scene.limits_of_round(line).min, scene.cut_off_at(line)
        spot = scene.add_wager(
            line,
            bet=winning_side(scene.round_body(line)),
            stake=stake,
            verdict="refused",
            returned=stake,
            refusal=Refusal(at=closed_at + late_by, grounds="touching"),
        )
        says = f"A winning wager was refused {late_by.microseconds // 1000} ms after the cut-off."
        scene.record_wager_fault(spot, says, case=case, finding=bool(late_by), amount=-stake if late_by else None)


@register_injector("WAGER-REFUSED-UNPROVEN", fits=_restricts_refusals, is_live=True)
def refuse_wager_without_particulars(scene: TimelineEditor) -> None:
    """A wager is refused, and nobody reports when or why."""
    line = scene.pick_round(is_no_triple)
    stake = scene.limits_of_round(line).min
    spot = scene.add_wager(
        line, bet=losing_side(scene.round_body(line)), stake=stake, verdict="refused", returned=stake
    )
    scene.record_wager_fault(spot, "A wager was refused, and nobody reported when or why.")


@register_injector(
    "WAGER-UNDER-MIN", fits=lambda set_up: set_up.pack.law.settlement.under_minimum is not None, is_live=True
)
def accept_wager_below_minimum(scene: TimelineEditor) -> None:
    """A losing wager a cent below the minimum, and one exactly at it."""
    for case, short_by in (("under", 1), ("at", 0)):
        line = scene.pick_round(is_no_triple)
        body, minimum = scene.round_body(line), scene.limits_of_round(line).min
        spot = scene.add_wager(line, bet=losing_side(body), stake=minimum - short_by, verdict="lose", returned=0)
        says = f"A wager was {short_by} cents below the minimum."
        scene.record_wager_fault(spot, says, case=case, finding=bool(short_by))


def _warns_under_minimum(set_up: TableConfig) -> bool:
    rule = set_up.pack.law.settlement.under_minimum
    return rule is not None and rule.settled == "once-then-returned"


@register_injector("WAGER-NO-WARNING", fits=_warns_under_minimum)
def leave_owner_unwarned(scene: TimelineEditor) -> None:
    """A player loses two wagers a cent below the minimum without a warning; another is warned after the first."""
    for is_warned in (False, True):
        first = scene.pick_round(is_no_triple)
        scene.reserve_line(first)
        before, after = sorted((first, scene.pick_round(is_no_triple)), key=lambda line: line.at)
        low = scene.limits_of_round(before).min - 1
        spot = scene.add_wager(before, bet=losing_side(scene.round_body(before)), stake=low, verdict="lose", returned=0)
        says = "A player wagered under the minimum; the table settled it."
        scene.record_wager_fault(spot, says, code="WAGER-UNDER-MIN", player=True)
        low = scene.limits_of_round(after).min - 1
        again = scene.add_wager(
            after,
            bet=losing_side(scene.round_body(after)),
            stake=low,
            player=spot.wager.player,
            seat=spot.wager.seat,
            warned=is_warned,
            verdict="void" if is_warned else "lose",
            returned=low if is_warned else 0,
        )
        if is_warned:
            says = "The player was warned and wagered under the minimum again; it was handed back."
            scene.record_wager_fault(again, says, code="WAGER-UNDER-MIN", player=True)
        else:
            says = "The player was not warned and wagered under the minimum again."
            scene.record_wager_fault(again, says, also=("WAGER-UNDER-MIN",))


@register_injector(
    "WAGER-UNREGISTERED", fits=lambda set_up: set_up.pack.law.settlement.unregistered is not None, is_live=True
)
def settle_unregistered_wager(scene: TimelineEditor) -> None:
    """A losing wager that its terminal never registered is collected."""
    spot = scene.pick_wager(lambda spot: spot.wager.verdict == "lose")
    spot = scene.change_wager(spot, registered=False)
    says = "A wager was collected though its terminal had not registered it."
    amount = -spot.wager.stake
    scene.record_wager_fault(spot, says, amount=amount, also=("SETTLE-SHOULD-BE-VOID",))
