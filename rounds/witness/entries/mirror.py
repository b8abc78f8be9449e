"""Local mirror of a log's entries. They are trusted once they lead to the checkpoint the witness cosigned.

Entries are stored page by page, so that an interrupted download resumes; verified entries are not hashed again.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from rounds.transparency_log import formats, tree
from rounds.witness.entries.bundle_source import RawEntry
from rounds.witness.errors import WitnessError
from rounds.witness.state import WitnessState

BATCH_SIZE = 500


class EntryMirror:
    """The mirrored entries and rule packs of one log, in the witness's SQLite file."""

    def __init__(self, state: WitnessState, origin: str) -> None:
        self.state, self.origin = state, origin

    def size(self) -> int:
        """How many entries are stored, verified or not."""
        with self.state.connect() as connection:
            return self._entry_count(connection)

    def add_entries(self, entries: Iterable[RawEntry], until: int) -> None:
        """Store the next entries, below `until`. Entries that are already stored are skipped."""
        coming = iter(entries)
        while page := list(islice(coming, BATCH_SIZE)):
            with self.state.write_transaction() as connection:
                next_place = self._entry_count(connection)
                for entry in page:
                    if entry.place == next_place < until:
                        connection.execute("INSERT INTO mirrored VALUES (?, ?, ?, ?)", [self.origin, *entry])
                        next_place += 1

    def verify_against_head(self, head: tree.TreeHead) -> None:
        """Raises unless the first entries stored are those of this head.

        Deletes entries that were not verified before.
        """
        with self.state.write_transaction() as connection:
            here = self._entry_count(connection)
            if here < head.size:
                raise WitnessError(
                    "gap", f"{here} entries are here, and {head.size} are signed: take evidence from {here} on."
                )
            edge = self._verified_frontier(connection)
            proven = edge.size
            edge.extend(
                formats.hash_leaf_parts(one.header, one.body)
                for one in self._read_entries(connection, first=proven, last=head.size)
            )
            fits = edge.head() == head
            if fits:
                connection.execute("INSERT OR REPLACE INTO proven VALUES (?, ?)", [self.origin, edge.to_bytes()])
            else:
                connection.execute("DELETE FROM mirrored WHERE origin = ? AND place >= ?", [self.origin, proven])
        if not fits:
            raise WitnessError("other-entries", "These entries do not lead to the checkpoint that the witness keeps.")

    def entries(self, size: int) -> Iterator[RawEntry]:
        with self.state.connect() as connection:
            yield from self._read_entries(connection, first=0, last=size)

    def save_packs(self, packs: Mapping[str, bytes]) -> None:
        with self.state.write_transaction() as connection:
            connection.executemany("INSERT OR IGNORE INTO pack VALUES (?, ?)", packs.items())

    def packs(self) -> dict[str, bytes]:
        with self.state.connect() as connection:
            return dict(connection.execute("SELECT sha256, content FROM pack").fetchall())

    def _entry_count(self, connection: sqlite3.Connection) -> int:
        """The last index plus one: there are no gaps."""
        statement = "SELECT coalesce(max(place) + 1, 0) FROM mirrored WHERE origin = ?"
        [size] = connection.execute(statement, [self.origin]).fetchone()
        return int(size)

    def _verified_frontier(self, connection: sqlite3.Connection) -> tree.Frontier:
        row = connection.execute("SELECT edge FROM proven WHERE origin = ?", [self.origin]).fetchone()
        return tree.Frontier.from_bytes(row[0]) if row else tree.Frontier()

    def _read_entries(self, connection: sqlite3.Connection, *, first: int, last: int) -> Iterator[RawEntry]:
        statement = (
            "SELECT place, header, body FROM mirrored WHERE origin = ? AND place >= ? AND place < ? ORDER BY place"
        )
        return (RawEntry(*row) for row in connection.execute(statement, [self.origin, first, last]))
