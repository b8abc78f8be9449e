"""MalformedLine: a stable code, a JSON Pointer to the member, and a message. Translates msgspec's errors into it.

LINE_ERRORS documents every code for the help page."""

from __future__ import annotations

import re
from dataclasses import dataclass

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


@dataclass(frozen=True)
class LineError:
    """A code in `problems` of a refusal, for the help page."""

    cause: str
    remedy: str


def _from_sentence(code: str, cause: str) -> LineError:
    return LineError(cause, SENTENCE_BY_CODE[code])


# Every code that a refused line can have. Codes of ambiguous JSON come from rounds.transparency_log.
LINE_ERRORS = {
    "not-json": LineError("The line is not one whole JSON object.", "Write one object a line, without line breaks."),
    "not-an-object": LineError("The line is JSON, but not an object.", "Begin the line with { and end it with }."),
    "not-utf-8": LineError("The line has bytes that are not UTF-8.", "Encode the text as UTF-8."),
    "bad-text": LineError(
        "A text has the NUL character or half a surrogate pair.", "Remove it: it is no character that can be stored."
    ),
    "not-a-number": LineError("A number is not finite.", "Amounts and counts are whole numbers."),
    "integer-too-large": LineError(
        "A number is past 9,007,199,254,740,991, which not every reader keeps exactly.", "Send the right number."
    ),
    "too-deep": LineError("Objects and lists are nested too deeply.", "No kind of line needs that; see its members."),
    "too-large": LineError(
        "One line is too long.", "A round of ordinary size fits by far; look for what was repeated."
    ),
    "repeated-member": LineError("An object has one member twice.", "Write each member once."),
    "unknown-member": LineError(
        "An object has a member that the protocol does not have.", "Correct its spelling, or leave it out."
    ),
    "missing-member": LineError(
        "A member that is always needed is missing.", "Add it; the tables on this page say which."
    ),
    "unknown-kind": _from_sentence("unknown-kind", "The kind is missing or misspelt."),
    "bad-sequence": _from_sentence("bad-sequence", "The sequence is not a number, or 0 for a line that is kept."),
    "bad-table": _from_sentence("bad-table", "The name of the table has other characters."),
    "foreign-table": LineError(
        "The controller was not given this table.", "Have the table given to the controller, then send the line again."
    ),
    "sequence-conflict": LineError(
        "The sequence was used before for other bytes.",
        "Never renumber. Send what is right as a new line, and a correction of the old one.",
    ),
    "no-time-zone": _from_sentence("no-time-zone", "A time has no zone."),
    "too-far-ahead": LineError(
        "A time is more than a day ahead of our clock.", "Set the controller's clock. Times on signs may lie ahead."
    ),
    "no-events": LineError("A round has no events.", "Report the events that the rules of the table name."),
    "no-outcome": LineError(
        "A round has neither dice nor cards nor a reason why there is no result.",
        "Send `dice` or `cards`, or `no_result` with its reason.",
    ),
    "two-results": LineError("A round has both dice and cards.", "Send the ones that decide at this table."),
    "bad-dice": _from_sentence("bad-dice", "A result is not three faces."),
    "unknown-reason": LineError(
        "`no_result` has a reason that does not exist.", "Use one of the reasons of NoResult; see also the rule set."
    ),
    "repeated-wager": LineError("Two wagers of a round have the same id.", "Give each wager its own id."),
    "no-player": LineError(
        "Nothing says whose a wager, chips or a voucher are.",
        "Send `player` or `seat`; for a wager, `terminal` is enough.",
    ),
    "bad-player": _from_sentence("bad-player", "The player is not a pseudonym."),
    "unknown-bet": LineError("A bet code does not exist.", "The list of bet codes is at the end of this page."),
    "bad-stake": _from_sentence("bad-stake", "A stake cannot be used."),
    "unknown-tender": LineError("The tender does not exist.", "Use one of the words of Wager's member `tender`."),
    "bad-returned": LineError(
        "`returned` is not an amount, is missing at a settled wager, or is there at an open one.",
        f"{SENTENCE_BY_CODE['bad-returned']} An open wager has none yet.",
    ),
    "no-stake": LineError("A raised or lowered wager has no new stake.", "Send the stake as it was afterwards."),
    "no-bet": LineError("A moved wager has no new bet.", "Send the bet as it was afterwards."),
    "bad-streaks": LineError("No streak is there, or a pair is there twice.", "Send each pair once."),
    "bad-value": LineError(
        "A member has a value of the wrong type, or out of its range.", "`detail` says what is expected."
    ),
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
