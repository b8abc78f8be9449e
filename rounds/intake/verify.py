"""Verification for `verify_ledger`: every entry from a controller is in a batch that the controller's key signed."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence

from rounds.floor.models import ControllerKey
from rounds.intake.models import Batch
from rounds.intake.protocol.manual_lines import IMPORT_PREFIX
from rounds.intake.protocol.signature import is_signature_valid, line_digest, signed_text
from rounds.ledger import LogEntry


def batches_between(log: str, first: int, last: int) -> list[Batch]:
    """The batches that contain entries first..last-1, in order; the first batch may begin before `first`."""
    rows = Batch.objects.filter(log=log, first_index__lt=last).order_by("-first_index").select_related("controller")
    found: list[Batch] = []
    for batch in rows.iterator(chunk_size=200):
        if batch.first_index + batch.entries <= first:
            break
        found.append(batch)
    return found[::-1]


def verify_rows(log: str, first: int, last: int, entries: Sequence[LogEntry]) -> Iterable[tuple[int, str]]:
    """For `verify_ledger`: yields every controller entry that is not in a batch signed by that controller's key."""
    batches = [_BatchCheck(batch) for batch in batches_between(log, first, last)]
    starts = [checked.first for checked in batches]
    public_keys = {
        (key_id, controller_id): bytes(public_key)
        for key_id, controller_id, public_key in ControllerKey.objects.filter(
            key_id__in={checked.batch.key_id for checked in batches}
        ).values_list("key_id", "controller_id", "public_key")
    }
    checked: _BatchCheck | None = None
    for entry in entries:
        index, controller = entry.index, entry.controller
        if controller is None or controller.startswith(IMPORT_PREFIX):
            continue
        if checked is None or not checked.first <= index < checked.end:
            position = bisect_right(starts, index) - 1
            checked = batches[position] if position >= 0 else None
        if checked is None or not checked.contains_line(index, controller, entry.body):
            yield index, "no signed batch of its controller holds it."
        elif not checked.has_valid_signature(public_keys):
            yield index, "the signature of its batch is not one of the controller's key."


class _BatchCheck:
    """A batch under verification. Caches its digests and the result of the signature check."""

    def __init__(self, batch: Batch) -> None:
        self.batch = batch
        self.first, self.end = batch.first_index, batch.first_index + batch.entries
        self.controller = batch.controller.slug
        self.digests = batch.digests()
        self._known = frozenset(self.digests)
        self._is_signed: bool | None = None

    def contains_line(self, index: int, controller: str, line: bytes) -> bool:
        return self.first <= index < self.end and self.controller == controller and line_digest(line) in self._known

    def has_valid_signature(self, public_keys: Mapping[tuple[str, int], bytes]) -> bool:
        if self._is_signed is None:
            text = signed_text(self.batch.key_id, self.batch.sent_at_text, self.digests)
            public_key = public_keys.get((self.batch.key_id, self.batch.controller_id), b"")
            self._is_signed = is_signature_valid(public_key, bytes(self.batch.signature), text)
        return self._is_signed
