"""Verifiers for data outside the ledger that its entries commit to: inspectors' notes and attached files."""

from collections.abc import Iterator, Sequence

from compliance.disputes import entry_kinds
from compliance.disputes.models import Attachment, InspectorNote
from compliance.disputes.verify.dispute_state import verify_rows
from rounds.ledger import LogEntry, register_projection


def register_projections() -> None:
    register_projection("inspectors' notes on disputes", [entry_kinds.NOTED], verify_notes)
    register_projection("files attached to disputes", [entry_kinds.ATTACHED], verify_files)
    register_projection("how disputes stand", [entry_kinds.LOGGED], verify_rows)


def verify_notes(log: str, first: int, last: int, entries: Sequence[LogEntry]) -> Iterator[tuple[int, str]]:
    rows = InspectorNote.objects.filter(step__log=log, step__entry_index__gte=first, step__entry_index__lt=last)
    stored = {note.step.entry_index: note.digest() for note in rows.select_related("step")}
    for entry in entries:
        if stored.get(entry.index) != entry.content()["digest_sha256"]:
            yield entry.index, "the inspector's note is gone or says something else now."


def verify_files(log: str, first: int, last: int, entries: Sequence[LogEntry]) -> Iterator[tuple[int, str]]:
    rows = Attachment.objects.filter(step__log=log, step__entry_index__gte=first, step__entry_index__lt=last)
    stored = {row.step.entry_index: row.sha256 for row in rows.select_related("step")}
    for entry in entries:
        if stored.get(entry.index) != entry.content()["sha256"]:
            yield entry.index, "the attached file is gone or another one now."
