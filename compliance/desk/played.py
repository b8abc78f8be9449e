"""What the desk adds to a round as a person reads it (rounds.intake.played): its events in words."""

from typing import Any

import msgspec

from compliance.desk.telling import who
from rounds.intake.played import PlayedRound, WagerRead, access_round, read_round
from rounds.rulebook.calculator.words import plain

__all__ = ["PlayedRound", "WagerRead", "access_round", "event_words", "read_round"]

EVENTS = {
    "bets-open": "Bets open",
    "tumbled": "Dice tumbled",
    "no-more-bets-called": "“No more bets” called",
    "no-more-bets-signalled": "“No more bets” signalled",
    "no-more-bets-pressed": "“No more bets” pressed",
    "no-more-bets-displayed": "“No more bets” displayed",
    "bell-rung": "Bell rung",
    "uncovered": "Uncovered",
    "drawn": "Cards drawn",
    "result-called": "Result called",
    "result-entered": "Result entered",
    "areas-lit": "Winning areas lit",
    "losers-collected": "Losers collected",
    "winners-paid": "Winners paid",
    "lights-cleared": "Lights cleared",
    "covered-again": "Covered again",
}


def event_words(name: str, count: int | None, by: Any) -> str:
    times = "" if count is None else " once" if count == 1 else f" {count} times"
    staff = msgspec.to_builtins(by) if by is not None else None
    return f"{EVENTS.get(name, plain(name))}{times}{f', {who(staff)}' if staff else ''}"
