"""Consumer that commits to wagers: each range of new rounds once; cursor, key and entry commit in one transaction."""

import secrets
from collections.abc import Sequence
from datetime import datetime

from compliance.transparency.wager_proofs.entry_kinds import WAGERS_COMMITTED
from compliance.transparency.wager_proofs.models import INDEX_BYTES, Commitment
from compliance.transparency.wager_proofs.proof_file.wager_tree import KEY_BYTES, commit_round
from rounds.intake.entry_kinds import ROUND
from rounds.ledger import LogEntry, readers, write_row
from rounds.transparency_log import tree

CONSUMER = "wager-commitments"
# Limit for one commitment: what a worker holds in memory at once.
MAX_ENTRIES = 500


def commit_next_rounds(*, log: str, now: datetime) -> int:
    """Commit the next range.

    Returns how many entries the cursor moved; 0 at the end, or if another worker is running.
    """

    def handle_entries(rounds: Sequence[LogEntry]) -> None:
        _commit_rounds(log, rounds, now)

    return readers.consume(CONSUMER, log, handle_entries, limit=MAX_ENTRIES, kinds={ROUND})


def _commit_rounds(log: str, rounds: Sequence[LogEntry], now: datetime) -> None:
    """The range starts where the previous commitment ended; entries in between that are not rounds are skipped."""
    before = Commitment.objects.filter(log=log).order_by("-first").values_list("last", flat=True).first()
    key = secrets.token_bytes(KEY_BYTES)
    nodes = [commit_round(key, entry).node for entry in rounds]
    commitment = Commitment(
        first=before or 0,
        last=rounds[-1].index + 1,
        rounds=len(rounds),
        root_sha256=tree.root_of(nodes).hex(),
        key=key,
        nodes=b"".join(encode_round_node(entry.index, node) for entry, node in zip(rounds, nodes, strict=True)),
        at=now,
    )
    write_row(commitment, kind=WAGERS_COMMITTED, log=log, now=now)


def encode_round_node(index: int, node: bytes) -> bytes:
    return index.to_bytes(INDEX_BYTES, "big") + node
