"""Injectors: wrong settlements: too much, too little, to the wrong player, by the wrong pay table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain

from rounds.engine import BETS, Outcome, bets
from rounds.intake.protocol.round import Round
from rounds.simulator.faults.injector import NoRoomForFault, register_injector
from rounds.simulator.faults.timeline_editor import (
    TimelineEditor,
    WagerInRound,
    is_no_triple,
    losing_side,
    outcome_of,
    winning_side,
)
from rounds.simulator.play.controller_output import ReportedLine
from rounds.simulator.play.staged_rounds import result_changes
from rounds.simulator.play.table_config import TableConfig

CHIP_CENTS = 100


# Settled alike under every reading if the result is no triple, unless a pack has a reading about them.
UNAMBIGUOUS_BETS = frozenset({"small", "big", "total"})


def _is_won(spot: WagerInRound) -> bool:
    return spot.wager.verdict == "win"


def _is_unambiguous(scene: TimelineEditor, spot: WagerInRound) -> bool:
    """Excludes wagers that another reading settles differently: those would give SETTLE-READING instead."""
    return is_no_triple(spot.round) and BETS[spot.wager.bet].family in UNAMBIGUOUS_BETS - set(scene.pack.readings)


def _is_unambiguous_win(scene: TimelineEditor, spot: WagerInRound) -> bool:
    return _is_won(spot) and _is_unambiguous(scene, spot)


def _is_unambiguous_loss(scene: TimelineEditor, spot: WagerInRound) -> bool:
    return spot.wager.verdict == "lose" and _is_unambiguous(scene, spot)


def _needs_rounding(scene: TimelineEditor, spot: WagerInRound) -> bool:
    """Winnings that the smallest chip cannot pay exactly: a dollar more or less would be a rounding question."""
    unit = scene.set_up.limits.payable_unit
    if unit is None or scene.pack.law.settlement.payable is None:
        return False
    outcome = bets.outcome_index(outcome_of(spot.round))
    pay = scene.set_up.rules_at(scene.set_up.seat_places[0]).bets[spot.wager.bet].by_outcome[outcome]
    return pay is not None and spot.wager.stake * pay.odds % unit != 0


@register_injector("SETTLE-OVERPAID", is_live=True)
def overpay_winner(scene: TimelineEditor) -> None:
    """A winner is handed a dollar too much."""
    spot = scene.pick_wager(lambda spot: _is_unambiguous_win(scene, spot) and not _needs_rounding(scene, spot))
    paid = spot.wager.returned or 0
    spot = scene.change_wager(spot, returned=paid + CHIP_CENTS)
    scene.record_wager_fault(spot, "A winner was handed a dollar too much.", amount=CHIP_CENTS)


@register_injector("SETTLE-UNDERPAID", is_live=True)
def underpay_winner(scene: TimelineEditor) -> None:
    """A winner is handed a dollar too little."""
    spot = scene.pick_wager(
        lambda spot: (
            _is_unambiguous_win(scene, spot)
            and (spot.wager.returned or 0) > spot.wager.stake + CHIP_CENTS
            and not _needs_rounding(scene, spot)
        )
    )
    spot = scene.change_wager(spot, returned=(spot.wager.returned or 0) - CHIP_CENTS)
    scene.record_wager_fault(spot, "A winner was handed a dollar too little.", amount=-CHIP_CENTS)


@register_injector("SETTLE-LOSER-PAID", is_live=True)
def pay_loser(scene: TimelineEditor) -> None:
    """A losing wager is paid as if it had won even money."""
    spot = scene.pick_wager(partial(_is_unambiguous_loss, scene))
    amount = spot.wager.stake * 2
    spot = scene.change_wager(spot, verdict="win", returned=amount)
    scene.record_wager_fault(spot, "A losing wager was paid even money.", amount=amount)


@register_injector("SETTLE-WINNER-UNPAID", is_live=True)
def collect_winning_wager(scene: TimelineEditor) -> None:
    """A winning wager is collected."""
    spot = scene.pick_wager(partial(_is_unambiguous_win, scene))
    due = spot.wager.returned or 0
    spot = scene.change_wager(spot, verdict="lose", returned=0)
    scene.record_wager_fault(spot, "A winning wager was collected.", amount=-due)


def _pick_void_wager(scene: TimelineEditor) -> WagerInRound:
    return scene.rng.choice(list(scene.ordinary_wagers(scene.pick_void_round())))


@register_injector("SETTLE-VOID-KEPT", is_live=True)
def collect_void_stake(scene: TimelineEditor) -> None:
    """A stake is collected in a round that had no result."""
    spot = _pick_void_wager(scene)
    spot = scene.change_wager(spot, verdict="lose", returned=0)
    scene.record_wager_fault(spot, "A stake was kept though the round was void.", amount=-spot.wager.stake)


@register_injector("SETTLE-SHOULD-BE-VOID", is_live=True)
def pay_void_wager(scene: TimelineEditor) -> None:
    """A wager is paid even money in a round that had no result."""
    spot = _pick_void_wager(scene)
    spot = scene.change_wager(spot, verdict="win", returned=spot.wager.stake * 2)
    says = "A wager was paid even money though the round was void."
    scene.record_wager_fault(spot, says, amount=spot.wager.stake)


def _limits_stake_to_maximum(set_up: TableConfig) -> bool:
    return set_up.pack.law.settlement.over_maximum is not None


@register_injector("SETTLE-CLIP", fits=_limits_stake_to_maximum, is_live=True)
def collect_stake_above_maximum(scene: TimelineEditor) -> None:
    """Half of what a loser had above the maximum is collected with the rest; and one exactly at it.

    Half, because the whole is what stands where the rules let an excess stand that was found on a later game.
    """
    over = scene.pick_round(is_no_triple)
    others = [
        line
        for line in scene.unfaulted_rounds_with_result()
        if line is not over and is_no_triple(scene.round_body(line))
    ]
    at = scene.rng.choice(others) if others else None
    body, maximum, half = scene.round_body(over), scene.limits_of_round(over).max, CHIP_CENTS // 2
    spot = scene.add_wager(over, bet=losing_side(body), stake=maximum + CHIP_CENTS, verdict="lose", returned=half)
    says = "Half of what was above the maximum was collected with the rest."
    scene.record_wager_fault(spot, says, case="over", amount=half - CHIP_CENTS, also=("LIMIT-OVER-MAX",))
    if at is not None:
        body, maximum = scene.round_body(at), scene.limits_of_round(at).max
        spot = scene.add_wager(at, bet=losing_side(body), stake=maximum, verdict="lose", returned=0)
        scene.record_wager_fault(spot, "A stake of exactly the maximum was collected.", case="at", finding=False)


def _rounds_winnings(set_up: TableConfig) -> bool:
    return set_up.pack.law.settlement.payable is not None and set_up.limits.payable_unit is not None


@register_injector("SETTLE-ROUNDING", fits=_rounds_winnings, is_live=True)
def round_winnings_down(scene: TimelineEditor) -> None:
    """Winnings that cannot be paid exactly are paid down to the lower payable amount where the higher is due."""
    unit = scene.set_up.limits.payable_unit or 1
    try:
        spot = scene.pick_wager(lambda spot: _is_won(spot) and _needs_rounding(scene, spot))
    except NoRoomForFault:
        spot = _add_win_that_needs_rounding(scene, unit)
    spot = scene.change_wager(spot, returned=(spot.wager.returned or 0) - unit)
    scene.record_wager_fault(spot, "Winnings were rounded down instead of up.", amount=-unit)


def _add_win_that_needs_rounding(scene: TimelineEditor, unit: int) -> WagerInRound:
    """Adds a winning wager whose winnings are not a multiple of the smallest chip."""
    scene.require_candidate(not scene.set_up.limits.multiples)
    rules = scene.set_up.rules_at(scene.set_up.seat_places[0])
    for line in scene.unfaulted_rounds_with_result():
        outcome, minimum = bets.outcome_index(outcome_of(scene.round_body(line))), scene.limits_of_round(line).min
        for bet in scene.set_up.bets_at(scene.set_up.seat_places[0]):
            pay = rules.bets[bet].by_outcome[outcome]
            for stake in (minimum, minimum + 50, minimum + 150):
                if pay is not None and stake * pay.odds % unit:
                    won = unit * (int(stake * pay.odds) // unit + 1)
                    return scene.add_wager(line, bet=bet, stake=stake, verdict="win", returned=stake + won)
    raise NoRoomForFault


def _has_differing_pay_tables(set_up: TableConfig) -> bool:
    """True if terminals pay the same bet differently."""
    return any(True for _ in _bets_paid_differently(set_up))


def _bets_paid_differently(set_up: TableConfig) -> Iterator[str]:
    """Bets that pay tables of this table pay differently, in the order of the first terminal's layout."""
    tables = {place.pay_table: set_up.rules_at(place) for place in set_up.seat_places}
    for bet in set_up.bets_at(set_up.seat_places[0]):
        rules = [rules.bets[bet] for rules in tables.values() if bet in rules.bets]
        if len({tuple(pay.odds for pay in rule.levels) for rule in rules}) > 1:
            yield bet


@register_injector("SETTLE-PAY-TABLE", fits=_has_differing_pay_tables, is_live=True)
def pay_by_wrong_pay_table(scene: TimelineEditor) -> None:
    """A winner is paid by the pay table of another terminal layout."""
    spots = [
        spot for line in scene.unfaulted_rounds_with_result() for spot in scene.ordinary_wagers(line) if _is_won(spot)
    ]
    scene.rng.shuffle(spots)
    for spot in chain(spots, _add_winners(scene)):
        winnings = _winnings_by_other_pay_table(scene, spot)
        if winnings is not None:
            paid = spot.wager.returned or 0
            spot = scene.change_wager(spot, returned=spot.wager.stake + winnings)
            says = "A winner was paid by the pay table of another layout."
            amount = spot.wager.stake + winnings - paid
            scene.record_wager_fault(spot, says, amount=amount)
            return
    raise NoRoomForFault


def _add_winners(scene: TimelineEditor) -> Iterator[WagerInRound]:
    """Adds a winning wager on a bet that the layouts pay differently, for days on which there is none."""
    boxes, rules = list(_bets_paid_differently(scene.set_up)), scene.set_up.rules_at(scene.set_up.seat_places[0])
    for line in scene.unfaulted_rounds_with_result():
        for bet in boxes:
            pay = rules.bets[bet].by_outcome[bets.outcome_index(outcome_of(scene.round_body(line)))]
            # Twice the minimum, so that half odds give a whole amount.
            stake = scene.limits_of_round(line).min * 2
            if pay is not None and (stake * pay.odds).denominator == 1:
                returned = stake + int(stake * pay.odds)
                yield scene.add_wager(line, bet=bet, stake=stake, verdict="win", returned=returned)
                return


def _winnings_by_other_pay_table(scene: TimelineEditor, spot: WagerInRound) -> int | None:
    """The winnings at the printed odds of another pay table, if they differ; else None."""
    outcome, wager = bets.outcome_index(outcome_of(spot.round)), spot.wager
    odds = {}
    for place in scene.set_up.seat_places:
        rule = scene.set_up.rules_at(place).bets.get(wager.bet)
        pay = rule.by_outcome[outcome] if rule is not None else None
        if pay is not None:
            odds[place.terminal] = pay.odds
    own = odds[wager.terminal]
    other = next((each for each in odds.values() if each != own and wager.stake * each % 1 == 0), None)
    return None if other is None else int(wager.stake * other)


def _accepts_tokens(set_up: TableConfig) -> bool:
    return set_up.pack.law.settlement.promotional_token is not None


@register_injector("SETTLE-TOKEN", fits=_accepts_tokens, is_live=True)
def pay_token_winnings_in_tokens(scene: TimelineEditor) -> None:
    """A token's winnings are paid in tokens, where the rules pay them in chips.

    A token handed back with its winnings would be right by another reading, and so another finding.
    """
    line = scene.pick_round(is_no_triple)
    body, stake = scene.round_body(line), scene.limits_of_round(line).min
    spot = scene.add_wager(
        line,
        bet=winning_side(body),
        stake=stake,
        verdict="win",
        returned=stake,
        tender="promotional-token",
        paid_in="promotional-token",
    )
    scene.record_wager_fault(spot, "A token's winnings were paid in tokens.", amount=0)


@register_injector("SETTLE-READING", is_live=True)
def settle_by_unadopted_reading(scene: TimelineEditor) -> None:
    """A wager is settled by a reading of an ambiguous clause that this rule version has not adopted."""
    found = [
        (line, reading, reads)
        for line in scene.unfaulted_rounds_with_result()
        for reading in AFFECTED_BY_READING
        if _is_default_reading(scene, reading)
        and (reads := _wager_affected_by_reading(scene, reading, scene.round_body(line)))
    ]
    line, reading, (bet, paid_times, due_times) = scene.rng.choice(found or [_stage_round_for_reading(scene)])
    odds = scene.set_up.rules_at(scene.set_up.seat_places[0]).bets[bet].levels[0].odds
    # Twice the minimum, so that half odds give a whole amount.
    stake = scene.limits_of_round(line).min * 2
    paid, due = (int(stake * times * odds + stake) if times else 0 for times in (paid_times, due_times))
    spot = scene.add_wager(line, bet=bet, stake=stake, verdict="win" if paid else "lose", returned=paid)
    says = f"A wager was settled by another reading of {reading}."
    scene.record_wager_fault(spot, says, amount=paid - due, figures={"reading": reading})


def _stage_round_for_reading(scene: TimelineEditor) -> tuple[ReportedLine, str, AffectedWager]:
    """Triples are rare: if the day has none, stages a round with the needed result and no other wagers."""
    for reading, outcome in STAGED_OUTCOMES.items():
        if reading in scene.pack.readings and _is_default_reading(scene, reading):
            line = scene.pick_last_round()
            before = scene.round_body(line)
            scene.change_body(line, wagers=(), **result_changes(scene.table.dealer, before, outcome))
            reads = _wager_affected_by_reading(scene, reading, scene.round_body(line))
            if reads is not None:
                return line, reading, reads
            line.body = before
    raise NoRoomForFault


def _is_default_reading(scene: TimelineEditor, reading: str) -> bool:
    """False if a ruling adopted another reading: faults against an adopted reading are not planted."""
    known = scene.pack.readings.get(reading)
    return known is not None and scene.set_up.readings.get(reading, known.default) == known.default


def _wager_affected_by_reading(scene: TimelineEditor, reading: str, body: Round) -> AffectedWager | None:
    found = AFFECTED_BY_READING[reading](body)
    # A bet with posted odds is not paid at the printed ones.
    boxes = set(scene.set_up.bets_at(scene.set_up.seat_places[0])) - set(scene.set_up.posted_odds)
    return found if found is not None and found[0] in boxes else None


def _even_bet_on_ten(body: Round) -> AffectedWager | None:
    """As printed, an even total of 10 loses; the fault pays it."""
    return ("even", 1, 0) if sum(outcome_of(body)) == 10 else None


def _field_bet_on_triple(body: Round) -> AffectedWager | None:
    """The field wins on a triple too; the fault collects it."""
    outcome = outcome_of(body)
    return ("field", 0, 1) if bets.is_triple(outcome) and sum(outcome) in (6, 15) else None


def _total_bet_on_triple(body: Round) -> AffectedWager | None:
    """Totals win on triples too; the fault collects one."""
    outcome = outcome_of(body)
    return (f"total:{sum(outcome)}", 0, 1) if bets.is_triple(outcome) and sum(outcome) in (6, 9, 12, 15) else None


def _double_bet_on_triple(body: Round) -> AffectedWager | None:
    """Two of a kind wins on three of a kind too; the fault collects it."""
    outcome = outcome_of(body)
    return (f"double:{outcome[0]}", 0, 1) if bets.is_triple(outcome) else None


def _pair_bet_on_double(body: Round) -> AffectedWager | None:
    """A pair bet wins once even if one number shows twice; the fault pays it twice."""
    faces = sorted(set(outcome_of(body)))
    return (f"pair:{faces[0]}-{faces[1]}", 2, 1) if len(faces) == 2 else None


# For each of the rarer readings a result on which it matters.
STAGED_OUTCOMES: dict[str, Outcome] = {
    "totals-on-triples": (3, 3, 3),
    "two-of-a-kind": (4, 4, 4),
    "field-on-triples": (2, 2, 2),
}
# A bet, how many times its odds the fault pays, and how many times they are due.
AffectedWager = tuple[str, int, int]
AFFECTED_BY_READING: dict[str, Callable[[Round], AffectedWager | None]] = {
    "even": _even_bet_on_ten,
    "field-on-triples": _field_bet_on_triple,
    "totals-on-triples": _total_bet_on_triple,
    "two-of-a-kind": _double_bet_on_triple,
    "domino": _pair_bet_on_double,
}
