"""Reads logs and their Merkle trees from PostgreSQL: full tiles, and the right edge from the entries."""

from collections.abc import Sequence

from django.db import connection

from compliance.core.web.binary_rows import fetch_binary_rows
from rounds.ledger.models import Head, Log
from rounds.transparency_log.errors import LedgerError, ProofError
from rounds.transparency_log.tree import tiles
from rounds.transparency_log.tree.merkle import Frontier, RangeProof, TreeHead

# Plain SQL for speed: a proof needs a handful of these queries, and so does every append.
LOG_BY_SLUG_SQL = "SELECT id FROM ledger_log WHERE slug = %s"
ONE_TILE_SQL = "SELECT hashes FROM ledger_tile WHERE log_id = %s AND level = %s AND index = %s"
TILES_SQL = "SELECT index, hashes, root FROM ledger_tile WHERE log_id = %s AND level = %s AND index = ANY(%s)"
ROOTS_SQL = (
    "SELECT root FROM ledger_tile WHERE log_id = %s AND level = %s AND index >= %s AND index < %s ORDER BY index"
)
LEAVES_SQL = "SELECT leaf_sha256 FROM ledger_entry WHERE log_id = %s AND index >= %s AND index < %s ORDER BY index"


class UnknownLog(LedgerError):
    """There is no log of this name."""


def unknown_log_error(slug: str) -> UnknownLog:
    return UnknownLog("unknown-log", f"There is no log {slug!r}.")


def get_log(slug: str) -> Log:
    # Does not read `opened_at`: few callers need it, and a tampered value outside Python's range must not raise here.
    with connection.cursor() as cursor:
        cursor.execute(LOG_BY_SLUG_SQL, [slug])
        row = cursor.fetchone()
    if row is None:
        raise unknown_log_error(slug)
    return Log.from_db(connection.alias, ("id", "slug"), (row[0], slug))


def every_log() -> list[str]:
    return list(Log.objects.order_by("slug").values_list("slug", flat=True))


def head_of(log: Log) -> TreeHead:
    return Frontier.from_bytes(bytes(Head.objects.get(log=log).frontier)).head()


def stored_hashes(log: Log, size: int) -> tiles.TileReader:
    """A reader for the tree over the log's first `size` entries. Fetches each tile at most once."""

    def full_tile(level: int, index: int) -> bytes:
        found = _fetch_column(ONE_TILE_SQL, log.pk, level, index)
        if not found:
            raise ProofError("tile-missing", f"Tile {index} of tree level {level} is not stored.")
        return found[0]

    def edge(level: int, start: int, end: int) -> Sequence[bytes]:
        return (
            _fetch_column(ROOTS_SQL, log.pk, level - 1, start, end)
            if level
            else _fetch_column(LEAVES_SQL, log.pk, start, end)
        )

    return tiles.TileReader(size, full_tile, edge)


def stored_tiles(log: Log, level: int, indexes: Sequence[int]) -> dict[int, tiles.FullTile]:
    """The stored ones of these tiles, by index."""
    rows = fetch_binary_rows(TILES_SQL, [log.pk, level, list(indexes)])
    return {index: tiles.FullTile(level, index, hashes, root) for index, hashes, root in rows}


def _fetch_column(query: str, *parameters: int) -> list[bytes]:
    with connection.cursor() as cursor:
        cursor.execute(query, parameters)
        return [bytes(value) for (value,) in cursor.fetchall()]


def inclusion_proof(log: Log, index: int, size: int) -> list[bytes]:
    return tiles.inclusion_proof(stored_hashes(log, size), index, size)


def consistency_proof(log: Log, first: int, second: int) -> list[bytes]:
    return tiles.consistency_proof(stored_hashes(log, second), first, second)


def range_proof(log: Log, start: int, end: int, size: int) -> RangeProof:
    return tiles.range_proof(stored_hashes(log, size), start, end, size)


def root_at(log: Log, size: int) -> bytes:
    """The root that the log had at `size` entries, from what is stored now."""
    return tiles.subtree_hash(stored_hashes(log, size), 0, size)
