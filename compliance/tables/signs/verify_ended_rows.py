"""`verify_ledger`: checks rows that end once, by a separate entry that names the entry they began with."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import models

from rounds.ledger import LogEntry, read_entries, size_of


@dataclass(frozen=True)
class EndedRowCheck:
    """`member` is the key, in the ending entry, that holds the index of the starting entry. The row ended when that
    entry was recorded."""

    model: type[models.Model]
    kind: str
    member: str
    what: str

    def verify_rows(self, log: str, first: int, last: int, entries: Sequence[LogEntry]) -> Iterator[tuple[int, str]]:
        rows = self.model._base_manager.filter(log=log)
        ending_entries = {self._start_index(entry): entry for entry in entries}
        ended_at = dict(rows.filter(entry_index__in=ending_entries).values_list("entry_index", "ended_at"))
        ended_by = dict(rows.filter(entry_index__in=ending_entries).values_list("entry_index", "ended_by_id"))
        for index, entry in ending_entries.items():
            if ended_at.get(index) != entry.recorded_at or ended_by.get(index) != entry.content()["by"]["id"]:
                yield entry.index, f"{self.what} ended by this entry, and is kept as if it had not ended so."
        begun_here = rows.filter(entry_index__gte=first, entry_index__lt=last, ended_at__isnull=False)
        ended = list(begun_here.values_list("entry_index", "ended_at"))
        yield from self._missing_end_entries(log, first, ended)

    def _missing_end_entries(
        self, log: str, first: int, ended: list[tuple[int, datetime]]
    ) -> Iterator[tuple[int, str]]:
        """Rows stored as ended that no entry ended."""
        entries = read_entries(log, first, size_of(log), [self.kind]) if ended else []
        named = {self._start_index(entry) for entry in entries}
        for index, _ in ended:
            if index not in named:
                yield index, f"{self.what} that began here is kept as ended, and no entry ended it."

    def _start_index(self, entry: LogEntry) -> int:
        content: dict[str, Any] = entry.content()
        return int(content[self.member])
