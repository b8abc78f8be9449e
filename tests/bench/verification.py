"""Verification against hashing alone, and a proof from a long log against rebuilding its tree."""

import os
import random
from collections.abc import Iterator
from datetime import datetime
from hashlib import sha256

from django.db import connection, transaction
from django.utils import timezone

from rounds.ledger.models import Log
from rounds.ledger.storage import get_log, head_of, inclusion_proof
from rounds.ledger.verify.entry_ranges import CHUNK_SIZE
from rounds.ledger.verify.verify_log import verify_log
from rounds.ledger.writing.append import NewEntry, PreparedEntry, append_prepared, open_log
from rounds.transparency_log.formats.leaf import make_header, make_leaf
from rounds.transparency_log.tree.merkle import inclusion_proof_ranges, verify_inclusion
from tests.bench.support.controllers import controllers_at, receive_rounds, run_consumers
from tests.bench.support.measurement import Case, Way, at_least
from tests.bench.support.workload_size import Size
from tests.rounds.floor.crew import gather

ALONE, REBUILT = "SHA-256 alone over the same bytes", "rebuilding the tree"
PROVED, APPENDED_AT_ONCE = 200, 20_000
BODIES = "SELECT body FROM ledger_entry WHERE log_id = %s ORDER BY index"
LEAVES = "SELECT index, leaf_sha256 FROM ledger_entry WHERE log_id = %s ORDER BY index"


def cases(size: Size) -> Iterator[Case]:
    receive_rounds(controllers_at(gather(), 4), size.verified)
    yield from compared_with_hashing("the log itself, rounds of 20 wagers")
    run_consumers()
    yield from compared_with_hashing("everything derived from it worked out again")
    log = long_log(size.entries)
    yield Case(
        f"inclusion proof from a log of {size.entries:,} entries",
        "proofs/s",
        ours=proving(log),
        peers={REBUILT: rebuilding(log)},
        aims={REBUILT: at_least(1000)},
    )


def compared_with_hashing(what: str) -> Iterator[Case]:
    """With all cores, as the command runs, and with one process, as the daily task runs. The peer always has one."""
    cores = os.cpu_count() or 1
    for how, processes in ((f"by {cores} processes", cores), ("by one process", 1)):
        yield Case(
            f"verify_ledger, {what}, {how}",
            "entries/s",
            ours=verifying(processes),
            peers={ALONE: hash_alone},
            aims={ALONE: at_least(0.4)},
        )


def verifying(processes: int) -> Way:
    def verify() -> float:
        verdict = verify_log("harbour", processes=processes)
        if not verdict.is_intact:
            raise RuntimeError(f"The log does not fit: {verdict.first_issue}")
        return verdict.checked["entries"]

    return verify


def hash_alone() -> float:
    """The same rows with the same kind of cursor, in the same portions."""
    count = 0
    with transaction.atomic(), connection.connection.cursor(name="bodies", binary=True) as cursor:
        cursor.execute(BODIES, [get_log("harbour").pk])
        while rows := cursor.fetchmany(CHUNK_SIZE):
            for (body,) in rows:
                sha256(body).digest()
            count += len(rows)
    return count


def long_log(entries: int) -> Log:
    """Small entries, appended as usual: the cost of a proof depends on their number only."""
    now = timezone.now()
    open_log("long", now)
    for start in range(0, entries, APPENDED_AT_ONCE):
        with transaction.atomic():
            append_prepared(
                "long", [note(number, now) for number in range(start, min(start + APPENDED_AT_ONCE, entries))]
            )
    return get_log("long")


def note(number: int, now: datetime) -> PreparedEntry:
    entry = NewEntry(kind="round", body=b'{"number":%d}' % number)
    return PreparedEntry(
        entry, now, make_leaf(make_header(kind="round", log="long", recorded_at=now), entry.body).leaf_hash
    )


def proving(log: Log) -> Way:
    head, dice = head_of(log), random.Random(1)

    def prove() -> float:
        for _ in range(PROVED):
            inclusion_proof(log, dice.randrange(head.size), head.size)
        return PROVED

    return prove


def rebuilding(log: Log) -> Way:
    """Reads every leaf hash, computes every node of the tree, and takes one proof from it."""
    size = head_of(log).size

    def prove() -> float:
        level: list[bytes] = []
        with connection.cursor() as cursor:
            cursor.execute(LEAVES, [log.pk])
            level = [bytes(leaf) for _, leaf in cursor.fetchall()]
        nodes = {(at, at + 1): leaf for at, leaf in enumerate(level)}
        width = 1
        while len(level) > 1:
            width *= 2
            level = paired(level)
            nodes |= {(at * width, min((at + 1) * width, size)): node for at, node in enumerate(level)}
        index = size // 3
        head = head_of(log)
        verify_inclusion(
            nodes[index, index + 1], index, head, [nodes[span] for span in inclusion_proof_ranges(index, size)]
        )
        return 1

    return prove


def paired(level: list[bytes]) -> list[bytes]:
    """An unpaired last node moves up unchanged."""
    pairs = zip(level[::2], level[1::2], strict=False)
    return [sha256(b"\x01" + left + right).digest() for left, right in pairs] + level[len(level) // 2 * 2 :]
