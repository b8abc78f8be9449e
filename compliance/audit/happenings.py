"""What happened besides rounds: a projection of the log by table, kind and instant, for checks over time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime

import msgspec

from compliance.audit.kinds import OWN
from compliance.audit.models import Happening
from compliance.audit.packed import CONSUMER, KINDS, corrected_by
from rounds.intake.persons import person_said
from rounds.ledger.following import Recorded, followed_up_to, read_entries

NOTED_AT_ONCE = 2000
# What people recorded was so when the entry itself says, by this member; without one, when it was recorded.
SAID_IN = {
    "table-facts": "effective_at",
    "under-minimum-warning": "at",
    "wager-refusal": "at",
    "promotion-winner-told": "at",
    "promotion-denial-told": "told_at",
}


class _Envelope(msgspec.Struct):
    at: datetime


_ENVELOPE = msgspec.json.Decoder(_Envelope)


def instant_of(entry: Recorded) -> datetime:
    """When what an entry says was so: by the clock of whoever said it, or when somebody recorded it."""
    if entry.controller is None:
        said = person_said(entry)
        if said is not None:
            return said[0].astimezone(UTC)
        member = SAID_IN.get(entry.kind)
        return msgspec.convert(entry.content()[member], datetime) if member else entry.recorded_at
    try:
        return _ENVELOPE.decode(entry.body).at.astimezone(UTC)
    except msgspec.DecodeError:
        return entry.recorded_at


def is_happening(entry: Recorded) -> bool:
    return entry.kind not in OWN and entry.kind not in KINDS


def note_entries(entries: Iterable[Recorded]) -> list[Happening]:
    return Happening.objects.bulk_create(
        Happening(
            log=entry.log, entry_index=entry.index, kind=entry.kind, table=entry.table or "", at=instant_of(entry)
        )
        for entry in entries
        if is_happening(entry)
    )  # fmt: skip


def take_happening_back(correction: Recorded, index: int) -> Happening | None:
    """Mark what was taken back: it never happened. None where that entry is no happening."""
    found = Happening.objects.filter(log=correction.log, entry_index=index, taken_back_index=None).first()
    if found is not None:
        Happening.objects.filter(pk=found.pk).update(taken_back_index=correction.index)
    return found


def note_again(log: str) -> None:
    """Make the projection again from the entries, as far as the log has been followed."""
    Happening.objects.filter(log=log).delete()
    end = followed_up_to(CONSUMER, log)
    for first in range(0, end, NOTED_AT_ONCE):
        entries = read_entries(log, first, min(end, first + NOTED_AT_ONCE))
        note_entries(entries)
        for entry in entries:
            corrected = corrected_by(entry)
            if corrected is not None:
                take_happening_back(entry, corrected)


def differences(log: str, first: int, last: int, entries: Sequence[Recorded]) -> Iterator[tuple[int, str]]:
    """For `verify_ledger`: what is kept of entries, against the entries read again."""
    rows = Happening.objects.filter(log=log, entry_index__gte=first, entry_index__lt=last)
    kept = {row.entry_index: (row.kind, row.table, row.at) for row in rows}
    for entry in filter(is_happening, entries):
        if kept.pop(entry.index, None) != (entry.kind, entry.table or "", instant_of(entry)):
            yield entry.index, "the audit's note of it is gone or says something else."
    for index in kept:
        yield index, "the audit has a note of it that does not come from it."
