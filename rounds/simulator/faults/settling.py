"""Wrong settlements: too much, too little, to the wrong people, by the wrong table."""

from __future__ import annotations

from collections.abc import Callable

from rounds.engine.outcomes import index_of, is_triple
from rounds.intake.kinds.round import Round
from rounds.simulator.faults.injector import NoRoom, injects
from rounds.simulator.faults.scene import Scene, Spot, is_no_triple, losing_side, outcome_of, winning_side
from rounds.simulator.set_up import TableSetUp

A_CHIP = 100


def _won(spot: Spot) -> bool:
    return spot.wager.verdict == "win"


def _lost(spot: Spot) -> bool:
    return spot.wager.verdict == "lose"


@injects("SETTLE-OVERPAID", is_live=True)
def overpay(scene: Scene) -> None:
    """A winner is handed a dollar too much."""
    spot = scene.pick_wager(_won)
    paid = spot.wager.returned or 0
    spot = scene.change_wager(spot, returned=paid + A_CHIP)
    scene.plant_wager("SETTLE-OVERPAID", spot, "A winner was handed a dollar too much.", amount=A_CHIP)


@injects("SETTLE-UNDERPAID", is_live=True)
def underpay(scene: Scene) -> None:
    """A winner is handed a dollar too little."""
    spot = scene.pick_wager(lambda spot: _won(spot) and (spot.wager.returned or 0) > spot.wager.stake + A_CHIP)
    spot = scene.change_wager(spot, returned=(spot.wager.returned or 0) - A_CHIP)
    scene.plant_wager("SETTLE-UNDERPAID", spot, "A winner was handed a dollar too little.", amount=-A_CHIP)


@injects("SETTLE-LOSER-PAID", is_live=True)
def pay_a_loser(scene: Scene) -> None:
    """A losing wager is paid as if it had won even money."""
    spot = scene.pick_wager(_lost)
    amount = spot.wager.stake * 2
    spot = scene.change_wager(spot, verdict="win", returned=amount)
    scene.plant_wager("SETTLE-LOSER-PAID", spot, "A losing wager was paid even money.", amount=amount)


@injects("SETTLE-WINNER-UNPAID", is_live=True)
def keep_from_a_winner(scene: Scene) -> None:
    """A winning wager is collected."""
    spot = scene.pick_wager(_won)
    due = spot.wager.returned or 0
    spot = scene.change_wager(spot, verdict="lose", returned=0)
    scene.plant_wager("SETTLE-WINNER-UNPAID", spot, "A winning wager was collected.", amount=-due)


def _void_wager(scene: Scene) -> Spot:
    spots = list(scene.plain_wagers(scene.pick_void_round()))
    scene.need(bool(spots))
    return scene.rng.choice(spots)


@injects("SETTLE-VOID-KEPT", is_live=True)
def keep_a_void_stake(scene: Scene) -> None:
    """A stake is collected in a round that had no result."""
    spot = _void_wager(scene)
    spot = scene.change_wager(spot, verdict="lose", returned=0)
    scene.plant_wager("SETTLE-VOID-KEPT", spot, "A stake was kept though the round was void.", amount=-spot.wager.stake)


@injects("SETTLE-SHOULD-BE-VOID", is_live=True)
def pay_in_a_void_round(scene: Scene) -> None:
    """A wager is paid even money in a round that had no result."""
    spot = _void_wager(scene)
    spot = scene.change_wager(spot, verdict="win", returned=spot.wager.stake * 2)
    says = "A wager was paid even money though the round was void."
    scene.plant_wager("SETTLE-SHOULD-BE-VOID", spot, says, amount=spot.wager.stake)


def _clips(set_up: TableSetUp) -> bool:
    return set_up.pack.law.settlement.over_maximum is not None


@injects("SETTLE-CLIP", fits=_clips, is_live=True)
def collect_above_the_maximum(scene: Scene) -> None:
    """A loser's whole stake is collected, though part of it was above the maximum; and one exactly at it."""
    over = scene.pick_round(is_no_triple)
    others = [said for said in scene.played_rounds() if said is not over and is_no_triple(scene.body_of(said))]
    at = scene.rng.choice(others) if others else None
    body = scene.body_of(over)
    maximum = (body.limits or scene.limits).max
    spot = scene.add_wager(over, bet=losing_side(body), stake=maximum + A_CHIP, verdict="lose", returned=0)
    says = "What was above the maximum was collected with the rest."
    scene.plant_wager("SETTLE-CLIP", spot, says, case="over", amount=-A_CHIP, also=("LIMIT-OVER-MAX",))
    if at is not None:
        body = scene.body_of(at)
        maximum = (body.limits or scene.limits).max
        spot = scene.add_wager(at, bet=losing_side(body), stake=maximum, verdict="lose", returned=0)
        scene.plant_wager(
            "SETTLE-CLIP", spot, "A stake of exactly the maximum was collected.", case="at", finding=False
        )


def _rounds_winnings(set_up: TableSetUp) -> bool:
    return set_up.pack.law.settlement.payable is not None and set_up.limits.payable_unit is not None


@injects("SETTLE-ROUNDING", fits=_rounds_winnings, is_live=True)
def round_down(scene: Scene) -> None:
    """Winnings that cannot be paid exactly are paid down to the lower payable amount where the higher is due."""
    unit = scene.set_up.limits.payable_unit or 1

    def leaves_a_rest(spot: Spot) -> bool:
        pay = (
            scene.set_up.rules(scene.set_up.places[0]).bets[spot.wager.bet].by_outcome[index_of(outcome_of(spot.round))]
        )
        return _won(spot) and pay is not None and spot.wager.stake * pay.odds % unit != 0

    spot = scene.pick_wager(leaves_a_rest)
    spot = scene.change_wager(spot, returned=(spot.wager.returned or 0) - unit)
    scene.plant_wager("SETTLE-ROUNDING", spot, "Winnings were rounded down instead of up.", amount=-unit)


def _has_pay_tables(set_up: TableSetUp) -> bool:
    return len({place.pay_table for place in set_up.places}) > 1


@injects("SETTLE-PAY-TABLE", fits=_has_pay_tables, is_live=True)
def pay_by_another_table(scene: Scene) -> None:
    """A winner is paid by the pay table of another terminal layout."""
    spots = [spot for said in scene.played_rounds() for spot in scene.plain_wagers(said) if _won(spot)]
    scene.rng.shuffle(spots)
    for spot in spots:
        winnings = _by_another_table(scene, spot)
        if winnings is not None:
            paid = spot.wager.returned or 0
            spot = scene.change_wager(spot, returned=spot.wager.stake + winnings)
            says = "A winner was paid by the pay table of another layout."
            amount = spot.wager.stake + winnings - paid
            scene.plant_wager("SETTLE-PAY-TABLE", spot, says, amount=amount)
            return
    raise NoRoom


def _by_another_table(scene: Scene, spot: Spot) -> int | None:
    """What the printed odds of another pay table would win, where they differ."""
    outcome, wager = index_of(outcome_of(spot.round)), spot.wager
    odds = {}
    for place in scene.set_up.places:
        rule = scene.set_up.rules(place).bets.get(wager.bet)
        pay = rule.by_outcome[outcome] if rule is not None else None
        if pay is not None:
            odds[place.terminal] = pay.odds
    own = odds[wager.terminal]
    other = next((each for each in odds.values() if each != own and wager.stake * each % 1 == 0), None)
    return None if other is None else int(wager.stake * other)


def _takes_tokens(set_up: TableSetUp) -> bool:
    return set_up.pack.law.settlement.promotional_token is not None


@injects("SETTLE-TOKEN", fits=_takes_tokens, is_live=True)
def return_a_token(scene: Scene) -> None:
    """A promotional token that won is handed back with its winnings."""
    said = scene.pick_round(is_no_triple)
    body = scene.body_of(said)
    stake = (body.limits or scene.limits).min
    spot = scene.add_wager(
        said, bet=winning_side(body), stake=stake, verdict="win", returned=stake * 2,
        tender="promotional-token", paid_in="value-chips",
    )  # fmt: skip
    scene.plant_wager("SETTLE-TOKEN", spot, "A winning token was handed back with its winnings.", amount=stake)


@injects("SETTLE-READING", is_live=True)
def settle_by_another_reading(scene: Scene) -> None:
    """A wager is settled by a reading of an ambiguous clause that this rule version has not adopted."""
    found = [
        (said, reading, reads) for said in scene.played_rounds() for reading in READINGS
        if _is_as_printed(scene, reading) and (reads := _reads_differently(scene, reading, scene.body_of(said)))
    ]  # fmt: skip
    scene.need(bool(found))
    said, reading, (bet, paid_times, due_times) = scene.rng.choice(found)
    odds = scene.set_up.rules(scene.set_up.places[0]).bets[bet].levels[0].odds
    # Twice the minimum, so that half odds come out even.
    stake = scene.limits.min * 2
    paid, due = (int(stake * times * odds + stake) if times else 0 for times in (paid_times, due_times))
    spot = scene.add_wager(said, bet=bet, stake=stake, verdict="win" if paid else "lose", returned=paid)
    says = f"A wager was settled by another reading of {reading}."
    scene.plant_wager("SETTLE-READING", spot, says, amount=paid - due, figures={"reading": reading})


def _is_as_printed(scene: Scene, reading: str) -> bool:
    """A ruling may have adopted another choice; what follows from that one is not planted."""
    known = scene.pack.readings.get(reading)
    return known is not None and scene.set_up.readings.get(reading, known.default) == known.default


def _reads_differently(scene: Scene, reading: str, body: Round) -> Reads | None:
    found = READINGS[reading](body)
    # Posted odds would be due instead of the printed ones.
    boxes = set(scene.set_up.boxes(scene.set_up.places[0])) - set(scene.set_up.posted_odds)
    return found if found is not None and found[0] in boxes else None


def _even_on_ten(body: Round) -> Reads | None:
    """As printed an even total of 10 loses; it is paid."""
    return ("even", 1, 0) if sum(outcome_of(body)) == 10 else None


def _field_on_a_triple(body: Round) -> Reads | None:
    """The field wins on a triple too; it is collected."""
    outcome = outcome_of(body)
    return ("field", 0, 1) if is_triple(outcome) and sum(outcome) in (6, 15) else None


def _total_on_a_triple(body: Round) -> Reads | None:
    """Totals win on triples too; one is collected."""
    outcome = outcome_of(body)
    return (f"total:{sum(outcome)}", 0, 1) if is_triple(outcome) and sum(outcome) in (6, 9, 12, 15) else None


def _double_on_a_triple(body: Round) -> Reads | None:
    """Two of a kind wins on three of a kind too; it is collected."""
    outcome = outcome_of(body)
    return (f"double:{outcome[0]}", 0, 1) if is_triple(outcome) else None


def _domino_twice(body: Round) -> Reads | None:
    """Two numbers win once though one of them shows twice; they are paid twice."""
    faces = sorted(set(outcome_of(body)))
    return (f"pair:{faces[0]}-{faces[1]}", 2, 1) if len(faces) == 2 else None


# A bet, how many times its printed odds were paid, and how many times they are due.
Reads = tuple[str, int, int]
READINGS: dict[str, Callable[[Round], Reads | None]] = {
    "even": _even_on_ten,
    "field-on-triples": _field_on_a_triple,
    "totals-on-triples": _total_on_a_triple,
    "two-of-a-kind": _double_on_a_triple,
    "domino": _domino_twice,
}
