"""The witness's state in one SQLite file: the last checkpoint of each log, and what was refused.

Check and save are one IMMEDIATE transaction with full synchronisation, so that concurrent requests are serialized.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rounds.transparency_log import formats, tree
from rounds.witness.errors import StateLost, WitnessError

# Stored in the file's header, to recognize an empty file or that of another program.
APPLICATION_ID = 0x46545749
WAIT_SECONDS = 30
SCHEMA_VERSION = 2
# How far the mirror was verified against a checkpoint, as the tree's frontier at that size.
PROVEN_TABLE_SQL = "CREATE TABLE proven (origin TEXT PRIMARY KEY REFERENCES log, edge BLOB NOT NULL) STRICT;"
SCHEMA_SQL = f"""
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {SCHEMA_VERSION};
CREATE TABLE witness (name TEXT NOT NULL) STRICT;
CREATE TABLE log (
    origin TEXT PRIMARY KEY, url TEXT NOT NULL,
    size INTEGER NOT NULL DEFAULT 0, root BLOB NOT NULL, note BLOB, cosigned_at INTEGER NOT NULL DEFAULT 0,
    told_size INTEGER NOT NULL DEFAULT -1, asked_at INTEGER, answer TEXT NOT NULL DEFAULT 'Not asked yet.'
) STRICT;
CREATE TABLE trusted (origin TEXT NOT NULL REFERENCES log, key TEXT NOT NULL, PRIMARY KEY (origin, key)) STRICT;
CREATE TABLE refused (
    id INTEGER PRIMARY KEY, origin TEXT NOT NULL REFERENCES log, reason TEXT NOT NULL, at INTEGER NOT NULL,
    kept BLOB NOT NULL, offered BLOB NOT NULL, told_at INTEGER,
    UNIQUE (origin, reason, kept)
) STRICT;
CREATE TABLE mirrored (
    origin TEXT NOT NULL REFERENCES log, place INTEGER NOT NULL, header BLOB NOT NULL, body BLOB NOT NULL,
    PRIMARY KEY (origin, place)
) STRICT, WITHOUT ROWID;
{PROVEN_TABLE_SQL}
CREATE TABLE pack (sha256 TEXT PRIMARY KEY, content BLOB NOT NULL) STRICT;
CREATE TABLE audited (
    origin TEXT PRIMARY KEY REFERENCES log, size INTEGER NOT NULL, at INTEGER NOT NULL, words TEXT NOT NULL
) STRICT;
CREATE TRIGGER log_never_shrinks BEFORE UPDATE OF size ON log WHEN NEW.size < OLD.size
BEGIN SELECT RAISE(ABORT, 'A witness never goes back.'); END;
CREATE TRIGGER log_stays BEFORE DELETE ON log BEGIN SELECT RAISE(ABORT, 'A witness never forgets.'); END;
CREATE TRIGGER refused_stays BEFORE DELETE ON refused BEGIN SELECT RAISE(ABORT, 'A witness never forgets.'); END;
"""
STATE_LOST_ADVICE = (
    "Do not begin anew with this key: a witness that forgot would sign a rewritten history. Bring the file back from a "
    "copy that is at least as new, or make a new key under a new name with init, and have it registered."
)


@dataclass(frozen=True)
class FollowedLog:
    """A followed log. `note` is the last checkpoint the witness cosigned; None before the first."""

    origin: str
    url: str
    head: tree.TreeHead
    note: bytes | None
    cosigned_at: int
    told_size: int
    asked_at: int | None
    answer: str

    @property
    def slug(self) -> str:
        """The log's name at its service: the last part of its origin."""
        return self.origin.rpartition("/")[2]


@dataclass(frozen=True)
class RefusedCheckpoint:
    number: int
    origin: str
    reason: str
    at: int
    kept: bytes
    offered: bytes
    told_at: int | None


class WitnessState:
    """The file of one witness. Opened anew for each operation, so that threads and processes share nothing else."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @classmethod
    def create(cls, path: Path, name: str) -> WitnessState:
        if path.exists():
            raise WitnessError("state-exists", f"There is a state at {path} already: `trust` adds a log to it.")
        path.parent.mkdir(parents=True, exist_ok=True)
        state = cls(path)
        with state.connect("rwc") as connection:
            connection.executescript(f"BEGIN; {SCHEMA_SQL} COMMIT;")
            connection.execute("INSERT INTO witness VALUES (?)", [name])
        return state

    @classmethod
    def open(cls, path: Path, name: str | None = None) -> WitnessState:
        """Refuses a file that is missing, empty, or not this witness's. Never creates one."""
        if not path.is_file() or path.stat().st_size == 0:
            raise StateLost("state-lost", f"The state {path} is missing or empty. {STATE_LOST_ADVICE}")
        state = cls(path)
        try:
            with state.connect() as connection:
                [marked] = connection.execute("PRAGMA application_id").fetchone()
                owner = connection.execute("SELECT name FROM witness").fetchone() if marked == APPLICATION_ID else None
        except sqlite3.Error as error:
            raise StateLost("state-lost", f"The state {path} cannot be read ({error}). {STATE_LOST_ADVICE}") from error
        if owner is None:
            raise StateLost("state-lost", f"The file {path} is not the state of a witness. {STATE_LOST_ADVICE}")
        if name is not None and owner[0] != name:
            raise WitnessError("other-witness", f"The state {path} belongs to {owner[0]}, and the key to {name}.")
        state._migrate_schema()
        return state

    def _migrate_schema(self) -> None:
        with self.write_transaction() as connection:
            [version] = connection.execute("PRAGMA user_version").fetchone()
            if version < SCHEMA_VERSION:
                connection.execute(PROVEN_TABLE_SQL)
                connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")

    def trust_key(self, key: formats.VerifierKey, url: str) -> None:
        """Follow a log, or trust a further key of a followed log after its service rotated keys."""
        with self.write_transaction() as connection:
            connection.execute(
                "INSERT INTO log (origin, url, root) VALUES (?, ?, ?) ON CONFLICT (origin) DO UPDATE SET url = ?",
                [key.name, url, tree.EMPTY_ROOT, url],
            )
            connection.execute("INSERT OR IGNORE INTO trusted VALUES (?, ?)", [key.name, str(key)])

    def trusted_keys(self, origin: str) -> list[formats.VerifierKey]:
        with self.connect() as connection:
            rows = connection.execute("SELECT key FROM trusted WHERE origin = ? ORDER BY rowid", [origin]).fetchall()
        return [formats.VerifierKey.parse(key) for (key,) in rows]

    def followed_logs(self) -> list[FollowedLog]:
        with self.connect() as connection:
            return [_followed_log_from_row(row) for row in connection.execute("SELECT * FROM log ORDER BY origin")]

    def followed_log(self, origin: str) -> FollowedLog | None:
        return next((one for one in self.followed_logs() if one.origin == origin), None)

    def advance_checkpoint(
        self,
        origin: str,
        head: tree.TreeHead,
        note: bytes,
        *,
        check: Callable[[tree.TreeHead], None],
        clock: Callable[[], int],
    ) -> int:
        """Make this the last checkpoint if `check` accepts the previous one. Returns the time, in seconds.

        The time is taken inside the transaction: a later cosignature never covers a smaller tree.
        """
        with self.write_transaction() as connection:
            size, root, before = connection.execute(
                "SELECT size, root, cosigned_at FROM log WHERE origin = ?", [origin]
            ).fetchone()
            check(tree.TreeHead(size, root))
            at: int = max(clock(), before)
            connection.execute(
                "UPDATE log SET size = ?, root = ?, note = ?, cosigned_at = ? WHERE origin = ?",
                [head.size, head.root, note, at, origin],
            )
        return at

    def add_refusal(self, origin: str, reason: str, kept: bytes, offered: bytes, at: int) -> None:
        """Store a refused checkpoint as proof of the inconsistency. Only the first against each kept checkpoint, so
        that a log which keeps growing wrongly does not fill the disk.
        """
        with self.write_transaction() as connection:
            connection.execute(
                "INSERT OR IGNORE INTO refused (origin, reason, at, kept, offered) VALUES (?, ?, ?, ?, ?)",
                [origin, reason, at, kept, offered],
            )

    def refusals(self, origin: str, *, unposted: bool = False) -> list[RefusedCheckpoint]:
        statement = (
            "SELECT id, origin, reason, at, kept, offered, told_at FROM refused "
            "WHERE origin = ? AND (NOT ? OR told_at IS NULL) ORDER BY id"
        )
        with self.connect() as connection:
            return [RefusedCheckpoint(*row) for row in connection.execute(statement, [origin, unposted])]

    def mark_cosignature_posted(self, origin: str, size: int) -> None:
        self._execute_update("UPDATE log SET told_size = max(told_size, ?) WHERE origin = ?", [size, origin])

    def mark_refusal_posted(self, number: int, at: int) -> None:
        self._execute_update("UPDATE refused SET told_at = ? WHERE id = ?", [at, number])

    def save_last_result(self, origin: str, answer: str, at: int) -> None:
        self._execute_update("UPDATE log SET asked_at = ?, answer = ? WHERE origin = ?", [at, answer, origin])

    def save_audit_result(self, origin: str, size: int, text: str, at: int) -> None:
        self._execute_update("INSERT OR REPLACE INTO audited VALUES (?, ?, ?, ?)", [origin, size, at, text])

    def last_audit(self, origin: str) -> tuple[int, int, str] | None:
        """Size, time and result of the last audit."""
        with self.connect() as connection:
            row = connection.execute("SELECT size, at, words FROM audited WHERE origin = ?", [origin]).fetchone()
        return None if row is None else (row[0], row[1], row[2])

    def _execute_update(self, statement: str, values: Sequence[Any]) -> None:
        with self.write_transaction() as connection:
            connection.execute(statement, values)

    @contextmanager
    def connect(self, mode: str = "rw") -> Iterator[sqlite3.Connection]:
        uri = f"{self.path.absolute().as_uri()}?mode={mode}"
        connection = sqlite3.connect(uri, uri=True, timeout=WAIT_SECONDS, isolation_level=None)
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA foreign_keys = ON")
            yield connection
        finally:
            connection.close()

    @contextmanager
    def write_transaction(self) -> Iterator[sqlite3.Connection]:
        with self.connect() as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
            except BaseException:
                connection.execute("ROLLBACK")
                raise
            connection.execute("COMMIT")


def _followed_log_from_row(row: Sequence[Any]) -> FollowedLog:
    origin, url, size, root, note, cosigned_at, told_size, asked_at, answer = row
    return FollowedLog(origin, url, tree.TreeHead(size, root), note, cosigned_at, told_size, asked_at, answer)
