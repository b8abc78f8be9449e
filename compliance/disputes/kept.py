"""What is kept beside the ledger and must still be what its entries commit to: inspectors' notes, attached files."""

from collections.abc import Iterator, Sequence

from compliance.disputes import kinds
from compliance.disputes.models import Attachment, InspectorNote
from compliance.disputes.stood import standings_differ
from rounds.ledger.following import Recorded
from rounds.ledger.recorded import register_projection


def register_kept() -> None:
    register_projection("inspectors' notes on disputes", [kinds.NOTED], changed_notes)
    register_projection("files attached to disputes", [kinds.ATTACHED], changed_files)
    register_projection("how disputes stand", [kinds.LOGGED], standings_differ)


def changed_notes(log: str, first: int, last: int, entries: Sequence[Recorded]) -> Iterator[tuple[int, str]]:
    rows = InspectorNote.objects.filter(step__log=log, step__entry_index__gte=first, step__entry_index__lt=last)
    kept = {note.step.entry_index: note.digest() for note in rows.select_related("step")}
    for entry in entries:
        if kept.get(entry.index) != entry.content()["digest_sha256"]:
            yield entry.index, "the inspector's note is gone or says something else now."


def changed_files(log: str, first: int, last: int, entries: Sequence[Recorded]) -> Iterator[tuple[int, str]]:
    rows = Attachment.objects.filter(step__log=log, step__entry_index__gte=first, step__entry_index__lt=last)
    kept = {row.step.entry_index: row.sha256 for row in rows.select_related("step")}
    for entry in entries:
        if kept.get(entry.index) != entry.content()["sha256"]:
            yield entry.index, "the attached file is gone or another one now."
