"""Projections that are written together with the lines from which they are derived.

Intake has parsed each line, so a projection that registers here does not read and parse the entries again. It must also
have a consumer, for entries from other sources and for batches whose projection failed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import structlog
from django.db import DatabaseError

from rounds.intake.entry_kinds import ROUND
from rounds.intake.protocol.envelope import Line
from rounds.ledger import readers

logger = structlog.get_logger(__name__)


class LineProjection(Protocol):
    def prepare(self, log: str, lines: Sequence[Line]) -> Any:
        """Derives what is to be written, before the log is locked. Consecutive entries; None: nothing to write."""

    def write(self, log: str, batches: Sequence[tuple[int, Any]]) -> None:
        """Writes what was prepared for some batches, each with the index of its first entry. In the transaction of the
        entries."""


class ProjectionNotWritten(Exception):
    """A projection could not be written. A fact is never refused for this: the batch is recorded without projections,
    and their consumers derive them from the entries."""


class IndexedRounds:
    """Puts rounds into the search index. A valid round names itself and no person."""

    def prepare(self, log: str, lines: Sequence[Line]) -> Sequence[tuple[int, str]] | None:
        return [(place, line.body.round) for place, line in enumerate(lines) if line.kind == ROUND] or None

    def write(self, log: str, batches: Sequence[tuple[int, Any]]) -> None:
        readers.index_rounds(log, [(first + place, name) for first, named in batches for place, name in named])


_registered: list[LineProjection] = [IndexedRounds()]


def register_line_projection(projection: LineProjection) -> None:
    _registered.append(projection)


def prepare_projections(log: str, lines: Sequence[Line]) -> list[Any]:
    """What each projection has to write for these lines. Empty where one of them fails."""
    try:
        return [projection.prepare(log, lines) for projection in _registered]
    except Exception:
        logger.exception("lines_not_projected", log=log)
        return []


def write_projections(log: str, batches: Sequence[tuple[int, Sequence[Any]]]) -> None:
    """Writes what was prepared, one statement a projection for all batches. Raises ProjectionNotWritten."""
    for place, projection in enumerate(_registered):
        own = [(first, prepared[place]) for first, prepared in batches if prepared and prepared[place] is not None]
        if own:
            try:
                projection.write(log, own)
            except DatabaseError as error:
                logger.error("projection_not_written", log=log, error=str(error))
                raise ProjectionNotWritten from error
