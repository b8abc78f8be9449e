"""NSW Sic Bo: rules 3 (wagers), 4.3 (maximum), 7.1 (odds), 8.1-8.6 (no result), 1.1 (promotional tokens)."""

from fractions import Fraction

from tests.rounds.reference.streak import settle_streak
from tests.rounds.reference.wording import (
    Answer,
    Dice,
    Line,
    Readings,
    is_offered,
    is_triple,
    kind_of,
    lose,
    numbers_of,
    read_dice,
    read_stake,
    refuse_unless_known,
    shows_both,
    unapproved,
    void,
    whole_cents,
    win,
)

READINGS: dict[str, tuple[str, ...]] = {
    "even": ("as-printed", "every-even-total", "printed-no-triple"),
    "four-number": ("three-different", "repeats-allowed"),
    "streak-count": ("after-wager", "opening-counts", "first-result-sets"),
    "streak-ten": ("parity", "breaks", "neutral"),
    "streak-invalidated": ("freeze", "refund"),
    "streak-fault": ("settle-at-count", "refund"),
    "promo-token": ("winnings-only", "token-returned"),
}

# 8.1 (stacked dice are not flat to the base either), 8.2, 8.3 three times, 8.4, 8.5, 9.4.
NO_RESULT = (
    "not-flat",
    "stacked",
    "device-failed",
    "fewer-than-three",
    "not-activated",
    "exposed-early",
    "nmb-not-pressed",
    "broken",
    "invalidated",
)

FOUR_NUMBERS = ("four:1-2-3-4", "four:2-3-4-5", "four:2-3-5-6", "four:3-4-5-6")

TOTAL_ODDS = {4: 62, 17: 62, 5: 31, 16: 31, 6: 18, 15: 18, 7: 12, 14: 12, 8: 8, 13: 8, 9: 7, 12: 7, 10: 6, 11: 6}


def is_approved(bet: str) -> bool:
    if bet in ("small", "big", "odd", "even", "triple:any") or bet in FOUR_NUMBERS:
        return True
    if bet in ("total:3", "total:18"):
        return False
    return kind_of(bet) in ("triple", "double", "total", "pair", "single", "streak")


def even_wins(dice: Dice, reading: str) -> bool:
    total = sum(dice)
    if reading == "every-even-total":
        return total in (4, 6, 8, 10, 12, 14, 16) and not is_triple(dice)
    if reading == "printed-no-triple":
        return total in (4, 6, 8, 12, 14, 16, 18) and not is_triple(dice)
    return total in (4, 6, 8, 12, 14, 16, 18) and dice not in ((2, 2, 2), (4, 4, 4))


def four_wins(numbers: tuple[int, ...], dice: Dice, reading: str) -> bool:
    if reading == "repeats-allowed":
        return all(die in numbers for die in dice)
    return sum(number in dice for number in numbers) == 3


def winning_odds(bet: str, dice: Dice, readings: Readings) -> int | None:
    """Rule 7.1's figure where rule 3 lets the wager win, None where it loses."""
    total = sum(dice)
    kind = kind_of(bet)
    if bet == "small":
        return 1 if total in (4, 5, 6, 7, 8, 9, 10) and dice not in ((2, 2, 2), (3, 3, 3)) else None
    if bet == "big":
        return 1 if total in (11, 12, 13, 14, 15, 16, 17) and dice not in ((4, 4, 4), (5, 5, 5)) else None
    if bet == "odd":
        return 1 if total in (5, 7, 9, 11, 13, 15, 17) and dice not in ((3, 3, 3), (5, 5, 5)) else None
    if bet == "even":
        return 1 if even_wins(dice, readings["even"]) else None
    if bet == "triple:any":
        return 31 if is_triple(dice) else None
    numbers = numbers_of(bet)
    if kind == "triple":
        return 180 if dice.count(numbers[0]) == 3 else None
    if kind == "double":
        return 11 if dice.count(numbers[0]) >= 2 else None
    if kind == "total":
        return TOTAL_ODDS[total] if total == numbers[0] else None
    if kind == "pair":
        return 6 if shows_both(numbers, dice) else None
    if kind == "four":
        return 7 if four_wins(numbers, dice, readings["four-number"]) else None
    return {0: None, 1: 1, 2: 2, 3: 12}[dice.count(numbers[0])]


def pay_to_the_maximum(line: Line, readings: Readings, odds: int | None) -> Answer:
    """4.2: a stake below the minimum stands. 4.3: above the maximum only the maximum plays, the rest goes back."""
    stake = read_stake(line)
    maximum = line.get("limits", {}).get("max")
    playing = stake if maximum is None or stake <= maximum else maximum
    excess = stake - playing
    if odds is None:
        return lose(excess)
    winnings = whole_cents(Fraction(odds * playing))
    if line.get("tender") == "promotional-token" and readings["promo-token"] == "winnings-only":
        return win(Fraction(odds), winnings, winnings + excess)
    return win(Fraction(odds), winnings, playing + winnings + excess)


def settle(line: Line, readings: Readings) -> Answer:
    bet = line["bet"]
    if not is_approved(bet) or not is_offered(line):
        return unapproved()
    if "void" in line:
        refuse_unless_known(line["void"], NO_RESULT)
    if kind_of(bet) == "streak":
        verdict = settle_streak(line, readings)
        return pay_to_the_maximum(line, readings, verdict) if isinstance(verdict, int | None) else verdict
    if "void" in line:
        return void(read_stake(line))
    return pay_to_the_maximum(line, readings, winning_odds(bet, read_dice(line), readings))
