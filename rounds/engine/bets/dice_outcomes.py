"""The 216 ordered outcomes of three dice. Three cards drawn face up use the same outcomes."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import TypeAlias

from rounds.engine.errors import EngineError, ErrorCode

Outcome: TypeAlias = tuple[int, int, int]

FACES = (1, 2, 3, 4, 5, 6)
OUTCOMES: tuple[Outcome, ...] = tuple((a, b, c) for a, b, c in product(FACES, repeat=3))
TRIPLES: tuple[Outcome, ...] = tuple((face, face, face) for face in FACES)
_INDEX = {outcome: index for index, outcome in enumerate(OUTCOMES)}


def outcome_index(outcome: Outcome) -> int:
    """Position of a roll in OUTCOMES: 1-1-1 is 0, 6-6-6 is 215."""
    return _INDEX[outcome]


def outcomes_showing(faces: tuple[int, ...]) -> tuple[Outcome, ...]:
    """The rolls that are still possible when these dice were read: all 216 without any, one or more with all three."""
    return tuple(outcome for outcome in OUTCOMES if not Counter(faces) - Counter(outcome))


def is_triple(outcome: Outcome) -> bool:
    return outcome[0] == outcome[1] == outcome[2]


def format_outcome(outcome: Outcome) -> str:
    return "-".join(str(face) for face in outcome)


def parse_outcome(raw: object, code: ErrorCode = ErrorCode.BAD_DICE) -> Outcome:
    """Parses three whole numbers from 1 to 6, keeping their order; anything else is refused."""
    if isinstance(raw, (list, tuple)) and len(raw) == 3:
        # True == 1 in Python, so a boolean would pass for a face.
        a, b, c = raw
        if type(a) is int and type(b) is int and type(c) is int and (a, b, c) in _INDEX:
            return a, b, c
    raise EngineError(code, f"{_shorten(raw)} is not a result: expected three whole numbers from 1 to 6")


def _shorten(raw: object) -> str:
    text = repr(raw)
    return text if len(text) <= 60 else f"{text[:57]}..."
