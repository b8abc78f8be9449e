"""SkyCity Big and Small: rules 3.f, 5, 6, 7.a-7.e and 8.a, 8.d, 8.e, 8.f."""

from fractions import Fraction

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
    times_shown,
    unapproved,
    void,
    win,
)

READINGS: dict[str, tuple[str, ...]] = {
    "field-on-triples": ("win", "lose"),
    "payable-gap": ("round-up", "round-down"),
    "lower-multiple": ("stake", "payout"),
    "lights-fail": ("as-called", "dice"),
    "domino": ("once", "twice"),
}

# 7.a, 7.b, 7.c, 7.d, 8.a
NO_SPIN_OR_VOID = ("not-flat", "fewer-than-three", "exposed-early", "stacked", "invalidated")

# Taken from the layout; the document does not list them.
FOUR_NUMBERS = ("four:1-2-3-4", "four:2-3-4-5", "four:2-3-5-6", "four:3-4-5-6")

TOTAL_ODDS = {4: 64, 17: 64, 5: 32, 16: 32, 6: 19, 15: 19, 7: 12, 14: 12, 8: 8, 13: 8, 9: 7, 12: 7, 10: 6, 11: 6}


def is_approved(bet: str) -> bool:
    if bet in ("small", "big", "odd", "even", "field", "triple:any") or bet in FOUR_NUMBERS:
        return True
    if bet in ("total:3", "total:18"):
        return False
    return kind_of(bet) in ("triple", "single", "double", "pair", "total")


def winning_odds(bet: str, dice: Dice, readings: Readings) -> Fraction | None:
    total = sum(dice)
    kind = kind_of(bet)
    treble = is_triple(dice)
    if bet in ("even", "odd", "big", "small") and treble:
        return None
    if bet == "even":
        return Fraction(1) if total % 2 == 0 else None
    if bet == "odd":
        return Fraction(1) if total % 2 == 1 else None
    if bet == "big":
        return Fraction(1) if 11 <= total <= 17 else None
    if bet == "small":
        return Fraction(1) if 4 <= total <= 10 else None
    if bet == "field":
        if treble and readings["field-on-triples"] == "lose":
            return None
        return Fraction(1) if total in (5, 6, 7, 8, 13, 14, 15, 16) else None
    if bet == "triple:any":
        return Fraction(32) if treble else None
    numbers = numbers_of(bet)
    if kind == "triple":
        return Fraction(190) if dice.count(numbers[0]) == 3 else None
    if kind == "four":
        return Fraction(7) if len(set(dice)) == 3 and set(dice) <= set(numbers) else None
    if kind == "single":
        return {0: None, 1: Fraction(1), 2: Fraction(2), 3: Fraction(10)}[dice.count(numbers[0])]
    if kind == "double":
        return Fraction(11) if dice.count(numbers[0]) >= 2 else None
    if kind == "pair":
        shown = times_shown(numbers, dice)
        paid_times = shown if readings["domino"] == "twice" else min(shown, 1)
        return Fraction(11, 2) * paid_times if shown else None
    return Fraction(TOTAL_ODDS[total]) if total == numbers[0] else None


def round_up(amount: Fraction, unit: int) -> int:
    return -(-amount // unit) * unit


def round_down(amount: Fraction, unit: int) -> int:
    return amount // unit * unit


def payable_winnings(odds: Fraction, stake: int, line: Line, readings: Readings) -> int:
    """8.f: what the float can pay. Without a stated smallest unit everything is payable to the cent."""
    limits = line.get("limits", {})
    unit = limits.get("payable_unit") or 1
    minimum = limits.get("min") or 0
    winnings = odds * stake
    if winnings % unit == 0:
        return int(winnings)
    notice_requires_multiples = bool(limits.get("multiples")) and minimum > 0
    if not notice_requires_multiples or stake < minimum:
        return round_up(winnings, unit)
    if stake % minimum != 0:
        if readings["lower-multiple"] == "stake":
            winnings = odds * (stake - stake % minimum)
        else:
            winnings = Fraction(round_down(winnings, minimum))
    if readings["payable-gap"] == "round-up":
        return round_up(winnings, unit)
    return round_down(winnings, unit)


def deciding_dice(line: Line, readings: Readings) -> Dice:
    """4.d: the uppermost faces; 7.e: the result called, when the lights failed or were wrong."""
    if line.get("lights_failed") and "called" in line and readings["lights-fail"] == "as-called":
        return read_dice({"dice": line["called"]})
    return read_dice(line)


def settle(line: Line, readings: Readings) -> Answer:
    bet = line["bet"]
    if not is_approved(bet) or not is_offered(line):
        return unapproved()
    stake = read_stake(line)
    if "void" in line:
        refuse_unless_known(line["void"], NO_SPIN_OR_VOID)
        return void(stake)
    limits = line.get("limits", {})
    minimum, maximum = limits.get("min"), limits.get("max")
    if line.get("warned") and minimum is not None and stake < minimum:
        return void(stake)
    playing = stake if maximum is None or stake <= maximum else maximum
    odds = winning_odds(bet, deciding_dice(line, readings), readings)
    if odds is None:
        return lose(stake - playing)
    winnings = payable_winnings(odds, playing, line, readings)
    if line.get("tender") == "promotional-token":
        return win(odds, winnings, winnings + stake - playing)
    return win(odds, winnings, winnings + stake)
