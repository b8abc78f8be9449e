"""Bet codes, odds as words, and the five shapes an answer can have."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

Line = Mapping[str, Any]
Readings = Mapping[str, str]
Dice = tuple[int, int, int]
Answer = dict[str, Any]

FACES = (1, 2, 3, 4, 5, 6)


class Refused(Exception):
    """This line cannot be settled; `code` says why."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


def _every_code() -> frozenset[str]:
    codes = {"small", "big", "odd", "even", "field", "triple:any"}
    codes |= {"streak:small", "streak:big", "streak:odd", "streak:even", "streak:small-big", "streak:odd-even"}
    codes |= {f"total:{n}" for n in range(3, 19)}
    for a in FACES:
        codes |= {f"triple:{a}", f"double:{a}", f"single:{a}"}
        codes |= {f"double-single:{a}-{a}-{b}" for b in FACES if b != a}
        for b in range(a + 1, 7):
            codes.add(f"pair:{a}-{b}")
            for c in range(b + 1, 7):
                codes.add(f"three:{a}-{b}-{c}")
                codes |= {f"four:{a}-{b}-{c}-{d}" for d in range(c + 1, 7)}
    return frozenset(codes)


EVERY_CODE = _every_code()


def numbers_of(bet: str) -> tuple[int, ...]:
    """The numbers written after the colon: `pair:1-2` is (1, 2)."""
    return tuple(int(n) for n in bet.partition(":")[2].split("-"))


def kind_of(bet: str) -> str:
    return bet.partition(":")[0]


def is_triple(dice: Dice) -> bool:
    return dice[0] == dice[1] == dice[2]


def shows_both(pair: tuple[int, ...], dice: Dice) -> bool:
    return pair[0] in dice and pair[1] in dice


def times_shown(pair: tuple[int, ...], dice: Dice) -> int:
    """How many separate pairs of dice show the two numbers: 1-2-2 shows 1 and 2 twice."""
    return dice.count(pair[0]) * dice.count(pair[1])


def read_dice(line: Line) -> Dice:
    dice = line.get("dice")
    if not isinstance(dice, list | tuple) or len(dice) != 3 or any(d not in FACES for d in dice):
        raise Refused("bad-dice", f"three numbers from 1 to 6 were expected, found {dice!r}")
    return (dice[0], dice[1], dice[2])


def read_stake(line: Line) -> int:
    stake = line.get("stake")
    if not isinstance(stake, int) or isinstance(stake, bool) or stake <= 0:
        raise Refused("bad-stake", f"a stake in whole cents above 0 was expected, found {stake!r}")
    return stake


def is_offered(line: Line) -> bool:
    offered = line.get("offered")
    return offered is None or line["bet"] in offered or kind_of(line["bet"]) in offered


def refuse_unless_known(reason: str, known: tuple[str, ...]) -> None:
    if reason not in known:
        raise Refused("unknown-void-reason", f"this document knows no {reason!r}; it knows {', '.join(known)}")


def read_odds(text: str) -> Fraction:
    """`60 to 1`, `8.5 to 1`, `5 1/2 to 1`, `1 to 10`."""
    wins, _, stakes = text.partition(" to ")
    try:
        return sum((Fraction(part) for part in wins.split()), Fraction(0)) / Fraction(stakes)
    except (ValueError, ZeroDivisionError) as error:
        raise Refused("bad-odds", f"odds like '60 to 1' were expected, found {text!r}") from error


def write_odds(odds: Fraction) -> str:
    """Below evens as a ratio; a half, fifth or tenth as a decimal; anything else as a mixed number."""
    whole, rest = divmod(odds.numerator, odds.denominator)
    if rest == 0:
        return f"{whole} to 1"
    if whole == 0:
        return f"{odds.numerator} to {odds.denominator}"
    for places in range(1, 10):
        if (odds * 10**places).denominator == 1:
            return f"{whole}.{int((odds - whole) * 10**places):0{places}d} to 1"
    return f"{whole} {rest}/{odds.denominator} to 1"


def whole_cents(amount: Fraction) -> int:
    if amount.denominator != 1:
        raise Refused("not-a-whole-cent", f"{amount} cents cannot be paid")
    return amount.numerator


def win(odds: Fraction, winnings: int, returned: int) -> Answer:
    return {"verdict": "win", "odds": write_odds(odds), "winnings": winnings, "returned": returned}


def lose(returned: int) -> Answer:
    return {"verdict": "lose", "odds": None, "winnings": 0, "returned": returned}


def void(stake: int) -> Answer:
    return {"verdict": "void", "odds": None, "winnings": 0, "returned": stake}


def unapproved() -> Answer:
    return {"verdict": "unapproved", "odds": None, "winnings": None, "returned": None}


def still_open() -> Answer:
    return {"verdict": "open", "odds": None, "winnings": None, "returned": None}


def pay_in_full(line: Line, odds: Fraction | None) -> Answer:
    """A document that is silent on limits and rounding: the whole stake settles, to the cent."""
    stake = read_stake(line)
    if odds is None:
        return lose(0)
    winnings = whole_cents(odds * stake)
    if line.get("tender") == "promotional-token":
        return win(odds, winnings, winnings)
    return win(odds, winnings, stake + winnings)
