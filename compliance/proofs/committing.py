"""The worker that commits to wagers: each stretch of new rounds once, its cursor, key and entry in one transaction."""

import secrets
from collections.abc import Sequence
from datetime import datetime

from compliance.proofs.kinds import COMMITTED, ROUND
from compliance.proofs.models import INDEX_BYTES, Commitment
from compliance.proofs.tree import KEY_BYTES, commit_round
from rounds.ledger.following import Recorded, follow
from rounds.ledger.merkle import root_of
from rounds.ledger.rows import write_row

CONSUMER = "wager-commitments"
# Entries of the log in one commitment, at the most: what a worker holds in memory at once.
MOST_ENTRIES = 500


def commit_next(*, log: str, now: datetime) -> int:
    """How many entries were passed; 0 when there is nothing left, or another worker is at it."""

    def handle(rounds: Sequence[Recorded]) -> None:
        _commit(log, rounds, now)

    return follow(CONSUMER, log, handle, limit=MOST_ENTRIES, kinds={ROUND})


def _commit(log: str, rounds: Sequence[Recorded], now: datetime) -> None:
    """From where the one before ended: what lies between was passed, and is no round."""
    before = Commitment.objects.filter(log=log).order_by("-first").values_list("last", flat=True).first()
    key = secrets.token_bytes(KEY_BYTES)
    nodes = [commit_round(key, entry).node for entry in rounds]
    commitment = Commitment(
        first=before or 0, last=rounds[-1].index + 1, rounds=len(rounds), root_sha256=root_of(nodes).hex(),
        key=key, nodes=b"".join(pack(entry.index, node) for entry, node in zip(rounds, nodes, strict=True)), at=now,
    )  # fmt: skip
    write_row(commitment, kind=COMMITTED, log=log, now=now)


def pack(index: int, node: bytes) -> bytes:
    return index.to_bytes(INDEX_BYTES, "big") + node
