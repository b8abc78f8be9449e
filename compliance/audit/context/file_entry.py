"""FileEntry: one entry of a dispute or promotion, with its parsed content."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

import msgspec

from rounds.ledger import LogEntry


@dataclass(frozen=True)
class FileEntry:
    """One entry of a dispute or promotion."""

    entry: LogEntry

    @cached_property
    def content(self) -> Mapping[str, Any]:
        return self.entry.content()

    @property
    def kind(self) -> str:
        return self.entry.kind

    @property
    def index(self) -> int:
        return self.entry.index

    def instant(self, member: str) -> datetime | None:
        value = self.content.get(member)
        return msgspec.convert(value, datetime) if value else None

    def required_instant(self, member: str) -> datetime:
        """An instant that every entry of the kind states."""
        return msgspec.convert(self.content[member], datetime)
