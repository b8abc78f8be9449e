"""Rounds that must be judged exactly because of what happened around them, whatever their columns say."""

from __future__ import annotations

from compliance.disputes.selectors import rounds_paid_after


def watched_rounds(log: str, first: int, last: int) -> set[int]:
    """Those whose settlement was changed after a dispute: their columns have what the table did."""
    return rounds_paid_after(log, first, last)
