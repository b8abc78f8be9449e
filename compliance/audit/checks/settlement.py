"""The check of every wager's money: settled as the rule version in force says, or flagged with both amounts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from compliance.audit.checks.mistakes import Mistake, mistake_of
from compliance.audit.checks.positions import Position, held_together, positions_of
from compliance.audit.checks.voids import void_grounds
from compliance.audit.drafts import Draft, about_round, amount, wager_words
from compliance.audit.seen import RoundSeen

NAME = "settlement"
CODES = frozenset(
    {
        "SETTLE-OVERPAID", "SETTLE-UNDERPAID", "SETTLE-LOSER-PAID", "SETTLE-WINNER-UNPAID", "SETTLE-VOID-KEPT",
        "SETTLE-SHOULD-BE-VOID", "SETTLE-CLIP", "SETTLE-ROUNDING", "SETTLE-PAY-TABLE", "SETTLE-TOKEN",
        "SETTLE-READING", "WAGER-LATE", "WAGER-WITHDRAWN-LATE", "WAGER-UNDER-MIN", "WAGER-UNREGISTERED",
    }
)  # fmt: skip


def judge(seen: RoundSeen) -> Iterator[Draft]:
    """A round that should have been void is one finding; otherwise each wager is judged by itself."""
    ground = void_grounds(seen)
    if ground is not None:
        yield _should_be_void(seen, *ground)
        return
    positions = positions_of(seen)
    held = held_together(seen, positions)
    for position in positions:
        mistake = mistake_of(seen, position, held.get(position.wager.id))
        if mistake is not None:
            yield _draft(seen, position, mistake)


def words(position: Position) -> str:
    return wager_words(position.bet, position.stake_cents, position.wager.id)


def _draft(seen: RoundSeen, position: Position, mistake: Mistake) -> Draft:
    what, required, found = words(position), _required(mistake), amount(mistake.found_cents)
    if mistake.reading is not None:
        reading, choice = mistake.reading
        what, found = f"clause {mistake.clause} ({reading})", f"“{choice}”"
        required = f"“{seen.circumstances.readings.get(reading, seen.pack.readings[reading].default)}”"
    draft = about_round(
        seen, mistake.code, f"reading:{mistake.reading[0]}" if mistake.reading else NAME,
        what=what, required=required, found=found,
        wager=position.wager.id, clause=mistake.clause, required_cents=mistake.required_cents,
        found_cents=mistake.found_cents, explanation=mistake.explanation, is_silent=mistake.is_silent,
        reading=mistake.reading,
    )  # fmt: skip
    found_by = seen.found_over.get(position.wager.id)
    return draft if found_by is None else replace(draft, evidence=(*draft.evidence, found_by))


def _required(mistake: Mistake) -> str:
    return "the rules do not say what" if mistake.required_cents is None else amount(mistake.required_cents)


def _should_be_void(seen: RoundSeen, reason: str, why: str) -> Draft:
    wagers = [position for position in positions_of(seen) if position.wager.verdict not in ("open", "refused")]
    due = sum(position.handed_in_cents for position in wagers)
    found = sum(position.wager.returned or 0 for position in wagers)
    clause = next(rule.clause for name, rule in seen.pack.law.void.items() if name == reason)
    return about_round(
        seen, "SETTLE-SHOULD-BE-VOID", NAME, what=seen.name, required=amount(due), found=amount(found),
        clause=clause, required_cents=due, found_cents=found, explanation=(why,),
    )  # fmt: skip
