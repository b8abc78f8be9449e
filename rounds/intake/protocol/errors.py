"""MalformedLine: a stable code, a JSON Pointer to the member, and a message. Translates msgspec's errors into it."""

from __future__ import annotations

import re

import msgspec

from rounds.engine import EngineError, bets

ERROR_PATTERN = re.compile(r"^(?P<what>.*?)(?: - at (?:`key` in )?`(?P<path>[^`]*)`)?$", re.DOTALL)
PATH_STEP = re.compile(r"\.([^.\[]+)|\[(\d+|\.\.\.)\]")
QUOTED = re.compile(r"`([^`]*)`")

# Error codes by the name of the invalid member; other members get "bad-value".
CODE_BY_MEMBER = {
    "kind": "unknown-kind",
    "bet": "unknown-bet",
    "lit": "unknown-bet",
    "odds": "unknown-bet",
    "stake": "bad-stake",
    "returned": "bad-returned",
    "dice": "bad-dice",
    "cards": "bad-dice",
    "faces": "bad-dice",
    "sequence": "bad-sequence",
    "table": "bad-table",
    "reason": "unknown-reason",
    "tender": "unknown-tender",
    "player": "bad-player",
}
SENTENCE_BY_CODE = {
    "unknown-kind": "There is no such kind of line. The help page for integrators lists them.",
    "bad-stake": "A stake is a whole number of cents, from 1 to 100,000,000,000.",
    "bad-returned": "What was returned is a whole number of cents, never negative.",
    "bad-dice": "A result is three whole numbers from 1 to 6.",
    "bad-sequence": "A sequence is a whole number: 1 for the first line of a table, then one more each time.",
    "bad-table": "A table is named by its slug: small letters, figures and hyphens.",
    "bad-player": "A player is a pseudonym of the day that begins with a small letter; never a name or a card number.",
    "no-time-zone": "The time must say its zone, such as 2026-11-16T21:20:00+11:00.",
}


class MalformedLine(ValueError):
    """A line that does not match its schema. `field` is a JSON Pointer from the top of the line."""

    def __init__(self, code: str, sentence: str, field: str = "") -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence
        self.field = field

    def with_field_prefix(self, field: str) -> MalformedLine:
        return MalformedLine(self.code, self.sentence, field + self.field)


def explain_validation_error(error: msgspec.ValidationError) -> MalformedLine:
    """Translates msgspec's error into a MalformedLine for the developer of the controller."""
    found = ERROR_PATTERN.match(str(error))
    what, path = (found["what"], found["path"] or "$") if found else (str(error), "$")
    if (inside := ERROR_PATTERN.match(what)) and inside["path"]:  # Raised by a __post_init__, with a path of its own.
        what, path = inside["what"], path + inside["path"].removeprefix("$")
    steps = [name or index for name, index in PATH_STEP.findall(path)]
    field = "".join(f"/{'*' if step == '...' else step}" for step in steps)
    quoted = QUOTED.findall(what)
    if "unknown field" in what:
        return MalformedLine("unknown-member", f"Nobody knows the member {quoted[-1]}.", f"{field}/{quoted[-1]}")
    if "missing required field" in what:
        code = "unknown-kind" if quoted[-1] == "kind" else "missing-member"
        return MalformedLine(code, f"The member {quoted[-1]} is missing.", f"{field}/{quoted[-1]}")
    if "timezone" in what:
        return MalformedLine("no-time-zone", SENTENCE_BY_CODE["no-time-zone"], field)
    if not steps:
        return MalformedLine("not-json", "The line is not one whole JSON object.")
    code = next((CODE_BY_MEMBER[step] for step in reversed(steps) if step in CODE_BY_MEMBER), "bad-value")
    return MalformedLine(code, SENTENCE_BY_CODE.get(code) or _plain_sentence(what, code), field)


def _plain_sentence(what: str, code: str) -> str:
    if code == "unknown-bet" and "'" in what:
        try:
            bets.parse_bet(what.split("'")[1])
        except EngineError as error:
            return f"{error.message[0].upper()}{error.message[1:]}."
    return f"{what.replace('`', '')}."
