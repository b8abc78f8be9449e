"""The limits on the sign that a round reports, against those on record for its table."""

from __future__ import annotations

from collections.abc import Iterator

from compliance.audit.drafts import Draft, about_round, amount, check_of
from compliance.audit.seen import RoundSeen


def judge(seen: RoundSeen) -> Iterator[Draft]:
    """The record governs; the sign is evidence. Nothing on record, or no sign reported: nothing to compare."""
    duty, sign, limits = seen.pack.duties.limits_shown, seen.round.limits, seen.circumstances.limits
    if duty is None or sign is None or limits.minimum_cents is None:
        return
    if (sign.min, sign.max) != (limits.minimum_cents, limits.maximum_cents):
        yield about_round(
            seen, "LIMIT-SOURCES", check_of("LIMIT-SOURCES"), what=seen.name, clause=duty.clause,
            found=f"{amount(sign.min)} to {amount(sign.max)}",
            required=f"{amount(limits.minimum_cents)} to {amount(limits.maximum_cents)}",
        )  # fmt: skip
