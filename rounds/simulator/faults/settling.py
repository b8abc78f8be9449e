"""Wrong settlements: too much, too little, to the wrong people, by the wrong table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain

from rounds.engine.bets import BETS
from rounds.engine.outcomes import Outcome, index_of, is_triple
from rounds.intake.kinds.round import Round
from rounds.simulator.faults.injector import NoRoom, injects
from rounds.simulator.faults.scene import Scene, Spot, is_no_triple, losing_side, outcome_of, winning_side
from rounds.simulator.said import Said
from rounds.simulator.set_up import TableSetUp
from rounds.simulator.staging import with_result

A_CHIP = 100


# What becomes of them on a result that is no triple is the same by every reading, unless a document has one on them.
BEYOND_DOUBT = frozenset({"small", "big", "total"})


def _won(spot: Spot) -> bool:
    return spot.wager.verdict == "win"


def _is_beyond_doubt(scene: Scene, spot: Spot) -> bool:
    """A wager that another reading settles otherwise would be another finding."""
    return is_no_triple(spot.round) and BETS[spot.wager.bet].family in BEYOND_DOUBT - set(scene.pack.readings)


def _clearly_won(scene: Scene, spot: Spot) -> bool:
    return _won(spot) and _is_beyond_doubt(scene, spot)


def _clearly_lost(scene: Scene, spot: Spot) -> bool:
    return spot.wager.verdict == "lose" and _is_beyond_doubt(scene, spot)


def _leaves_a_rest(scene: Scene, spot: Spot) -> bool:
    """Winnings that the smallest chip cannot pay exactly: there a dollar more or less is a matter of rounding."""
    unit = scene.set_up.limits.payable_unit
    if unit is None or scene.pack.law.settlement.payable is None:
        return False
    outcome = index_of(outcome_of(spot.round))
    pay = scene.set_up.rules(scene.set_up.places[0]).bets[spot.wager.bet].by_outcome[outcome]
    return pay is not None and spot.wager.stake * pay.odds % unit != 0


@injects("SETTLE-OVERPAID", is_live=True)
def overpay(scene: Scene) -> None:
    """A winner is handed a dollar too much."""
    spot = scene.pick_wager(lambda spot: _clearly_won(scene, spot) and not _leaves_a_rest(scene, spot))
    paid = spot.wager.returned or 0
    spot = scene.change_wager(spot, returned=paid + A_CHIP)
    scene.plant_wager("SETTLE-OVERPAID", spot, "A winner was handed a dollar too much.", amount=A_CHIP)


@injects("SETTLE-UNDERPAID", is_live=True)
def underpay(scene: Scene) -> None:
    """A winner is handed a dollar too little."""
    spot = scene.pick_wager(
        lambda spot: (
            _clearly_won(scene, spot)
            and (spot.wager.returned or 0) > spot.wager.stake + A_CHIP
            and not _leaves_a_rest(scene, spot)
        )
    )
    spot = scene.change_wager(spot, returned=(spot.wager.returned or 0) - A_CHIP)
    scene.plant_wager("SETTLE-UNDERPAID", spot, "A winner was handed a dollar too little.", amount=-A_CHIP)


@injects("SETTLE-LOSER-PAID", is_live=True)
def pay_a_loser(scene: Scene) -> None:
    """A losing wager is paid as if it had won even money."""
    spot = scene.pick_wager(partial(_clearly_lost, scene))
    amount = spot.wager.stake * 2
    spot = scene.change_wager(spot, verdict="win", returned=amount)
    scene.plant_wager("SETTLE-LOSER-PAID", spot, "A losing wager was paid even money.", amount=amount)


@injects("SETTLE-WINNER-UNPAID", is_live=True)
def keep_from_a_winner(scene: Scene) -> None:
    """A winning wager is collected."""
    spot = scene.pick_wager(partial(_clearly_won, scene))
    due = spot.wager.returned or 0
    spot = scene.change_wager(spot, verdict="lose", returned=0)
    scene.plant_wager("SETTLE-WINNER-UNPAID", spot, "A winning wager was collected.", amount=-due)


def _void_wager(scene: Scene) -> Spot:
    return scene.rng.choice(list(scene.plain_wagers(scene.pick_void_round())))


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
    """Half of what a loser had above the maximum is collected with the rest; and one exactly at it.

    Half, because the whole is what stands where the rules let an excess stand that was found on a later game.
    """
    over = scene.pick_round(is_no_triple)
    others = [said for said in scene.played_rounds() if said is not over and is_no_triple(scene.body_of(said))]
    at = scene.rng.choice(others) if others else None
    body, maximum, half = scene.body_of(over), scene.limits_in(over).max, A_CHIP // 2
    spot = scene.add_wager(over, bet=losing_side(body), stake=maximum + A_CHIP, verdict="lose", returned=half)
    says = "Half of what was above the maximum was collected with the rest."
    scene.plant_wager("SETTLE-CLIP", spot, says, case="over", amount=half - A_CHIP, also=("LIMIT-OVER-MAX",))
    if at is not None:
        body, maximum = scene.body_of(at), scene.limits_in(at).max
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
    try:
        spot = scene.pick_wager(lambda spot: _won(spot) and _leaves_a_rest(scene, spot))
    except NoRoom:
        spot = _win_that_leaves_a_rest(scene, unit)
    spot = scene.change_wager(spot, returned=(spot.wager.returned or 0) - unit)
    scene.plant_wager("SETTLE-ROUNDING", spot, "Winnings were rounded down instead of up.", amount=-unit)


def _win_that_leaves_a_rest(scene: Scene, unit: int) -> Spot:
    """A wager put there for it: odds and a stake whose winnings are no whole number of the smallest chip."""
    scene.need(not scene.set_up.limits.multiples)
    rules = scene.set_up.rules(scene.set_up.places[0])
    for said in scene.played_rounds():
        outcome, minimum = index_of(outcome_of(scene.body_of(said))), scene.limits_in(said).min
        for bet in scene.set_up.boxes(scene.set_up.places[0]):
            pay = rules.bets[bet].by_outcome[outcome]
            for stake in (minimum, minimum + 50, minimum + 150):
                if pay is not None and stake * pay.odds % unit:
                    won = unit * (int(stake * pay.odds) // unit + 1)
                    return scene.add_wager(said, bet=bet, stake=stake, verdict="win", returned=stake + won)
    raise NoRoom


def _has_pay_tables(set_up: TableSetUp) -> bool:
    """Terminals that pay one and the same box differently."""
    return any(True for _ in _boxes_paid_differently(set_up))


def _boxes_paid_differently(set_up: TableSetUp) -> Iterator[str]:
    """Of the first terminal, in its layout's order."""
    tables = {place.pay_table: set_up.rules(place) for place in set_up.places}
    for bet in set_up.boxes(set_up.places[0]):
        rules = [rules.bets[bet] for rules in tables.values() if bet in rules.bets]
        if len({tuple(pay.odds for pay in rule.levels) for rule in rules}) > 1:
            yield bet


@injects("SETTLE-PAY-TABLE", fits=_has_pay_tables, is_live=True)
def pay_by_another_table(scene: Scene) -> None:
    """A winner is paid by the pay table of another terminal layout."""
    spots = [spot for said in scene.played_rounds() for spot in scene.plain_wagers(said) if _won(spot)]
    scene.rng.shuffle(spots)
    for spot in chain(spots, _winners_put_there(scene)):
        winnings = _by_another_table(scene, spot)
        if winnings is not None:
            paid = spot.wager.returned or 0
            spot = scene.change_wager(spot, returned=spot.wager.stake + winnings)
            says = "A winner was paid by the pay table of another layout."
            amount = spot.wager.stake + winnings - paid
            scene.plant_wager("SETTLE-PAY-TABLE", spot, says, amount=amount)
            return
    raise NoRoom


def _winners_put_there(scene: Scene) -> Iterator[Spot]:
    """Where nobody wagered on a box that the layouts pay differently, somebody does."""
    boxes, rules = list(_boxes_paid_differently(scene.set_up)), scene.set_up.rules(scene.set_up.places[0])
    for said in scene.played_rounds():
        for bet in boxes:
            pay = rules.bets[bet].by_outcome[index_of(outcome_of(scene.body_of(said)))]
            # Twice the minimum, so that half odds come out even.
            stake = scene.limits_in(said).min * 2
            if pay is not None and (stake * pay.odds).denominator == 1:
                returned = stake + int(stake * pay.odds)
                yield scene.add_wager(said, bet=bet, stake=stake, verdict="win", returned=returned)
                return


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
def pay_a_token_in_tokens(scene: Scene) -> None:
    """A token's winnings are paid in tokens, where the rules pay them in chips.

    A token handed back with its winnings would be right by another reading, and so another finding.
    """
    said = scene.pick_round(is_no_triple)
    body, stake = scene.body_of(said), scene.limits_in(said).min
    spot = scene.add_wager(
        said, bet=winning_side(body), stake=stake, verdict="win", returned=stake,
        tender="promotional-token", paid_in="promotional-token",
    )  # fmt: skip
    scene.plant_wager("SETTLE-TOKEN", spot, "A token's winnings were paid in tokens.", amount=0)


@injects("SETTLE-READING", is_live=True)
def settle_by_another_reading(scene: Scene) -> None:
    """A wager is settled by a reading of an ambiguous clause that this rule version has not adopted."""
    found = [
        (said, reading, reads) for said in scene.played_rounds() for reading in READINGS
        if _is_as_printed(scene, reading) and (reads := _reads_differently(scene, reading, scene.body_of(said)))
    ]  # fmt: skip
    said, reading, (bet, paid_times, due_times) = scene.rng.choice(found or [_read_in_a_staged_round(scene)])
    odds = scene.set_up.rules(scene.set_up.places[0]).bets[bet].levels[0].odds
    # Twice the minimum, so that half odds come out even.
    stake = scene.limits_in(said).min * 2
    paid, due = (int(stake * times * odds + stake) if times else 0 for times in (paid_times, due_times))
    spot = scene.add_wager(said, bet=bet, stake=stake, verdict="win" if paid else "lose", returned=paid)
    says = f"A wager was settled by another reading of {reading}."
    scene.plant_wager("SETTLE-READING", spot, says, amount=paid - due, figures={"reading": reading})


def _read_in_a_staged_round(scene: Scene) -> tuple[Said, str, Reads]:
    """Triples are rare: where the day has none, a round is played with nobody else at the table."""
    for reading, outcome in STAGED.items():
        if reading in scene.pack.readings and _is_as_printed(scene, reading):
            said = scene.pick_last_round()
            before = scene.body_of(said)
            scene.change(said, wagers=(), **with_result(scene.table.house, before, outcome))
            reads = _reads_differently(scene, reading, scene.body_of(said))
            if reads is not None:
                return said, reading, reads
            said.body = before
    raise NoRoom


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


# A result on which each of the rarer readings matters.
STAGED: dict[str, Outcome] = {"totals-on-triples": (3, 3, 3), "two-of-a-kind": (4, 4, 4), "field-on-triples": (2, 2, 2)}
# A bet, how many times its printed odds were paid, and how many times they are due.
Reads = tuple[str, int, int]
READINGS: dict[str, Callable[[Round], Reads | None]] = {
    "even": _even_on_ten,
    "field-on-triples": _field_on_a_triple,
    "totals-on-triples": _total_on_a_triple,
    "two-of-a-kind": _double_on_a_triple,
    "domino": _domino_twice,
}
