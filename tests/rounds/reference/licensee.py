"""Licensee Sic Bo: sections 2(a), 4(b), 4(c), 5(f), 6(a) and 6(c). The odds listed are the least that may be paid."""

from fractions import Fraction

from tests.rounds.reference.wording import (
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
    read_odds,
    read_stake,
    refuse_unless_known,
    shows_both,
    unapproved,
    void,
)

READINGS: dict[str, tuple[str, ...]] = {
    "one-of-a-kind": ("as-printed", "even-money"),
    "one-of-a-kind-pair": ("wagered-number", "any-pair"),
    "two-of-a-kind": ("two-or-more", "exactly-two"),
    "one-of-a-kind-levels": ("minimum", "exact"),
    "big": ("any-other-total", "as-printed"),
}

# 6(a) "No Roll", 6(c)
NO_ROLL_OR_VOID = ("not-flat", "stacked", "device-failed")

TOTAL_ODDS = {4: 50, 5: 18, 6: 14, 7: 12, 8: 8, 9: 6, 10: 6, 11: 6, 12: 6, 13: 8, 14: 12, 15: 14, 16: 18, 17: 50}


def is_approved(bet: str) -> bool:
    if bet in ("small", "big"):
        return True
    if kind_of(bet) == "total":
        return numbers_of(bet)[0] in TOTAL_ODDS
    return kind_of(bet) in ("triple", "double", "pair", "single")


def least_odds(bet: str) -> Fraction:
    """4(b) for every wager but one of a kind."""
    kind = kind_of(bet)
    if bet in ("small", "big"):
        return Fraction(1)
    if bet == "triple:any":
        return Fraction(24)
    if kind == "total":
        return Fraction(TOTAL_ODDS[numbers_of(bet)[0]])
    return {"triple": Fraction(150), "double": Fraction(8), "pair": Fraction(5)}[kind]


def least_odds_of_one_of_a_kind(readings: Readings) -> list[Fraction]:
    on_one_die = Fraction(1, 10) if readings["one-of-a-kind"] == "as-printed" else Fraction(1)
    return [on_one_die, Fraction(2), Fraction(3)]


def offered_odds(line: Line, readings: Readings) -> list[Fraction]:
    """5(f): the odds offered now, one figure (three for one of a kind), never below the least (4(b), 4(c))."""
    bet = line["bet"]
    single = kind_of(bet) == "single"
    least = least_odds_of_one_of_a_kind(readings) if single else [least_odds(bet)]
    posted = line.get("posted_odds", {}).get(bet)
    if posted is None:
        return least
    texts = posted if isinstance(posted, list) else [posted]
    if len(texts) != len(least):
        raise Refused("bad-odds", f"{bet} is posted at {len(least)} level(s), found {len(texts)}")
    odds = [read_odds(text) for text in texts]
    for level, (found, minimum) in enumerate(zip(odds, least, strict=True), start=1):
        if found < minimum:
            raise Refused("posted-below-minimum", f"{bet} level {level}: posted {found}, the least is {minimum}")
    if single and readings["one-of-a-kind-levels"] == "exact":
        return [odds[0], Fraction(2), Fraction(3)]
    return odds


def one_of_a_kind(number: int, dice: Dice, odds: list[Fraction], readings: Readings) -> Fraction | None:
    """2(a)(8) and 4(c)."""
    if number not in dice:
        return None
    if is_triple(dice):
        return odds[2]
    if dice.count(number) == 2:
        return odds[1]
    two_alike = len(set(dice)) == 2
    if two_alike and readings["one-of-a-kind-pair"] == "any-pair":
        return odds[1]
    return odds[0]


def wins(bet: str, dice: Dice, readings: Readings) -> bool:
    total = sum(dice)
    if bet == "small":
        return total in (4, 5, 6, 7, 8, 9, 10) and not is_triple(dice)
    if bet == "big":
        return readings["big"] == "any-other-total" and 11 <= total <= 17 and not is_triple(dice)
    if bet == "triple:any":
        return is_triple(dice)
    numbers = numbers_of(bet)
    if kind_of(bet) == "triple":
        return dice.count(numbers[0]) == 3
    if kind_of(bet) == "double":
        alike = dice.count(numbers[0])
        return alike == 2 or (alike == 3 and readings["two-of-a-kind"] == "two-or-more")
    if kind_of(bet) == "total":
        return total == numbers[0]
    return shows_both(numbers, dice)


def settle(line: Line, readings: Readings) -> Answer:
    bet = line["bet"]
    if not is_approved(bet) or not is_offered(line):
        return unapproved()
    if "void" in line:
        refuse_unless_known(line["void"], NO_ROLL_OR_VOID)
        return void(read_stake(line))
    odds = offered_odds(line, readings)
    dice = read_dice(line)
    if kind_of(bet) == "single":
        return pay_in_full(line, one_of_a_kind(numbers_of(bet)[0], dice, odds, readings))
    return pay_in_full(line, odds[0] if wins(bet, dice, readings) else None)
