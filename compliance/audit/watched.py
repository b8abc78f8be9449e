"""Rounds that must be judged exactly because of what happened around them, whatever their columns say."""

from __future__ import annotations


def watched_rounds(log: str, first: int, last: int) -> set[int]:
    return set()
