"""Super Streak: the count of one direction over the results after the wager, and what rule 7.2 pays for it."""

from itertools import dropwhile

from tests.rounds.reference.wording import (
    Answer,
    Dice,
    Line,
    Readings,
    Refused,
    is_triple,
    read_dice,
    read_stake,
    still_open,
    void,
)

ODDS_IN_A_ROW = {4: 6, 5: 10, 6: 15, 7: 20, 8: 35, 9: 50, 10: 75, 11: 100, 12: 500}

TEN_BREAKS = "a total of 10 that breaks"


def direction_shown(pair: str, dice: Dice | None, readings: Readings) -> str | None:
    """What a result is for this streak; None for one that neither wins, loses nor progresses (6.4, 8.6)."""
    if dice is None or is_triple(dice):
        return None
    if pair == "small-big":
        return "small" if sum(dice) <= 10 else "big"
    if sum(dice) == 10 and readings["streak-ten"] == "neutral":
        return None
    if sum(dice) == 10 and readings["streak-ten"] == "breaks":
        return TEN_BREAKS
    return "even" if sum(dice) % 2 == 0 else "odd"


def results_after_the_wager(line: Line) -> list[Dice | None]:
    return [None if result is None else read_dice({"dice": result}) for result in line.get("history", [])]


def decisive_results(line: Line, pair: str, readings: Readings) -> list[str]:
    shown = [direction_shown(pair, dice, readings) for dice in results_after_the_wager(line)]
    return [direction for direction in shown if direction is not None]


def opening_direction(line: Line, pair: str, readings: Readings) -> str | None:
    """The result that opened the betting, where the line tells it; it came before everything in `history`."""
    opening = line.get("opening")
    return None if opening is None else direction_shown(pair, read_dice({"dice": opening}), readings)


def wagered_direction(line: Line, pair: str, readings: Readings, decisive: list[str]) -> str:
    """A named direction, or for a pair wager what the reading `streak-count` says."""
    named: str = line["bet"].removeprefix("streak:")
    if named != pair:
        return named
    if readings["streak-count"] == "first-result-sets":
        return decisive[0]
    opening = opening_direction(line, pair, readings)
    if opening in (None, TEN_BREAKS):
        raise Refused("opening-needed", f"{line['bet']} takes its direction from the opening result: not given")
    return opening


def count_at_the_wager(line: Line, pair: str, readings: Readings, direction: str) -> int:
    if readings["streak-count"] != "opening-counts":
        return 0
    return 1 if opening_direction(line, pair, readings) in (None, direction) else 0


def settle_streak(line: Line, readings: Readings) -> int | Answer | None:
    """The odds of 7.2 when the streak won, None when it lost, or an answer of its own: open, or refunded."""
    pair = "small-big" if line["bet"] in ("streak:small", "streak:big", "streak:small-big") else "odd-even"
    decisive = decisive_results(line, pair, readings)
    if line["bet"] == f"streak:{pair}" and readings["streak-count"] == "first-result-sets":
        # A ten on neither side gives a pair no direction: it waits for a result that has one.
        decisive = list(dropwhile(lambda shown: shown == TEN_BREAKS, decisive))
    count = 0
    if decisive:
        direction = wagered_direction(line, pair, readings, decisive)
        count = count_at_the_wager(line, pair, readings, direction)
        for shown in decisive:
            if shown != direction:
                return ODDS_IN_A_ROW.get(count)
            count += 1
            if count == 12:
                return ODDS_IN_A_ROW[12]
    return running(line, readings, count)


def running(line: Line, readings: Readings, count: int) -> int | Answer | None:
    """Play has not ended the streak: 8.7.1 ends it at its count, 9.5 may refund it, otherwise it stays open."""
    if line.get("lights_failed"):
        if count <= 3 and readings["streak-fault"] == "refund":
            return void(read_stake(line))
        return ODDS_IN_A_ROW.get(count)
    if line.get("void") == "invalidated" and readings["streak-invalidated"] == "refund":
        return void(read_stake(line))
    return still_open()
