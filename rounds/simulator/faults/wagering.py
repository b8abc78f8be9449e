"""Wagers that should not have been taken: late, withdrawn, not approved, not offered, with the wrong tender."""

from __future__ import annotations

from datetime import timedelta
from typing import get_args

from rounds.engine.terms import Tender
from rounds.intake.kinds.round import Change
from rounds.simulator.faults.injector import injects
from rounds.simulator.faults.scene import Scene, is_no_triple, losing_side, winning_side
from rounds.simulator.set_up import TableSetUp

A_MOMENT = timedelta(milliseconds=1)


def _settles_by_position(set_up: TableSetUp) -> bool:
    return set_up.pack.conduct.late_wagers is not None


@injects("WAGER-LATE", is_live=True)
def take_a_late_wager(scene: Scene) -> None:
    """A wager placed a moment after the cut-off is paid; one placed a moment before it is in time."""
    late = scene.pick_round(is_no_triple)
    body, stake = scene.body_of(late), scene.limits_in(late).min
    spot = scene.add_wager(
        late, bet=winning_side(body), stake=stake, verdict="win", returned=stake * 2,
        placed_at=scene.cut_off(late) + A_MOMENT,
    )  # fmt: skip
    says = "A wager placed a thousandth of a second after the cut-off was paid."
    scene.plant_wager("WAGER-LATE", spot, says, case="over", amount=stake * 2)
    in_time = [said for said in scene.played_rounds() if is_no_triple(scene.body_of(said))]
    if in_time:
        said = scene.rng.choice(in_time)
        spot = scene.add_wager(
            said, bet=losing_side(scene.body_of(said)), stake=scene.limits_in(said).min, verdict="lose", returned=0,
            placed_at=scene.cut_off(said) - A_MOMENT,
        )  # fmt: skip
        says = "A wager was placed a thousandth of a second before the cut-off."
        scene.plant_wager("WAGER-LATE", spot, says, case="under", finding=False)


@injects("WAGER-WITHDRAWN-LATE", fits=_settles_by_position, is_live=True)
def let_a_wager_go(scene: Scene) -> None:
    """A losing wager is taken back after the cut-off."""
    spot = scene.pick_wager(lambda spot: spot.wager.verdict == "lose")
    stake = spot.wager.stake
    withdrawn = Change(what="withdrawn", at=scene.cut_off(spot.said) + A_MOMENT)
    spot = scene.change_wager(spot, changes=(withdrawn,), verdict="void", returned=stake)
    scene.plant_wager("WAGER-WITHDRAWN-LATE", spot, "A losing wager was taken back after the cut-off.", amount=stake)


@injects("WAGER-UNAPPROVED", is_live=True)
def take_an_unknown_wager(scene: Scene) -> None:
    """A wager on a total of 3, which no document knows."""
    said = scene.pick_round()
    spot = scene.add_wager(said, bet="total:3", stake=scene.limits_in(said).min, verdict="lose", returned=0)
    scene.plant_wager("WAGER-UNAPPROVED", spot, "A wager on a total of 3 was taken.")


@injects("WAGER-UNOFFERED", fits=lambda set_up: bool(set_up.unoffered), is_live=True)
def take_an_unoffered_wager(scene: Scene) -> None:
    """A wager that the rules know and this table does not offer."""
    said = scene.pick_round()
    bet = scene.rng.choice(scene.set_up.unoffered)
    spot = scene.add_wager(said, bet=bet, stake=scene.limits_in(said).min, verdict="lose", returned=0)
    scene.plant_wager("WAGER-UNOFFERED", spot, f"A wager on {bet} was taken, which the table does not offer.")


def _names_tenders(set_up: TableSetUp) -> bool:
    return set_up.pack.conduct.tenders is not None


@injects("WAGER-TENDER", fits=_names_tenders, is_live=True)
def take_the_wrong_tender(scene: Scene) -> None:
    """A wager made with something that this document does not accept."""
    tenders = scene.pack.conduct.tenders
    assert tenders is not None
    wrong = [tender for tender in ("cash", *get_args(Tender)) if tender not in tenders.accepted]
    spot = scene.pick_wager(lambda spot: spot.wager.verdict == "lose")
    spot = scene.change_wager(spot, tender=wrong[0])
    scene.plant_wager("WAGER-TENDER", spot, f"A wager was made with {wrong[0]}.")


@injects("WAGER-UNDER-MIN", fits=lambda set_up: set_up.pack.law.settlement.under_minimum is not None, is_live=True)
def take_less_than_the_minimum(scene: Scene) -> None:
    """A losing wager a cent below the minimum, and one exactly at it."""
    for case, short_by in (("under", 1), ("at", 0)):
        said = scene.pick_round(is_no_triple)
        body, minimum = scene.body_of(said), scene.limits_in(said).min
        spot = scene.add_wager(said, bet=losing_side(body), stake=minimum - short_by, verdict="lose", returned=0)
        says = f"A wager was {short_by} cents below the minimum."
        scene.plant_wager("WAGER-UNDER-MIN", spot, says, case=case, finding=bool(short_by))


@injects("WAGER-UNREGISTERED", fits=lambda set_up: set_up.pack.law.settlement.unregistered is not None, is_live=True)
def settle_an_unregistered_wager(scene: Scene) -> None:
    """A losing wager that its terminal never registered is collected."""
    spot = scene.pick_wager(lambda spot: spot.wager.verdict == "lose")
    spot = scene.change_wager(spot, registered=False)
    says = "A wager was collected though its terminal had not registered it."
    amount = -spot.wager.stake
    scene.plant_wager("WAGER-UNREGISTERED", spot, says, amount=amount, also=("SETTLE-SHOULD-BE-VOID",))
