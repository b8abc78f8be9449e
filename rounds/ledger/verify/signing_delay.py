"""Entries that waited longer than MAX_SIGNING_DELAY for a checkpoint, from the times of checkpoints and entries."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from rounds.ledger.models import Entry, Log, SignedCheckpoint
from rounds.ledger.signing.checkpoints import MAX_SIGNING_DELAY
from rounds.ledger.storage import get_log

__all__ = ["MAX_SIGNING_DELAY", "LateSignature", "late_signatures"]


@dataclass(frozen=True)
class LateSignature:
    """`unsigned_index` was not signed in time;
    `index` is the first entry recorded after its deadline, which shows it.
    """

    index: int
    recorded_at: datetime
    unsigned_index: int
    waited: timedelta


def late_signatures(log: str, first: int, last: int) -> Iterator[LateSignature]:
    """The late signatures that entries first..last-1 are the first to show. A log without any checkpoint is skipped."""
    stored, reported = get_log(log), set[int]()
    checkpoints = _checkpoint_times(stored, first, last)
    for number, (size, _) in enumerate(checkpoints):
        oldest = Entry.objects.filter(log=stored, index=size).values_list("recorded_at", flat=True).first()
        if oldest is None:
            continue
        deadline = oldest + MAX_SIGNING_DELAY
        following = checkpoints[number + 1][1] if number + 1 < len(checkpoints) else None
        if following is not None and following <= deadline:
            continue
        showing = Entry.objects.filter(log=stored, recorded_at__gt=deadline, index__gt=size)
        shown = showing.values_list("index", "recorded_at").order_by("recorded_at", "index").first()
        if shown is not None and first <= shown[0] < last and shown[0] not in reported:
            reported.add(shown[0])
            yield LateSignature(shown[0], shown[1], size, MAX_SIGNING_DELAY)


def _checkpoint_times(log: Log, first: int, last: int) -> list[tuple[int, datetime]]:
    """Size and time of the checkpoints that matter: within the range, two before it, and one after."""
    rows = SignedCheckpoint.objects.filter(log=log)
    before = list(rows.filter(size__lte=first).order_by("-size").values_list("size", "signed_at")[:2])
    within = list(rows.filter(size__gt=first, size__lte=last).order_by("size").values_list("size", "signed_at"))
    after = list(rows.filter(size__gt=last).order_by("size").values_list("size", "signed_at")[:1])
    return [*reversed(before), *within, *after]
