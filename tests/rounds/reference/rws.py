"""RWS Sic Bo electronic table game, version 8: paragraphs 3.9, 4.1.1-4.1.3, 5.1-5.4 and 5.9."""

from fractions import Fraction
from itertools import product

from tests.rounds.reference.wording import (
    EVERY_CODE,
    FACES,
    Answer,
    Dice,
    Line,
    Readings,
    Refused,
    is_offered,
    is_triple,
    kind_of,
    numbers_of,
    pay_in_full,
    read_dice,
    read_stake,
    refuse_unless_known,
    times_shown,
    unapproved,
    void,
)

READINGS: dict[str, tuple[str, ...]] = {
    "double-single": ("as-printed", "all-thirty"),
    "domino": ("once", "twice"),
    "outcome-established": ("any-bet-decided", "all-dice-read"),
}

PAY_TABLES = ("1", "2", "3")

# 5.1.2, 5.3.1, 5.3.2, 5.3.3, 5.4
VOIDED = ("interrupted", "fewer-than-three", "not-flat", "stacked", "exposed-early", "damaged-dice")

FOUR_NUMBERS = ("four:1-2-3-4", "four:2-3-4-5", "four:2-3-5-6", "four:3-4-5-6")

# The 28 as listed in 4.1.2 and 4.1.3: no 1-1-2 and no 6-6-5.
DOUBLE_WITH_SINGLE = (
    "1-1-3", "1-1-4", "1-1-5", "1-1-6",
    "2-2-1", "2-2-3", "2-2-4", "2-2-5", "2-2-6",
    "3-3-1", "3-3-2", "3-3-4", "3-3-5", "3-3-6",
    "4-4-1", "4-4-2", "4-4-3", "4-4-5", "4-4-6",
    "5-5-1", "5-5-2", "5-5-3", "5-5-4", "5-5-6",
    "6-6-1", "6-6-2", "6-6-3", "6-6-4",
)  # fmt: skip

HALF = Fraction(1, 2)

TOTALS_OF_TABLES_1_AND_2 = {
    4: Fraction(64),
    17: Fraction(64),
    5: Fraction(32),
    16: Fraction(32),
    6: Fraction(19),
    15: Fraction(19),
    7: Fraction(12),
    14: Fraction(12),
    8: 8 + HALF,
    13: 8 + HALF,
    9: Fraction(7),
    12: Fraction(7),
    10: 6 + HALF,
    11: 6 + HALF,
}
TOTALS_OF_TABLE_3 = {
    4: Fraction(62),
    17: Fraction(62),
    5: Fraction(31),
    16: Fraction(31),
    6: Fraction(18),
    15: Fraction(18),
    7: Fraction(12),
    14: Fraction(12),
    8: Fraction(8),
    13: Fraction(8),
    9: Fraction(7),
    12: Fraction(7),
    10: Fraction(6),
    11: Fraction(6),
}


def is_approved(bet: str, pay_table: str, readings: Readings) -> bool:
    kind = kind_of(bet)
    if bet in ("small", "big", "odd", "even", "triple:any") or bet in FOUR_NUMBERS:
        return True
    if bet in ("total:3", "total:18"):
        return False
    if kind == "three":
        return pay_table in ("2", "3")
    if kind == "double-single":
        listed = bet.removeprefix("double-single:") in DOUBLE_WITH_SINGLE
        return pay_table in ("2", "3") and (listed or readings["double-single"] == "all-thirty")
    return kind in ("triple", "double", "total", "pair", "single")


def winning_odds(bet: str, dice: Dice, table: str, readings: Readings) -> Fraction | None:
    total = sum(dice)
    kind = kind_of(bet)
    triple = is_triple(dice)
    if bet == "small":
        return Fraction(1) if 4 <= total <= 10 and not triple else None
    if bet == "big":
        return Fraction(1) if 11 <= total <= 17 and not triple else None
    if bet == "even":
        return Fraction(1) if total % 2 == 0 and not triple else None
    if bet == "odd":
        return Fraction(1) if total % 2 == 1 and not triple else None
    if bet == "triple:any":
        return Fraction(31 if table == "3" else 32) if triple else None
    numbers = numbers_of(bet)
    if kind == "single":
        return {0: None, 1: Fraction(1), 2: Fraction(2), 3: Fraction(12)}[dice.count(numbers[0])]
    if kind == "total":
        paid = TOTALS_OF_TABLE_3 if table == "3" else TOTALS_OF_TABLES_1_AND_2
        return paid[total] if total == numbers[0] else None
    if kind == "pair":
        shown = times_shown(numbers, dice)
        if readings["domino"] == "twice":
            return Fraction(6) * shown if shown else None
        return Fraction(6) if shown else None
    if kind == "four":
        three_of_them = len(set(dice)) == 3 and all(die in numbers for die in dice)
        return (Fraction(7) if table == "3" else 7 + HALF) if three_of_them else None
    if kind == "double":
        return (Fraction(11) if table == "3" else 11 + HALF) if dice.count(numbers[0]) >= 2 else None
    if kind == "triple":
        return Fraction(180 if table == "3" else 195) if dice.count(numbers[0]) == 3 else None
    if kind == "three":
        return Fraction(30) if sorted(dice) == sorted(numbers) else None
    return Fraction(50) if sorted(dice) == sorted(numbers) else None


def rolls_still_possible(line: Line) -> list[Dice]:
    """Of the 216 rolls, those that show the faces that were read."""
    read = line.get("faces_read", [])
    rolls = product(FACES, FACES, FACES)
    possible = [roll for roll in rolls if all(roll.count(face) >= read.count(face) for face in read)]
    if not possible:
        raise Refused("bad-dice", f"at most three numbers from 1 to 6 were expected, found {read!r}")
    return possible


def is_decided(bet: str, table: str, rolls: list[Dice], readings: Readings) -> bool:
    won = [winning_odds(bet, roll, table, readings) is not None for roll in rolls]
    return all(won) or not any(won)


def is_outcome_established(line: Line, readings: Readings) -> bool:
    """5.1.1: an available bet, on whichever layout, has won or lost for certain, or the table reported so; read
    otherwise, all three dice were read."""
    if readings["outcome-established"] == "all-dice-read":
        return len(line.get("faces_read", [])) == 3
    if line.get("outcome_established"):
        return True
    rolls = rolls_still_possible(line)
    return any(
        is_decided(bet, table, rolls, readings)
        for bet in EVERY_CODE
        for table in PAY_TABLES
        if is_offered({**line, "bet": bet}) and is_approved(bet, table, readings)
    )


def settle_by_faces_read(line: Line, table: str, readings: Readings) -> Answer:
    """5.1.1: the round is concluded, which is possible only for a wager that the other dice cannot change."""
    first, *others = [
        pay_in_full(line, winning_odds(line["bet"], roll, table, readings)) for roll in rolls_still_possible(line)
    ]
    if any(other != first for other in others):
        raise Refused("bad-dice", f"{line['bet']} depends on dice that were not read")
    return first


def settle(line: Line, readings: Readings) -> Answer:
    table = line.get("pay_table")
    if table not in PAY_TABLES:
        raise Refused("unknown-pay-table", f"pay table '1', '2' or '3' was expected, found {table!r}")
    if not is_approved(line["bet"], table, readings) or not is_offered(line):
        return unapproved()
    if "void" in line:
        refuse_unless_known(line["void"], VOIDED)
        if line["void"] == "interrupted" and is_outcome_established(line, readings):
            return settle_by_faces_read(line, table, readings)
        return void(read_stake(line))
    return pay_in_full(line, winning_odds(line["bet"], read_dice(line), table, readings))
