"""MBS 3 Card Sic Bo: rules 3.6, 4.1.1, 4.1.2 and 5.1-5.4. Cards carry the faces of a die."""

from fractions import Fraction

from tests.rounds.reference.wording import (
    Answer,
    Dice,
    Line,
    Readings,
    is_offered,
    is_triple,
    pay_in_full,
    read_dice,
    read_stake,
    refuse_unless_known,
    unapproved,
    void,
)

READINGS: dict[str, tuple[str, ...]] = {"totals-on-triples": ("win", "lose")}

# 5.1, 5.2, 5.3, 5.4
VOID_ROUND = ("exposed-early", "foreign-card", "card-count", "insufficient-cards")

TOTAL_ODDS = {
    "total:4": 62,
    "total:17": 62,
    "total:5": 31,
    "total:16": 31,
    "total:6": 18,
    "total:15": 18,
    "total:7": 12,
    "total:14": 12,
    "total:8": 8,
    "total:13": 8,
    "total:9": 7,
    "total:12": 7,
    "total:10": 6,
    "total:11": 6,
}


def winning_odds(bet: str, cards: Dice, readings: Readings) -> int | None:
    total = sum(cards)
    triple = is_triple(cards)
    if bet == "small":
        return 1 if total >= 4 and total <= 10 and not triple else None
    if bet == "big":
        return 1 if total >= 11 and total <= 17 and not triple else None
    if bet == "odd":
        return 1 if total in (5, 7, 9, 11, 13, 15, 17) and not triple else None
    if bet == "even":
        return 1 if total in (4, 6, 8, 10, 12, 14, 16) and not triple else None
    if bet == "triple:any":
        return 31 if triple else None
    if triple and readings["totals-on-triples"] == "lose":
        return None
    return TOTAL_ODDS[bet] if bet == f"total:{total}" else None


def settle(line: Line, readings: Readings) -> Answer:
    bet = line["bet"]
    is_section = bet in ("small", "big", "odd", "even", "triple:any") or bet in TOTAL_ODDS
    if not is_section or not is_offered(line):
        return unapproved()
    if "void" in line:
        refuse_unless_known(line["void"], VOID_ROUND)
        return void(read_stake(line))
    odds = winning_odds(bet, read_dice(line), readings)
    return pay_in_full(line, None if odds is None else Fraction(odds))
