"""Verifiers for `verify_ledger`: the state of a dispute against its steps; inspectors' notes, letters and attached
files, which are outside the ledger, against the digests in their entries.
"""

from collections.abc import Iterator, Sequence
from hashlib import sha256

from compliance.disputes import entry_kinds
from compliance.disputes.models import Attachment, Dispute, InspectorNote, IssuedLetter
from compliance.disputes.services.state_replay import replay_steps
from rounds.ledger import LogEntry, register_projection


def register_projections() -> None:
    register_projection("inspectors' notes on disputes", [entry_kinds.NOTED], verify_notes)
    register_projection("files attached to disputes", [entry_kinds.ATTACHED], verify_files)
    register_projection("letters on the outcome of disputes", [entry_kinds.LETTER], verify_letters)
    register_projection("how disputes stand", [entry_kinds.LOGGED], verify_rows)


def verify_rows(log: str, first: int, last: int, entries: Sequence[LogEntry]) -> Iterator[tuple[int, str]]:
    disputes = Dispute.objects.filter(log=log, entry_index__gte=first, entry_index__lt=last)
    for dispute in disputes.prefetch_related("steps"):
        standing = replay_steps(dispute, sorted(dispute.steps.all(), key=lambda step: step.entry_index))
        if any(getattr(dispute, name) != value for name, value in standing._asdict().items()):
            yield dispute.entry_index, "it is kept as standing elsewhere than its steps led to."


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


def verify_letters(log: str, first: int, last: int, entries: Sequence[LogEntry]) -> Iterator[tuple[int, str]]:
    """Only letters that are stored: those of earlier releases are not."""
    rows = IssuedLetter.objects.filter(step__log=log, step__entry_index__gte=first, step__entry_index__lt=last)
    stored = {row.step.entry_index: sha256(row.content).hexdigest() for row in rows.select_related("step")}
    for entry in entries:
        if stored.get(entry.index, entry.content()["sha256"]) != entry.content()["sha256"]:
            yield entry.index, "the letter that was issued is another one now."
