"""A log's tree as PostgreSQL holds it: full tiles, and the right edge from the entries themselves."""

from collections.abc import Sequence

from rounds.ledger import tiles
from rounds.ledger.errors import LedgerError, ProofError
from rounds.ledger.merkle import Frontier, RangeProof, TreeHead
from rounds.ledger.models import Entry, Head, Log, Tile


class UnknownLog(LedgerError):
    """No log bears this name."""


def unknown_log(slug: str) -> UnknownLog:
    return UnknownLog("unknown-log", f"There is no log {slug!r}.")


def log_named(slug: str) -> Log:
    # Without its time: hardly anybody needs it, and a time beyond what Python can tell must not hide the log.
    log = Log.objects.filter(slug=slug).defer("opened_at").first()
    if log is None:
        raise unknown_log(slug)
    return log


def every_log() -> list[str]:
    return list(Log.objects.order_by("slug").values_list("slug", flat=True))


def head_of(log: Log) -> TreeHead:
    return Frontier.from_bytes(bytes(Head.objects.get(log=log).frontier)).head()


def stored_hashes(log: Log, size: int) -> tiles.TiledHashes:
    """Reads of the log's first `size` entries' tree, each tile fetched at most once."""

    def full_tile(level: int, index: int) -> bytes:
        return bytes(_one_tile(log, level, index))

    def edge(level: int, start: int, end: int) -> Sequence[bytes]:
        if level:
            roots = Tile.objects.filter(log=log, level=level - 1, index__gte=start, index__lt=end)
            return [bytes(root) for root in roots.order_by("index").values_list("root", flat=True)]
        leaves = Entry.objects.filter(log=log, index__gte=start, index__lt=end)
        return [bytes(leaf) for leaf in leaves.order_by("index").values_list("leaf_sha256", flat=True)]

    return tiles.TiledHashes(size, full_tile, edge)


def _one_tile(log: Log, level: int, index: int) -> bytes:
    hashes = Tile.objects.filter(log=log, level=level, index=index).values_list("hashes", flat=True).first()
    if hashes is None:
        raise ProofError("tile-missing", f"Tile {index} of tree level {level} is not stored.")
    return bytes(hashes)


def inclusion_proof(log: Log, index: int, size: int) -> list[bytes]:
    return tiles.inclusion_proof(stored_hashes(log, size), index, size)


def consistency_proof(log: Log, first: int, second: int) -> list[bytes]:
    return tiles.consistency_proof(stored_hashes(log, second), first, second)


def range_proof(log: Log, start: int, end: int, size: int) -> RangeProof:
    return tiles.range_proof(stored_hashes(log, size), start, end, size)


def root_at(log: Log, size: int) -> bytes:
    """The root the log had when it held `size` entries, from what is stored now."""
    return tiles.range_hash(stored_hashes(log, size), 0, size)
