"""Verification for `verify_ledger`: compares the stored bytes of packs and documents with their recorded digests."""

from collections.abc import Iterator, Sequence
from hashlib import sha256

from rounds.ledger import LogEntry
from rounds.rulebook.models import RuleVersion


def verify_rows(log: str, first: int, last: int, entries: Sequence[LogEntry]) -> Iterator[tuple[int, str]]:
    proposed = RuleVersion.objects.filter(casino__slug=log, proposed_index__gte=first, proposed_index__lt=last)
    for version in proposed.select_related("pack", "source_document").iterator(10):
        if sha256(version.pack.content).hexdigest() != version.pack_id:
            yield version.proposed_index, f"the rule pack {version.pack_name} was edited after it was proposed."
        if sha256(version.source_document.content).hexdigest() != version.source_document.sha256:
            yield version.proposed_index, f"the document {version.source_document.file_name} was edited since."
