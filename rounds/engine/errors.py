"""EngineError, the only exception type of the engine: a code from a closed list and a message."""

from __future__ import annotations

from enum import StrEnum


class ErrorCode(StrEnum):
    UNKNOWN_RULES = "unknown-rules"
    UNKNOWN_VERSION = "unknown-version"
    UNKNOWN_PAY_TABLE = "unknown-pay-table"
    UNKNOWN_BET = "unknown-bet"
    UNKNOWN_READING = "unknown-reading"
    UNKNOWN_VOID_REASON = "unknown-void-reason"
    UNKNOWN_TENDER = "unknown-tender"
    BAD_LINE = "bad-line"
    BAD_DICE = "bad-dice"
    BAD_STAKE = "bad-stake"
    BAD_ODDS = "bad-odds"
    BAD_LIMITS = "bad-limits"
    BAD_HISTORY = "bad-history"
    BAD_DECKS = "bad-decks"
    OPENING_NEEDED = "opening-needed"
    POSTED_BELOW_MINIMUM = "posted-below-minimum"
    NOT_A_WHOLE_CENT = "not-a-whole-cent"
    BAD_PACK = "bad-pack"


class EngineError(Exception):
    """Invalid input to the engine. For a refused pack, `problems` lists every problem found in it."""

    def __init__(self, code: ErrorCode, message: str, problems: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.problems = problems
