"""Recomputes every commitment from its rounds and its key, and compares it with the row and the entry."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from compliance.transparency.wager_proofs.entry_kinds import WAGERS_COMMITTED
from compliance.transparency.wager_proofs.models import Commitment
from compliance.transparency.wager_proofs.proof_file.wager_tree import commit_round
from rounds.intake.entry_kinds import ROUND
from rounds.ledger import LogEntry
from rounds.transparency_log import tree


def verify_rows(log: str, first: int, last: int, entries: Sequence[LogEntry]) -> Iterator[tuple[int | None, str]]:
    """Yields only the first difference of each commitment:
    a changed key would otherwise be reported for every round.
    """
    commitments = list(Commitment.objects.filter(log=log, first__lt=last, last__gt=first).order_by("first"))
    rounds = {entry.index: entry for entry in entries if entry.kind == ROUND}
    for commitment in commitments:
        yield from _verify_rounds(commitment, rounds, first, last)
    recorded = [entry.index for entry in entries if entry.kind == WAGERS_COMMITTED]
    for index in recorded:
        yield from _verify_root(log, index)


def _verify_rounds(
    commitment: Commitment, rounds: dict[int, LogEntry], first: int, last: int
) -> Iterator[tuple[int | None, str]]:
    start, end = max(first, commitment.first), min(last, commitment.last)
    stored_nodes = {index: node for index, node in commitment.nodes_by_entry().items() if start <= index < end}
    played = [index for index in rounds if start <= index < end]
    for index in sorted({*stored_nodes, *played}):
        entry = rounds.get(index)
        if entry is None:
            yield index, f"entry {commitment.entry_index} commits to it as a round, and it is none."
            return
        if stored_nodes.get(index) != commit_round(bytes(commitment.key), entry).node:
            yield index, f"its wagers are not those that entry {commitment.entry_index} commits to."
            return


def _verify_root(log: str, index: int) -> Iterator[tuple[int | None, str]]:
    """Checks the row of the entry, that its range follows the previous one, and the root over its rounds."""
    until = list(Commitment.objects.filter(log=log, entry_index__lte=index).order_by("-first")[:2])
    if not until or until[0].entry_index != index:
        return  # A missing row is reported by the comparison of rows.
    commitment, *before = until
    nodes = commitment.nodes_by_entry()
    if len(nodes) != commitment.rounds or tree.root_of(list(nodes.values())).hex() != commitment.root_sha256:
        yield index, "what was kept of its rounds does not lead to its root."
    elif commitment.first != (before[0].last if before else 0):
        yield index, "it does not begin where the commitment before it ended."
    elif any(one >= other for one, other in pairwise([commitment.first - 1, *nodes, commitment.last])):
        yield index, "its rounds are not in the order of the log."
